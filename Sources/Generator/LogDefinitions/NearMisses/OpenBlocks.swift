import MarkdownSyntax

/// Code blocks and HTML without an end, and merge conflicts.
extension LostLineSearch {
    /// The error about a code block or HTML without an end that contains a definition. Nil without such a block.
    func openBlock(file: Int) -> Diagnostic? {
        for (index, block) in document.blocks.enumerated() {
            guard let (name, start, end) = openPart(of: block, isLast: index == document.blocks.count - 1),
                let definition = definition(in: block, after: start)
            else { continue }
            let place = Place(file: file, range: definition)
            return Diagnostic(
                .openBlock, "this \(name) is not closed and contains definitions",
                at: Place(file: file, range: source.lineRange(block.lines.lowerBound)),
                .note("this definition, for example", at: place),
                .help("close the \(name) with a line `\(end)` above the definition", .insertLine(end, before: place)))
        }
        return nil
    }

    /// The name, the start and the missing end of a block. Nil for a block with an end.
    private func openPart(of block: Block, isLast: Bool) -> (name: String, start: String, end: String)? {
        switch block.content {
        case .other(.code) where source.isFenced(block):
            // The opening fence of the next code block closes one without an end by mistake, and so on, until the last
            // block of the document has no end.
            let text = source.bytes[block.range]
            let fence = String(decoding: text.prefix { $0 == text.first }, as: UTF8.self)
            return isAnyFenceOpen || containsFence(block, fence) ? ("code block", fence, fence) : nil
        case .other(.html):
            // These tags include everything up to their end, across blank lines.
            let text = source.string(block.range).lowercased()
            guard let (start, end) = Self.rawTags.first(where: { text.hasPrefix($0.start) }) else { return nil }
            let html = SourceText(Array(text.utf8))
            let isOpen = isLast && !text.holds(end) || html.occurrences(of: Array(start.utf8), limit: 2).count > 1
            return isOpen ? ("`\(start)` block", start, end) : nil
        default: return nil
        }
    }

    private static let rawTags: [(start: String, end: String)] = [
        ("<!--", "-->"), ("<script", "</script>"), ("<pre", "</pre>"), ("<textarea", "</textarea>"),
        ("<style", "</style>"), ("<?", "?>"), ("<![cdata[", "]]>"),
    ]

    private var isAnyFenceOpen: Bool {
        guard let last = document.blocks.last, case .other(.code) = last.content, source.isFenced(last) else {
            return false
        }
        let opening = source.bytes[last.range].prefix { $0 == source.bytes[last.range.lowerBound] }
        let end = trimmed(source.string(source.lineRange(last.lines.upperBound))[...])
        return last.lines.count == 1 || end.utf8.count < opening.count || !end.utf8.allSatisfy { $0 == opening.first }
    }

    /// Returns whether a line in a code block opens another one of the same kind: its fence has a word after it.
    private func containsFence(_ block: Block, _ fence: String) -> Bool {
        block.lines.dropFirst().contains { line in
            let text = source.bytes[source.lineRange(line)].drop { $0 == 0x20 }
            let rest = text.drop { $0 == fence.utf8.first }
            return text.starts(with: fence.utf8) && rest.first.map { $0 != 0x20 && $0 != 0x09 && $0 != 0x60 } ?? false
        }
    }

    /// The first line that would be part of a definition if it were outside of its block, if any. Code contains pipes
    /// as well, so only the last block, which has no end, may contain rows.
    private func definition(in block: Block, after start: String) -> Range<Int>? {
        let isCode = if case .other(.code) = block.content { true } else { false }
        let hasRows = !isCode || block.lines == document.blocks.last?.lines
        for line in block.lines {
            let isFirst = line == block.lines.lowerBound
            let end = source.lineRange(line).upperBound
            let begin = isFirst ? block.range.lowerBound + start.utf8.count : source.lineStarts[line]
            guard let scan = source.scan(in: min(begin, end)..<end), scan.start < scan.end else { continue }
            let isHeading = scan.marks == 2 && scan.hasBlankAfterMarks && hasName(scan.afterMarks..<scan.end)
            let isRow = scan.beginsWithPipe || scan.separators > 0 && Self.readsLikeRow(cells(of: scan), in: .event)
            if isHeading || hasRows && !isFirst && isRow { return scan.start..<scan.end }
        }
        return nil
    }

    /// The first line that begins or ends a side of a merge conflict; nil without a conflict.
    func mergeConflict(file: Int) -> Diagnostic? {
        let line = source.bytes.withUnsafeBufferPointer { buffer in
            source.lineStarts.firstIndex { start in
                guard start + 7 < buffer.count, [0x3C, 0x3E, 0x7C].contains(buffer[start]) else { return false }
                return buffer[start..<(start + 7)].allSatisfy { $0 == buffer[start] } && buffer[start + 7] == 0x20
            }
        }
        let help = "keep the intended lines of both sides, and remove the lines `<<<<<<<`, `=======` and `>>>>>>>`"
        return line.map {
            Diagnostic(
                .mergeConflict, "the file is in a merge conflict", at: Place(file: file, range: source.lineRange($0)),
                .help(help))
        }
    }
}
