import Foundation
import LogProject

/// The targets of a package, as SwiftPM reads its Package.swift.
struct PackageManifest: Decodable {
    struct Target: Decodable {
        var name: String
        var type: String
        /// The `path:` in the manifest.
        var path: String?
        private var pluginUsages: [[String: [String?]]]?

        /// The package of LogGenPlugin, if the target uses the plugin.
        var pluginPackage: String? {
            let usages = (pluginUsages ?? []).compactMap { $0["plugin"] }
            return usages.first { $0.first == "LogGenPlugin" }.map { $0.compactMap { $0 }.last ?? "" }
        }

        var isTest: Bool { type == "test" }
        fileprivate var hasSources: Bool { !["binary", "plugin", "test"].contains(type) }
    }

    var targets: [Target]
    /// SwiftPM's reason not to read the manifest. Then the targets are unknown.
    private(set) var problem: String?

    private init(problem: String) { (targets, self.problem) = ([], problem) }

    /// Returns the manifest of a package folder; nil without a Package.swift.
    static func read(_ root: String) -> PackageManifest? {
        guard FileSystem.kind(joined(root, "Package.swift")) == .file else { return nil }
        do throws(FileError) {
            let result = try Subprocess.run(
                "swift", ["package", "--package-path", root, "dump-package"], standardInput: [],
                withoutEnvironment: "GIT_")
            let found = try? JSONDecoder().decode(Self.self, from: Data(result.out))
            return found ?? Self(problem: String(decoding: result.error, as: UTF8.self))
        } catch {
            return Self(problem: "\(error)")
        }
    }

    /// Returns the folder of a target's sources, relative to the package.
    func folder(of target: Target, in root: String) -> String {
        if let path = target.path { return normalized(path) }
        let folder = Self.predefinedFolder(in: root, isTest: target.isTest)
        let own = joined(folder, target.name)
        // The only target may have its sources in the folder itself.
        let isAlone = target.hasSources && targets.count(where: \.hasSources) == 1
        return isAlone && FileSystem.kind(joined(root, folder)) == .directory
            && FileSystem.kind(joined(root, own)) != .directory ? folder : own
    }

    /// Returns the first folder that exists of those in which SwiftPM looks for sources.
    static func predefinedFolder(in root: String, isTest: Bool = false) -> String {
        let folders = (isTest ? ["Tests"] : []) + ["Sources", "Source", "src", "srcs"]
        return folders.first { FileSystem.kind(joined(root, $0)) == .directory } ?? folders[0]
    }
}
