import MarkdownSyntax

/// Looks for what somebody meant as a definition and CommonMark takes for text: nothing of that kind may be dropped in silence.
///
/// What is looked at stands in the contract's last section and in `DefinitionFormat`: everything above the first `###` of a section, and below
/// it what looks like the heading of an event.
extension FileParser {
    /// What the block above was: rows may have been parted from it.
    private enum Previous {
        case text, table
        /// A table with something wrong, which has been reported: the rows below belong to the same mistake.
        case broken
    }

    private enum Found { case nothing, table, heading }

    /// Reports what is lost under one heading. What stands behind a heading that is none belongs to it, and would only be wrong where it
    /// stands: the result is the block where that begins.
    mutating func reportLost(in blocks: ArraySlice<Block>, hasColumns: Bool, in context: SectionBody.Context) -> Int {
        var previous = Previous.text
        var isNotes = false
        var hasColumnsAbove = false
        for index in blocks.indices {
            let above = index > blocks.startIndex ? blocks[index - 1] : nil
            let found: Found
            switch blocks[index].content {
            case .heading(let heading):
                isNotes = isNotes || heading.level > 2
                found = heading.level > 2 ? .nothing : reportUnderlined(heading, blocks[index], in: context)
            case .table(let table):
                hasColumnsAbove = hasColumnsAbove || definesColumns(table, in: context)
                previous = .table
                continue
            case .list(let list): found = reportLost(list, blocks[index], isNotes: isNotes, hasColumns: hasColumns)
            case .other(.code): found = isFenced(blocks[index]) ? .nothing : reportIndented(blocks[index], isNotes, previous, in: context)
            case .other(.html):
                found = reportLostHTML(
                    blocks[index], isNotes: isNotes || hasColumnsAbove,
                    isRow: !isNotes && previous == .table && above?.lines.upperBound == blocks[index].lines.lowerBound - 1)
            case .other(.quote): found = reportQuoted(blocks[index], isNotes)
            case .other(.paragraph), .other(.linkReferences):
                found = reportLostText(blocks[index], isNotes, previous, above, in: context)
            case .other(.thematicBreak): found = .nothing
            }
            switch found {
            case .heading: return index
            case .table: previous = .broken
            case .nothing: previous = .text
            }
        }
        return blocks.endIndex
    }

    private typealias Looks = [(line: Int, look: LineLook)]

    private func looks(at block: Block, skippingMarkers: Bool = false) -> Looks {
        source.looks(at: block.lines, skippingMarkers: skippingMarkers)
    }

    // MARK: Headings

    /// A line that begins like a heading and is none, if there is one.
    private mutating func reportHeading(among looks: Looks, isText: Bool = false) -> Bool {
        guard let (line, look) = looks.first(where: { $0.look.marks > 0 && isLostHeading($0.look, isText: isText) }) else { return false }
        reportHeading(line, look, level: max(2, look.marks))
        return true
    }

    /// In a paragraph two marks are enough; in code and quotes the line must name an event, too.
    private func isLostHeading(_ look: LineLook, isText: Bool) -> Bool {
        guard look.marks <= 6, look.afterMarks < look.end else { return false }
        if isText { return look.marks > 1 || (look.hasWideMark && look.hasAnyBlankAfterMarks) }
        return look.marks == 2 && look.hasBlankAfterMarks && identifier(in: look) != nil
    }

    /// The identifier that a line would have as a heading.
    private func identifier(in look: LineLook) -> String? {
        let range = look.afterMarks..<look.end
        let name = Name(cell: source.string(range), range: range, in: source, file: file, allowsTitle: true).identifier
        let typeName = trimmed(name.prefix { $0 != ":" })
        return Name.isIdentifier(name) || (sourceFile.stem == "types" && TypeSyntax.isTypeName(typeName)) ? name : nil
    }

    mutating func reportHeading(_ line: Int, _ look: LineLook, level: Int) {
        let text = source.string(look.start..<look.end)
        let content = source.string(look.afterMarks..<look.end)
        let hashes = String(repeating: "#", count: level)
        let why: String
        if look.isEscaped {
            why = "the backslash before it makes it text"
        } else if look.hasWideMark {
            why = "it begins with " + described(text.unicodeScalars.first { $0 != "#" })
        } else if let invisible = look.invisible {
            why = "before it stands " + described(source.string(invisible).unicodeScalars.first)
        } else if look.hasBlankAfterMarks {
            why = "it is indented by four columns or more, or stands in another block"
        } else if look.hasAnyBlankAfterMarks {
            why = "behind the `#` stands " + described(text.unicodeScalars.first { $0 != "#" }) + ", not a blank"
        } else {
            why = "a blank is missing behind the `#`"
        }
        var help = ["write `\(hashes) \(content)` at the beginning of a line"]
        if level == 2, identifier(in: look) == nil {
            let suggested = Name.suggestedIdentifier(for: content)
            help = [suggested.map { "for an event write `## \($0)`" } ?? "for an event write title and identifier, as in ``## Show `show_recipe` ``"]
            help.append("for a note write `### \(content)`")
        }
        report(.brokenHeading, "`\(shortened(text))` is no heading: \(why)", at: look.start..<look.end, notes: help.map { .help($0) })
    }

    private func described(_ scalar: Unicode.Scalar?) -> String { scalar.map(ScalarNames.described) ?? "another character" }

    /// Long lines are not repeated in messages: the excerpt shows them.
    private func shortened(_ text: String) -> String {
        let scalars = text.unicodeScalars
        return scalars.count <= 60 ? text : String(String.UnicodeScalarView(scalars.prefix(57))) + "…"
    }

    // MARK: Text

    private mutating func reportLostText(
        _ block: Block, _ isNotes: Bool, _ previous: Previous, _ above: Block?, in context: SectionBody.Context
    ) -> Found {
        let looks = looks(at: block)
        guard !looks.isEmpty else { return .nothing }
        if reportHeading(among: looks, isText: true) { return .heading }
        guard !isNotes else { return .nothing }
        if let rows = rows(among: looks, previous, above, in: context) { return report(rows, previous, above, in: context) }
        for (line, look) in looks where look.hasListType && reportColumn(on: line, look, isItem: false) { return .table }
        return .nothing
    }

    /// The lines of a paragraph from the first that reads like a row of a table on; nil if none does.
    private func rows(among looks: Looks, _ previous: Previous, _ above: Block?, in context: SectionBody.Context) -> Looks? {
        guard let first = looks.firstIndex(where: { $0.look.separators > 0 || $0.look.isDelimiter }) else { return nil }
        let rows = looks[first...].filter { $0.look.separators > 0 || $0.look.isDelimiter }
        let isTable =
            previous == .broken || (previous == .table && rows.contains { isRow($0.look, below: above, in: context) })
            || rows.contains { $0.look.beginsWithPipe || $0.look.isDelimiter || $0.look.tabs > 1 }
            || rows.count { $0.look.pipes > 0 } > 1 || rows.count { $0.look.widePipes > 0 } > 1 || rows.count { $0.look.tabs > 0 } > 1
            || rows.contains { readsLikeRow(cells(of: $0.look), in: context) }
        return isTable ? Array(rows) : nil
    }

    /// Whether a line without a pipe at its start has as many cells as the table above, and a name in the first.
    private func isRow(_ look: LineLook, below block: Block?, in context: SectionBody.Context) -> Bool {
        guard case .table(let table)? = block?.content else { return false }
        let cells = cells(of: look)
        guard cells.count == table.alignments.count, let first = cells.first else { return false }
        let name = Name(cell: first, range: 0..<0, in: source, file: file, allowsTitle: true).identifier
        return context == .type ? look.pipes > 0 && !first.contains(" ") : name.isEmpty || Name.isIdentifier(name)
    }

    /// Whether a line's cells are headers, a column with its type, or a detail with its value.
    private func readsLikeRow(_ cells: [String], in context: SectionBody.Context) -> Bool {
        guard cells.count > 1 else { return false }
        if isHeader(cells, in: context) { return true }
        if cells.count == 2, Details.Key(spelling: String(withoutBackticks(cells[0][...]))) != nil { return true }
        let name = Name(cell: cells[0], range: 0..<0, in: source, file: file).identifier
        return Name.isIdentifier(name)
            && cells.dropFirst().contains { cell in
                guard let parsed = try? TypeSyntax.parse(String(withoutBackticks(cell[...]))) else { return false }
                return parsed.type.namedType == nil
            }
    }

    private func isHeader(_ cells: [String], in context: SectionBody.Context) -> Bool {
        let known = cells.count { HeaderKind($0) != nil }
        return known > 1 || (context == .type && cells.count == 1 && known == 1)
    }

    /// The cells of a line, whatever parts them.
    private func cells(of look: LineLook) -> [String] {
        guard look.start < look.end else { return [] }
        let text = source.string(look.start..<look.end)
        var cells = text.unicodeScalars.split(omittingEmptySubsequences: false) { scalar in
            switch scalar {
            case "|", "\u{FF5C}", "\u{FFE8}", "\u{2502}", "\u{2503}", "\u{2223}", "\u{A6}", "\t": true
            default: false
            }
        }.map { String(trimmedWide(Substring($0))) }
        if look.beginsWithPipe, cells.count > 1, cells.first?.isEmpty == true { cells.removeFirst() }
        if cells.count > 1, cells.last?.isEmpty == true { cells.removeLast() }
        return cells
    }

    private func trimmedWide(_ text: Substring) -> Substring {
        var scalars = text.unicodeScalars
        while let first = scalars.first, first == " " || ScalarNames.isInvisible(first) { scalars.removeFirst() }
        while let last = scalars.last, last == " " || ScalarNames.isInvisible(last) { scalars.removeLast() }
        return Substring(scalars)
    }

    private func row(_ cells: [String]) -> String? {
        let text = cells.map { $0.isEmpty ? "| " : "| \($0) " }.joined() + "|"
        return text.unicodeScalars.count <= 160 ? text : nil
    }

    private func delimiterRow(_ count: Int) -> String { String(repeating: "| --- ", count: min(count, 20)) + "|" }

    private mutating func report(_ rows: Looks, _ previous: Previous, _ above: Block?, in context: SectionBody.Context) -> Found {
        let (line, look) = rows[0]
        let header = cells(of: look)
        let delimiter = rows.prefix(3).firstIndex { $0.look.isDelimiter }
        let beginsTable = isHeader(header, in: context) && delimiter != 0
        if previous == .broken, !beginsTable { return .table }
        if previous == .table, !beginsTable, delimiter == nil {
            if case .table(let table)? = above?.content { lostTables.insert(table.header.line) }
            if look.pipes > 0, look.widePipes == 0, look.invisible == nil, !look.isEscaped {
                return lost(
                    line, look, "this row has a blank line between it and its table, and defines nothing",
                    ["remove the blank line above it", "if it is text, write its pipes as code: `a | b`"])
            }
        }
        if let delimiter {
            let (delimiterLine, delimiterLook) = rows[delimiter]
            if delimiter == 0 {
                let count = cells(of: look).count
                let example =
                    context == .type
                    ? ["value", "description"] : count == 2 ? ["column", "type"] : ["column", "type", "description"]
                return lost(
                    delimiterLine, delimiterLook, "the table has no header row above its row of hyphens",
                    ["write a line such as `\(row(example) ?? "")` above it, with as many cells"])
            }
            let headerLook = rows[delimiter - 1].look
            let headerCells = cells(of: headerLook)
            if let problem = otherSeparator(headerLook) {
                return lost(rows[delimiter - 1].line, headerLook, problem, row(headerCells).map { ["write `\($0)`"] } ?? [])
            }
            let text = source.string(delimiterLook.start..<delimiterLook.end)
            let dash = text.unicodeScalars.first { !"-=_|: \t+".unicodeScalars.contains($0) }
            let help = ["write `\(delimiterRow(headerCells.count))` below the headers"]
            if let dash {
                return lost(delimiterLine, delimiterLook, "the row below the headers has \(ScalarNames.described(dash)), in place of a hyphen", help)
            }
            let count = cells(of: delimiterLook).count
            if count != headerCells.count {
                return lost(
                    delimiterLine, delimiterLook,
                    "the row below the headers has \(count) cell\(count == 1 ? "" : "s"), the headers are \(headerCells.count): this is no table",
                    help)
            }
            return lost(delimiterLine, delimiterLook, "the row below the headers is none of hyphens alone, or is indented: this is no table", help)
        }
        if let problem = otherSeparator(look) { return lost(line, look, problem, row(header).map { ["write `\($0)`"] } ?? []) }
        if rows.count > 1 || isHeader(header, in: context) {
            return lost(
                line, look, "the table has no row of hyphens below its headers, and defines nothing",
                ["write `\(delimiterRow(header.count))` below the headers"])
        }
        return lost(
            line, look, "a line with pipes outside of a table defines nothing",
            [
                "put it below its table, without a blank line between; a table has a row of headers and a row `\(delimiterRow(header.count))`",
                "if it is text, write its pipes as code, or put it below a `###` heading",
            ])
    }

    /// What parts the cells of a line in place of pipes, as a sentence.
    private func otherSeparator(_ look: LineLook) -> String? {
        if look.isEscaped { return "the backslash before its first pipe makes this line text, not a row of a table" }
        if look.widePipes > 0 {
            let text = source.string(look.start..<look.end)
            let wide = text.unicodeScalars.first {
                ["\u{FF5C}", "\u{FFE8}", "\u{2502}", "\u{2503}", "\u{2223}", "\u{A6}"].contains($0)
            }
            return "the cells are parted by \(described(wide)), not by `|`: this is no row of a table"
        }
        if look.tabs > 0, look.pipes == 0 { return "the cells are parted by tabs, not by `|`: this is no row of a table" }
        if let invisible = look.invisible {
            return "the row begins with \(described(source.string(invisible).unicodeScalars.first)): this is no row of a table"
        }
        return nil
    }

    private mutating func lost(_ line: Int, _ look: LineLook, _ message: String, _ help: [String]) -> Found {
        report(.brokenTable, message, at: look.start..<max(look.start, look.end), notes: help.map { .help($0) })
        return .table
    }

    /// A header with hyphens and no pipes below it: CommonMark takes it for a heading.
    private mutating func reportUnderlined(_ heading: Heading, _ block: Block, in context: SectionBody.Context) -> Found {
        guard let last = source.looks(at: block.lines.lowerBound...max(block.lines.lowerBound, block.lines.upperBound - 1)).last else {
            return .nothing
        }
        let count = cells(of: last.look).count
        return lost(
            last.line, last.look, "the row below these headers has no pipes: this is a heading, not a table",
            ["write `\(delimiterRow(count))` below the headers"])
    }

    /// Whether a heading is the header of a table, underlined by what should be its row of hyphens.
    func isTableHeader(_ heading: Heading, _ block: Block) -> Bool {
        guard block.lines.count > 1, source.bytes[heading.range].contains(UInt8(ascii: "|")),
            let last = source.looks(at: block.lines.lowerBound...(block.lines.upperBound - 1)).last
        else { return false }
        return last.line == block.lines.upperBound - 1 && (last.look.beginsWithPipe || (last.look.pipes > 0 && heading.code == nil))
    }

    /// Says what is wrong with a line that is read as a row and was meant as none, or as one with more cells.
    mutating func reportNoRow(_ row: Row, of table: Table) {
        guard let look = source.look(at: row.line) else { return }
        if look.widePipes > 0 || look.isEscaped {
            _ = lost(row.line, look, otherSeparator(look) ?? "", self.row(cells(of: look)).map { ["write `\($0)`"] } ?? [])
        } else if look.pipes > 0 {
            _ = lost(row.line, look, "this row begins without a pipe, unlike its header", ["put it behind the line above, or begin it with `|`"])
        } else if look.marks > 1 || (look.hasWideMark && look.hasAnyBlankAfterMarks) {
            reportHeading(row.line, look, level: max(2, look.marks))
        } else {
            let help =
                look.tabs > 0
                ? self.row(cells(of: look)).map { "write `\($0)`" }
                : "if it is text, put an empty line above it; if it is a row, part its cells with `|`"
            _ = lost(row.line, look, "a line without a pipe is read as a row of the table above", help.map { [$0] } ?? [])
        }
    }

    // MARK: Other blocks

    private func isFenced(_ block: Block) -> Bool {
        guard let first = source.bytes[block.range].first else { return false }
        guard first == UInt8(ascii: "`") || first == UInt8(ascii: "~") else { return false }
        var columns = 0
        for byte in source.bytes[source.lineStarts[block.lines.lowerBound]..<block.range.lowerBound] { columns += byte == 0x09 ? 4 : 1 }
        return columns < 4
    }

    private mutating func reportIndented(_ block: Block, _ isNotes: Bool, _ previous: Previous, in context: SectionBody.Context) -> Found {
        let looks = looks(at: block, skippingMarkers: false)
        if reportHeading(among: looks) { return .heading }
        guard !isNotes else { return .nothing }
        guard let (line, look) = looks.first(where: { $0.look.beginsWithPipe || readsLikeRow(cells(of: $0.look), in: context) }) else {
            return reportItems(in: source.looks(at: block.lines, skippingMarkers: true)) ? .table : .nothing
        }
        if previous == .broken, !isHeader(cells(of: look), in: context) { return .table }
        return lost(
            line, look, "a row that is indented by four columns, or by a tab, is code and defines nothing", ["remove the indentation of the row"])
    }

    private mutating func reportQuoted(_ block: Block, _ isNotes: Bool) -> Found {
        let looks = looks(at: block, skippingMarkers: true)
        if reportHeading(among: looks) { return .heading }
        guard !isNotes, !looks.isEmpty else { return .nothing }
        if let (line, look) = looks.first(where: { $0.look.beginsWithPipe || $0.look.isDelimiter }) {
            return lost(
                line, look, "a table in a quote defines nothing",
                ["put the table at the beginning of its lines; one that defines nothing goes below a `###` heading"])
        }
        return reportItems(in: looks) ? .table : .nothing
    }

    private mutating func reportLostHTML(_ block: Block, isNotes: Bool, isRow: Bool) -> Found {
        let text = source.bytes[block.range]
        if text.starts(with: "<!--".utf8) {
            // A comment that takes in the next one has lost its end.
            guard count("<!--", in: text) > 1, let (line, look) = definition(in: block.lines.lowerBound + 1...block.lines.upperBound, of: block)
            else {
                return .nothing
            }
            reportOpen("comment", block, line, look, end: "-->")
            return .nothing
        }
        guard !isNotes || isRow, ["<table", "<tr", "<td", "<th", "<tbody"].contains(where: { starts(text, with: $0) || count($0, in: text) > 0 })
        else {
            return .nothing
        }
        report(
            .brokenTable, "a table in HTML defines nothing", at: source.lineRange(block.lines.lowerBound),
            notes: [.help("write it as a table with pipes; one that defines nothing goes below a `###` heading")])
        return .table
    }

    private func starts(_ text: ArraySlice<UInt8>, with tag: String) -> Bool {
        text.prefix(tag.utf8.count).elementsEqual(tag.utf8, by: { $0 | 0x20 == $1 || $0 == $1 })
    }

    private func count(_ part: String, in text: ArraySlice<UInt8>) -> Int {
        let part = Array(part.utf8)
        var count = 0
        for index in text.indices
        where text[index] == part[0] && text[index...].prefix(part.count).elementsEqual(part, by: { $0 == $1 || $0 | 0x20 == $1 }) {
            count += 1
        }
        return count
    }

    // MARK: Lists

    private mutating func reportLost(_ list: List, _ block: Block, isNotes: Bool, hasColumns: Bool) -> Found {
        let looks = looks(at: block, skippingMarkers: true)
        if !looks.isEmpty {
            if reportHeading(among: source.looks(at: block.lines), isText: true) || reportHeading(among: looks) { return .heading }
            guard !isNotes else { return .nothing }
            if let (line, look) = looks.first(where: { $0.look.beginsWithPipe || $0.look.isDelimiter }) {
                return lost(
                    line, look, "a table in a list defines nothing",
                    ["put an empty line above the table, and the table at the beginning of its lines"])
            }
        }
        guard !isNotes else { return .nothing }
        let isColumns = isColumnList(list)
        if isColumns, !hasColumns {
            // Its own items are read; what is nested in them is description.
            var nested = list.items.flatMap { $0.children.map(\.lines) }[...]
            for (line, look) in looks where look.hasListType {
                while let first = nested.first, first.upperBound < line { nested.removeFirst() }
                guard let first = nested.first, first.contains(line) else { continue }
                if reportColumn(on: line, look, isItem: true) { return .table }
            }
            return .nothing
        }
        if isColumns {
            guard looks.contains(where: { $0.look.hasListType }) else { return .nothing }
            report(
                .secondTable, "a list of columns beside a table of columns defines nothing", at: source.lineRange(block.lines.lowerBound),
                notes: [.help("put the columns into the table, or the list below a `###` heading")])
            return .nothing
        }
        for item in list.items {
            guard let range = item.text else { continue }
            let line = source.lineIndex(at: range.lowerBound)
            guard let look = source.look(at: line, skippingMarkers: true), reportColumn(on: line, look, isItem: true) else { continue }
            return .table
        }
        return .nothing
    }

    private mutating func reportItems(in looks: Looks) -> Bool {
        for (line, look) in looks where look.hasListType && reportColumn(on: line, look, isItem: false) { return true }
        return false
    }

    /// Reports a line that defines a column of the list form where none is read: `recipe_id: !integer`, or `- recipe_id: integer` in a list.
    private mutating func reportColumn(on line: Int, _ look: LineLook, isItem: Bool) -> Bool {
        guard look.start < look.end else { return false }
        let text = source.string(look.start..<look.end)
        let scalars = text.unicodeScalars
        let parting = scalars.firstIndex { $0 == ":" || $0 == "\u{FF1A}" }
        guard let parting = parting ?? (look.hasListType ? scalars.firstIndex { $0 == "!" || $0 == "\u{FF01}" } : nil) else { return false }
        var name = trimmedWide(text[..<parting])
        while let first = name.unicodeScalars.first,
            ["-", "*", "+", "\u{2022}", "\u{30FB}", "\u{FF0D}", "\u{2013}", "\u{2014}", "\u{2010}", "\u{FF65}"].contains(first)
        {
            name = trimmedWide(Substring(name.unicodeScalars.dropFirst()))
        }
        let identifier = Name(cell: String(name), range: 0..<0, in: source, file: file).identifier
        guard Name.isIdentifier(identifier) else { return false }
        var type = trimmedWide(Substring(scalars[parting...].drop { $0 == ":" || $0 == "\u{FF1A}" }))
        let isMarked = type.unicodeScalars.first == "!" || type.unicodeScalars.first == "\u{FF01}"
        if isMarked { type = trimmedWide(Substring(type.unicodeScalars.dropFirst())) }
        guard isMarked || isItem else { return false }
        let word = String(type.prefix { $0.isASCII && ($0.isLetter || $0.isNumber) })
        guard let known = TypeSyntax.builtIn[word] else { return false }
        let rest = trimmedWide(type.dropFirst(word.count))
        // Words behind the type are a sentence, unless the `!` says what is meant.
        guard isMarked || rest.isEmpty || rest == "?" || Int(trimmed(rest.drop { $0 == "?" })) != nil else { return false }
        let written = known.listName.map { "- \(identifier): !\($0)\(rest.isEmpty ? "" : rest.hasPrefix("?") ? rest : " " + rest)" }
        report(
            .listColumn, "this line reads like the column `\(identifier)` and defines nothing", at: look.start..<look.end,
            notes: [.help(written.map { "write `\($0)` at the beginning of a line" } ?? "put it into a table with the headers `column` and `type`")])
        return true
    }

    // MARK: What is never closed

    /// A code block or comment that nobody closes takes in all that stands below it, definitions and all.
    mutating func reportOpenBlock() -> Bool {
        guard let last = document.blocks.last else { return false }
        switch last.content {
        case .other(.code) where isFenced(last) && !isClosed(last):
            // Where an earlier block has lost its end, the next one's first line closes it, and so on to the last.
            let culprit = document.blocks.first { block in
                guard case .other(.code) = block.content, isFenced(block), block.lines.count > 1 else { return false }
                return definition(in: block.lines.lowerBound + 1...block.lines.upperBound, of: block, headingsOnly: block.lines != last.lines) != nil
            }
            guard let block = culprit,
                let (line, look) = definition(in: block.lines.lowerBound + 1...block.lines.upperBound, of: block)
            else { return false }
            let first = source.bytes[block.range]
            let fence = first.prefix { $0 == first.first }
            reportOpen("code block", block, line, look, end: String(decoding: fence, as: UTF8.self))
            return true
        case .other(.html)
        where last.lines.count > 1 && source.bytes[last.range].starts(with: "<!--".utf8) && count("-->", in: source.bytes[last.range]) == 0:
            guard let (line, look) = definition(in: last.lines.lowerBound + 1...last.lines.upperBound, of: last) else { return false }
            reportOpen("comment", last, line, look, end: "-->")
            return true
        default: return false
        }
    }

    private func isClosed(_ block: Block) -> Bool {
        guard block.lines.count > 1 else { return false }
        let opening = source.bytes[block.range].prefix { $0 == source.bytes[block.range.lowerBound] }
        let last = trimmed(source.string(source.lineRange(block.lines.upperBound))[...])
        return last.utf8.count >= opening.count && last.utf8.allSatisfy { $0 == opening.first }
    }

    /// The first line that would define something if it stood in no other block.
    private func definition(in lines: ClosedRange<Int>, of block: Block, headingsOnly: Bool = false) -> (line: Int, look: LineLook)? {
        source.looks(at: lines).first { _, look in
            (look.marks == 2 && look.hasBlankAfterMarks && identifier(in: look) != nil)
                || (!headingsOnly && (look.beginsWithPipe || look.hasListType))
        }
    }

    private mutating func reportOpen(_ what: String, _ block: Block, _ line: Int, _ look: LineLook, end: String) {
        report(
            .openBlock, "this \(what) is not closed and takes in definitions", at: source.lineRange(block.lines.lowerBound),
            notes: [
                .note("such as this one", at: Place(file: file, range: look.start..<look.end)),
                .help("end the \(what) with a line `\(end)`"),
            ])
    }
}

extension SourceText {
    func look(at line: Int, skippingMarkers: Bool = false) -> LineLook? {
        bytes.withUnsafeBufferPointer { buffer in
            buffer.baseAddress.map { LineLook(lineRange(line), in: $0, skippingMarkers: skippingMarkers) }
        }
    }

    /// Whether a row has fewer cells than its table because its line was not meant as one: it has no pipe, something else for one, or is the
    /// second half of a row.
    func isNoRow(_ row: Row, of table: Table) -> Bool {
        guard row.cells.count < table.alignments.count, let look = look(at: row.line) else { return false }
        if look.widePipes > 0 || look.isEscaped || look.pipes == 0 { return true }
        return !look.beginsWithPipe && bytes[lineRange(table.header.line)].first == UInt8(ascii: "|")
    }
}

extension ColumnType {
    /// The type's name in the list form, if it has one there.
    fileprivate var listName: String? {
        switch self {
        case .string: "string"
        case .integer(16, true, _, _, _): "smallint"
        case .integer(32, true, _, _, _): "integer"
        case .integer(64, true, _, _, _): "bigint"
        case .number(32, _, _): "real"
        case .number: "double"
        case .boolean: "boolean"
        case .date: "date"
        case .timestamp: "timestamp"
        default: nil
        }
    }
}
