#if Scope
    /// The violations in a run, by event.
    struct ScopeOutcome: Sendable {
        struct Breach: Sendable {
            var count = 0
            /// The first violation of this kind.
            var example: ScopeViolation
        }

        /// The violations of each event by column and rule: `position: minimum`. `…` has the unknown events past the
        /// maximum.
        private(set) var breaches: [String: [String: Breach]] = [:]

        /// Adds a record that is not a redelivery. The numbers of unknown events, and of keys, are limited, because a
        /// hostile client may invent names.
        mutating func add(_ received: ReceivedRecord) {
            var name = received.record.name ?? "(no event)"
            if !received.record.known, breaches[name] == nil, breaches.count >= ScopeState.mostNames { name = "…" }
            for violation in received.violations {
                let key = [violation.column, violation.rule].compactMap { $0 }.joined(separator: ": ")
                let known = breaches[name] ?? [:]
                guard known[key] != nil || known.count < ScopeState.mostNames else { continue }
                breaches[name, default: [:]][key, default: Breach(example: violation)].count += 1
            }
        }
    }
#endif
