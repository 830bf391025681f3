package import JSONSyntax
import LogProject

/// The readers and the call sites of an event or a column, as text and as JSON.
package struct ImpactReport {
    let impact: Impact
    let consumers: [Consumer]
    private let unreadable: [UnreadableConsumer]

    package init(_ impact: Impact, _ consumers: [Consumer], unreadable: [UnreadableConsumer]) {
        (self.impact, self.consumers, self.unreadable) = (impact, consumers, unreadable)
    }

    private var subject: String {
        impact.subject.column.map { "\(impact.subject.event).\($0)" } ?? impact.subject.event
    }

    // MARK: Text

    package func text() -> String {
        var lines = [summary]
        lines += impact.readers.flatMap(lines(of:))
        lines += callLines + coverageLines
        let owners = self.owners
        if !owners.isEmpty {
            lines.append("owners: " + owners.map { "\($0.name) (\($0.count))" }.joined(separator: ", "))
        }
        lines += unreadable.map(\.reportLine)
        return lines.joined(separator: "\n") + "\n"
    }

    private var summary: String {
        var parts = impact.readers.isEmpty ? [] : [impact.counts]
        if parts.isEmpty, !impact.calls.isEmpty { parts.append("no readers") }
        parts += callCounts
        return "\(subject): " + (parts.isEmpty ? "no readers" : parts.joined(separator: ", "))
    }

    private func lines(of reader: Impact.Reader) -> [String] {
        let consumer = consumers[reader.consumer]
        let name = "\(consumer.kind.rawValue) \(Self.shown(consumer.name))"
        let owner = consumer.owner.map { " (owner: \(Self.shown($0.description)))" } ?? ""
        guard !reader.reads.isEmpty else {
            let through = reader.through.map { Self.shown(consumers[$0].name) }.joined(separator: ", ")
            return ["  \(Self.shown(consumer.file)): \(name) reads \(through)\(owner)"]
        }
        return reader.reads.enumerated().map { number, read in
            let place = "\(Self.shown(consumer.file)):\(read.place.line):\(read.place.column)"
            return "  \(place): \(name) \(Self.sentence(read))\(number == 0 ? owner : "")"
        }
    }

    private static func sentence(_ read: Impact.Read) -> String {
        let object =
            ((read.column ?? read.table).map { "`\(shown($0))`" } ?? "a table")
            + (read.formerName.map { " (of `\($0)` formerly)" } ?? "")
        return read.certainty.doubt.map { "may read \(object): \($0)" } ?? "reads \(object)"
    }

    /// The owners of readers with their numbers of readers, the most affected first.
    private var owners: [(name: String, count: Int)] {
        var counts: [String: Int] = [:]
        for reader in impact.readers {
            if let owner = consumers[reader.consumer].owner { counts[Self.shown(owner.description), default: 0] += 1 }
        }
        return counts.map { (name: $0.key, count: $0.value) }
            .sorted { ($1.count, $0.name) < ($0.count, $1.name) }
    }

    /// Returns a name as one line. Other people's files may contain characters with an effect on terminals.
    static func shown(_ text: String) -> String { ShownText.line(text) }

    // MARK: JSON

    package func json() -> [UInt8] {
        var json = JSONWriter()
        json.object { json in
            json.member("event", impact.subject.event)
            json.member("column", impact.subject.column)
            json.array("readers", of: impact.readers) { write($0, to: &$1) }
            json.array("calls", of: impact.calls, inline: true) { $0.write(in: consumers[$0.consumer].file, to: &$1) }
            if !impact.coverage.isEmpty {
                json.array("coverage", of: impact.coverage, inline: true) { write($0, to: &$1) }
            }
            json.array("unread", of: unreadable, inline: true) { $0.write(to: &$1) }
        }
        return json.document()
    }

    private func write(_ reader: Impact.Reader, to json: inout JSONWriter) {
        consumers[reader.consumer].write(to: &json)
        json.member("certain", reader.isCertain)
        json.array("reads", of: reader.reads, inline: true) { $0.write(to: &$1) }
        json.array("through", of: reader.through.map { consumers[$0].name }, inline: true)
    }
}

extension Impact {
    /// The numbers of readers: `1 reader, 2 through others`.
    var counts: String {
        let certain = readers.count { $0.isCertain }
        let possible = readers.count { !$0.isCertain && !$0.reads.isEmpty }
        let indirect = readers.count - certain - possible
        return [
            certain > 0 ? counted(certain, "reader") : nil, possible > 0 ? counted(possible, "possible reader") : nil,
            indirect > 0 ? counted(indirect, "through another", "through others") : nil,
        ].compactMap { $0 }.joined(separator: ", ")
    }
}

extension Impact.Read {
    package func write(to json: inout JSONWriter) {
        json.member("line", place.line)
        json.member("column", place.column)
        json.member("table", table)
        json.member("field", column)
        if let formerName { json.member("formerly", formerName) }
        if let doubt = certainty.doubt { json.member("may", doubt) }
    }
}

extension Consumer {
    /// Writes the members that identify a consumer.
    package func write(to json: inout JSONWriter) {
        json.member("kind", kind.rawValue)
        json.member("name", name)
        json.member("file", file)
        if let owner {
            json.object("owner", inline: true) { json in
                json.member("name", owner.name)
                json.member("email", owner.email)
            }
        }
        if let url { json.member("url", url) }
    }
}

extension UnreadableConsumer {
    /// The line of a report. Characters with an effect on terminals are escaped, because names come from any file.
    var reportLine: String {
        let place = line.map { "\(file):\($0)" } ?? file
        return "not read: \(ShownText.line(place)): \(ShownText.line(message))"
    }

    package func write(to json: inout JSONWriter) {
        json.member("file", file)
        if let line { json.member("line", line) }
        json.member("message", message)
    }
}
