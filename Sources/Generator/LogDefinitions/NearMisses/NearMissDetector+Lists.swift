import MarkdownSyntax

/// Columns and details in lists and paragraphs.
extension NearMissDetector {
    func finding(in list: List, at position: Position) -> Finding {
        let block = position.block
        let scans = source.scans(at: block.lines, skippingMarkers: true)
        if scans.contains(where: { $0.scan.marks > 0 }),
            let heading = heading(among: source.scans(at: block.lines), isText: true) ?? heading(among: scans)
        {
            return Finding(.heading(heading), .heading)
        }
        guard !position.isNotes else { return .none }
        if let (_, scan) = scans.first(where: { $0.scan.beginsWithPipe || $0.scan.isDelimiter }) {
            return Finding(.tableInList(scan.range), .table)
        }
        guard position.section.role(at: position.index).isColumnList else { return columns(at: position) }
        guard position.section.firstColumnTable != nil else { return nestedColumn(in: list, scans) ?? .none }
        guard scans.contains(where: { $0.scan.hasListType }) else { return columns(at: position) }
        return Finding(.secondColumnList(source.lineRange(block.lines.lowerBound)), .none)
    }

    /// A column in a nested item, if any. The parser reads a list's own items as columns, and nested
    /// items as descriptions.
    private func nestedColumn(in list: List, _ scans: Scans) -> Finding? {
        var nested = list.items.flatMap { $0.children.map(\.lines) }[...]
        for (line, scan) in scans where scan.hasListType {
            while let first = nested.first, first.upperBound < line { nested.removeFirst() }
            guard let first = nested.first, first.contains(line) else { continue }
            if let column = ColumnLine(source.lineRange(line), in: source) {
                return Finding(.columnLine(column, isBesideTable: false), .table)
            }
        }
        return nil
    }

    /// The lines of a block that begin with a name and a type. A line that may be a part of a sentence counts only at
    /// the start of the block, or below another column.
    func columns(at position: Position) -> Finding {
        var finding = Finding.none
        var isBelowText = false
        let isCode = if case .other(.code) = position.block.content { true } else { false }
        for line in position.block.lines {
            // Code with strings is an example.
            if isCode, source.bytes[source.lineRange(line)].contains(UInt8(ascii: "\"")) { continue }
            if let column = ColumnLine(source.lineRange(line), in: source), !column.isProse || !isBelowText,
                column.isMarked || position.context != .type
            {
                let isBesideTable = position.section.firstColumnTable != nil
                finding.nearMisses.append(.columnLine(column, isBesideTable: isBesideTable))
                finding.effect = .table
                isBelowText = false
            } else {
                isBelowText = !source.isBlankLine(line)
            }
        }
        return finding
    }

    // MARK: Details

    /// The details that a paragraph or list contains outside of a details table; nil without details.
    func details(in block: Block, _ section: Section) -> MisplacedDetails? {
        var found: [(range: Range<Int>, key: Details.Key, value: String)] = []
        var hasOtherLines = false
        for line in block.lines {
            if let detail = detail(on: line, section.context) {
                found.append(detail)
            } else if !source.isBlankLine(line) {
                hasOtherLines = true
            }
        }
        guard let first = found.first else { return nil }
        let fix: MisplacedDetails.Fix =
            section.hasDetails ? .addToTable : hasOtherLines ? .newTable : .replace(block.lines)
        return MisplacedDetails(range: first.range, details: found.map { ($0.key, $0.value) }, fix: fix)
    }

    private func detail(on line: Int, _ context: SectionContext) -> (
        range: Range<Int>, key: Details.Key, value: String
    )? {
        guard let scan = source.scan(in: source.lineRange(line), skippingMarkers: true), scan.start < scan.end else {
            return nil
        }
        let text = source.string(scan.start..<min(scan.end, scan.start + 400))
        guard let colon = text.unicodeScalars.firstIndex(where: { $0 == ":" || $0 == "\u{FF1A}" }) else { return nil }
        let word = text[..<colon].trimmingInvisible().filter { $0 != "*" && $0 != "`" && $0 != "_" }
        let value = String(
            withoutBackticks(
                Substring(text.unicodeScalars[colon...].dropFirst()).trimmingInvisible()
                    .drop { $0 == "*" || $0 == " " }))
        guard let key = Details.Key(spelling: String(word)), key.isOfTypes == (context == .type), !value.isEmpty,
            value.utf8.count <= 300,
            context != .common || key == .privacy, (try? key.read(value)) != nil
        else { return nil }
        // A sentence can also begin with `owner:` or `since:`. A team has no spaces or begins with `@`; a version has
        // no spaces and at least one digit.
        switch key {
        case .owner where !(value.hasPrefix("@") || !value.contains(" ")): return nil
        case .since where value.contains(" ") || !value.utf8.contains { (0x30...0x39).contains($0) }: return nil
        default: return (scan.start..<scan.end, key, value.split(separator: "|").joined(separator: "\\|"))
        }
    }
}
