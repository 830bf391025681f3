import ActivityTracking
import Foundation

/// Standard output, coloured if it is a terminal.
///
/// Lines may be printed from any thread. Each is written immediately.
final class Terminal: Sendable {
    enum Style: String, Sendable {
        case plain = ""
        case faint = "2"
        case strong = "1"
        case good = "32"
        case bad = "31"
        case name = "36"
    }

    private let isColoured: Bool
    /// The number of columns of the terminal; nil if output is not a terminal.
    let columns: Int?
    /// The error number of the first failed write.
    private let failure = Locked(Int32(0))

    init() {
        let environment = ProcessInfo.processInfo.environment
        let isTerminal = isatty(STDOUT_FILENO) == 1
        isColoured = isTerminal && (environment["NO_COLOR"] ?? "").isEmpty && environment["TERM"] != "dumb"
        var size = winsize()
        let isKnown = isTerminal && ioctl(STDOUT_FILENO, UInt(TIOCGWINSZ), &size) == 0 && size.ws_col > 0
        columns = isKnown ? Int(size.ws_col) : nil
    }

    /// The reason why standard output cannot be written. A closed pipe is not a problem, because readers such as `head`
    /// stop early.
    var problem: String? {
        let code = failure.withLock { $0 }
        return code == 0 || code == EPIPE ? nil : String(cString: strerror(code))
    }

    /// Prints a line of several parts. The last part is cut at the width of the terminal.
    func print(_ parts: (String, Style)...) {
        var line = ""
        var width = 0
        for (text, style) in parts {
            var text = Self.shown(text)
            if let columns { text = Self.cut(text, to: max(0, columns - width)) }
            width += Self.width(of: text)
            line += isColoured && style != .plain && !text.isEmpty ? "\u{1B}[\(style.rawValue)m\(text)\u{1B}[0m" : text
        }
        while !isColoured, line.last == " " { line.removeLast() }
        write(line + "\n")
    }

    private func write(_ text: String) {
        failure.withLock { failure in
            guard failure == 0 else { return }
            failure = SystemCalls.write(Array(text.utf8), to: STDOUT_FILENO)
        }
    }

    // MARK: Widths

    /// Pads a string with trailing spaces.
    static func padded(_ text: String, _ width: Int) -> String {
        text + String(repeating: " ", count: max(0, width - Self.width(of: text)))
    }

    /// Pads a string with leading spaces.
    static func aligned(_ text: String, _ width: Int) -> String {
        String(repeating: " ", count: max(0, width - Self.width(of: text))) + text
    }

    /// Returns the number of columns of a string. Wide East Asian characters take two (Unicode annex 11).
    static func width(of text: String) -> Int {
        text.reduce(0) { $0 + ($1.unicodeScalars.first.map(isWide) == true ? 2 : 1) }
    }

    private static func isWide(_ scalar: Unicode.Scalar) -> Bool {
        switch scalar.value {
        case 0x1100...0x115F, 0x2E80...0x303E, 0x3041...0xA4CF, 0xAC00...0xD7A3, 0xF900...0xFAFF, 0xFE30...0xFE6F,
            0xFF00...0xFF60, 0xFFE0...0xFFE6,
            0x1F300...0x1FAFF, 0x20000...0x3FFFD:
            true
        default: false
        }
    }

    /// Returns a string, shortened with an ellipsis if it takes more columns.
    static func cut(_ text: String, to columns: Int) -> String {
        guard width(of: text) > columns else { return text }
        var text = text
        while width(of: text) > columns - 1, !text.isEmpty { text.removeLast() }
        return columns > 0 ? text + "…" : ""
    }

    /// Replaces control and format characters by U+FFFD, so that a terminal does not interpret them.
    private static func shown(_ text: String) -> String {
        String(
            String.UnicodeScalarView(
                text.unicodeScalars.map {
                    switch $0.properties.generalCategory {
                    case .control, .format, .lineSeparator, .paragraphSeparator: "\u{FFFD}"
                    default: $0
                    }
                }))
    }
}

/// Files and streams by system calls, because `errno` gives the reason of each failure.
enum SystemCalls {
    /// Writes all bytes. Returns 0 or the error number.
    static func write(_ bytes: [UInt8], to descriptor: Int32) -> Int32 {
        var rest = bytes[...]
        while !rest.isEmpty {
            let count = rest.withUnsafeBytes { Foundation.write(descriptor, $0.baseAddress, $0.count) }
            if count >= 0 { rest = rest.dropFirst(count) } else if errno != EINTR { return errno }
        }
        return 0
    }
}
