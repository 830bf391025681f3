package import Foundation

/// Runs the built `loggen`, or another built command, as a separate process.
package struct Tool {
    package struct Result: Sendable {
        package var code: Int32
        package var out: String
        package var error: String
    }

    /// The root of the package's sources.
    package static let repository = URL(fileURLWithPath: #filePath).deletingLastPathComponent()
        .deletingLastPathComponent()
        .deletingLastPathComponent()

    /// Returns the content of a file of the repository.
    package static func text(of path: String) throws -> String {
        try String(contentsOf: repository.appendingPathComponent(path), encoding: .utf8)
    }

    package static var executable: URL { executable(named: "loggen") }

    /// Returns the URL of an executable, which is next to the test bundle or in a folder above it.
    package static func executable(named name: String) -> URL {
        let bundle = URL(fileURLWithPath: CommandLine.arguments[0]).resolvingSymlinksInPath()
        var folder = bundle.deletingLastPathComponent()
        while folder.path != "/" {
            let candidate = folder.appendingPathComponent(name)
            if FileManager.default.isExecutableFile(atPath: candidate.path) { return candidate }
            folder.deleteLastPathComponent()
        }
        return URL(fileURLWithPath: name)
    }

    /// The arguments of `/usr/bin/env` that run `loggen` with the signal handling of a shell: the current thread may
    /// block signals, and a background job ignores some. A child process would inherit both.
    package static var withSignals: [String] {
        let program = """
            import os, signal, sys
            for number in (signal.SIGINT, signal.SIGTERM, signal.SIGHUP): signal.signal(number, signal.SIG_DFL)
            signal.pthread_sigmask(signal.SIG_SETMASK, [])
            os.execv(sys.argv[1], sys.argv[1:])
            """
        return ["python3", "-c", program, executable.path]
    }

    package static func run(
        _ arguments: String..., in folder: URL, input: String? = nil, environment: [String: String] = [:]
    ) throws -> Result {
        try run(arguments, in: folder, input: input, environment: environment)
    }

    package static func run(
        _ arguments: [String], in folder: URL, input: String? = nil, environment: [String: String] = [:]
    ) throws -> Result {
        try launch(
            executable, arguments, in: folder, input: input.map { Data($0.utf8) }, environment: environment)
    }

    /// A Boolean value that indicates whether files can be made immutable, so that nobody can replace them. It takes root
    /// and a file system on a disk.
    package static let canMakeImmutable: Bool = {
        guard let scratch = try? Scratch(["file": ""]) else { return false }
        guard (try? command(["chattr", "+i", "file"], in: scratch.url))?.code == 0 else { return false }
        return (try? command(["chattr", "-i", "file"], in: scratch.url))?.code == 0
    }()

    /// Variables of an author's git, without the configuration of the user.
    package static let author = [
        "GIT_CONFIG_GLOBAL": "/dev/null", "GIT_AUTHOR_NAME": "An", "GIT_AUTHOR_EMAIL": "an@example.com",
        "GIT_COMMITTER_NAME": "An", "GIT_COMMITTER_EMAIL": "an@example.com",
    ]

    /// Returns the value of `PATH`, with another folder before all others.
    package static func path(_ folder: URL) -> String {
        folder.path + ":" + (ProcessInfo.processInfo.environment["PATH"] ?? "/usr/bin:/bin")
    }

    /// Runs a command that is found in `PATH`. Its exit code is 127 if it is missing.
    package static func command(
        _ words: [String], in folder: URL, input: String? = nil, environment: [String: String] = [:]
    ) throws -> Result {
        try launch(
            URL(fileURLWithPath: "/usr/bin/env"), words, in: folder, input: input.map { Data($0.utf8) },
            environment: environment)
    }

    /// Runs a script of `sh`, in which `$0` is `loggen`.
    package static func shell(
        _ script: String, _ arguments: String..., in folder: URL, input: String? = nil,
        environment: [String: String] = [:]
    ) throws -> Result {
        try launch(
            URL(fileURLWithPath: "/bin/sh"), ["-c", script, executable.path] + arguments, in: folder,
            input: input.map { Data($0.utf8) }, environment: environment)
    }

    /// A Boolean value that indicates whether the process can mount a file system, which takes root.
    package static let canMount: Bool = {
        guard let scratch = try? Scratch(["disk/x": ""]) else { return false }
        guard (try? command(["mount", "-t", "tmpfs", "tmpfs", "disk"], in: scratch.url))?.code == 0 else {
            return false
        }
        return (try? command(["umount", "disk"], in: scratch.url))?.code == 0
    }()

    /// Returns this process's open files in a folder, according to the kernel. Empty on systems without `/proc`.
    package static func openFiles(in folder: String) -> [String] {
        let descriptors = (try? FileManager.default.contentsOfDirectory(atPath: "/proc/self/fd")) ?? []
        return descriptors.compactMap {
            try? FileManager.default.destinationOfSymbolicLink(atPath: "/proc/self/fd/\($0)")
        }.filter { $0.hasPrefix(folder) }
    }

    package static func launch(
        _ executable: URL, _ arguments: [String], in folder: URL, input: Data? = nil,
        environment: [String: String] = [:]
    ) throws -> Result {
        // Files instead of pipes: a full pipe blocks the process until it is read.
        let streams = FileManager.default.temporaryDirectory.appendingPathComponent(
            "loggen-streams-\(UUID().uuidString)")
        try FileManager.default.createDirectory(at: streams, withIntermediateDirectories: true)
        defer { try? FileManager.default.removeItem(at: streams) }
        func stream(_ name: String, _ content: Data = Data()) throws -> URL {
            let url = streams.appendingPathComponent(name)
            try content.write(to: url)
            return url
        }
        let out = try stream("out")
        let error = try stream("error")
        let process = try start(
            executable, arguments, in: folder, input: FileHandle(forReadingFrom: stream("in", input ?? Data())),
            output: FileHandle(forWritingTo: out), error: FileHandle(forWritingTo: error), environment: environment)
        process.waitUntilExit()
        return Result(
            code: process.terminationReason == .exit ? process.terminationStatus : -process.terminationStatus,
            out: String(decoding: try Data(contentsOf: out), as: UTF8.self),
            error: String(decoding: try Data(contentsOf: error), as: UTF8.self))
    }

    /// Starts a process without waiting for its end. The streams are pipes or file handles.
    package static func start(
        _ executable: URL, _ arguments: [String], in folder: URL, input: Any = FileHandle.nullDevice,
        output: Any = FileHandle.nullDevice, error: Any = FileHandle.nullDevice, environment: [String: String] = [:]
    ) throws -> Process {
        let process = Process()
        process.executableURL = executable
        process.arguments = arguments
        process.currentDirectoryURL = folder
        process.environment = ProcessInfo.processInfo.environment.merging(environment) { _, new in new }
        process.standardInput = input
        process.standardOutput = output
        process.standardError = error
        try process.run()
        return process
    }
}
