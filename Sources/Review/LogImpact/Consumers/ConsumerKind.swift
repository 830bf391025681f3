/// The format of a file that is searched for SQL. The raw values are those of the program in Python.
package enum ConsumerKind: String, Sendable, CaseIterable {
    case sql
    /// Dataform's SQL.
    case sqlx
    case yaml
    case lookML = "lookml"
    case json
    /// A program: its strings are searched.
    case code
    /// Markdown: its fences are searched.
    case markdown
    /// A file that is not read. It is listed if it names a table.
    case other

    /// Returns the format of a file name's extension.
    package init(fileExtension: String) {
        switch fileExtension.lowercased() {
        case "sql", "ddl", "psql", "bqsql": self = .sql
        case "sqlx": self = .sqlx
        case "yml", "yaml": self = .yaml
        case "lkml", "lookml": self = .lookML
        case "json", "ipynb": self = .json
        case "py", "r", "rb", "scala", "java", "kt", "kts", "js", "ts", "tsx", "go", "cs", "php", "sh", "tf", "hcl":
            self = .code
        case "md", "mdx", "rmd", "qmd": self = .markdown
        default: self = .other
        }
    }

    /// Indicates whether a file is read only if it names a table, because most files of the format do not contain SQL.
    var needsTable: Bool { [.code, .markdown, .other].contains(self) }
}
