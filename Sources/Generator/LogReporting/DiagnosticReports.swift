package import JSONSyntax
package import LogDefinitions
import MarkdownSyntax

/// Formats diagnostics for programs: JSON lines, GitHub workflow commands, SARIF 2.1.0.
package struct DiagnosticReports: Sendable {
    private let files: [SourceFile]

    package init(files: [SourceFile]) {
        self.files = files
    }

    /// A region of a file. Lines and columns count from 1, columns in Unicode scalars. The end column is exclusive.
    private struct Region {
        var file: String
        var line: Int
        var column: Int
        var endColumn: Int
    }

    private func region(_ place: Place) -> Region {
        let file = files[place.file]
        let (line, column) = file.source.position(at: place.range.lowerBound)
        let lineEnd = file.source.lineRange(line - 1).upperBound
        let end = max(place.range.lowerBound, min(place.range.upperBound, lineEnd))
        let endColumn = file.source.position(at: end)
        return Region(
            file: file.path, line: line, column: column, endColumn: endColumn.line == line ? endColumn.column : column)
    }

    /// Returns one object per line: `file, line, column, endColumn, severity, rule, message, notes`.
    package func json(_ diagnostics: [Diagnostic]) -> [UInt8] {
        var lines: [UInt8] = []
        for diagnostic in diagnostics {
            let region = region(diagnostic.place)
            var writer = JSONWriter()
            writer.object(inline: true) { writer in
                writer.member("file", region.file)
                writer.member("line", region.line)
                writer.member("column", region.column)
                writer.member("endColumn", region.endColumn)
                writer.member("severity", diagnostic.severity.rawValue)
                writer.member("rule", diagnostic.rule.name)
                writer.member("message", diagnostic.message)
                writer.array("notes", inline: true) { writer in
                    for note in diagnostic.notes {
                        writer.object(inline: true) { writer in
                            writer.member("kind", note.kind.rawValue)
                            writer.member("message", note.text)
                            guard let place = note.place else { return }
                            let region = self.region(place)
                            writer.member("file", region.file)
                            writer.member("line", region.line)
                            writer.member("column", region.column)
                        }
                    }
                }
            }
            lines += writer.document()
        }
        return lines
    }

    /// Returns workflow commands, which GitHub shows as annotations. The escapes of data and properties are from
    /// "Workflow commands for GitHub Actions".
    package func github(_ diagnostics: [Diagnostic]) -> [UInt8] {
        var text = ""
        for diagnostic in diagnostics {
            let region = region(diagnostic.place)
            let notes = diagnostic.notes.map { "\n\($0.kind.rawValue): \($0.text)" }.joined()
            text += Self.command(
                diagnostic.severity.rawValue, file: region.file,
                [("line", region.line), ("col", region.column), ("endColumn", region.endColumn)],
                title: diagnostic.rule.name, ShownText.lines(diagnostic.message + notes))
        }
        return Array(text.utf8)
    }

    /// Returns a workflow command.
    /// - Parameters:
    ///   - place: the numbers of the place in the file.
    ///   - message: the message, with visible control characters.
    package static func command(
        _ level: String, file: String?, _ place: [(String, Int)], title: String, _ message: String
    ) -> String {
        let properties =
            (file.map { ["file=\(property(ShownText.line($0)))"] } ?? []) + place.map { "\($0)=\($1)" }
            + ["title=\(property(title))"]
        return "::\(level) \(properties.joined(separator: ","))::\(data(message))\n"
    }

    /// Escapes the message of a workflow command.
    private static func data(_ text: String) -> String {
        var result = ""
        for scalar in ShownText.withoutCommands(text).unicodeScalars {
            switch scalar {
            case "%": result += "%25"
            case "\r": result += "%0D"
            case "\n": result += "%0A"
            default: result.unicodeScalars.append(scalar)
            }
        }
        return result
    }

    /// Escapes a property of a workflow command.
    private static func property(_ text: String) -> String {
        var result = ""
        for scalar in data(text).unicodeScalars {
            switch scalar {
            case ":": result += "%3A"
            case ",": result += "%2C"
            default: result.unicodeScalars.append(scalar)
            }
        }
        return result
    }

    /// Returns a SARIF 2.1.0 log (OASIS Standard, 27 March 2020).
    package func sarif(_ diagnostics: [Diagnostic]) -> [UInt8] {
        Self.sarif {
            for rule in Rule.all { self.write(rule, to: &$0) }
        } results: {
            for diagnostic in diagnostics { self.write(diagnostic, to: &$0) }
        }
    }

    /// Returns a SARIF log with the rules and results of a command.
    package static func sarif(rules: (inout JSONWriter) -> Void, results: (inout JSONWriter) -> Void) -> [UInt8] {
        var writer = JSONWriter()
        writer.object { writer in
            writer.member("$schema", "https://json.schemastore.org/sarif-2.1.0.json")
            writer.member("version", "2.1.0")
            writer.array("runs") { writer in
                writer.object { writer in
                    writer.object("tool") { writer in
                        writer.object("driver") { writer in
                            writer.member("name", "loggen")
                            writer.array("rules", rules)
                        }
                    }
                    writer.member("columnKind", "unicodeCodePoints")
                    writer.array("results", results)
                }
            }
        }
        return writer.document()
    }

    private func write(_ rule: Rule, to writer: inout JSONWriter) {
        writer.object { writer in
            writer.member("id", rule.name)
            writer.object("shortDescription") { $0.member("text", rule.summary) }
            writer.object("defaultConfiguration") { writer in
                if rule.defaultSeverity == nil { writer.member("enabled", false) }
                writer.member("level", (rule.defaultSeverity ?? .warning).rawValue)
            }
        }
    }

    private func write(_ diagnostic: Diagnostic, to writer: inout JSONWriter) {
        writer.object { writer in
            writer.member("ruleId", diagnostic.rule.name)
            writer.member("level", diagnostic.severity.rawValue)
            let help = diagnostic.notes.filter { $0.place == nil }.map { "\n\($0.kind.rawValue): \($0.text)" }.joined()
            writer.object("message") { $0.member("text", diagnostic.message + help) }
            writer.array("locations") { self.writeLocation(diagnostic.place, message: nil, to: &$0) }
            let related = diagnostic.notes.filter { $0.place != nil }
            guard !related.isEmpty else { return }
            writer.array("relatedLocations") { writer in
                for note in related {
                    if let place = note.place { self.writeLocation(place, message: note.text, to: &writer) }
                }
            }
        }
    }

    private func writeLocation(_ place: Place, message: String?, to writer: inout JSONWriter) {
        let region = region(place)
        writer.object { writer in
            writer.object("physicalLocation") { writer in
                writer.object("artifactLocation") { $0.member("uri", Self.uri(region.file)) }
                writer.object("region") { writer in
                    writer.member("startLine", region.line)
                    writer.member("startColumn", region.column)
                    writer.member("endColumn", region.endColumn)
                }
            }
            if let message { writer.object("message") { $0.member("text", message) } }
        }
    }

    /// Returns a path as a URI reference (RFC 3986).
    package static func uri(_ path: String) -> String {
        (path.hasPrefix("/") ? "file://" : "") + PercentEncoding.path(path)
    }
}
