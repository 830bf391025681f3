import LogDefinitions
import LogOutputs
import LogTypes

/// The files of the dbt package.
///
/// dbt renders nearly all its input as Jinja: queries, descriptions, `meta`, and the arguments of tests. In strings
/// from a definition, `{` is therefore always written as a Jinja expression that prints it.
final class DbtProject: Sendable {
    static let settingsPath = "dbt_project.yml"
    static let testPath = "tests/generic/loggen_expression.sql"
    static let name = "loggen_logs"
    static let source = "logs"

    struct EventTable: Sendable {
        /// The index of the category, and the event's index in it.
        var category: Int
        var event: Int
        var table: SQLTable
        /// Indicates whether the table contains only records of the current version.
        var isOfOneVersion: Bool
    }

    let events: [EventTable]
    /// The range in `events` of each category's events.
    let numbers: [Range<Int>]
    private let model: Model
    private let warehouse: any SQLWarehouse

    init(_ model: Model, _ warehouse: any SQLWarehouse, _ tables: [SQLTable]) {
        // The versions in the lock file in addition to the current ones.
        let earlier = model.earlierVersions()
        var events: [EventTable] = []
        var numbers: [Range<Int>] = []
        for (number, category) in model.definitions.categories.enumerated() {
            let first = events.count
            for event in category.events.indices where events.count < tables.count {
                let table = tables[events.count]
                let isOfOneVersion = table.events.allSatisfy { earlier[$0]?.allSatisfy(\.shape.isRetired) ?? true }
                events.append(EventTable(category: number, event: event, table: table, isOfOneVersion: isOfOneVersion))
            }
            numbers.append(first..<events.count)
        }
        (self.model, self.warehouse, self.events, self.numbers) = (model, warehouse, events, numbers)
    }

    private func event(_ event: EventTable) -> Event {
        model.definitions.categories[event.category].events[event.event]
    }

    func modelName(_ number: Int) -> String { events[number].table.modelName }

    // MARK: Constant files

    static let settings = Array(
        """
        # \(GeneratedHeader.text(from: "all log definitions"))
        name: \(name)
        version: 1.0.0
        config-version: 2
        model-paths: [models]
        test-paths: [tests]
        models:
          \(name):
            +materialized: view

        """.utf8)

    static let test = Array(
        """
        -- \(GeneratedHeader.text(from: "all log definitions"))
        {% test loggen_expression(model, expression, column_name=none) %}
        select * from {{ model }} where not ({{ expression }})
        {% endtest %}

        """.utf8)

    // MARK: The source

    var sources: [UInt8] {
        var yaml = DbtYAML()
        yaml.line(0, "sources:")
        yaml.line(1, "- name: \(Self.source)")
        yaml.line(2, "description: The tables that `loggen sql` makes.")
        // Projects choose the database and the schema.
        yaml.line(2, "database: \"{{ var('loggen_database', target.database) }}\"")
        yaml.line(2, "schema: \"{{ var('loggen_schema', target.schema) }}\"")
        yaml.line(2, "tables:")
        yaml.line(3, "- name: \(SQLTable.bad)")
        yaml.line(4, "description: Records that break their definition, with what they break.")
        for event in events {
            yaml.line(3, "- name: \(event.table.name)")
            yaml.member(4, "description", event.table.description)
        }
        return yaml.document
    }

    // MARK: Models

    /// Returns a valid name of a column. dbt's contracts fail for reserved words, even in quotation marks.
    private func columnName(_ column: SQLTable.Column, in table: SQLTable) -> String {
        var name = column.name
        guard ReservedWords.all.contains(name) else { return name }
        repeat { name += "_" } while table.columns.contains { $0.name == name }
        return name
    }

    private static func line(_ written: String, _ name: String, _ column: SQLTable.Column) -> [UInt8] {
        Array("    \(written)\(name == column.name ? "" : " as \(name)"),\n".utf8)
    }

    func query(_ number: Int) -> [UInt8] {
        let event = events[number]
        let path = path(ofCategory: event.category)
        let source = path.utf8.contains(UInt8(ascii: "{")) ? path.filter { $0 != "{" } : path
        var query = Array("-- \(GeneratedHeader.text(from: source))\nselect\n".utf8)
        for column in event.table.columns {
            query += Self.line(warehouse.name(column.name), columnName(column, in: event.table), column)
        }
        // No comma follows the last column.
        query.removeLast(2)
        query += "\nfrom {{ source('\(Self.source)', '\(event.table.name)') }}\n".utf8
        return query
    }

    /// The models under former names of an event or its columns, which read its model.
    func formerModels(_ number: Int) -> [(name: String, query: [UInt8])] {
        let event = events[number]
        let byName = event.table.columns(by: \.name)
        return event.table.formerViews.map { view in
            let columns = view.columns.map { column in
                let current = byName[column.current].map { columnName($0, in: event.table) }
                return ",\n    \(warehouse.name(current ?? column.current)) as \(warehouse.name(column.former))"
            }
            let query =
                "-- \(GeneratedHeader.text(from: "all log definitions"))\nselect\n    *\(columns.joined())\n"
                + "from {{ ref('\(modelName(number))') }}\n"
            return (SQLDialect.shortened("log_" + view.name), Array(query.utf8))
        }
    }

    private func path(ofCategory number: Int) -> String {
        model.definitions.files[model.definitions.categories[number].file].relativePath
    }

    func properties(ofCategory number: Int) -> [UInt8] {
        var yaml = DbtYAML(from: path(ofCategory: number), capacity: 2_048 * (1 + numbers[number].count))
        yaml.line(0, "models:")
        for event in numbers[number] { writeModel(event, to: &yaml) }
        return yaml.document
    }

    private func writeModel(_ number: Int, to yaml: inout DbtYAML) {
        let eventTable = events[number]
        let (category, event, table) = (
            model.definitions.categories[eventTable.category].name, event(eventTable), eventTable.table
        )
        yaml.line(1, "- name: \(modelName(number))")
        yaml.member(2, "description", table.description)
        yaml.line(2, "config:")
        yaml.line(3, "contract: {enforced: true}")
        yaml.line(3, "meta:")
        yaml.member(4, "event", "\(category).\(event.name)")
        yaml.member(4, "version", model.versions[category, event.name].description)
        yaml.member(4, "status", event.status.rawValue)
        yaml.member(4, "owner", event.details.owner?.value ?? "")
        yaml.line(2, "columns:")
        var types: [String: LogValueType] = [:]
        for columns in [model.definitions.common?.columns ?? [], event.columns] {
            for index in columns.indices where columns[index].status != .retired && types[columns[index].name] == nil {
                types[columns[index].name] = columns[index].type
            }
        }
        for column in table.columns {
            write(column, columnName(column, in: table), types[column.field], of: eventTable, to: &yaml)
        }
    }

    /// - Parameter type: the type of the column in current records; nil if they do not have the column.
    private func write(
        _ column: SQLTable.Column, _ name: String, _ type: LogValueType?, of event: EventTable, to yaml: inout DbtYAML
    ) {
        yaml.line(3, "- name: \(name)")
        yaml.member(4, "data_type", warehouse.type(of: column.type, isOptional: !column.isRequired))
        yaml.member(4, "description", InlineText.plain(column.description ?? ""))
        if let privacy = column.privacy { yaml.line(4, "config: {meta: {privacy: \(privacy.rawValue)}}") }
        // The table may contain records of older versions, which had other columns and other bounds.
        let isOfAllVersions = column.versions == nil && event.isOfOneVersion
        let tests =
            column.field == column.name
            ? type.map {
                bounds($0, name, column.isRequired, isOfAllVersions ? nil : event)
            } ?? [] : []
        guard column.isRequired || !tests.isEmpty else { return }
        yaml.line(4, "data_tests:")
        if column.isRequired { yaml.line(5, "- not_null") }
        for test in tests { yaml.line(5, test) }
    }

    /// Returns the tests of bounds. If an event is given, they apply only to records of its current version.
    private func bounds(_ type: LogValueType, _ column: String, _ isRequired: Bool, _ event: EventTable?) -> [String] {
        let filter = event.map { event -> String in
            let category = model.definitions.categories[event.category]
            let version = model.versions[category.name, category.events[event.event].name].description
            return "config: {where: \"\(RecordEnvelope.version.name) = '\(version)'\"}"
        }
        func test(_ name: String, _ arguments: String) -> String {
            "- \(name): {\(["arguments: {\(arguments)}", filter].compactMap { $0 }.joined(separator: ", "))}"
        }
        // dbt's own test inserts values into SQL unescaped, after evaluating them as Jinja and as Python.
        if case .enumeration(let enumeration) = type.unnamed, !enumeration.values.isEmpty,
            enumeration.values.allSatisfy(Self.isPlain)
        {
            return [
                test("accepted_values", "values: [\(enumeration.values.map(DbtYAML.escaped).joined(separator: ", "))]")
            ]
        }
        return conditions(column, type, isRequired: isRequired).map {
            test("loggen_expression", "expression: \(DbtYAML.escaped($0))")
        }
    }

    private func conditions(_ value: String, _ type: LogValueType, isRequired: Bool = true, depth: Int = 0) -> [String]
    {
        func within<Bound: CustomStringConvertible>(_ value: String, _ minimum: Bound?, _ maximum: Bound?) -> [String] {
            let parts = [minimum.map { "\(value) >= \($0)" }, maximum.map { "\(value) <= \($0)" }].compactMap { $0 }
            return parts.isEmpty ? [] : [parts.joined(separator: " and ")]
        }
        switch type.form {
        case .string(let limits):
            return within(warehouse.length(value), Int?.none, limits.maxLength)
                + within(warehouse.bytes(value), Int?.none, limits.maxBytes)
        case .integer(let integer):
            return within(
                value,
                integer.range.lowerBound > integer.width.lowerBound || !integer.isSigned
                    ? integer.range.lowerBound : nil,
                integer.range.upperBound < integer.width.upperBound ? integer.range.upperBound : nil)
        case .number(let number): return within(value, number.minimum, number.maximum)
        case .enumeration(let enumeration):
            let values = enumeration.values.map(warehouse.literal).joined(separator: ", ")
            return values.isEmpty ? [] : ["\(value) in (\(values))"]
        case .array(let list):
            // JSON items have no type.
            if list.isOfLists, warehouse.words.listOfLists != nil { return [] }
            let minimum = list.minItems.flatMap { $0 > 0 ? $0 : nil }
            var count = within(warehouse.count(value), minimum, list.maxItems)
            if !isRequired, minimum != nil, !warehouse.hasMissingLists {
                count = count.map { "\(warehouse.count(value)) = 0 or (\($0))" }
            }
            let item = "item\(depth)"
            let ofItems = conditions(warehouse.item(item, list.items.storage), list.items, depth: depth + 1)
            return count + (ofItems.isEmpty ? [] : [warehouse.every(value, item, ofItems.joined(separator: " and "))])
        case .named(let named):
            return named.base.map { conditions(value, $0, isRequired: isRequired, depth: depth) } ?? []
        case .boolean, .format: return []
        }
    }

    /// Returns whether a value is a word without a special meaning in Jinja, Python and SQL.
    private static func isPlain(_ value: String) -> Bool {
        guard let first = value.utf8.first, (0x61...0x7A).contains(first | 0x20),
            !["true", "false", "none", "null"].contains(value.lowercased())
        else {
            return false
        }
        return value.utf8.allSatisfy {
            (0x61...0x7A).contains($0 | 0x20) || (0x30...0x39).contains($0) || $0 == UInt8(ascii: "_")
                || $0 == UInt8(ascii: "-")
        }
    }
}

private struct DbtYAML {
    private(set) var document: [UInt8] = []

    init(from source: String = "all log definitions", capacity: Int = 4_096) {
        document.reserveCapacity(capacity)
        document += "# \(GeneratedHeader.text(from: source))\n".utf8
    }

    /// Adds a line that contains no unescaped strings of a definition.
    mutating func line(_ level: Int, _ line: String) {
        begin(level, "")
        document += line.utf8
        document.append(0x0A)
    }

    /// The value comes from a definition and is escaped. An empty value adds nothing.
    mutating func member(_ level: Int, _ key: StaticString, _ value: String) {
        guard !value.isEmpty else { return }
        begin(level, key)
        document += ": ".utf8
        document += Self.escaped(value).utf8
        document.append(0x0A)
    }

    private mutating func begin(_ level: Int, _ text: StaticString) {
        for _ in 0..<level { document += "  ".utf8 }
        text.withUTF8Buffer { document += $0 }
    }

    static func escaped(_ text: String) -> String {
        TextLanguage.yaml.string(
            text.utf8.contains(UInt8(ascii: "{")) ? text.replacingOccurrences("{", "{{ '{' }}") : text)
    }
}

extension SQLTable {
    /// The name of the model of an event's table in dbt. The model and the source's table have different names, because
    /// both may be in the same schema.
    package var modelName: String { SQLDialect.shortened("log_" + name) }
}
