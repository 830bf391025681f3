import Foundation
import Testing

/// The built `loggen`, run as a process of its own.
struct Tool {
    struct Result: Sendable {
        var code: Int32
        var out: String
        var error: String
    }

    /// The executable stands beside the test bundle.
    static var executable: URL {
        let bundle = URL(fileURLWithPath: CommandLine.arguments[0]).resolvingSymlinksInPath()
        var folder = bundle.deletingLastPathComponent()
        while folder.path != "/" {
            let candidate = folder.appendingPathComponent("loggen")
            if FileManager.default.isExecutableFile(atPath: candidate.path) { return candidate }
            folder.deleteLastPathComponent()
        }
        return URL(fileURLWithPath: "loggen")
    }

    static func run(
        _ arguments: String..., in folder: URL, input: String? = nil, environment: [String: String] = [:]
    ) throws -> Result {
        try run(arguments, in: folder, input: input, environment: environment)
    }

    static func run(_ arguments: [String], in folder: URL, input: String? = nil, environment: [String: String] = [:]) throws -> Result {
        try launch(executable, arguments, in: folder, input: input, environment: environment)
    }

    static func launch(
        _ executable: URL, _ arguments: [String], in folder: URL, input: String? = nil, environment: [String: String] = [:]
    ) throws -> Result {
        let process = Process()
        process.executableURL = executable
        process.arguments = arguments
        process.currentDirectoryURL = folder
        process.environment = ProcessInfo.processInfo.environment.merging(environment) { _, new in new }
        // Files, not pipes: a pipe that nobody empties would hold the process up.
        let streams = FileManager.default.temporaryDirectory.appendingPathComponent("loggen-streams-\(UUID().uuidString)")
        try FileManager.default.createDirectory(at: streams, withIntermediateDirectories: true)
        defer { try? FileManager.default.removeItem(at: streams) }
        func stream(_ name: String, _ content: String = "") throws -> URL {
            let url = streams.appendingPathComponent(name)
            try Data(content.utf8).write(to: url)
            return url
        }
        let out = try stream("out")
        let error = try stream("error")
        process.standardInput = try FileHandle(forReadingFrom: stream("in", input ?? ""))
        process.standardOutput = try FileHandle(forWritingTo: out)
        process.standardError = try FileHandle(forWritingTo: error)
        try process.run()
        process.waitUntilExit()
        return Result(
            code: process.terminationReason == .exit ? process.terminationStatus : -process.terminationStatus,
            out: String(decoding: try Data(contentsOf: out), as: UTF8.self), error: String(decoding: try Data(contentsOf: error), as: UTF8.self))
    }
}

/// A folder that is gone when the test ends.
struct Scratch: ~Copyable {
    let url: URL

    init(_ files: [String: String] = [:]) throws {
        url = FileManager.default.temporaryDirectory.resolvingSymlinksInPath().appendingPathComponent("loggen 定義 \(UUID().uuidString)")
        try FileManager.default.createDirectory(at: url, withIntermediateDirectories: true)
        for (path, text) in files { try write(text, to: path) }
    }

    deinit { try? FileManager.default.removeItem(at: url) }

    func write(_ text: String, to path: String) throws {
        try write(Data(text.utf8), to: path)
    }

    func write(_ data: Data, to path: String) throws {
        let file = url.appendingPathComponent(path)
        try FileManager.default.createDirectory(at: file.deletingLastPathComponent(), withIntermediateDirectories: true)
        try data.write(to: file)
    }

    func read(_ path: String) throws -> String {
        String(decoding: try Data(contentsOf: url.appendingPathComponent(path)), as: UTF8.self)
    }

    /// All files below the folder, with their bytes.
    func files(under path: String = "") throws -> [String: Data] {
        let root = path.isEmpty ? url : url.appendingPathComponent(path)
        var result: [String: Data] = [:]
        for case let name as String in FileManager.default.enumerator(atPath: root.path) ?? .init() {
            let file = root.appendingPathComponent(name)
            var isDirectory: ObjCBool = false
            if FileManager.default.fileExists(atPath: file.path, isDirectory: &isDirectory), !isDirectory.boolValue {
                result[name] = try Data(contentsOf: file)
            }
        }
        return result
    }
}
