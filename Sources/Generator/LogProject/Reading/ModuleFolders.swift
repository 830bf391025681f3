import LogTypes

/// A module of an app whose modules share one vocabulary. Each module has categories, and one module has the types and
/// the common columns.
///
/// The list `definitions` in `loggen.yml` contains the names of the targets. The build plugins pass the folder of each
/// module. Without a plugin, the module is searched in SwiftPM's default folders for targets, first in the package of
/// `loggen.yml`, then in the checked-out packages.
package struct ModuleFolder: Sendable {
    /// The target's name.
    package var name: String
    /// The path, relative to the working directory.
    package var path: String
    /// The path with links followed.
    package var real: String

    /// The default folders of targets in SwiftPM (`PackageBuilder.predefinedSourceDirectories`).
    package static let targetFolders = ["Sources", "Source", "src", "srcs"]

    /// Returns the modules of a configuration that are to be read. Problems are added to the configuration.
    ///
    /// - Parameter known: the folders that the build plugin passes, by module name. If there are any, other modules are
    ///   not read, because the target cannot import them.
    static func find(_ configuration: inout Configuration, known: [String: String]) -> [ModuleFolder] {
        guard let file = configuration.path else { return [] }
        let root = folder(of: file)
        var found: [ModuleFolder] = []
        for name in known.keys.sorted() where !configuration.modules.contains(where: { $0.name == name }) {
            let names = configuration.modules.map(\.name)
            configuration.report(
                "unknown module `\(name)`: it is not listed under `definitions` in loggen.yml",
                at: configuration.modules.first?.range ?? 0..<0,
                help: nearestSpelling(of: name, among: names).map { "did you mean `\($0)`?" }
                    ?? "`definitions` lists \(names.map { "`\($0)`" }.joined(separator: ", "))")
        }
        for module in configuration.modules where known.isEmpty || known[module.name] != nil {
            let candidates =
                module.folder.map { [$0] } ?? known[module.name].map { [normalized($0)] }
                ?? places(of: module.name, from: root)
            guard let path = candidates.first, FileSystem.kind(path) == .directory else {
                let place =
                    module.folder.map { "the folder `\($0)` does not exist" }
                    ?? known[module.name].map {
                        "the folder `\($0)`, which `--module` names for `\(module.name)`, does not exist"
                    }
                    ?? "the target `\(module.name)` is neither in `Sources` next to this file nor in a checked-out "
                    + "package"
                configuration.report(
                    place, at: module.range,
                    help: "name its folder, as in `definitions: {\(module.name): ../Core/Sources/\(module.name)}`")
                continue
            }
            guard candidates.count == 1 else {
                configuration.report(
                    "two targets are called `\(module.name)`: `\(path)` and `\(candidates[1])`", at: module.range,
                    help: "choose one: `definitions: {\(module.name): \(path)}`")
                continue
            }
            var folder = ModuleFolder(name: module.name, path: path, real: FileSystem.resolved(path))
            reportIgnoredMarkers(of: folder, in: &configuration, at: module.range, root)
            // If the module has its own `loggen.yml`, that file may name a subfolder for the definitions.
            if let own = try? Configuration(path: joined(path, Configuration.fileName)),
                let definitions = own.definitions
            {
                folder = ModuleFolder(name: module.name, path: definitions, real: FileSystem.resolved(definitions))
            }
            if let other = found.first(where: {
                FileSystem.isFolder($0.real, at: folder.real) || FileSystem.isFolder(folder.real, at: $0.real)
            }) {
                configuration.report(
                    "`\(module.name)` and `\(other.name)` are in the same folder: `\(folder.path)` and `\(other.path)`",
                    at: module.range,
                    help: "a document belongs to one module: name a folder for each")
                continue
            }
            found.append(folder)
        }
        return found
    }

    private static func places(of name: String, from root: String) -> [String] {
        func target(in package: String) -> String? {
            targetFolders.lazy.map { joined(joined(package, $0), name) }.first { FileSystem.kind($0) == .directory }
        }
        if let own = target(in: root) { return [own] }
        let checkouts = joined(root, ".build/checkouts")
        let packages = ((try? FileSystem.entries(checkouts)) ?? []).map(\.name).sorted()
        return packages.compactMap { target(in: joined(checkouts, $0)) }
    }

    private static func reportIgnoredMarkers(
        of module: ModuleFolder, in configuration: inout Configuration, at range: Range<Int>, _ root: String
    ) {
        // A module in another repository may have these files for its own use.
        guard FileSystem.isFolder(FileSystem.resolved(root), at: module.real), !module.isCheckout else { return }
        let (settings, lock) = (joined(module.path, Configuration.fileName), joined(module.path, "loggen.lock"))
        if let path = configuration.path, FileSystem.resolved(settings) == FileSystem.resolved(path) {
            return configuration.report(
                "this file is in the folder of `\(module.name)`", at: range,
                help: "move it above the folders of all modules; for a single target, remove `definitions`")
        }
        if FileSystem.kind(settings) == .file {
            configuration.report(
                "`\(settings)` is ignored: `definitions` of this file contains `\(module.name)`", at: range,
                help: "move its settings into this file, and remove it")
        }
        if FileSystem.kind(lock) == .file {
            configuration.report(
                "`\(lock)` is ignored: the versions of all modules are in `\(joined(root, "loggen.lock"))`",
                at: range,
                help: "append all its lines except the first to that file, in any order, and remove it")
        }
    }

    /// Returns whether `real`, a path without links, is the module's folder or is below it.
    package func holds(_ real: String) -> Bool { FileSystem.isFolder(self.real, at: real) }

    /// Indicates whether the module is in a package that SwiftPM has checked out, outside this repository.
    package var isCheckout: Bool {
        let names = real.split(separator: "/")
        return zip(names, names.dropFirst()).contains { $0 == ".build" && $1 == "checkouts" }
    }

    /// The first part of the relative paths of the module's files: the module's path from the root, or the module's
    /// name if the module is outside the root.
    func name(in root: String) -> String {
        let root = FileSystem.resolved(root)
        guard FileSystem.isFolder(root, at: real), real != root else { return name }
        return String(decoding: real.utf8.dropFirst(root == "/" ? 1 : root.utf8.count + 1), as: UTF8.self)
    }

    package var moduleName: String { Self.moduleName(ofTarget: name) }

    /// The module name of a target, derived as in SwiftPM (`c99name`).
    package static func moduleName(ofTarget name: String) -> String {
        var scalars = name.unicodeScalars.map { isIdentifierPart($0) ? $0 : "_" }
        if let first = scalars.first, ("0"..."9").contains(first) { scalars[0] = "_" }
        return String(String.UnicodeScalarView(scalars))
    }

    /// Returns whether C99 (Annex D) allows a scalar in identifiers. Rare scripts are omitted.
    private static func isIdentifierPart(_ scalar: Unicode.Scalar) -> Bool {
        switch scalar.value {
        case 0x30...0x39, 0x41...0x5A, 0x5F, 0x61...0x7A, 0xAA, 0xBA, 0xC0...0xD6, 0xD8...0xF6, 0xF8...0x1F5,
            0x1FA...0x217, 0x250...0x2A8, 0x386, 0x388...0x38A, 0x38C, 0x38E...0x3A1, 0x3A3...0x3CE, 0x401...0x40C,
            0x40E...0x44F, 0x451...0x45C, 0x45E...0x481, 0x1E00...0x1E9B, 0x1EA0...0x1EF9, 0x3005...0x3007,
            0x3021...0x3029, 0x3041...0x3093, 0x309B...0x309C, 0x30A1...0x30F6, 0x30FB...0x30FC, 0x3105...0x312C,
            0x4E00...0x9FA5, 0xAC00...0xD7A3:
            true
        default: false
        }
    }
}
