/// Finds the tables that cmark-gfm would find, before libcmark runs.
///
/// CommonMark has no tables, so libcmark parses a table as a paragraph. But a table ends earlier than a paragraph: an
/// empty list item, indented code, any HTML tag and `---` end a table, while a paragraph continues with them (or `---`
/// underlines it). A line after a quote may continue a paragraph in the quote, but not a table. The end of a table
/// therefore affects all following blocks.
///
/// The scanner tracks containers and open leaves line by line, as far as tables need it. `TableMask` then replaces the
/// tables by blocks with the same effect. libcmark parses all other lines.
///
/// As in libcmark, the time is linear in the length of the input times the depth of open containers.
struct TableScanner {
    /// A table outside of all containers.
    struct TopLevelTable {
        var table: Table
        /// Header, delimiter row and rows.
        var lines: ClosedRange<Int>
    }

    /// A table in a list or quote. Such a table does not define anything, but it ends by the same rules as other
    /// tables.
    struct NestedTable {
        var lines: ClosedRange<Int>
        /// The first byte after the indentation, of the delimiter row and of each row.
        var contents: [Int]
    }

    enum Finding {
        case topLevel(TopLevelTable)
        case nested(NestedTable)
    }

    private(set) var findings: [Finding] = []
    /// The number of bytes that libcmark parsed to distinguish link reference definitions from text.
    private(set) var parsedBytes = 0

    private struct Container {
        /// The columns by which a list item's lines are indented; nil for a block quote.
        var contentIndent: Int?
        /// Indicates whether a list item has contents. A blank line ends an item without contents.
        var hasContents = false
    }

    private enum Leaf {
        case none, paragraph, table, indentedCode
        case fencedCode(LineCursor.Fence)
        case html(LineCursor.HTMLKind)
    }

    private struct Paragraph {
        var lastLineStart = 0
        var isFirstInItem = false
        /// Indicates whether a line has more cells than a row may have. In that case, cmark-gfm finds no header in the
        /// paragraph.
        var isTooWide = false
        /// The text, if it begins like a link reference definition; otherwise empty.
        var definitionCandidate: [UInt8] = []
    }

    private let bytes: UnsafePointer<UInt8>
    private var containers: [Container] = []
    private var leaf = Leaf.none
    private var paragraph = Paragraph()
    private var previousLineEnd = 0

    /// The open table. For a nested table, only `tableLines` and `nestedContents` are used.
    private var alignments: [Table.Alignment] = []
    private var header: Row?
    private var rows: [Row] = []
    private var nestedContents: [Int] = []
    private var tableLines = 0...0

    /// Scans a document.
    /// - Parameters:
    ///   - bytes: the document's bytes, which must outlive the scanner.
    ///   - lineStarts: the offset of each line's first byte.
    init(_ bytes: UnsafePointer<UInt8>, count: Int, lineStarts: UnsafeBufferPointer<Int>) {
        self.bytes = bytes
        for line in 0..<lineStarts.count {
            let start = lineStarts[line]
            var end = line + 1 < lineStarts.count ? lineStarts[line + 1] : count
            if end > start, bytes[end - 1] == 0x0A { end -= 1 }
            if end > start, bytes[end - 1] == 0x0D { end -= 1 }
            scan(line, from: start, to: end)
            previousLineEnd = end
        }
        closeLeaf()
    }

    private mutating func scan(_ line: Int, from start: Int, to end: Int) {
        var cursor = LineCursor(bytes: bytes, start: start, end: end)
        var depth = 0
        while depth < containers.count, enter(containers[depth], &cursor) { depth += 1 }

        var isParagraphLine = false
        var row: Row?
        if depth == containers.count {
            cursor.measureIndent()
            switch leaf {
            case .none: break
            case .fencedCode(let fence):
                if cursor.closes(fence) { leaf = .none }
                return
            case .indentedCode:
                if cursor.isIndentedCode || cursor.isBlank { return }
            case .html(let kind):
                if !cursor.isBlank || kind != .element {
                    if cursor.ends(kind) { leaf = .none }
                    return
                }
            case .paragraph: isParagraphLine = !cursor.isBlank
            case .table:
                if !cursor.isBlank {
                    row = cursor.row(line: line, from: cursor.firstNonspace, columns: alignments.count)
                }
            }
        }

        var isLazyCandidate = if case .paragraph = leaf { true } else { false }
        var hasOpened = false
        var searchedForBreak = 0
        while !cursor.isBlank {
            if cursor.isIndentedCode {
                guard !isLazyCandidate else { break }
                return open(.indentedCode, depth, hasOpened)
            }
            // Fast path: most lines are text or rows and begin with none of these.
            switch cursor.byte(cursor.firstNonspace) {
            case 0x3E:
                cursor.advance(to: cursor.firstNonspace + 1)
                cursor.skipOptionalBlank()
                open(Container(), depth, hasOpened)
            case 0x23 where cursor.isATXHeading:
                return open(.none, depth, hasOpened)
            case 0x60, 0x7E:
                guard let fence = cursor.openingFence else {
                    return text(line, cursor, depth, hasOpened, isParagraphLine, row)
                }
                return open(.fencedCode(fence), depth, hasOpened)
            case 0x3C:
                guard let kind = cursor.htmlBlock(canBeAnyTag: !isParagraphLine && !isLazyCandidate) else {
                    return text(line, cursor, depth, hasOpened, isParagraphLine, row)
                }
                return open(cursor.ends(kind) ? .none : .html(kind), depth, hasOpened)
            case 0x3D where isParagraphLine && cursor.isSetextUnderline,
                0x2D where isParagraphLine && cursor.isSetextUnderline:
                if isDefinitionsOnly(paragraph) {
                    // An underline needs text above it.
                    return startParagraph(at: cursor.firstNonspace, end)
                }
                return open(.none, depth, hasOpened)
            case 0x2A, 0x2B, 0x2D, 0x5F, 0x30...0x39:
                if cursor.isThematicBreak(searched: &searchedForBreak) { return open(.none, depth, hasOpened) }
                let indent = cursor.indent
                guard let length = cursor.listMarkerLength(interruptingParagraph: isParagraphLine) else {
                    return text(line, cursor, depth, hasOpened, isParagraphLine, row)
                }
                let width = cursor.advance(pastListMarkerOfLength: length)
                open(Container(contentIndent: indent + width), depth, hasOpened)
            default:
                return text(line, cursor, depth, hasOpened, isParagraphLine, row)
            }
            // A container was opened. The rest of the line is the container's first line.
            hasOpened = true
            isParagraphLine = false
            isLazyCandidate = false
            row = nil
            cursor.measureIndent()
        }
        if cursor.isBlank {
            if !hasOpened { close(to: depth) }
        } else {
            text(line, cursor, depth, hasOpened, isParagraphLine, nil)
        }
    }

    private func enter(_ container: Container, _ cursor: inout LineCursor) -> Bool {
        cursor.measureIndent()
        guard let contentIndent = container.contentIndent else {
            guard !cursor.isIndentedCode, cursor.byte(cursor.firstNonspace) == 0x3E else { return false }
            cursor.advance(to: cursor.firstNonspace + 1)
            cursor.skipOptionalBlank()
            return true
        }
        if cursor.indent >= contentIndent {
            cursor.advance(columns: contentIndent)
            return true
        }
        if cursor.isBlank, container.hasContents {
            cursor.advance(to: cursor.firstNonspace)
            return true
        }
        return false
    }

    /// Handles a line that does not begin a block: it belongs to a paragraph or a table.
    private mutating func text(
        _ line: Int, _ cursor: LineCursor, _ depth: Int, _ hasOpened: Bool, _ isParagraphLine: Bool, _ row: Row?
    ) {
        if isParagraphLine {
            if openTable(line, cursor) { return }
            continueParagraph(at: cursor.firstNonspace, cursor.end)
        } else if let row {
            append(row, at: cursor.firstNonspace)
        } else if case .paragraph = leaf, !hasOpened {
            // A lazy continuation line keeps its indentation. If a pipe follows, cmark-gfm parses the indentation as a
            // cell.
            continueParagraph(at: cursor.offset, cursor.end)
        } else {
            var isFirstInItem = false
            if !hasOpened { close(to: depth) }
            if let item = containers.last, item.contentIndent != nil { isFirstInItem = !item.hasContents }
            noteContents()
            startParagraph(at: cursor.firstNonspace, cursor.end)
            paragraph.isFirstInItem = isFirstInItem
        }
    }

    // MARK: Containers and leaves

    private mutating func close(to depth: Int) {
        let isInnermost = depth == containers.count
        if case .paragraph = leaf, isInnermost, paragraph.isFirstInItem, isDefinitionsOnly(paragraph) {
            // A paragraph of link reference definitions is not in the tree, so the item is still empty.
            containers[depth - 1].hasContents = false
        }
        closeLeaf()
        if !isInnermost { containers.removeLast(containers.count - depth) }
    }

    private mutating func open(_ container: Container, _ depth: Int, _ hasOpened: Bool) {
        if !hasOpened { close(to: depth) }
        noteContents()
        containers.append(container)
    }

    private mutating func open(_ newLeaf: Leaf, _ depth: Int, _ hasOpened: Bool) {
        if !hasOpened { close(to: depth) }
        noteContents()
        leaf = newLeaf
    }

    private mutating func noteContents() {
        if !containers.isEmpty { containers[containers.count - 1].hasContents = true }
    }

    private mutating func closeLeaf() {
        if case .table = leaf { closeTable() }
        leaf = .none
    }

    // MARK: Paragraphs

    private mutating func startParagraph(at start: Int, _ end: Int) {
        leaf = .paragraph
        paragraph = Paragraph()
        if bytes[start] == 0x5B {
            paragraph.definitionCandidate = Array(UnsafeBufferPointer(start: bytes + start, count: end - start))
        }
        addToParagraph(start, end)
    }

    private mutating func continueParagraph(at start: Int, _ end: Int) {
        if !paragraph.definitionCandidate.isEmpty {
            // The indentation prevents lines from beginning blocks when libcmark parses this text on its own.
            paragraph.definitionCandidate.append(contentsOf: [0x0A, 0x20, 0x20, 0x20, 0x20])
            paragraph.definitionCandidate.append(
                contentsOf: UnsafeBufferPointer(start: bytes + start, count: end - start))
        }
        addToParagraph(start, end)
    }

    private mutating func addToParagraph(_ start: Int, _ end: Int) {
        paragraph.lastLineStart = start
        if end - start >= LineCursor.maximumColumns,
            LineCursor(bytes: bytes, start: start, end: end).row(line: 0, from: start, columns: 0) == nil
        {
            paragraph.isTooWide = true
        }
    }

    private mutating func isDefinitionsOnly(_ paragraph: Paragraph) -> Bool {
        guard !paragraph.definitionCandidate.isEmpty else { return false }
        parsedBytes += paragraph.definitionCandidate.count
        return CommonMarkTree(parsing: paragraph.definitionCandidate).root.firstChild == nil
    }

    // MARK: Tables

    private mutating func openTable(_ line: Int, _ cursor: LineCursor) -> Bool {
        guard !cursor.isIndentedCode, !paragraph.isTooWide, let alignments = cursor.delimiterRow else { return false }
        let headerCursor = LineCursor(bytes: bytes, start: paragraph.lastLineStart, end: previousLineEnd)
        guard let header = headerCursor.row(line: line - 1, from: paragraph.lastLineStart, columns: alignments.count),
            header.excess == nil, header.cells.count == alignments.count
        else { return false }
        self.alignments = alignments
        self.header = header
        rows = []
        nestedContents = containers.isEmpty ? [] : [cursor.firstNonspace]
        tableLines = line - 1...line
        leaf = .table
        return true
    }

    private mutating func append(_ row: Row, at start: Int) {
        tableLines = tableLines.lowerBound...row.line
        if containers.isEmpty {
            rows.append(row)
        } else {
            nestedContents.append(start)
        }
    }

    private mutating func closeTable() {
        if !nestedContents.isEmpty {
            findings.append(.nested(NestedTable(lines: tableLines, contents: nestedContents)))
        } else if let header {
            let table = Table(alignments: alignments, header: header, rows: rows)
            findings.append(.topLevel(TopLevelTable(table: table, lines: tableLines)))
        }
        header = nil
        rows = []
        nestedContents = []
    }
}
