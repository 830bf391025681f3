/// The format of a file that contains SQL.
package enum ConsumerKind: String, Sendable, CaseIterable {
    case sql
    case yaml
    case lookML
    case json

    /// Returns the format of a file name's extension; nil for other files.
    package init?(fileExtension: String) {
        switch fileExtension.lowercased() {
        case "sql", "ddl", "psql", "bqsql": self = .sql
        case "yml", "yaml": self = .yaml
        case "lkml", "lookml": self = .lookML
        case "json", "ipynb": self = .json
        default: return nil
        }
    }
}
