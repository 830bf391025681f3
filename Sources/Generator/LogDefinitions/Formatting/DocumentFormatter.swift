import MarkdownSyntax

/// Writes one definition file in canonical form: tables with definitions are aligned, and the file ends with a newline.
/// All other bytes are kept, including notes with their tables: the model contains notes as written.
package struct DocumentFormatter {
    private let source: SourceText
    private let document: MarkdownDocument
    private let definesSomething: (Table) -> Bool
    private let lineEnd: [UInt8]
    private var output: [UInt8] = []
    private var writtenEnd = 0
    /// The lines that may change; nil for all.
    private var lines: ClosedRange<Int>?

    /// Returns the file in canonical form.
    /// - Parameter lines: the lines that may change; nil for all.
    package static func format(_ file: SourceFile, lines: ClosedRange<Int>? = nil) -> [UInt8] {
        let isTypes = file.stem == "types"
        return format(file.source, lines: lines) { table in
            let kinds = table.header.cells.map { HeaderKind($0.text(in: file.source)) }
            if kinds.count == 2, kinds.contains(.key), kinds.contains(.value) { return true }
            return isTypes ? kinds.contains(.value) : kinds.contains(.column) && kinds.contains(.type)
        }
    }

    static func format(
        _ source: SourceText, lines: ClosedRange<Int>? = nil,
        definesSomething: @escaping (Table) -> Bool
    ) -> [UInt8] {
        guard source.firstInvalidUTF8 == nil else { return source.bytes }
        var formatter = DocumentFormatter(source: source, definesSomething: definesSomething)
        formatter.lines = lines
        return formatter.format()
    }

    private init(source: SourceText, definesSomething: @escaping (Table) -> Bool) {
        self.source = source
        self.document = MarkdownDocument(source)
        self.definesSomething = definesSomething
        self.lineEnd = Array(source.lineEnd.utf8)
        output.reserveCapacity(source.bytes.count + source.bytes.count / 4)
    }

    private mutating func format() -> [UInt8] {
        var isNote = false
        for block in document.blocks {
            if let lines, !lines.overlaps(block.lines), !block.isHeading { continue }
            switch block.content {
            case .heading(let heading): isNote = heading.level > 2
            case .table(let table) where !isNote && definesSomething(table): format(table)
            case .table, .list, .other: break
            }
        }
        copy(upTo: source.bytes.count)
        guard lines == nil else { return output }
        while let last = output.last, last == 0x0A || last == 0x0D { output.removeLast() }
        if !output.isEmpty { output.append(contentsOf: lineEnd) }
        return output
    }

    private mutating func copy(upTo offset: Int) {
        guard offset > writtenEnd else { return }
        output.append(contentsOf: source.bytes[writtenEnd..<offset])
        writtenEnd = offset
    }

    // MARK: Tables

    private mutating func format(_ table: Table) {
        // Extra cells of a row are not part of the table, and only their author may delete them.
        guard table.header.excess == nil, table.rows.allSatisfy({ $0.excess == nil }) else { return }
        // Below a line of text, an aligned header of only hyphens and colons would become a delimiter row.
        guard !table.header.cells.allSatisfy({ source.bytes[$0.range].allSatisfy { $0 == 0x2D || $0 == 0x3A } }) else {
            return
        }
        // The new layout puts a pipe at the start of the line. After a pipe, a vertical tab or form feed is trimmed as
        // whitespace instead of being part of the cell.
        func beginsWithControl(_ row: Row) -> Bool {
            row.cells.first.map { !$0.range.isEmpty && (0x0B...0x0C).contains(source.bytes[$0.range.lowerBound]) }
                ?? false
        }
        guard !beginsWithControl(table.header), !table.rows.contains(where: beginsWithControl) else { return }
        // CommonMark reads some lines as rows although the author did not mean rows, such as a line without pipes or
        // the delimiter row of a second table. After alignment, they would look like rows.
        guard !table.rows.contains(where: { source.isNoRow($0, of: table) || source.isDelimiter($0) }) else { return }
        let columns = table.alignments.count
        let first = table.header.line
        let last = first + 1 + table.rows.count
        let size = source.lineRange(last).upperBound - source.lineStarts[first]
        guard TableLayout.isReasonable(columns: columns, rows: table.rows.count + 1, sourceBytes: size) else { return }
        var cells: [TableLayout.Cell] = []
        cells.reserveCapacity(columns * (table.rows.count + 1))
        func append(_ row: Row) {
            for index in 0..<columns {
                cells.append(index < row.cells.count ? source.bytes[row.cells[index].range] : [])
            }
        }
        append(table.header)
        for row in table.rows { append(row) }
        writeCanonicalWords(of: table, into: &cells)
        let layout = TableLayout(alignments: table.alignments, cells: cells)
        guard layout.isReasonable(sourceBytes: size) else { return }
        copy(upTo: source.lineStarts[first])
        for line in first...last {
            layout.append(line: line - first, to: &output)
            output += source.bytes[source.lineRange(line).upperBound..<source.wholeLineRange(line).upperBound]
        }
        writtenEnd = source.wholeLineRange(last).upperBound
    }

    /// Replaces other spellings of headers and keys by the canonical ones. Spellings with markup or remarks are kept.
    private func writeCanonicalWords(of table: Table, into cells: inout [TableLayout.Cell]) {
        let kinds = TableHeader(table.header.cells.map { $0.text(in: source) }).kinds
        let isOfValues = kinds.contains(.value) && !kinds.contains(.column)
        for (index, kind) in kinds.enumerated() {
            let ofValues: [HeaderKind?] = [.key, .value, .description, .formerName]
            guard let kind, isOfValues ? ofValues.contains(kind) : kind != .key && kind != .value else { continue }
            cells[index] = canonical(cells[index]) { kind.spelling(inJapanese: $0) }
        }
        guard kinds.count == 2, let key = kinds.firstIndex(of: .key), kinds.contains(.value) else { return }
        for cell in stride(from: key + kinds.count, to: cells.count, by: kinds.count) {
            guard let detail = Details.Key(spelling: String(decoding: cells[cell], as: UTF8.self)) else { continue }
            cells[cell] = canonical(cells[cell]) { ($0 ? detail.japanese : nil) ?? detail.rawValue }
        }
    }

    private func canonical(_ cell: TableLayout.Cell, _ word: (_ isJapanese: Bool) -> String) -> TableLayout.Cell {
        let text = String(decoding: cell, as: UTF8.self)
        guard !InlineMarkdown.hasMarkup(text), Spelling.withoutRemark(text) == nil else { return cell }
        return Array(word(!text.utf8.allSatisfy { $0 < 0x80 }).utf8)[...]
    }
}

extension Block {
    fileprivate var isHeading: Bool { if case .heading = content { true } else { false } }
}
