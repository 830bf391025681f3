import JSONSyntax
import LogDefinitions
import LogInference
import LogProject
import LogReporting
import MarkdownSyntax

/// The calls, definitions and changes of an adoption, as text or JSON.
struct AdoptionReport {
    let adoption: Adoption
    /// The folder of the definition files in messages; empty without one.
    let output: String

    /// The changes of all files as one unified diff.
    var diff: String {
        adoption.edits.sorted { $0.key < $1.key }.map { number, edits in
            let file = adoption.sources.files[number]
            let diff = UnifiedDiff(from: file.source.withMark, to: SourceEdit.apply(edits, to: file.source))
            return String(decoding: diff.text(from: "a/\(file.path)", to: "b/\(file.path)"), as: UTF8.self)
        }.joined()
    }

    var summary: String {
        let calls = adoption.calls
        let rewritten = calls.filter { $0.replacement != nil }.count
        return "\(counted(calls.count, "call")) of \(counted(adoption.inference.events, "event")), "
            + "\(rewritten) of them can be rewritten"
    }

    private func shown(_ place: SourcePlace) -> String { ShownText.line("\(place)") }

    private func placeOfProblem(_ problem: (reason: String, offset: Int), _ call: Adoption.Call) -> SourcePlace {
        adoption.place(call.call.file, problem.offset)
    }

    func text() -> String {
        var text = ""
        var events: [String] = []
        for call in adoption.calls { if let event = call.event, !events.contains(event) { events.append(event) } }
        for event in events {
            text += event + "\n"
            for (index, call) in adoption.calls.enumerated() where call.event == event {
                text += "  \(shown(adoption.place(index)))\(call.replacement == nil ? " (not rewritten)" : "")\n"
            }
        }
        let undecided = adoption.undecided
        if !undecided.isEmpty { text += "\n\(counted(undecided.count, "call")) not rewritten:\n" }
        for call in undecided {
            guard let problem = call.problem else { continue }
            text += "  \(shown(placeOfProblem(problem, call))): \(ShownText.line(problem.reason))\n"
        }
        if !adoption.inference.findings.isEmpty { text += "\nDefinitions:\n" }
        for finding in adoption.inference.findings {
            let place = finding.place.map { shown($0) + ": " } ?? ""
            text += "  \(place)\(finding.kind.rawValue): \(ShownText.line(finding.message))\n"
        }
        for document in adoption.inference.documents where output.isEmpty {
            text += "\n=== \(document.path)\n\(document.text)"
        }
        let diff = diff
        return text + (diff.isEmpty ? "" : "\n" + diff)
    }

    func json() -> [UInt8] {
        var writer = JSONWriter()
        writer.object { writer in
            writer.array("calls") { writer in
                for (index, call) in adoption.calls.enumerated() { write(call, adoption.place(index), to: &writer) }
            }
            writer.array("findings") { writer in
                for finding in adoption.inference.findings {
                    writer.object(inline: true) { writer in
                        writer.member("severity", finding.kind.rawValue)
                        writer.member("message", finding.message)
                        if let place = finding.place { write(place, to: &writer) }
                    }
                }
            }
            writer.array("documents") { writer in
                for document in adoption.inference.documents {
                    writer.object { writer in
                        writer.member("path", document.path)
                        writer.member("text", document.text)
                    }
                }
            }
            writer.member("diff", diff)
        }
        return writer.document()
    }

    private func write(_ call: Adoption.Call, _ place: SourcePlace, to writer: inout JSONWriter) {
        writer.object { writer in
            write(place, to: &writer)
            writer.member("function", call.call.callee)
            writer.member("name", call.call.name)
            writer.member("event", call.event)
            writer.array("columns") { writer in
                for column in call.call.columns {
                    writer.object(inline: true) { writer in
                        writer.member("key", column.key)
                        writer.member("type", column.type.map { "\($0)" })
                        writer.member("optional", column.isNil)
                        let source = adoption.sources.files[call.call.file].source
                        writer.member("value", source.string(column.valueRange))
                    }
                }
            }
            writer.member("replacement", call.replacement)
            guard call.replacement == nil, let problem = call.problem else { return }
            writer.object("problem", inline: true) { writer in
                writer.member("reason", problem.reason)
                let place = self.placeOfProblem(problem, call)
                writer.member("line", place.line)
                writer.member("column", place.column)
            }
        }
    }

    private func write(_ place: SourcePlace, to writer: inout JSONWriter) {
        writer.member("file", place.path)
        writer.member("line", place.line)
        writer.member("column", place.column)
    }
}
