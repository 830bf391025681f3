#if canImport(Darwin)
    import Darwin
#elseif canImport(Glibc)
    import Glibc
#elseif canImport(Musl)
    import Musl
#endif
import ArgumentParser

package enum ColorMode: String, ExpressibleByArgument, CaseIterable {
    case auto, always, never
}

/// The two streams of the process: results go out, everything about the run goes to standard error.
package struct Terminal: Sendable {
    package var usesColor: Bool
    package var isQuiet: Bool
    private let showsProgress: Bool
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

    package func out(_ text: String) {
        FileSystem.write(Array(text.utf8), to: STDOUT_FILENO)
    }

    package func out(_ bytes: [UInt8]) {
        FileSystem.write(bytes, to: STDOUT_FILENO)
    }

    package func error(_ text: String) {
        clearProgress()
        FileSystem.write(Array(text.utf8), to: STDERR_FILENO)
    }

    /// Says what is being done, on a terminal, once the run has become long enough to wonder.
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

/// An environment variable's value.
package func environment(_ name: String) -> String? {
    getenv(name).map { String(cString: $0) }
}

/// Whether an environment variable is unset or empty.
private func environment(_ name: String, isEmpty: Bool) -> Bool {
    (environment(name) ?? "").isEmpty == isEmpty
}
