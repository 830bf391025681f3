import JSONSyntax

/// Reads `target/manifest.json` of a dbt project: nodes, exposures, metrics, and the dependencies among them.
///
/// Columns come from the code of nodes: the raw code gives places, and the compiled code gives reads that macros make.
/// A dependency on a logged table without a read in the code is a possible read of all columns.
struct DbtManifest {
    private let root: JSONValue
    /// The logged tables by the identifiers of sources.
    private var sources: [String: String] = [:]
    private var owners: [String: Consumer.Owner] = [:]
    private(set) var tables: LoggedTables

    init(_ bytes: [UInt8], _ tables: LoggedTables) throws(JSONSyntaxError) {
        root = try JSONReader.read(bytes, what: "the manifest")
        guard case .object? = root["nodes"]?.content else {
            throw JSONSyntaxError(at: root.at, message: "the manifest has no `nodes`")
        }
        self.tables = tables
        for source in root.members("sources") {
            let name = source.value["identifier"]?.text ?? source.value["name"]?.text ?? ""
            guard let table = tables.name(matching: name) else { continue }
            sources[source.key] = table
            // `source('logs', 'show')` names the source instead of the table.
            if let schema = source.value["source_name"]?.text, let alias = source.value["name"]?.text, alias != name {
                self.tables.add("\(schema).\(alias)", as: table)
            }
        }
        for group in root.members("groups") {
            if let name = group.value["name"]?.text { owners[name] = Self.owner(group.value["owner"]) }
        }
    }

    /// Returns the consumers of a project.
    /// - Parameter project: The folder of the project, which paths in the manifest are relative to.
    func consumers(project: String, _ reader: SQLReader) -> [Consumer] {
        var consumers: [Consumer] = []
        for member in root.members("nodes") {
            guard let type = member.value["resource_type"]?.text, let kind = Self.kinds[type] else { continue }
            consumers.append(consumer(member.key, member.value, kind, project, reader))
        }
        let others: [(key: String, kind: Consumer.Kind)] = [
            ("semantic_models", .semanticModel), ("metrics", .metric), ("saved_queries", .savedQuery),
            ("exposures", .exposure),
        ]
        for (key, kind) in others {
            consumers += root.members(key).map { consumer($0.key, $0.value, kind, project, reader) }
        }
        return consumers
    }

    private static let kinds: [String: Consumer.Kind] = [
        "model": .model, "snapshot": .snapshot, "analysis": .analysis, "test": .dataTest, "operation": .operation,
        "sql_operation": .operation, "sql operation": .operation,
    ]

    private func consumer(
        _ identifier: String, _ node: JSONValue, _ kind: Consumer.Kind, _ project: String, _ reader: SQLReader
    ) -> Consumer {
        let path = node["original_file_path"]?.text ?? ""
        let dependencies = node["depends_on"]?["nodes"]?.items.compactMap(\.text) ?? []
        var consumer = Consumer(
            kind: kind, name: node["label"]?.text ?? node["name"]?.text ?? identifier,
            file: project.isEmpty || project == "." ? path : project + "/" + path,
            owner: owner(of: node), url: node["url"]?.text, dependencies: dependencies, identifier: identifier)
        let model = node["alias"]?.text ?? node["name"]?.text
        // The raw code of a generic test is a call of its macro.
        if case .object? = node["test_metadata"]?.content {
            consumer.statements = columnRead(node["column_name"]?.text, dependencies)
        } else if let raw = node["raw_code"]?.text {
            consumer.statements = reader.statements(in: raw, model: model)
        }
        if let compiled = (node["compiled_code"] ?? node["compiled_sql"])?.text {
            let known = consumer.statements
            consumer.statements += reader.statements(in: compiled, model: model).map { Self.addition($0, to: known) }
        }
        for table in Set(dependencies.compactMap { sources[$0] }).sorted() {
            let isRead = consumer.statements.contains { statement in
                statement.uses.contains { $0.table.map { tables.isSame($0, table) } ?? false }
            }
            if !isRead { consumer.statements.append(Self.read(of: table, nil, .mayRead(.dynamicName))) }
        }
        return consumer
    }

    /// Returns the reads of a statement that others do not have, at the place of the same table in those.
    private static func addition(_ statement: StatementReads, to known: [StatementReads]) -> StatementReads {
        struct Key: Hashable {
            var table: String?
            var column: String?
        }
        let columns = Set(known.flatMap { $0.reads.map { Key(table: $0.table, column: $0.column) } })
        var places: [String?: SourcePlace] = [:]
        for use in known.flatMap(\.uses) where places[use.table] == nil { places[use.table] = use.place }
        var result = statement
        let start = SourcePlace(line: 1, column: 1)
        result.uses = statement.uses.map { use in
            var use = use
            use.place = places[use.table] ?? start
            return use
        }
        result.reads = statement.reads.compactMap { read in
            guard !columns.contains(Key(table: read.table, column: read.column)) else { return nil }
            var read = read
            read.places = [places[read.table] ?? start]
            return read
        }
        return result
    }

    /// Returns the read of a generic test on a column of a source.
    private func columnRead(_ column: String?, _ dependencies: [String]) -> [StatementReads] {
        guard let column else { return [] }
        return dependencies.compactMap { sources[$0] }.map { Self.read(of: $0, column, .reads) }
    }

    private static func read(of table: String, _ column: String?, _ certainty: Certainty) -> StatementReads {
        let start = SourcePlace(line: 1, column: 1)
        return StatementReads(
            place: start, uses: [TableUse(table: table, place: start, filters: [])],
            reads: [
                ColumnRead(use: 0, table: table, column: column, path: [], certainty: certainty, places: [start])
            ])
    }

    // MARK: Owners

    private func owner(of node: JSONValue) -> Consumer.Owner? {
        if let owner = Self.owner(node["owner"]) { return owner }
        for meta in [node["config"]?["meta"], node["meta"]] {
            if let owner = Self.owner(meta?["owner"]) { return owner }
        }
        return (node["group"]?.text ?? node["config"]?["group"]?.text).flatMap { owners[$0] }
    }

    private static func owner(_ value: JSONValue?) -> Consumer.Owner? {
        guard let value else { return nil }
        if let name = value.text { return name.isEmpty ? nil : Consumer.Owner(name: name) }
        let (name, email) = (value["name"]?.text, value["email"]?.text ?? value["email"]?.items.first?.text)
        return name == nil && email == nil ? nil : Consumer.Owner(name: name, email: email)
    }
}

extension JSONValue {
    fileprivate subscript(key: String) -> JSONValue? {
        guard case .object(let members) = content else { return nil }
        return members.first { $0.key == key }?.value
    }

    fileprivate var items: [JSONValue] { if case .array(let items) = content { items } else { [] } }

    fileprivate var text: String? { if case .string(let text) = content { text } else { nil } }

    /// The members of an object that is a member.
    fileprivate func members(_ key: String) -> [(key: String, at: Int, value: JSONValue)] {
        if case .object(let members)? = self[key]?.content { members } else { [] }
    }
}
