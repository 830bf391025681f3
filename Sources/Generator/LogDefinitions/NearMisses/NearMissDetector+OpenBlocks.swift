import MarkdownSyntax

/// Code blocks and comments without an end, and merge conflicts.
extension NearMissDetector {
    /// The code block or comment without an end, if it contains a definition; otherwise nil. Such a block contains all
    /// lines below its start.
    func openBlock() -> OpenBlock? {
        guard let last = document.blocks.last else { return nil }
        switch last.content {
        case .other(.code) where isFenced(last) && !isClosed(last): return openFence(endingWith: last)
        case .other(.html)
        where source.bytes[last.range].starts(with: "<!--".utf8)
            && count("-->", in: source.bytes[last.range]) == 0:
            return (heading(after: 4, of: last) ?? definition(below: last)).map {
                openBlock("comment", last, $0, end: "-->")
            }
        default: return nil
        }
    }

    /// The code block whose end is missing: the first code block that contains a definition. The opening fence of the
    /// next code block closes it by mistake, and so on, until the last block of the document has no end.
    private func openFence(endingWith last: Block) -> OpenBlock? {
        for block in document.blocks {
            guard case .other(.code) = block.content, isFenced(block) else { continue }
            let text = source.bytes[block.range]
            let fence = text.prefix { $0 == text.first }
            let isLast = block.lines == last.lines
            guard
                let definition = heading(after: fence.count, of: block)
                    ?? (definition(below: block, headingsOnly: !isLast) == nil ? nil : definition(below: block))
            else { continue }
            return openBlock("code block", block, definition, end: String(decoding: fence, as: UTF8.self))
        }
        return nil
    }

    private func isClosed(_ block: Block) -> Bool {
        guard block.lines.count > 1 else { return false }
        let opening = source.bytes[block.range].prefix { $0 == source.bytes[block.range.lowerBound] }
        let last = trimmed(source.string(source.lineRange(block.lines.upperBound))[...])
        return last.utf8.count >= opening.count && last.utf8.allSatisfy { $0 == opening.first }
    }

    /// The heading after the marker that opens a block, as in `<!-- ## show`, if any.
    private func heading(after count: Int, of block: Block) -> Range<Int>? {
        let line = source.lineRange(block.lines.lowerBound)
        let rest = line.dropFirst(block.range.lowerBound - line.lowerBound + count)
        guard let start = rest.first(where: { source.bytes[$0] != 0x20 }),
            source.bytes[start...].starts(with: "## ".utf8)
        else { return nil }
        let name = Name.identifier(ofCell: source.string(start + 3..<line.upperBound), allowsTitle: true)
        return Name.isIdentifier(name) ? start..<line.upperBound : nil
    }

    private func definition(below block: Block, headingsOnly: Bool = false) -> Range<Int>? {
        guard block.lines.count > 1 else { return nil }
        return definition(in: block.lines.lowerBound + 1...block.lines.upperBound, headingsOnly: headingsOnly)
    }

    /// The first line that would be part of a definition if it were outside of its block, if any.
    func definition(in lines: ClosedRange<Int>, headingsOnly: Bool = false) -> Range<Int>? {
        source.scans(at: lines).first { _, scan in
            (scan.marks == 2 && scan.hasBlankAfterMarks && hasName(scan))
                || (!headingsOnly && (scan.beginsWithPipe || scan.hasListType))
        }.map { $0.scan.start..<$0.scan.end }
    }

    func openBlock(_ name: String, _ block: Block, _ definition: Range<Int>, end: String) -> OpenBlock {
        OpenBlock(
            name: name, range: source.lineRange(block.lines.lowerBound), definition: definition, end: end)
    }

    /// The first line that begins or ends a side of a merge conflict; nil without a conflict.
    func mergeConflict() -> NearMiss? {
        let line = source.bytes.withUnsafeBufferPointer { buffer in
            source.lineStarts.firstIndex { start in
                guard start + 7 < buffer.count, buffer[start] == UInt8(ascii: "<") || buffer[start] == UInt8(ascii: ">")
                else { return false }
                return buffer[start..<(start + 7)].allSatisfy { $0 == buffer[start] } && buffer[start + 7] == 0x20
            }
        }
        return line.map { .mergeConflict(source.lineRange($0)) }
    }
}
