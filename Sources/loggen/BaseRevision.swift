import LogDefinitions
import LogSession
import MarkdownSyntax

#if canImport(Darwin)
    import Darwin
#elseif canImport(Glibc)
    import Glibc
#elseif canImport(Musl)
    import Musl
#endif

/// Definitions as a git revision has them.
enum BaseRevision {
    /// Reads what stands under the paths at a revision; a file or folder that is not there yet is empty.
    static func definitions(of revision: String, paths: [String], options: AnalysisOptions) async throws(FileProblem) -> Definitions {
        guard !revision.isEmpty, !revision.hasPrefix("-") else { throw FileProblem("`\(revision)` is no git revision") }
        var found: [(path: String, relativePath: String, object: String)] = []
        var seen: Set<String> = []
        for path in paths {
            let path = normalized(path)
            let isFolder = FileSystem.kind(path) == .directory
            let root = isFolder ? path : folder(of: path)
            let listing = try git(
                ["-C", root, "ls-tree", "-r", "-z", "--end-of-options", "\(revision)^{commit}"], revision, standardInput: [])
            let name = path.split(separator: "/").last.map(String.init) ?? path
            for entry in listing.split(separator: 0) {
                // MODE type OBJECT<tab>PATH
                guard let tab = entry.firstIndex(of: 0x09) else { continue }
                let words = String(decoding: entry[..<tab], as: UTF8.self).split(separator: " ")
                let relative = String(decoding: entry[(tab + 1)...], as: UTF8.self)
                guard words.count == 3, words[0].hasPrefix("100"), isFolder ? isDefinition(relative) : relative == name else { continue }
                let full = isFolder ? joined(root == "." ? "" : root, relative) : path
                if seen.insert(full).inserted { found.append((full, relative, String(words[2]))) }
            }
        }
        let contents = try contents(of: found.map(\.object), in: FileSystem.kind(paths[0]) == .directory ? paths[0] : folder(of: paths[0]), revision)
        let files = zip(found, contents).map { file, bytes in
            SourceFile(path: "\(revision):\(file.path)", relativePath: file.relativePath, source: SourceText(bytes))
        }
        let analysis = await Analysis.run(files, options: options)
        if let error = analysis.diagnostics.first(where: { $0.severity == .error }) {
            let file = analysis.definitions.files[error.place.file]
            let line = file.source.position(at: error.place.range.lowerBound).line
            throw FileProblem("cannot compare with `\(revision)`, whose definitions have errors: \(file.path):\(line): \(error.message)")
        }
        return analysis.definitions
    }

    private static func isDefinition(_ path: String) -> Bool {
        let parts = path.split(separator: "/")
        return path.hasSuffix(".md") && parts.last != "README.md" && !parts.contains { $0.hasPrefix(".") }
    }

    /// The contents of objects by their names, from one process whatever their number.
    private static func contents(of objects: [String], in folder: String, _ revision: String) throws(FileProblem) -> [[UInt8]] {
        guard !objects.isEmpty else { return [] }
        let output = try git(
            ["-C", folder, "cat-file", "--batch"], revision, standardInput: Array(objects.map { $0 + "\n" }.joined().utf8))
        var contents: [[UInt8]] = []
        var rest = output[...]
        while contents.count < objects.count {
            // OBJECT type SIZE<line end>BYTES<line end>
            guard let end = rest.firstIndex(of: 0x0A),
                let size = String(decoding: rest[..<end], as: UTF8.self).split(separator: " ").last.flatMap({ Int($0) }),
                rest.endIndex - end - 1 > size
            else { throw FileProblem("cannot read the definitions of `\(revision)`: git's answer ends early") }
            contents.append(Array(rest[(end + 1)..<(end + 1 + size)]))
            rest = rest[(end + 2 + size)...]
        }
        return contents
    }

    private static func git(_ arguments: [String], _ revision: String, standardInput: [UInt8]) throws(FileProblem) -> [UInt8] {
        let result = try Subprocess.run("git", arguments, standardInput: standardInput, withoutEnvironment: "GIT_")
        guard result.code == 0 else {
            let lines = String(decoding: result.error, as: UTF8.self).split(separator: "\n")
            let reason = (lines.first { $0.hasPrefix("fatal:") } ?? lines.first).map(String.init) ?? "it ended with \(result.code)"
            throw FileProblem("cannot read the definitions of `\(revision)`; git says: \(reason)")
        }
        return result.out
    }
}

/// A program run to its end.
enum Subprocess {
    struct Result {
        var code: Int32
        var out: [UInt8]
        var error: [UInt8]
    }

    /// Runs a program found in PATH. All streams are files, so that neither side waits for the other.
    ///
    /// Variables that begin with `withoutEnvironment` are withheld: in a git hook they bind git to one repository and its index.
    static func run(
        _ program: String, _ arguments: [String], standardInput: [UInt8], withoutEnvironment: String
    ) throws(FileProblem) -> Result {
        let input = try temporaryFile()
        let output = try temporaryFile()
        let error = try temporaryFile()
        defer { for descriptor in [input, output, error] { close(descriptor) } }
        FileSystem.write(standardInput, to: input)
        lseek(input, 0, SEEK_SET)

        #if canImport(Darwin)
            var actions: posix_spawn_file_actions_t?
        #else
            var actions = posix_spawn_file_actions_t()
        #endif
        posix_spawn_file_actions_init(&actions)
        defer { posix_spawn_file_actions_destroy(&actions) }
        for (target, descriptor) in [(STDIN_FILENO, input), (STDOUT_FILENO, output), (STDERR_FILENO, error)] {
            posix_spawn_file_actions_adddup2(&actions, descriptor, target)
        }
        var words: [UnsafeMutablePointer<CChar>?] = ([program] + arguments).map { strdup($0) } + [nil]
        var variables: [UnsafeMutablePointer<CChar>?] = []
        var next = environ
        while let variable = next.pointee {
            if !String(cString: variable).hasPrefix(withoutEnvironment) { variables.append(strdup(variable)) }
            next += 1
        }
        variables.append(nil)
        defer { for word in words + variables { free(word) } }
        var process = pid_t()
        let failure = posix_spawnp(&process, program, &actions, nil, &words, &variables)
        guard failure == 0 else { throw FileProblem("run", program, failure) }
        var status: Int32 = 0
        while waitpid(process, &status, 0) < 0 { guard errno == EINTR else { throw FileProblem("run", program, errno) } }
        let code = status & 0x7F == 0 ? (status >> 8) & 0xFF : 128 + (status & 0x7F)
        return Result(code: code, out: try FileSystem.readFromStart(output), error: try FileSystem.readFromStart(error))
    }

    /// An open file without a name.
    private static func temporaryFile() throws(FileProblem) -> Int32 {
        let folder = environment("TMPDIR") ?? "/tmp"
        var template = Array((folder + "/loggen-XXXXXX").utf8CString)
        let descriptor = mkstemp(&template)
        guard descriptor >= 0 else { throw FileProblem("write a temporary file in", folder, errno) }
        unlink(template)
        return descriptor
    }
}
