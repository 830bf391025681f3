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
        let hasColumns = position.section.firstColumnTable != nil
        let isColumnList =
            scans.contains { $0.scan.hasMarkedType } || position.section.role(at: position.index).isColumnList
        if isColumnList {
            guard hasColumns else { return nestedColumn(in: list, scans) ?? .none }
            guard scans.contains(where: { $0.scan.hasListType }) else { return .none }
            return Finding(.secondColumnList(source.lineRange(block.lines.lowerBound)), .none)
        }
        for item in list.items {
            guard let range = item.text,
                let scan = source.scan(at: source.lineIndex(at: range.lowerBound), skippingMarkers: true)
            else { continue }
            if let column = columnLine(scan, isItem: true) ?? (hasColumns ? nil : columnInWords(scan)) {
                return Finding(.columnLine(column), .table)
            }
        }
        return .none
    }

    /// A column in a nested item; nil without one. The parser reads a list's own items as columns, and nested items as
    /// descriptions.
    private func nestedColumn(in list: List, _ scans: Scans) -> Finding? {
        var nested = list.items.flatMap { $0.children.map(\.lines) }[...]
        for (line, scan) in scans where scan.hasListType {
            while let first = nested.first, first.upperBound < line { nested.removeFirst() }
            guard let first = nested.first, first.contains(line) else { continue }
            if let column = columnLine(scan, isItem: true) { return Finding(.columnLine(column), .table) }
        }
        return nil
    }

    /// A column in prose, such as `size (int): the size of the box`; nil for other prose.
    private func columnInWords(_ scan: LineScan) -> ColumnLine? {
        guard scan.start < scan.end else { return nil }
        let text = source.string(scan.start..<scan.end)
        guard let open = text.firstIndex(where: { $0 == "(" || $0 == "（" }),
            let close = text[open...].firstIndex(where: { $0 == ")" || $0 == "）" })
        else { return nil }
        let name = Name.identifier(ofCell: String(text[..<open].trimmingInvisible()))
        let type = text[text.index(after: open)..<close].trimmingInvisible()
        let word = type.prefix { $0.isASCII && ($0.isLetter || $0.isNumber) }
        guard Name.isIdentifier(name), TypeNotation.builtIn[String(word)] != nil,
            ["", "?"].contains(type.dropFirst(word.count))
        else {
            return nil
        }
        return ColumnLine(range: scan.start..<scan.end, name: name)
    }

    /// The first line that reads like a column and has an exclamation mark before the type; nil without such a line.
    func columnLine(among scans: Scans) -> Finding? {
        for (_, scan) in scans where scan.hasListType {
            if let column = columnLine(scan, isItem: false) { return Finding(.columnLine(column), .table) }
        }
        return nil
    }

    /// The column that was meant by a line such as `recipe_id: !integer`, or `- recipe_id: integer` in a list. Nil for
    /// other lines.
    func columnLine(_ scan: LineScan, isItem: Bool) -> ColumnLine? {
        guard scan.start < scan.end else { return nil }
        let text = source.string(scan.start..<scan.end)
        let scalars = text.unicodeScalars
        let colon = scalars.firstIndex { $0 == ":" || $0 == "\u{FF1A}" }
        guard
            let separator = colon
                ?? (scan.hasListType ? scalars.firstIndex { $0 == "!" || $0 == "\u{FF01}" } : nil)
        else { return nil }
        let name = Name.identifier(ofCell: String(Self.withoutMarkers(text[..<separator])))
        guard Name.isIdentifier(name) else { return nil }
        var type = Substring(scalars[separator...].drop { $0 == ":" || $0 == "\u{FF1A}" }).trimmingInvisible()
        let isMarked = type.unicodeScalars.first == "!" || type.unicodeScalars.first == "\u{FF01}"
        if isMarked { type = Substring(type.unicodeScalars.dropFirst()).trimmingInvisible() }
        guard isMarked || isItem else { return nil }
        let word = String(type.prefix { $0.isASCII && ($0.isLetter || $0.isNumber) })
        guard let known = TypeNotation.builtIn[word] else { return nil }
        let rest = type.dropFirst(word.count).trimmingInvisible()
        // Words after the type suggest a sentence. With a `!` before the type, the line is a column in any case.
        guard isMarked || rest.isEmpty || rest == "?" || Int(trimmed(rest.drop { $0 == "?" })) != nil else {
            return nil
        }
        let length = rest.isEmpty || rest.hasPrefix("?") ? String(rest) : " " + String(rest)
        return ColumnLine(
            range: scan.start..<scan.end, name: name, item: known.listName.map { "- \(name): !\($0)\(length)" })
    }

    private static let markers: Set<Unicode.Scalar> = [
        "-", "*", "+", "\u{2022}", "\u{30FB}", "\u{FF0D}", "\u{2013}", "\u{2014}", "\u{2010}", "\u{FF65}",
    ]

    /// A name without the bullets of a list. These include bullets that CommonMark does not support, such as `•`.
    private static func withoutMarkers(_ name: Substring) -> Substring {
        var name = name.trimmingInvisible()
        while let first = name.unicodeScalars.first, markers.contains(first) {
            name = Substring(name.unicodeScalars.dropFirst()).trimmingInvisible()
        }
        return name
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

extension LogValueType {
    /// The type's name in the list form. Nil for types that the list form does not have.
    fileprivate var listName: String? {
        switch form {
        case .string: "string"
        case .integer(let integer):
            !integer.isSigned
                ? nil
                : integer.bits == 16 ? "smallint" : integer.bits == 32 ? "integer" : integer.bits == 64 ? "bigint" : nil
        case .number(let number): number.bits == 32 ? "real" : "double"
        case .boolean: "boolean"
        case .format(let format): TypeNotation.listNames.contains(format.rawValue) ? format.rawValue : nil
        case .decimal, .enumeration, .array, .named: nil
        }
    }
}
