#if Scope
    /// The numbers of records and violations of each event in a session.
    struct ScopeOutcome: Sendable {
        struct Event: Sendable {
            var count = ScopeState.Count()
            /// The violations by column and rule: `position: minimum`.
            var broken: [String: ViolationCount] = [:]
        }

        struct ViolationCount: Sendable {
            var count = 0
            /// The first violation of this kind.
            var example: ScopeViolation
        }

        private(set) var events: [String: Event] = [:]

        mutating func add(_ name: String, isBad: Bool, _ violations: [ScopeViolation]) {
            events[name, default: Event()].count.add(isBad)
            for violation in violations {
                let key = [violation.column, violation.rule].compactMap { $0 }.joined(separator: ": ")
                // The number of keys is limited, because a hostile client may invent columns.
                guard events[name]?.broken[key] != nil || events[name]?.broken.count ?? 0 < ScopeState.mostNames else {
                    continue
                }
                events[name, default: Event()].broken[key, default: ViolationCount(example: violation)].count += 1
            }
        }
    }
#endif
