import LogProject

enum Subprocess {
    struct Result {
        var code: Int32
        var out: [UInt8]
        var error: [UInt8]
    }

    /// Runs a program from PATH to its end. All streams are files, so that neither side waits for the other.
    ///
    /// Standard error is that of this process if `sharesError` is true.
    ///
    /// The variables `NAME=value` are added to the environment. Those that begin with `withoutEnvironment` are removed.
    /// In a git hook, such variables bind git to one repository and its index.
    static func run(
        _ program: String, _ arguments: [String], standardInput: [UInt8], sharesError: Bool = false,
        withoutEnvironment: String? = nil, variables: [String] = []
    ) throws(FileError) -> Result {
        let input = try unlinkedTemporaryFile()
        let output = try unlinkedTemporaryFile()
        let error = try unlinkedTemporaryFile()
        defer { for descriptor in [input, output, error] { close(descriptor) } }
        FileSystem.write(standardInput, to: input)
        lseek(input, 0, SEEK_SET)

        let process = try start(
            program, arguments,
            files: [(STDIN_FILENO, input), (STDOUT_FILENO, output)] + (sharesError ? [] : [(STDERR_FILENO, error)]),
            withoutEnvironment: withoutEnvironment, variables: variables)
        let code = wait(for: process)
        return Result(code: code, out: try FileSystem.readFromStart(output), error: try FileSystem.readFromStart(error))
    }

    /// Waits for a program. Returns its exit code, or 128 and the signal that ended it, as a shell does.
    static func wait(for process: pid_t) -> Int32 {
        var status: Int32 = 0
        while waitpid(process, &status, 0) < 0 { guard errno == EINTR else { return 128 } }
        return status & 0x7F == 0 ? (status >> 8) & 0xFF : 128 + (status & 0x7F)
    }

    /// Starts a program with open files as its first descriptors. Returns the process identifier.
    static func start(
        _ program: String, _ arguments: [String], files: [(target: Int32, descriptor: Int32)],
        withoutEnvironment prefix: String? = nil, variables added: [String] = []
    ) throws(FileError) -> pid_t {
        #if canImport(Darwin)
            var actions: posix_spawn_file_actions_t?
            var attributes: posix_spawnattr_t?
        #else
            var actions = posix_spawn_file_actions_t()
            var attributes = posix_spawnattr_t()
        #endif
        posix_spawn_file_actions_init(&actions)
        defer { posix_spawn_file_actions_destroy(&actions) }
        // The calling thread may be one of a pool that blocks signals. The program has to get its own timer's, and
        // those that end it.
        posix_spawnattr_init(&attributes)
        defer { posix_spawnattr_destroy(&attributes) }
        var none = sigset_t()
        sigemptyset(&none)
        posix_spawnattr_setsigmask(&attributes, &none)
        posix_spawnattr_setflags(&attributes, Int16(POSIX_SPAWN_SETSIGMASK))
        for (target, descriptor) in files { posix_spawn_file_actions_adddup2(&actions, descriptor, target) }
        var words: [UnsafeMutablePointer<CChar>?] = ([program] + arguments).map { strdup($0) } + [nil]
        var variables: [UnsafeMutablePointer<CChar>?] = added.map { strdup($0) }
        let names = added.map { $0.prefix { $0 != "=" } + "=" }
        var next = environ
        while let variable = next.pointee {
            let text = String(cString: variable)
            if prefix.map({ !text.hasPrefix($0) }) ?? true, !names.contains(where: text.hasPrefix) {
                variables.append(strdup(variable))
            }
            next += 1
        }
        variables.append(nil)
        defer { for word in words + variables { free(word) } }
        var process = pid_t()
        let failure = posix_spawnp(&process, program, &actions, &attributes, &words, &variables)
        guard failure == 0 else { throw FileError("run", program, failure) }
        return process
    }

    private static func unlinkedTemporaryFile() throws(FileError) -> Int32 {
        let folder = environment("TMPDIR") ?? "/tmp"
        var template = Array((folder + "/loggen-XXXXXX").utf8CString)
        let descriptor = mkstemp(&template)
        guard descriptor >= 0 else { throw FileError("write a temporary file in", folder, errno) }
        unlink(template)
        return descriptor
    }
}
