import MarkdownSyntax

/// Content that was intended as a definition and that the parser does not read as one. Ranges are bytes of the
/// document.
enum NearMiss: Sendable {
    /// A line of an open merge conflict.
    case mergeConflict(Range<Int>)
    case openBlock(OpenBlock)
    case heading(BrokenHeading)
    case deepHeading(DeepHeading)
    /// A table of columns or details in notes, below a heading of level 3 or deeper. The heading is not the name of an
    /// event.
    case tableInNotes(Range<Int>, _ what: String)
    case inHTML(HTMLContent)
    /// A table made of HTML elements.
    case htmlTable(Range<Int>)
    case tableInQuote(Range<Int>)
    case tableInList(Range<Int>)
    /// A row of a table with so much indentation that CommonMark reads it as code.
    case indentedRow(Range<Int>)
    case table(BrokenTable)
    case pastedTable(PastedTable)
    case details(MisplacedDetails)
    /// A column outside of the tables and lists of columns, and whether its section has a table of columns.
    case columnLine(ColumnLine, isBesideTable: Bool)
    /// A list of columns in a section that has a table of columns.
    case secondColumnList(Range<Int>)
    /// The description of a column in a list, separated from the column by an HTML block.
    case detachedDescription(Range<Int>)
}

/// A fence, a comment or an HTML element without an end. Such a block also contains the definition below its start.
struct OpenBlock: Sendable {
    /// The word for the block in messages.
    var name: String
    /// The block's first line.
    var range: Range<Int>
    var definition: Range<Int>
    /// The text that ends the block.
    var end: String
}

/// A line that begins like a heading but is not one.
struct BrokenHeading: Sendable {
    enum Flaw: Sendable {
        case escaped
        case startsWith(Unicode.Scalar?)
        case preceded(by: Unicode.Scalar?)
        case afterTag
        /// The line is indented by four columns or more, or is part of another block.
        case insideOtherBlock
        /// The character after the number signs (`#`) resembles a space but is not one.
        case unusualBlank(Unicode.Scalar?)
        case missingBlank
        /// The line is only a name, above a table.
        case onlyName
    }

    var range: Range<Int>
    /// The heading's text without its number signs (`#`).
    var text: Range<Int>
    var level: Int
    var flaw: Flaw
    /// A Boolean value that indicates whether the text is the name of an event or a type.
    var hasName: Bool
    /// A Boolean value that indicates whether the line may also be text, such as a word in bold.
    var isUncertain = false
}

/// A heading of level 3 or deeper and the content under it. Such a heading begins notes.
struct DeepHeading: Sendable {
    var name: Name
    var level: Int
    var range: Range<Int>
    /// The first table or list below the heading that would define something under an event, if any.
    var definition: Range<Int>?
    /// A table of columns or details below the heading, and which of them it is, if any.
    var misplaced: (range: Range<Int>, what: String)?
    var hasCode: Bool
    /// A Boolean value that indicates whether the heading has words before and after the name.
    var isSentence: Bool
    var text: String
    var context: SectionContext
}

/// A line of a definition that belongs to an HTML block.
struct HTMLContent: Sendable {
    enum Part: Sendable { case title, heading, row, column, fence }

    enum Fix: Sendable {
        /// The line contains a tag. The fix moves the rest to a separate line.
        case separateLine
        /// The block ends at its own end tag only.
        case closeTag(String)
        /// A blank line ends the block.
        case blankLine
    }

    var part: Part
    var line: Int
    var range: Range<Int>
    /// The first tag of the block.
    var tag: String
    var fix: Fix
}

/// Lines with separators of cells that CommonMark does not read as a table.
struct BrokenTable: Sendable {
    enum Flaw: Sendable {
        /// GFM does not read the line below the table's rows as a row, and CommonMark continues the table's paragraph.
        case end(TableEnd)
        /// A blank line separates the row from its table.
        case separatedRow
        case separator(CellSeparator, Fix)
        /// The row of hyphens has no headers above it.
        case missingHeader(columns: Int, isEnumeration: Bool)
        /// The row of hyphens contains another character.
        case delimiterCharacter(Unicode.Scalar, columns: Int)
        case delimiterCount(Int, columns: Int)
        case delimiterSpelling(columns: Int)
        /// CommonMark reads the headers and the hyphens below them as a heading.
        case delimiterWithoutPipes(columns: Int)
        case missingDelimiter(columns: Int)
        case strayRow(columns: Int)
        /// The line has pipes but does not begin with one, unlike the header. CommonMark reads it as a row of the table
        /// above.
        case rowWithoutFirstPipe
        /// The line has no pipes. CommonMark reads it as a row of the table above. The cells are nil if no tab
        /// separates them.
        case rowWithoutPipes(cells: [String]?)
    }

    /// The replacement that a fix proposes.
    enum Fix: Sendable {
        case row([String])
        case table([[String]], inPlaceOf: ClosedRange<Int>)
    }

    /// The character that separates the cells instead of a pipe.
    enum CellSeparator: Sendable {
        case escapedPipe
        case lookalike(Unicode.Scalar?)
        case tab
        /// Pipes separate the cells, but an invisible character precedes them.
        case pipeAfter(Unicode.Scalar?)
    }

    var range: Range<Int>
    var flaw: Flaw
    /// The line of the header of the table above. Nil if the broken lines are not directly below a table.
    var tableAbove: Int?
}

/// Details in the form `privacy: personal`, outside of a details table.
struct MisplacedDetails: Sendable {
    enum Fix: Sendable {
        case addToTable
        /// The replaced lines contain nothing but details.
        case replace(ClosedRange<Int>)
        case newTable
    }

    var range: Range<Int>
    var details: [(key: Details.Key, value: String)]
    var fix: Fix
}

extension NearMiss {
    /// The effect of a near miss on the blocks below it.
    enum Effect: Sendable {
        case none
        /// The rows below are part of the same broken table.
        case table
        /// The content below belongs to the heading.
        case heading
    }
}
