package import MarkdownSyntax

extension SourceText {
    /// The bytes that an edit replaces, and the new text.
    package typealias Replacement = (range: Range<Int>, text: String)

    /// Returns an edit of the row of a column or a value that adds a former name, in a new column of the table if
    /// necessary.
    /// - Parameters:
    ///   - formerName: the former name; nil to add none.
    ///   - place: the place of the current name in its cell.
    ///   - newName: the name that replaces the current one and leaves the former names; nil to keep the current one.
    package func adding(formerName: String?, toRowAt place: Range<Int>, newName: String? = nil) -> Replacement? {
        let line = lineIndex(at: place.lowerBound)
        var found: Table?
        for case .table(let table) in MarkdownDocument(self).blocks.lazy.map(\.content)
        where table.rows.contains(where: { $0.line == line }) { found = table }
        guard let table = found, let row = table.rows.first(where: { $0.line == line }), row.excess == nil else {
            return nil
        }
        let former = formerName.map { "`\($0)`" } ?? ""
        var edits: [Replacement] = newName.map { [(place, $0)] } ?? []
        func changed(_ number: Int) -> String {
            let range = lineRange(number)
            guard number == line else { return string(range) }
            var bytes = Array(self.bytes[range])
            for edit in edits.sorted(by: { $0.range.lowerBound > $1.range.lowerBound }) {
                bytes.replaceSubrange(
                    (edit.range.lowerBound - range.lowerBound)..<(edit.range.upperBound - range.lowerBound),
                    with: edit.text.utf8)
            }
            return String(decoding: bytes, as: UTF8.self)
        }
        /// Returns a row with one more cell after the cells of the header. Cells that the row lacks become empty cells.
        func extended(_ number: Int, cells: Int, by cell: String) -> String {
            var text = String(trimmed(changed(number)[...]))
            if !text.hasSuffix("|") || text.hasSuffix("\\|") { text += " |" }
            return text + String(repeating: " |", count: max(0, table.header.cells.count - cells))
                + (cell.isEmpty ? " |" : " \(cell) |")
        }
        let kinds = table.header.cells.map { HeaderKind($0.text(in: self)) }
        if let index = kinds.firstIndex(of: .formerName) {
            guard index < row.cells.count else {
                let missing = index - row.cells.count
                let text = extended(line, cells: table.header.cells.count, by: "")
                return (lineRange(line), text.dropLast(2) + String(repeating: " |", count: missing) + " \(former) |")
            }
            let cell = row.cells[index].range
            let names = formerNames(string(cell), adding: formerName, removing: newName.map { [$0] } ?? [])
            edits.append((cell, cell.isEmpty ? " \(names) " : names))
            return (lineRange(line), changed(line))
        }
        let header = table.header.line
        let isJapanese = kinds.contains { $0 != nil } && !string(lineRange(header)).utf8.allSatisfy { $0 < 0x80 }
        var lines = [
            extended(
                header, cells: table.header.cells.count, by: HeaderKind.formerName.spelling(inJapanese: isJapanese)),
            extended(header + 1, cells: table.header.cells.count, by: "---"),
        ]
        lines += table.rows.map {
            extended($0.line, cells: $0.cells.count, by: $0.line == line ? former : "")
        }
        let last = table.rows.last?.line ?? header + 1
        return (
            lineRange(header).lowerBound..<lineRange(last).upperBound, lines.joined(separator: lineEnd)
        )
    }

    /// Returns the text of a cell of former names, with another one before the others.
    private func formerNames(_ text: String, adding former: String?, removing names: [String]) -> String {
        let written = text.split { $0 == "," || $0 == "、" || $0 == "，" }.map { String(trimmed($0)) }
        let kept = written.filter { !names.contains(String(withoutBackticks($0[...]))) }
        let rest = kept.count == written.count ? (text.isEmpty ? [] : [text]) : kept
        return ((former.map { ["`\($0)`"] } ?? []) + rest).joined(separator: ", ")
    }

    /// Indicates whether the first table with known headers has Japanese ones; nil without such a table.
    package var hasJapaneseHeaders: Bool? {
        for case .table(let table) in MarkdownDocument(self).blocks.lazy.map(\.content) {
            let texts = table.header.cells.map { $0.text(in: self) }
            if let known = texts.first(where: { HeaderKind($0) != nil }) { return !known.utf8.allSatisfy { $0 < 0x80 } }
        }
        return nil
    }

    /// Returns the advice for the place of an event's former name. Details of a row in a table of events need a section.
    func advice(formerName: String, of event: Event) -> String {
        let row = "`| renamed from | \(formerName) |`"
        guard hasHeading(event) else {
            return "move its rows into a section `## \(event.name)`, and write \(row) into the section's details"
        }
        let hasDetails = event.details.places.contains { $0.place.range.lowerBound > event.place.range.lowerBound }
        return "write \(row) into its details"
            + (hasDetails
                ? "" : ": a table below its description that begins with `| key | value |` and `| --- | --- |`")
    }

    private func hasHeading(_ event: Event) -> Bool {
        string(lineRange(lineIndex(at: event.place.range.lowerBound))).hasPrefix("#")
    }

    /// Returns an edit that adds a former name to the details of an event with a heading, and removes others. Nil for an
    /// event of a table.
    package func adding(formerName: String?, to event: Event, removing names: [String] = []) -> Replacement? {
        let heading = lineRange(lineIndex(at: event.place.range.lowerBound))
        guard hasHeading(event) else { return nil }
        let own = event.details.places.filter { $0.place.range.lowerBound > event.place.range.lowerBound }
        if let place = own.first(where: { $0.key == .renamedFrom })?.place.range {
            let names = formerNames(string(place), adding: formerName, removing: names)
            return names.isEmpty ? (rowOrTable(at: place), "") : (place, names)
        }
        guard let formerName else { return nil }
        let isJapanese: Bool = hasJapaneseHeaders ?? bytes[heading].contains(where: { $0 >= 0x80 })
        let row = "| \(isJapanese ? "旧名" : "renamed from") | `\(formerName)` |"
        if let first = own.map({ lineIndex(at: $0.place.range.lowerBound) }).min() {
            let start = lineStarts[first]
            return (start..<start, row + lineEnd)
        }
        let table = [isJapanese ? "| キー | 値 |" : "| key | value |", "| --- | --- |", row].joined(separator: lineEnd)
        // The table goes below the description, which ends at the columns or the next heading.
        let line = lineIndex(at: event.place.range.lowerBound)
        let columns = event.columns.map { lineIndex(at: $0.place.range.lowerBound) }.min() ?? lineStarts.count
        let end = MarkdownDocument(self).blocks.first { block in
            guard block.lines.lowerBound > line else { return false }
            switch block.content {
            case .heading, .table: return true
            default: return block.lines.contains(columns)
            }
        }
        if let end {
            let start = lineStarts[end.lines.lowerBound]
            return (start..<start, table + lineEnd + lineEnd)
        }
        let isEnded = bytes.last == 0x0A
        return (bytes.count..<bytes.count, (isEnded ? "" : lineEnd) + lineEnd + table + lineEnd)
    }

    /// Returns the line of a row; or all lines of its table, with the empty line below, if the table has no other row.
    private func rowOrTable(at place: Range<Int>) -> Range<Int> {
        let row = lineIndex(at: place.lowerBound)
        var lines = row..<(row + 1)
        for case .table(let table) in MarkdownDocument(self).blocks.lazy.map(\.content)
        where table.rows.count == 1 && table.rows[0].line == row {
            let isFollowedByEmptyLine = row + 1 < lineStarts.count && isBlankLine(row + 1)
            lines = table.header.line..<(row + (isFollowedByEmptyLine ? 2 : 1))
        }
        let end = lines.upperBound < lineStarts.count ? lineStarts[lines.upperBound] : bytes.count
        return lineStarts[lines.lowerBound]..<end
    }
}
