package import LogDefinitions
import LogReporting
import MarkdownSyntax

/// How diagnostics are shown.
package enum DiagnosticFormat: String, Sendable, CaseIterable {
    case text, json, github, sarif
}

/// Diagnostics with the files they are about.
package struct Report {
    package private(set) var files: [SourceFile]
    package private(set) var diagnostics: [Diagnostic]

    package init(files: [SourceFile] = [], diagnostics: [Diagnostic] = []) {
        self.files = files
        self.diagnostics = diagnostics
    }

    package var errors: Int { diagnostics.count { $0.severity == .error } }
    package var warnings: Int { diagnostics.count { $0.severity == .warning } }

    /// Adds diagnostics. The file numbers in their places are indexes into the files that are added with them.
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

    /// Shows everything in the requested form: text on standard error, every other form on standard output.
    package func show(_ format: DiagnosticFormat, on terminal: Terminal) throws(FileProblem) {
        switch format {
        case .text:
            let text = DiagnosticText(files: files, usesColor: terminal.usesColor)
            terminal.error(styled: diagnostics.map { text.render($0) }.joined())
        case .json: try terminal.out(DiagnosticReports(files: files).json(diagnostics))
        case .github: try terminal.out(DiagnosticReports(files: files).github(diagnostics))
        case .sarif: try terminal.out(DiagnosticReports(files: files).sarif(diagnostics))
        }
    }

    /// `2 errors and 1 warning`; nil when there is nothing.
    package var count: String? {
        let parts = [(errors, "error"), (warnings, "warning")].filter { $0.0 > 0 }.map { counted($0.0, $0.1) }
        return parts.isEmpty ? nil : parts.joined(separator: " and ")
    }
}

/// `1 file`, `2 files`
package func counted(_ number: Int, _ word: String, _ plural: String? = nil) -> String {
    "\(number) \(number == 1 ? word : plural ?? word + "s")"
}
