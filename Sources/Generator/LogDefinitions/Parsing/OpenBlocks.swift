import MarkdownSyntax

/// Code blocks and comments without an end.
extension FileParser {
    /// Reports a code block or comment without an end. It contains everything below it, also definitions.
    mutating func reportOpenBlock() -> Bool {
        guard let last = document.blocks.last else { return false }
        switch last.content {
        case .other(.code) where isFenced(last) && !isClosed(last):
            // If an earlier block has lost its end, the first line of the next block closes it. This goes on to the
            // last block.
            let culprit = document.blocks.first { block in
                guard case .other(.code) = block.content, isFenced(block), block.lines.count > 1 else { return false }
                return definition(
                    in: block.lines.lowerBound + 1...block.lines.upperBound, of: block,
                    headingsOnly: block.lines != last.lines) != nil
            }
            guard let block = culprit,
                let (line, scan) = definition(in: block.lines.lowerBound + 1...block.lines.upperBound, of: block)
            else { return false }
            let first = source.bytes[block.range]
            let fence = first.prefix { $0 == first.first }
            reportOpen("code block", block, line, scan, end: String(decoding: fence, as: UTF8.self))
            return true
        case .other(.html)
        where last.lines.count > 1 && source.bytes[last.range].starts(with: "<!--".utf8)
            && count("-->", in: source.bytes[last.range]) == 0:
            guard let (line, scan) = definition(in: last.lines.lowerBound + 1...last.lines.upperBound, of: last) else {
                return false
            }
            reportOpen("comment", last, line, scan, end: "-->")
            return true
        default: return false
        }
    }

    func isClosed(_ block: Block) -> Bool {
        guard block.lines.count > 1 else { return false }
        let opening = source.bytes[block.range].prefix { $0 == source.bytes[block.range.lowerBound] }
        let last = trimmed(source.string(source.lineRange(block.lines.upperBound))[...])
        return last.utf8.count >= opening.count && last.utf8.allSatisfy { $0 == opening.first }
    }

    /// The first line that would define something if it were outside this block.
    func definition(in lines: ClosedRange<Int>, of block: Block, headingsOnly: Bool = false) -> (
        line: Int, scan: LineScan
    )? {
        source.scans(at: lines).first { _, scan in
            (scan.marks == 2 && scan.hasBlankAfterMarks && identifier(in: scan) != nil)
                || (!headingsOnly && (scan.beginsWithPipe || scan.hasListType))
        }
    }

    mutating func reportOpen(_ what: String, _ block: Block, _ line: Int, _ scan: LineScan, end: String) {
        report(
            .openBlock, "this \(what) is not closed and takes in definitions",
            at: source.lineRange(block.lines.lowerBound),
            notes: [
                .note("such as this one", at: Place(file: file, range: scan.start..<scan.end)),
                .help(
                    "end the \(what) with a line `\(end)`",
                    .insertLine(end, before: Place(file: file, range: scan.start..<scan.end))),
            ])
    }
}
