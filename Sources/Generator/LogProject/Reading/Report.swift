package import LogDefinitions
import LogReporting
import MarkdownSyntax

/// The output format of diagnostics.
package enum DiagnosticFormat: String, Sendable, CaseIterable {
    case text, json, github, sarif
}

/// Diagnostics and their files.
package struct Report {
    package private(set) var files: [SourceFile]
    package private(set) var diagnostics: [Diagnostic]

    package init(files: [SourceFile] = [], diagnostics: [Diagnostic] = []) {
        self.files = files
        self.diagnostics = diagnostics
    }

    package var errors: Int { diagnostics.count { $0.severity == .error } }
    package var warnings: Int { diagnostics.count { $0.severity == .warning } }

    /// Adds diagnostics. The file indices in their places refer to the files that are added with them.
    package mutating func add(files new: [SourceFile], diagnostics added: [Diagnostic]) {
        let offset = files.count
        files += new
        diagnostics += added.map { diagnostic in
            var moved = diagnostic
            moved.place.file += offset
            for index in moved.notes.indices { moved.notes[index].place?.file += offset }
            return moved
        }
    }

    /// Adds the report of another vocabulary.
    package mutating func add(_ other: Report) {
        add(files: other.files, diagnostics: other.diagnostics)
    }

    /// Prints all diagnostics: text to standard error, every other format to standard output.
    package func show(_ format: DiagnosticFormat, on terminal: Terminal) throws(FileError) {
        switch format {
        case .text:
            let text = DiagnosticText(files: files, usesColor: terminal.usesColor)
            terminal.error(styled: diagnostics.map { text.render($0) }.joined())
        case .json: try terminal.out(DiagnosticReports(files: files).json(diagnostics))
        case .github: try terminal.out(DiagnosticReports(files: files).github(diagnostics))
        case .sarif: try terminal.out(DiagnosticReports(files: files).sarif(diagnostics))
        }
    }

    /// The numbers of errors and warnings, such as `2 errors and 1 warning`, if any.
    package var count: String? {
        let parts = [(errors, "error"), (warnings, "warning")].filter { $0.0 > 0 }.map { counted($0.0, $0.1) }
        return parts.isEmpty ? nil : parts.joined(separator: " and ")
    }
}

/// A number with its noun, such as `1 file` or `2 files`.
package func counted(_ number: Int, _ word: String, _ plural: String? = nil) -> String {
    "\(number) \(number == 1 ? word : plural ?? word + "s")"
}

/// Formats a number with thousands separators, such as `1,234,567`.
package func grouped(_ number: Int) -> String {
    var text = ""
    for (index, digit) in String(number).reversed().enumerated() {
        if index > 0, index % 3 == 0 { text.append(",") }
        text.append(digit)
    }
    return String(text.reversed())
}
