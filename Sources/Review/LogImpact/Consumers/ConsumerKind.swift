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

    /// Returns the format of a file's name. The last extension that has a format counts: `daily.sql.j2` is SQL.
    package init(fileName: String) {
        let extensions = fileName.lowercased().split(separator: ".").dropFirst()
        self = extensions.reversed().lazy.map { Self(fileExtension: $0) }.first { $0 != .other } ?? .other
    }

    private init(fileExtension: Substring) {
        switch fileExtension {
        case "sql", "ddl", "dml", "psql", "pgsql", "plsql", "tsql", "bqsql", "bq", "hql", "hive", "q", "ksql":
            self = .sql
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
}
