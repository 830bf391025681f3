import LogDefinitions
import MarkdownSyntax

/// A target of a package that has definitions and no Swift file. SwiftPM leaves such a target out, with its plugins.
package struct SwiftlessTarget: Sendable, Equatable {
    package let name: String
    /// The file to add, as a path from the package.
    package var file: String { "Sources/\(name)/\(name).swift" }

    /// Finds the target of a folder of definitions: `Sources/NAME` next to a `Package.swift` that names it, or a folder
    /// below. Nil if there is no such target, or if it has a Swift file. The manifest is read as text.
    package init?(of definitions: String) throws(FileProblem) {
        var path = FileSystem.resolved(definitions)
        while path.hasPrefix("/"), path != "/" {
            let parent = folder(of: path)
            let manifest = joined(folder(of: parent), "Package.swift")
            if parent.hasSuffix("/Sources"), FileSystem.kind(manifest) == .file {
                let name = String(Substring(path.utf8.dropFirst(parent.utf8.count + 1)))
                let code = String(decoding: try FileSystem.read(manifest), as: UTF8.self).split(separator: "\n")
                    .filter { !$0.drop { $0 == " " || $0 == "\t" }.hasPrefix("//") }
                guard code.contains(where: { $0.holds("\"\(name)\"") }), try Sources.walk(path, .swift).isEmpty else {
                    return nil
                }
                self.name = name
                return
            }
            path = parent
        }
        return nil
    }
}
