import MarkdownSyntax

/// Lines of the list form that define nothing.
extension FileParser {
    mutating func reportLost(_ list: List, _ block: Block, isNotes: Bool, hasColumns: Bool) -> Found {
        let scans = scans(at: block, skippingMarkers: true)
        if !scans.isEmpty {
            if scans.contains(where: { $0.scan.marks > 0 }),
                reportHeading(among: source.scans(at: block.lines), isText: true) || reportHeading(among: scans)
            {
                return .heading
            }
            guard !isNotes else { return .nothing }
            if let (line, scan) = scans.first(where: { $0.scan.beginsWithPipe || $0.scan.isDelimiter }) {
                return lost(
                    line, scan, "a table in a list defines nothing",
                    [.help("put an empty line above the table, and the table at the beginning of its lines")])
            }
        }
        guard !isNotes else { return .nothing }
        let isColumns = scans.contains { $0.scan.hasMarkedType } || isColumnList(list)
        if isColumns, !hasColumns {
            // The list's own items are read. Content nested in them is description.
            var nested = list.items.flatMap { $0.children.map(\.lines) }[...]
            for (line, scan) in scans where scan.hasListType {
                while let first = nested.first, first.upperBound < line { nested.removeFirst() }
                guard let first = nested.first, first.contains(line) else { continue }
                if reportColumn(on: line, scan, isItem: true) { return .table }
            }
            return .nothing
        }
        if isColumns {
            guard scans.contains(where: { $0.scan.hasListType }) else { return .nothing }
            report(
                .secondTable, "a list of columns beside a table of columns defines nothing",
                at: source.lineRange(block.lines.lowerBound),
                notes: [.help("put the columns into the table, or the list below a `###` heading")])
            return .nothing
        }
        for item in list.items {
            guard let range = item.text else { continue }
            let line = source.lineIndex(at: range.lowerBound)
            guard let scan = source.scan(at: line, skippingMarkers: true) else { continue }
            if reportColumn(on: line, scan, isItem: true) || !hasColumns && reportColumnInWords(scan) { return .table }
        }
        return .nothing
    }

    /// Reports an item such as `size (int): the size of the box`, where no table has columns.
    private mutating func reportColumnInWords(_ scan: LineScan) -> Bool {
        guard scan.start < scan.end else { return false }
        let text = source.string(scan.start..<scan.end)
        guard let open = text.firstIndex(where: { $0 == "(" || $0 == "（" }),
            let close = text[open...].firstIndex(where: { $0 == ")" || $0 == "）" })
        else { return false }
        let identifier = Name(cell: String(trimmedWide(text[..<open])), range: 0..<0, in: source, file: file).identifier
        let type = trimmedWide(text[text.index(after: open)..<close])
        let word = type.prefix { $0.isASCII && ($0.isLetter || $0.isNumber) }
        guard Name.isIdentifier(identifier), TypeNotation.builtIn[String(word)] != nil,
            ["", "?"].contains(type.dropFirst(word.count))
        else {
            return false
        }
        report(
            .listColumn, "this line reads like the column `\(identifier)` and defines nothing",
            at: scan.start..<scan.end,
            notes: [.help("put it into a table with the headers `column` and `type`")])
        return true
    }

    mutating func reportItems(in scans: Scans) -> Bool {
        for (line, scan) in scans where scan.hasListType && reportColumn(on: line, scan, isItem: false) { return true }
        return false
    }

    /// Reports a line that looks like a column of the list form at a place where no columns are read:
    /// `recipe_id: !integer`, or `- recipe_id: integer` in a list.
    mutating func reportColumn(on line: Int, _ scan: LineScan, isItem: Bool) -> Bool {
        guard let (identifier, written) = columnItem(on: scan, isItem: isItem) else { return false }
        report(
            .listColumn, "this line reads like the column `\(identifier)` and defines nothing",
            at: scan.start..<scan.end,
            notes: [
                written.map { .help("write `\($0)` at the beginning of a line", .replaceLine($0)) }
                    ?? .help("put it into a table with the headers `column` and `type`")
            ])
        return true
    }

    /// The column that a line reads like: its name, and the item to write if the list form has the type.
    func columnItem(on scan: LineScan, isItem: Bool) -> (identifier: String, written: String?)? {
        guard scan.start < scan.end else { return nil }
        let text = source.string(scan.start..<scan.end)
        let scalars = text.unicodeScalars
        let parting = scalars.firstIndex { $0 == ":" || $0 == "\u{FF1A}" }
        guard let parting = parting ?? (scan.hasListType ? scalars.firstIndex { $0 == "!" || $0 == "\u{FF01}" } : nil)
        else { return nil }
        var name = trimmedWide(text[..<parting])
        while let first = name.unicodeScalars.first,
            ["-", "*", "+", "\u{2022}", "\u{30FB}", "\u{FF0D}", "\u{2013}", "\u{2014}", "\u{2010}", "\u{FF65}"]
                .contains(first)
        {
            name = trimmedWide(Substring(name.unicodeScalars.dropFirst()))
        }
        let identifier = Name(cell: String(name), range: 0..<0, in: source, file: file).identifier
        guard Name.isIdentifier(identifier) else { return nil }
        var type = trimmedWide(Substring(scalars[parting...].drop { $0 == ":" || $0 == "\u{FF1A}" }))
        let isMarked = type.unicodeScalars.first == "!" || type.unicodeScalars.first == "\u{FF01}"
        if isMarked { type = trimmedWide(Substring(type.unicodeScalars.dropFirst())) }
        guard isMarked || isItem else { return nil }
        let word = String(type.prefix { $0.isASCII && ($0.isLetter || $0.isNumber) })
        guard let known = TypeNotation.builtIn[word] else { return nil }
        let rest = trimmedWide(type.dropFirst(word.count))
        // If words follow the type, the line is a sentence. But a `!` makes the meaning clear.
        guard isMarked || rest.isEmpty || rest == "?" || Int(trimmed(rest.drop { $0 == "?" })) != nil else {
            return nil
        }
        let written = known.listName.map {
            "- \(identifier): !\($0)\(rest.isEmpty ? "" : rest.hasPrefix("?") ? rest : " " + rest)"
        }
        return (identifier, written)
    }
}

extension LogValueType {
    /// The type's name in the list form, if it has one.
    fileprivate var listName: String? {
        switch self {
        case .string: "string"
        case .integer(let integer):
            !integer.isSigned
                ? nil
                : integer.bits == 16 ? "smallint" : integer.bits == 32 ? "integer" : integer.bits == 64 ? "bigint" : nil
        case .number(let number): number.bits == 32 ? "real" : "double"
        case .boolean: "boolean"
        case .date: "date"
        case .timestamp: "timestamp"
        case .decimal, .uuid, .url, .enumeration, .array, .named: nil
        }
    }
}
