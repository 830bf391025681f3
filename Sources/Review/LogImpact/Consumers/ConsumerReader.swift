import JSONSyntax
package import LogDefinitions
import LogOutputs
package import LogProject
import MarkdownSyntax
import TextEncoding

/// Reads consumers from files and folders: dbt projects, SQL, SQL in files of other formats, and the reports of tapgen
/// and `loggen validate`.
package struct ConsumerReader {
    private let tables: LoggedTables
    private var consumers: [Consumer] = []
    /// The code of consumers, which is read at once.
    private var waiting: [WaitingCode] = []
    private var sql: SQLReader
    /// The input of the program in Python, and its output. Another reader's are used if the input is the same.
    package private(set) var exchange: (input: [UInt8], output: [UInt8])?
    /// The manifests of dbt projects. The catalog after that of the tables is the first one's.
    private var manifests: [DbtManifest] = []
    /// Runs a program in Python, with a standard input, and returns its standard output.
    private let python: @Sendable (_ program: String, _ input: [UInt8]) throws(FileError) -> [UInt8]
    /// The files that cannot be read, in the order of the paths.
    package private(set) var unreadable: [UnreadableConsumer] = []
    private var seen: Set<FileSystem.Identity> = []
    /// The definitions of the generated code that calls use.
    private let model: Model
    private var coverage: [RecordCoverage] = []

    /// - Parameters:
    ///   - model: The definitions of the generated code that calls use.
    ///   - dialect: The dialect of SQL outside of dbt projects; nil if it is unknown.
    ///   - exchange: The ``exchange`` of another reader.
    package init(
        _ tables: LoggedTables, calling model: Model, dialect: String? = nil, showsProgress: Bool = false,
        exchange: (input: [UInt8], output: [UInt8])? = nil,
        python: @escaping @Sendable (_ program: String, _ input: [UInt8]) throws(FileError) -> [UInt8]
    ) {
        (self.tables, self.model, self.exchange, self.python) = (tables, model, exchange, python)
        sql = SQLReader(catalogs: [tables.catalog], dialect: dialect)
        sql.showsProgress = showsProgress
    }

    /// Returns the consumers and their dependencies.
    package mutating func graph() throws(FileError) -> ConsumerGraph {
        try readWaiting()
        consumers.removeAll {
            $0.statements.isEmpty && $0.dependencies.isEmpty && $0.possibleDependencies.isEmpty && $0.calls.isEmpty
        }
        return ConsumerGraph(consumers, tables, coverage: coverage)
    }

    /// Reads the consumers at a path.
    package mutating func read(_ path: String) throws(FileError) {
        switch FileSystem.kind(path) {
        case .directory: try readFolder(normalized(path))
        case .file: read(file: normalized(path), isNamed: true)
        case .link, .other: throw FileError("cannot read `\(path)`: it is neither a file nor a folder")
        case nil: throw FileError("read", path, ENOENT)
        }
    }

    /// Reads a folder. The manifest of a dbt project replaces the files that it contains; the other files are read,
    /// too.
    private mutating func readFolder(_ folder: String) throws(FileError) {
        var folders: [(path: String, project: Int?)] = [(folder, nil)]
        while let (folder, given) = folders.popLast() {
            var project = given
            if let identity = FileSystem.identity(folder), !seen.insert(identity).inserted { continue }
            let entries: [FileSystem.Entry]
            do throws(FileError) {
                entries = try FileSystem.entries(folder)
            } catch {
                unreadable.append(UnreadableConsumer(file: folder, message: error.description))
                continue
            }
            let (manifest, settings) = (joined(folder, "target/manifest.json"), joined(folder, "dbt_project.yml"))
            if entries.contains(where: { $0.name == "dbt_project.yml" }) {
                project = sql.macros.count
                if FileSystem.kind(manifest) == .file {
                    read(manifest: manifest, project: folder)
                } else if let bytes = bytes(of: settings), GeneratedHeader.find(in: bytes) == nil {
                    unreadable.append(
                        UnreadableConsumer(
                            file: settings,
                            message: "`target/manifest.json` is missing, so dependencies and owners are unknown; run "
                                + "`dbt parse` or `dbt compile`. The SQL is read without it"))
                }
                // The macros of a project without a manifest are those in its files.
                if sql.macros.count == project { sql.macros.append([:]) }
            }
            var subfolders: [(path: String, project: Int?)] = []
            let isBuilt = entries.contains { Self.buildFiles.contains($0.name) }
            for entry in entries.sorted(by: { $0.name < $1.name }) where !entry.name.hasPrefix(".") {
                let path = joined(folder, entry.name)
                let isLink = (entry.kind ?? FileSystem.kind(path, followingLinks: false)) == .link
                switch isLink ? FileSystem.kind(path) : entry.kind ?? FileSystem.kind(path) {
                case .directory
                where !Self.skipped.contains(entry.name) && !(isBuilt && Self.built.contains(entry.name)):
                    subfolders.append((path, project))
                case .file: read(file: path, project: project)
                case nil where isLink:
                    unreadable.append(UnreadableConsumer(file: path, message: "this is a broken link"))
                default: break
                }
            }
            folders += subfolders.reversed()
        }
    }

    /// Folders of build products and dependencies.
    private static let skipped: Set<String> = [
        "node_modules", "bower_components", "target", "dbt_packages", "dbt_modules", "venv", "Pods", "Carthage",
        "DerivedData",
    ]

    /// Folders of build products next to a file of `buildFiles`. Elsewhere they can have any content.
    private static let built: Set<String> = ["build", "dist", "out"]
    private static let buildFiles: Set<String> = [
        "build.gradle", "build.gradle.kts", "settings.gradle", "settings.gradle.kts", "package.json", "pom.xml",
    ]

    private mutating func read(file path: String, isNamed: Bool = false, project: Int? = nil) {
        let name = path.split(separator: "/").last.map(String.init) ?? path
        if name == "manifest.json", isNamed || path.hasSuffix("target/manifest.json") {
            return read(manifest: path, project: LogProject.folder(of: LogProject.folder(of: path)))
        }
        var kind = ConsumerKind(fileName: name)
        if kind == .other, isNamed { kind = .sql }
        if Self.settings.contains(name) || kind == .other && isLarge(path) { return }
        if let identity = FileSystem.identity(path), !seen.insert(identity).inserted { return }
        guard let bytes = bytes(of: path), GeneratedHeader.find(in: bytes) == nil,
            !((kind == .json || isNamed) && readReport(bytes, path)),
            !(kind == .other && bytes.prefix(8_000).contains(0))
        else { return }
        let stem = name.split(separator: ".").first.map(String.init) ?? name
        let text = String(decoding: Self.startsWithByteOrderMark(bytes) ? bytes[3...] : bytes[...], as: UTF8.self)
        waiting.append(
            WaitingCode(consumer: consumers.count, input: SQLReader.Input(text, kind, model: stem, project: project)))
        consumers.append(
            Consumer(kind: .query, name: stem, file: path, names: []))
    }

    /// Files that name tables without reading them.
    private static let settings: Set<String> = ["loggen.yml", "loggen.lock"]

    /// Returns whether a file is too large for a program. Such a file has data.
    private func isLarge(_ path: String) -> Bool { FileSystem.size(path).map { $0 > 1 << 20 } ?? false }

    /// The code of a consumer that is not read yet.
    private struct WaitingCode {
        /// The index of the consumer, which gets the statements.
        var consumer: Int
        var input: SQLReader.Input
        /// A node of dbt, and the index of its manifest.
        var node: (node: DbtManifest.Node, manifest: Int)?
    }

    private mutating func readWaiting() throws(FileError) {
        guard !waiting.isEmpty else { return }
        let input = sql.request(waiting.map(\.input))
        let answer = exchange?.input == input ? exchange?.output ?? [] : try python(SQLReader.program, input)
        exchange = (input, answer)
        let outputs: [SQLReader.Output]
        do throws(JSONSyntaxError) {
            outputs = try SQLReader.outputs(answer)
        } catch {
            throw FileError("the output of the reader of SQL is not valid: \(error.message)")
        }
        guard outputs.count == waiting.count else { throw FileError("the reader of SQL has lost consumers") }
        var (others, unread): (Set<Int>, Set<Int>) = ([], [])
        for (code, output) in zip(waiting, outputs) {
            let number = code.consumer
            if code.input.kind == .other { others.insert(number) }
            if let (node, manifest) = code.node {
                consumers[number] = manifests[manifest].consumer(node, output)
                // The manifest knows the nodes that a node reads. Other relations can be those of consumers.
                let relations = Set(output.statements.flatMap(\.unknownRelations))
                consumers[number].dependencies += relations.subtracting(manifests[manifest].names)
                continue
            }
            let statements = output.statements
            consumers[number].statements = statements
            consumers[number].dependencies = statements.flatMap(\.unknownRelations)
            consumers[number].possibleDependencies = output.refers
            consumers[number].names = output.defines
            guard !output.unread.isEmpty else { continue }
            unread.insert(number)
            let tables = output.unread.sorted().map { "`\($0)`" }.joined(separator: ", ")
            unreadable.append(
                UnreadableConsumer(
                    file: consumers[number].file, message: "it names \(tables) outside of SQL that loggen finds",
                    hidesOwners: false))
        }
        waiting = []
        listDependents(of: unread, others)
    }

    /// Lists the files that name what a consumer defines, if the format of one of them is not read.
    /// - Parameters:
    ///   - unread: The consumers that name a table outside of SQL.
    ///   - others: The consumers in formats that are not read.
    private mutating func listDependents(of unread: Set<Int>, _ others: Set<Int>) {
        var users: [String: [Int]] = [:]
        for (number, consumer) in consumers.enumerated() {
            for name in Set(consumer.dependencies + consumer.possibleDependencies) {
                users[name, default: []].append(number)
            }
        }
        var unread = unread
        var seen = unread.union(consumers.indices.filter { consumers[$0].statements.contains { !$0.uses.isEmpty } })
        var waiting = seen.sorted()
        while let number = waiting.popLast() {
            for name in consumers[number].names {
                for user in users[name] ?? [] where seen.insert(user).inserted {
                    waiting.append(user)
                    guard others.contains(user) || unread.contains(number) else { continue }
                    unread.insert(user)
                    let shown = name.drop { "=>?".contains($0) }
                    unreadable.append(
                        UnreadableConsumer(
                            file: consumers[user].file,
                            message: "it names `\(shown)`, which `\(consumers[number].file)` defines",
                            hidesOwners: false))
                }
            }
        }
        for number in others { consumers[number].possibleDependencies = [] }
    }

    private mutating func read(manifest path: String, project: String) {
        if let identity = FileSystem.identity(path), !seen.insert(identity).inserted { return }
        guard let bytes = bytes(of: path) else { return }
        let manifest: DbtManifest
        do throws(JSONSyntaxError) {
            manifest = try DbtManifest(bytes, tables)
        } catch {
            let line = SourceText(bytes).position(at: error.at).line
            unreadable.append(UnreadableConsumer(file: path, line: line, message: error.message))
            return
        }
        var sources: [String: SourceText] = [:]
        let nodes = manifest.nodes(project: project) { path in
            // dbt reads CRLF as LF.
            if sources[path] == nil {
                sources[path] = (try? FileSystem.read(path)).map { SourceText($0.filter { $0 != 0x0D }) }
            }
            return sources[path]
        }
        for node in nodes {
            if var input = node.input {
                (input.project, input.catalog) = (sql.macros.count, sql.catalogs.count)
                waiting.append(WaitingCode(consumer: consumers.count, input: input, node: (node, manifests.count)))
                consumers.append(node.consumer)
            } else {
                consumers.append(manifest.consumer(node, nil))
            }
        }
        sql.macros.append(manifest.macros)
        sql.catalogs.append(manifest.tables.catalog)
        manifests.append(manifest)
        for file in manifest.files {
            if let identity = FileSystem.identity(joined(project, file)) { seen.insert(identity) }
        }
    }

    // MARK: Reports

    /// Reads a report of tapgen or `loggen validate`. Returns false for another file of JSON.
    private mutating func readReport(_ bytes: [UInt8], _ path: String) -> Bool {
        if SwiftUsages.isReport(bytes) {
            do throws(JSONSyntaxError) {
                consumers += SwiftUsages.consumers(try EventUsages(reading: bytes), model, tables)
            } catch {
                let line = SourceText(bytes).position(at: error.at).line
                unreadable.append(UnreadableConsumer(file: path, line: line, message: error.message))
            }
            return true
        }
        guard let summary = RecordCoverage.summary(in: bytes) else { return false }
        do throws(JSONSyntaxError) {
            coverage.append(try RecordCoverage(summary, file: path))
        } catch {
            let line = SourceText(bytes).position(at: summary.startIndex + error.at).line
            unreadable.append(UnreadableConsumer(file: path, line: line, message: error.message))
        }
        return true
    }

    /// Returns whether U+FEFF precedes the text. It is not part of it.
    static func startsWithByteOrderMark(_ bytes: [UInt8]) -> Bool { bytes.starts(with: [0xEF, 0xBB, 0xBF]) }

    private mutating func bytes(of path: String) -> [UInt8]? {
        do throws(FileError) {
            let bytes = try FileSystem.read(path)
            return decodedUTF16(bytes).map { Array($0.utf8) } ?? bytes
        } catch {
            unreadable.append(UnreadableConsumer(file: path, message: error.description))
            return nil
        }
    }
}
