#if Scope
    import LogTypes
    import TextEncoding

    /// The result of a run for a pull request: missing events, bad records and refused batches.
    struct ScopeReport: Sendable {
        /// The counters since the start.
        var state: ScopeState
        var outcome: ScopeOutcome
        var wanted: [EventDescription]

        var missing: [EventDescription] { wanted.filter { state.seen[$0.fullName]?.good ?? 0 == 0 } }
        /// A Boolean value that indicates whether the checks pass. They fail if no record has been checked.
        var passes: Bool { state.good > 0 && state.bad == 0 && state.refused == 0 && missing.isEmpty }

        /// A summary such as `120 records: 118 good, 2 bad; 3 redeliveries`.
        var sentence: String {
            var text = "\(state.total) \(state.total == 1 ? "record" : "records"): \(state.good) good, \(state.bad) bad"
            if state.again > 0 { text += "; \(state.again) \(state.again == 1 ? "redelivery" : "redeliveries")" }
            if state.refused > 0 { text += "; \(batches(state.refused)) refused" }
            if state.dropped > 0 { text += "; \(batches(state.dropped)) dropped on purpose" }
            if let ahead = state.clockAhead {
                text += "; the device's clock is \(abs(ahead)) s \(ahead > 0 ? "ahead" : "behind")"
            }
            return text
        }

        private func batches(_ count: Int) -> String { "\(count) \(count == 1 ? "batch" : "batches")" }

        /// A reason why the checks fail, and the place in the definitions.
        struct Problem: CustomStringConvertible {
            var text: String
            var place: String?

            var description: String { text + (place.map { " [\($0)]" } ?? "") }
        }

        var problems: [Problem] {
            var problems: [Problem] = []
            if state.good + state.bad == 0 {
                let found = state.again > 0 ? "only redeliveries of an earlier run arrived" : "no record arrived"
                problems.append(Problem(text: "\(found): nothing has been checked"))
            }
            for (status, count) in state.refusals.sorted(by: { $0.key < $1.key }) {
                problems.append(
                    Problem(text: "\(batches(count)) refused with \(status), whose records have not been checked"))
            }
            for wanted in missing {
                let bad = state.seen[wanted.fullName]?.bad ?? 0
                let reason = bad > 0 ? "has only bad records: \(bad)" : "did not occur"
                problems.append(Problem(text: "\(wanted.fullName) \(reason)", place: wanted.place))
            }
            for (name, breaches) in outcome.breaches.sorted(by: { $0.key < $1.key }) {
                for (_, breach) in breaches.sorted(by: { $0.key < $1.key }) {
                    let times = breach.count == 1 ? "" : " (\(breach.count) times)"
                    problems.append(
                        Problem(text: "\(name): \(breach.example.text)\(times)", place: breach.example.place))
                }
            }
            return problems
        }

        var markdown: String {
            var text = "### Log records\n\n\(passes ? "✅" : "❌") \(sentence).\n"
            let problems = problems
            if !problems.isEmpty { text += "\n| problem | defined at |\n| --- | --- |\n" }
            for problem in problems {
                text += "| \(MarkdownEscape.line(problem.text)) | \(MarkdownEscape.line(problem.place ?? "")) |\n"
            }
            if !wanted.isEmpty {
                text += "\n\(wanted.count - missing.count) of \(wanted.count) events of the checklist were seen.\n"
            }
            if !state.unknown.isEmpty {
                text +=
                    "\nEvents without a definition: "
                    + "\(state.unknown.keys.sorted().map(MarkdownEscape.line).joined(separator: ", ")).\n"
            }
            return text
        }
    }
#endif
