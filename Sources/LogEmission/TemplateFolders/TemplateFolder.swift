package import LogDefinitions
import LogTemplates
import MarkdownSyntax

/// A folder that is an output: `output.yml` and templates, as they were read.
package struct TemplateFolder: Sendable {
    package var name: String
    /// `output.yml` and the templates, whatever else the folder holds.
    package var files: [SourceFile]

    package init(name: String, files: [SourceFile]) {
        self.name = name
        self.files = files
    }

    /// Whether a file of a folder is one that an output is made of.
    package static func isPart(_ fileName: String) -> Bool {
        fileName.hasSuffix(templateEnding) && !fileName.hasPrefix(".") || fileName == OutputManifest.fileName
    }

    /// By what a folder is known as an output.
    package static let manifestName = OutputManifest.fileName
    static let templateEnding = ".mustache"

    /// Ours.
    package static let ours: [TemplateFolder] = LogTemplates.folders.map { folder in
        TemplateFolder(
            name: folder.name,
            files: folder.files.map { file in
                let path = "\(folder.name)/\(file.name)"
                return SourceFile(path: path, relativePath: path, source: SourceText(Array(file.text.utf8)))
            })
    }

    /// A file's name within the folder.
    package static func name(of file: SourceFile) -> String { file.relativePath.split(separator: "/").last.map(String.init) ?? file.relativePath }
}
