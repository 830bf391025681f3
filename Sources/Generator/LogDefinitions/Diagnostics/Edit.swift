package import MarkdownSyntax

extension Diagnostic {
    /// An edit of a document that applies advice: an editor's quick fix.
    package enum Edit: Sendable {
        /// Replaces the first occurrence of a word at the diagnostic's place, or the whole place.
        case replace(String?, with: String)
        /// Replaces another place.
        case replacePlace(Place, with: String)
        /// Replaces all lines of the diagnostic's place.
        case replaceLine(String)
        /// Inserts a line and a blank line at the beginning of the document.
        case beginWith(String)
        /// Inserts a line before the one in which a place begins.
        case insertLine(String, before: Place)
        /// Inserts a backslash before each pipe at the diagnostic's place, and before the nearest pipe to its left.
        case escapePipes
        /// Deletes the lines of the diagnostic's place.
        case deleteLines
    }

    /// Returns the bytes that an edit replaces and the new text. Nil if the document does not match the diagnostic.
    package func change(_ edit: Edit, in source: SourceText) -> (range: Range<Int>, text: String)? {
        let range = place.range
        guard range.upperBound <= source.bytes.count else { return nil }
        let first = source.lineIndex(at: range.lowerBound)
        let last = source.lineIndex(at: max(range.lowerBound, range.upperBound - 1))
        let lines = source.lineRange(first).lowerBound..<source.lineRange(last).upperBound
        let lineEnd = source.lineEnd
        switch edit {
        case .replace(nil, let text): return (range, text)
        case .replace(let word?, let text): return source.firstRange(of: word, in: range).map { ($0, text) }
        case .replacePlace(let place, let text):
            return place.range.upperBound <= source.bytes.count ? (place.range, text) : nil
        case .replaceLine(let text): return (lines, text)
        case .beginWith(let text):
            let start = source.frontMatterLines
            let offset = source.lineStarts.indices.contains(start) ? source.lineStarts[start] : source.bytes.count
            return (offset..<offset, text + lineEnd + lineEnd)
        case .insertLine(let text, let place):
            guard place.range.lowerBound <= source.bytes.count else { return nil }
            let start = source.lineStarts[source.lineIndex(at: place.range.lowerBound)]
            return (start..<start, text + lineEnd)
        case .escapePipes:
            // A pipe in a code span or in a type's parentheses is part of the value.
            var (isCode, depth) = (false, 0)
            let inside = lines.filter { index in
                switch source.bytes[index] {
                case UInt8(ascii: "`"): isCode.toggle()
                case UInt8(ascii: "(") where !isCode && source.bytes[index - 1] != 0x20: depth += 1
                case UInt8(ascii: ")") where !isCode && depth > 0: depth -= 1
                case UInt8(ascii: "|"): return (isCode || depth > 0) && source.bytes[index - 1] != 0x5C
                default: break
                }
                return false
            }
            if !isCode, depth == 0, let first = inside.first, let last = inside.last {
                let marked = Set(inside)
                let text = (first...last).flatMap { index -> [UInt8] in
                    marked.contains(index) ? [0x5C, 0x7C] : [source.bytes[index]]
                }
                return (first..<last + 1, String(decoding: text, as: UTF8.self))
            }
            guard let pipe = source.bytes[lines.lowerBound..<range.lowerBound].lastIndex(of: UInt8(ascii: "|")) else {
                return nil
            }
            return (
                pipe..<range.upperBound,
                source.string(pipe..<range.upperBound).map { $0 == "|" ? "\\|" : String($0) }.joined()
            )
        case .deleteLines:
            return (source.lineStarts[first]..<source.wholeLineRange(last).upperBound, "")
        }
    }
}

extension SourceText {
    /// The line end of the first line; LF in a document of one line.
    package var lineEnd: String {
        guard lineStarts.count > 1 else { return "\n" }
        return string(lineRange(0).upperBound..<lineStarts[1])
    }
}

extension TypeNotation.Failure {
    var advice: [Diagnostic.Note] {
        if let misspelling, let nearest = nearestSpelling(of: misspelling.word, among: misspelling.candidates) {
            return [.didYouMean(nearest, insteadOf: misspelling.word)]
        }
        return help.map { [.help($0)] } ?? []
    }

    /// The advice for a whole string: the string with the nearest spelling, if that is valid, or the parser's help. If
    /// the string ends with `?`, or has it before its arguments, the strings in backticks that stay valid with it end
    /// with it.
    func advice(in text: String, isValid: (String) -> Bool) -> [Diagnostic.Note] {
        let plain = String(withoutBackticks(text[...]))
        let bytes = Array(plain.utf8)
        let isOptional = TypeNotation.isMarkedOptional(plain[...])
        func marked(_ text: String) -> String {
            isOptional && !text.hasSuffix("?") && isValid(text + "?") ? text + "?" : text
        }
        if let misspelling, let word = SourceText(bytes).firstRange(of: misspelling.word, in: bytes.indices),
            let nearest = nearestSpelling(of: misspelling.word, among: misspelling.candidates)
        {
            let whole = String(
                decoding: bytes[..<word.lowerBound] + nearest.utf8 + bytes[word.upperBound...], as: UTF8.self)
            if isValid(whole) { return [.didYouMean(marked(whole))] }
        }
        guard misspelling == nil, isOptional, let help else { return advice }
        let parts = help.split(separator: "`", omittingEmptySubsequences: false).enumerated().map { index, part in
            index % 2 == 1 ? marked(String(part)) : String(part)
        }
        return [.help(parts.joined(separator: "`"))]
    }
}
