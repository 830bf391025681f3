import JSONSyntax
import LogDefinitions
import LogImpact
import LogOutputs

/// The part of a report about the consumers of the changed events.
extension ReviewReport {
    private static let shownPlaces = 3
    private static let shownFollowers = 20

    /// The numbers of consumers by verdict: `2 break, 1 may shift`; empty if no consumer is affected.
    func consumerCounts(_ effects: ConsumerEffects) -> String {
        let parts: [String] = ConsumerEffects.Verdict.allCases.compactMap { verdict in
            let count = effects.count(verdict)
            guard count > 0 else { return nil }
            switch verdict {
            case .breaks: return count == 1 ? "1 breaks" : "\(count) break"
            case .shifts: return count == 1 ? "1 shifts" : "\(count) shift"
            case .mayBreak, .mayShift: return "\(count) \(verdict.rawValue)"
            }
        }
        return parts.joined(separator: ", ")
    }

    /// Sentences about the consumers that a change affects: first those with own reads, each with its followers.
    func consumerLines(_ impact: ChangeImpact, _ effects: ConsumerEffects) -> [Sentence] {
        var lines = effects.branches(of: impact).map { reader, followers in
            let verdict = ConsumerEffects.Verdict(reader)
            let name = nameAndOwner(reader.consumer, effects)
            var line: Sentence = "\(words: verdict.rawValue) \(name): \(places(reader, effects))"
            for (index, follower) in followers.prefix(Self.shownFollowers).enumerated() {
                let other = ConsumerEffects.Verdict(follower)
                let words = (index == 0 ? " → " : ", ") + (other == verdict ? "" : other.rawValue + " ")
                line = line + "\(words: words)\(nameAndOwner(follower.consumer, effects))"
            }
            let rest = followers.count - Self.shownFollowers
            return rest > 0 ? line + " and \(words: "\(rest)") more" : line
        }
        lines += callLine(impact, effects).map { [$0] } ?? []
        let count = impact.unaffected.count
        if count > 0 {
            let rest = impact.readers.isEmpty ? "" : "other "
            let names = impact.unaffected.prefix(Self.shownFollowers).enumerated().reduce(into: Sentence("")) {
                $0 = $0 + "\(words: $1.offset == 0 ? "" : ", ")\(name(of: $1.element, effects))"
            }
            let more = count > Self.shownFollowers ? " and \(count - Self.shownFollowers) more" : ""
            lines.append("unaffected \(words: rest)\(words: count == 1 ? "reader" : "readers"): \(names)\(words: more)")
        }
        return lines
    }

    /// The sentence about calls in app code that break; nil without such a call.
    private func callLine(_ impact: ChangeImpact, _ effects: ConsumerEffects) -> Sentence? {
        guard !impact.calls.isEmpty else { return nil }
        var line: Sentence = "\(words: callCounts(impact.calls)): "
        for (index, call) in impact.calls.prefix(Self.shownFollowers).enumerated() {
            let column = call.site.column.map { ":\($0)" } ?? ""
            let place = "\(effects.consumers[call.consumer].file):\(call.site.line)\(column)"
            line = line + "\(words: index == 0 ? "" : ", ")\(code: place)"
            if let tap = call.site.tap { line = line + " (tap on \(code: tap))" }
            if let doubt = call.doubt { line = line + " (perhaps: \(Sentence(marked: doubt.rawValue)))" }
        }
        let rest = impact.calls.count - Self.shownFollowers
        return rest > 0 ? line + " and \(words: "\(rest)") more" : line
    }

    /// The numbers of calls: `breaks 2 calls, may break 1 call`.
    func callCounts(_ calls: [Impact.Call]) -> String {
        let possible = calls.count { $0.doubt != nil }
        return [("breaks", calls.count - possible), ("may break", possible)].filter { $0.1 > 0 }
            .map { "\($0.0) \($0.1 == 1 ? "1 call" : "\($0.1) calls")" }.joined(separator: ", ")
    }

    /// The kind and name of a consumer.
    func name(of number: Int, _ effects: ConsumerEffects) -> Sentence {
        let consumer = effects.consumers[number]
        return "\(words: consumer.kind.rawValue) \(code: consumer.name)"
    }

    private func nameAndOwner(_ number: Int, _ effects: ConsumerEffects) -> Sentence {
        let owner: Sentence = effects.consumers[number].owner.map { " (owner: \(code: $0.description))" } ?? ""
        return name(of: number, effects) + owner
    }

    private func places(_ reader: ChangeImpact.Reader, _ effects: ConsumerEffects) -> Sentence {
        let file = effects.consumers[reader.consumer].file
        var line: Sentence = ""
        for (index, read) in reader.reads.prefix(Self.shownPlaces).enumerated() {
            let place = "\(file):\(read.place.line):\(read.place.column)"
            line = line + "\(words: index == 0 ? "" : ", ")\(code: place) \(predicate(read))"
        }
        let rest = reader.reads.count - Self.shownPlaces
        return rest > 0 ? line + " and in \(words: rest == 1 ? "1 more place" : "\(rest) more places")" : line
    }

    private func predicate(_ read: Impact.Read) -> Sentence {
        let object: Sentence = (read.column ?? read.table).map { "\(code: $0)" } ?? "a table"
        switch read.certainty {
        case .reads: return "reads \(object)"
        case .mayRead(let reason): return "may read \(object) (\(Sentence(marked: reason.rawValue)))"
        }
    }

    /// Remarks about consumers that cannot be read.
    var unreadableConsumers: [String] {
        guard let files = consumers?.unreadable, !files.isEmpty else { return [] }
        // A note quotes with backticks, which names of files may contain.
        func shown(_ text: String) -> String { Sentence.shown(text).split(separator: "`").joined(separator: "'") }
        let shown = files.prefix(5).map { file in
            "`\(shown(file.file))\(file.line.map { ":\($0)" } ?? "")` is not read: "
                + TextLanguage.line(String(file.message.prefix(500)))
        }
        return shown + (files.count > 5 ? ["\(files.count - 5) more consumers are not read"] : [])
    }

    // MARK: JSON

    func writeConsumers(_ json: inout JSONWriter) {
        guard let consumers else { return }
        json.array("consumers") { json in
            for reader in consumers.total.readers { json.object { write(reader, consumers, &$0) } }
        }
        writeCalls(consumers.total.calls, consumers, &json)
        json.array("unaffected") { json in
            for number in consumers.total.unaffected { json.object(inline: true) { write(number, consumers, &$0) } }
        }
        json.array("askOwners", inline: true) { json in
            for owner in ownersToAsk { json.value(owner.description) }
        }
        json.array("missingOwners", inline: true) { json in
            for owner in missingOwners { json.value(owner.description) }
        }
        json.array("unread") { json in
            for file in consumers.unreadable { json.object(inline: true) { file.write(to: &$0) } }
        }
    }

    private func write(_ reader: ChangeImpact.Reader, _ effects: ConsumerEffects, _ json: inout JSONWriter) {
        write(reader.consumer, effects, &json)
        json.member("effect", reader.effect == .breaks ? "breaks" : "shifts")
        json.member("certain", reader.isCertain)
        json.array("reads") { json in
            for read in reader.reads {
                json.object(inline: true) { json in
                    json.member("line", read.place.line)
                    json.member("column", read.place.column)
                    json.member("table", orNull: read.table)
                    json.member("field", orNull: read.column)
                    if case .mayRead(let reason) = read.certainty { json.member("may", reason.rawValue) }
                }
            }
        }
        json.array("through", inline: true) { json in
            for other in reader.through { json.value(effects.consumers[other].name) }
        }
    }

    private func writeCalls(_ calls: [Impact.Call], _ effects: ConsumerEffects, _ json: inout JSONWriter) {
        json.array("calls") { json in
            for call in calls {
                json.object(inline: true) { json in
                    json.member("file", effects.consumers[call.consumer].file)
                    json.member("line", call.site.line)
                    if let column = call.site.column { json.member("column", column) }
                    if let tap = call.site.tap { json.member("tap", tap) }
                    json.member("certain", call.doubt == nil)
                    if let doubt = call.doubt { json.member("may", doubt.rawValue) }
                }
            }
        }
    }

    private func write(_ number: Int, _ effects: ConsumerEffects, _ json: inout JSONWriter) {
        let consumer = effects.consumers[number]
        json.member("kind", consumer.kind.rawValue)
        json.member("name", consumer.name)
        json.member("file", consumer.file)
        json.member("owner", orNull: consumer.owner?.description)
        if let url = consumer.url { json.member("url", url) }
    }

    /// Writes the affected consumers of one change, which `consumers` of the report describes.
    func write(_ impact: ChangeImpact?, _ json: inout JSONWriter) {
        guard let consumers, let impact else { return }
        json.array("consumers") { json in
            for reader in impact.readers {
                json.object(inline: true) { json in
                    json.member("name", consumers.consumers[reader.consumer].name)
                    json.member("file", consumers.consumers[reader.consumer].file)
                    json.member("effect", reader.effect == .breaks ? "breaks" : "shifts")
                    json.member("certain", reader.isCertain)
                }
            }
        }
        writeCalls(impact.calls, consumers, &json)
    }
}
