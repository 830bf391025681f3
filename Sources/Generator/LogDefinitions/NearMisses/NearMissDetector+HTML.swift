import MarkdownSyntax

/// Definitions in HTML blocks. Most such blocks end at the first blank line and contain every line above it.
extension NearMissDetector {
    /// The first line of an HTML block that was intended as part of a definition.
    func findingInHTML(at position: Position) -> Finding {
        let block = position.block
        let text = source.bytes[block.range]
        if text.starts(with: "<!--".utf8) { return findingInComment(text, at: position) }
        let isBelowColumnList = isColumnList(position.block(above: 1), endingAbove: block)
        var fence: (line: Int, scan: LineScan)?
        for line in block.lines {
            guard let scan = source.scan(in: source.lineRange(line), skippingTags: true), scan.start < scan.end else {
                continue
            }
            if let heading = heading(scan, on: line, below: block.lines.lowerBound, position.isNotes) {
                return Finding(nearMiss(of: .heading, on: heading.line, heading.scan, in: block), .heading)
            }
            if isFence(scan) { fence = fence == nil ? (line, scan) : nil }
            guard !position.isNotes else { continue }
            if isRow(scan, at: position) {
                return Finding(nearMiss(of: .row, on: line, scan, in: block), .table)
            }
            if isColumnItem(on: line, isBelowColumnList) {
                return Finding(nearMiss(of: .column, on: line, scan, in: block), .table)
            }
        }
        if let fence { return Finding(nearMiss(of: .fence, on: fence.line, fence.scan, in: block), .none) }
        guard isHTMLTable(text, at: position) else { return .none }
        return Finding(.htmlTable(source.lineRange(block.lines.lowerBound)), .table)
    }

    /// Returns whether a block holds a table of HTML elements. Below the section's column table, such a table is a
    /// note, unless it continues a table.
    private func isHTMLTable(_ text: ArraySlice<UInt8>, at position: Position) -> Bool {
        guard !position.isNotes else { return false }
        let hasColumnsAbove = position.section.firstColumnTable.map { $0 < position.index } ?? false
        let continuesTable =
            position.tableAbove != nil
            && position.block(above: 1)?.block.lines.upperBound == position.block.lines.lowerBound - 1
        guard !hasColumnsAbove || continuesTable else { return false }
        return ["<table", "<tr", "<td", "<th", "<tbody"].contains { count($0, in: text) > 0 }
    }

    /// The definition in a comment whose end is missing, or the definition after the end of a comment on the same line.
    private func findingInComment(_ text: ArraySlice<UInt8>, at position: Position) -> Finding {
        let block = position.block
        // If a comment contains the start of another comment, its own end is missing.
        if count("<!--", in: text) > 1, block.lines.count > 1,
            let definition = definition(in: block.lines.lowerBound + 1...block.lines.upperBound)
        {
            return Finding(.openBlock(openBlock("comment", block, definition, end: "-->")), .none)
        }
        let last = block.lines.upperBound
        guard let end = source.occurrences(of: Array("-->".utf8), in: source.lineRange(last)).last,
            let scan = source.scan(in: end + 3..<source.lineRange(last).upperBound, skippingTags: true),
            scan.start < scan.end
        else { return .none }
        if isHeading(scan, position.isNotes) {
            return Finding(nearMiss(of: .heading, on: last, scan, in: block), .heading)
        }
        guard !position.isNotes, isRow(scan, at: position) else { return .none }
        return Finding(nearMiss(of: .row, on: last, scan, in: block), .table)
    }

    /// Returns whether an indented block of code was intended as the description of a column. HTML separates it from
    /// the list.
    func isDetachedDescription(_ position: Position) -> Bool {
        let block = position.block
        guard let (above, _) = position.block(above: 1), case .other(.html) = above.content,
            isColumnList(position.block(above: 2), endingAbove: above),
            above.lines.upperBound == block.lines.lowerBound - 1
        else { return false }
        let range = source.lineRange(block.lines.lowerBound)
        guard let plain = source.scan(in: range), let item = source.scan(in: range, skippingMarkers: true) else {
            return false
        }
        return item.start > plain.start && item.start < item.end
    }

    // MARK: Lines

    /// The heading that a line contains, or the heading above that the line underlines. Nil without a heading.
    private func heading(_ scan: LineScan, on line: Int, below first: Int, _ isNotes: Bool) -> (
        line: Int, scan: LineScan
    )? {
        if isHeading(scan, isNotes) { return (line, scan) }
        let underline = source.bytes[scan.start..<scan.end]
        guard line > first, underline.count > 1,
            underline.allSatisfy({ $0 == UInt8(ascii: "-") }) || underline.allSatisfy({ $0 == UInt8(ascii: "=") }),
            let above = source.scan(in: source.lineRange(line - 1), skippingTags: true), above.start < above.end,
            Name.isIdentifier(
                Name.identifier(ofCell: source.string(above.start..<above.end), allowsTitle: true))
        else { return nil }
        return (line - 1, above)
    }

    private func isHeading(_ scan: LineScan, _ isNotes: Bool) -> Bool {
        guard (1...6).contains(scan.marks), scan.afterMarks < scan.end else { return false }
        return isNotes ? isBrokenHeading(scan, isText: false) : scan.marks > 1 || scan.hasAnyBlankAfterMarks
    }

    /// Returns whether a line reads like a row, a detail or a value.
    private func isRow(_ scan: LineScan, at position: Position) -> Bool {
        if scan.beginsWithPipe || scan.isDelimiter { return true }
        return scan.separators > 0
            && (Self.readsLikeRow(cells(of: scan), in: position.context)
                || isRow(scan, of: position.lastTable, in: position.context))
    }

    /// Returns whether a line reads like an item of a list of columns: a column, or the description of one.
    private func isColumnItem(on line: Int, _ isBelowColumnList: Bool) -> Bool {
        let range = source.lineRange(line)
        guard let plain = source.scan(in: range, skippingTags: true),
            let item = source.scan(in: range, skippingMarkers: true, skippingTags: true)
        else { return false }
        if ColumnLine(range, in: source).map({ !$0.isProse }) ?? false { return true }
        guard item.start > plain.start, item.start < item.end else { return false }
        return isBelowColumnList
    }

    private func isColumnList(_ above: (block: Block, role: BlockRole)?, endingAbove next: Block) -> Bool {
        guard let (block, role) = above else { return false }
        return role.isColumnList && block.lines.upperBound == next.lines.lowerBound - 1
    }

    private func isFence(_ scan: LineScan) -> Bool {
        let text = source.bytes[scan.start..<scan.end]
        return text.starts(with: "```".utf8) || text.starts(with: "~~~".utf8)
    }

    // MARK: Tags

    /// The near miss of a line, with the fix that fits its block.
    func nearMiss(of part: HTMLContent.Part, on line: Int, _ scan: LineScan, in block: Block) -> NearMiss {
        let before = source.bytes[source.lineRange(line).lowerBound..<scan.start]
        let fix: HTMLContent.Fix
        if before.contains(where: { $0 != 0x20 && $0 != 0x09 }) {
            fix = .separateLine
        } else if let tag = rawTag(of: block) {
            // Such a block contains everything up to its end tag, across blank lines.
            guard isEnded(block, tag) else {
                return .openBlock(openBlock(tag, block, scan.start..<scan.end, end: end(of: tag)))
            }
            fix = .closeTag(tag)
        } else {
            fix = .blankLine
        }
        return .inHTML(
            HTMLContent(part: part, line: line, range: scan.start..<scan.end, tag: firstTag(of: block), fix: fix))
    }

    private func firstTag(of block: Block) -> String {
        let text = source.string(block.range.lowerBound..<source.lineRange(block.lines.lowerBound).upperBound)
        return text.firstIndex(of: ">").map { String(text[...$0]) } ?? text
    }

    /// The tag of a block that ends only at its end tag, not at a blank line. Nil for other blocks.
    private func rawTag(of block: Block) -> String? {
        let text = source.bytes[block.range]
        for tag in ["<script", "<pre", "<textarea", "<style"] where starts(text, with: tag) { return tag + ">" }
        return text.starts(with: "<?".utf8) || text.starts(with: "<!".utf8) ? firstTag(of: block) : nil
    }

    private func end(of tag: String) -> String {
        if tag.hasPrefix("<?") { return "?>" }
        if tag.hasPrefix("<![") { return "]]>" }
        return tag.hasPrefix("<!") ? ">" : "</" + tag.dropFirst()
    }

    private func isEnded(_ block: Block, _ tag: String) -> Bool {
        !source.occurrences(of: Array(end(of: tag).utf8), in: source.lineRange(block.lines.upperBound), limit: 1)
            .isEmpty
    }

    private func starts(_ text: ArraySlice<UInt8>, with tag: String) -> Bool {
        text.prefix(tag.utf8.count).elementsEqual(tag.utf8, by: { $0 | 0x20 == $1 || $0 == $1 })
    }

    func count(_ part: String, in text: ArraySlice<UInt8>) -> Int {
        let part = Array(part.utf8)
        var count = 0
        for index in text.indices
        where text[index] == part[0]
            && text[index...].prefix(part.count).elementsEqual(part, by: { $0 == $1 || $0 | 0x20 == $1 })
        {
            count += 1
        }
        return count
    }
}
