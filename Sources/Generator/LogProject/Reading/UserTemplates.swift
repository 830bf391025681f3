import LogDefinitions
import LogOutputs
import MarkdownSyntax

/// The custom templates on disk. Each template is a file or a folder and defines one output.
struct UserTemplates {
    private var files: [SourceFile] = []
    private var folders: [TemplateFolder] = []

    static func read(_ path: String?) throws(FileError) -> UserTemplates {
        var templates = UserTemplates()
        guard let path else { return templates }
        let folder = normalized(path)
        let entries = try FileSystem.entries(folder)
        if entries.contains(where: { $0.name == TemplateFolder.manifestName }) {
            throw FileError(
                "`\(path)` is the folder of one output, as it contains `\(TemplateFolder.manifestName)`: "
                    + "name its parent folder"
            )
        }
        for entry in entries where !entry.name.hasPrefix(".") {
            let path = joined(folder, entry.name)
            switch entry.kind == .link || entry.kind == nil ? FileSystem.kind(path) : entry.kind {
            case .directory: if let found = try read(path, named: entry.name) { templates.folders.append(found) }
            case .file where entry.name.hasSuffix(".mustache"):
                templates.files.append(
                    SourceFile(path: path, relativePath: entry.name, source: SourceText(try FileSystem.read(path))))
            case nil: throw FileError("cannot read `\(path)`: it is a broken link")
            default:
                if entry.name.hasSuffix(".mustache") {
                    throw FileError("cannot read `\(path)`: it is neither a file nor a folder")
                }
            }
        }
        if templates.files.isEmpty, templates.folders.isEmpty {
            throw FileError(
                "no templates in `\(path)`: it has neither `*.mustache` files "
                    + "nor a folder with `\(TemplateFolder.manifestName)`"
            )
        }
        return templates
    }

    private static func read(_ folder: String, named name: String) throws(FileError) -> TemplateFolder? {
        let names = try FileSystem.entries(folder).map(\.name)
        guard names.containsExactly(TemplateFolder.manifestName) else {
            let nearest = names.first { nearestSpelling(of: $0, among: [TemplateFolder.manifestName]) != nil }
            guard nearest != nil || names.contains(where: TemplateFolder.isPart) else { return nil }
            throw FileError(
                "`\(folder)` has templates but no `\(TemplateFolder.manifestName)`, which describes the output"
                    + (nearest.map { ": `\($0)` is not read" } ?? ""))
        }
        guard isName(name) else {
            throw FileError(
                "`\(folder)` cannot be an output: the name, as used in `--only` and `loggen.yml`, "
                    + "takes letters, digits, `-` and `_`"
            )
        }
        var files: [SourceFile] = []
        for name in names where TemplateFolder.isPart(name) {
            let path = joined(folder, name)
            guard FileSystem.kind(path) == .file else { throw FileError("cannot read `\(path)`: it is not a file") }
            files.append(SourceFile(path: path, relativePath: name, source: SourceText(try FileSystem.read(path))))
        }
        return TemplateFolder(name: name, files: files)
    }

    private static func isName(_ name: String) -> Bool {
        name.utf8.allSatisfy { byte in
            (0x30...0x39).contains(byte) || (0x41...0x5A).contains(byte) || (0x61...0x7A).contains(byte) || byte == 0x2D
                || byte == 0x5F
        }
    }

    func added(to registry: OutputRegistry, report: inout Report) -> OutputRegistry {
        var registry = registry
        for file in files { report.add(files: [file], diagnostics: registry.add(file)) }
        for folder in folders { report.add(files: folder.files, diagnostics: registry.add(folder)) }
        return registry
    }
}
