import JSONSyntax
package import LogProject
import MarkdownSyntax

/// Reads consumers from files and folders: dbt projects, SQL, and SQL in YAML, LookML and JSON.
package struct ConsumerReader {
    private let sql: SQLReader
    private let tables: LoggedTables
    package private(set) var consumers: [Consumer] = []
    /// The files that cannot be read, in the order of the paths.
    package private(set) var unreadable: [UnreadableConsumer] = []
    private var seen: Set<FileSystem.Identity> = []

    package init(_ tables: LoggedTables) {
        sql = SQLReader(tables.catalog)
        self.tables = tables
    }

    /// The consumers and their dependencies.
    package var graph: ConsumerGraph { ConsumerGraph(consumers, tables) }

    /// Reads the consumers at a path.
    package mutating func read(_ path: String) throws(FileError) {
        switch FileSystem.kind(path) {
        case .directory: try readFolder(normalized(path))
        case .file: read(file: normalized(path), isNamed: true)
        case .link, .other: throw FileError("cannot read `\(path)`: it is neither a file nor a folder")
        case nil: throw FileError("cannot read `\(path)`: no such file or folder")
        }
    }

    /// Reads a folder. The manifest of a dbt project replaces the files that it contains; the other files are read, too.
    private mutating func readFolder(_ folder: String) throws(FileError) {
        var folders = [folder]
        while let folder = folders.popLast() {
            if let identity = FileSystem.identity(folder), !seen.insert(identity).inserted { continue }
            let entries: [FileSystem.Entry]
            do throws(FileError) {
                entries = try FileSystem.entries(folder)
            } catch {
                unreadable.append(UnreadableConsumer(file: folder, message: error.description))
                continue
            }
            let manifest = joined(folder, "target/manifest.json")
            if entries.contains(where: { $0.name == "dbt_project.yml" }) {
                if FileSystem.kind(manifest) == .file {
                    read(manifest: manifest, project: folder)
                } else {
                    unreadable.append(
                        UnreadableConsumer(
                            file: joined(folder, "dbt_project.yml"),
                            message: "`target/manifest.json` is missing, so dependencies and owners are unknown; run "
                                + "`dbt parse` or `dbt compile`. The SQL is read without it"))
                }
            }
            var subfolders: [String] = []
            for entry in entries.sorted(by: { $0.name < $1.name }) where !entry.name.hasPrefix(".") {
                let path = joined(folder, entry.name)
                let isLink = (entry.kind ?? FileSystem.kind(path, followingLinks: false)) == .link
                switch isLink ? FileSystem.kind(path) : entry.kind ?? FileSystem.kind(path) {
                case .directory where !Self.skipped.contains(entry.name): subfolders.append(path)
                case .file: read(file: path)
                case nil where isLink:
                    unreadable.append(UnreadableConsumer(file: path, message: "this is a broken link"))
                default: break
                }
            }
            folders += subfolders.reversed()
        }
    }

    /// Folders of build products and dependencies.
    private static let skipped: Set<String> = ["node_modules", "target", "dbt_packages", "dbt_modules", "venv"]

    private mutating func read(file path: String, isNamed: Bool = false) {
        let name = path.split(separator: "/").last.map(String.init) ?? path
        if name == "manifest.json", isNamed || path.hasSuffix("target/manifest.json") {
            return read(manifest: path, project: LogProject.folder(of: LogProject.folder(of: path)))
        }
        guard let kind = Self.kind(of: name) ?? (isNamed ? .sql : nil) else { return }
        if let identity = FileSystem.identity(path), !seen.insert(identity).inserted { return }
        guard let bytes = bytes(of: path) else { return }
        let stem = name.split(separator: ".").first.map(String.init) ?? name
        let statements = sql.statements(in: bytes, kind: kind, model: stem)
        add(
            Consumer(
                kind: .query, name: stem, file: path, statements: statements,
                dependencies: statements.flatMap(\.unknownRelations).map { Self.lastComponent($0) },
                names: [Self.lastComponent(stem)]
                    + statements.compactMap { $0.target?.last.map(Self.lastComponent) }))
    }

    private mutating func read(manifest path: String, project: String) {
        if let identity = FileSystem.identity(path), !seen.insert(identity).inserted { return }
        guard let bytes = bytes(of: path) else { return }
        do throws(JSONSyntaxError) {
            let manifest = try DbtManifest(bytes, tables)
            manifest.consumers(project: project, SQLReader(manifest.tables.catalog)).forEach { add($0) }
            for file in manifest.files {
                if let identity = FileSystem.identity(joined(project, file)) { seen.insert(identity) }
            }
        } catch {
            let line = SourceText(bytes).position(at: error.at).line
            unreadable.append(UnreadableConsumer(file: path, line: line, message: error.message))
        }
    }

    private static func kind(of name: String) -> ConsumerKind? {
        guard let dot = name.lastIndex(of: ".") else { return nil }
        return ConsumerKind(fileExtension: String(name[name.index(after: dot)...]))
    }

    private static func lastComponent(_ name: String) -> String {
        (name.split(separator: ".").last.map(String.init) ?? name).lowercased()
    }

    private mutating func bytes(of path: String) -> [UInt8]? {
        do throws(FileError) {
            return try FileSystem.read(path)
        } catch {
            unreadable.append(UnreadableConsumer(file: path, message: error.description))
            return nil
        }
    }

    private mutating func add(_ consumer: Consumer) {
        if !consumer.statements.isEmpty || !consumer.dependencies.isEmpty { consumers.append(consumer) }
    }
}
