#if Scope
    /// What a session has shown of each event. Two of them can be compared.
    package struct ScopeOutcome: Sendable, Equatable {
        package struct Event: Sendable, Equatable {
            package var count = ScopeState.Count()
            /// By column and rule: `position: minimum`.
            package var broken: [String: Breach] = [:]
        }

        package struct Breach: Sendable, Equatable {
            package var count = 0
            /// The first one.
            package var example: ScopeViolation
        }

        package private(set) var events: [String: Event] = [:]

        package init() {}

        package mutating func add(_ name: String, isBad: Bool, _ violations: [ScopeViolation]) {
            events[name, default: Event()].count.add(isBad)
            for violation in violations {
                let key = [violation.column, violation.rule].compactMap { $0 }.joined(separator: ": ")
                // A hostile client makes up columns.
                guard events[name]?.broken[key] != nil || events[name]?.broken.count ?? 0 < ScopeState.mostNames else { continue }
                events[name, default: Event()].broken[key, default: Breach(example: violation)].count += 1
            }
        }

        /// What another session has shown differently, a line each; the order is that of the names.
        package func differences(to other: ScopeOutcome) -> [String] {
            var lines: [String] = []
            for name in Set(events.keys).union(other.events.keys).sorted() {
                guard let here = events[name] else {
                    lines.append("\(name): only in the other session (\(Self.words(other.events[name]?.count)))")
                    continue
                }
                guard let there = other.events[name] else {
                    lines.append("\(name): only in this session (\(Self.words(here.count)))")
                    continue
                }
                if here.count != there.count {
                    lines.append("\(name): \(Self.words(here.count)), and \(Self.words(there.count)) in the other session")
                }
                for rule in Set(here.broken.keys).union(there.broken.keys).sorted() where here.broken[rule]?.count != there.broken[rule]?.count {
                    lines.append(
                        "\(name): \(rule) broken \(Self.times(here.broken[rule]?.count)), and \(Self.times(there.broken[rule]?.count)) in the other session"
                    )
                }
            }
            return lines
        }

        private static func words(_ count: ScopeState.Count?) -> String { "\(count?.good ?? 0) good, \(count?.bad ?? 0) bad" }
        private static func times(_ count: Int?) -> String { count == 1 ? "once" : "\(count ?? 0) times" }
    }
#endif
