/// A Markdown document as a list of top-level blocks. Only the contents of tables and headings are parsed.
///
/// Ranges are byte offsets into `source.bytes`; lines count from 0.
package struct MarkdownDocument: Sendable {
    package let source: SourceText
    package let blocks: [Block]
}

/// A top-level block. Blocks are in source order and do not overlap. If a table begins inside a paragraph, the lines
/// before it are a separate paragraph.
package struct Block: Sendable {
    package enum Content: Sendable {
        case heading(Heading)
        case table(Table)
        case list
        /// Other blocks, kept as written.
        case other(Kind)
    }

    package enum Kind: Sendable {
        case paragraph, code, html, quote, thematicBreak
        /// Link reference definitions, which are not part of CommonMark's tree.
        case linkReferences
    }

    package var content: Content
    /// The lines from first to last.
    package var lines: ClosedRange<Int>
    /// The range from the first byte after the indentation to the end of the last line, without its line ending.
    package var range: Range<Int>
}

package struct Heading: Sendable {
    package var level: Int
    /// The trimmed plain text of all inlines. Entities and escapes are resolved; code spans become their content.
    package var text: String
    /// The first code span: its content, and the byte range of that content in the source. Nil without a code span.
    package var code: (text: String, range: Range<Int>)?
    /// The plain text before and after that code span, including blanks. Without a code span, `before` equals `text`.
    package var before: String
    package var after: String
    /// The byte range of the heading's raw content, without `#`s, underline and surrounding blanks.
    package var range: Range<Int>
}

package struct Table: Sendable {
    package enum Alignment: Sendable { case none, left, center, right }

    package var alignments: [Alignment]
    package var header: Row
    package var rows: [Row]
}

package struct Row: Sendable {
    /// The line, from 0.
    package var line: Int
    /// The cells, at most as many as the table has columns. Missing cells are not added: they would take more memory
    /// than the source of a wide table.
    package var cells: [Cell]
    /// The source of cells beyond the table's columns, which GFM drops, if any.
    package var excess: Range<Int>?
}

package struct Cell: Sendable {
    /// The cell's source, without surrounding blanks.
    package var range: Range<Int>
    /// Indicates whether the source contains `\|`, which `text` resolves to `|`.
    package var hasEscapedPipe: Bool

    package init(range: Range<Int>, hasEscapedPipe: Bool) {
        self.range = range
        self.hasEscapedPipe = hasEscapedPipe
    }

    /// Returns the cell's source, with `\|` resolved.
    package func text(in source: SourceText) -> String {
        let text = source.string(range)
        guard hasEscapedPipe else { return text }
        var result = ""
        result.reserveCapacity(text.utf8.count)
        var scalars = text.unicodeScalars.makeIterator()
        var pending = scalars.next()
        while let scalar = pending {
            pending = scalars.next()
            if scalar == "\\", pending == "|" { continue }
            result.unicodeScalars.append(scalar)
        }
        return result
    }
}
