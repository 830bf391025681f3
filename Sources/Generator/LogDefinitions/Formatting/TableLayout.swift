import MarkdownSyntax

/// A table in canonical form: outer pipes, one space around each cell, columns as wide as their widest cells.
struct TableLayout {
    /// A cell as written in the source, with escaped pipes.
    typealias Cell = ArraySlice<UInt8>

    /// The maximum width that a column is padded to. Only a wider cell sticks out, because padding all rows to its
    /// width would make the table unreadable. Few screens show 240 columns.
    private static let widestPadding = 240
    /// The maximum factor by which a table may grow relative to its source. Without a limit, one long row among many
    /// short ones would make the output quadratic in size. The tables of real definition files grow far less.
    private static let growth = 64

    let alignments: [Table.Alignment]
    /// The header's cells, then those of each row. A row has as many cells as there are alignments.
    private let cells: [Cell]
    private let cellWidths: [Int]
    private let columnWidths: [Int]

    init(alignments: [Table.Alignment], cells: [Cell]) {
        self.alignments = alignments
        self.cells = cells
        let cellWidths = cells.map { DisplayWidth.of(String(decoding: $0, as: UTF8.self)) }
        var columnWidths = [Int](repeating: 3, count: alignments.count)
        var column = 0
        for width in cellWidths {
            if width > columnWidths[column], width <= Self.widestPadding { columnWidths[column] = width }
            column = column + 1 == alignments.count ? 0 : column + 1
        }
        self.cellWidths = cellWidths
        self.columnWidths = columnWidths
    }

    /// Returns false if an aligned table with these numbers of columns and rows would be too large for its source,
    /// whatever its cells contain: each column has the minimum width.
    /// - Parameter count: the size of the table's source, in bytes.
    static func isReasonable(columns: Int, rows: Int, sourceBytes count: Int) -> Bool {
        isReasonable(rowWidth: columns.multipliedReportingOverflow(by: 6), rows: rows, sourceBytes: count)
    }

    /// Returns false if the aligned table is too large for its source.
    func isReasonable(sourceBytes count: Int) -> Bool {
        Self.isReasonable(rowWidth: (columnWidths.reduce(1) { $0 + $1 + 3 }, false), rows: rowCount, sourceBytes: count)
    }

    private static func isReasonable(rowWidth: (partialValue: Int, overflow: Bool), rows: Int, sourceBytes count: Int)
        -> Bool
    {
        let size = rowWidth.partialValue.multipliedReportingOverflow(by: rows + 1)
        return !rowWidth.overflow && !size.overflow && size.partialValue <= count * growth + 4096
    }

    /// The number of lines: the header, the delimiter row and the rows.
    var lineCount: Int { rowCount + 1 }

    private var rowCount: Int { alignments.isEmpty ? 0 : cells.count / alignments.count }

    /// Appends one of the table's lines, without a line end.
    func append(line: Int, to output: inout [UInt8]) {
        output.append(UInt8(ascii: "|"))
        if line == 1 {
            for (alignment, width) in zip(alignments, columnWidths) {
                appendDelimiter(alignment, width: width, to: &output)
            }
            return
        }
        let row = (line == 0 ? 0 : line - 1) * alignments.count
        for index in alignments.indices {
            let padding = max(0, columnWidths[index] - cellWidths[row + index])
            let before =
                switch alignments[index] {
                case .none, .left: 0
                case .center: padding / 2
                case .right: padding
                }
            Self.appendBlanks(before + 1, to: &output)
            output.append(contentsOf: cells[row + index])
            Self.appendBlanks(padding - before + 1, to: &output)
            output.append(UInt8(ascii: "|"))
        }
    }

    private static func appendBlanks(_ count: Int, to output: inout [UInt8]) {
        for _ in 0..<count { output.append(UInt8(ascii: " ")) }
    }

    private func appendDelimiter(_ alignment: Table.Alignment, width: Int, to output: inout [UInt8]) {
        let leading = alignment == .left || alignment == .center
        let trailing = alignment == .right || alignment == .center
        output.append(UInt8(ascii: " "))
        if leading { output.append(UInt8(ascii: ":")) }
        output.append(
            contentsOf: repeatElement(UInt8(ascii: "-"), count: width - (leading ? 1 : 0) - (trailing ? 1 : 0)))
        if trailing { output.append(UInt8(ascii: ":")) }
        output.append(UInt8(ascii: " "))
        output.append(UInt8(ascii: "|"))
    }
}
