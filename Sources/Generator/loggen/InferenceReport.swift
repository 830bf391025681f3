import CommandOptions
import JSONSyntax
import LogDefinitions
import LogInference
import LogProject
import LogReporting

/// The findings of `infer` in the formats of the other commands' diagnostics.
struct InferenceReport {
    let findings: [Finding]

    func show(_ format: DiagnosticFormat, on terminal: Terminal) throws(FileError) {
        switch format {
        case .text: terminal.error(styled: findings.map { Self.text($0, usesColor: terminal.usesColor) }.joined())
        case .json: try terminal.out(findings.flatMap(Self.json))
        case .github: try terminal.out(Array(findings.map(Self.workflowCommand).joined().utf8))
        case .sarif: try terminal.out(sarif)
        }
    }

    private static func rule(_ kind: Finding.Kind) -> String {
        switch kind {
        case .warning: "not-carried-over"
        case .note: "decided"
        }
    }

    private static func text(_ finding: Finding, usesColor: Bool) -> String {
        func styled(_ text: String, _ style: String) -> String { usesColor ? "\u{1B}[\(style)m\(text)\u{1B}[0m" : text }
        let color = finding.kind == .warning ? "1;35" : "1;36"
        let place = finding.place.map { styled(ShownText.line("\($0)") + ": ", "1") } ?? ""
        let text =
            "\(place)\(styled(finding.kind.rawValue + ": ", color))\(styled(ShownText.line(finding.message), "1"))\n"
        guard let excerpt = finding.excerpt else { return text }
        let before = ShownText.line(excerpt.before)
        let caret =
            excerpt.hasCaret
            ? "    \(String(repeating: " ", count: DisplayWidth.of(before)))\(styled("^", color))\n" : ""
        return text + "    \(before)\(ShownText.line(excerpt.after))\n" + caret
    }

    private static func json(_ finding: Finding) -> [UInt8] {
        var writer = JSONWriter()
        writer.object(inline: true) { json in
            json.member("file", finding.place?.path)
            if let place = finding.place, place.line > 0 {
                json.member("line", place.line)
                if place.column > 0 { json.member("column", place.column) }
                if place.cell > 0 { json.member("cell", place.cell) }
            }
            json.member("severity", finding.kind.rawValue)
            json.member("rule", rule(finding.kind))
            json.member("message", finding.message)
        }
        return writer.document()
    }

    private static func workflowCommand(_ finding: Finding) -> String {
        let numbers = finding.place.map { [("line", $0.line), ("col", $0.column)] } ?? []
        return DiagnosticReports.command(
            finding.kind == .warning ? "warning" : "notice", file: finding.place?.path, numbers.filter { $0.1 > 0 },
            title: rule(finding.kind), ShownText.line(finding.message))
    }

    /// One SARIF 2.1.0 log (OASIS Standard, 27 March 2020).
    private var sarif: [UInt8] {
        DiagnosticReports.sarif { json in
            for kind in [Finding.Kind.warning, .note] { json.object(inline: true) { $0.member("id", Self.rule(kind)) } }
        } results: { json in
            for finding in findings { Self.writeResult(finding, to: &json) }
        }
    }

    private static func writeResult(_ finding: Finding, to json: inout JSONWriter) {
        json.object { json in
            json.member("ruleId", rule(finding.kind))
            json.member("level", finding.kind.rawValue)
            json.object("message") { $0.member("text", finding.message) }
            guard let place = finding.place else { return }
            json.array("locations") { json in
                json.object { json in
                    json.object("physicalLocation") { json in
                        json.object("artifactLocation") { $0.member("uri", DiagnosticReports.uri(place.path)) }
                        guard place.line > 0 else { return }
                        json.object("region") { json in
                            json.member("startLine", place.line)
                            if place.column > 0 { json.member("startColumn", place.column) }
                        }
                    }
                }
            }
        }
    }
}
