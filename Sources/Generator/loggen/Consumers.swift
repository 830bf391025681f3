import LogDefinitions
import LogImpact
import LogOutputs
import LogProject

/// Reads the consumers of logged data for `loggen impact` and `loggen review`.
extension Session {
    /// Returns the tables of states of the definitions, under the names that `tables` in each state's loggen.yml gives
    /// them.
    func loggedTables(_ states: [(model: Model, names: [String: String])]) throws(FileError) -> LoggedTables {
        let tables = LoggedTables(states)
        if let unknown = configuration.tables.keys.sorted().first(where: { !tables.generatedNames.contains($0) }) {
            throw FileError(
                "`tables` in \(configuration.path ?? Configuration.fileName) names `\(unknown)`, which is not a table"
                    + suggestion(for: unknown, among: tables.generatedNames.sorted()))
        }
        return tables
    }

    /// Reads consumers.
    /// - Parameters:
    ///   - paths: The paths; without one, those of `consumers` in loggen.yml.
    ///   - former: The paths of an earlier loggen.yml, which need not exist.
    ///   - model: The definitions of the generated code that app code calls.
    func consumers(
        at paths: [String], former: [String] = [], of tables: LoggedTables, calling model: Model
    ) async throws(FileError) -> ConsumerReader {
        var reader = ConsumerReader(tables, calling: model)
        for path in paths.isEmpty ? configuration.consumers.map(Self.shortened) : paths { try await reader.read(path) }
        for path in former where FileSystem.kind(path) != nil { try await reader.read(path) }
        return reader
    }

    /// Removes a folder and `..` after it: `D/../analytics`. The folder is kept if it is a link to another one.
    static func shortened(_ path: String) -> String {
        var result: [String] = []
        for part in path.split(separator: "/", omittingEmptySubsequences: false).map(String.init) {
            let before = result.joined(separator: "/")
            if part == "..", let last = result.last, ![".", "..", ""].contains(last),
                FileSystem.kind(before, followingLinks: false) == .directory
            {
                result.removeLast()
            } else {
                result.append(part)
            }
        }
        return result.isEmpty ? "." : result.joined(separator: "/")
    }
}

/// Returns the end of a message about an unknown name.
func suggestion(for name: String, among names: [String]) -> String {
    nearestSpelling(of: name, among: names).map { "; did you mean `\($0)`?" } ?? ""
}
