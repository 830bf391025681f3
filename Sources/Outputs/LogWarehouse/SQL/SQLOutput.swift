import LogDefinitions
package import LogOutputs

/// SQL for warehouses: tables and their load.
///
/// This output is not a template folder: column types nest to any depth, and one model yields six dialects. Templates
/// would need recursion over types, and a folder for each dialect.
struct SQLOutput: Output {
    let name = "sql"
    let folderName = "SQL"
    let contents = "the warehouse's tables and their load, for each dialect"
    let isMadeUnasked = false
    let readsHistory = true
    let options = [
        OutputOption("dialect", someOf: SQLDialect.allCases.map(\.rawValue)),
        OutputOption("tables", oneOf: SQLTables.allCases.map(\.rawValue)),
    ]

    func problems(of model: Model, settings: OutputSettings) -> OutputProblems {
        problems(of: model, settings, hasTables: true)
    }

    /// Returns problems with events or categories whose tables would have the same name. The tables of events that only
    /// the lock file contains may exist in the warehouse.
    /// - Parameter hasTables: whether the output has the option `tables`.
    func problems(of model: Model, _ settings: OutputSettings, hasTables: Bool) -> OutputProblems {
        let definitions = model.definitions
        var problems = OutputProblems(files: definitions.files)
        var owners: [(name: String, table: String, place: Place?)] = []
        switch settings.tables {
        case .event:
            owners = definitions.categories.flatMap { category in
                category.events.map { ("\(category.name).\($0.name)", SQLTable.name(category.name, $0.name), $0.place) }
            }
            owners += model.removedEvents().map { ($0, SQLTable.name(ofEvent: $0), nil) }
        case .category: owners = definitions.categories.map { ($0.name, SQLTable.name(ofCategory: $0.name), $0.place) }
        case .wide: break
        }
        let warehouses = settings.dialects.map(\.warehouse)
        let collisions = SQLTable.collisions(of: owners.map(\.table)) { table in
            warehouses.lazy.compactMap { $0.rest(of: table)?.name }.first
        }
        for collision in collisions {
            let (one, other) = (owners[collision.second], owners[collision.first])
            // The diagnostic is at a name in a definition file, because only such a name can be changed.
            guard let place = one.place ?? other.place else { continue }
            let (here, there) = one.place == nil ? (other, one) : (one, other)
            let alternative =
                settings.tables == .event
                ? ", or give all events of a category a table: `tables: category`"
                : ", or give each event a table: `tables: event`"
            let kind = settings.tables == .event ? "event" : "category"
            problems.diagnostics.append(
                Diagnostic(
                    .template, "`\(here.name)` and `\(there.name)` would both have the table `\(collision.name)`",
                    at: place,
                    notes: [
                        there.place.map { .note("the other \(kind) is here", at: $0) }
                            ?? .note("only the lock file has `\(there.name)`; its table may exist in the warehouse"),
                        .help("rename one of them" + (hasTables ? alternative : "")),
                    ]))
        }
        return problems
    }

    func files(of model: Model, settings: OutputSettings) -> [OutputPart] {
        let script = SQLScript(model, .duckdb, tables: settings.tables)
        return settings.dialects.flatMap { dialect -> [OutputPart] in
            // Each file is made on demand from all definition files.
            return SQLScript.Part.allCases.map { part in
                OutputPart(path: "\(dialect.rawValue)/\(part.rawValue).sql", document: nil) {
                    script.in(dialect).text(of: [part], named: part.rawValue)
                }
            }
        }
    }
}

extension OutputSettings {
    package var dialects: [SQLDialect] {
        setting("dialect")?.texts?.compactMap { SQLDialect(rawValue: $0) } ?? SQLDialect.allCases
    }
    package var tables: SQLTables { self["tables"].flatMap { SQLTables(rawValue: $0) } ?? .event }
}

extension OutputRegistry {
    package static let sql: any Output = SQLOutput()
    package static let dbt: any Output = DbtOutput()
}

/// The statements of a file. Each ends with a semicolon at the end of a line; no other line ends with a semicolon.
struct SQLText {
    private(set) var bytes: [UInt8]

    /// - Parameter name: the name of the file, which begins with loggen's header; nil for statements without a header.
    init(named name: String? = nil) {
        bytes = name == nil ? [] : Array("-- \(GeneratedHeader.text(from: "all log definitions"))\n".utf8)
    }

    mutating func add(_ statement: String) { addLine(statement + ";") }

    /// Adds a line for the engine's client, which is not a statement.
    mutating func addLine(_ line: String) {
        if !bytes.isEmpty { bytes.append(UInt8(ascii: "\n")) }
        bytes += line.utf8
        bytes.append(UInt8(ascii: "\n"))
    }
}

extension SQLScript {
    package enum Part: String, Sendable, CaseIterable {
        case tables
        /// The load of the rows that `loggen validate --split` wrote.
        case load
    }

    /// Returns the statements, with a header if a file name is given.
    /// - Parameter records: the folder of the rows.
    package func text(of parts: [Part], named name: String? = nil, records: String = SQLScript.records) -> [UInt8] {
        var text = SQLText(named: name)
        for part in parts {
            switch part {
            case .tables: writeTables(to: &text)
            case .load: writeLoad(of: records, to: &text)
            }
        }
        return text.bytes
    }

    package static func text(_ statements: [String]) -> [UInt8] {
        var text = SQLText()
        for statement in statements { text.add(statement) }
        return text.bytes
    }
}
