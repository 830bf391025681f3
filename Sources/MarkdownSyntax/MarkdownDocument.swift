/// A document as loggen needs it: its top-level blocks, with tables, lists and headings opened up.
///
/// Ranges are byte offsets into `source.bytes`; lines count from 0.
package struct MarkdownDocument: Sendable {
    package let source: SourceText
    package let blocks: [Block]
    /// How many bytes libcmark was given: a constant multiple of the source, whatever is in it.
    package let parsedBytes: Int
}

/// One top-level block. Blocks are in source order and do not overlap; a table cut out of a paragraph leaves that
/// paragraph's earlier lines as a paragraph of their own.
package struct Block: Sendable {
    package enum Content: Sendable {
        case heading(Heading)
        case table(Table)
        case list(List)
        /// Paragraphs, code, HTML, quotes and thematic breaks: kept as written, not opened up.
        case other(Kind)
    }

    package enum Kind: Sendable {
        case paragraph, code, html, quote, thematicBreak
        /// Lines that leave nothing in CommonMark's tree: link reference definitions.
        case linkReferences
    }

    package var content: Content
    /// First to last line, the last included.
    package var lines: ClosedRange<Int>
    /// From the block's first byte that is no indentation to the end of its last line, line end excluded.
    package var range: Range<Int>
}

package struct Heading: Sendable {
    package var level: Int
    /// Plain text of all inlines (entities and escapes resolved, code spans' content included), blanks at the ends removed.
    package var text: String
    /// The first code span: its content and the byte range of that content in the source.
    package var code: (text: String, range: Range<Int>)?
    /// Plain text before and after that code span, each as found, not trimmed; `before` is all of `text` when there is no code span.
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
    /// At most as many as the table has columns. Those that the source lacks are not made up: a short row of a wide
    /// table would take more space than its text.
    package var cells: [Cell]
    /// The source of cells beyond the table's columns, which GFM drops.
    package var excess: Range<Int>?
}

package struct Cell: Sendable {
    /// The cell's source with the blanks around it removed.
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
        /// The range of the item's first paragraph (its raw lines, without the marker); nil when the item does not begin with one.
        package var text: Range<Int>?
        /// Lists directly inside the item, opened up one level; what is nested deeper stays source text.
        package var children: [Child]
        /// Lines of the item that are neither its first paragraph nor one of `children`.
        package var rest: [Range<Int>]
    }

    package struct Child: Sendable {
        package var text: Range<Int>
        package var lines: ClosedRange<Int>
    }
}
