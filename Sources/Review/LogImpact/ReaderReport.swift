import JSONSyntax

/// The readers of all events, as text and as JSON.
package struct ReaderReport {
    private let graph: ConsumerGraph
    /// The events (`category.event`), in the order of the report.
    private let events: [String]
    private let unreadable: [UnreadableConsumer]

    package init(_ graph: ConsumerGraph, of events: [String], unreadable: [UnreadableConsumer]) {
        (self.graph, self.events, self.unreadable) = (graph, events, unreadable)
    }

    /// Returns a line per event, and the events without readers.
    package func text() -> String {
        var lines: [String] = []
        var unread: [String] = []
        for event in events {
            let impact = graph.impact(on: Impact.Subject(event: event))
            if impact.readers.isEmpty { unread.append(event) } else { lines.append("\(event): \(impact.counts)") }
        }
        if !unread.isEmpty { lines.append("no readers: " + unread.joined(separator: ", ")) }
        return (lines + unreadable.map(\.reportLine)).joined(separator: "\n") + "\n"
    }

    package func json() -> [UInt8] {
        var json = JSONWriter()
        json.object { json in
            json.array("events", of: events) { event, json in
                json.member("event", event)
                let readers = graph.impact(on: Impact.Subject(event: event)).readers
                json.array("readers", of: readers, inline: true) { write($0, of: event, to: &$1) }
            }
            json.array("unread", of: unreadable, inline: true) { $0.write(to: &$1) }
        }
        return json.document()
    }

    private func write(_ reader: Impact.Reader, of event: String, to json: inout JSONWriter) {
        graph.consumers[reader.consumer].write(to: &json)
        json.member("certain", reader.isCertain)
        json.array("columns", of: graph.columns(of: event, readBy: reader.consumer)) { column, json in
            json.member("column", column.name)
            json.member("certain", column.isCertain)
        }
        json.array("through", of: reader.through.map { graph.consumers[$0].name })
    }
}
