import JSONSyntax
import LogDefinitions

/// The thresholds for inferring definitions from records.
package struct RecordOptions: Sendable {
    /// The maximum number of values of an enumeration; 0 for no enumerations. `--values` of `loggen infer` sets it.
    package var mostValues = 12
    /// The number of values from which an enumeration or a lower bound is inferred (`loggen infer --enough`).
    package var enoughValues = 100
    /// Indicates whether strings such as `12.50`, all with equally many decimal places, become decimal numbers.
    package var findsDecimals = false

    package init() {}
}

/// Infers definitions from a sequence of records. The reader stores the observed events and columns, not the records.
package struct RecordReader {
    fileprivate struct SeenColumn {
        var name: String
        /// The number of values except null.
        var total = 0
        var first: SourcePlace
    }

    fileprivate struct SeenEvent {
        var name: String
        var records = 0
        var columns: [SeenColumn] = []
        var indices: [ExactString: Int] = [:]
        var directFollowersByColumn: [Set<Int>] = []
        var lastOrder: [Int] = []
        var versions: Set<String> = []
        var first: SourcePlace
    }

    private struct SeenCategory {
        var name: String
        var events: [SeenEvent] = []
        var indices: [ExactString: Int] = [:]
        var first: SourcePlace
    }

    /// Limits that real events do not reach. Columns and events above them are counted as lost.
    fileprivate static let mostColumns = 2_000
    private static let mostEvents = 20_000

    private let options: RecordOptions
    private var categories: [SeenCategory] = []
    private var indices: [ExactString: Int] = [:]
    private var observations: [ExactString: ColumnObservations] = [:]
    private var eventCount = 0
    private var unreadable = Mistakes()
    private var withoutNames = Mistakes()
    private var violated: (count: Int, first: SourcePlace?) = (0, nil)
    private var excess: (count: Int, first: SourcePlace?) = (0, nil)
    /// The number of records that were read and used.
    package private(set) var records = 0

    /// The mistakes in records. The first five are shown, and further ones only counted.
    private struct Mistakes {
        private(set) var count = 0
        private(set) var first: [Finding] = []

        mutating func add(_ finding: @autoclosure () -> Finding) {
            count += 1
            if first.count < 5 { first.append(finding()) }
        }
    }

    package init(options: RecordOptions) { self.options = options }

    /// Reads one record.
    /// - Parameter line: the line of the record's first byte, from 1.
    package mutating func read(_ bytes: [UInt8], path: String, line: Int) {
        // Places ascend, so each one continues from the last.
        var known = (offset: 0, line: line, column: 1)
        func place(_ offset: Int) -> SourcePlace {
            if offset < known.offset { known = (0, line, 1) }
            for byte in bytes[known.offset..<min(offset, bytes.count)] {
                if byte == 0x0A {
                    known.line += 1
                    known.column = 1
                } else if byte & 0xC0 != 0x80 {
                    known.column += 1
                }
            }
            known.offset = min(offset, bytes.count)
            return SourcePlace(path, line: known.line, column: known.column)
        }
        /// Returns a finding about an unusable record, with its line.
        func mistake(_ message: String, _ offset: Int) -> Finding {
            let offset = min(offset, bytes.count)
            let start = bytes[..<offset].lastIndex(of: 0x0A).map { $0 + 1 } ?? 0
            let end = bytes[offset...].firstIndex(of: 0x0A) ?? bytes.count
            let place = place(offset)
            return Finding(
                .warning, message, at: place, excerpt: SourceExcerpt(line: bytes[start..<end], column: place.column))
        }
        let value: JSONValue
        do throws(JSONSyntaxError) {
            value = try JSONReader.read(bytes, what: "the record")
        } catch {
            return unreadable.add(mistake(error.message, error.at))
        }
        guard case .object(let members) = value.content else {
            return unreadable.add(mistake("a record is an object, but this is \(value.kind)", value.at))
        }
        var (category, event, version): (String?, String?, String?)
        for member in members {
            guard case .string(let text) = member.value.content else {
                if member.key == RecordEnvelope.violations.name {
                    violated.count += 1
                    violated.first = violated.first ?? place(member.at)
                    return
                }
                continue
            }
            switch member.key {
            case RecordEnvelope.category.name: category = text
            case RecordEnvelope.event.name: event = text
            case RecordEnvelope.version.name: version = text
            default: break
            }
        }
        guard let category, let event, !category.isEmpty, !event.isEmpty else {
            let names = [(category, RecordEnvelope.category), (event, .event)]
            let missing = names.filter { ($0.0 ?? "").isEmpty }.map { "`\($0.1.name)`" }
            return withoutNames.add(
                mistake(
                    "the record does not name its event: it has no string "
                        + missing.joined(separator: " and no string "),
                    value.at))
        }
        add(members, category, event, version, place)
    }

    private mutating func add(
        _ members: [(key: String, at: Int, value: JSONValue)], _ category: String, _ event: String, _ version: String?,
        _ place: (Int) -> SourcePlace
    ) {
        let categoryIndex = indices[ExactString(category)] ?? categories.count
        if categoryIndex == categories.count {
            categories.append(SeenCategory(name: category, first: place(0)))
            indices[ExactString(category)] = categoryIndex
        }
        var left = 1
        let eventIndex = categories[categoryIndex].indices[ExactString(event)] ?? categories[categoryIndex].events.count
        if eventIndex == categories[categoryIndex].events.count, eventCount < Self.mostEvents {
            eventCount += 1
            categories[categoryIndex].events.append(SeenEvent(name: event, first: place(0)))
            categories[categoryIndex].indices[ExactString(event)] = eventIndex
        }
        if eventIndex < categories[categoryIndex].events.count {
            records += 1
            left = categories[categoryIndex].events[eventIndex].learn(members, version, options, &observations, place)
        }
        if left > 0 {
            excess.count += left
            excess.first = excess.first ?? place(0)
        }
    }

    /// A hint about the expected form of records, if no record could be used; otherwise empty.
    package var help: String {
        guard records == 0 else { return "" }
        if withoutNames.count == 0, unreadable.count > 0 {
            return "help: records are JSON objects, one a line or in an array; `--from csv` reads a spreadsheet\n"
        }
        guard withoutNames.count > 0 else { return "" }
        return """
            help: a record names its event: {"event_category": "recipe_search", "event_name": "show_recipe", …}; \
            `jq -c '. + {event_category: "app", event_name: "open"}'` adds both, and `--from json-schema` reads a \
            schema of any objects

            """
    }

    // MARK: Draft

    /// Returns the definitions that the records suggest, and findings about unused records and values.
    package func draft() -> (draft: Draft, findings: [Finding]) {
        var findings: [Finding] = []
        func tell(_ mistakes: Mistakes, _ what: String) {
            findings += mistakes.first
            if mistakes.count > 0 { findings.warn("left out, as \(what): \(mistakes.count)") }
        }
        tell(unreadable, "not a JSON object")
        tell(withoutNames, "records that do not name their event")
        if violated.count > 0 {
            findings.note("left out, as records that list their own violations: \(violated.count)", at: violated.first)
        }
        if excess.count > 0 {
            findings.warn(
                "\(excess.count) values or records are left out: `loggen infer` reads at most \(Self.mostColumns) "
                    + "columns per event and \(Self.mostEvents) events", at: excess.first)
        }
        var draft = Draft()
        draft.hasSeenEnumerations = true
        draft.isOfRecords = true
        let types = typesByColumnName(&findings)
        let common = commonColumns(types)
        let commonNames = Set(common.map { ExactString($0.name) })
        draft.common = common
        for category in categories {
            var made = DraftCategory(name: category.name, place: category.first)
            for event in category.events {
                var madeEvent = DraftEvent(name: event.name, place: event.first)
                for column in event.order.map({ event.columns[$0] })
                where !commonNames.contains(ExactString(column.name)) {
                    guard let type = types[ExactString(column.name)] else { continue }
                    madeEvent.columns.append(
                        DraftColumn(
                            name: column.name, type: type, isRequired: column.total == event.records,
                            place: column.first))
                }
                if event.versions.count > 1 {
                    let versions = event.versions.sorted().joined(separator: ", ")
                    findings.note(
                        "`\(category.name).\(event.name)` was sent in the versions \(versions); "
                            + "it has the columns of all of them", at: event.first)
                }
                made.events.append(madeEvent)
            }
            draft.categories.append(made)
        }
        return (draft, findings)
    }

    private func typesByColumnName(_ findings: inout [Finding]) -> [ExactString: LogValueType] {
        var types: [ExactString: LogValueType] = [:]
        var seen: Set<ExactString> = []
        for key in categories.flatMap({ $0.events.flatMap(\.columns) }).map({ ExactString($0.name) })
        where seen.insert(key).inserted {
            types[key] = observations[key]?.type(named: key.text, options: options, findings: &findings)
        }
        return types
    }

    /// Returns the common columns; none for few events, because equal columns may then be the events' own.
    private func commonColumns(_ types: [ExactString: LogValueType]) -> [DraftColumn] {
        let events = categories.flatMap(\.events)
        guard let first = events.first,
            CommonColumnsRule.isPlausible(categories: categories.count, events: events.count)
        else { return [] }
        return first.order.compactMap { index in
            let column = first.columns[index]
            let key = ExactString(column.name)
            let everywhere = events.map { event in event.indices[key].map { (event.columns[$0], event.records) } }
            guard let type = types[key], everywhere.allSatisfy({ $0 != nil }) else { return nil }
            let isRequired = everywhere.allSatisfy { $0.map { $0.0.total == $0.1 } ?? false }
            return DraftColumn(name: column.name, type: type, isRequired: isRequired, place: column.first)
        }
    }
}

/// Decides whether columns that all events have are common columns, instead of equal by chance.
enum CommonColumnsRule {
    static func isPlausible(categories: Int, events: Int) -> Bool { categories > 1 && events > 2 }
}

extension RecordReader.SeenEvent {
    /// - Returns: the number of values that exceeded the maximum number of columns.
    fileprivate mutating func learn(
        _ members: [(key: String, at: Int, value: JSONValue)], _ version: String?, _ options: RecordOptions,
        _ observations: inout [ExactString: ColumnObservations], _ place: (Int) -> SourcePlace
    ) -> Int {
        records += 1
        if let version, versions.count < 16 { versions.insert(version) }
        var excess = 0
        var order: [Int] = []
        for member in members where !RecordEnvelope.names.contains(member.key) {
            let key = ExactString(member.key)
            let index = indices[key] ?? columns.count
            if index == columns.count {
                guard index < RecordReader.mostColumns else {
                    excess += 1
                    continue
                }
                columns.append(.init(name: member.key, first: place(member.at)))
                directFollowersByColumn.append([])
                indices[key] = index
            }
            order.append(index)
            if case .null = member.value.content {} else { columns[index].total += 1 }
            observations[key, default: ColumnObservations()].add(member.value, options, place)
        }
        if order != lastOrder {
            for (column, next) in zip(order, order.dropFirst()) { directFollowersByColumn[column].insert(next) }
            lastOrder = order
        }
        return excess
    }

    /// An order of the columns that fits all records, if possible. Undetermined columns are in order of occurrence.
    fileprivate var order: [Int] {
        var before = [Int](repeating: 0, count: columns.count)
        for set in directFollowersByColumn { for next in set { before[next] += 1 } }
        var order: [Int] = []
        var rest = Set(columns.indices)
        while !rest.isEmpty {
            // If records contradict each other, the column that was seen first comes first.
            guard let next = rest.filter({ before[$0] == 0 }).min() ?? rest.min() else { break }
            rest.remove(next)
            order.append(next)
            for follower in directFollowersByColumn[next] { before[follower] -= 1 }
        }
        return order
    }
}
