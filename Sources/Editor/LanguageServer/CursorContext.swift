import LogDefinitions
import LogTypes
import MarkdownSyntax

struct CursorContext {
    let file: OpenFile
    let offset: Int
    /// The cell at the cursor, in a table or in a line that may become one; nil outside a cell.
    let cell: Cell?

    struct Cell {
        enum Sort { case columns, events, details, values, unknown }

        var sort: Sort
        /// The kinds of the table's headers; nil for unknown headers.
        var kinds: [HeaderKind?]
        var headers: [String]
        var row: Row?
        var index: Int
        /// The range of the cell's content, without surrounding blanks.
        var range: Range<Int>
        var isJapanese: Bool

        var kind: HeaderKind? { kinds.indices.contains(index) ? kinds[index] : nil }

        func text(_ kind: HeaderKind, in source: SourceText) -> String? {
            guard let row, let index = kinds.firstIndex(of: kind), index < row.cells.count else { return nil }
            return String(withoutBackticks(row.cells[index].text(in: source)[...]))
        }
    }

    init(_ file: OpenFile, at offset: Int) {
        self.file = file
        self.offset = offset
        cell = Self.cell(file, offset)
    }

    var source: SourceText { file.source }
    var definitions: Definitions { file.definitions }
    var category: Category? { definitions.categories.first { $0.file == file.index } }

    func span(_ range: Range<Int>) -> Span { file.positions.span(range) }

    /// The word at the cursor: letters, digits and `_`.
    var word: Range<Int> { source.word(around: offset) }

    var line: Range<Int> { source.lineRange(source.lineIndex(at: offset)) }

    // MARK: Tables

    private static func cell(_ file: OpenFile, _ offset: Int) -> Cell? {
        let source = file.source
        let line = source.lineIndex(at: offset)
        let lineRange = source.lineRange(line)
        guard source.bytes[lineRange].contains(UInt8(ascii: "|")) else { return nil }
        let (index, range) = source.cell(around: offset, in: lineRange)
        for block in MarkdownDocument(source).blocks where block.lines.contains(line) {
            guard case .table(let table) = block.content else { break }
            let headers = table.header.cells.map { $0.text(in: source) }
            let kinds = headers.map { HeaderKind($0) }
            let sort: Cell.Sort =
                if kinds.count == 2, kinds.contains(.key), kinds.contains(.value) {
                    .details
                } else if file.file.kind == .types {
                    kinds.contains(.value) ? .values : .unknown
                } else if kinds.contains(.column), kinds.contains(.type) {
                    kinds.contains(.event) && line != table.header.line ? .events : .columns
                } else {
                    .unknown
                }
            return Cell(
                sort: sort, kinds: kinds, headers: headers, row: table.rows.first { $0.line == line }, index: index,
                range: range,
                isJapanese: isJapanese(headers) ?? source.hasJapaneseHeaders ?? false)
        }
        // A header that has no delimiter row yet.
        let headers = source.cells(of: lineRange).map { source.string($0) }
        return Cell(
            sort: .unknown, kinds: headers.map { HeaderKind($0) }, headers: headers, row: nil, index: index,
            range: range,
            isJapanese: isJapanese(headers) ?? source.hasJapaneseHeaders ?? false)
    }

    /// Returns whether the first known header is Japanese; nil without known headers.
    private static func isJapanese(_ headers: [String]) -> Bool? {
        headers.first { HeaderKind($0) != nil }.map { !$0.utf8.allSatisfy { $0 < 0x80 } }
    }

    // MARK: Definitions

    private var columnsWithEvents: [(column: Column, event: Event?)] {
        var columns = category?.events.flatMap { event in event.columns.map { ($0, Event?.some(event)) } } ?? []
        if let common = definitions.common, common.file == file.index { columns += common.columns.map { ($0, nil) } }
        return columns
    }

    /// The column whose type is at the cursor; nil at another place.
    var typed: Column? { columnsWithEvents.first { $0.column.typePlace.range.touches(offset) }?.column }

    /// The column whose name is at the cursor; nil at another place. `event` is nil for a common column.
    var named: (column: Column, event: Event?)? { columnsWithEvents.first { $0.column.place.range.touches(offset) } }

    /// The type of `types.md` whose name is at the cursor: in its heading, or in a column. Nil at another place.
    var namedType: (type: NamedType, range: Range<Int>)? {
        let word = source.string(word)
        guard !word.isEmpty, let type = definitions.types.first(where: { $0.name.isExactly(word) })
        else { return nil }
        if type.place.file == file.index, type.place.range.touches(offset) { return (type, self.word) }
        return typed == nil && !(cell?.kind == .type && cell?.row != nil) ? nil : (type, self.word)
    }

    /// The event whose name is at the cursor: in its heading or cell, as `category.event` anywhere, or after `use` in a
    /// deprecation. Nil at another place.
    var event: (event: Event, category: Category, range: Range<Int>)? {
        if let category, let event = category.events.first(where: { $0.place.range.touches(offset) }) {
            return (event, category, event.place.range)
        }
        let dotted = source.dottedWord(around: offset)
        let parts = source.string(dotted).split(separator: ".", omittingEmptySubsequences: false)
        if parts.count == 2, let category = definitions.categories.first(where: { $0.name.isExactly(parts[0]) }),
            let event = category.events.first(where: { $0.name.isExactly(parts[1]) })
        {
            return (event, category, dotted)
        }
        guard let category, isInDeprecation,
            let event = category.events.first(where: { $0.name.isExactly(source.string(word)) })
        else { return nil }
        return (event, category, word)
    }

    private var isInDeprecation: Bool {
        guard let cell, cell.row != nil else { return false }
        return cell.kind == .deprecated
            || (cell.kind == .value && cell.text(.key, in: source).flatMap { Details.Key(spelling: $0) } == .deprecated)
    }
}

extension Range<Int> {
    func touches(_ offset: Int) -> Bool { lowerBound <= offset && offset <= upperBound }
}

extension String {
    func isExactly(_ other: some StringProtocol) -> Bool { utf8.elementsEqual(other.utf8) }
}

extension SourceText {
    private static func isWord(_ byte: UInt8) -> Bool {
        (0x30...0x39).contains(byte) || (0x41...0x5A).contains(byte) || (0x61...0x7A).contains(byte) || byte == 0x5F
    }

    func word(around offset: Int) -> Range<Int> { run(around: offset, of: Self.isWord) }

    func dottedWord(around offset: Int) -> Range<Int> {
        run(around: offset) { Self.isWord($0) || $0 == UInt8(ascii: ".") }
    }

    private func run(around offset: Int, of isPart: (UInt8) -> Bool) -> Range<Int> {
        let place = min(max(0, offset), bytes.count)
        var (start, end) = (place, place)
        while start > 0, isPart(bytes[start - 1]) { start -= 1 }
        while end < bytes.count, isPart(bytes[end]) { end += 1 }
        return start..<end
    }

    private func unescapedPipes(in line: Range<Int>) -> [Int] {
        var pipes: [Int] = []
        var isEscaped = false
        for index in line {
            if bytes[index] == UInt8(ascii: "|"), !isEscaped { pipes.append(index) }
            isEscaped = bytes[index] == UInt8(ascii: "\\") && !isEscaped
        }
        return pipes
    }

    private func trimmed(_ range: Range<Int>) -> Range<Int> {
        var (start, end) = (range.lowerBound, range.upperBound)
        while start < end, bytes[start] == 0x20 || bytes[start] == 0x09 { start += 1 }
        while end > start, bytes[end - 1] == 0x20 || bytes[end - 1] == 0x09 { end -= 1 }
        return start..<end
    }

    /// Returns the cells of a line with pipes, independent of the lines above it.
    func cells(of line: Range<Int>) -> [Range<Int>] {
        let line = trimmed(line)
        let pipes = unescapedPipes(in: line)
        var cells: [Range<Int>] = []
        var start = line.lowerBound
        for pipe in pipes {
            if pipe > line.lowerBound { cells.append(trimmed(start..<pipe)) }
            start = pipe + 1
        }
        if start < line.upperBound { cells.append(trimmed(start..<line.upperBound)) }
        return cells
    }

    /// Returns the index and content of the cell at an offset. The content of a blank cell is empty and at the offset.
    func cell(around offset: Int, in line: Range<Int>) -> (index: Int, range: Range<Int>) {
        let pipes = unescapedPipes(in: line)
        let before = pipes.filter { $0 < offset }
        let beginsWithPipe = trimmed(line).lowerBound == pipes.first
        let range = trimmed(
            (before.last.map { $0 + 1 } ?? line.lowerBound)..<(pipes.first { $0 >= offset } ?? line.upperBound))
        return (max(0, before.count - (beginsWithPipe ? 1 : 0)), range.isEmpty ? offset..<offset : range)
    }
}
