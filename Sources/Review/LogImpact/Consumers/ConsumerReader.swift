import JSONSyntax
package import LogDefinitions
import LogOutputs
package import LogProject
import MarkdownSyntax

/// Reads consumers from files and folders: dbt projects, SQL, SQL in YAML, LookML and JSON, and the reports of tapgen and
/// `loggen validate`.
package struct ConsumerReader {
    private let tables: LoggedTables
    private var consumers: [Consumer] = []
    /// The files with SQL whose statements are read later, in parallel.
    private var waiting: [WaitingFile] = []
    private var waitingBytes = 0
    /// The files that cannot be read, in the order of the paths.
    package private(set) var unreadable: [UnreadableConsumer] = []
    private var seen: Set<FileSystem.Identity> = []
    /// The definitions of the generated code that calls use.
    private let model: Model
    private var coverage: [RecordCoverage] = []

    /// - Parameter model: The definitions of the generated code that calls use.
    package init(_ tables: LoggedTables, calling model: Model) {
        (self.tables, self.model) = (tables, model)
    }

    /// Returns the consumers and their dependencies.
    package mutating func graph() async -> ConsumerGraph {
        await readWaiting()
        consumers.removeAll { $0.statements.isEmpty && $0.dependencies.isEmpty && $0.calls.isEmpty }
        return ConsumerGraph(consumers, tables, coverage: coverage)
    }

    /// Reads the consumers at a path.
    package mutating func read(_ path: String) async throws(FileError) {
        switch FileSystem.kind(path) {
        case .directory: try await readFolder(normalized(path))
        case .file: await read(file: normalized(path), isNamed: true)
        case .link, .other: throw FileError("cannot read `\(path)`: it is neither a file nor a folder")
        case nil: throw FileError("cannot read `\(path)`: no such file or folder")
        }
    }

    /// Reads a folder. The manifest of a dbt project replaces the files that it contains; the other files are read, too.
    private mutating func readFolder(_ folder: String) async throws(FileError) {
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
            let (manifest, project) = (joined(folder, "target/manifest.json"), joined(folder, "dbt_project.yml"))
            if entries.contains(where: { $0.name == "dbt_project.yml" }) {
                if FileSystem.kind(manifest) == .file {
                    await read(manifest: manifest, project: folder)
                } else if let bytes = bytes(of: project), GeneratedHeader.find(in: bytes) == nil {
                    unreadable.append(
                        UnreadableConsumer(
                            file: project,
                            message: "`target/manifest.json` is missing, so dependencies and owners are unknown; run "
                                + "`dbt parse` or `dbt compile`. The SQL is read without it"))
                }
            }
            var subfolders: [String] = []
            let isBuilt = entries.contains { Self.buildFiles.contains($0.name) }
            for entry in entries.sorted(by: { $0.name < $1.name }) where !entry.name.hasPrefix(".") {
                let path = joined(folder, entry.name)
                let isLink = (entry.kind ?? FileSystem.kind(path, followingLinks: false)) == .link
                switch isLink ? FileSystem.kind(path) : entry.kind ?? FileSystem.kind(path) {
                case .directory
                where !Self.skipped.contains(entry.name) && !(isBuilt && Self.built.contains(entry.name)):
                    subfolders.append(path)
                case .file: await read(file: path)
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

    private mutating func read(file path: String, isNamed: Bool = false) async {
        let name = path.split(separator: "/").last.map(String.init) ?? path
        if name == "manifest.json", isNamed || path.hasSuffix("target/manifest.json") {
            return await read(manifest: path, project: LogProject.folder(of: LogProject.folder(of: path)))
        }
        guard let kind = Self.kind(of: name) ?? (isNamed ? .sql : nil) else { return }
        if let identity = FileSystem.identity(path), !seen.insert(identity).inserted { return }
        guard let bytes = bytes(of: path), GeneratedHeader.find(in: bytes) == nil,
            !((kind == .json || isNamed) && readReport(bytes, path))
        else { return }
        let stem = name.split(separator: ".").first.map(String.init) ?? name
        waiting.append(WaitingFile(consumer: consumers.count, bytes: bytes, kind: kind))
        waitingBytes += bytes.count
        consumers.append(Consumer(kind: .query, name: stem, file: path, names: [Self.lastComponent(stem)]))
        if waitingBytes > Self.mostWaitingBytes { await readWaiting() }
    }

    /// A file whose statements are not read yet.
    private struct WaitingFile: Sendable {
        /// The index of the consumer, which gets the statements.
        var consumer: Int
        var bytes: [UInt8]
        var kind: ConsumerKind
    }

    /// Limits the memory for the bytes of waiting files.
    private static let mostWaitingBytes = 32 << 20

    private mutating func readWaiting() async {
        let files = waiting
        let names = files.map { consumers[$0.consumer].name }
        let statements = await SQLReader.inParallel(tables.catalog, sizes: files.map(\.bytes.count)) { reader, index in
            reader.statements(in: files[index].bytes, kind: files[index].kind, model: names[index])
        }
        for (file, statements) in zip(files, statements) {
            consumers[file.consumer].statements = statements
            consumers[file.consumer].dependencies = statements.flatMap(\.unknownRelations).map(Self.lastComponent)
            consumers[file.consumer].names += statements.compactMap { $0.target?.last.map(Self.lastComponent) }
        }
        (waiting, waitingBytes) = ([], 0)
    }

    private mutating func read(manifest path: String, project: String) async {
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
        await consumers += manifest.consumers(project: project)
        for file in manifest.files {
            if let identity = FileSystem.identity(joined(project, file)) { seen.insert(identity) }
        }
    }

    // MARK: Reports

    /// Reads a report of tapgen or `loggen validate`. Returns false for another file of JSON.
    private mutating func readReport(_ bytes: [UInt8], _ path: String) -> Bool {
        if SwiftUsages.isReport(bytes) {
            do throws(EventUsages.Failure) {
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
}
