package import LogDefinitions
import LogTemplates
import MarkdownSyntax

/// The files of a template folder: its `output.yml` and its templates.
package struct TemplateFolder: Sendable {
    package var name: String
    /// The `output.yml` and the templates, even if the folder contains other files.
    package var files: [SourceFile]

    package init(name: String, files: [SourceFile]) {
        self.name = name
        self.files = files
    }

    /// Returns whether a file of this name in a folder belongs to an output.
    package static func isPart(_ fileName: String) -> Bool {
        fileName.hasSuffix(templateEnding) && !fileName.hasPrefix(".") || fileName == OutputManifest.fileName
    }

    /// The file that makes a folder an output.
    package static let manifestName = OutputManifest.fileName
    static let templateEnding = ".mustache"

    /// The template folders that come with loggen.
    package static let ours: [TemplateFolder] = LogTemplates.folders.map { folder in
        TemplateFolder(
            name: folder.name,
            files: folder.files.map { file in
                let path = "\(folder.name)/\(file.name)"
                return SourceFile(path: path, relativePath: path, source: SourceText(Array(file.text.utf8)))
            })
    }

    package static func name(of file: SourceFile) -> String {
        file.relativePath.split(separator: "/").last.map(String.init) ?? file.relativePath
    }
}
