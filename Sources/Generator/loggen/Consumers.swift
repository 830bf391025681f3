import LogDefinitions
import LogImpact
import LogOutputs
import LogProject

/// Reads the consumers of logged data for `loggen impact` and `loggen review`.
extension Session {
    /// Returns the tables of states of the definitions, under the names in `tables` of each state's loggen.yml.
    func loggedTables(_ states: [(model: Model, names: [String: String])]) throws(FileError) -> LoggedTables {
        let tables = LoggedTables(states)
        if let unknown = configuration.tables.keys.sorted().first(where: { !tables.generatedNames.contains($0) }) {
            throw FileError(
                "`tables` in \(configuration.path ?? Configuration.fileName) names `\(unknown)`, which is not a table"
                    + suggestion(for: unknown, among: tables.generatedNames.sorted()))
        }
        return tables
    }

    /// - Parameters:
    ///   - paths: The paths; without one, those of `consumers` in loggen.yml.
    ///   - former: The paths of an earlier loggen.yml, which need not exist.
    ///   - model: The definitions of the generated code that app code calls.
    ///   - exchange: The results of the reader in Python for other consumers, which may be the same.
    func consumers(
        at paths: [String], former: [String] = [], of tables: LoggedTables, calling model: Model, _ terminal: Terminal,
        exchange: (input: [UInt8], output: [UInt8])? = nil
    ) throws(FileError) -> ConsumerReader {
        var reader = ConsumerReader(
            tables, calling: model, dialect: configuration.dialect, showsProgress: terminal.showsProgress,
            exchange: exchange
        ) { program, input throws(FileError) in try Self.runPython(program, input) }
        for path in paths.isEmpty ? configuration.consumers.map(FileSystem.shortened) : paths { try reader.read(path) }
        for path in former where FileSystem.kind(path) != nil { try reader.read(path) }
        return reader
    }

    /// Runs the program with Python. Its exit codes 3 and 4 mean missing packages.
    private static func runPython(_ program: String, _ input: [UInt8]) throws(FileError) -> [UInt8] {
        let install = "run `python3 -m pip install 'sqlglot>=30' jinja2`"
        guard let result = try? Subprocess.run("python3", ["-c", program], standardInput: input, sharesError: true)
        else {
            throw FileError("consumers are read with Python 3.9 or later, which is missing; install it, and \(install)")
        }
        switch result.code {
        case 0: return result.out
        case 3: throw FileError("consumers are read with sqlglot, which is missing or older than 30; \(install)")
        case 4: throw FileError("templates in consumers are read with jinja2, which is missing; \(install)")
        default: throw FileError("the reader of consumers ended with exit code \(result.code)")
        }
    }
}

/// Returns the end of a message about an unknown name.
func suggestion(for name: String, among names: [String]) -> String {
    nearestSpelling(of: name, among: names).map { "; did you mean `\($0)`?" } ?? ""
}
