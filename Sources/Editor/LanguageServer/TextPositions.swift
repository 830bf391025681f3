import MarkdownSyntax

/// Converts between a client's positions and byte offsets.
struct TextPositions {
    enum Encoding: String { case utf16 = "utf-16", utf8 = "utf-8" }

    let source: SourceText
    let encoding: Encoding
    /// Indicates whether the client's document begins with a byte-order mark, which the source excludes. An editor
    /// removes the mark of a file that it opens, so only a mark in the text of the editor counts.
    var hasByteOrderMark = false

    private func units(_ range: Range<Int>) -> Int {
        guard encoding == .utf16 else { return range.count }
        var count = 0
        // RFC 3629: the first byte of a scalar determines its length. Scalars of four bytes are surrogate pairs in
        // UTF-16.
        for byte in source.bytes[range] where byte & 0xC0 != 0x80 { count += byte >= 0xF0 ? 2 : 1 }
        return count
    }

    private func markUnits(_ line: Int) -> Int { hasByteOrderMark && line == 0 ? (encoding == .utf16 ? 1 : 3) : 0 }

    func position(_ offset: Int) -> Position {
        let offset = min(max(0, offset), source.bytes.count)
        let line = source.lineIndex(at: offset)
        return Position(line: line, character: markUnits(line) + units(source.lineStarts[line]..<offset))
    }

    func span(_ range: Range<Int>) -> Span { Span(start: position(range.lowerBound), end: position(range.upperBound)) }

    /// Returns the range of a diagnostic as `lint` shows it: up to the end of its first line.
    func shown(_ range: Range<Int>) -> Span {
        let end = source.lineRange(position(range.lowerBound).line).upperBound
        return span(range.lowerBound..<max(range.lowerBound, min(range.upperBound, end)))
    }

    /// Returns the byte offset of a position. As the protocol requires, a position after the end of a line means the
    /// end of the line. A position inside a scalar means the start of the scalar.
    func offset(_ position: Position) -> Int {
        guard position.line >= 0 else { return 0 }
        guard position.line < source.lineStarts.count else { return source.bytes.count }
        let range = source.lineRange(position.line)
        var rest = position.character - markUnits(position.line)
        guard rest > 0 else { return range.lowerBound }
        var offset = range.lowerBound
        while offset < range.upperBound {
            var next = offset + 1
            while next < range.upperBound, source.bytes[next] & 0xC0 == 0x80 { next += 1 }
            let size = units(offset..<next)
            guard rest >= size else { return offset }
            rest -= size
            offset = next
        }
        return offset
    }

    func range(_ span: Span) -> Range<Int> {
        let (start, end) = (offset(span.start), offset(span.end))
        return min(start, end)..<max(start, end)
    }
}
