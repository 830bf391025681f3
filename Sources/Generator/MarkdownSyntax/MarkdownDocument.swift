/// A document as loggen needs it: its top-level blocks, with tables, lists and headings opened up.
///
/// Ranges are byte offsets into `source.bytes`; lines count from 0.
package struct MarkdownDocument: Sendable {
    package let source: SourceText
    package let blocks: [Block]
    /// How many bytes libcmark was given. It is at most a constant multiple of the source, whatever the source is.
    package let parsedBytes: Int
}

/// One top-level block. Blocks are in source order and do not overlap. If a table begins inside a paragraph, the lines
/// before it are a paragraph of their own.
package struct Block: Sendable {
    package enum Content: Sendable {
        case heading(Heading)
        case table(Table)
        case list(List)
        /// Paragraphs, code, HTML, quotes and thematic breaks, kept as written.
        case other(Kind)
    }

    package enum Kind: Sendable {
        case paragraph, code, html, quote, thematicBreak
        /// Link reference definitions, which leave nothing in CommonMark's tree.
        case linkReferences
    }

    package var content: Content
    /// First to last line, the last included.
    package var lines: ClosedRange<Int>
    /// From the block's first byte after its indentation to the end of its last line, without the line ending.
    package var range: Range<Int>
}

package struct Heading: Sendable {
    package var level: Int
    /// The plain text of all inlines, without blanks at its ends. Entities and escapes are resolved; code spans give
    /// their content.
    package var text: String
    /// The first code span: its content and the byte range of that content in the source.
    package var code: (text: String, range: Range<Int>)?
    /// The plain text before and after that code span, blanks included. Without a code span, `before` is all of `text`.
    package var before: String
    package var after: String
    /// The byte range of the heading's raw content: without `#`s, underline and surrounding blanks.
    package var range: Range<Int>
}

package struct Table: Sendable {
    package enum Alignment: Sendable { case none, left, center, right }

    package var alignments: [Alignment]
    package var header: Row
    package var rows: [Row]
}

package struct Row: Sendable {
    /// Counted from 0.
    package var line: Int
    /// At most as many as the table has columns. A row may have fewer: cells that the source lacks would take more
    /// space than the text of a wide table.
    package var cells: [Cell]
    /// The source of cells beyond the table's columns, which GFM drops.
    package var excess: Range<Int>?
}

package struct Cell: Sendable {
    /// The cell's source, without the blanks around it.
    package var range: Range<Int>
    /// Whether the source has `\|`, which `text` resolves to `|`.
    package var hasEscapedPipe: Bool

    package init(range: Range<Int>, hasEscapedPipe: Bool) {
        self.range = range
        self.hasEscapedPipe = hasEscapedPipe
    }

    /// The cell as written, with `\|` resolved.
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

package struct List: Sendable {
    package var isOrdered: Bool
    package var items: [Item]

    package struct Item: Sendable {
        package var lines: ClosedRange<Int>
        /// The range of the item's first paragraph, raw, without the marker; nil if the item does not begin with a
        /// paragraph.
        package var text: Range<Int>?
        /// The items of lists directly inside the item. What is nested deeper stays source text.
        package var children: [Child]
        /// The lines of the item that are neither its first paragraph nor one of `children`.
        package var rest: [Range<Int>]
    }

    package struct Child: Sendable {
        package var text: Range<Int>
        package var lines: ClosedRange<Int>
    }
}
