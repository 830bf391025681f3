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
        /// A Boolean value that indicates whether the checks pass. They fail if no record has arrived.
        var passes: Bool { state.total > 0 && state.bad == 0 && state.refused == 0 && missing.isEmpty }

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

        private var refusals: [String] {
            state.refusals.sorted { $0.key < $1.key }.map { status, count in
                "\(batches(count)) refused with \(status), whose records have not been checked"
            }
        }

        /// The reasons why the checks fail, one line each.
        var problems: [String] {
            var lines: [String] = []
            if state.total == 0 { lines.append("no record arrived: nothing has been checked") }
            lines += refusals
            lines += missing.map { wanted in
                let came = state.seen[wanted.fullName]?.bad ?? 0
                return "\(wanted.fullName) " + (came > 0 ? "has only bad records: \(came)" : "did not occur")
                    + (wanted.place.map { " [\($0)]" } ?? "")
            }
            for (name, event) in outcome.events.sorted(by: { $0.key < $1.key }) {
                for (_, breach) in event.broken.sorted(by: { $0.key < $1.key }) {
                    let example = breach.example
                    let times = breach.count == 1 ? "" : " (\(breach.count) times)"
                    let column = example.column.map { "\($0): " } ?? ""
                    lines.append(
                        "\(name): \(column)\(example.message)\(times)\(example.place.map { " [\($0)]" } ?? "")")
                }
            }
            return lines
        }

        var markdown: String {
            var text = "### Log records\n\n\(passes ? "✅" : "❌") \(sentence).\n"
            if state.total == 0 { text += "\nNo record arrived: nothing has been checked.\n" }
            for refusal in refusals { text += "\n\(refusal).\n" }
            if !missing.isEmpty {
                text += "\n| missing event | defined at |\n| --- | --- |\n"
                for wanted in missing {
                    text += "| \(MarkdownEscape.line(wanted.fullName)) | \(MarkdownEscape.line(wanted.place ?? "")) |\n"
                }
            }
            let bad = outcome.events.filter { $0.value.count.bad > 0 }.sorted { $0.key < $1.key }
            if !bad.isEmpty {
                text += "\n| event | column | problem | times | defined at |\n| --- | --- | --- | ---: | --- |\n"
                for (name, event) in bad {
                    for (_, breach) in event.broken.sorted(by: { $0.key < $1.key }) {
                        let example = breach.example
                        let cells = [
                            name, example.column ?? "", example.message, "\(breach.count)", example.place ?? "",
                        ]
                        text += "| \(cells.map(MarkdownEscape.line).joined(separator: " | ")) |\n"
                    }
                }
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
