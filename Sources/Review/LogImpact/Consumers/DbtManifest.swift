import JSONSyntax
import MarkdownSyntax

/// Reads `target/manifest.json` of a dbt project: nodes, exposures, metrics, and the dependencies among them.
///
/// Columns come from the code of nodes: the raw code gives places, and the compiled code gives reads that macros write.
/// A dependency on a logged table without a read in the code is a possible read of all columns.
struct DbtManifest: Sendable {
    private let root: JSONValue
    /// The logged tables by the identifiers of sources.
    private var sources: [String: String] = [:]
    private var owners: [String: Consumer.Owner] = [:]
    private(set) var tables: LoggedTables
    /// The lowercased names of the relations of nodes.
    var names: Set<String> {
        Set(root.members("nodes").compactMap { ($0.value["alias"] ?? $0.value["name"])?.text?.lowercased() })
    }
    /// The adapter's name, such as `bigquery`.
    var dialect: String? { root["metadata"]?["adapter_type"]?.text }

    init(_ bytes: [UInt8], _ tables: LoggedTables) throws(JSONSyntaxError) {
        root = try JSONReader.read(bytes, what: "the manifest")
        guard case .object? = root["nodes"]?.content else {
            throw JSONSyntaxError(at: root.at, message: "the manifest has no `nodes`")
        }
        self.tables = tables
        for source in root.members("sources") {
            var name = source.value["identifier"]?.text ?? source.value["name"]?.text ?? ""
            // BigQuery's tables of days: `search__show_*`.
            if name.hasSuffix("*") { name = String(name.dropLast(name.hasSuffix("_*") ? 2 : 1)) }
            let qualifiers = ["database", "schema"].compactMap { source.value[$0]?.text }
            guard let table = tables.name(matching: (qualifiers + [name]).joined(separator: ".")) else { continue }
            sources[source.key] = table
            // `source('logs', 'show')` names the source instead of the table.
            if let schema = source.value["source_name"]?.text, let alias = source.value["name"]?.text,
                alias != name || table.contains(".")
            {
                self.tables.add("\(schema).\(alias)", as: table)
            }
        }
        for group in root.members("groups") {
            if let name = group.value["name"]?.text { owners[name] = Self.owner(group.value["owner"]) }
        }
    }

    /// The paths of the project's files that the manifest contains, relative to the project. A file of macros counts if
    /// a node or another macro uses one: those of `dbt run-operation` have statements of their own.
    var files: Set<String> {
        let name = root["metadata"]?["project_name"]?.text
        var files: Set<String> = []
        let used = Set(
            (root.members("nodes") + root.members("macros")).flatMap { member in
                (member.value["depends_on"]?["macros"]?.items ?? []).compactMap(\.text)
            })
        for key in ["nodes", "macros", "semantic_models", "metrics", "saved_queries", "exposures", "sources"] {
            for member in root.members(key) where key != "macros" || used.contains(member.key) {
                // Paths of installed packages are relative to those.
                guard name == nil || member.value["package_name"]?.text ?? name == name else { continue }
                if let path = member.value["original_file_path"]?.text { files.insert(path) }
            }
        }
        return files
    }

    /// The macros by package, without those of dbt itself.
    var macros: [String: [String]] {
        let adapter = "dbt_" + (dialect ?? "")
        return root.members("macros").reduce(into: [:]) { macros, macro in
            guard let text = macro.value["macro_sql"]?.text, let package = macro.value["package_name"]?.text,
                package != "dbt", package != adapter
            else { return }
            macros[package, default: []].append(text)
        }
    }

    /// A consumer and its code.
    struct Node {
        var consumer: Consumer
        /// The raw and the compiled code; nil without code.
        var input: SQLReader.Input?
        /// The place of the code in its file.
        var start = SourcePlace(line: 1, column: 1)
        /// The logged tables that it depends on.
        var tables: [String]
        /// Indicates whether its code does not contain the reads that macros write.
        var isOpen: Bool
    }

    /// Returns the consumers of a project.
    /// - Parameters:
    ///   - project: The folder of the project, which paths in the manifest are relative to.
    ///   - source: returns the text of a file of the project; nil for a file that cannot be read.
    func nodes(project: String, source: (String) -> SourceText?) -> [Node] {
        var nodes: [(key: String, value: JSONValue, kind: Consumer.Kind)] = []
        for member in root.members("nodes") {
            guard let type = member.value["resource_type"]?.text, let kind = Self.kinds[type] else { continue }
            nodes.append((member.key, member.value, kind))
        }
        let others: [(key: String, kind: Consumer.Kind)] = [
            ("semantic_models", .semanticModel), ("metrics", .metric), ("saved_queries", .savedQuery),
            ("exposures", .exposure),
        ]
        for (key, kind) in others { nodes += root.members(key).map { ($0.key, $0.value, kind) } }
        return nodes.map { key, value, kind in
            var node = node(key, value, kind, project)
            guard let code = node.input?.text, !code.isEmpty, let text = source(node.consumer.file) else { return node }
            if let place = text.occurrences(of: Array(code.utf8), limit: 1).first {
                let position = text.position(at: place)
                node.start = SourcePlace(line: position.line, column: position.column)
            } else if node.consumer.file.hasSuffix(".sql") {
                // The file is newer than the manifest.
                node.input?.text = text.string(0..<text.bytes.count)
                node.input?.compiled = nil
            }
            return node
        }
    }

    private static let kinds: [String: Consumer.Kind] = [
        "model": .model, "snapshot": .snapshot, "analysis": .analysis, "test": .dataTest, "operation": .operation,
        "sql_operation": .operation, "sql operation": .operation,
    ]

    private func node(_ identifier: String, _ node: JSONValue, _ kind: Consumer.Kind, _ project: String) -> Node {
        let written = node["original_file_path"]?.text ?? ""
        let path = written.hasPrefix("./") ? String(written.dropFirst(2)) : written
        let dependencies = node["depends_on"]?["nodes"]?.items?.compactMap(\.text) ?? []
        var consumer = Consumer(
            kind: kind, name: node["label"]?.text ?? node["name"]?.text ?? identifier,
            file: project.isEmpty || project == "." ? path : project + "/" + path,
            owner: owner(of: node), url: node["url"]?.text, dependencies: dependencies, names: [identifier])
        let model = node["alias"]?.text ?? node["name"]?.text
        if let model, kind == .model || kind == .snapshot { consumer.names.append(model.lowercased()) }
        let compiled = (node["compiled_code"] ?? node["compiled_sql"])?.text
        var raw = node["raw_code"]?.text
        let isGenericTest = if case .object? = node["test_metadata"]?.content { true } else { false }
        if isGenericTest {
            // The raw code of a generic test is a call of its macro.
            raw = compiled == nil ? nil : ""
            if compiled == nil { consumer.statements = columnRead(node, dependencies) }
        }
        return Node(
            consumer: consumer,
            input: raw.map { SQLReader.Input($0, model: model, dialect: dialect, compiled: compiled) },
            tables: Set(dependencies.compactMap { sources[$0] }).sorted(),
            isOpen: compiled == nil && isGenericTest && Self.hasHiddenReads(node))
    }

    /// Returns a node's consumer with the statements of its code.
    func consumer(_ node: Node, _ output: SQLReader.Output?) -> Consumer {
        var consumer = node.consumer
        consumer.statements += (output?.statements ?? []).map { canonical($0, from: node.start) }
        let isOpen = node.isOpen || node.input?.compiled == nil && output?.isOpen ?? false
        for table in node.tables {
            let uses = consumer.statements.flatMap(\.uses).filter { $0.table == table }
            if isOpen || uses.isEmpty {
                consumer.statements.append(Self.read(of: table, nil, .mayRead(.dynamicName), at: uses.first?.place))
            }
        }
        return consumer
    }

    /// Returns a statement in which tables have the names of the catalog instead of those of sources, and places are
    /// those in the file.
    private func canonical(_ statement: StatementReads, from start: SourcePlace) -> StatementReads {
        func inFile(_ place: SourcePlace) -> SourcePlace {
            SourcePlace(
                line: place.line + start.line - 1, column: place.column + (place.line == 1 ? start.column - 1 : 0))
        }
        var result = statement
        result.place = inFile(result.place)
        for index in result.uses.indices {
            result.uses[index].place = inFile(result.uses[index].place)
            if let table = result.uses[index].table { result.uses[index].table = tables.canonicalName(table) }
        }
        for index in result.reads.indices {
            result.reads[index].places = result.reads[index].places.map(inFile)
            if let table = result.reads[index].table { result.reads[index].table = tables.canonicalName(table) }
        }
        return result
    }

    /// Returns whether the macro of a generic test can read more than its column. The tests of package `dbt` read their
    /// `where`, too.
    private static func hasHiddenReads(_ node: JSONValue) -> Bool {
        if let condition = node["config"]?["where"]?.text, !condition.isEmpty { return true }
        let metadata = node["test_metadata"]
        return metadata?["namespace"]?.text != nil
            || !["not_null", "unique", "accepted_values"].contains(metadata?["name"]?.text ?? "")
    }

    /// Returns the read of a generic test on a column of a source.
    private func columnRead(_ node: JSONValue, _ dependencies: [String]) -> [StatementReads] {
        guard let name = node["column_name"]?.text else { return [] }
        // A column with `quote: true` has the quotes of the adapter.
        let column = name.trimmed(of: "\"`")
        let read = dependencies.compactMap { sources[$0] }
        // The table of the column is unknown in a test that depends on several tables.
        return read.map { Self.read(of: $0, column, read.count == 1 ? .reads : .mayRead(.dynamicName)) }
    }

    private static func read(
        of table: String, _ column: String?, _ certainty: Certainty, at place: SourcePlace? = nil
    ) -> StatementReads {
        let place = place ?? SourcePlace(line: 1, column: 1)
        return StatementReads(
            place: place, uses: [TableUse(table: table, place: place, filters: [])],
            reads: [
                ColumnRead(use: 0, table: table, column: column, certainty: certainty, places: [place])
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
        // `owner: ana` and `owner: [ana, ben]` are names.
        let isName = if case .object = value.content { false } else { true }
        let (name, email) = (texts(isName ? value : value["name"]), texts(value["email"]))
        return name == nil && email == nil ? nil : Consumer.Owner(name: name, email: email)
    }

    /// Returns a text or a list of texts without empty ones, if any.
    private static func texts(_ value: JSONValue?) -> String? {
        let all = value?.items?.compactMap(\.text) ?? value?.text.map { [$0] } ?? []
        let trimmed = all.map { $0.trimmed(of: " \t\r\n") }.filter { !$0.isEmpty }
        return trimmed.isEmpty ? nil : trimmed.joined(separator: ", ")
    }
}

extension String {
    /// The string without the given characters at its start and end.
    fileprivate func trimmed(of characters: String) -> String {
        let rest = drop { characters.contains($0) }
        guard let end = rest.lastIndex(where: { !characters.contains($0) }) else { return "" }
        return String(rest[...end])
    }
}

extension JSONValue {
    /// The members of an object that is a member.
    fileprivate func members(_ key: String) -> [(key: String, at: Int, value: JSONValue)] {
        if case .object(let members)? = self[key]?.content { members } else { [] }
    }
}
