import LogDefinitions
import MarkdownSyntax

/// A target with definitions but without a Swift file. SwiftPM omits such a target and its plugins from the build.
package struct SwiftlessTarget: Sendable, Equatable {
    package let name: String
    /// The file to add, relative to the package.
    package var file: String { "Sources/\(name)/\(name).swift" }

    /// Finds the target of a definition folder: `Sources/NAME` or a folder below it, next to a `Package.swift` that
    /// contains the name as a string. The manifest is not evaluated. Nil without one, or if it has a Swift file.
    package init?(of definitions: String) throws(FileError) {
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
