import JSONSyntax

package enum ColorMode: String, Sendable, CaseIterable {
    case auto, always, never
}

/// Standard output and standard error. Results go to standard output, and messages about the run to standard error.
package struct Terminal: Sendable {
    package var usesColor: Bool
    package var isQuiet: Bool
    package let showsProgress: Bool
    private let isInGitHubWorkflow = environment("GITHUB_ACTIONS", isEmpty: false)
    private let start = Terminal.now()

    package init(color: ColorMode, isQuiet: Bool) {
        let isTerminal = isatty(STDERR_FILENO) == 1 && environment("TERM") != "dumb"
        switch color {
        case .always: usesColor = true
        case .never: usesColor = false
        case .auto: usesColor = isTerminal && environment("NO_COLOR", isEmpty: true)
        }
        self.isQuiet = isQuiet
        showsProgress = isTerminal && !isQuiet
    }

    /// Writes lines for people to standard output. Control characters are made visible instead of taking effect.
    package func out(_ text: String) throws(FileError) {
        try out(Array(withoutCommands(ShownText.lines(text)).utf8))
    }

    /// Writes data to standard output.
    package func out(_ bytes: [UInt8]) throws(FileError) {
        clearProgress()
        let failure = FileSystem.write(bytes, to: STDOUT_FILENO)
        if failure != 0 { throw FileError("write to", "standard output", failure) }
    }

    /// Indicates whether standard output has lost its reader. Writing does not fail: see `FileSystem.write`.
    package var isOutputAbandoned: Bool {
        var output = pollfd(fd: STDOUT_FILENO, events: 0, revents: 0)
        return poll(&output, 1, 0) > 0 && output.revents & Int16(POLLERR | POLLHUP) != 0
    }

    /// Writes lines about the run to standard error.
    package func error(_ text: String) {
        error(styled: ShownText.lines(text))
    }

    /// Writes styled lines to standard error. The caller has already escaped control characters in their parts.
    package func error(styled text: String) {
        clearProgress()
        FileSystem.write(Array(withoutCommands(text).utf8), to: STDERR_FILENO)
    }

    private func withoutCommands(_ text: String) -> String {
        isInGitHubWorkflow ? ShownText.withoutCommands(text) : text
    }

    /// Shows the current step on a terminal after the first 0.3 seconds of the run.
    package func progress(_ text: String) {
        guard showsProgress, seconds > 0.3 else { return }
        FileSystem.write(Array("\r\u{1B}[2K\(text)…".utf8), to: STDERR_FILENO)
    }

    package func clearProgress() {
        guard showsProgress, seconds > 0.3 else { return }
        FileSystem.write(Array("\r\u{1B}[2K".utf8), to: STDERR_FILENO)
    }

    /// Seconds since the run began.
    package var seconds: Double { Terminal.now() - start }

    private static func now() -> Double {
        var time = timespec()
        clock_gettime(CLOCK_MONOTONIC, &time)
        return Double(time.tv_sec) + Double(time.tv_nsec) / 1e9
    }
}

/// The value of an environment variable; nil if it is unset.
package func environment(_ name: String) -> String? {
    getenv(name).map { String(cString: $0) }
}

/// An unset variable counts as empty.
private func environment(_ name: String, isEmpty: Bool) -> Bool {
    (environment(name) ?? "").isEmpty == isEmpty
}
