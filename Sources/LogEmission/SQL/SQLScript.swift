package import LogDefinitions
import MarkdownSyntax

/// The statements that make a warehouse of a model: tables, the check, the load.
package struct SQLScript: Sendable {
    package private(set) var dialect: SQLDialect
    package let tables: [SQLTable]
    private let events: [EventDescription]
    /// The events that the lock file alone has, if each has a table. It may stand in the warehouse.
    private let removed: [String]
    private var checks: SQLChecks { SQLChecks(dialect) }

    package init(_ model: Model, _ dialect: SQLDialect, tables grouping: SQLTables) {
        self.dialect = dialect
        events = EventDescription.all(of: model, withColumnPlaces: false)
        tables = SQLTable.all(of: model, events, by: grouping)
        removed = grouping == .event ? model.removedEvents() : []
    }

    /// The same for another warehouse. Tables and events are every warehouse's.
    func `in`(_ dialect: SQLDialect) -> SQLScript {
        var script = self
        script.dialect = dialect
        return script
    }

    // MARK: Tables

    /// Sentences about tables that would have one name.
    package var collisions: [String] {
        let places = Dictionary(events.map { ($0.fullName, $0.place) }, uniquingKeysWith: { first, _ in first })
        let said =
            tables.map { table in
                table.events.map { name in "`\(name)`" + (places[name].flatMap { $0 }.map { " (\($0))" } ?? "") }.joined(separator: ", ")
            } + removed.map { "`\($0)` (in the lock file alone)" }
        let names = tables.map(\.name) + removed.map { SQLTable.name(ofEvent: $0) }
        return SQLTable.collisions(of: names, hasRest: dialect == .postgresql).map { collision in
            "\(said[collision.first]) and \(said[collision.second]) would both have the table `\(collision.name)`: rename one of them, or give all events of a category a table with `--tables category`"
        }
    }

    /// Writes statements that make the tables: of raw records, of bad records, and of good ones.
    func writeTables(to text: inout SQLText) {
        let d = dialect
        let textType = d.textType
        let suffix =
            switch d {
            case .spark: " USING PARQUET"
            case .clickhouse: " ENGINE = MergeTree ORDER BY tuple()"
            case .duckdb, .postgresql, .bigquery, .snowflake: ""
            }
        let optional = d == .clickhouse ? "Nullable(String)" : textType
        text.add("CREATE TABLE IF NOT EXISTS \(d.name(SQLTable.raw)) (\n    \(d.name("record")) \(textType)\(notNull)\n)\(suffix)")
        text.add(
            """
            CREATE TABLE IF NOT EXISTS \(d.name(SQLTable.bad)) (
                \(d.name("record")) \(textType)\(notNull),
                \(d.name("event_category")) \(optional),
                \(d.name("event_name")) \(optional),
                \(d.name("schema_version")) \(optional),
                \(d.name("violations")) \(d.textsType)
            )\(suffix)
            """)
        let head = head
        text.addEach(of: tables) { table, text in for statement in statements(of: table, head) { text.add(statement) } }
    }

    private var notNull: String { dialect == .clickhouse ? "" : " NOT NULL" }

    /// The columns that nearly all tables begin with, as statements have them. They are made once for many tables.
    struct Head: Sendable {
        fileprivate var columns: ArraySlice<SQLTable.Column> = []
        fileprivate var definitions = ""
        /// What `COMMENT ON COLUMN` says behind the table's name.
        fileprivate var comments: [String] = []
        fileprivate var names = ""
    }

    /// What the first two tables have in common.
    var head: Head {
        guard let first = tables.first?.columns, let second = tables.dropFirst().first?.columns else { return Head() }
        let columns = first[..<(zip(first, second).prefix { $0 == $1 }.count)]
        return Head(
            columns: columns, definitions: columns.map(definition).joined(separator: ",\n    "), comments: columns.compactMap(comment(behindTable:)),
            names: columns.map { dialect.name($0.name) }.joined(separator: ", "))
    }

    /// The columns behind those of a head, if the table begins with them.
    private func rest(of table: SQLTable, _ head: Head) -> ArraySlice<SQLTable.Column>? {
        head.columns.isEmpty ? nil : table.columns(behind: head.columns)
    }

    /// The statements that make a table and say what its columns mean.
    func statements(of table: SQLTable, _ head: Head = Head()) -> [String] {
        let d = dialect
        var statements = [statement(of: table, head)]
        if d == .postgresql {
            statements.append(
                "CREATE TABLE IF NOT EXISTS \(d.name(SQLTable.rest(of: table.name))) PARTITION OF \(d.name(table.name)) DEFAULT")
        }
        if d == .duckdb || d == .postgresql {
            if !table.description.isEmpty { statements.append("COMMENT ON TABLE \(d.name(table.name)) IS \(comment(table))") }
            let rest = rest(of: table, head)
            let start = commentStart(table)
            if rest != nil { for comment in head.comments { statements.append(start + comment) } }
            for column in rest ?? table.columns[...] { if let comment = comment(behindTable: column) { statements.append(start + comment) } }
        }
        return statements
    }

    private func comment(_ table: SQLTable) -> String { dialect.commentLiteral(InlineText.plain(table.description), longest: 16_384) }

    /// The statement that makes a table.
    func statement(of table: SQLTable, _ head: Head = Head()) -> String {
        let d = dialect
        let rest = rest(of: table, head)
        var lines = (rest == nil ? [] : [head.definitions]) + (rest ?? table.columns[...]).map(definition)
        if d == .spark { lines.append("\(d.name(dayColumn(table))) DATE COMMENT 'The day in UTC on which the event happened.'") }
        var statement = "CREATE TABLE IF NOT EXISTS \(d.name(table.name)) (\n    \(lines.joined(separator: ",\n    "))\n)"
        let comment = comment(table)
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
        return statement
    }

    /// The statements that give a table and its columns what is said of them now.
    /// - Parameter former: the table and its columns so far, each by its name of now.
    func commentStatements(_ table: SQLTable, from former: SQLTable, _ formerColumns: [String: SQLTable.Column]) -> [String] {
        var statements = comment(table) == comment(former) ? [] : [commentStatement(table)]
        // What no document has any more, nobody says anything else of.
        for column in table.columns where column.description != nil {
            let former = formerColumns[column.name]
            // The statement that adds a column says what it means, in most dialects.
            guard former != nil || dialect == .duckdb || dialect == .postgresql else { continue }
            let text = comment(column)
            if text != former.flatMap({ comment($0) }) { statements.append(commentStatement(column, text, table)) }
        }
        return statements
    }

    private func commentStatement(_ table: SQLTable) -> String {
        let (d, text) = (dialect, comment(table))
        let textOrNull = table.description.isEmpty ? "NULL" : text
        return switch d {
        case .duckdb, .postgresql, .spark: "COMMENT ON TABLE \(d.name(table.name)) IS \(textOrNull)"
        case .snowflake: "COMMENT ON TABLE \(d.name(table.name)) IS \(text)"
        case .clickhouse: "ALTER TABLE \(d.name(table.name)) MODIFY COMMENT \(text)"
        case .bigquery: "ALTER TABLE \(d.name(table.name)) SET OPTIONS (description = \(textOrNull))"
        }
    }

    private func commentStatement(_ column: SQLTable.Column, _ text: String?, _ table: SQLTable) -> String {
        let (d, name) = (dialect, dialect.name(column.name))
        let alter = "ALTER TABLE \(d.name(table.name)) "
        return switch d {
        case .duckdb, .postgresql: "\(commentStart(table)).\(name) IS \(text ?? "NULL")"
        case .snowflake: "\(commentStart(table)).\(name) IS \(text ?? "''")"
        case .clickhouse: alter + "COMMENT COLUMN \(name) \(text ?? "''")"
        case .spark: alter + "ALTER COLUMN \(name) COMMENT \(text ?? "''")"
        case .bigquery: alter + "ALTER COLUMN \(name) SET OPTIONS (description = \(text ?? "NULL"))"
        }
    }

    private func commentStart(_ table: SQLTable) -> String { "COMMENT ON COLUMN \(dialect.name(table.name))" }

    private func comment(behindTable column: SQLTable.Column) -> String? {
        comment(column).map { ".\(dialect.name(column.name)) IS \($0)" }
    }

    /// A column of `CREATE TABLE` or `ADD COLUMN`.
    func definition(of column: SQLTable.Column) -> String {
        let d = dialect
        var text = "\(d.name(column.name)) \(d.type(of: column.type, isOptional: !column.isRequired))"
        if column.isRequired, d != .clickhouse { text += " NOT NULL" }
        guard d != .duckdb, d != .postgresql, let comment = comment(column) else { return text }
        switch d {
        case .duckdb, .postgresql: return text
        case .spark, .snowflake, .clickhouse: return text + " COMMENT \(comment)"
        case .bigquery: return text + " OPTIONS (description = \(comment))"
        }
    }

    /// What a column means, and whether it tells something about a person; nil if nobody has said anything.
    func comment(_ column: SQLTable.Column) -> String? {
        let privacy = column.privacy.flatMap { $0 == .none ? nil : "(\($0.rawValue))" }
        let parts = [privacy, column.description.flatMap { $0.isEmpty ? nil : InlineText.plain($0) }].compactMap { $0 }
        return parts.isEmpty ? nil : dialect.commentLiteral(parts.joined(separator: " "), longest: 1024)
    }

    /// Spark's partitions are columns.
    func dayColumn(_ table: SQLTable) -> String {
        var name = "occurred_on"
        while table.columns.contains(where: { $0.name == name }) { name += "_" }
        return name
    }

    // MARK: The check

    /// Writes the statement that makes the view of all raw records with what each breaks.
    func writeCheck(to text: inout SQLText) {
        text.add(["CREATE OR REPLACE VIEW \(dialect.name(SQLTable.checked)) AS\n"] + checkQuery.pieces)
    }

    static let envelopeNames = ["event_id", "event_category", "event_name", "schema_version", "occurred_at"]
    /// What only sampled records have.
    static let samplingRate = "sampling_rate"
    /// The values of ``samplingRate``: above 0. No share that anybody keeps is as small.
    static let share = LogValueType.number(.init(minimum: 1e-300, maximum: 1))
    /// What a record has in place of the rules that its columns break, if it says itself that it breaks some.
    package static let declared = "violations: declared"

    /// A query for every record that is not blank: `record`, the fields that name its definition, its members as
    /// `names` and `vals`, and `violations`, an empty list if the record is good.
    ///
    /// A look with one pattern tells that a record `is_good`; what it does not tell of is judged value by value.
    private var checkQuery: Query {
        let d = dialect
        let patterns = JSONPatterns(d)
        let types = columnTypes
        var isFilled = d.matches(d.name("record"), #"[^ \t\r\n]"#)
        // Spark makes another text of each that a pattern looks at.
        if d == .spark { isFilled = "\(d.begins(d.name("record"), "{")) OR \(isFilled)" }
        let raw = Query("SELECT \(d.name("record")) AS record FROM \(d.name(SQLTable.raw)) WHERE \(isFilled)")
        let told = self.told(raw)
        func guarded(_ good: String, _ other: String) -> String {
            told == nil ? other : checks.choice([("is_good", good)], otherwise: other)
        }
        let fields = ["event_category", "event_name", "schema_version"]
        let said = told == nil ? [] : Self.saidNames
        func kept(_ names: [String]) -> [(name: String, expression: String)] {
            (["record"] + (told == nil ? [] : ["is_good"]) + said + names).map { ($0, $0) }
        }
        let isFlat = told?.hasFlat == true ? "is_flat" : guarded("TRUE", flatness)
        let flat = query(kept([]) + [("clean", guarded("record", checks.cleaned("record"))), ("is_flat", isFlat)], from: told?.query ?? raw)
        let json = query(
            kept(["clean", "is_flat"]) + [("is_json", checks.choice([("is_flat", "TRUE")], otherwise: isJSON))], from: flat)
        let (names, values) = members(patterns)
        // The members of a good record are read if somebody asks for them.
        let source = told == nil ? [] : ["clean", "is_flat"]
        let members = query(
            kept(source + ["is_json"]) + [("all_names", guarded(d.noTexts, names)), ("all_vals", guarded(d.noTexts, values))],
            from: json)
        let last = d.lastOfEachName("all_names", "all_vals")
        let isUnique = "\(d.count(d.distinct("all_names"))) = \(d.count("all_names"))"
        let single = query(
            kept(source + ["is_json"]) + [
                ("some_names", checks.choice([(isUnique, "all_names")], otherwise: last.names)),
                ("some_vals", checks.choice([(isUnique, "all_vals")], otherwise: last.values)),
            ], from: members)
        func text(_ field: String) -> String {
            let value = d.value(of: field, "some_names", "some_vals")
            return checks.choice([(d.begins(value, "\""), checks.text(value))], otherwise: "NULL")
        }
        let columns = source + ["is_json", "some_names", "some_vals"]
        let shown = query(
            kept(columns) + fields.enumerated().map { ($0.element, said.isEmpty ? text($0.element) : guarded(said[$0.offset], text($0.element))) },
            from: single)
        var valued = shown
        var before = kept(columns + fields)
        if picksValues {
            valued = query(before + [("picked", guarded("NULL", pickedValues(types)))], from: shown)
            before.append(("picked", "picked"))
        }
        let enveloped = query(before + [("event_version", versionName), ("envelope", guarded(d.noTexts, envelope))], from: valued)
        let lists = self.lists
        let listed = query(
            before + ["event_version", "envelope"].map { ($0, $0) }
                + [("declared", guarded(d.noTexts, lists.declared)), ("required", guarded(d.noTexts, lists.required))], from: enveloped)
        return query(
            (["record"] + fields).map { ($0, $0) } + [
                ("names", guarded(names, "some_names")), ("vals", guarded(values, "some_vals")),
                ("violations", guarded(d.noTexts, violations(types))),
            ], from: listed, isOuter: true)
    }

    private static let saidNames = ["said_category", "said_event", "said_version"]

    /// Whether a record is flat JSON. DuckDB's own reader, which reads it then, refuses halves of surrogate pairs.
    private var flatness: String { dialect.matches("record", JSONPatterns(dialect).flatRecord(plain: dialect == .duckdb)) }

    /// Raw records with what they say of their definition, as `said_…`, and whether one look tells that they are good;
    /// nil if the dialect has no such look. Perhaps it has found out on the way whether they are flat.
    private func told(_ raw: Query) -> (query: Query, hasFlat: Bool)? {
        switch dialect {
        case .spark: return matched(raw).map { ($0, false) }
        case .duckdb: return compared(raw).map { ($0, true) }
        case .postgresql, .bigquery, .snowflake, .clickhouse: return nil
        }
    }

    /// By the patterns of the version that the record names.
    private func matched(_ raw: Query) -> Query? {
        var patterns = RecordPatterns(dialect)
        let order = order(&patterns)
        let isGood = versionChoice { event, version in
            guard let pattern = patterns.record(of: event, version) else { return nil }
            let rest = order.flatMap { patterns.rest(of: version, in: $0) }.map { dialect.matches("rest", "^" + $0) + " OR " } ?? ""
            return rest + dialect.matches("record", pattern)
        }
        guard let isGood else { return nil }
        let d = dialect
        let fields = ["event_category", "event_name", "schema_version"]
        // A part of the record, with the three fields beside each other, is found sooner than the fields in all of it.
        let named = "regexp_extract(\(d.part("record", from: 1, count: "256")), \(d.literal(RecordPatterns.naming)), 0)"
        let rest = order.map { d.firstMatch("record", $0.first + "((?s:.*))") } ?? "''"
        let begun = query([("record", "record"), ("named", named), ("rest", rest)], from: raw)
        let naming = checks.choice([("named = ''", "record")], otherwise: "named")
        let source = query([("record", "record"), ("rest", "rest"), ("naming", naming)], from: begun)
        let said = query(
            [("record", "record"), ("rest", "rest")]
                + zip(Self.saidNames, fields).map { ($0, d.firstMatch("naming", "\"\($1)\": ?\"([^\"\\\\]*)\"")) }, from: source)
        return query((["record"] + Self.saidNames).map { ($0, $0) } + [("is_good", isGood)], from: said)
    }

    /// By the patterns of records in order, and by conditions on the values that DuckDB's reader takes out of the others.
    private func compared(_ raw: Query) -> Query? {
        let conditions = RecordConditions(events)
        guard !conditions.isEmpty else { return nil }
        let (source, inOrder) = self.inOrder(raw)
        func kept(_ names: [String]) -> [(name: String, expression: String)] {
            (["record", "is_flat"] + (inOrder.isEmpty ? [] : ["in_order"] + inOrder) + names).map { ($0, $0) }
        }
        func unlessInOrder(_ expression: String, _ known: String) -> String {
            inOrder.isEmpty ? expression : checks.choice([("in_order", known)], otherwise: expression)
        }
        func ifFlat(_ expression: String) -> String {
            checks.choice([(inOrder.isEmpty ? "is_flat" : "is_flat AND NOT in_order", expression)], otherwise: "NULL")
        }
        let flat = query(kept([]).filter { $0.name != "is_flat" } + [("is_flat", unlessInOrder(flatness, "TRUE"))], from: source)
        let shared = query(
            kept([]) + [("shared", ifFlat(conditions.sharedValues)), ("name_count", ifFlat("len(json_keys(record))"))], from: flat)
        let said = zip(Self.saidNames, conditions.said).enumerated().map { ($1.0, inOrder.isEmpty ? $1.1 : unlessInOrder($1.1, inOrder[$0])) }
        let named = query(kept(["shared", "name_count"]) + said, from: shared)
        let own = query(kept(["shared", "name_count"] + Self.saidNames) + [("own", unlessInOrder(conditions.ownValues, "NULL"))], from: named)
        return query(
            (["record", "is_flat"] + Self.saidNames).map { ($0, $0) } + [("is_good", unlessInOrder(conditions.isGood, "TRUE"))], from: own)
    }

    /// Raw records, each with `in_order`, whether it is good and in its definition's order, and what it says of its
    /// definition then; without these if there is no pattern.
    private func inOrder(_ raw: Query) -> (query: Query, said: [String]) {
        let d = dialect
        var patterns = RecordPatterns(dialect)
        guard let order = order(&patterns),
            let isGood = versionChoice(
                by: ["first_category", "first_event", "first_version"],
                { _, version in
                    patterns.rest(of: version, in: order).map { d.matches("rest", "^\(order.last.name) ?\(order.last.value)" + $0) }
                })
        else { return (raw, []) }
        let begun = query([("record", "record"), ("begins", d.matches("record", order.first + "[,}]"))], from: raw)
        // The quotation marks up to the version's last are these, or the record would not begin so. A column's name with
        // its quotation marks and its colon stands nowhere but before its value.
        let split = query(
            ["record", "begins"].map { ($0, $0) } + [
                ("head", checks.choice([("begins", "string_split(\(d.part("record", from: 1, count: "256")), '\"')")], otherwise: "NULL")),
                ("rest", checks.choice([("begins", "substr(record, strpos(record, \(d.literal(order.last.name))))")], otherwise: "NULL")),
            ], from: begun)
        let said = ["first_category", "first_event", "first_version"]
        let named = query(
            [("record", "record"), ("rest", "rest")]
                + zip(said, [8, 12, 16]).map { ($0, checks.choice([("len(head) > 16", "head[\($1)]")], otherwise: "NULL")) }, from: split)
        return (query((["record"] + said).map { ($0, $0) } + [("in_order", "coalesce(\(isGood), FALSE)")], from: named), said)
    }

    private func order(_ patterns: inout RecordPatterns) -> RecordPatterns.Order? {
        patterns.order(of: events.flatMap(\.versions).filter { !$0.isRetired && RecordPatterns.canName($0) })
    }

    /// Of the version that a record names, a condition; false for the versions that have none. Nil if none has one.
    private func versionChoice(
        by said: [String] = saidNames, _ condition: (EventDescription, EventDescription.Version) -> String?
    ) -> String? {
        var categories: [(when: String, then: String)] = []
        for (category, events) in Dictionary(grouping: events, by: \.category).sorted(by: { $0.key < $1.key }) {
            var cases: [(when: String, then: String)] = []
            for event in events {
                for version in event.versions where !version.isRetired {
                    guard let condition = condition(event, version) else { continue }
                    cases.append(("\(said[1]) = \(dialect.literal(event.name)) AND \(said[2]) = \(dialect.literal(version.text))", condition))
                }
            }
            if !cases.isEmpty { categories.append(("\(said[0]) = \(dialect.literal(category))", checks.choice(cases, otherwise: "FALSE"))) }
        }
        return categories.isEmpty ? nil : checks.choice(categories, otherwise: "FALSE")
    }

    private func query(_ columns: [(name: String, expression: String)], from inner: Query, isOuter: Bool = false) -> Query {
        // ClickHouse would put an inner query's expressions wherever the outer one names them, and its plan would grow
        // as a power of the queries. What it joins, it computes once.
        let joins = dialect == .clickhouse && !isOuter
        let joined = joins ? columns.filter { $0.name != $0.expression } : []
        var pieces = ["SELECT\n    "]
        for (number, column) in columns.enumerated() {
            if number > 0 { pieces.append(",\n    ") }
            pieces += joins || column.name == column.expression ? [column.name] : [column.expression, " AS \(column.name)"]
        }
        pieces.append("\nFROM (\n")
        pieces += inner.pieces
        pieces.append("\n) AS q")
        switch dialect {
        // Without `OFFSET`, PostgreSQL would put an inner query's expressions wherever the outer one names them.
        case .postgresql where !isOuter: pieces.append("\nOFFSET 0")
        case .clickhouse where !joined.isEmpty:
            for (number, column) in joined.enumerated() {
                pieces += [number == 0 ? "\nARRAY JOIN\n    [" : ",\n    [", column.expression, "] AS \(column.name)"]
            }
        case .duckdb, .spark, .postgresql, .bigquery, .snowflake, .clickhouse: break
        }
        return Query(pieces: pieces)
    }

    /// A query's text in pieces. Queries stand in queries, and the innermost may have some megabytes: they are put together
    /// once.
    private struct Query {
        var pieces: [String]

        init(_ text: String) { pieces = [text] }
        init(pieces: [String]) { self.pieces = pieces }
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

    /// The names and the values of a record's members.
    private func members(_ patterns: JSONPatterns) -> (names: String, values: String) {
        let d = dialect
        let isObject = "is_json AND \(d.matches("record", #"^[ \t\r\n]*\{"#))"
        let names = d.map(d.matchesOf("clean", patterns.memberName), "n", checks.text("n"))
        let values = d.matchesOf("clean", patterns.memberValue)
        // DuckDB's own reader is several times as fast as patterns, and reads flat records alike.
        let flat: (names: [(when: String, then: String)], values: [(when: String, then: String)]) =
            d == .duckdb
            ? ([("is_flat", "json_keys(record)")], [("is_flat", "json_extract(record, '$.*')::VARCHAR[]")]) : ([], [])
        return (
            checks.choice(flat.names + [(isObject, names)], otherwise: d.noTexts),
            checks.choice(flat.values + [(isObject, values)], otherwise: d.noTexts)
        )
    }

    /// `category.event 1-0-0`; NULL if one of the three is no text.
    private var versionName: String { dialect.concat(["event_category", "'.'", "event_name", "' '", "schema_version"]) }

    // MARK: Values by name

    /// Whether values are taken out of a record by name, before they are judged. DuckDB compiles the patterns of a lambda
    /// for each thousand of rows anew, so none stand in one there.
    private var picksValues: Bool { dialect == .duckdb }

    /// The first of the members that the check knows: the fields that records have beside their columns.
    private static let pickedFields = envelopeNames + [samplingRate, "violations"]

    /// The values of the members that the check knows, NULL for each that is not there.
    private func pickedValues(_ types: [ColumnTypes]) -> String {
        dialect.map(dialect.list(ofTexts: Self.pickedFields + types.map(\.name)), "n", "some_vals[list_position(some_names, n)]")
    }

    private func picked(_ field: String) -> String { "picked[\((Self.pickedFields.firstIndex(of: field) ?? 0) + 1)]" }

    /// What the fields break that every record has.
    private var envelope: String {
        let d = dialect
        func says(_ text: String) -> String { d.list(ofTexts: [text]) }
        let fields: [(name: String, broken: (_ value: String) -> String)] = [
            ("event_id", { checks.broken($0, .uuid, column: "event_id") }),
            ("event_category", { checks.broken($0, .string(.init()), column: "event_category", isStored: false) }),
            ("event_name", { checks.broken($0, .string(.init()), column: "event_name", isStored: false) }),
            ("schema_version", { checks.brokenVersion($0, column: "schema_version") }),
            ("occurred_at", { checks.broken($0, .timestamp, column: "occurred_at") }),
            (Self.samplingRate, { checks.broken($0, Self.share, column: Self.samplingRate) }),
            (
                "violations",
                {
                    checks.broken(
                        $0, .array(.init(of: .string(.init()), minItems: 1)), column: "violations", isStored: false, isFilled: true)
                }
            ),
        ]
        let members: String
        if picksValues {
            members = d.joined(
                fields.map { field in
                    let value = self.picked(field.name)
                    return checks.choice([("\(value) IS NULL", d.noTexts)], otherwise: field.broken(value))
                })
        } else {
            members = d.flatMapMembers("some_names", "some_vals") { name, value in
                checks.choice(fields.map { ("\(name) = \(d.literal($0.name))", $0.broken(value)) }, otherwise: d.noTexts)
            }
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
        return d.joined([members, d.missing(from: d.list(ofTexts: Self.envelopeNames), "some_names", suffix: ": required"), unknown])
    }

    /// The versions of events that records may name, by the names of their columns, and by those of the required ones.
    private var lists: (declared: String, required: String) {
        var declared = NameLists()
        var required = NameLists()
        for event in events {
            for version in event.versions where !version.isRetired {
                let columns = version.columns.indices.sorted { version.columns[$0].name < version.columns[$1].name }
                let name = "\(event.fullName) \(version.text)"
                declared.add(name, columns.map { version.columns[$0].name })
                required.add(name, columns.filter { version.columns[$0].isRequired }.map { version.columns[$0].name })
            }
        }
        return (choice(declared), choice(required))
    }

    /// Versions with the same names share a list.
    private struct NameLists {
        private(set) var groups: [(names: [String], versions: [String])] = []
        private var numbers: [[String]: Int] = [:]

        mutating func add(_ version: String, _ names: [String]) {
            if let number = numbers[names] {
                groups[number].versions.append(version)
            } else {
                numbers[names] = groups.count
                groups.append((names, [version]))
            }
        }
    }

    private func choice(_ lists: NameLists) -> String {
        checks.choice(
            lists.groups.filter { !$0.names.isEmpty }.map { ("event_version IN (\(literals($0.versions)))", dialect.list(ofTexts: $0.names)) },
            otherwise: dialect.noTexts)
    }

    private func literals(_ texts: [String]) -> String { texts.map(dialect.literal).joined(separator: ", ") }

    /// What a record breaks in all. Needs `declared` and `required`, the names that its version has and must have.
    private func violations(_ types: [ColumnTypes]) -> String {
        let d = dialect
        let known = events.flatMap { event in event.versions.filter { !$0.isRetired }.map { "\(event.fullName) \($0.text)" } }
        func undeclared(_ name: String) -> [(when: String, then: String)] {
            let cut = checks.choice(
                [("\(d.length(name)) > 64", d.concat([d.part(name, from: 1, count: "64"), d.literal("…")]))], otherwise: name)
            return [
                ("\(name) IN (\(literals(Self.envelopeNames + [Self.samplingRate])))", d.noTexts),
                ("NOT (\(d.contains("declared", name)))", d.list([d.concat([cut, d.literal(": additionalProperties")])])),
            ]
        }
        let members: String
        if picksValues {
            let broken = types.enumerated().map { number, column -> String in
                let value = "picked[\(number + Self.envelopeNames.count + 3)]"
                let name = d.literal(column.name)
                let null = checks.choice([(d.contains("required", name), d.list(ofTexts: ["\(column.name): type"]))], otherwise: d.noTexts)
                let variants = column.variants.dropFirst().reversed().map { variant in
                    ("event_version IN (\(literals(variant.versions)))", checks.broken(value, variant.type, column: column.name))
                }
                return checks.choice(
                    [("\(value) IS NULL OR NOT (\(d.contains("declared", name)))", d.noTexts), ("\(value) = 'null'", null)] + variants,
                    otherwise: column.variants.first.map { checks.broken(value, $0.type, column: column.name) } ?? d.noTexts)
            }
            let others = d.flatMapMembers("some_names", "some_vals") { name, _ in checks.choice(undeclared(name), otherwise: d.noTexts) }
            members = d.joined([d.flattened(broken), others])
        } else {
            members = d.flatMapMembers("some_names", "some_vals") { name, value in
                checks.choice(
                    undeclared(name) + [
                        (
                            "\(value) = 'null'",
                            checks.choice(
                                [(d.contains("required", name), d.list([d.concat([name, d.literal(": type")])]))], otherwise: d.noTexts)
                        )
                    ] + columnCases(types, name, value), otherwise: d.noTexts)
            }
        }
        let columns = d.joined([members, d.missing(from: "required", "some_names", suffix: ": required")])
        return checks.choice(
            [
                ("NOT is_json", d.list(ofTexts: ["record: json"])),
                ("NOT (\(d.matches("record", #"^[ \t\r\n]*\{"#)))", d.list(ofTexts: ["record: type"])),
                (
                    d.contains("some_names", d.literal("violations")),
                    checks.choice([(d.isEmpty("envelope"), d.list(ofTexts: [Self.declared]))], otherwise: "envelope")
                ),
            ] + (known.isEmpty ? [] : [("event_version IN (\(literals(known)))", d.joined(["envelope", columns]))]), otherwise: "envelope")
    }

    /// For each column of any event what its value breaks.
    private func columnCases(_ types: [ColumnTypes], _ name: String, _ value: String) -> [(when: String, then: String)] {
        types.flatMap { column -> [(when: String, then: String)] in
            column.variants.enumerated().reversed().map { number, variant in
                var condition = "\(name) = \(dialect.literal(column.name))"
                if number > 0 { condition += " AND event_version IN (\(literals(variant.versions)))" }
                return (condition, checks.broken(value, variant.type, column: column.name))
            }
        }
    }

    private struct ColumnTypes {
        var name: String
        /// The types that versions give it.
        var variants: [(type: LogValueType, versions: [String])]
    }

    /// The columns of all events. Nearly always, a name has one type in all of them.
    private var columnTypes: [ColumnTypes] {
        var columns: [ColumnTypes] = []
        var numbers: [String: Int] = [:]
        for event in events {
            for version in event.versions where !version.isRetired {
                let text = "\(event.fullName) \(version.text)"
                for column in version.columns {
                    guard let place = numbers[column.name] else {
                        numbers[column.name] = columns.count
                        columns.append(ColumnTypes(name: column.name, variants: [(column.type, [text])]))
                        continue
                    }
                    // Nearly all types are the first one, and equal without a look at what they mean.
                    if let number = columns[place].variants.firstIndex(where: {
                        $0.type == column.type || $0.type.shape == column.type.shape
                    }) {
                        columns[place].variants[number].versions.append(text)
                    } else {
                        columns[place].variants.append((column.type, [text]))
                    }
                }
            }
        }
        return columns
    }

    // MARK: The load

    /// Writes statements that put every raw record into its table, if it is good, and into the table of bad records, if not.
    func writeLoad(to text: inout SQLText) {
        let d = dialect
        let read = d.name(SQLTable.read)
        let query = "SELECT * FROM \(d.name(SQLTable.checked))"
        let before: [String]
        let after: [String]
        switch d {
        case .duckdb:
            before = ["BEGIN TRANSACTION", "CREATE TEMPORARY TABLE \(read) AS \(query)"]
            after = ["DROP TABLE \(read)", "COMMIT"]
        case .postgresql:
            // Compiling the check takes longer than checking some ten thousand records.
            before = ["BEGIN", "SET LOCAL jit = off", "CREATE TEMPORARY TABLE \(read) ON COMMIT DROP AS \(query)"]
            after = ["COMMIT"]
        case .snowflake:
            before = ["CREATE OR REPLACE TEMPORARY TABLE \(read) AS \(query)", "BEGIN"]
            after = ["COMMIT", "DROP TABLE \(read)"]
        case .bigquery:
            before = ["BEGIN TRANSACTION", "CREATE TEMP TABLE \(read) AS \(query)"]
            after = ["DROP TABLE \(read)", "COMMIT TRANSACTION"]
        case .spark:
            before = ["DROP TABLE IF EXISTS \(read)", "CREATE TABLE \(read) USING PARQUET AS \(query)"]
            after = ["DROP TABLE \(read)"]
        case .clickhouse:
            before = ["DROP TABLE IF EXISTS \(read)", "CREATE TABLE \(read) ENGINE = MergeTree ORDER BY tuple() AS \(query)"]
            after = ["DROP TABLE \(read)"]
        }
        for statement in before { text.add(statement) }
        var parts = InsertParts(self)
        text.addEach(of: tables) { table, text in text.add(insert(table, &parts)) }
        let columns = ["record", "event_category", "event_name", "schema_version", "violations"]
        text.add(
            "INSERT INTO \(d.name(SQLTable.bad)) (\(columns.map(d.name).joined(separator: ", ")))\n"
                + "SELECT \(columns.joined(separator: ", ")) FROM \(read) WHERE NOT (\(d.isEmpty("violations")))")
        for statement in after { text.add(statement) }
    }

    /// The parts of statements that are the same for many tables, each made once.
    private struct InsertParts {
        struct Value: Hashable {
            var json: String
            var type: LogValueType
            var isOptional: Bool
        }

        let version: String
        let source: String
        let isGood: String
        let head: Head
        /// By field.
        var members: [String: String] = [:]
        var values: [Value: String] = [:]

        init(_ script: SQLScript) {
            version = script.versionName
            source = script.dialect.name(SQLTable.read)
            isGood = script.dialect.isEmpty("violations")
            head = script.head
        }
    }

    private func insert(_ table: SQLTable, _ parts: inout InsertParts) -> [String] {
        let d = dialect
        // Sorted, so that a field's number is found without hashing.
        let order = table.columns.indices.sorted { table.columns[$0].field < table.columns[$1].field }
        var picked: [String] = []
        var numbers = [String](repeating: "", count: order.count)
        var last: String?
        for index in order {
            let field = table.columns[index].field
            if field != last {
                let number = "f\(picked.count)"
                let known = parts.members[field]
                let member = known ?? "nullif(\(d.value(of: field, "names", "vals")), 'null') AS "
                if known == nil { parts.members[field] = member }
                picked.append(member + number)
                last = field
            }
            numbers[index] = "f\(picked.count - 1)"
        }
        var values = zip(table.columns, numbers).map { column, json -> String in
            let isOptional = !column.isRequired
            guard let versions = column.versions else {
                let key = InsertParts.Value(json: json, type: column.type, isOptional: isOptional)
                if let value = parts.values[key] { return value }
                let value = d.value(json, as: column.type, isOptional: isOptional, checks)
                parts.values[key] = value
                return value
            }
            let source = checks.choice([("event_version IN (\(versions.map(d.literal).joined(separator: ", ")))", json)], otherwise: "NULL")
            return d.value(source, as: column.type, isOptional: isOptional, checks)
        }
        let rest = rest(of: table, parts.head)
        var names = rest == nil ? [] : [parts.head.names]
        for column in rest ?? table.columns[...] { names.append(d.name(column.name)) }
        if d == .spark {
            // The time is in UTC, whatever the session's zone is.
            let time = table.columns.indices.first { table.columns[$0].field == "occurred_at" }.map { numbers[$0] }
            let day = "CAST(substr(\(checks.text(time ?? "NULL")), 1, 10) AS DATE)"
            names.append(d.name(dayColumn(table)))
            values.append(day)
        }
        let events = table.events.map { name -> String in
            let parts = name.split(separator: ".", maxSplits: 1).map(String.init)
            return "(event_category = \(d.literal(parts[0])) AND event_name = \(d.literal(parts[1])))"
        }
        let isOne = events.isEmpty ? "FALSE" : "(\(events.joined(separator: " OR ")))"
        return [
            "INSERT INTO ", d.name(table.name), " (", names.joined(separator: ", "), ")\nSELECT\n    ", values.joined(separator: ",\n    "),
            "\nFROM (\n    SELECT ", parts.version, " AS event_version, ", picked.joined(separator: ", "), "\n    FROM ", parts.source,
            "\n    WHERE ",
            parts.isGood, " AND ", isOne, d == .postgresql ? "\n    OFFSET 0" : "", "\n) AS q",
        ]
    }
}

/// Markdown as plain text.
enum InlineText {
    static func plain(_ markdown: String) -> String {
        // Nearly every text is one line without markup.
        guard InlineMarkdown.hasMarkup(markdown) else { return SwiftText.visible(markdown[...]) }
        return SwiftText.line(markdown.split(separator: "\n").joined(separator: " "))
    }
}
