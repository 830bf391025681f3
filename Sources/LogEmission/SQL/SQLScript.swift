package import LogDefinitions

/// The statements that make a warehouse of a model: tables, the check, the load.
package struct SQLScript: Sendable {
    package let dialect: SQLDialect
    package let tables: [SQLTable]
    private let events: [EventDescription]
    private var checks: SQLChecks { SQLChecks(dialect) }

    package init(_ model: Model, _ dialect: SQLDialect, tables grouping: SQLTables) {
        self.dialect = dialect
        tables = SQLTable.all(of: model, by: grouping)
        events = EventDescription.all(of: model)
    }

    // MARK: Tables

    /// Statements that make the tables: of raw records, of bad records, and of good ones.
    package var tableStatements: [String] {
        let d = dialect
        let text = d.textType
        let suffix =
            switch d {
            case .spark: " USING PARQUET"
            case .clickhouse: " ENGINE = MergeTree ORDER BY tuple()"
            case .duckdb, .postgresql, .bigquery, .snowflake: ""
            }
        let optional = d == .clickhouse ? "Nullable(String)" : text
        return [
            "CREATE TABLE IF NOT EXISTS \(d.name(SQLTable.raw)) (\n    \(d.name("record")) \(text)\(notNull)\n)\(suffix)",
            """
            CREATE TABLE IF NOT EXISTS \(d.name(SQLTable.bad)) (
                \(d.name("record")) \(text)\(notNull),
                \(d.name("event_category")) \(optional),
                \(d.name("event_name")) \(optional),
                \(d.name("schema_version")) \(optional),
                \(d.name("violations")) \(d.textsType)
            )\(suffix)
            """,
        ] + tables.flatMap(statements)
    }

    private var notNull: String { dialect == .clickhouse ? "" : " NOT NULL" }

    /// The statements that make a table and say what its columns mean.
    func statements(of table: SQLTable) -> [String] {
        let d = dialect
        var lines = table.columns.map { definition(of: $0) }
        if d == .spark { lines.append("\(d.name(dayColumn(table))) DATE COMMENT 'The day in UTC on which the event happened.'") }
        var statement = "CREATE TABLE IF NOT EXISTS \(d.name(table.name)) (\n    \(lines.joined(separator: ",\n    "))\n)"
        let comment = d.commentLiteral(InlineText.plain(table.description))
        let hasComment = !table.description.isEmpty
        switch d {
        case .duckdb: break
        case .postgresql: statement += " PARTITION BY RANGE (\(d.name("occurred_at")))"
        case .spark:
            statement += " USING PARQUET PARTITIONED BY (\(d.name(dayColumn(table))))" + (hasComment ? " COMMENT \(comment)" : "")
        case .bigquery: statement += " PARTITION BY DATE(\(d.name("occurred_at")))" + (hasComment ? " OPTIONS (description = \(comment))" : "")
        case .snowflake: statement += " CLUSTER BY (TO_DATE(\(d.name("occurred_at"))))" + (hasComment ? " COMMENT = \(comment)" : "")
        case .clickhouse:
            statement +=
                " ENGINE = MergeTree PARTITION BY toYYYYMM(\(d.name("occurred_at"))) ORDER BY (\(d.name("occurred_at")), \(d.name("event_id")))"
                + (hasComment ? " COMMENT \(comment)" : "")
        }
        var statements = [statement]
        if d == .postgresql {
            statements.append(
                "CREATE TABLE IF NOT EXISTS \(d.name(table.name + "_rest")) PARTITION OF \(d.name(table.name)) DEFAULT")
        }
        if d == .duckdb || d == .postgresql {
            if hasComment { statements.append("COMMENT ON TABLE \(d.name(table.name)) IS \(comment)") }
            for column in table.columns { if let statement = commentStatement(column, table) { statements.append(statement) } }
        }
        return statements
    }

    func commentStatement(_ column: SQLTable.Column, _ table: SQLTable) -> String? {
        comment(column).map { "COMMENT ON COLUMN \(dialect.name(table.name)).\(dialect.name(column.name)) IS \($0)" }
    }

    /// A column of `CREATE TABLE` or `ADD COLUMN`.
    func definition(of column: SQLTable.Column) -> String {
        let d = dialect
        var text = "\(d.name(column.name)) \(d.type(of: column.type, isOptional: !column.isRequired))"
        if column.isRequired, d != .clickhouse { text += " NOT NULL" }
        guard let comment = comment(column) else { return text }
        switch d {
        case .duckdb, .postgresql: return text
        case .spark, .snowflake, .clickhouse: return text + " COMMENT \(comment)"
        case .bigquery: return text + " OPTIONS (description = \(comment))"
        }
    }

    /// What a column means, and whether it tells something about a person; nil if nobody has said anything.
    func comment(_ column: SQLTable.Column) -> String? {
        let privacy = column.privacy.flatMap { $0 == .none ? nil : "(\($0.rawValue))" }
        let parts = [privacy, column.description.isEmpty ? nil : InlineText.plain(column.description)].compactMap { $0 }
        return parts.isEmpty ? nil : dialect.commentLiteral(parts.joined(separator: " "))
    }

    /// Spark's partitions are columns.
    func dayColumn(_ table: SQLTable) -> String {
        var name = "occurred_on"
        while table.columns.contains(where: { $0.name == name }) { name += "_" }
        return name
    }

    // MARK: The check

    /// The statement that makes the view of all raw records with what each breaks.
    package var checkStatement: String {
        "CREATE OR REPLACE VIEW \(dialect.name(SQLTable.checked)) AS\n\(checkQuery)"
    }

    private static let envelopeNames = ["event_id", "event_category", "event_name", "schema_version", "occurred_at"]
    /// What a record has in place of the rules that its columns break, if it says itself that it breaks some.
    package static let declared = "violations: declared"

    /// A query for every record that is not blank: `record`, the fields that name its definition, its members as
    /// `names` and `vals`, and `violations`, an empty list if the record is good.
    package var checkQuery: String {
        let d = dialect
        let patterns = JSONPatterns(d)
        let raw = "SELECT \(d.name("record")) AS record FROM \(d.name(SQLTable.raw)) WHERE \(d.matches(d.name("record"), #"[^ \t\r\n]"#))"
        let flat = query(
            [("record", "record"), ("clean", checks.cleaned("record")), ("is_flat", d.matches("record", patterns.flatRecord(plain: d == .duckdb)))],
            from: raw)
        let json = query(
            ["record", "clean", "is_flat"].map { ($0, $0) } + [("is_json", checks.choice([("is_flat", "TRUE")], otherwise: isJSON))], from: flat,
            computed: ["clean", "is_flat"])
        let members = query(["record", "is_json"].map { ($0, $0) } + self.members(patterns), from: json, computed: ["is_json"])
        let last = d.lastOfEachName("all_names", "all_vals")
        let isUnique = "\(d.count(d.distinct("all_names"))) = \(d.count("all_names"))"
        let single = query(
            [
                ("record", "record"), ("is_json", "is_json"), ("names", checks.choice([(isUnique, "all_names")], otherwise: last.names)),
                ("vals", checks.choice([(isUnique, "all_vals")], otherwise: last.values)),
            ], from: members, computed: ["all_names", "all_vals"])
        func text(_ field: String) -> String {
            let value = d.value(of: field, "names", "vals")
            return checks.choice([(d.begins(value, "\""), checks.text(value))], otherwise: "NULL")
        }
        let named = query(
            ["record", "is_json", "names", "vals"].map { ($0, $0) }
                + [
                    ("event_category", text("event_category")), ("event_name", text("event_name")), ("schema_version", text("schema_version")),
                ], from: single, computed: ["names", "vals"])
        let columns = ["record", "is_json", "names", "vals", "event_category", "event_name", "schema_version"]
        let enveloped = query(
            columns.map { ($0, $0) } + [("event_version", versionName), ("envelope", envelope)], from: named,
            computed: ["event_category", "event_name", "schema_version"])
        let listed = query(
            (columns + ["event_version", "envelope"]).map { ($0, $0) }
                + [("declared", lists { $0.columns.map(\.name) }), ("required", lists { $0.columns.filter(\.isRequired).map(\.name) })],
            from: enveloped, computed: ["envelope", "event_version"])
        let judged = query(
            ["record", "event_category", "event_name", "schema_version", "names", "vals"].map { ($0, $0) } + [("violations", violations)],
            from: listed, computed: ["declared", "required"], isOuter: true)
        return judged
    }

    private func query(_ columns: [(name: String, expression: String)], from inner: String, computed: [String] = [], isOuter: Bool = false) -> String
    {
        let list = columns.map { $0.name == $0.expression ? $0.name : "\($0.expression) AS \($0.name)" }.joined(separator: ",\n    ")
        // Without `OFFSET`, PostgreSQL would put an inner query's expressions wherever the outer one names them.
        // ClickHouse would compute a column anew in every branch that names it; a condition on it has it computed once.
        let fence =
            switch dialect {
            case .postgresql where !isOuter: "\nOFFSET 0"
            case .clickhouse where !computed.isEmpty: "\nWHERE ignore(\(computed.joined(separator: ", "))) = 0"
            case .duckdb, .spark, .postgresql, .bigquery, .snowflake, .clickhouse: ""
            }
        return "SELECT\n    \(list)\nFROM (\n\(inner)\n) AS q" + fence
    }

    /// Whether a record that is not flat is JSON: its skeleton becomes one scalar if its containers become scalars,
    /// from the innermost on.
    private var isJSON: String {
        let d = dialect
        let patterns = JSONPatterns(d)
        var skeleton = d.replaced("record", patterns.text, by: #""""#)
        skeleton = d.replaced(skeleton, JSONPatterns.scalarsBesidesTexts, by: "0")
        skeleton = d.replaced(skeleton, #"[ \t\r\n]+"#, by: "")
        for _ in 0..<JSONPatterns.maximumDepth { skeleton = d.replaced(skeleton, JSONPatterns.skeletonContainer, by: "0") }
        return "\(skeleton) IN ('0', '\"\"')"
    }

    private func members(_ patterns: JSONPatterns) -> [(String, String)] {
        let d = dialect
        let isObject = "is_json AND \(d.matches("record", #"^[ \t\r\n]*\{"#))"
        let names = d.map(d.matchesOf("clean", patterns.memberName), "n", checks.text("n"))
        let values = d.matchesOf("clean", patterns.memberValue)
        // DuckDB's own reader is several times as fast as patterns, and reads flat records alike.
        let flat: (names: [(when: String, then: String)], values: [(when: String, then: String)]) =
            d == .duckdb
            ? ([("is_flat", "json_keys(record)")], [("is_flat", "json_extract(record, '$.*')::VARCHAR[]")]) : ([], [])
        return [
            ("is_object", isObject), ("all_names", checks.choice(flat.names + [(isObject, names)], otherwise: d.noTexts)),
            ("all_vals", checks.choice(flat.values + [(isObject, values)], otherwise: d.noTexts)),
        ]
    }

    /// `category.event 1-0-0`; NULL if one of the three is no text.
    private var versionName: String { dialect.concat(["event_category", "'.'", "event_name", "' '", "schema_version"]) }

    /// What the fields break that every record has.
    private var envelope: String {
        let d = dialect
        func says(_ text: String) -> String { d.list(ofTexts: [text]) }
        let members = d.flatMapMembers("names", "vals") { name, value in
            func field(_ field: String, _ broken: String) -> (when: String, then: String) { ("\(name) = \(d.literal(field))", broken) }
            return checks.choice(
                [
                    field("event_id", checks.broken(value, .uuid, column: "event_id")),
                    field("event_category", checks.broken(value, .string(.init()), column: "event_category", isStored: false)),
                    field("event_name", checks.broken(value, .string(.init()), column: "event_name", isStored: false)),
                    field("schema_version", checks.brokenVersion(value, column: "schema_version")),
                    field("occurred_at", checks.broken(value, .timestamp, column: "occurred_at")),
                    field(
                        "violations",
                        checks.broken(
                            value, .array(.init(of: .string(.init()), minItems: 1)), column: "violations", isStored: false,
                            isFilled: true)),
                ], otherwise: d.noTexts)
        }
        let versions = events.flatMap { event in event.versions.map { ("\(event.fullName) \($0.text)", $0.isRetired) } }
        let name = d.concat(["event_category", "'.'", "event_name"])
        func isOne(_ text: String, of names: [String]) -> String? {
            names.isEmpty ? nil : "\(text) IN (\(names.map(d.literal).joined(separator: ", ")))"
        }
        let isNamed =
            "event_category IS NOT NULL AND event_name IS NOT NULL AND schema_version IS NOT NULL AND "
            + d.matches("schema_version", SchemaPattern.schemaVersion)
        let known: [(when: String?, then: String)] = [
            ("NOT (\(isNamed))", d.noTexts), (isOne(versionName, of: versions.filter { !$0.1 }.map(\.0)), d.noTexts),
            (isOne(versionName, of: versions.filter(\.1).map(\.0)), says("event_name: retired")),
            (isOne(name, of: events.map(\.fullName)), says("schema_version: version")),
            (isOne("event_category", of: Array(Set(events.map(\.category))).sorted()), says("event_name: event")),
        ]
        let unknown = checks.choice(known.compactMap { entry in entry.when.map { ($0, entry.then) } }, otherwise: says("event_category: category"))
        return d.joined([members, d.missing(from: d.list(ofTexts: Self.envelopeNames), "names", suffix: ": required"), unknown])
    }

    /// The versions of events that records may name, by the lists of names that a part of their columns has. Versions
    /// with the same names share a list.
    private func lists(_ names: (EventDescription.Version) -> [String]) -> String {
        var groups: [(names: [String], versions: [String])] = []
        var numbers: [[String]: Int] = [:]
        for event in events {
            for version in event.versions where !version.isRetired {
                let names = names(version).sorted()
                let version = "\(event.fullName) \(version.text)"
                if let number = numbers[names] {
                    groups[number].versions.append(version)
                } else {
                    numbers[names] = groups.count
                    groups.append((names, [version]))
                }
            }
        }
        return checks.choice(
            groups.filter { !$0.names.isEmpty }.map { ("event_version IN (\(literals($0.versions)))", dialect.list(ofTexts: $0.names)) },
            otherwise: dialect.noTexts)
    }

    private func literals(_ texts: [String]) -> String { texts.map(dialect.literal).joined(separator: ", ") }

    /// What a record breaks in all. Needs `declared` and `required`, the names that its version has and must have.
    private var violations: String {
        let d = dialect
        let known = events.flatMap { event in event.versions.filter { !$0.isRetired }.map { "\(event.fullName) \($0.text)" } }
        let members = d.flatMapMembers("names", "vals") { name, value in
            let cut = checks.choice(
                [("\(d.length(name)) > 64", d.concat([d.part(name, from: 1, count: "64"), d.literal("…")]))], otherwise: name)
            return checks.choice(
                [
                    ("\(name) IN (\(literals(Self.envelopeNames)))", d.noTexts),
                    ("NOT (\(d.contains("declared", name)))", d.list([d.concat([cut, d.literal(": additionalProperties")])])),
                    (
                        "\(value) = 'null'",
                        checks.choice([(d.contains("required", name), d.list([d.concat([name, d.literal(": type")])]))], otherwise: d.noTexts)
                    ),
                ] + columnCases(name, value), otherwise: d.noTexts)
        }
        let columns = d.joined([members, d.missing(from: "required", "names", suffix: ": required")])
        return checks.choice(
            [
                ("NOT is_json", d.list(ofTexts: ["record: json"])),
                ("NOT (\(d.matches("record", #"^[ \t\r\n]*\{"#)))", d.list(ofTexts: ["record: type"])),
                (
                    d.contains("names", d.literal("violations")),
                    checks.choice([(d.isEmpty("envelope"), d.list(ofTexts: [Self.declared]))], otherwise: "envelope")
                ),
            ] + (known.isEmpty ? [] : [("event_version IN (\(literals(known)))", d.joined(["envelope", columns]))]), otherwise: "envelope")
    }

    /// For each column of any event what its value breaks. Nearly always, a name has one type in all events.
    private func columnCases(_ name: String, _ value: String) -> [(when: String, then: String)] {
        var order: [String] = []
        var types: [String: [(type: LogValueType, versions: [String])]] = [:]
        for event in events {
            for version in event.versions where !version.isRetired {
                for column in version.columns {
                    let text = "\(event.fullName) \(version.text)"
                    if types[column.name] == nil { order.append(column.name) }
                    if let number = types[column.name]?.firstIndex(where: { $0.type.shape == column.type.shape }) {
                        types[column.name]?[number].versions.append(text)
                    } else {
                        types[column.name, default: []].append((column.type, [text]))
                    }
                }
            }
        }
        return order.flatMap { column -> [(when: String, then: String)] in
            let variants = types[column] ?? []
            return variants.enumerated().reversed().map { number, variant in
                var condition = "\(name) = \(dialect.literal(column))"
                if number > 0 { condition += " AND event_version IN (\(literals(variant.versions)))" }
                return (condition, checks.broken(value, variant.type, column: column))
            }
        }
    }

    // MARK: The load

    /// Statements that put every raw record into its table, if it is good, and into the table of bad records, if not.
    package var loadStatements: [String] {
        let d = dialect
        let read = d.name(SQLTable.read)
        let query = "SELECT * FROM \(d.name(SQLTable.checked))"
        let inserts =
            tables.map(insert) + [
                "INSERT INTO \(d.name(SQLTable.bad)) (\(["record", "event_category", "event_name", "schema_version", "violations"].map(d.name).joined(separator: ", ")))\n"
                    + "SELECT record, event_category, event_name, schema_version, violations FROM \(read) WHERE NOT (\(d.isEmpty("violations")))"
            ]
        switch d {
        case .duckdb:
            return ["BEGIN TRANSACTION", "CREATE TEMPORARY TABLE \(read) AS \(query)"] + inserts + ["DROP TABLE \(read)", "COMMIT"]
        case .postgresql:
            return ["BEGIN", "CREATE TEMPORARY TABLE \(read) ON COMMIT DROP AS \(query)"] + inserts + ["COMMIT"]
        case .snowflake: return ["CREATE OR REPLACE TEMPORARY TABLE \(read) AS \(query)", "BEGIN"] + inserts + ["COMMIT", "DROP TABLE \(read)"]
        case .bigquery:
            return ["BEGIN TRANSACTION", "CREATE TEMP TABLE \(read) AS \(query)"] + inserts + ["DROP TABLE \(read)", "COMMIT TRANSACTION"]
        case .spark: return ["DROP TABLE IF EXISTS \(read)", "CREATE TABLE \(read) USING PARQUET AS \(query)"] + inserts + ["DROP TABLE \(read)"]
        case .clickhouse:
            return ["DROP TABLE IF EXISTS \(read)", "CREATE TABLE \(read) ENGINE = MergeTree ORDER BY tuple() AS \(query)"] + inserts
                + ["DROP TABLE \(read)"]
        }
    }

    private func insert(_ table: SQLTable) -> String {
        let d = dialect
        let fields = Set(table.columns.map(\.field)).sorted()
        let numbers = Dictionary(uniqueKeysWithValues: fields.enumerated().map { ($0.element, "f\($0.offset)") })
        let picked = fields.map { "nullif(\(d.value(of: $0, "names", "vals")), 'null') AS \(numbers[$0] ?? "")" }
        var columns = table.columns.map { column -> (name: String, value: String) in
            let json = numbers[column.field] ?? "NULL"
            let source =
                column.versions.map { versions in
                    checks.choice([("event_version IN (\(versions.map(d.literal).joined(separator: ", ")))", json)], otherwise: "NULL")
                } ?? json
            return (column.name, d.value(source, as: column.type, isOptional: !column.isRequired, checks))
        }
        if d == .spark {
            // The time is in UTC, whatever the session's zone is.
            let day = "CAST(substr(\(checks.text(numbers["occurred_at"] ?? "NULL")), 1, 10) AS DATE)"
            columns.append((dayColumn(table), day))
        }
        let events = table.events.map { name -> String in
            let parts = name.split(separator: ".", maxSplits: 1).map(String.init)
            return "(event_category = \(d.literal(parts[0])) AND event_name = \(d.literal(parts[1])))"
        }
        let isOne = events.isEmpty ? "FALSE" : "(\(events.joined(separator: " OR ")))"
        return "INSERT INTO \(d.name(table.name)) (\(columns.map { d.name($0.name) }.joined(separator: ", ")))\n"
            + "SELECT\n    \(columns.map { $0.value }.joined(separator: ",\n    "))\nFROM (\n"
            + "    SELECT \(versionName) AS event_version, \(picked.joined(separator: ", "))\n    FROM \(d.name(SQLTable.read))\n"
            + "    WHERE \(d.isEmpty("violations")) AND \(isOne)\(d == .postgresql ? "\n    OFFSET 0" : "")\n) AS q"
    }
}

/// Markdown as plain text.
enum InlineText {
    static func plain(_ markdown: String) -> String { SwiftText.line(markdown.split(separator: "\n").joined(separator: " ")) }
}
