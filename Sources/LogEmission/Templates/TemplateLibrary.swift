package import LogDefinitions
import MarkdownSyntax
import LogTemplates

/// The templates of a run: ours, and the user's in place of them or beside them.
package struct TemplateLibrary: Sendable {
    /// Our template for Swift.
    package static let builtIn = LogTemplates.swift

    /// What every template may name.
    package static var fields: [TemplateField] { FileView.fields.descriptions }

    private var overridingSwift: OutputTemplate?
    /// Without its template if that cannot be read.
    private var added: [(name: String, fileExtension: String, template: OutputTemplate?)] = []

    package init() {}

    /// Adds a template of the user's: `swift.mustache` replaces ours, `NAME.EXT.mustache` makes an output NAME.
    package mutating func add(_ file: SourceFile) -> [Diagnostic] {
        let (template, problems) = OutputTemplate.read(file, fields: Self.fields)
        let parts = file.relativePath.split(separator: ".").map(String.init)
        if parts == ["swift", "mustache"] {
            overridingSwift = template
        } else if parts.count == 3, parts[0] != "swift", parts[0] != "json-schema" {
            guard !added.contains(where: { $0.name == parts[0] }) else {
                return problems + [Diagnostic(.template, "a second template for the output `\(parts[0])`", at: Place(file: 0, range: 0..<0))]
            }
            added.append((parts[0], parts[1], template))
        } else {
            return problems + [
                Diagnostic(
                    .template, "`\(file.relativePath)` names no output", at: Place(file: 0, range: 0..<0),
                    notes: [.help("call it `swift.mustache` to replace ours, or `NAME.EXT.mustache` to add an output")])
            ]
        }
        return problems
    }

    /// The outputs that the user's templates add.
    package var names: [String] { added.map(\.name) }

    /// The ending of an output's files.
    package func fileExtension(of output: String) -> String {
        switch output {
        case "swift": "swift"
        case "json-schema": "schema.json"
        default: added.first { $0.name == output }?.fileExtension ?? ""
        }
    }

    /// The template of an output.
    func template(of output: String) -> OutputTemplate? {
        output == "swift" ? overridingSwift ?? Self.swift : added.first { $0.name == output }?.template
    }

    private static let swift: OutputTemplate? = {
        let file = SourceFile(path: "swift.mustache", relativePath: "swift.mustache", source: SourceText(Array(builtIn.utf8)))
        return OutputTemplate.read(file, fields: fields).0
    }()
}
