import JSONSyntax
import LogDefinitions
import LogImpact
import LogOutputs

/// The sentences and the JSON of a report about consumers.
extension ConsumerEffects {
    private static let shownPlaces = 3
    private static let shownFollowers = 20

    /// The numbers of consumers by verdict: `2 break, 1 may shift`; empty if no consumer is affected.
    var counts: String {
        let parts: [String] = Verdict.allCases.compactMap { verdict in
            let count = total.readers.count { Verdict($0) == verdict }
            guard count > 0 else { return nil }
            switch verdict {
            case .breaks: return count == 1 ? "1 breaks" : "\(count) break"
            case .shifts: return count == 1 ? "1 shifts" : "\(count) shift"
            case .mayBreak, .mayShift: return "\(count) \(verdict.rawValue)"
            }
        }
        return parts.joined(separator: ", ")
    }

    /// Sentences about the consumers that a change affects: one for each consumer that reads a changed part itself,
    /// with the consumers that depend on it; then one for broken calls, and one for unaffected consumers.
    func lines(_ impact: ChangeImpact) -> [Sentence] {
        var lines = branches(of: impact).map { reader, followers in
            let verdict = Verdict(reader)
            let name = nameAndOwner(reader.consumer)
            var line: Sentence = "\(words: verdict.rawValue) \(name): \(places(reader))"
            for (index, follower) in followers.prefix(Self.shownFollowers).enumerated() {
                let other = Verdict(follower)
                let words = (index == 0 ? " → " : ", ") + (other == verdict ? "" : other.rawValue + " ")
                line = line + "\(words: words)\(nameAndOwner(follower.consumer))"
            }
            let rest = followers.count - Self.shownFollowers
            return rest > 0 ? line + " and \(words: "\(rest)") more" : line
        }
        lines += brokenCallLine(impact).map { [$0] } ?? []
        let count = impact.unaffected.count
        if count > 0 {
            let rest = impact.readers.isEmpty ? "" : "other "
            let names = Sentence.list(impact.unaffected.prefix(Self.shownFollowers).map(name))
            let more = count > Self.shownFollowers ? " and \(count - Self.shownFollowers) more" : ""
            lines.append("unaffected \(words: rest)\(words: count == 1 ? "reader" : "readers"): \(names)\(words: more)")
        }
        return lines
    }

    private func brokenCallLine(_ impact: ChangeImpact) -> Sentence? {
        guard !impact.calls.isEmpty else { return nil }
        var line: Sentence = "\(words: Self.callCounts(impact.calls)): "
        for (index, call) in impact.calls.prefix(Self.shownFollowers).enumerated() {
            let column = call.site.column.map { ":\($0)" } ?? ""
            let place = "\(consumers[call.consumer].file):\(call.site.line)\(column)"
            line = line + "\(words: index == 0 ? "" : ", ")\(code: place)"
            if let tap = call.site.tap { line = line + " (tap on \(code: tap))" }
            if let doubt = call.doubt { line = line + " (perhaps: \(Sentence(marked: doubt.rawValue)))" }
        }
        let rest = impact.calls.count - Self.shownFollowers
        return rest > 0 ? line + " and \(words: "\(rest)") more" : line
    }

    /// The numbers of calls: `breaks 2 calls, may break 1 call`.
    static func callCounts(_ calls: [Impact.Call]) -> String {
        let possible = calls.count { $0.doubt != nil }
        return [("breaks", calls.count - possible), ("may break", possible)].filter { $0.1 > 0 }
            .map { "\($0.0) \($0.1 == 1 ? "1 call" : "\($0.1) calls")" }.joined(separator: ", ")
    }

    /// The kind and name of a consumer.
    func name(of number: Int) -> Sentence {
        let consumer = consumers[number]
        return "\(words: consumer.kind.rawValue) \(code: consumer.name)"
    }

    private func nameAndOwner(_ number: Int) -> Sentence {
        let owner: Sentence = consumers[number].owner.map { " (owner: \(code: $0.description))" } ?? ""
        return name(of: number) + owner
    }

    private func places(_ reader: ChangeImpact.Reader) -> Sentence {
        let file = consumers[reader.consumer].file
        var line: Sentence = ""
        for (index, read) in reader.reads.prefix(Self.shownPlaces).enumerated() {
            let place = "\(file):\(read.place.line):\(read.place.column)"
            line = line + "\(words: index == 0 ? "" : ", ")\(code: place) \(predicate(read))"
        }
        let rest = reader.reads.count - Self.shownPlaces
        return rest > 0 ? line + " and in \(words: rest == 1 ? "1 more place" : "\(rest) more places")" : line
    }

    private func predicate(_ read: Impact.Read) -> Sentence {
        let name = read.column ?? read.table
        let heir: Sentence = name.flatMap { heirs[$0.lowercased()] }.map { " (now \(code: $0))" } ?? ""
        let object: Sentence = (name.map { "\(code: $0)" } ?? "a table") + heir
        switch read.certainty {
        case .reads: return "reads \(object)"
        case .mayRead(let reason): return "may read \(object) (\(Sentence(marked: reason.rawValue)))"
        }
    }

    /// Remarks about consumers that cannot be read.
    var remarks: [Sentence] {
        let shown: [Sentence] = unreadable.prefix(5).map { file in
            let message = Sentence(marked: TextLanguage.line(String(file.message.prefix(500))))
            return "\(code: file.file + (file.line.map { ":\($0)" } ?? "")) is not read: \(message)"
        }
        return shown + (unreadable.count > 5 ? ["\(words: "\(unreadable.count - 5)") more consumers are not read"] : [])
    }

    // MARK: JSON

    /// Writes the effects of all changes.
    func write(to json: inout JSONWriter) {
        json.array("consumers") { json in
            for reader in total.readers { json.object { write(reader, to: &$0) } }
        }
        writeCalls(total.calls, to: &json)
        json.array("unaffected") { json in
            for number in total.unaffected { json.object(inline: true) { consumers[number].write(to: &$0) } }
        }
        json.array("unread") { json in
            for file in unreadable { json.object(inline: true) { file.write(to: &$0) } }
        }
    }

    private func write(_ reader: ChangeImpact.Reader, to json: inout JSONWriter) {
        consumers[reader.consumer].write(to: &json)
        writeVerdict(reader, to: &json)
        json.array("reads") { json in
            for read in reader.reads { json.object(inline: true) { read.write(to: &$0) } }
        }
        json.array("through", inline: true) { json in
            for other in reader.through { json.value(consumers[other].name) }
        }
    }

    private func writeVerdict(_ reader: ChangeImpact.Reader, to json: inout JSONWriter) {
        json.member("effect", reader.effect == .breaks ? "breaks" : "shifts")
        json.member("certain", reader.isCertain)
    }

    private func writeCalls(_ calls: [Impact.Call], to json: inout JSONWriter) {
        json.array("calls") { json in
            for call in calls { json.object(inline: true) { call.write(in: consumers[call.consumer].file, to: &$0) } }
        }
    }

    /// Writes the affected consumers of one change. `write(to:)` describes them.
    func write(_ impact: ChangeImpact, to json: inout JSONWriter) {
        json.array("consumers") { json in
            for reader in impact.readers {
                json.object(inline: true) { json in
                    json.member("name", consumers[reader.consumer].name)
                    json.member("file", consumers[reader.consumer].file)
                    writeVerdict(reader, to: &json)
                }
            }
        }
        writeCalls(impact.calls, to: &json)
    }
}
