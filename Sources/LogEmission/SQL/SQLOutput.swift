import LogDefinitions

/// SQL for warehouses: tables, a check of raw records, and their load.
///
/// It is no folder of templates: an expression nests as deep as a column's type, and six dialects are written from one
/// model. A template would need loops over types within types, and a folder for each dialect.
struct SQLOutput: Output {
    let name = "sql"
    let folderName = "SQL"
    let fileExtension = "sql"
    let isMadeUnasked = false
    let hasSubfolders = true
    let readsHistory = true
    let options = [
        OutputOption("dialect", someOf: SQLDialect.allCases.map(\.rawValue)), OutputOption("tables", oneOf: SQLTables.allCases.map(\.rawValue)),
    ]

    func prepare(_ analysis: inout AnalysisOptions, settings: OutputSettings) { analysis.turnOn(.reservedWord, .warning) }

    func files(of model: Model, settings: OutputSettings) -> [OutputPart] {
        let chosen = settings.setting("dialect")?.texts?.compactMap { SQLDialect(rawValue: $0) } ?? SQLDialect.allCases
        let tables = settings["tables"].flatMap { SQLTables(rawValue: $0) } ?? .event
        return chosen.flatMap { dialect -> [OutputPart] in
            // Each file is made when it is asked for, and made of all documents.
            func part(_ name: String, _ statements: @escaping @Sendable (SQLScript) -> [String]) -> OutputPart {
                OutputPart(path: "\(dialect.rawValue)/\(name).sql", document: nil) {
                    Array(SQLScript.text(statements(SQLScript(model, dialect, tables: tables)), named: name).utf8)
                }
            }
            return [part("tables") { $0.tableStatements }, part("check") { [$0.checkStatement] }, part("load") { $0.loadStatements }]
        }
    }
}

extension SQLScript {
    /// Statements as a file has them: each ends with a semicolon at the end of a line, which stands nowhere else.
    package static func text(_ statements: [String], named name: String? = nil) -> String {
        let header = name == nil ? "" : "-- " + GeneratedHeader.text(from: "the definitions") + "\n\n"
        return header + statements.map { $0 + ";\n" }.joined(separator: "\n")
    }
}
