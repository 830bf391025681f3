import LogDefinitions
import MarkdownSyntax

/// Reads definitions from a spreadsheet with the headers of definition files and one row for each column of an event.
struct Spreadsheet {
    private enum Header: Equatable {
        case category
        case title
        case eventDescription
        case detail(Details.Key, String)
        case known(HeaderKind)
        case allowedValues
        case isList, itemType
        case rowKind
        case isSensitive
        /// A statistic or setting, such as the number of queries. Definitions do not contain it.
        case usage
        case annotation(String)
        case none
    }

    /// The indices of events in the draft, by category and name.
    private typealias EventIndices = [ExactString: (category: Int, event: Int)]

    private let category: String?
    private var draft = Draft()
    private var eventIndices: EventIndices = [:]
    private var findings: [Finding] = []

    static func read(_ sources: [InferenceSource], category: String?) -> (draft: Draft, findings: [Finding]) {
        var reader = Spreadsheet(category: category)
        for source in sources { reader.read(source) }
        return (reader.draft, reader.findings)
    }

    private init(category: String?) { self.category = category }

    private mutating func warn(_ message: String, _ source: InferenceSource, line: Int = 0, cell: Int = -1) {
        findings.warn(message, at: SourcePlace(source.path, line: line, cell: cell + 1))
    }

    // MARK: Headers

    private static func header(_ cell: String) -> Header {
        let text = PlainText.normalized(cell, isOneLine: true)
        if text.isEmpty { return .none }
        let folded = Confusable.folded(text).joiningWordsBySpaces()
        switch folded {
        case "entity type", "object type": return .rowKind
        case "property sensitive": return .isSensitive
        case "event volume", "event query volume", "event hidden", "event dropped", "property volume",
            "property query volume", "property hidden",
            "property dropped":
            return .usage
        case "category", "カテゴリ", "カテゴリー", "分類", "category name", "カテゴリ名": return .category
        case "entity name", "object name", "event id", "イベントid": return .known(.event)
        case "title", "タイトル", "表示名", "イベントの表示名", "display name", "entity display name", "event display name":
            return .title
        case "event description", "entity description", "object description", "イベントの説明", "イベント説明":
            return .eventDescription
        case "object owner", "author", "responsible", "チーム": return .detail(.owner, text)
        case "timing", "when", "fires", "fires when", "タイミング", "発火", "発火タイミング", "発火時", "発火契機", "送信条件",
            "送信タイミング", "送信契機", "計測タイミング", "計測条件", "取得タイミング", "取得条件", "ログ送信タイミング", "イベント発火タイミング":
            return .detail(.trigger, text)
        case "event category": return .category
        case "is list", "is array", "property is array": return .isList
        case "list item type", "item type", "array item type": return .itemType
        case "event property", "event property name", "列", "列名": return .known(.column)
        case "property value type": return .known(.type)
        case "property required", "required property": return .known(.required)
        case "概要", "内容", "意味", "explanation", "property description": return .known(.description)
        case "examples", "property example values": return .known(.example)
        default: break
        }
        if let kind = HeaderKind(text), kind != .key, kind != .value { return .known(kind) }
        if let key = Details.Key(spelling: text), key == .trigger || key == .owner { return .detail(key, text) }
        if HeaderLimit(text) == .values { return .allowedValues }
        return .annotation(text)
    }

    /// Searches the first 100 rows. A spreadsheet with events may have no types.
    private static func headerRow(_ rows: [DelimitedText.Row], withoutTypes: Bool = false) -> (
        index: Int, headers: [Header]
    )? {
        for (index, row) in rows.prefix(100).enumerated() {
            let headers = headersOfAmplitudeExport(row) ?? row.cells.map(header)
            guard headers.contains(.known(.column)) else { continue }
            if headers.contains(.known(.type)) || (withoutTypes && headers.contains(.known(.event))) {
                return (index, headers)
            }
        }
        return nil
    }

    private static func headersOfAmplitudeExport(_ row: DelimitedText.Row) -> [Header]? {
        let names = row.cells.map { Confusable.folded(PlainText.normalized($0, isOneLine: true)) }
        guard names.contains("object name"), names.contains("property value type") else { return nil }
        let settings: Set<String> = [
            "action", "tags", "event schema status", "event activity", "event hidden from dropdowns", "event source",
            "event 30 day volume", "property type", "property group names", "property visibility",
        ]
        return zip(names, row.cells).map { settings.contains($0) ? .usage : header($1) }
    }

    static func hasHeaders(_ head: [UInt8]) -> Bool {
        // The first bytes of a file may end within a character.
        let isUTF16 = head.starts(with: [0xFF, 0xFE]) || head.starts(with: [0xFE, 0xFF])
        let end = isUTF16 ? head.count & ~1 : head.lastIndex(of: 0x0A) ?? head.count
        guard let text = DelimitedText.decoded(SourceText(Array(head[..<end])).bytes) else { return false }
        return headerRow(DelimitedText(text).rows) != nil
    }

    private mutating func read(_ source: InferenceSource) {
        // `SourceText` has removed the byte-order mark.
        guard let text = DelimitedText.decoded(source.text.bytes) else {
            warn(
                "the file is neither UTF-8 nor UTF-16 with a byte-order mark: save it as \"CSV UTF-8\", "
                    + "or convert it with `iconv -f SHIFT_JIS -t UTF-8`",
                source)
            return
        }
        let table = DelimitedText(text)
        if let line = table.openQuote {
            warn("this quotation mark is not closed: the rest of the file is one cell", source, line: line)
        }
        guard let (start, found) = Self.headerRow(table.rows) ?? Self.headerRow(table.rows, withoutTypes: true) else {
            let first = (table.rows.first?.cells ?? []).prefix(8).map {
                "`\(PlainText.normalized($0, isOneLine: true))`"
            }
            warn(
                "no row has headers for a column and its type, such as `column` and `type`, or `カラム` and `型`; the "
                    + "first row has \(first.isEmpty ? "nothing" : first.joined(separator: ", "))",
                source)
            return
        }
        if !found.contains(.known(.type)) {
            warn("no header is `type`: all columns become strings", source, line: table.rows[start].line)
        }
        var headers = found
        for row in table.rows[..<start] {
            let text = row.cells.map { PlainText.normalized($0, isOneLine: true) }.filter { !$0.isEmpty }.joined(
                separator: " ")
            guard !text.isEmpty else { continue }
            findings.note(
                "`\(text)` is above the headers, and is left out", at: SourcePlace(source.path, line: row.line))
        }
        var annotations: Set<String> = []
        for index in headers.indices {
            guard let first = headers[..<index].firstIndex(of: headers[index]), headers[index] != .none,
                headers[index] != .usage
            else { continue }
            if case .annotation(let text) = headers[index] {
                var number = 2
                while headers.contains(.annotation("\(text) \(number)")) || annotations.contains("\(text) \(number)") {
                    number += 1
                }
                annotations.insert("\(text) \(number)")
                headers[index] = .annotation("\(text) \(number)")
                continue
            }
            warn(
                "cell \(index + 1) has the same header as cell \(first + 1), and is left out", source,
                line: table.rows[start].line, cell: index)
            headers[index] = .none
        }
        let unused = headers.indices.filter { headers[$0] == .usage }
        if let first = unused.first {
            let names = unused.map { "`\(PlainText.normalized(table.rows[start].cells[$0], isOneLine: true))`" }.joined(
                separator: ", ")
            findings.note(
                "\(names): left out, because definitions do not contain statistics or settings of an analytics "
                    + "service", at: SourcePlace(source.path, line: table.rows[start].line, cell: first + 1))
        }
        var reader = Rows(
            source: source, headers: headers, category: category ?? source.stem, draft: draft,
            eventIndices: eventIndices)
        for row in table.rows[(start + 1)...] { reader.read(row) }
        (draft, eventIndices) = (reader.draft, reader.eventIndices)
        findings += reader.findings
    }

    /// Parses a cell that means yes or no, such as `必須` or `✓`.
    static func flag(_ text: String) -> Bool? {
        switch Confusable.folded(text) {
        case "always": true
        case "sometimes", "x", "✖": false
        default: YesNo(text)?.isYes
        }
    }

    /// The rows of a spreadsheet. An empty cell of a category or an event repeats the cell above.
    private struct Rows {
        let source: InferenceSource
        let headers: [Header]
        private(set) var draft: Draft
        private(set) var findings: [Finding] = []
        private var category: String
        private var event: (category: Int, event: Int)?
        private let hasEvents: Bool
        private let hasTypes: Bool
        private var isOfProfile = false
        private var hasReportedTrigger = false
        private var reportedLimits: Set<String> = []
        private(set) var eventIndices: EventIndices
        /// The last cell of each column, which `同上` repeats.
        private var above: [Int: String] = [:]

        init(source: InferenceSource, headers: [Header], category: String, draft: Draft, eventIndices: EventIndices) {
            (self.source, self.headers, self.category, self.draft) = (source, headers, category, draft)
            self.eventIndices = eventIndices
            hasEvents = headers.contains(.known(.event))
            hasTypes = headers.contains(.known(.type))
        }

        private mutating func warn(_ message: String, _ line: Int, _ cell: Int? = nil) {
            findings.warn(message, at: SourcePlace(source.path, line: line, cell: cell.map { $0 + 1 } ?? 0))
        }

        private mutating func change(_ body: (inout DraftEvent) -> Void) {
            if let event { body(&draft.categories[event.category].events[event.event]) }
        }

        mutating func read(_ row: DelimitedText.Row) {
            var cells: [(header: Header, text: String, index: Int)] = []
            for (index, cell) in row.cells.enumerated() {
                var text = PlainText.normalized(cell)
                guard !text.isEmpty else { continue }
                if PlanWords[.ditto].contains(PlanWords.folded(text)) { text = above[index] ?? text }
                above[index] = text
                guard headers.indices.contains(index), headers[index] != .none else {
                    warn("the cell `\(cell)` is left out: it has no header", row.line, index)
                    continue
                }
                cells.append((headers[index], text, index))
            }
            guard !cells.isEmpty else { return }
            func text(_ header: Header) -> String? { cells.first { $0.header == header }?.text }
            let place = SourcePlace(source.path, line: row.line)
            if let name = text(.category), !name.isExactly(category) {
                category = name
                event = nil
            }
            let entity = text(.rowKind).map { Confusable.folded($0) }
            if let entity { isOfProfile = !Self.kindsOfEvents.contains(entity) }
            guard !isOfProfile else {
                if let entity {
                    event = nil
                    let name = text(.known(.event)) ?? text(.known(.column))
                    warn(
                        "\(name.map { "`\($0)`" } ?? "the row") is left out with its properties: `\(entity)` is not "
                            + "an event",
                        row.line)
                }
                return
            }
            if let name = text(.known(.event)) {
                let (name, isRetired) = Self.withoutRetirementMarks(name)
                open(name, at: place)
                if isRetired { change { $0.isRetired = true } }
            }
            // In a list of events and properties, the type column contains the kind of the row.
            if !hasEvents, let name = text(.known(.column)),
                let kind = text(.known(.type)).map({ Confusable.folded($0) })
            {
                if Self.profileProperties.contains(kind) {
                    warn("`\(name)` is left out: `\(kind)` is not a column of an event", row.line)
                    return
                }
                if Self.kindsOfEvents.contains(kind) {
                    open(name, at: place)
                    cells.removeAll { $0.header == .known(.column) || $0.header == .known(.type) }
                }
            }
            if event == nil, !hasEvents { open(source.stem, at: place) }
            guard event != nil else {
                return warn("the row does not belong to an event: name the event in the first row of each", row.line)
            }
            if let title = text(.title) { change { $0.title = title } }
            if let description = text(.eventDescription) { change { $0.description = DraftText(description) } }
            let typeText = text(.known(.type))
            if let name = text(.known(.column)) {
                let column = column(name, typeText, cells, line: row.line)
                change { $0.columns.append(column) }
            } else if typeText == nil {
                readRowOfEvent(cells, line: row.line)
            } else {
                warn("the row has a type but no name: name the column", row.line)
            }
            for cell in cells { addDetail(cell.header, cell.text, line: row.line, cell: cell.index) }
        }

        private mutating func open(_ name: String, at place: SourcePlace) {
            let key = ExactString("\(category)\0\(name)")
            if let known = eventIndices[key] {
                event = known
                return
            }
            let index = draft.index(ofCategory: category, at: place)
            draft.categories[index].events.append(DraftEvent(name: name, place: place))
            event = (index, draft.categories[index].events.count - 1)
            eventIndices[key] = event
        }

        /// Adds a detail of the event. A trigger in prose becomes a paragraph of the description.
        private mutating func addDetail(_ header: Header, _ text: String, line: Int, cell: Int) {
            guard case .detail(let key, let label) = header else { return }
            let detail = DraftDetail(key, PlainText.normalized(text, isOneLine: true))
            if key != .trigger || (try? LogTrigger(parsing: detail.value)) != nil {
                var other: String?
                change { event in
                    other = event.details.first { $0.key == key && $0 != detail }?.value
                    if !event.details.contains(where: { $0.key == key }) { event.details.append(detail) }
                }
                if let other {
                    warn("`\(detail.value)` is left out: the event's \(key.rawValue) is `\(other)`", line, cell)
                }
                return
            }
            change { event in
                if event.description.text.isEmpty {
                    event.description = DraftText(text)
                } else if event.description.text != text, !event.description.text.hasSuffix("\(label): \(text)") {
                    event.description.text += "\n\n\(label): \(text)"
                }
            }
            if hasReportedTrigger { return }
            hasReportedTrigger = true
            findings.note(
                "`\(detail.value)` is not a trigger, and is added to the description instead: triggers are "
                    + LogTrigger.Kind.examples.joined(separator: ", "),
                at: SourcePlace(source.path, line: line, cell: cell + 1))
        }

        private mutating func readRowOfEvent(_ cells: [(header: Header, text: String, index: Int)], line: Int) {
            for cell in cells {
                switch cell.header {
                case .category, .title, .eventDescription, .none, .known(.event), .detail, .rowKind, .usage: break
                case .known(.description): change { $0.description = DraftText(cell.text) }
                case .known(.since): change { $0.details.append(DraftDetail(.since, cell.text)) }
                case .known(.platforms): change { $0.details.append(DraftDetail(.platforms, cell.text)) }
                case .known(.deprecated): change { $0.details.append(DraftDetail(.deprecated, cell.text)) }
                default:
                    warn(
                        "the cell `\(cell.text)` is left out: it describes a column, but its row has no column name",
                        line, cell.index)
                }
            }
        }

        private mutating func column(
            _ name: String, _ typeText: String?, _ cells: [(header: Header, text: String, index: Int)], line: Int
        ) -> DraftColumn {
            let (name, isRetired) = Self.withoutRetirementMarks(PlainText.normalized(name, isOneLine: true))
            let typeCell = headers.firstIndex(of: .known(.type))
            var parsed = TypeNotation.Parsed(type: .string(.init()), isOptional: false)
            func text(_ header: Header) -> String? {
                cells.first { $0.header == header }.map { PlainText.normalized($0.text, isOneLine: true) }
            }
            let values = text(.allowedValues)
            let typeText =
                values != nil && typeText.map { Confusable.folded($0) == "enum" } ?? false ? "string" : typeText
            if let typeText {
                if let (type, rest) = TypeNameParser.parse(typeText) {
                    parsed = type
                    if let rest {
                        warn(TypeNameParser.message(unexpressed: rest, of: name, type.type), line, typeCell)
                    }
                } else {
                    warn(TypeNameParser.messageOfUnknownType(typeText, of: name), line, typeCell)
                }
            } else if hasTypes {
                warn("`\(name)` has no type, and becomes a string", line, typeCell)
            }
            if let values { parsed.type = restricted(parsed.type, to: values, name, line: line) }
            if case .array = parsed.type {
                let items = text(.itemType).flatMap { TypeNameParser.parse($0)?.parsed.type }
                if let items { parsed.type = .array(.init(of: items)) }
            } else if text(.isList).flatMap(Spreadsheet.flag) == true {
                parsed.type = .array(.init(of: parsed.type))
            }
            var column = DraftColumn(
                name: name, type: parsed.type, isRequired: !parsed.isOptional,
                place: SourcePlace(source.path, line: line))
            column.isRetired = isRetired
            var limits: [String] = []
            for cell in cells {
                let oneLine = PlainText.normalized(cell.text, isOneLine: true)
                switch cell.header {
                case .known(let kind) where kind == .required || kind == .optional:
                    let flag = YesNo(oneLine)?.isRequired(below: kind) ?? Spreadsheet.flag(oneLine)
                    guard let isRequired = flag else {
                        warn(
                            "`\(oneLine)` does not indicate whether `\(name)` is required", line, cell.index)
                        continue
                    }
                    if isRequired, parsed.isOptional {
                        warn(
                            "`\(name)` is required by this cell and optional by its type: it becomes optional", line,
                            cell.index
                        )
                    }
                    column.isRequired = isRequired && !parsed.isOptional
                case .known(.description): column.description = cell.text
                case .known(.example):
                    if oneLine.isExactly(cell.text) {
                        column.example = oneLine
                    } else {
                        warn("the example of `\(name)` is left out: a cell cannot hold it as it is", line, cell.index)
                    }
                case .known(.privacy):
                    guard let privacy = Self.privacy(oneLine) else {
                        warn(
                            "`\(oneLine)` is not a privacy level: write `none`, `personal` or `sensitive`", line,
                            cell.index)
                        continue
                    }
                    column.privacy = privacy
                case .known(.platforms):
                    do throws(TypeNotation.Failure) {
                        column.platforms = try Platforms(written: oneLine)
                    } catch {
                        warn("\(error.message): `\(name)` becomes a column of all platforms", line, cell.index)
                    }
                case .known(.since): column.since = oneLine
                case .known(.deprecated): column.deprecated = oneLine
                case .annotation(let header) where HeaderLimit(header) != nil:
                    limits.append("\(header): \(oneLine)")
                    if reportedLimits.insert(header).inserted {
                        warn(
                            "the limits below `\(header)` are added to the descriptions: write them into the types, as in "
                                + "`int(0...9)` or `string(64)`", line, cell.index)
                    }
                case .annotation(let header):
                    if let annotation = SchemaReader.annotation(header, cell.text) {
                        column.annotations.append(annotation)
                    }
                case .isSensitive:
                    if Spreadsheet.flag(oneLine) == true { column.privacy = .sensitive }
                case .category, .title, .eventDescription, .none, .known, .detail, .rowKind, .usage, .allowedValues,
                    .isList,
                    .itemType:
                    break
                }
            }
            column.description = ([column.description] + limits).filter { !$0.isEmpty }.joined(separator: "\n")
            return column
        }

        private mutating func restricted(_ type: LogValueType, to values: String, _ name: String, line: Int)
            -> LogValueType
        {
            if case .string = type.element, let values = TypeNameParser.values(values) {
                return type.changed { if case .string = $0 { values } else { $0 } }
            }
            if case .enumeration = type.element { return type }
            warn(
                "the values `\(values)` of `\(name)` are left out: an enumeration has strings", line,
                headers.firstIndex(of: .allowedValues))
            return type
        }

        private static let kindsOfEvents: Set<String> = ["event", "custom event", "イベント"]
        private static let profileProperties: Set<String> = [
            "user property", "profile property", "user profile property", "ユーザープロパティ",
        ]

        private static func withoutRetirementMarks(_ text: String) -> (name: String, isRetired: Bool) {
            let marker = "[obsolete]"
            if text.prefix(marker.count).lowercased() == marker, text.count > marker.count {
                return (PlainText.normalized(String(text.dropFirst(marker.count)), isOneLine: true), true)
            }
            guard text.utf8.count > 4, text.hasPrefix("~~"), text.hasSuffix("~~") else { return (text, false) }
            return (PlainText.normalized(String(text.dropFirst(2).dropLast(2)), isOneLine: true), true)
        }

        private static func privacy(_ text: String) -> LogPrivacy? {
            if let privacy = LogPrivacy(written: text) { return privacy }
            switch Confusable.folded(text) {
            case "該当", "個人情報", "pii": return .personal
            case "非該当": return LogPrivacy.none
            case "機微", "要配慮", "要配慮個人情報": return .sensitive
            default: return YesNo(text).map { $0.isYes ? .personal : LogPrivacy.none }
            }
        }
    }
}

extension String {
    fileprivate func joiningWordsBySpaces() -> String {
        unicodeScalars.split { $0 == " " || $0 == "_" || $0 == "\u{3000}" }.map { String($0) }.joined(separator: " ")
    }
}
