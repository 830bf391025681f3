import Foundation
import JSONSyntax
package import LogDefinitions
import LogOutputs
package import LogProject
import MarkdownSyntax
import TextEncoding

/// Reads consumers from files and folders: dbt projects, SQL, SQL in files of other formats, and the reports of tapgen
/// and `loggen validate`.
///
/// The program `Reader/read_consumers.py` gets the files at once, and finds the tables and columns that they read. Its
/// output is not kept: reading 5,000 models takes less than a minute.
package struct ConsumerReader {
    private let tables: LoggedTables
    private let dialect: String?
    private let showsProgress: Bool
    private var files: [File] = []
    private var projects = 0
    /// The consumers in reports of tapgen.
    private var callers: [Consumer] = []
    /// The input of the program, and its output. Another reader's are used if the input is the same.
    package private(set) var exchange: (input: [UInt8], output: [UInt8])?
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
        (self.dialect, self.showsProgress) = (dialect, showsProgress)
    }

    /// The program, for `python3 -c`.
    package static let program = EmbeddedFiles.read_consumers_py

    /// Returns the consumers and their dependencies.
    package mutating func graph() throws(FileError) -> ConsumerGraph {
        guard !files.isEmpty else { return ConsumerGraph(callers, tables, coverage: coverage) }
        let input = request()
        // The program reads files that a manifest names, too.
        let isKnown = exchange?.input == input && !files.contains { $0.folder != nil }
        let output = isKnown ? exchange?.output ?? [] : try python(Self.program, input)
        exchange = (input, output)
        let result: Output
        do {
            result = try JSONDecoder().decode(Output.self, from: Data(output))
        } catch {
            throw FileError("the output of the reader of consumers is not valid: \(error)")
        }
        unreadable += result.unreadable
        return ConsumerGraph(result.consumers + callers, tables, coverage: coverage)
    }

    private struct Output: Decodable {
        var consumers: [Consumer]
        var unreadable: [UnreadableConsumer]
    }

    private struct Request: Encodable {
        var dialect: String?
        var showsProgress: Bool
        var tables: [Table]
        var files: [File]

        struct Table: Encodable {
            var name: String
            var columns: [String]
        }
    }

    private struct File: Encodable {
        var path: String
        var text: String
        /// The raw value of a `ConsumerKind`, or `manifest`.
        var kind: String
        /// The index of the dbt project that contains the file.
        var project: Int?
        /// The folder that paths in a manifest are relative to; nil for another file.
        var folder: String?
    }

    private func request() -> [UInt8] {
        let encoder = JSONEncoder()
        encoder.outputFormatting = .sortedKeys
        let columns = tables.names.map { Request.Table(name: $0, columns: tables.tables[$0]?.columns ?? []) }
        let request = Request(dialect: dialect, showsProgress: showsProgress, tables: columns, files: files)
        return (try? encoder.encode(request)).map(Array.init) ?? []
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

    /// Reads a folder. The manifest of a dbt project replaces the files in it; the other files are read, too.
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
                project = projects
                projects += 1
                if FileSystem.kind(manifest) == .file {
                    read(manifest: manifest, project: projects - 1, folder: folder)
                } else if let bytes = bytes(of: settings), GeneratedHeader.find(in: bytes) == nil {
                    unreadable.append(
                        UnreadableConsumer(
                            file: settings,
                            message:
                                "`target/manifest.json` is missing, so owners are unknown, and `ref` and `source` are "
                                + "followed by names only; run `dbt parse` or `dbt compile`"))
                }
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
            projects += 1
            let folder = LogProject.folder(of: LogProject.folder(of: path))
            return read(manifest: path, project: projects - 1, folder: folder)
        }
        var kind = ConsumerKind(fileName: name)
        if kind == .other, isNamed { kind = .sql }
        if Self.settings.contains(name) || kind == .other && isLarge(path) { return }
        guard let bytes = unseenBytes(of: path), GeneratedHeader.find(in: bytes) == nil,
            !((kind == .json || isNamed) && readReport(bytes, path)),
            !(kind == .other && bytes.prefix(8_000).contains(0))
        else { return }
        add(bytes, path, kind.rawValue, project: project)
    }

    private mutating func add(
        _ bytes: [UInt8], _ path: String, _ kind: String, project: Int?, folder: String? = nil
    ) {
        let text = String(decoding: Self.startsWithByteOrderMark(bytes) ? bytes[3...] : bytes[...], as: UTF8.self)
        files.append(File(path: path, text: text, kind: kind, project: project, folder: folder))
    }

    private mutating func read(manifest path: String, project: Int, folder: String) {
        if let bytes = unseenBytes(of: path) { add(bytes, path, "manifest", project: project, folder: folder) }
    }

    /// Files that name tables without reading them.
    private static let settings: Set<String> = ["loggen.yml", "loggen.lock"]

    /// Returns whether a file is too large for a program, and therefore contains data.
    private func isLarge(_ path: String) -> Bool { FileSystem.size(path).map { $0 > 1 << 20 } ?? false }

    // MARK: Reports

    /// Reads a report of tapgen or `loggen validate`. Returns false for another file of JSON.
    private mutating func readReport(_ bytes: [UInt8], _ path: String) -> Bool {
        if SwiftUsages.isReport(bytes) {
            do throws(JSONSyntaxError) {
                callers += SwiftUsages.consumers(try EventUsages(reading: bytes), model, tables)
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

    static func startsWithByteOrderMark(_ bytes: [UInt8]) -> Bool { bytes.starts(with: [0xEF, 0xBB, 0xBF]) }

    private mutating func unseenBytes(of path: String) -> [UInt8]? {
        if let identity = FileSystem.identity(path), !seen.insert(identity).inserted { return nil }
        return bytes(of: path)
    }

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
