package import LogDefinitions
import MarkdownSyntax

/// The outputs of a run: loggen's own, and the user's, which are added to them or replace them.
package struct OutputRegistry: Sendable {
    /// The outputs of this module, and placeholders for those of other modules. Template folders follow them.
    package static let basic: [any Output] = [
        swift, jsonSchema, NamedOutput(name: "catalogue", folderName: "Catalogue", isElsewhere: true),
        NamedOutput(name: "sql", folderName: "SQL", isElsewhere: true), iglu,
        NamedOutput(name: "dbt", folderName: "dbt", isElsewhere: true), privacyManifest,
    ]
    package static let swift: any Output = SwiftOutput()
    package static let jsonSchema: any Output = JSONSchemaOutput()
    package static let iglu: any Output = IgluOutput()
    package static let privacyManifest: any Output = PrivacyManifestOutput()

    /// The outputs that write column names as SQL identifiers.
    package static let warehouses: Set<String> = ["dbt", "sql"]

    private struct Entry: Sendable {
        enum Content: Sendable {
            case output(any Output)
            case folder(TemplateFolder)
        }

        var name: String
        var content: Content
        var isOurs = true
    }

    private static let ownFolderOutputs = Dictionary(
        TemplateFolder.ours.map { ($0.name, TemplateFolderOutput.read($0, isOurs: true).output) },
        uniquingKeysWith: { first, _ in first })

    private var entries: [Entry]

    /// - Parameter ours: the outputs that are not template folders.
    package init(_ ours: [any Output] = basic) {
        entries =
            ours.map { Entry(name: $0.name, content: .output($0)) }
            + TemplateFolder.ours.map { Entry(name: $0.name, content: .folder($0)) }
    }

    package var names: [String] { entries.map(\.name) }

    /// The outputs that a run makes if neither `--only` nor `loggen.yml` names outputs.
    package var unaskedNames: [String] {
        entries.filter { entry in if case .output(let output) = entry.content { output.isMadeUnasked } else { false } }
            .map(\.name)
    }

    package func output(named name: String) -> (any Output)? {
        guard let entry = entries.first(where: { $0.name.isExactly(name) }) else { return nil }
        switch entry.content {
        case .output(let output): return output
        case .folder(let folder): return Self.ownFolderOutputs[folder.name] ?? nil
        }
    }

    /// Returns names in an output's settings that the definitions lack. Template folders have no such settings.
    package func unknownNames(in definitions: Definitions, of name: String, settings: OutputSettings) -> [Setting
        .Problem]
    {
        guard case .output(let output)? = entries.first(where: { $0.name.isExactly(name) })?.content else { return [] }
        return output.unknownNames(in: definitions, settings: settings)
    }

    /// The templates that come with loggen, by output.
    package var ourTemplates: [IncludedTemplate] {
        entries.filter(\.isOurs).compactMap { entry in
            switch entry.content {
            case .output(let output): output.ownTemplate.map { IncludedTemplate(name: output.name, files: [$0]) }
            case .folder(let folder): IncludedTemplate(name: folder.name, files: folder.files)
            }
        }
    }

    /// The names of loggen's templates that a user's template with the same name replaces.
    package var replaceableNames: [String] {
        entries.compactMap { entry in
            if entry.isOurs, case .output(let output) = entry.content { output.ownTemplate?.relativePath } else { nil }
        }
    }

    // MARK: User templates

    /// Adds a user's template: `NAME.mustache` replaces one of loggen's, `NAME.EXT.mustache` makes an output NAME.
    package mutating func add(_ file: SourceFile) -> [Diagnostic] {
        let parts = file.relativePath.split(separator: ".").map(String.init)
        if parts.count == 2, let (output, problems) = output(named: parts[0])?.replacingTemplate(file) {
            replace(output)
            return problems
        }
        guard parts.count == 3, !isOursByHand(parts[0]) else {
            let (_, problems) = OutputTemplate.read(file, fields: FlatTemplateOutput.fields)
            return problems + [
                problem(
                    "`\(file.relativePath)` does not name an output",
                    help:
                        "call it \(replaceableNames.map { "`\($0)`" }.joined(separator: ", ")) "
                        + "to replace the built-in one, or `NAME.EXT.mustache` to add an output"
                )
            ]
        }
        let (template, problems) = OutputTemplate.read(file, fields: FlatTemplateOutput.fields)
        let output: any Output =
            template.map { FlatTemplateOutput(name: parts[0], fileExtension: parts[1], template: $0) }
            ?? NamedOutput(name: parts[0], folderName: parts[0])
        return problems + add(output)
    }

    /// Adds a user's template folder, or replaces one of loggen's with it.
    /// - Returns: the problems, whose places refer to the folder's files by index.
    package mutating func add(_ folder: TemplateFolder) -> [Diagnostic] {
        let (output, problems) = TemplateFolderOutput.read(folder, isOurs: false)
        return problems + add(output ?? NamedOutput(name: folder.name, folderName: folder.name))
    }

    private mutating func add(_ output: any Output) -> [Diagnostic] {
        if entries.contains(where: { $0.name.isExactly(output.name) && !$0.isOurs }) {
            return [problem("a second template for the output `\(output.name)`", help: nil)]
        }
        if entries.contains(where: { $0.name.isExactly(output.name) }) {
            replace(output)
        } else {
            entries.append(Entry(name: output.name, content: .output(output), isOurs: false))
        }
        return []
    }

    private mutating func replace(_ output: any Output) {
        for index in entries.indices where entries[index].name.isExactly(output.name) {
            entries[index] = Entry(name: output.name, content: .output(output), isOurs: false)
        }
    }

    private func isOursByHand(_ name: String) -> Bool {
        entries.contains { entry in
            guard entry.name.isExactly(name), entry.isOurs, case .output = entry.content else { return false }
            return true
        }
    }

    private func problem(_ message: String, help: String?) -> Diagnostic {
        Diagnostic(.template, message, at: Place(file: 0, range: 0..<0), notes: help.map { [.help($0)] } ?? [])
    }
}

/// A template that comes with loggen. The paths of its files are relative to the folder that `--templates` names.
package struct IncludedTemplate: Sendable {
    package var name: String
    package var files: [SourceFile]
}
