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
            json.array("events") { json in
                for event in events {
                    json.object { json in
                        json.member("event", event)
                        json.array("readers") { json in
                            for reader in graph.impact(on: Impact.Subject(event: event)).readers {
                                json.object(inline: true) { write(reader, of: event, to: &$0) }
                            }
                        }
                    }
                }
            }
            json.array("unread") { json in
                for file in unreadable { json.object(inline: true) { file.write(to: &$0) } }
            }
        }
        return json.document()
    }

    private func write(_ reader: Impact.Reader, of event: String, to json: inout JSONWriter) {
        graph.consumers[reader.consumer].write(to: &json)
        json.member("certain", reader.isCertain)
        json.array("columns") { json in
            for (column, isCertain) in graph.columns(of: event, readBy: reader.consumer) {
                json.object { json in
                    json.member("column", orNull: column)
                    json.member("certain", isCertain)
                }
            }
        }
        json.array("through") { json in for other in reader.through { json.value(graph.consumers[other].name) } }
    }
}
