import JSONSyntax
import LogDefinitions
import LogProject
import LogValidation

struct ValidationSummary {
    var counts: RecordCounts
    var rules: RecordRules
    var observations: RecordObservations
    var tallies: [(key: ViolationTally.Key, count: Int, example: Violation, path: String)]
    var hasCoverage: Bool
    var hasStatistics: Bool
    /// The requested events that are declared and did not occur.
    var unseen: [EventDescription]

    /// The counts as a sentence, such as `1,000 records: 990 valid, 10 bad (12 violations)`.
    var sentence: String {
        var parts = ["\(grouped(counts.valid)) valid"]
        if counts.bad > 0 {
            parts.append(
                "\(grouped(counts.bad)) bad (\(grouped(counts.violations)) "
                    + "\(counts.violations == 1 ? "violation" : "violations"))"
            )
        }
        if counts.declared > 0 {
            parts.append("\(grouped(counts.declared)) that list their own violations")
        }
        let twice =
            counts.withDuplicates == 0
            ? "" : "; \(grouped(counts.withDuplicates)) of them repeat a name, and its last value is used"
        let repeated = counts.repeated == 0 ? "" : "; \(grouped(counts.repeated)) with a repeated event_id"
        return
            "\(grouped(counts.records)) \(counts.records == 1 ? "record" : "records"): "
            + "\(parts.joined(separator: ", "))\(twice)\(repeated)"
    }

    /// One line for each requested event that did not occur.
    var unseenLines: [String] {
        unseen.map { event in "\(event.fullName) did not occur\(event.place.map { " [\($0)]" } ?? "")" }
    }

    private var eventNumbers: [Int] {
        rules.descriptions.indices.filter {
            rules.counting[$0] == $0 && (!rules.descriptions[$0].isRetired || observations.records[$0] > 0)
        }
    }

    private func slots(of event: Int) -> [Int] { rules.slots.indices.filter { rules.slots[$0].event == event } }

    var text: String {
        var text = ""
        for event in eventNumbers where hasCoverage || observations.records[event] > 0 {
            let description = rules.descriptions[event]
            let versions = appVersions(of: event).map { "\($0.version) (\(grouped($0.count)))" }.joined(separator: ", ")
            text +=
                "\(description.fullName): "
                + "\(times(observations.records[event]))\(validPart(of: event))\(versions.isEmpty ? "" : "; app versions \(versions)")\n"
            guard observations.records[event] > 0 else { continue }
            for slot in slots(of: event) { text += line(of: slot, event) }
        }
        return text
    }

    private func line(of slot: Int, _ event: Int) -> String {
        let column = observations.columns[slot]
        let valid = observations.validRecords[event]
        var text = "  \(rules.slots[slot].column): "
        if column.filled == 0 {
            text += valid == 0 ? "no valid record" : "always empty"
        } else {
            text += column.filled == valid ? "always filled" : "filled in \(percent(column.filled, of: valid))"
            if hasStatistics { text += ", " + values(of: slot) }
        }
        if hasCoverage {
            let missing = missingValues(of: slot)
            if !missing.isEmpty { text += "; never \(missing.joined(separator: ", "))" }
        }
        return ShownText.line(text) + "\n"
    }

    private func values(of slot: Int) -> String {
        let column = observations.columns[slot]
        let range = extremes(of: slot).map { $0 == $1 ? "always \($0)" : "from \($0) to \($1)" } ?? ""
        if let smallest = column.smallest, let largest = column.largest, smallest.text == largest.text { return range }
        let distinct =
            column.isBeyondCount ? "more than \(grouped(RecordObservations.mostDistinct))" : grouped(column.distinct)
        return "\(distinct) different\(range.isEmpty ? "" : ", \(range)")"
    }

    private func extremes(of slot: Int) -> (String, String)? {
        guard let smallest = observations.columns[slot].smallest, let largest = observations.columns[slot].largest
        else { return nil }
        return (String(decoding: smallest.text, as: UTF8.self), String(decoding: largest.text, as: UTF8.self))
    }

    private func missingValues(of slot: Int) -> [String] {
        rules.valueSlots.indices.filter {
            rules.valueSlots[$0].column == slot && rules.valueSlots[$0].isCurrent && observations.values[$0] == 0
        }
        .map { rules.valueSlots[$0].value }
    }

    private func appVersions(of event: Int) -> [(version: String, count: Int)] {
        guard hasCoverage else { return [] }
        return observations.appVersions[event].map { ($0.key.text, $0.value) }.sorted {
            $0.0.utf8.lexicographicallyPrecedes($1.0.utf8)
        }
    }

    private func times(_ count: Int) -> String {
        count == 0 ? "did not occur" : "\(grouped(count)) \(count == 1 ? "record" : "records")"
    }

    /// Returns `, 90 of them valid` if an event has invalid records, which statistics omit; otherwise nothing.
    private func validPart(of event: Int) -> String {
        let valid = observations.validRecords[event]
        return valid < observations.records[event] ? ", \(grouped(valid)) of them valid" : ""
    }

    private func percent(_ count: Int, of all: Int) -> String {
        guard all > 0 else { return "0%" }
        let tenths = count * 1000 / all
        return "\(tenths / 10).\(tenths % 10)%"
    }

    // MARK: Formats

    /// The Markdown format, for a pull request or a workflow summary.
    var markdown: String {
        var text = "### Log records\n\n\(sentence).\n"
        if !tallies.isEmpty {
            text +=
                "\n| event | column | rule | violations | first | for example |\n| --- | --- | --- | ---: | --- | "
                + "--- |\n"
            for tally in tallies {
                // Undeclared columns are counted together, because a record may have any number of them.
                let column = tally.key.column ?? tally.example.column.map { tally.count == 1 ? $0 : "\($0), for one" }
                let cells = [
                    tally.key.event ?? "", column ?? "", tally.key.rule.rawValue, grouped(tally.count),
                    "\(RecordInput.shown(tally.path)):\(tally.example.line)",
                    tally.example.message,
                ]
                text += "| " + cells.map(Self.tableCell).joined(separator: " | ") + " |\n"
            }
        }
        if !unseen.isEmpty {
            text += "\nThese events did not occur:\n\n" + unseen.map { "- \(Self.tableCell($0.fullName))\n" }.joined()
        }
        if hasCoverage || hasStatistics {
            text +=
                "\n| event | records | app versions | column | filled | values |\n| --- | ---: | --- | --- | ---: | "
                + "--- |\n"
            for event in eventNumbers where hasCoverage || observations.records[event] > 0 {
                let versions = appVersions(of: event).map { "\($0.version) (\(grouped($0.count)))" }.joined(
                    separator: ", ")
                let name = rules.descriptions[event].fullName
                text +=
                    "| \(Self.tableCell(name)) | \(grouped(observations.records[event]))\(validPart(of: event)) | "
                    + "\(Self.tableCell(versions)) | | | |\n"
                guard observations.validRecords[event] > 0 else { continue }
                for slot in slots(of: event) {
                    let missing = hasCoverage ? missingValues(of: slot) : []
                    var notes = hasStatistics && observations.columns[slot].filled > 0 ? [values(of: slot)] : []
                    if !missing.isEmpty { notes.append("never " + missing.joined(separator: ", ")) }
                    let filled = percent(observations.columns[slot].filled, of: observations.validRecords[event])
                    text +=
                        "| | | | \(Self.tableCell(rules.slots[slot].column)) | \(filled) | "
                        + "\(Self.tableCell(notes.joined(separator: "; "))) |\n"
                }
            }
        }
        return text
    }

    private static func tableCell(_ text: String) -> String {
        var result = ""
        for scalar in ShownText.line(text).unicodeScalars {
            if "\\`*_{}[]<>()#+-!|~&@:".unicodeScalars.contains(scalar), scalar != "-", scalar != ":", scalar != "(",
                scalar != ")"
            {
                result += "&#\(scalar.value);"
            } else {
                result.unicodeScalars.append(scalar)
            }
        }
        return result
    }

    /// The JSON format: one object on one line.
    var json: [UInt8] {
        var writer = JSONWriter()
        writer.object(inline: true) { json in
            json.member("kind", "summary")
            json.member("records", counts.records)
            json.member("valid", counts.valid)
            json.member("bad", counts.bad)
            json.member("declared", counts.declared)
            json.member("notJSON", counts.notJSON)
            json.member("withDuplicates", counts.withDuplicates)
            json.member("repeatedIDs", counts.repeated)
            json.member("violations", counts.violations)
            json.array("unseen", of: unseen.map(\.fullName), inline: true)
            guard hasCoverage || hasStatistics else { return }
            json.array("events", of: eventNumbers) { write($0, to: &$1) }
        }
        return writer.document()
    }

    private func write(_ event: Int, to json: inout JSONWriter) {
        json.member("event", rules.descriptions[event].fullName)
        json.member("records", observations.records[event])
        json.member("valid", observations.validRecords[event])
        if hasCoverage {
            json.object("appVersions", inline: true) { json in
                for (version, count) in appVersions(of: event) {
                    json.key(named: version)
                    json.value(count)
                }
            }
        }
        json.array("columns", inline: true) { json in
            for slot in slots(of: event) {
                json.object(inline: true) { json in
                    json.member("column", rules.slots[slot].column)
                    json.member("filled", observations.columns[slot].filled)
                    if hasStatistics {
                        let column = observations.columns[slot]
                        if column.isBeyondCount {
                            json.member("distinctMoreThan", RecordObservations.mostDistinct)
                        } else {
                            json.member("distinct", column.distinct)
                        }
                        json.member("smallest", extremes(of: slot)?.0)
                        json.member("largest", extremes(of: slot)?.1)
                    }
                    let values = rules.valueSlots.indices.filter { rules.valueSlots[$0].column == slot }
                    guard hasCoverage, !values.isEmpty else { return }
                    json.object("values", inline: true) { json in
                        for value in values {
                            json.key(named: rules.valueSlots[value].value)
                            json.value(observations.values[value])
                        }
                    }
                }
            }
        }
    }
}
