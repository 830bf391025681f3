import MarkdownSyntax

#if canImport(Darwin)
    import Darwin
#elseif canImport(Glibc)
    import Glibc
#elseif canImport(Musl)
    import Musl
#endif

/// The path of the definition file that a thread is reading, for the report of a crash.
package enum CrashContext {
    /// The thread-local slot with the path as a C string, which is safe to read in a signal handler.
    private static let slot: pthread_key_t = {
        var key = pthread_key_t()
        pthread_key_create(&key, nil)
        return key
    }()

    /// The file descriptor to which a child process reports a path.
    package static let reportDescriptor: Int32 = 3

    /// Performs work on a definition file. If the process crashes meanwhile, the report contains the file's path.
    package static func note<Result>(_ file: SourceFile, _ work: () -> Result) -> Result {
        let path = strdup(file.path)
        pthread_setspecific(slot, path)
        defer {
            pthread_setspecific(slot, nil)
            free(path)
        }
        #if DEBUG
            // Causes a crash for tests, because no known definition file crashes the parser. Release builds do not
            // contain this code.
            if let word = getenv("LOGGEN_TRAP_ON_TEXT"),
                !file.source.occurrences(of: Array(String(cString: word).utf8), limit: 1).isEmpty
            {
                fatalError("LOGGEN_TRAP_ON_TEXT")
            }
        #endif
        return work()
    }

    /// Installs signal handlers that write the file's path if the process crashes while it reads a definition file.
    /// - Parameter isSupervised: True to write the path to `reportDescriptor` for the parent process, false to write a
    ///   message to standard error.
    package static func reportCrashes(isSupervised: Bool) {
        _ = slot
        if isSupervised { _ = fcntl(reportDescriptor, F_SETFD, FD_CLOEXEC) }
        for signal in [SIGILL, SIGTRAP, SIGSEGV, SIGBUS, SIGFPE, SIGABRT] {
            var action = sigaction()
            let handler: @convention(c) (Int32) -> Void =
                isSupervised ? { _ in CrashContext.writePath() } : { _ in CrashContext.writeMessage() }
            #if canImport(Darwin)
                action.__sigaction_u.__sa_handler = handler
            #else
                action.__sigaction_handler.sa_handler = handler
            #endif
            // SA_RESETHAND restores the default action before the handler runs. After the handler, the failing
            // instruction runs again and ends the process.
            action.sa_flags = Int32(bitPattern: UInt32(truncatingIfNeeded: SA_RESETHAND))
            sigaction(signal, &action, nil)
        }
    }

    private static func writePath() {
        guard let path = pthread_getspecific(slot) else { return }
        _ = systemWrite(reportDescriptor, path, strlen(path.assumingMemoryBound(to: CChar.self)))
    }

    private static func writeMessage() {
        guard let path = pthread_getspecific(slot) else { return }
        write("loggen: error: loggen crashed while it read ")
        _ = systemWrite(STDERR_FILENO, path, strlen(path.assumingMemoryBound(to: CChar.self)))
        write("; exclude the file with `--exclude`, and please report this bug\n")
    }

    private static func write(_ text: StaticString) {
        text.withUTF8Buffer { buffer in _ = systemWrite(STDERR_FILENO, buffer.baseAddress, buffer.count) }
    }
}

private func systemWrite(_ descriptor: Int32, _ bytes: UnsafeRawPointer?, _ count: Int) -> Int {
    write(descriptor, bytes, count)
}
