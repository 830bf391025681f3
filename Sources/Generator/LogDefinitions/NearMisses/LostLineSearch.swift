import MarkdownSyntax

/// Searches the lines that no reader consumed for those that were intended as part of a definition.
///
/// If one character of a definition is wrong, CommonMark parses it as text, which is always valid. Each line is
/// stripped of its markers, and five tests follow, which are the same in every kind of block: is it a heading, a row, a
/// column, a detail, or a line of pasted cells? Below the first `###` of a section, only headings are searched. A closed
/// fence and a closed comment may contain anything.
struct LostLineSearch {
    let document: MarkdownDocument
    let outline: DocumentOutline
    let kind: SourceFile.Kind
    /// The types of `types.md` by name.
    let types: [String: LogValueType]

    var source: SourceText { document.source }

    typealias Section = DocumentOutline.Section

    /// A Boolean value that indicates whether a definition, or text that was intended as one, precedes the title.
    var hasStrayDefinitions: Bool {
        guard let stray = outline.stray else { return false }
        var search = SectionSearch(search: self, section: stray)
        return stray.blocks.contains { BlockRole(of: $0, in: stray.context, source: source).isDefinition }
            || !search.run([]).isEmpty
    }

    /// The lost lines of all sections.
    /// - Parameter skippedRows: the lines that CommonMark reads as rows of a table and the parser does not.
    func lines(skippedRows: Set<Int>) -> [LostLines] {
        readSections.flatMap { section in
            var search = SectionSearch(search: self, section: section)
            return search.run(skippedRows)
        }
    }

    /// The sections that the parser reads. It does not read those of `common.md`.
    var readSections: [Section] { kind == .common ? [outline.title].compactMap { $0 } : outline.allSections }

    /// The line that was intended as the document's title, above the first heading. Nil without such a line.
    var title: LostLines? {
        guard let missing = outline.missingTitle else { return nil }
        for block in document.blocks[..<missing.end] {
            guard let container = LineContainer(of: block, in: source) else { continue }
            for (line, range) in source.textLines(of: block) {
                guard let scan = source.scan(in: range, isStripped: true), (1...6).contains(scan.marks),
                    scan.afterMarks < scan.end
                else { continue }
                return LostLines(lines: [
                    heading(TextLine(number: line, scan: scan, container: container), level: 1)
                ])
            }
        }
        return nil
    }

    // MARK: Headings

    /// Returns the heading that a line was intended as. In text, two number signs are sufficient. In other blocks, the
    /// line must also contain the name of an event or a type.
    func heading(_ line: TextLine, isNotes: Bool, isType: Bool) -> LostLine? {
        let (scan, container) = (line.scan, line.container)
        guard scan.marks > 0 else {
            guard container == .html ? isTagged(line) : isType && isTypeHeading(line.range) else { return nil }
            return LostLine(
                line: line.number, range: line.range, kind: .heading(level: 2, text: line.range, hasName: true),
                cause: container.cause ?? "a heading begins with `#`")
        }
        guard scan.marks <= 6, scan.afterMarks < scan.end else { return nil }
        let isMeant =
            container == .text || container == .html && !isNotes
            ? scan.marks > 1 || scan.hasWideMark && scan.hasAnyBlankAfterMarks
            : scan.marks == 2 && scan.hasBlankAfterMarks && hasName(scan.afterMarks..<scan.end)
        return isMeant ? heading(line, level: max(2, scan.marks)) : nil
    }

    private func heading(_ line: TextLine, level: Int) -> LostLine {
        let scan = line.scan
        let other = source.string(scan.start..<scan.end).unicodeScalars.first { $0 != "#" }
        let cause: String =
            if scan.hasWideMark {
                "it begins with \(described(other))"
            } else if let cause = self.cause(of: line) {
                cause
            } else if scan.hasBlankAfterMarks {
                "it is indented by four columns or more"
            } else if scan.hasAnyBlankAfterMarks {
                "the `#` is followed by \(described(other)), instead of a space"
            } else {
                "a space is missing after the `#`"
            }
        let text = scan.afterMarks..<scan.end
        return LostLine(
            line: line.number, range: line.range,
            kind: .heading(level: level, text: text, hasName: level == 1 || hasName(text)), cause: cause)
    }

    /// Returns whether a line would name an event or a type if it were a heading.
    func hasName(_ text: Range<Int>) -> Bool {
        let name = Name.identifier(ofCell: String(Substring(source.string(text)).withoutTags), allowsTitle: true)
        return Name.isIdentifier(name)
            || (kind == .types && TypeNotation.isTypeName(trimmed(name.prefix { $0 != ":" })))
    }

    /// Returns whether a line of HTML is a heading: `<h2>show</h2>`, or a name above a line of hyphens.
    private func isTagged(_ line: TextLine) -> Bool {
        let tag = source.string(source.lineStarts[line.number]..<line.range.lowerBound).lowercased()
        let next = line.number + 1
        let below = next < source.lineStarts.count ? source.bytes[source.lineRange(next)] : []
        let isUnderlined = below.count > 1 && (below.allSatisfy { $0 == 0x2D } || below.allSatisfy { $0 == 0x3D })
        return (isUnderlined || tag.hasSuffix("<h1>") || tag.hasSuffix("<h2>")) && hasName(line.range)
    }

    /// Returns whether a line is a scalar type's heading without number signs: `PersonID: string(12)`.
    private func isTypeHeading(_ range: Range<Int>) -> Bool {
        guard range.count <= 200 else { return false }
        let parts = source.string(range).split(separator: ":", maxSplits: 1).map { trimmed($0) }
        guard parts.count == 2, TypeNotation.isTypeName(parts[0]), parts[0].first?.isUppercase == true,
            let type = try? TypeNotation.parse(parts[1])
        else { return false }
        return type.type.typeName == nil && type.type.isScalar
    }

    // MARK: Rows

    /// The cells of a line, with any separator.
    func cells(of scan: LineScan) -> [String] {
        guard scan.start < scan.end else { return [] }
        let text = source.string(scan.start..<scan.end)
        var cells = text.unicodeScalars.split(omittingEmptySubsequences: false) {
            $0 == "\t" || $0 == "|" || LineScan.widePipes.contains($0.value)
        }.map { String(Substring($0).trimmingInvisible()) }
        if scan.isEscaped { cells = cells.map { $0.hasSuffix("\\") ? String(trimmed($0.dropLast())) : $0 } }
        if scan.beginsWithPipe, cells.count > 1, cells.first?.isEmpty == true { cells.removeFirst() }
        if cells.count > 1, cells.last?.isEmpty == true { cells.removeLast() }
        return cells
    }

    static func isHeader(_ cells: [String], in context: SectionContext) -> Bool {
        let known = Set(cells.compactMap { HeaderKind($0) ?? HeaderKind(Confusable.folded($0)) }).count
        return known > 1 || (context == .type && cells.count == 1 && known == 1)
    }

    /// Returns whether cells are headers, a column with its type, or a detail with its value.
    static func readsLikeRow(_ cells: [String], in context: SectionContext) -> Bool {
        guard cells.count > 1 else { return false }
        return isHeader(cells, in: context) || cells.count == 2 && isKey(cells[0])
            || isName(cells[0]) && cells.dropFirst().contains(where: isType)
    }

    private static func isName(_ cell: String) -> Bool { Name.isIdentifier(Name.identifier(ofCell: cell)) }

    private static func isKey(_ cell: String) -> Bool {
        Details.Key(spelling: String(withoutBackticks(cell[...]))) != nil
    }

    private static func isType(_ cell: String) -> Bool {
        guard let parsed = try? TypeNotation.parse(String(withoutBackticks(cell[...]))) else { return false }
        return parsed.type.typeName == nil
    }

    /// Returns whether cells fit the headers of a table: as many, with a name, a key or a value where it has one.
    /// - Parameter isBelow: whether the line is text directly below the table.
    func fits(_ cells: [String], _ header: Row, isBelow: Bool) -> Bool {
        guard cells.count == header.cells.count, cells.count > 1 else { return false }
        let headers = header.cells.map { HeaderKind($0.text(in: source)) }
        func cell(_ kind: HeaderKind) -> String? { headers.firstIndex(of: kind).map { cells[$0] } }
        if let key = cell(.key) { return Self.isKey(key) }
        guard let name = cell(.column), let type = cell(.type) else {
            return cell(.value).map { !$0.isEmpty && !$0.contains(" ") } ?? false
        }
        if name.isEmpty, type.isEmpty { return cell(.event).map(Self.isName) ?? false }
        return Self.isName(name) && (Self.isType(type) || isBelow || type.first?.isUppercase == true)
    }

    /// The reason why CommonMark does not read a line as its author meant it. Nil if the line itself has no flaw.
    func cause(of line: TextLine) -> String? {
        let (scan, text) = (line.scan, source.string(line.range).unicodeScalars)
        if scan.isEscaped { return "a backslash precedes it" }
        if scan.isDelimiter, let other = text.first(where: { !"-| :\t".unicodeScalars.contains($0) }) {
            return "it has \(described(other)), instead of a hyphen or `|`"
        }
        if scan.widePipes > 0 {
            return
                "its cells are separated by \(described(text.first { LineScan.widePipes.contains($0.value) })), not by `|`"
        }
        if scan.tabs > 0, scan.pipes == 0 { return "its cells are separated by tabs, not by `|`" }
        if let invisible = scan.invisible {
            return "it is preceded by \(described(source.string(invisible).unicodeScalars.first))"
        }
        let isBehindHTML = source.bytes[source.lineStarts[line.number]..<scan.start].contains(0x3C)
        return line.container.cause ?? (isBehindHTML ? "HTML precedes it on its line" : nil)
    }

    private func described(_ scalar: Unicode.Scalar?) -> String {
        scalar.map(ScalarNames.described) ?? "another character"
    }
}

extension Substring {
    /// The string without spaces and invisible characters at its ends.
    func trimmingInvisible() -> Substring {
        var scalars = unicodeScalars
        while let first = scalars.first, first == " " || ScalarNames.isInvisible(first) { scalars.removeFirst() }
        while let last = scalars.last, last == " " || ScalarNames.isInvisible(last) { scalars.removeLast() }
        return Substring(scalars)
    }

    /// The string without HTML tags at its ends.
    var withoutTags: Substring {
        var text = self
        while text.hasPrefix("<"), let close = text.firstIndex(of: ">") { text = text[text.index(after: close)...] }
        while text.hasSuffix(">"), let open = text.lastIndex(of: "<") { text = text[..<open] }
        return trimmed(text)
    }
}

extension SourceText {
    func isFenced(_ block: Block) -> Bool {
        guard let first = bytes[block.range].first, first == 0x60 || first == 0x7E else { return false }
        return bytes[lineStarts[block.lines.lowerBound]..<block.range.lowerBound].reduce(0) {
            $0 + ($1 == 0x09 ? 4 : 1)
        } < 4
    }

    /// The lines of a block, or the part of a line after the end of a comment.
    func textLines(of block: Block) -> [(line: Int, range: Range<Int>)] {
        guard case .other(.html) = block.content, bytes[block.range].starts(with: "<!--".utf8) else {
            return block.lines.map { ($0, lineRange($0)) }
        }
        let last = lineRange(block.lines.upperBound)
        let end = occurrences(of: Array("-->".utf8), in: last).last
        return end.map { [(block.lines.upperBound, $0 + 3..<last.upperBound)] } ?? []
    }
}
