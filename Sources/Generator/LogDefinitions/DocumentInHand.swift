import MarkdownSyntax

#if canImport(Darwin)
    import Darwin
#elseif canImport(Glibc)
    import Glibc
#elseif canImport(Musl)
    import Musl
#endif

/// The path of the document that a thread reads. The report of a crash names it.
package enum DocumentInHand {
    /// A slot of each thread for a C string: signal handlers may read no more than that.
    private static let slot: pthread_key_t = {
        var key = pthread_key_t()
        pthread_key_create(&key, nil)
        return key
    }()

    /// The descriptor that a process below another one reports a path to.
    package static let reportDescriptor: Int32 = 3

    /// Runs the work on a document. If the process crashes meanwhile, the report names the path.
    package static func note<Result>(_ file: SourceFile, _ work: () -> Result) -> Result {
        let path = strdup(file.path)
        pthread_setspecific(slot, path)
        defer {
            pthread_setspecific(slot, nil)
            free(path)
        }
        #if DEBUG
            // Tests of crashes need a crash: no document is known on which a parser traps. Release builds do not have it.
            if let word = getenv("LOGGEN_TRAP_ON_TEXT"),
                !file.source.occurrences(of: Array(String(cString: word).utf8), limit: 1).isEmpty
            {
                fatalError("LOGGEN_TRAP_ON_TEXT")
            }
        #endif
        return work()
    }

    /// Writes the path if the process crashes while it reads a document.
    ///
    /// - Parameter isSupervised: whether the path alone goes to `reportDescriptor`, for the process above this one, or a
    ///   message to standard error.
    package static func reportCrashes(isSupervised: Bool) {
        _ = slot
        if isSupervised { _ = fcntl(reportDescriptor, F_SETFD, FD_CLOEXEC) }
        for signal in [SIGILL, SIGTRAP, SIGSEGV, SIGBUS, SIGFPE, SIGABRT] {
            var action = sigaction()
            let handler: @convention(c) (Int32) -> Void =
                isSupervised ? { _ in DocumentInHand.writePath() } : { _ in DocumentInHand.writeMessage() }
            #if canImport(Darwin)
                action.__sigaction_u.__sa_handler = handler
            #else
                action.__sigaction_handler.sa_handler = handler
            #endif
            // The instruction is run once more afterwards, and ends the process as it would have without a report.
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
        write("loggen: error: a fault of loggen itself ended it while it read ")
        _ = systemWrite(STDERR_FILENO, path, strlen(path.assumingMemoryBound(to: CChar.self)))
        write("; leave the file out (`--exclude`) and report it, please\n")
    }

    private static func write(_ text: StaticString) {
        text.withUTF8Buffer { buffer in _ = systemWrite(STDERR_FILENO, buffer.baseAddress, buffer.count) }
    }
}

private func systemWrite(_ descriptor: Int32, _ bytes: UnsafeRawPointer?, _ count: Int) -> Int {
    write(descriptor, bytes, count)
}
