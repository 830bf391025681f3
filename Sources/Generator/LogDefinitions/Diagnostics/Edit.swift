package import MarkdownSyntax

extension Diagnostic {
    /// A change of a document's text that follows advice: what an editor does if a person asks for it.
    package enum Edit: Sendable {
        /// Of what stands at the diagnostic's place: of the first occurrence of a word in it, or of all of it.
        case replace(String?, with: String)
        /// Of what stands at another place.
        case replacePlace(Place, with: String)
        /// Of the lines of the diagnostic's place, all of them.
        case replaceLine(String)
        /// Of the last line of the diagnostic's block, below its place.
        case replaceUnderline(String)
        /// A line at the document's beginning.
        case beginWith(String)
        /// A line before the one in which a place begins.
        case insertLine(String, before: Place)
        /// A line after the one in which the diagnostic's place ends.
        case appendLine(String)
        /// A backslash before each pipe at the diagnostic's place, and before the last one in front of it.
        case escapePipes
        /// Without the lines of the diagnostic's place.
        case deleteLines
        /// Without the blank lines above the diagnostic's place.
        case deleteBlankLinesAbove
    }

    /// The bytes that an edit replaces, and by what. Nil if the document is not what the advice was given for.
    package func change(_ edit: Edit, in source: SourceText) -> (range: Range<Int>, text: String)? {
        let range = place.range
        guard range.upperBound <= source.bytes.count else { return nil }
        let first = source.lineIndex(at: range.lowerBound)
        let last = source.lineIndex(at: max(range.lowerBound, range.upperBound - 1))
        let lines = source.lineRange(first).lowerBound..<source.lineRange(last).upperBound
        let lineEnd = source.lineEnd
        func start(of line: Int) -> Int {
            line < source.lineStarts.count ? source.lineStarts[line] : source.bytes.count
        }
        switch edit {
        case .replace(nil, let text): return (range, text)
        case .replace(let word?, let text): return source.firstRange(of: word, in: range).map { ($0, text) }
        case .replacePlace(let place, let text):
            return place.range.upperBound <= source.bytes.count ? (place.range, text) : nil
        case .replaceLine(let text): return (lines, text)
        case .replaceUnderline(let text):
            return last + 1 < source.lineStarts.count ? (source.lineRange(last + 1), text) : nil
        case .beginWith(let text): return (0..<0, text + lineEnd + lineEnd)
        case .insertLine(let text, let place):
            guard place.range.lowerBound <= source.bytes.count else { return nil }
            let start = source.lineStarts[source.lineIndex(at: place.range.lowerBound)]
            return (start..<start, text + lineEnd)
        case .appendLine(let text): return (lines.upperBound..<lines.upperBound, lineEnd + text)
        case .escapePipes:
            guard let pipe = source.bytes[lines.lowerBound..<range.lowerBound].lastIndex(of: UInt8(ascii: "|")) else {
                return nil
            }
            return (
                pipe..<range.upperBound,
                source.string(pipe..<range.upperBound).map { $0 == "|" ? "\\|" : String($0) }.joined()
            )
        case .deleteLines: return (source.lineStarts[first]..<start(of: last + 1), "")
        case .deleteBlankLinesAbove:
            var line = first
            while line > 0, source.bytes[source.lineRange(line - 1)].allSatisfy({ $0 == 0x20 || $0 == 0x09 }) {
                line -= 1
            }
            return line < first ? (source.lineStarts[line]..<source.lineStarts[first], "") : nil
        }
    }
}

extension SourceText {
    /// How the first line ends; LF in a document of one line.
    package var lineEnd: String {
        guard lineStarts.count > 1 else { return "\n" }
        return string(lineRange(0).upperBound..<lineStarts[1])
    }
}

extension TypeNotation.Failure {
    /// What to do: the spelling that may have been meant, or what the reader says.
    var advice: [Diagnostic.Note] {
        if let misspelling, let nearest = nearestSpelling(of: misspelling.word, among: misspelling.candidates) {
            return [.didYouMean(nearest, insteadOf: misspelling.word)]
        }
        return help.map { [.help($0)] } ?? []
    }
}
