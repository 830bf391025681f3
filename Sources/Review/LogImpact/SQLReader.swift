package import JSONSyntax

/// Finds the tables and columns that SQL reads, with a program in Python that uses sqlglot.
///
/// The program is `Reader/read_consumers.py`. It gets all inputs at once, and reads them in as many processes as there
/// are cores. Results are not kept: reading 5,000 models takes less than a minute.
package struct SQLReader {
    package struct Input: Sendable {
        package var text: String
        package var kind = ConsumerKind.sql
        /// The name of the table that `{{ this }}` represents.
        package var model: String?
        /// The dialect by sqlglot's name or dbt's; nil if it is unknown.
        package var dialect: String?
        /// The code that dbt has compiled from the template.
        package var compiled: String?
        /// The index of the dbt project whose macros the template uses.
        package var project: Int?
        /// The index of the catalog with the tables.
        package var catalog = 0

        package init(
            _ text: String, _ kind: ConsumerKind = .sql, model: String? = nil, dialect: String? = nil,
            compiled: String? = nil, project: Int? = nil, catalog: Int = 0
        ) {
            (self.text, self.kind, self.model, self.dialect) = (text, kind, model, dialect)
            (self.compiled, self.project, self.catalog) = (compiled, project, catalog)
        }
    }

    package struct Output: Sendable {
        package var statements: [StatementReads] = []
        /// The tables that the file names outside of its statements, if its format is not read.
        package var unread: [String] = []
        /// The keys of names that others can read: `daily`, `#12` for an identifier, `=show.csv` and `>folder` for a file.
        package var defines: [String] = []
        /// The keys of names that others define, in statements and outside of them.
        package var refers: [String] = []
        /// Indicates whether templates can have reads that the statements do not contain.
        package var isOpen = false
    }

    package var catalogs: [Catalog]
    /// The macros of each dbt project, by package. Those in inputs of the project are added.
    package var macros: [[String: [String]]]
    /// The dialect of inputs without one; nil if it is unknown.
    package var dialect: String?
    package var showsProgress = false

    package init(catalogs: [Catalog], macros: [[String: [String]]] = [], dialect: String? = nil) {
        (self.catalogs, self.macros, self.dialect) = (catalogs, macros, dialect)
    }

    /// The program, for `python3 -c`. Its standard input is a request.
    package static let program = EmbeddedFiles.read_consumers_py

    /// Returns the program's standard input.
    package func request(_ inputs: [Input]) -> [UInt8] {
        var json = JSONWriter()
        json.object { json in
            json.member("dialect", orNull: dialect)
            json.member("showsProgress", showsProgress)
            json.array("catalogs") { json in for catalog in catalogs { write(catalog, to: &json) } }
            json.array("macros") { json in
                for packages in macros {
                    json.object { json in
                        for (name, texts) in packages.sorted(by: { $0.key < $1.key }) {
                            json.key(named: name)
                            json.array { json in for text in texts { json.value(text) } }
                        }
                    }
                }
            }
            json.array("inputs") { json in for input in inputs { write(input, to: &json) } }
        }
        return json.document()
    }

    private func write(_ catalog: Catalog, to json: inout JSONWriter) {
        json.array { json in
            for table in catalog.tables {
                json.object(inline: true) { json in
                    json.member("name", table.name)
                    json.array("columns", inline: true) { json in for column in table.columns { json.value(column) } }
                }
            }
        }
    }

    private func write(_ input: Input, to json: inout JSONWriter) {
        json.object(inline: true) { json in
            json.member("text", input.text)
            json.member("kind", input.kind.rawValue)
            json.member("model", orNull: input.model)
            json.member("dialect", orNull: input.dialect)
            json.member("compiled", orNull: input.compiled)
            if let project = input.project { json.member("project", project) }
            json.member("catalog", input.catalog)
        }
    }

    /// Returns the outputs of inputs in the program's standard output.
    package static func outputs(_ bytes: [UInt8]) throws(JSONSyntaxError) -> [Output] {
        let root = try JSONReader.read(bytes, what: "the output of the reader of SQL")
        return (root.items ?? []).map { entry in
            Output(
                statements: entry["statements"]?.items?.map(statement) ?? [], unread: texts(entry["unread"]),
                defines: texts(entry["defines"]), refers: texts(entry["refers"]),
                isOpen: entry["open"]?.isTrue ?? false)
        }
    }

    private static func statement(_ value: JSONValue) -> StatementReads {
        var result = StatementReads(place: place(value["place"]))
        result.unknownRelations = texts(value["unknown"])
        result.dependsOnAllColumns = value["dependsOnAll"]?.isTrue ?? false
        result.readsUnknownColumns = value["readsUnknown"]?.isTrue ?? false
        result.unqualifiedNames = Set(texts(value["names"]))
        result.uses = (value["uses"]?.items ?? []).compactMap { use in
            guard let parts = use.items, parts.count == 4 else { return nil }
            let filters = (parts[2].items ?? []).compactMap { filter -> ColumnFilter? in
                guard let pair = filter.items, pair.count == 2, let column = pair[0].text else { return nil }
                return ColumnFilter(column: column, values: texts(pair[1]))
            }
            return TableUse(
                table: parts[0].text, place: place(parts[1]), filters: filters, certainty: certainty(parts[3]))
        }
        result.reads = (value["reads"]?.items ?? []).compactMap { read in
            guard let parts = read.items, parts.count == 4, let use = parts[0].whole, result.uses.indices.contains(use)
            else { return nil }
            return ColumnRead(
                use: use, table: result.uses[use].table, column: parts[1].text, certainty: certainty(parts[2]),
                places: (parts[3].items ?? []).map { place($0) })
        }
        return result
    }

    private static func texts(_ value: JSONValue?) -> [String] { value?.items?.compactMap(\.text) ?? [] }

    private static func place(_ value: JSONValue?) -> SourcePlace {
        let numbers = value?.items?.compactMap(\.whole) ?? []
        return numbers.count == 2 ? SourcePlace(line: numbers[0], column: numbers[1]) : SourcePlace(line: 1, column: 1)
    }

    private static func certainty(_ value: JSONValue) -> Certainty {
        guard let text = value.text, !text.isEmpty else { return .reads }
        return .mayRead(Certainty.Reason(rawValue: text) ?? .unparsed)
    }
}

extension JSONValue {
    fileprivate var whole: Int? { if case .number(let number) = content { number.integer.map(Int.init) } else { nil } }
    fileprivate var isTrue: Bool { if case .bool(true) = content { true } else { false } }
}
