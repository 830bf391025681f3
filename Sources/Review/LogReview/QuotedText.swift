import LogOutputs
import TextEncoding

/// Sentences quote strings of definitions and files as CommonMark's code spans do (CommonMark 0.30, section 6.1): in
/// messages of diagnostics, in reports for a terminal, and in Markdown. In Markdown, everything else is escaped, so a
/// string with backquotes of its own is neither markup nor a mention of a user.
extension String {
    /// The string as a code span, on one line.
    package var asCode: String {
        let text = TextLanguage.line(self)
        let fence = String(repeating: "`", count: text.longestRunOfBackquotes + 1)
        let isBlank = text.allSatisfy { $0 == " " }
        let needsBlanks =
            !isBlank && (text.hasPrefix("`") || text.hasSuffix("`") || text.hasPrefix(" ") && text.hasSuffix(" "))
        return text.isEmpty ? "(empty)" : needsBlanks ? "\(fence) \(text) \(fence)" : fence + text + fence
    }

    fileprivate var longestRunOfBackquotes: Int {
        var (longest, run) = (0, 0)
        for byte in utf8 {
            run = byte == UInt8(ascii: "`") ? run + 1 : 0
            longest = max(longest, run)
        }
        return longest
    }

    /// The sentence in Markdown. Long code spans are truncated.
    func escapedMarkdown(inCell: Bool = false) -> String {
        pieces.map { text, isCode in
            guard isCode else { return Self.escaped(text) }
            // In a table row, a vertical bar ends the cell, even within code (GitHub Flavored Markdown, 4.10).
            let bar = inCell ? "\\|" : "|"
            return Self.shown(text).asCode.split(separator: "|", omittingEmptySubsequences: false)
                .joined(separator: bar)
        }.joined()
    }

    var escapedHTML: String {
        pieces.map { text, isCode in
            let escaped = TextLanguage.html.comment(Self.shown(text))
            return isCode ? "<code>\(escaped)</code>" : escaped
        }.joined()
    }

    /// The parts of a sentence. A run of backquotes begins code if a run of the same length follows.
    private var pieces: [(text: String, isCode: Bool)] {
        let bytes = Array(utf8)
        let quote = UInt8(ascii: "`")
        var pieces: [(String, Bool)] = []
        func runEnd(_ start: Int) -> Int { bytes[start...].firstIndex { $0 != quote } ?? bytes.count }
        func text(_ range: Range<Int>) -> String { String(decoding: bytes[range], as: UTF8.self) }
        var (start, next) = (0, 0)
        while let run = bytes[next...].firstIndex(of: quote) {
            let end = runEnd(run)
            next = end
            var close = end
            while let other = bytes[close...].firstIndex(of: quote) {
                close = runEnd(other)
                guard close - other == end - run else { continue }
                let code = text(end..<other)
                let hasBlanks = code.hasPrefix(" ") && code.hasSuffix(" ") && code.contains { $0 != " " }
                pieces += [(text(start..<run), false), (hasBlanks ? String(code.dropFirst().dropLast()) : code, true)]
                (start, next) = (close, close)
                break
            }
        }
        return (pieces + [(text(start..<bytes.count), false)]).filter { !$0.0.isEmpty }
    }

    private static func shown(_ text: String) -> String {
        let scalars = text.unicodeScalars
        return scalars.count <= 300 ? text : String(String.UnicodeScalarView(scalars.prefix(299))) + "…"
    }

    /// Escapes words in running text (CommonMark 0.30, section 2.4).
    private static func escaped(_ words: String) -> String {
        var result = ""
        for scalar in words.unicodeScalars {
            switch scalar {
            case "<", "&": result += HTMLEscape.escaped(scalar)
            // The comment separates the sign from a name, so that GitHub does not mention a user.
            case "@": result += "@<!-- -->"
            case "\\", "`", "*", "_", "[", "]", "|", "~", "#": result += "\\" + String(scalar)
            default: result.unicodeScalars.append(SwiftText.isVisible(scalar) ? scalar : " ")
            }
        }
        return result
    }
}

enum MarkdownCode {
    /// A fenced block (CommonMark 0.30, section 4.5).
    static func block(_ text: String, _ language: String) -> String {
        let fence = String(repeating: "`", count: max(3, text.longestRunOfBackquotes + 1))
        return "\(fence)\(language)\n\(text)\(text.hasSuffix("\n") ? "" : "\n")\(fence)\n"
    }
}
