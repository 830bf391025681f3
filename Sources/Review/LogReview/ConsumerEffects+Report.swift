import JSONSyntax
import LogDefinitions
import LogImpact
import LogOutputs
import LogProject

/// The sentences and the JSON of a report about consumers.
extension ConsumerEffects {
    private static let shownPlaces = 3
    private static let shownFollowers = 20

    /// The numbers of consumers by verdict: `2 break, 1 may shift`; empty if no consumer is affected.
    var counts: String {
        let parts: [String] = Verdict.allCases.compactMap { verdict in
            let count = total.readers.count { Verdict($0) == verdict }
            guard count > 0 else { return nil }
            let isPlural = count > 1 && [.breaks, .shifts].contains(verdict)
            return "\(count) \(isPlural ? String(verdict.rawValue.dropLast()) : verdict.rawValue)"
        }
        return parts.joined(separator: ", ")
    }

    /// Sentences about the consumers that an item's changes affect: one for each consumer that reads a changed part
    /// itself, with the consumers that depend on it; then one for broken calls, and one for unaffected consumers.
    func lines(changesOf item: String) -> [String] {
        guard let impact = impacts[item] else { return [] }
        var lines = branches(of: impact).map { reader, followers in
            let verdict = Verdict(reader)
            let names = followers.map { follower in
                let other = Verdict(follower)
                return (other == verdict ? "" : other.rawValue + " ") + nameAndOwner(follower.consumer)
            }
            let arrow = followers.isEmpty ? "" : " → "
            return "\(verdict.rawValue) \(nameAndOwner(reader.consumer)): \(places(reader))\(arrow)"
                + names.listed(Self.shownFollowers)
        }
        if !impact.calls.isEmpty {
            lines.append(
                "\(Self.callCounts(impact.calls)): " + impact.calls.lazy.map(place).listed(Self.shownFollowers))
        }
        let count = impact.unaffected.count
        if count > 0 {
            let readers = (impact.readers.isEmpty ? "" : "other ") + (count == 1 ? "reader" : "readers")
            lines.append("unaffected \(readers): " + impact.unaffected.lazy.map(name).listed(Self.shownFollowers))
        }
        return lines
    }

    private func place(of call: Impact.Call) -> String {
        let column = call.site.column.map { ":\($0)" } ?? ""
        return "\(consumers[call.consumer].file):\(call.site.line)\(column)".asCode
            + (call.site.tap.map { " (tap on \($0.asCode))" } ?? "")
            + (call.doubt.map { " (perhaps: \($0.rawValue))" } ?? "")
    }

    /// The numbers of calls: `breaks 2 calls, may break 1 call`.
    static func callCounts(_ calls: [Impact.Call]) -> String {
        let possible = calls.count { $0.doubt != nil }
        return [("breaks", calls.count - possible), ("may break", possible)].filter { $0.1 > 0 }
            .map { "\($0.0) \(counted($0.1, "call"))" }.joined(separator: ", ")
    }

    /// The kind and name of a consumer.
    func name(of number: Int) -> String {
        "\(consumers[number].kind.rawValue) \(consumers[number].name.asCode)"
    }

    private func nameAndOwner(_ number: Int) -> String {
        name(of: number) + (consumers[number].owner.map { " (owner: \($0.description.asCode))" } ?? "")
    }

    private func places(_ reader: ChangeImpact.Reader) -> String {
        let file = consumers[reader.consumer].file
        let places = reader.reads.prefix(Self.shownPlaces).map { read in
            "\(file):\(read.place.line):\(read.place.column)".asCode + " \(predicate(read))"
        }
        let rest = reader.reads.count - places.count
        let more = rest > 0 ? " and in \(counted(rest, "more place"))" : ""
        return places.joined(separator: ", ") + more
    }

    private func predicate(_ read: Impact.Read) -> String {
        let name = read.column ?? read.table
        let heir = name.flatMap { heirs[$0.lowercased()] }.map { " (now \($0.asCode))" } ?? ""
        let object = (name?.asCode ?? "a table") + heir
        return read.certainty.doubt.map { "may read \(object) (\($0))" } ?? "reads \(object)"
    }

    /// Remarks about consumers that cannot be read.
    var remarks: [String] {
        let shown = unreadable.prefix(5).map { file in
            let message = TextLanguage.line(String(file.message.prefix(500)))
            return (file.file + (file.line.map { ":\($0)" } ?? "")).asCode + " is not read: \(message)"
        }
        return shown + (unreadable.count > 5 ? ["\(unreadable.count - 5) more consumers are not read"] : [])
    }

    // MARK: JSON

    /// Writes the effects of all changes.
    func write(to json: inout JSONWriter) {
        json.array("consumers", of: total.readers) { reader, json in
            consumers[reader.consumer].write(to: &json)
            writeVerdict(reader, to: &json)
            json.array("reads", of: reader.reads, inline: true) { $0.write(to: &$1) }
            json.array("through", of: reader.through.map { consumers[$0].name }, inline: true)
        }
        writeCalls(total.calls, to: &json)
        json.array("unaffected", of: total.unaffected, inline: true) { consumers[$0].write(to: &$1) }
        json.array("unread", of: unreadable, inline: true) { $0.write(to: &$1) }
    }

    private func writeVerdict(_ reader: ChangeImpact.Reader, to json: inout JSONWriter) {
        json.member("effect", reader.effect == .breaks ? "breaks" : "shifts")
        json.member("certain", reader.isCertain)
    }

    private func writeCalls(_ calls: [Impact.Call], to json: inout JSONWriter) {
        json.array("calls", of: calls, inline: true) { $0.write(in: consumers[$0.consumer].file, to: &$1) }
    }

    /// Writes the affected consumers of an item's changes. `write(to:)` describes them.
    func write(changesOf name: String, to json: inout JSONWriter) {
        guard let impact = impacts[name] else { return }
        json.array("consumers", of: impact.readers, inline: true) { reader, json in
            json.member("name", consumers[reader.consumer].name)
            json.member("file", consumers[reader.consumer].file)
            writeVerdict(reader, to: &json)
        }
        writeCalls(impact.calls, to: &json)
    }
}

extension Collection<String> {
    /// The first strings with commas between them, and the number of the others.
    func listed(_ most: Int) -> String {
        prefix(most).joined(separator: ", ") + (count > most ? " and \(count - most) more" : "")
    }
}
