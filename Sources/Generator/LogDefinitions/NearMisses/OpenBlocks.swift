import MarkdownSyntax

/// Code blocks and comments without an end, and merge conflicts.
extension LostLineSearch {
    /// The error about a code block or comment without an end that contains a definition. Nil without such a block.
    func openBlock(file: Int) -> Diagnostic? {
        for (index, block) in document.blocks.enumerated() {
            let isLast = index == document.blocks.count - 1
            let text = source.bytes[block.range]
            switch block.content {
            case .other(.code) where source.isFenced(block):
                // The opening fence of the next code block closes one without an end by mistake, and so on, until the
                // last block of the document has no end.
                let fence = text.prefix { $0 == text.first }
                guard isAnyFenceOpen || containsFence(block, fence) else { continue }
                guard let definition = definition(in: block, after: fence.count, headingsOnly: !isLast) else {
                    continue
                }
                return openBlock("code block", block, definition, end: String(decoding: fence, as: UTF8.self), file)
            case .other(.html) where text.starts(with: "<!--".utf8):
                let starts = source.occurrences(of: Array("<!--".utf8), in: block.range)
                let isOpen = isLast && source.occurrences(of: Array("-->".utf8), in: block.range, limit: 1).isEmpty
                // If a comment contains the start of another comment, its own end is missing.
                guard isOpen || starts.count > 1, let definition = definition(in: block, after: 4) else { continue }
                return openBlock("comment", block, definition, end: "-->", file)
            case .other(.html):
                // These tags include everything up to their end tags, across blank lines.
                let html = isLast ? source.string(block.range).lowercased() : ""
                guard let (tag, end) = Self.rawTags.first(where: { html.hasPrefix($0.start) }), !html.holds(end),
                    let definition = definition(in: block, after: tag.utf8.count)
                else { continue }
                return openBlock("`\(tag)` block", block, definition, end: end, file)
            default: continue
            }
        }
        return nil
    }

    private static let rawTags: [(start: String, end: String)] = [
        ("<script", "</script>"), ("<pre", "</pre>"), ("<textarea", "</textarea>"), ("<style", "</style>"),
        ("<?", "?>"), ("<![cdata[", "]]>"), ("<!", ">"),
    ]

    private func openBlock(_ name: String, _ block: Block, _ definition: Range<Int>, end: String, _ file: Int)
        -> Diagnostic
    {
        let place = Place(file: file, range: definition)
        return Diagnostic(
            .openBlock, "this \(name) is not closed and contains definitions",
            at: Place(file: file, range: source.lineRange(block.lines.lowerBound)),
            notes: [
                .note("this definition, for example", at: place),
                .help("close the \(name) with a line `\(end)` above the definition", .insertLine(end, before: place)),
            ])
    }

    private var isAnyFenceOpen: Bool {
        guard let last = document.blocks.last, case .other(.code) = last.content, source.isFenced(last) else {
            return false
        }
        let opening = source.bytes[last.range].prefix { $0 == source.bytes[last.range.lowerBound] }
        let end = trimmed(source.string(source.lineRange(last.lines.upperBound))[...])
        return last.lines.count == 1 || end.utf8.count < opening.count || !end.utf8.allSatisfy { $0 == opening.first }
    }

    /// Returns whether a line in a code block opens another one of the same kind: its fence has a word after it.
    private func containsFence(_ block: Block, _ fence: ArraySlice<UInt8>) -> Bool {
        block.lines.dropFirst().contains { line in
            let text = source.bytes[source.lineRange(line)].drop { $0 == 0x20 }
            let rest = text.drop { $0 == fence.first }
            return text.starts(with: fence) && rest.first.map { $0 != 0x20 && $0 != 0x09 && $0 != 0x60 } ?? false
        }
    }

    /// The first line that would be part of a definition if it were outside of its block, if any.
    private func definition(in block: Block, after count: Int, headingsOnly: Bool = false) -> Range<Int>? {
        for line in block.lines {
            let start = line == block.lines.lowerBound ? block.range.lowerBound + count : source.lineStarts[line]
            let range = min(start, source.lineRange(line).upperBound)..<source.lineRange(line).upperBound
            guard let scan = source.scan(in: range), scan.start < scan.end else { continue }
            let isHeading = scan.marks == 2 && scan.hasBlankAfterMarks && hasName(scan.afterMarks..<scan.end)
            let isRow = scan.beginsWithPipe || scan.separators > 0 && Self.readsLikeRow(cells(of: scan), in: .event)
            if isHeading || (!headingsOnly && line > block.lines.lowerBound && isRow) { return scan.start..<scan.end }
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
        return line.map {
            Diagnostic(
                .mergeConflict, "the file is in a merge conflict", at: Place(file: file, range: source.lineRange($0)),
                notes: [
                    .help(
                        "keep the intended lines of both sides, and remove the lines `<<<<<<<`, `=======` and `>>>>>>>`"
                    )
                ])
        }
    }
}
