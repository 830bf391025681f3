package import Foundation

/// A temporary folder that is deleted when the test ends.
package struct Scratch: ~Copyable {
    package let url: URL

    package init(_ files: [String: String] = [:]) throws {
        url = Self.unusedURL()
        try FileManager.default.createDirectory(at: url, withIntermediateDirectories: true)
        for (path, text) in files { try write(text, to: path) }
    }

    /// Creates a folder with the content of another one.
    package init(copying folder: URL) throws {
        url = Self.unusedURL()
        try FileManager.default.copyItem(at: folder, to: url)
    }

    /// Moves the folder to where it stays until the test process ends, so that tests can copy it.
    package consuming func kept(as name: String) throws -> URL {
        let kept = RunFolder.url.appendingPathComponent(name)
        try FileManager.default.moveItem(at: url, to: kept)
        return kept
    }

    private static func unusedURL() -> URL {
        FileManager.default.temporaryDirectory.resolvingSymlinksInPath().appendingPathComponent(
            "loggen 定義 \(UUID().uuidString)")
    }

    deinit { try? FileManager.default.removeItem(at: url) }

    package func write(_ text: String, to path: String) throws {
        try write(Data(text.utf8), to: path)
    }

    package func write(_ data: Data, to path: String) throws {
        let file = url.appendingPathComponent(path)
        try FileManager.default.createDirectory(at: file.deletingLastPathComponent(), withIntermediateDirectories: true)
        try data.write(to: file)
    }

    package func remove(_ path: String) throws { try FileManager.default.removeItem(at: at(path)) }

    package func move(_ path: String, to other: String) throws {
        try FileManager.default.moveItem(at: at(path), to: at(other))
    }

    /// Creates a symbolic link to a path, which is relative to the link's folder.
    package func link(_ path: String, to target: String) throws {
        try FileManager.default.createSymbolicLink(atPath: at(path).path, withDestinationPath: target)
    }

    package func contains(_ path: String) -> Bool { FileManager.default.fileExists(atPath: at(path).path) }

    private func at(_ path: String) -> URL { url.appendingPathComponent(path) }

    // MARK: Git

    package struct GitFailure: Error {
        package var message: String
    }

    /// Runs git in a subfolder with an author, and throws an error if git fails.
    package func git(_ arguments: String..., in folder: String = "") throws {
        let settings = [
            "user.name=a", "user.email=a@example.com", "commit.gpgsign=false", "protocol.file.allow=always",
        ].flatMap { ["-c", $0] }
        let result = try Tool.command(["git"] + settings + arguments, in: at(folder))
        if result.code != 0 { throw GitFailure(message: "git \(arguments): \(result.error)") }
    }

    /// Commits everything in a subfolder, which becomes a repository if it is none.
    package func commit(_ message: String = "change", in folder: String = "") throws {
        if !contains(folder + "/.git") { try git("init", "-q", in: folder) }
        try git("add", "-A", in: folder)
        try git("commit", "-qm", message, "--allow-empty", in: folder)
    }

    // MARK: Content

    package func read(_ path: String) throws -> String {
        String(decoding: try Data(contentsOf: url.appendingPathComponent(path)), as: UTF8.self)
    }

    /// Returns all files below the folder, with their bytes, except manifests of generated files.
    package func files(under path: String = "") throws -> [String: Data] {
        let root = path.isEmpty ? url : url.appendingPathComponent(path)
        var result: [String: Data] = [:]
        for case let name as String in FileManager.default.enumerator(atPath: root.path) ?? .init()
        where !name.hasSuffix(".loggen-outputs") {
            let file = root.appendingPathComponent(name)
            var isDirectory: ObjCBool = false
            if FileManager.default.fileExists(atPath: file.path, isDirectory: &isDirectory), !isDirectory.boolValue {
                result[name] = try Data(contentsOf: file)
            }
        }
        return result
    }

    /// Returns the paths of all files and folders, including hidden and empty ones.
    package func paths(under path: String = "") -> [String] {
        let root = path.isEmpty ? url : url.appendingPathComponent(path)
        return (FileManager.default.enumerator(atPath: root.path) ?? .init()).compactMap { $0 as? String }.sorted()
    }
}
