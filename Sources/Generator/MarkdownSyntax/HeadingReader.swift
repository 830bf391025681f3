import CCMark

/// Reads a heading's text, and finds its first code span in the source.
struct HeadingReader {
    let source: SourceText
    let bytes: UnsafePointer<UInt8>

    func heading(_ node: CommonMarkNode, _ lines: ClosedRange<Int>) -> Heading {
        guard lines.count > 1 else { return heading(node, lines, in: 0) }
        // In the document's tree, only lines with `#` have their marks.
        let text = source.lineStarts[lines.lowerBound]..<source.lineRange(lines.upperBound).upperBound
        let tree = CommonMarkTree(parsing: Array(source.bytes[text]))
        return heading(tree.root.firstChild ?? node, lines, in: lines.lowerBound)
    }

    /// - Parameter first: the line in the source at which the node's tree begins.
    private func heading(_ node: CommonMarkNode, _ lines: ClosedRange<Int>, in first: Int) -> Heading {
        let range = contentRange(lines)
        var all = ""
        var before = ""
        var code: (text: String, range: Range<Int>)?
        var after = ""
        node.forEachDescendant { inline in
            let text = inline.plainText(softBreak: " ", lineBreak: " ")
            all += text
            if code != nil {
                after += text
            } else if inline.type == CMARK_NODE_CODE {
                code = (text, codeRange(text, hint: inline, in: range, first + inline.firstLine))
            } else {
                before += text
            }
        }
        all = trimmed(all)
        return Heading(
            level: node.headingLevel, text: all, code: code, before: code == nil ? all : before, after: after,
            range: range)
    }

    private func trimmed(_ text: String) -> String {
        let scalars = text.unicodeScalars
        guard let first = scalars.firstIndex(where: { $0 != " " && $0 != "\t" }),
            let last = scalars.lastIndex(where: { $0 != " " && $0 != "\t" })
        else { return "" }
        if first == scalars.startIndex, scalars.index(after: last) == scalars.endIndex { return text }
        return String(scalars[first...last])
    }

    private func contentRange(_ lines: ClosedRange<Int>) -> Range<Int> {
        var start = source.lineStarts[lines.lowerBound]
        // Only a heading with an underline has more than one line.
        let isUnderlined = lines.count > 1
        var end = source.lineRange(isUnderlined ? lines.upperBound - 1 : lines.upperBound).upperBound
        func trim() {
            while start < end, isWhitespace(bytes[start]) { start += 1 }
            while end > start, isWhitespace(bytes[end - 1]) { end -= 1 }
        }
        trim()
        guard !isUnderlined else { return start..<end }
        while start < end, bytes[start] == 0x23 { start += 1 }
        trim()
        var closing = end
        while closing > start, bytes[closing - 1] == 0x23 { closing -= 1 }
        if closing == start || isSpaceOrTab(bytes[closing - 1]) {
            end = closing
            trim()
        }
        return start..<end
    }

    /// Returns the range of the code span. libcmark's column is wrong in a heading of several lines. The result is then
    /// the first code span with the same content or, if none is found, the whole heading.
    private func codeRange(_ text: String, hint: CommonMarkNode, in range: Range<Int>, _ line: Int) -> Range<Int> {
        if line >= 0, line < source.lineStarts.count {
            let start = source.lineStarts[line] + hint.firstByte
            let end = start + text.utf8.count
            if start > range.lowerBound, end < range.upperBound, bytes[start - 1] == 0x60, bytes[end] == 0x60,
                source.bytes[start..<end].elementsEqual(text.utf8)
                    || source.string(start..<end).utf8.elementsEqual(text.utf8)
            {
                return start..<end
            }
        }
        var index = range.lowerBound
        var openings: [Int: Int] = [:]
        var comparedBytes = 0
        // As in CommonMark, a run of backticks closes the nearest earlier run of the same length.
        while index < range.upperBound, comparedBytes <= 4 * range.count {
            guard bytes[index] == 0x60 else {
                index += 1
                continue
            }
            var runEnd = index
            while runEnd < range.upperBound, bytes[runEnd] == 0x60 { runEnd += 1 }
            if let opening = openings[runEnd - index] {
                comparedBytes += index - opening
                if let place = place(of: text, in: opening..<index) { return place }
            }
            openings[runEnd - index] = runEnd
            index = runEnd
        }
        return range
    }

    /// Returns the range without the blanks that CommonMark 0.30 §6.1 strips; nil if the rest differs from `text`.
    private func place(of text: String, in range: Range<Int>) -> Range<Int>? {
        let lines = source.string(range).split(omittingEmptySubsequences: false) { $0.isNewline }
        let joined = lines.enumerated().map { index, line in
            index == 0 ? line : line.drop { $0 == " " || $0 == "\t" }
        }.joined(separator: " ")
        if joined.utf8.elementsEqual(text.utf8) { return range }
        guard joined.utf8.elementsEqual((" " + text + " ").utf8) else { return nil }
        var start = range.lowerBound
        var end = range.upperBound
        while start < end, isWhitespace(bytes[start]) { start += 1 }
        while end > start, isWhitespace(bytes[end - 1]) { end -= 1 }
        return start..<end
    }
}
