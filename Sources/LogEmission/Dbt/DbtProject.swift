import LogDefinitions
import LogTypes

/// The files of the dbt package.
///
/// dbt renders nearly all it reads as Jinja: queries, descriptions, `meta`, and the arguments of tests. A text of a
/// definition holds no `{` there, but for those that Jinja prints.
struct DbtProject: Sendable {
    static let settingsPath = "dbt_project.yml"
    static let testPath = "tests/generic/loggen_expression.sql"
    static let name = "loggen_logs"
    static let source = "logs"

    /// An event and its table.
    struct EventTable: Sendable {
        var category: LogDefinitions.Category
        var event: Event
        var table: SQLTable
        /// The source's table has the table's name, perhaps in the same schema.
        var modelName: String { SQLDialect.shortened("log_" + table.name) }
    }

    let events: [EventTable]
    /// The versions that the lock file has in addition to today's.
    private let earlier: [String: [LockFile.LockedShape]]
    private let model: Model
    private let dialect: SQLDialect

    init(_ model: Model, _ dialect: SQLDialect) {
        self.model = model
        self.dialect = dialect
        earlier = model.earlierVersions()
        let all = model.definitions.categories.flatMap { category in category.events.map { (category, $0) } }
        events = zip(all, SQLTable.all(of: model, by: .event)).map { EventTable(category: $0.0, event: $0.1, table: $1) }
    }

    // MARK: Files that are always the same

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
        // Where they stand is the project's to say.
        yaml.line(2, "database: \"{{ var('loggen_database', target.database) }}\"")
        yaml.line(2, "schema: \"{{ var('loggen_schema', target.schema) }}\"")
        yaml.line(2, "tables:")
        for (name, text) in [
            (SQLTable.raw, "Records as they arrived."), (SQLTable.bad, "Records that break their definition, with what they break."),
        ] {
            yaml.line(3, "- name: \(name)")
            yaml.line(4, "description: \(text)")
        }
        for event in events {
            yaml.line(3, "- name: \(event.table.name)")
            yaml.member(4, "description", event.table.description)
        }
        return yaml.document
    }

    // MARK: Models

    /// The name of a column in the model. dbt's contracts break on a word that is reserved, even in quotation marks.
    private func columnName(_ column: SQLTable.Column, in table: SQLTable) -> String {
        var name = column.name
        guard ReservedWords.all.contains(name) else { return name }
        repeat { name += "_" } while table.columns.contains { $0.name == name }
        return name
    }

    func query(_ index: Int) -> [UInt8] {
        let table = events[index].table
        let columns = table.columns.map { column in
            let name = columnName(column, in: table)
            return "    \(dialect.name(column.name))" + (name == column.name ? "" : " as \(name)")
        }
        return Array(
            """
            -- \(GeneratedHeader.text(from: model.definitions.files[events[index].category.file].relativePath.filter { $0 != "{" }))
            select
            \(columns.joined(separator: ",\n"))
            from {{ source('\(Self.source)', '\(table.name)') }}

            """.utf8)
    }

    func properties(_ index: Int) -> [UInt8] {
        let event = events[index]
        var yaml = DbtYAML(from: model.definitions.files[event.category.file].relativePath)
        yaml.line(0, "models:")
        yaml.line(1, "- name: \(event.modelName)")
        yaml.member(2, "description", event.table.description)
        yaml.line(2, "config:")
        yaml.line(3, "contract: {enforced: true}")
        yaml.line(3, "meta:")
        yaml.member(4, "event", "\(event.category.name).\(event.event.name)")
        yaml.member(4, "version", model.versions[event.category.name, event.event.name].description)
        yaml.member(4, "status", event.event.status.rawValue)
        yaml.member(4, "owner", event.event.details.owner?.value ?? "")
        yaml.line(2, "columns:")
        let isOfOneVersion = hasOneVersion(event)
        for column in event.table.columns {
            let name = columnName(column, in: event.table)
            yaml.line(3, "- name: \(name)")
            yaml.member(4, "data_type", dialect.type(of: column.type, isOptional: !column.isRequired))
            yaml.member(4, "description", InlineText.plain(column.description))
            if let privacy = column.privacy { yaml.line(4, "config: {meta: {privacy: \(privacy.rawValue)}}") }
            // The table may hold records of older versions, which had other columns, and other bounds.
            let isOfAllVersions = column.versions == nil && isOfOneVersion
            let tests =
                (column.isRequired ? ["- not_null"] : [])
                + (column.field == column.name
                    ? today(column.field, of: event.event).map { bounds($0, name, isOfAllVersions ? nil : event) } ?? [] : [])
            guard !tests.isEmpty else { continue }
            yaml.line(4, "data_tests:")
            for test in tests { yaml.line(5, test) }
        }
        return yaml.document
    }

    /// The type of a column of today's records.
    private func today(_ name: String, of event: Event) -> LogValueType? {
        // By index, because a column is a large value.
        func type(in columns: [Column]) -> LogValueType? {
            columns.indices.first { columns[$0].status != .retired && columns[$0].name == name }.map { columns[$0].type }
        }
        return model.definitions.common.flatMap { type(in: $0.columns) } ?? type(in: event.columns)
    }

    private func hasOneVersion(_ event: EventTable) -> Bool {
        earlier[event.table.events.first ?? ""]?.allSatisfy(\.shape.isRetired) ?? true
    }

    /// The tests of a type's values and bounds; of today's records, if an event is given.
    private func bounds(_ type: LogValueType, _ column: String, _ event: EventTable?) -> [String] {
        let filter = event.map { event -> String in
            let version = model.versions[event.category.name, event.event.name].description
            return "config: {where: \"schema_version = '\(version)'\"}"
        }
        func test(_ name: String, _ arguments: String) -> String {
            "- \(name): {\([arguments, filter].compactMap { $0 }.joined(separator: ", "))}"
        }
        func expression(_ text: String) -> String { test("loggen_expression", "expression: \(DbtYAML.text(text))") }
        func within<Bound: CustomStringConvertible>(_ value: String, _ minimum: Bound?, _ maximum: Bound?) -> [String] {
            let parts = [minimum.map { "\(value) >= \($0)" }, maximum.map { "\(value) <= \($0)" }].compactMap { $0 }
            return parts.isEmpty ? [] : [expression(parts.joined(separator: " and "))]
        }
        switch type {
        case .string(let limits):
            return within(dialect.length(column), Int?.none, limits.maxLength) + within(dialect.bytes(column), Int?.none, limits.maxBytes)
        case .integer(let integer):
            return within(
                column, integer.range.lowerBound > integer.width.lowerBound || !integer.isSigned ? integer.range.lowerBound : nil,
                integer.range.upperBound < integer.width.upperBound ? integer.range.upperBound : nil)
        case .number(let number): return within(column, number.minimum, number.maximum)
        case .enumeration(let enumeration):
            // dbt's own test writes values into SQL as they are, and reads them as Jinja and as Python before.
            guard enumeration.values.allSatisfy(Self.isPlain) else {
                return [expression("\(column) in (\(enumeration.values.map(dialect.literal).joined(separator: ", ")))")]
            }
            return enumeration.values.isEmpty
                ? [] : [test("accepted_values", "values: [\(enumeration.values.map(DbtYAML.text).joined(separator: ", "))]")]
        case .array(let list): return within(dialect.count(column), list.minItems.flatMap { $0 > 0 ? $0 : nil }, list.maxItems)
        case .named(let named): return named.base.map { bounds($0, column, event) } ?? []
        case .decimal, .boolean, .date, .timestamp, .uuid, .url: return []
        }
    }

    /// A word that means nothing in Jinja, Python and SQL.
    private static func isPlain(_ value: String) -> Bool {
        guard let first = value.utf8.first, (0x61...0x7A).contains(first | 0x20), !["true", "false", "none", "null"].contains(value.lowercased())
        else {
            return false
        }
        return value.utf8.allSatisfy {
            (0x61...0x7A).contains($0 | 0x20) || (0x30...0x39).contains($0) || $0 == UInt8(ascii: "_") || $0 == UInt8(ascii: "-")
        }
    }
}

/// YAML that dbt reads: two spaces for each level.
private struct DbtYAML {
    private var text: String

    init(from source: String = "all log definitions") {
        text = "# \(GeneratedHeader.text(from: source))\n"
    }

    var document: [UInt8] { Array(text.utf8) }

    /// A line that holds no text of a definition as it is.
    mutating func line(_ level: Int, _ line: String) {
        for _ in 0..<level { text += "  " }
        text += line
        text += "\n"
    }

    /// A member whose value comes from a definition; nothing if that is empty.
    mutating func member(_ level: Int, _ key: String, _ value: String) {
        if !value.isEmpty { line(level, "\(key): \(Self.text(value))") }
    }

    /// A text on one line that stays a text in YAML and in Jinja.
    static func text(_ text: String) -> String {
        TextLanguage.yaml.string(text.utf8.contains(UInt8(ascii: "{")) ? text.replacingOccurrences("{", "{{ '{' }}") : text)
    }
}
