import MarkdownSyntax

/// Lines that resemble headings, and headings with too many number signs (`#`).
extension NearMissDetector {
    /// The near miss of the document's title: the first line that was intended as a heading but is not one. Nil without
    /// such a line.
    func title(in blocks: ArraySlice<Block>) -> NearMiss? {
        for block in blocks {
            guard case .other(let kind) = block.content,
                kind != .html || !source.bytes[block.range].starts(with: "<!--".utf8),
                let (line, scan) = source.scans(at: block.lines, skippingTags: true).first(where: {
                    $0.scan.marks > 0 && $0.scan.afterMarks < $0.scan.end
                })
            else { continue }
            return kind == .html
                ? nearMiss(of: .title, on: line, scan, in: block) : .heading(heading(scan, on: line, level: 1))
        }
        return nil
    }

    /// The first line that was intended as a heading but is not one, if any.
    func heading(among scans: Scans, isText: Bool = false) -> BrokenHeading? {
        scans.first { $0.scan.marks > 0 && isBrokenHeading($0.scan, isText: isText) }.map {
            heading($0.scan, on: $0.line, level: max(2, $0.scan.marks))
        }
    }

    /// Returns whether a line was intended as a heading. In a paragraph, two number signs (`##`) are sufficient. In
    /// code and quotes, the line must also contain the name of an event or a type.
    func isBrokenHeading(_ scan: LineScan, isText: Bool) -> Bool {
        guard scan.marks <= 6, scan.afterMarks < scan.end else { return false }
        if isText { return scan.marks > 1 || (scan.hasWideMark && scan.hasAnyBlankAfterMarks) }
        return scan.marks == 2 && scan.hasBlankAfterMarks && hasName(scan)
    }

    /// Returns whether a line would name an event or a type if it were a heading.
    func hasName(_ scan: LineScan) -> Bool {
        let name = Name.identifier(ofCell: source.string(scan.afterMarks..<scan.end), allowsTitle: true)
        return Name.isIdentifier(name)
            || (kind == .types && TypeNotation.isTypeName(trimmed(name.prefix { $0 != ":" })))
    }

    func heading(_ scan: LineScan, on line: Int, level: Int) -> BrokenHeading {
        BrokenHeading(
            range: scan.start..<scan.end, text: scan.afterMarks..<scan.end, level: level,
            flaw: flaw(of: scan, on: line),
            hasName: hasName(scan))
    }

    private func flaw(of scan: LineScan, on line: Int) -> BrokenHeading.Flaw {
        var firstOther: Unicode.Scalar? { source.string(scan.start..<scan.end).unicodeScalars.first { $0 != "#" } }
        if scan.isEscaped { return .escaped }
        if scan.hasWideMark { return .startsWith(firstOther) }
        if let invisible = scan.invisible { return .preceded(by: source.string(invisible).unicodeScalars.first) }
        if isAfterTag(scan, on: line) { return .afterTag }
        if scan.hasBlankAfterMarks { return .insideOtherBlock }
        return scan.hasAnyBlankAfterMarks ? .unusualBlank(firstOther) : .missingBlank
    }

    private func isAfterTag(_ scan: LineScan, on line: Int) -> Bool {
        let before = source.bytes[source.lineRange(line).lowerBound..<scan.start]
        return before.contains(UInt8(ascii: ">")) && before.first { $0 != 0x20 && $0 != 0x09 } == UInt8(ascii: "<")
    }

    /// The heading that a line above a table was intended as: a line that contains only a name, in any decoration, such
    /// as `**show**`, `【show】` or `<h2>show</h2>`. Nil for other blocks.
    func name(aboveTableAt position: Position) -> BrokenHeading? {
        let block = position.block
        guard case .other(let kind) = block.content, kind == .paragraph || kind == .html else { return nil }
        var next = position.index + 1
        // Between a heading and its table, a few paragraphs explain the event.
        while next < min(position.section.notesStart, position.index + 5),
            case .other(.paragraph) = position.section.blocks[next].content
        {
            next += 1
        }
        let hasText = next > position.index + 1
        guard next < position.section.notesStart, position.context != .common,
            case .table(let table) = position.section.blocks[next].content,
            BlockRole(of: table, in: position.context, source: source).isDefinition
        else { return nil }
        var line = block.lines.upperBound
        while line > block.lines.lowerBound, source.isBlankLine(line) { line -= 1 }
        let whole = source.scan(at: line)
        guard let whole, whole.start < whole.end else { return nil }
        let text = Substring(source.string(whole.start..<whole.end)).withoutTags
        let isWord: (Unicode.Scalar) -> Bool = {
            $0.properties.isAlphabetic || $0.properties.numericType != nil || $0 == "`"
        }
        guard let first = text.unicodeScalars.firstIndex(where: isWord),
            let last = text.unicodeScalars.lastIndex(where: isWord)
        else { return nil }
        let inner = String(text.unicodeScalars[first...last])
        let isWrapped = !source.bytes[whole.range].starts(with: inner.utf8)
        let isTitled = !hasText && isTitle(inner)
        let isDecorated = isWrapped || inner.utf8.count < whole.range.count || inner.hasPrefix("`") || isTitled
        // In the middle of text, only a line of its own in bold or brackets is a heading.
        if hasText, !isWrapped || block.lines.count > 1 { return nil }
        // A word without decoration is prose, as are `(show)`, `@show` and `show.`
        let isSign: (Unicode.Scalar) -> Bool = {
            $0.isASCII ? " *_~`[]#=-+:".unicodeScalars.contains($0) : !"（）。、".unicodeScalars.contains($0)
        }
        guard isDecorated, text.unicodeScalars[..<first].allSatisfy(isSign),
            text.unicodeScalars[last...].dropFirst().allSatisfy(isSign)
        else { return nil }
        let name = Name.identifier(ofCell: inner, allowsTitle: isTitled || isWrapped && inner.hasSuffix("`"))
        let isName =
            position.context == .type
            ? (isWrapped || inner.hasPrefix("`")) && TypeNotation.isTypeName(name) && name.first?.isUppercase == true
            : Name.isIdentifier(name)
        guard isName, name != position.section.name.identifier, !isTitled || !names.contains(name),
            !Self.labels.contains(name.lowercased()),
            HeaderKind(name) == nil, let range = source.firstRange(of: inner, in: source.lineRange(line))
        else { return nil }
        return BrokenHeading(
            range: whole.range, text: range, level: 2, flaw: .onlyName, hasName: true,
            isUncertain: hasText || isTitled && !isWrapped)
    }

    /// Returns whether a line is a title with a name in code, such as ``Closed `close` ``, and no sentence.
    private func isTitle(_ text: String) -> Bool {
        let parts = text.split(separator: "`", omittingEmptySubsequences: false)
        let words = trimmed(parts[0]).split(separator: " ").map { $0.lowercased() }
        return parts.count == 3 && parts[2].isEmpty && (1...3).contains(words.count)
            && !(parts[0].first?.isLowercase ?? true)
            && words.allSatisfy { !Self.labels.contains($0) && !Self.prepositions.contains($0) }
    }

    private static let prepositions: Set<String> = [
        "of", "in", "for", "as", "by", "to", "with", "from", "and", "or", "see", "the", "a", "an", "is", "at", "on",
        "same", "only", "type", "table", "column", "event", "example", "note", "after", "before", "replaces",
        "requires", "unlike", "like", "use", "uses", "when", "screen", "sent",
    ]

    /// Words above tables that say what the table contains.
    private static let labels: Set<String> = [
        "columns", "properties", "parameters", "params", "fields", "attributes", "arguments", "values", "details",
        "options", "events", "examples", "notes", "schema", "payload", "data",
    ]

    // MARK: Deep headings

    /// The headings in notes that were intended as an event or a type, and the tables of columns in notes.
    ///
    /// - Parameters:
    ///   - found: the near misses of the sections. The near misses determine where the notes of a section end.
    ///   - names: the names of the category, its events and their columns. Notes may have such a name as their heading.
    func nearMisses(
        inNotesOf outline: DocumentOutline, endingAt found: NearMisses, naming names: @autoclosure () -> Set<String>
    ) -> [NearMiss] {
        var headings: [DeepHeading] = []
        if let title = outline.title { headings += deepHeadings(in: title, upTo: found.end(of: title)) }
        if kind != .common {
            for section in outline.sections { headings += deepHeadings(in: section, upTo: found.end(of: section)) }
        }
        guard !headings.isEmpty else { return [] }
        let names = names()
        return headings.compactMap { heading in
            if isMeantAsDefinition(heading, names) { return .deepHeading(heading) }
            return heading.misplaced.map { .tableInNotes($0.range, $0.what) }
        }
    }

    private func deepHeadings(in section: Section, upTo end: Int) -> [DeepHeading] {
        guard section.notesStart < end else { return [] }
        var headings: [DeepHeading] = []
        func note(_ definition: Range<Int>, _ what: String? = nil) {
            guard let last = headings.indices.last, headings[last].definition == nil || what == "column" else { return }
            headings[last].definition = definition
            headings[last].misplaced = what.map { (definition, $0) }
        }
        for block in section.blocks[section.notesStart..<end] {
            switch block.content {
            case .heading(let heading): headings.append(deepHeading(heading, in: section.context))
            case .table(let table):
                let place = table.header.range(ofCell: 0) ?? block.range
                switch BlockRole(of: table, in: section.context, source: source) {
                case .columns, .events: note(place, "column")
                case .values: note(place)
                case .details:
                    let key = table.rows.first?.cells.first?.text(in: source) ?? ""
                    if Details.Key(spelling: String(withoutBackticks(key[...]))) != nil { note(place, "details") }
                case .unknownTable:
                    if table.isOfProperties(in: source) { note(place, "column") }
                case .columnList, .text: break
                }
            case .list(let list):
                if section.context != .type, list.definesColumns(in: source) {
                    note(source.lineRange(block.lines.lowerBound))
                }
            case .other: break
            }
        }
        return headings
    }

    private func deepHeading(_ heading: Heading, in context: SectionContext) -> DeepHeading {
        let hasWordsAround = !heading.before.allSatisfy { $0 == " " } && !heading.after.allSatisfy { $0 == " " }
        return DeepHeading(
            name: Name(heading: heading, in: source, file: 0), level: heading.level, range: heading.range,
            hasCode: heading.code != nil, isSentence: heading.code != nil && hasWordsAround, text: heading.text,
            context: context)
    }

    /// Returns whether a heading in notes was intended as a definition. Such a heading consists of a name, or of a
    /// title and a name in backticks. In addition, a definition follows, or the name is not one of `names`.
    private func isMeantAsDefinition(_ heading: DeepHeading, _ names: Set<String>) -> Bool {
        let name = heading.name.identifier
        switch heading.context {
        case .common: return false
        case .type:
            let parts = name.split(separator: ":", maxSplits: 1).map { trimmed($0) }
            guard let first = parts.first, TypeNotation.isTypeName(first) else { return false }
            return heading.definition != nil || (parts.count == 2 && (try? TypeNotation.parse(String(parts[1]))) != nil)
        case .category, .event:
            if Name.isIdentifier(name) {
                return heading.definition != nil || (!heading.isSentence && !names.contains(name))
            }
            // `### Clear` above a table of columns is intended as a definition; `### History of changes` is a note.
            return heading.definition != nil && !heading.hasCode && TypeNotation.isTypeName(heading.text)
        }
    }
}

extension Substring {
    /// The string without HTML tags at its ends.
    var withoutTags: Substring {
        var text = self
        while text.hasPrefix("<"), let close = text.firstIndex(of: ">") { text = text[text.index(after: close)...] }
        while text.hasSuffix(">"), let open = text.lastIndex(of: "<") { text = text[..<open] }
        return trimmed(text)
    }
}

extension Table {
    /// Returns whether a table with unknown headers has the columns of an event: `Property | Type`.
    fileprivate func isOfProperties(in source: SourceText) -> Bool {
        let headers = header.cells.map { $0.text(in: source) }
        let kinds = headers.map { HeaderKind($0) }
        return kinds.contains(.type) && (kinds.contains(.column) || kinds.contains(.key))
    }
}
