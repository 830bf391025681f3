package import Foundation

/// A temporary folder that is deleted when the test ends.
package struct Scratch: ~Copyable {
    package let url: URL

    package init(_ files: [String: String] = [:]) throws {
        url = FileManager.default.temporaryDirectory.resolvingSymlinksInPath().appendingPathComponent(
            "loggen 定義 \(UUID().uuidString)")
        try FileManager.default.createDirectory(at: url, withIntermediateDirectories: true)
        for (path, text) in files { try write(text, to: path) }
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
