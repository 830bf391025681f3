import MarkdownSyntax

/// Definitions inside HTML blocks. Most such blocks end at the first blank line and take in every line above it.
extension FileParser {
    /// Reports the first line of an HTML block that was meant as part of a definition.
    ///
    /// - Parameters:
    ///   - isNotes: whether a heading with `###` or more stands above.
    ///   - hasColumnsAbove: whether the section's column table stands above. A table made of HTML is a note there.
    ///   - above: the block before this one.
    ///   - lastTable: the last table of the section before this block.
    mutating func reportLostHTML(
        _ block: Block, _ isNotes: Bool, hasColumnsAbove: Bool, _ previous: Previous, above: Block?, lastTable: Block?,
        in context: SectionBody.Context
    ) -> Found {
        let text = source.bytes[block.range]
        if text.starts(with: "<!--".utf8) { return reportLostComment(block, text, isNotes, lastTable, in: context) }
        let isBelowColumnList = isColumnList(above, endingAbove: block)
        var fence: (line: Int, scan: LineScan)?
        for line in block.lines {
            guard let scan = source.scan(in: source.lineRange(line), skippingTags: true), scan.start < scan.end else {
                continue
            }
            if let heading = heading(scan, on: line, below: block.lines.lowerBound, isNotes) {
                return reportInHTML(heading.line, heading.scan, .brokenHeading, block, found: .heading)
            }
            if isFence(scan) { fence = fence == nil ? (line, scan) : nil }
            guard !isNotes else { continue }
            if reads(scan, asRowBelow: lastTable, in: context) {
                return reportInHTML(line, scan, .brokenTable, block, found: .table)
            }
            if isColumnItem(on: line, isBelowColumnList) {
                return reportInHTML(line, scan, .listColumn, block, found: .table)
            }
        }
        if let fence { return reportInHTML(fence.line, fence.scan, .openBlock, block, found: .nothing) }
        let isRow = !isNotes && previous == .table && above?.lines.upperBound == block.lines.lowerBound - 1
        guard !(isNotes || hasColumnsAbove) || isRow,
            ["<table", "<tr", "<td", "<th", "<tbody"].contains(where: {
                starts(text, with: $0) || count($0, in: text) > 0
            })
        else { return .nothing }
        report(
            .brokenTable, "a table in HTML defines nothing", at: source.lineRange(block.lines.lowerBound),
            notes: [.help("write it as a table with pipes; one that defines nothing goes below a `###` heading")])
        return .table
    }

    /// Reports what a comment takes in because its end is missing, and a definition after its end on the same line.
    private mutating func reportLostComment(
        _ block: Block, _ text: ArraySlice<UInt8>, _ isNotes: Bool, _ lastTable: Block?, in context: SectionBody.Context
    ) -> Found {
        // If a comment contains the start of another comment, its own end is missing.
        if count("<!--", in: text) > 1, block.lines.count > 1,
            let (line, scan) = definition(in: block.lines.lowerBound + 1...block.lines.upperBound, of: block)
        {
            reportOpen("comment", block, line, scan, end: "-->")
            return .nothing
        }
        let last = block.lines.upperBound
        guard let end = source.occurrences(of: Array("-->".utf8), in: source.lineRange(last)).last,
            let scan = source.scan(in: end + 3..<source.lineRange(last).upperBound, skippingTags: true),
            scan.start < scan.end
        else { return .nothing }
        if isHeading(scan, isNotes) { return reportInHTML(last, scan, .brokenHeading, block, found: .heading) }
        guard !isNotes, reads(scan, asRowBelow: lastTable, in: context) else { return .nothing }
        return reportInHTML(last, scan, .brokenTable, block, found: .table)
    }

    // MARK: Lines

    /// The heading that a line is, or that it underlines.
    private func heading(_ scan: LineScan, on line: Int, below first: Int, _ isNotes: Bool) -> (
        line: Int, scan: LineScan
    )? {
        if isHeading(scan, isNotes) { return (line, scan) }
        let underline = source.bytes[scan.start..<scan.end]
        guard line > first, underline.count > 1,
            underline.allSatisfy({ $0 == UInt8(ascii: "-") }) || underline.allSatisfy({ $0 == UInt8(ascii: "=") }),
            let above = source.scan(in: source.lineRange(line - 1), skippingTags: true), above.start < above.end
        else { return nil }
        let name = Name(
            cell: source.string(above.start..<above.end), range: above.start..<above.end, in: source, file: file,
            allowsTitle: true)
        return Name.isIdentifier(name.identifier) ? (line - 1, above) : nil
    }

    private func isHeading(_ scan: LineScan, _ isNotes: Bool) -> Bool {
        guard (1...6).contains(scan.marks), scan.afterMarks < scan.end else { return false }
        return isNotes ? isLostHeading(scan, isText: false) : scan.marks > 1 || scan.hasAnyBlankAfterMarks
    }

    /// Whether a line reads like a row, a detail or a value.
    private func reads(_ scan: LineScan, asRowBelow table: Block?, in context: SectionBody.Context) -> Bool {
        if scan.beginsWithPipe || scan.isDelimiter { return true }
        return scan.separators > 0
            && (readsLikeRow(cells(of: scan), in: context) || isRow(scan, below: table, in: context))
    }

    /// Whether a line reads like an item of a list of columns: a column, or the description of one.
    private func isColumnItem(on line: Int, _ isBelowColumnList: Bool) -> Bool {
        let range = source.lineRange(line)
        guard let plain = source.scan(in: range, skippingTags: true),
            let item = source.scan(in: range, skippingMarkers: true, skippingTags: true)
        else { return false }
        if item.hasMarkedType { return true }
        guard item.start > plain.start, item.start < item.end else { return false }
        return isBelowColumnList || (columnItem(on: item, isItem: true) != nil)
    }

    private func isColumnList(_ block: Block?, endingAbove next: Block) -> Bool {
        guard let block, case .list(let list) = block.content, block.lines.upperBound == next.lines.lowerBound - 1
        else { return false }
        return isColumnList(list)
    }

    private func isFence(_ scan: LineScan) -> Bool {
        let text = source.bytes[scan.start..<scan.end]
        return text.starts(with: "```".utf8) || text.starts(with: "~~~".utf8)
    }

    // MARK: Messages

    mutating func reportInHTML(_ line: Int, _ scan: LineScan, _ rule: Rule, _ block: Block, found: Found) -> Found {
        let range = source.lineRange(line)
        let text = source.string(scan.start..<scan.end)
        let isAfterTag = source.bytes[range.lowerBound..<scan.start].contains { $0 != 0x20 && $0 != 0x09 }
        let help: Diagnostic.Note
        if isAfterTag {
            let before = trimmed(source.string(range.lowerBound..<scan.start)[...])
            help = .help(
                "put it on a line of its own, with an empty line above it",
                .replaceLine("\(before)\(source.lineEnd)\(source.lineEnd)\(text)"))
        } else if let tag = rawTag(of: block) {
            // Such a block takes in everything up to its end, however far below.
            guard isEnded(block, tag) else {
                reportOpen(tag, block, line, scan, end: end(of: tag))
                return found
            }
            help = .help("close `\(tag)` above it; an example of a definition goes into a code block")
        } else {
            help = .help(
                "put an empty line above it, which ends the HTML",
                .insertLine("", before: Place(file: file, range: scan.start..<scan.start)))
        }
        report(
            rule,
            "`\(shortened(text))` is part of the HTML that begins with `\(shortened(firstTag(of: block)))`, and defines nothing",
            at: scan.start..<scan.end, notes: [help])
        return found
    }

    private func firstTag(of block: Block) -> String {
        let text = source.string(block.range.lowerBound..<source.lineRange(block.lines.lowerBound).upperBound)
        return text.firstIndex(of: ">").map { String(text[...$0]) } ?? text
    }

    /// The tag of a block that a blank line does not end.
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

    /// Whether an indented block of code was meant as the description of a column. HTML stands between it and the list.
    func isItemOfList(_ block: Block, above: Block?, beforeThat: Block?) -> Bool {
        guard let above, case .other(.html) = above.content, isColumnList(beforeThat, endingAbove: above),
            above.lines.upperBound == block.lines.lowerBound - 1
        else { return false }
        let range = source.lineRange(block.lines.lowerBound)
        guard let plain = source.scan(in: range), let item = source.scan(in: range, skippingMarkers: true) else {
            return false
        }
        return item.start > plain.start && item.start < item.end
    }

    func starts(_ text: ArraySlice<UInt8>, with tag: String) -> Bool {
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
