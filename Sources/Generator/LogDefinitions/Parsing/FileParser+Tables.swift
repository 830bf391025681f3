import MarkdownSyntax

/// Tables: columns, events in one table, details, values.
extension FileParser {
    // MARK: Column tables

    mutating func columns(_ table: Table, _ header: TableHeader) -> [Column] {
        checkHeader(header, of: table)
        var columns: [Column] = []
        columns.reserveCapacity(table.rows.count)
        for row in ownRows(of: table).compactMap({ checked($0, of: table) }) {
            if let column = column(row, header) { columns.append(column) }
        }
        return columns
    }

    /// Reports the cells that name another event than the section's.
    mutating func checkEvents(_ table: Table, _ header: TableHeader, in section: Section) {
        guard let index = header.kinds.firstIndex(of: .event) else { return }
        for row in table.rows {
            guard let cell = row.cell(index), !cell.range.isEmpty else { continue }
            let name = Name.identifier(ofCell: cell.text(in: source), allowsTitle: true)
            let isOwn = section.context == .event && name == section.name.identifier
            guard !isOwn, !source.isDelimiter(row) else { continue }
            let owner = section.context == .event ? "`\(section.name.identifier)`" : "all events"
            report(
                .misplacedTable, "the row names the event `\(name)`, but its column belongs to \(owner)",
                at: cell.range,
                .help(
                    "move the row below the heading of its event; or move the table below the `#` heading of the "
                        + "category, where it can define several events"))
        }
    }

    private mutating func checkHeader(_ header: TableHeader, of table: Table) {
        guard !header.isPlain else { return }
        let kinds = Set(header.kinds.compactMap { $0 })
        let firstOfText = Dictionary(
            header.texts.enumerated().map { (ExactString($1), $0) }, uniquingKeysWith: { first, _ in first })
        var seen: [HeaderKind: Int] = [:]
        for (index, kind) in header.kinds.enumerated() {
            let range = table.header.range(ofCell: index) ?? 0..<0
            if let kind {
                reportHeaderReadInPart(header, index, kind, at: range)
                let kind = kind == .optional ? .required : kind
                if let first = seen[kind] {
                    report(
                        .duplicateHeader,
                        "`\(header.texts[index])` repeats the header `\(header.texts[first])`", at: range,
                        .note(
                            "that header is here",
                            at: table.header.range(ofCell: first).map { Place(file: file, range: $0) }))
                }
                seen[kind] = seen[kind] ?? index
            } else if header.texts[index].isEmpty {
                report(
                    .missingHeader, "column \(index + 1) of the table has no header",
                    at: range.isEmpty ? source.lineRange(table.header.line) : range,
                    .help("add a header; loggen keeps columns with unknown headers as annotations"))
            } else if let first = firstOfText[ExactString(header.texts[index])], first != index {
                report(
                    .duplicateHeader, "the header `\(header.texts[index])` occurs twice", at: range,
                    .note(
                        "the first one is here",
                        at: table.header.range(ofCell: first).map { Place(file: file, range: $0) }),
                    .help("rename or delete one of the columns of the table"))
            } else if let limit = HeaderLimit(header.texts[index]) {
                let cell = table.rows.lazy.compactMap { $0.range(ofCell: index) }.first { !$0.isEmpty }
                report(
                    .headerSpelling,
                    "the header `\(header.texts[index])` is only an annotation: it does not limit the values",
                    at: range,
                    .help(limit.advice(for: cell.map { source.string($0) } ?? "")))
            } else if let nearest = HeaderKind.nearest(to: header.texts[index]), !kinds.contains(nearest.kind),
                nearest.kind != .key, nearest.kind != .value, nearest.kind != .event
            {
                report(
                    .headerSpelling, "the header `\(header.texts[index])` is unknown and kept as an annotation",
                    at: range, .didYouMean(nearest.spelling), hidden(in: header.texts[index]))
            }
        }
        let unknown = header.kinds.indices.filter { header.kinds[$0] == nil && !header.texts[$0].isEmpty }
        if unknown.count > 1 {
            let places = unknown.map {
                (header.texts[$0], Place(file: file, range: table.header.range(ofCell: $0) ?? 0..<0))
            }
            Confusable.find(among: places, what: "headers") { report(.confusable, $0, at: $1.range, notes: $2) }
        }
    }

    private mutating func reportHeaderReadInPart(
        _ header: TableHeader, _ index: Int, _ kind: HeaderKind, at range: Range<Int>
    ) {
        guard header.isReadInPart(index) else { return }
        let spelling = kind.spelling(inJapanese: !header.texts[index].utf8.allSatisfy { $0 < 0x80 })
        report(
            .headerSpelling, "the header `\(header.texts[index])` is read as `\(spelling)`", at: range, .write(spelling)
        )
    }

    /// A note about the first invisible character of a string or, without one, its first full-width character.
    func hidden(in text: some StringProtocol) -> Diagnostic.Note? {
        let text = ScalarNames.withInvisibleCharacters(String(text))
        let found =
            ScalarNames.firstInvisible(in: text) ?? text.unicodeScalars.first { (0xFF01...0xFF5E).contains($0.value) }
        return found.map { .note("it contains \(ScalarNames.described($0))") }
    }

    /// Checks the number of cells in a row. Excess cells are reported, and the other cells are read. A line is skipped
    /// if its author did not mean it as a row. A cell of invisible characters is empty.
    ///
    /// - Returns: the row to be read, if any.
    private mutating func checked(_ row: Row, of table: Table) -> Row? {
        if source.isNoRow(row, of: table) {
            skippedRows.insert(row.line)
            return nil
        }
        splitRows[row.line] = source.splitCode(in: row)
        if let excess = row.excess {
            report(
                .excessCells, "the row has more cells than the header", at: excess,
                .help("write a pipe inside a cell as `\\|`", .escapePipes))
            if source.bytes[excess].allSatisfy(" \t|".utf8.contains) {
                diagnostics[diagnostics.count - 1].severity = .warning
            }
        }
        var row = row
        for index in row.cells.indices where source.bytes[row.cells[index].range].last ?? 0 >= 0x80 {
            let range = row.cells[index].range
            let text = source.string(range)
            guard let hidden = ScalarNames.firstInvisible(in: text), text[...].trimmingInvisible().isEmpty else {
                continue
            }
            report(
                .confusable, "the cell is empty except for \(ScalarNames.described(hidden)), which is invisible",
                at: range, .help("delete it", .replace(nil, with: "")))
            row.cells[index].range = range.lowerBound..<range.lowerBound
        }
        return row
    }

    /// Reports the rows that a pipe in a code span splits. Other mistakes in such a row are its consequences.
    mutating func reportSplitRows() {
        guard !splitRows.isEmpty else { return }
        var broken: Set<Int> = []
        let (source, splitRows) = (source, splitRows)
        diagnostics.removeAll { diagnostic in
            let line = source.lineIndex(at: diagnostic.place.range.lowerBound)
            guard splitRows[line] != nil else { return false }
            if diagnostic.severity == .error { broken.insert(line) }
            return true
        }
        for (line, range) in splitRows.sorted(by: { $0.key < $1.key }) {
            report(
                .excessCells, "a pipe in a code span ends the cell", at: range, .help("write it as `\\|`", .escapePipes)
            )
            if !broken.contains(line) { diagnostics[diagnostics.count - 1].severity = .warning }
        }
    }

    /// Returns the rows of a table. If a second table follows directly, its rows are reported and not returned.
    private mutating func ownRows(of table: Table) -> [Row] {
        let delimiter = table.rows.firstIndex { source.isDelimiter($0) }
        guard let delimiter else { return table.rows }
        let header = delimiter > 0 ? table.rows[delimiter - 1] : nil
        if let header, header.cells.contains(where: { HeaderKind($0.text(in: source)) != nil }) {
            report(
                .brokenTable, "this header row is read as a row of the table above", at: source.lineRange(header.line),
                .help(
                    "insert an empty line above it",
                    .insertLine("", before: Place(file: file, range: source.lineRange(header.line)))))
            return Array(table.rows[..<(delimiter - 1)])
        }
        report(
            .brokenTable, "a second row of hyphens in one table", at: source.lineRange(table.rows[delimiter].line),
            .help(
                "remove it; or, if a second table begins here, insert an empty line and a header row above the "
                    + "hyphens", .deleteLines))
        return Array(table.rows[..<delimiter] + table.rows[(delimiter + 1)...])
    }

    private struct ColumnCells {
        var name: (text: String, range: Range<Int>)
        var type: (text: String, range: Range<Int>)
        var required: (value: Bool, range: Range<Int>)?
        var description = ""
        var example: String?
        var examplePlace: Place?
        var privacy: LogPrivacy?
        var platforms = Platforms.all
        var since: String?
        var deprecated: String?
        var formerNames: [FormerName] = []
        var annotations: [Column.Annotation] = []

        /// - Parameter end: the end of the row, which is the place of missing cells.
        init(endOfRow end: Int) {
            name = ("", end..<end)
            type = name
        }
    }

    private mutating func cells(of row: Row, _ header: TableHeader) -> ColumnCells {
        var cells = ColumnCells(endOfRow: row.cells.last?.range.upperBound ?? 0)
        var seen: UInt16 = 0
        // Missing cells of short rows are empty. Visiting them would take time proportional to columns times rows.
        for (index, (cell, kind)) in zip(row.cells, header.kinds).enumerated() {
            let text = cell.range.isEmpty ? "" : cell.text(in: source)
            guard let kind else {
                if !text.isEmpty, !header.texts[index].isEmpty {
                    cells.annotations.append(.init(header: header.texts[index], value: text))
                }
                continue
            }
            guard seen & 1 << kind.rawValue == 0 else { continue }
            seen |= 1 << kind.rawValue
            switch kind {
            case .column: cells.name = (text, cell.range)
            case .type: cells.type = (text, cell.range)
            case .required, .optional:
                if text.isEmpty { continue }
                guard let flag = YesNo(text) else {
                    report(
                        .cellValue, "`\(text)` is not a value of a `\(kind)` cell", at: cell.range,
                        .help("write `yes` or `no`, or leave the cell empty"), hidden(in: text))
                    continue
                }
                cells.required = (flag.isRequired(below: kind), cell.range)
            case .description: cells.description = text
            case .example:
                guard !text.isEmpty else { continue }
                cells.example = String(withoutBackticks(text[...]))
                cells.examplePlace = Place(file: file, range: cell.range)
            case .privacy: cells.privacy = privacy(text, at: cell.range)
            case .platforms: cells.platforms = platforms(text, at: cell.range)
            case .since: cells.since = text.isEmpty ? nil : text
            case .deprecated:
                cells.deprecated = text.isEmpty ? nil : text
                if YesNo(text)?.isYes == false {
                    report(
                        .cellValue, "`\(text)` would be the message of a deprecated column", at: cell.range,
                        .help("leave the cell empty, or write what replaces the column", .replace(nil, with: "")))
                }
            case .formerName: cells.formerNames = formerNames(text, of: .column, at: cell.range)
            case .event: break
            case .key, .value:
                if !text.isEmpty { cells.annotations.append(.init(header: header.texts[index], value: text)) }
            }
        }
        return cells
    }

    private mutating func column(_ row: Row, _ header: TableHeader) -> Column? {
        let cells = cells(of: row, header)
        var name = Name(cell: cells.name.text, range: cells.name.range, in: source, file: file)
        if name.identifier.isEmpty, cells.type.text.isEmpty {
            report(
                .emptyCell, "the row has no column name and no type", at: source.lineRange(row.line),
                .help("fill in the column and its type, or delete the row", .deleteLines))
            return nil
        }
        let hasName = checkIdentifier(&name, what: "column")
        if !hasName, !Name.severalNames(in: name.identifier).isEmpty { return nil }
        let (count, headers) = (row.cells.count, header.texts.count)
        guard
            let type = type(
                cells.type.text, at: cells.type.range,
                isCut: row.excess != nil && cells.type.text.hasPrefix("enum(") && !cells.type.text.hasSuffix(")"),
                hint: count < headers
                    ? .help(
                        "the row has \(count) cells, but the header has \(headers): if a cell is missing, insert it")
                    : nil),
            hasName
        else { return nil }
        if let required = cells.required, required.value, type.isOptional {
            let plain = String(String.UnicodeScalarView(cells.type.text.unicodeScalars.filter { $0 != "?" }))
            report(
                .requiredContradiction,
                "`\(name.identifier)` is required by this cell and optional by its type `\(cells.type.text)`",
                at: required.range,
                .help(
                    "remove the `?` of the type, or write `no` into this cell",
                    .replacePlace(Place(file: file, range: cells.type.range), with: plain)))
        }
        let status: LogStatus = name.isRetired ? .retired : cells.deprecated != nil ? .deprecated : .active
        return Column(
            name: name.identifier, type: type.type, isRequired: cells.required?.value ?? true && !type.isOptional,
            description: cells.description, example: cells.example, privacy: cells.privacy,
            platforms: cells.platforms, since: cells.since, deprecated: cells.deprecated, status: status,
            formerNames: cells.formerNames, annotations: cells.annotations, place: name.place,
            typePlace: Place(file: file, range: cells.type.range), examplePlace: cells.examplePlace)
    }

    private mutating func privacy(_ text: String, at range: Range<Int>) -> LogPrivacy? {
        let privacy = LogPrivacy(written: text) ?? YesNo(text).map { $0.isYes ? .personal : LogPrivacy.none }
        if privacy == nil, !text.isEmpty {
            report(
                .cellValue, "`\(text)` is not a privacy level", at: range,
                suggestion(text, among: LogPrivacy.allCases.map(\.rawValue))
                    ?? .help("write `none`, `personal` or `sensitive`"))
        }
        return privacy
    }

    /// Returns the platforms in a cell, or all platforms for an empty cell. Reports an invalid cell.
    private mutating func platforms(_ text: String, at range: Range<Int>) -> Platforms {
        guard !text.isEmpty else { return .all }
        do throws(TypeNotation.Failure) {
            return try Platforms(written: text)
        } catch {
            report(.cellValue, error.message, at: range, notes: error.advice)
            return .all
        }
    }

    /// Reports an invalid type and returns nil.
    /// - Parameter isCut: whether a pipe ends the cell within the type. A correction would drop what follows it.
    mutating func type(
        _ text: String, at range: Range<Int>, isCut: Bool = false, hint: @autoclosure () -> Diagnostic.Note? = nil
    ) -> TypeNotation.Parsed? {
        let key = ExactString(text)
        if let known = typeCache[key] { return known }
        do throws(TypeNotation.Failure) {
            let notation = withoutBackticks(text[...])
            var parsed = try TypeNotation.parse(notation)
            // Text in a code span is literal.
            if notation.utf8.count == text.utf8.count {
                guard let type = withPlainValues(parsed.type, isOptional: parsed.isOptional, at: range) else {
                    return nil
                }
                parsed.type = type
            }
            try checkCaseNames(parsed.type)
            parsed.type = parsed.type.resolved { types[$0.name] ?? .named($0) }
            typeCache[key] = parsed
            return parsed
        } catch {
            var correction = TypeNotation.correction(of: String(withoutBackticks(text[...])), for: .advice)
            if let type = correction.flatMap({ try? TypeNotation.parse($0).type }), (try? checkCaseNames(type)) == nil {
                correction = nil
            }
            var advice: [Diagnostic.Note] =
                isCut
                ? [.help("a pipe ends the cell: separate the values with commas")]
                : correction.map { [.write($0)] }
                    ?? (error.advice(in: text) { (try? TypeNotation.parse($0)) != nil } + [hint()].compactMap { $0 })
            if advice.isEmpty, error.misspelling != nil {
                advice = [.help("the built-in types are \(DefinitionResolver.builtIn)")]
            }
            report(.typeSyntax, error.message, at: range, notes: advice + [hidden(in: text)].compactMap { $0 })
            // The rest of the row is checked with the proposed type, so that one round of corrections is enough.
            guard !isCut, var meant = correction.flatMap({ try? TypeNotation.parse($0) }) else { return nil }
            meant.type = meant.type.resolved { types[$0.name] ?? .named($0) }
            return meant
        }
    }

    /// Returns a type whose values are the text that a reader sees. Reports values with markup, and returns nil.
    private mutating func withPlainValues(_ type: LogValueType, isOptional: Bool, at range: Range<Int>) -> LogValueType?
    {
        guard case .enumeration(let enumeration) = type.element else { return type }
        let values = enumeration.values.map { PlainValue($0) }
        func written(_ values: [String]) -> LogValueType {
            type.changed { if case .enumeration = $0 { .enumeration(.init(values)) } else { $0 } }
        }
        guard let marked = values.first(where: \.hasMarkup) else { return written(values.map(\.text)) }
        let meant = written(values.flatMap(\.meant))
        let text = "\(meant)\(isOptional ? "?" : "")"
        let haveNames = values.allSatisfy { $0.meant.contains { SwiftNames.caseName(forValue: $0) != nil } }
        let reads = haveNames && (try? TypeNotation.parse(text))?.type == meant
        reportMarkup(marked, at: range, help: reads ? .write(text) : nil)
        return nil
    }

    private mutating func reportMarkup(_ value: PlainValue, at range: Range<Int>, help: Diagnostic.Note?) {
        report(
            .enumSpelling, "the value `\(value.source)` has markup, which would become part of the value", at: range,
            help ?? .help("write plain text, or a code span for a value with these characters"))
        // The rule is a warning by default. Markup is an error, because it would be in every record with this value.
        diagnostics[diagnostics.count - 1].severity = .error
    }

    /// Checks that every value of an enumeration has a letter or a digit, which a Swift name needs.
    private func checkCaseNames(_ type: LogValueType) throws(TypeNotation.Failure) {
        guard case .enumeration(let enumeration) = type.element else { return }
        for value in enumeration.values where SwiftNames.caseName(forValue: value) == nil {
            let others = enumeration.values.filter { SwiftNames.caseName(forValue: $0) != nil }
            let meant = others.isEmpty ? ["newest", "popular"] : others
            throw .init(message: Self.noCaseName(of: value), help: "write `enum(\(meant.joined(separator: ", ")))`")
        }
    }

    private static func noCaseName(of value: String) -> String {
        "the value `\(value)` cannot become a Swift name: it has no letter and no digit"
    }

    func suggestion(_ word: String, among candidates: [String]) -> Diagnostic.Note? {
        nearestSpelling(of: word, among: candidates).map { .didYouMean($0) }
    }

    // MARK: One table for many events

    mutating func events(_ table: Table, _ header: TableHeader) -> [Event] {
        checkHeader(header, of: table)
        guard let eventIndex = header.kinds.firstIndex(of: .event) else { return [] }
        let columnIndex = header.kinds.firstIndex(of: .column)
        let typeIndex = header.kinds.firstIndex(of: .type)
        var events: [Event] = []
        /// A Boolean value that indicates whether a row above names an event.
        var hasEvent = false
        var isValid = false
        for row in ownRows(of: table).compactMap({ checked($0, of: table) }) {
            let cell = row.cell(eventIndex) ?? Cell(range: 0..<0, hasEscapedPipe: false)
            func isEmpty(_ index: Int?) -> Bool { row.cell(index)?.range.isEmpty ?? true }
            let isDitto = !cell.range.isEmpty && Name.isDitto(cell.text(in: source))
            if isDitto {
                report(
                    .identifier, "`\(source.string(cell.range))` is not the name of an event", at: cell.range,
                    .help("leave the cell empty: an empty cell continues the event above", .replace(nil, with: "")))
            }
            if !cell.range.isEmpty, !isDitto {
                var name = Name(
                    cell: cell.text(in: source), range: cell.range, in: source, file: file, allowsTitle: true)
                hasEvent = true
                isValid = checkIdentifier(&name, what: "event")
                if isValid {
                    events.append(
                        Event(
                            name: name.identifier, title: name.title, description: "", notes: "", details: Details(),
                            status: name.isRetired ? .retired : .active, place: name.place, columns: []))
                }
                if isValid { setDetails(of: &events[events.count - 1], row, header) }
                if isEmpty(columnIndex), isEmpty(typeIndex) {
                    if isValid { describe(&events[events.count - 1], row, header) }
                    continue
                }
            } else if !hasEvent {
                hasEvent = true
                isValid = false
                report(
                    .emptyCell, "the row does not belong to an event", at: source.lineRange(row.line),
                    .help("name the event in the table's first row; rows below may leave the cell empty"))
            }
            if var column = column(row, header), isValid {
                if !cell.range.isEmpty { column.annotations.removeAll { Self.detail($0.header) != nil } }
                events[events.count - 1].columns.append(column)
            }
        }
        return events
    }

    private static func detail(_ header: String) -> Details.Key? {
        Details.Key(spelling: header).flatMap { $0.isOfTypes ? nil : $0 }
    }

    private mutating func setDetails(of event: inout Event, _ row: Row, _ header: TableHeader) {
        for (index, cell) in row.cells.enumerated() where index < header.kinds.count && !cell.range.isEmpty {
            guard header.kinds[index] == nil, let key = Self.detail(header.texts[index]) else { continue }
            let text = String(withoutBackticks(cell.text(in: source)[...]))
            set(key, to: text, at: cell.range, in: &event.details)
        }
    }

    /// Reads a row with the name of an event and without a column. The cells of such a row describe the event itself.
    private mutating func describe(_ event: inout Event, _ row: Row, _ header: TableHeader) {
        for (cell, kind) in zip(row.cells, header.kinds) where !cell.range.isEmpty {
            let text = cell.text(in: source)
            switch kind {
            case .description: event.description = text
            case .since: set(.since, to: text, at: cell.range, in: &event.details)
            case .deprecated: set(.deprecated, to: text, at: cell.range, in: &event.details)
            case .privacy: set(.privacy, to: text, at: cell.range, in: &event.details)
            case .platforms: set(.platforms, to: text, at: cell.range, in: &event.details)
            case .formerName: set(.renamedFrom, to: text, at: cell.range, in: &event.details)
            default: break
            }
        }
    }

    // MARK: Details

    mutating func details(_ table: Table, in context: SectionContext) -> Details {
        var details = Details()
        let kinds = table.header.cells.map { HeaderKind($0.text(in: source)) }
        guard let keyIndex = kinds.firstIndex(of: .key), let valueIndex = kinds.firstIndex(of: .value) else {
            return details
        }
        for row in ownRows(of: table).compactMap({ checked($0, of: table) }) {
            guard let keyCell = row.cell(keyIndex) else { continue }
            let spelling = String(withoutBackticks(keyCell.text(in: source)[...]))
            let range = row.cell(valueIndex)?.range ?? keyCell.range
            let text = row.cell(valueIndex)?.text(in: source) ?? ""
            if spelling.isEmpty, text.isEmpty { continue }
            guard let key = Details.Key(spelling: spelling), key.isOfTypes == (context == .type) else {
                reportUnknownDetail(
                    spelling, at: keyCell.range.isEmpty ? source.lineRange(row.line) : keyCell.range, in: context)
                continue
            }
            if let first = details.place(of: key) {
                report(
                    .duplicateDetail, "the key `\(spelling)` occurs twice", at: keyCell.range,
                    .note("the first one is here", at: first), .help("delete one of the rows"))
                continue
            }
            set(
                key, to: String(withoutBackticks(text[...])), at: range, in: &details,
                reportingAt: range.isEmpty ? keyCell.range : range)
        }
        return details
    }

    private mutating func reportUnknownDetail(_ spelling: String, at range: Range<Int>, in context: SectionContext) {
        if let key = Details.Key(spelling: spelling), key.isOfTypes {
            report(
                .unknownDetail, "`\(key.rawValue)` is a key for types in `types.md`, not for categories or events",
                at: range, .help("delete the row, or move it to a type in `types.md`"))
            return
        }
        let keys = Details.Key.allCases.filter { $0.isOfTypes == (context == .type) }
        let spellings = keys.flatMap { [$0.rawValue] + ($0.japanese.map { [$0] } ?? []) }
        let message =
            spelling.isEmpty ? "the row has a value and no key" : "`\(spelling)` is not a key of a details table"
        let isJapanese = !spelling.utf8.allSatisfy { $0 < 0x80 }
        report(
            .unknownDetail, message, at: range,
            suggestion(spelling, among: spellings)
                ?? .help(
                    "the keys are "
                        + keys.map { "`\((isJapanese ? $0.japanese : nil) ?? $0.rawValue)`" }.joined(
                            separator: ", ")), hidden(in: spelling))
    }

    private mutating func set(
        _ key: Details.Key, to text: String, at range: Range<Int>, in details: inout Details,
        reportingAt cell: Range<Int>? = nil
    ) {
        if key == .deprecated, YesNo(text)?.isYes == false {
            report(
                .detailValue, "`\(text)` would be the message of a deprecated event", at: cell ?? range,
                .help("delete the value and its key, or write what replaces the event"))
        }
        do throws(TypeNotation.Failure) {
            try details.set(key, to: text, at: Place(file: file, range: range))
            let shown = ScalarNames.withInvisibleCharacters(text)
            if key == .owner, let hidden = ScalarNames.firstInvisible(in: shown) {
                report(
                    .confusable, "the owner contains \(ScalarNames.described(hidden)), which is invisible", at: range,
                    .write(Confusable.seen(shown)))
            }
        } catch {
            let correction = text.isEmpty ? nil : key.correction(of: text)
            report(
                .detailValue, error.message, at: cell ?? range,
                notes: (correction.map { [.write($0)] } ?? error.advice(in: text) { (try? key.read($0)) != nil })
                    + [hidden(in: text)].compactMap { $0 })
        }
    }

    // MARK: Values of an enumeration

    mutating func values(_ table: Table, _ header: TableHeader) -> [NamedType.EnumValue] {
        guard let valueIndex = header.kinds.firstIndex(of: .value) else { return [] }
        for (index, kind) in header.kinds.enumerated() {
            guard let kind else { continue }
            let range = table.header.range(ofCell: index) ?? 0..<0
            switch kind {
            case .value, .description, .formerName: reportHeaderReadInPart(header, index, kind, at: range)
            default:
                report(
                    .headerSpelling, "the header `\(header.texts[index])` has no effect on values", at: range,
                    .help("write it into the description; to rename a value, use the header `renamed from`"))
            }
        }
        let descriptionIndex = header.kinds.firstIndex(of: .description)
        let formerIndex = header.kinds.firstIndex(of: .formerName)
        var values: [NamedType.EnumValue] = []
        var seen: [ExactString: Place] = [:]
        for row in ownRows(of: table).compactMap({ checked($0, of: table) }) {
            guard let cell = row.cell(valueIndex) else { continue }
            let (range, text) = (cell.range, cell.text(in: source))
            var value = String(withoutBackticks(text[...]))
            if value.utf8.count == text.utf8.count {
                let plain = PlainValue(value)
                guard !plain.hasMarkup else {
                    reportMarkup(plain, at: range, help: plain.meant.count == 1 ? .write(plain.meant[0]) : nil)
                    continue
                }
                value = plain.text
            }
            if let problem = TypeNotation.problem(withEnumValue: value)
                ?? (SwiftNames.caseName(forValue: value) == nil ? Self.noCaseName(of: value) : nil)
            {
                report(
                    .enumValue, problem, at: range.isEmpty ? source.lineRange(row.line) : range,
                    .help("write a value such as `newest`, or delete the row"))
                continue
            }
            let place = Place(file: file, range: source.firstRange(of: value, in: range) ?? range)
            if let first = seen[ExactString(value)] {
                report(
                    .enumValue, "the value `\(value)` is listed twice", at: range,
                    .note("the first one is here", at: first), .help("delete one of the rows"))
                continue
            }
            seen[ExactString(value)] = place
            if let hidden = ScalarNames.firstInvisible(in: value), !value[...].trimmingInvisible().isExactly(value) {
                report(
                    .confusable, "the value begins or ends with \(ScalarNames.described(hidden)), which is invisible",
                    at: range, .write(String(value[...].trimmingInvisible())))
            }
            let description = row.cell(descriptionIndex)?.text(in: source) ?? ""
            var named = NamedType.EnumValue(value: value, description: description, place: place)
            if let cell = row.cell(formerIndex) {
                named.formerNames = formerNames(cell.text(in: source), of: .value, at: cell.range)
            }
            values.append(named)
        }
        if table.rows.isEmpty {
            reportUnlessLost(
                .enumValue, "the enumeration has no values", at: table.header.range(ofCell: valueIndex) ?? 0..<0,
                .help("add a row for each value"))
        }
        return values
    }
}

/// A value of an enumeration in a cell, as a reader of the rendered cell sees it.
private struct PlainValue {
    let source: String
    /// The value without escapes.
    let text: String
    let hasMarkup: Bool

    init(_ source: String) {
        self.source = source
        let unescaped = InlineMarkdown.unescapedCell(source)
        (text, hasMarkup) = (unescaped ?? source, unescaped == nil)
    }

    /// The probably intended values: the text of each line, without footnotes.
    var meant: [String] {
        guard hasMarkup else { return [text] }
        return InlineMarkdown.withoutFootnotes(InlineMarkdown.plainText(source)).split(separator: "\n").map {
            String(trimmed($0))
        }.filter { !$0.isEmpty }
    }
}
