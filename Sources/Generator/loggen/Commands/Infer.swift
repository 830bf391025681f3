import ArgumentParser
import CommandOptions
import LogInference
import LogOutputs
import LogProject
import LogValidation
import MarkdownSyntax

struct Infer: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        abstract: "Infer definitions from existing documents, records, JSON Schemas or spreadsheets.",
        discussion: """
            Writes a definition file for each category, and common.md and types.md if they have contents. Existing \
            files are not overwritten. Reports everything that it could not carry over, with its place in the source.

            loggen infer --from markdown docs/tracking-plan.md --output Definitions
            loggen infer records.ndjson.gz --output Definitions
            zcat logs/*.gz | loggen infer - --output Definitions
            loggen infer --from json-schema Generated/JSONSchema --output Definitions
            loggen infer --from csv --category recipe_search sheet.tsv --output Definitions

            Exit codes: 0 everything was carried over; 1 something could not be carried over, or there was nothing to \
            write; 2 wrong usage, or a file could not be read or already exists.
            """
    )

    enum Source: String, ExpressibleByArgument, CaseIterable {
        case records
        case jsonSchema = "json-schema"
        case csv, markdown

        func reads(_ path: String) -> Bool {
            endings.contains(where: (path.hasSuffix(".gz") ? String(path.dropLast(3)) : path).hasSuffix)
                || (self == .jsonSchema && Self.isOfRegistry(path))
        }

        /// Returns whether a path is that of a schema in an Iglu registry: `VENDOR/NAME/jsonschema/1-0-0`.
        static func isOfRegistry(_ path: String) -> Bool {
            let parts = path.split(separator: "/").suffix(2)
            let version = parts.last?.split(separator: "-") ?? []
            return parts.first == "jsonschema" && version.count == 3
                && version.allSatisfy { $0.utf8.allSatisfy { (0x30...0x39).contains($0) } }
        }

        var endings: [String] {
            switch self {
            case .records: [".ndjson", ".jsonl", ".json"]
            case .jsonSchema: [".json"]
            case .csv: [".csv", ".tsv", ".txt"]
            case .markdown: [".md", ".markdown"]
            }
        }
    }

    @Argument(
        help: ArgumentHelp(
            "Files, folders of such files, or `-` for standard input, which is the default.",
            valueName: "file"))
    var files: [String] = []

    @Option(help: "The format of the files. By default, the name and the beginning of the first file determine it.")
    var from: Source?

    @Option(name: .shortAndLong, help: ArgumentHelp("The folder for the definition files.", valueName: "folder"))
    var output: String

    @Option(help: ArgumentHelp("The category of events without a category in their source.", valueName: "name"))
    var category: String?

    @Option(
        help: ArgumentHelp(
            "The maximum number of values of an enumeration; 0 for no enumerations (records).", valueName: "number"))
    var values = 12

    @Option(
        help: ArgumentHelp(
            "Infer an enumeration or a bound only from a column with at least this many values (records).",
            valueName: "number"))
    var enough = 100

    @Flag(help: "Read strings such as 12.50 as decimal numbers (records).")
    var decimals = false

    @Option(help: "The format of the findings: information that was not carried over, and decisions.")
    var diagnostics: DiagnosticFormat = .text

    @Option(help: "The use of colors; `auto` uses them on a terminal, unless NO_COLOR is set.")
    var color: ColorMode = .auto

    @Flag(name: .shortAndLong, help: "Print only information that was not carried over.")
    var quiet = false

    func validate() throws {
        if files.contains("-"), files.count > 1 {
            throw ValidationError("`-` reads standard input, and cannot be combined with files.")
        }
        if category != nil, from == .records {
            throw ValidationError("`--category` does not apply to records, which contain their categories.")
        }
        if !(0...1000).contains(values) { throw ValidationError("`--values` must be between 0 and 1000.") }
        if enough < 1 { throw ValidationError("`--enough` must be 1 or greater.") }
    }

    func run() async throws {
        let terminal = Terminal(color: color, isQuiet: quiet)
        let from = try self.from ?? guessedSource()
        if self.from == nil, from != .records, !quiet {
            terminal.error("note: the files are read as \(from.rawValue) (`--from \(from.rawValue)`)\n")
        }
        if from == .records, category != nil {
            throw FileError(
                "`--category` does not apply to records, which contain their categories; to read another format, "
                    + "set `--from`")
        }
        let paths = try sortedFilePaths(from)
        if paths == ["-"], isatty(STDIN_FILENO) == 1 {
            throw FileError("name a file, or send something to standard input")
        }
        let inference: Inference
        var read = ""
        var help = ""
        switch from {
        case .records:
            let reader = try records(paths, on: terminal)
            terminal.clearProgress()
            inference = await Inference.ofRecords(reader)
            help = reader.help
            read = " from \(counted(reader.records, "record"))"
        case .jsonSchema: inference = await Inference.ofSchemas(try sources(paths), category: category)
        case .csv:
            let sources = try sources(paths)
            for source in sources { try refuseExport(source.path, Self.otherSystem(ofHeader: source.text.bytes)) }
            inference = await Inference.ofSpreadsheets(sources, category: category)
        case .markdown: inference = await Inference.ofMarkdown(try sources(paths), category: category)
        }
        let shown = inference.findings.filter { !quiet || $0.kind == .warning }
        try InferenceReport(findings: shown).show(diagnostics, on: terminal)
        guard !inference.documents.isEmpty else {
            terminal.error(
                "loggen: nothing was found from which definitions can be inferred; nothing was written\n\(help)")
            throw ExitCode(1)
        }
        let folder = normalized(output)
        try await OutputWriter.writeNew(
            inference.documents.map { OutputFile(path: joined(folder, $0.path), bytes: Array($0.text.utf8)) })
        if !quiet, diagnostics == .text {
            let losses = inference.findings.count { $0.kind == .warning }
            let lost = losses == 0 ? "" : "; \(counted(losses, "warning"))"
            let (documents, events) = (
                counted(inference.documents.count, "document"), counted(inference.events, "event")
            )
            try terminal.out("loggen: \(documents) with \(events)\(read) in \(folder)\(lost)\n")
        }
        if inference.hasLosses { throw ExitCode(1) }
    }

    private func guessedSource() throws(FileError) -> Source {
        guard let file = files.first, file != "-" else { return .records }
        var path = file
        if FileSystem.kind(file) == .directory {
            let found = try? Self.walk(normalized(file)) { path in
                Source.allCases.contains { $0.reads(path) } && !path.hasSuffix(".txt")
            }
            // Next to other files, a document is a note about them.
            guard let found, let first = found.first(where: { !$0.hasSuffix(".md") }) ?? found.first else {
                return .records
            }
            path = first
            let source = try source(of: path)
            let others = found.filter { !source.reads($0) && !$0.hasSuffix(".md") && !$0.hasSuffix(".markdown") }
            if let other = others.first {
                throw FileError("`\(first)` and `\(other)` have different formats: name the one to read with `--from`")
            }
            return source
        }
        return try source(of: path)
    }

    private func source(of path: String) throws(FileError) -> Source {
        var name = path.lowercased()
        if name.hasSuffix(".gz") { name.removeLast(3) }
        if name.hasSuffix(".ndjson") || name.hasSuffix(".jsonl") { return .records }
        if name.hasSuffix(".csv") || name.hasSuffix(".tsv") { return .csv }
        if name.hasSuffix(".md") || name.hasSuffix(".markdown") { return .markdown }
        if Source.isOfRegistry(path) { return .jsonSchema }
        guard var head = try? FileSystem.head(path, 4096) else { return .records }
        if head.starts(with: GzipFile.signature) { head = GzipFile.beginning(head) }
        if head.starts(with: [0x50, 0x4B, 0x03, 0x04]) {
            throw FileError(
                "`\(path)` is a workbook or another ZIP archive: save its sheet as CSV (UTF-8), and name that file")
        }
        let text = String(decoding: head, as: UTF8.self)
        if let system = Self.system(ofPlan: text, isJSON: name.hasSuffix(".json")) {
            throw FileError(
                "`\(path)` is a tracking plan of \(system), which infer does not read: export it as CSV, and read that "
                    + "with `--from csv`")
        }
        if name.hasSuffix(".yaml") || name.hasSuffix(".yml") {
            throw FileError(
                "`\(path)` is \(Self.system(ofYAML: text)), which infer does not read: list its events in a spreadsheet "
                    + "(`--from csv`) or in a table of a Markdown document (`--from markdown`)")
        }
        if name.hasSuffix(".json"), text.holds("\"$schema\"") { return .jsonSchema }
        return Inference.isSpreadsheet(head) ? .csv : .records
    }

    private static func system(ofPlan text: String, isJSON: Bool) -> String? {
        func has(_ key: String) -> Bool { text.holds(isJSON ? "\"\(key)\"" : "\(key):") }
        if has("rules"), has("jsonSchema") { return "Segment" }
        return has("eventType") && !has("event_category") || !isJSON && text.holds("rudder/") ? "RudderStack" : nil
    }

    private static func system(ofYAML text: String) -> String {
        if text.holds("moz://mozilla.org/schemas/glean") { return "a file of Glean" }
        let keys = text.split(separator: "\n").filter { !$0.hasPrefix(" ") && !$0.hasPrefix("#") }
        let isRegistry = text.holds("type: event") || text.holds("attributes:") || text.holds("brief:")
        if isRegistry, keys.contains(where: { $0.hasPrefix("groups:") }) {
            return "a registry of OpenTelemetry's weaver"
        }
        return "YAML of an unknown system"
    }

    /// Refuses a file with one JSON object, whose lines would be reported one by one.
    private func refuseObject(_ path: String) throws(FileError) {
        guard path != "-", let head = try? FileSystem.head(path, 1 << 22) else { return }
        let first = head.split(separator: 0x0A).first { $0.contains { $0 > 0x20 } } ?? []
        guard first.first(where: { $0 > 0x20 }) == UInt8(ascii: "{"), let keys = InferenceSource.keys(ofObject: head),
            InferenceSource.keys(ofObject: Array(first)) == nil
        else { return }
        let names = keys.prefix(3).map { "`\($0)`" }.joined(separator: ", ") + (keys.count > 3 ? ", …" : "")
        throw FileError(
            "`\(path)` is one JSON object over several lines, with the members \(names), and not records: name its format "
                + "with `--from`; if it is a record, `jq -c . \(path)` writes it on one line")
    }

    private func refuseExport(_ path: String, _ system: String?) throws(FileError) {
        guard let system else { return }
        throw FileError(
            "`\(path)` is an export of \(system), whose records have another form: infer reads records as "
                + "ActivityTracking writes them; a tracking plan or a spreadsheet of its events can be read with "
                + "`--from`"
        )
    }

    private static func otherSystem(ofRecord record: [UInt8]) -> String? {
        let text = String(decoding: record.prefix(1 << 14), as: UTF8.self)
        return otherSystem { text.holds("\"\($0)\"") }
    }

    private static func otherSystem(ofHeader bytes: [UInt8]) -> String? {
        let line = String(decoding: bytes.prefix(1 << 14).prefix { $0 != 0x0A && $0 != 0x0D }, as: UTF8.self)
        let names = line.split { ",;\t\"".contains($0) }.map(String.init)
        return otherSystem { names.contains($0) }
    }

    private static func otherSystem(_ contains: (String) -> Bool) -> String? {
        if contains("event_category") { return nil }
        func has(_ keys: String...) -> Bool { keys.allSatisfy(contains) }
        if has("event_timestamp", "user_pseudo_id") { return "Google Analytics 4" }
        if has("event_type", "amplitude_id") || has("event_type", "insert_id", "device_id") { return "Amplitude" }
        if has("collector_tstamp", "app_id") { return "Snowplow" }
        return nil
    }

    /// The maximum size of a record, in bytes. Real records are shorter. A longer one is cut off and so is not JSON.
    private static let longestRecord = 16 << 20

    private func records(_ paths: [String], on terminal: Terminal) throws(FileError) -> RecordReader {
        var options = RecordOptions()
        options.mostValues = values
        options.enoughValues = enough
        options.findsDecimals = decimals
        var reader = RecordReader(options: options)
        for path in paths {
            try refuseObject(path)
            let input = try ByteInput(path)
            var splitter = RecordSplitter(longestRecord: Self.longestRecord)
            var isFirst = true
            var system: String?
            var records = SingleRecords { record, line in
                if isFirst { system = Self.otherSystem(ofRecord: record) }
                isFirst = false
                if system == nil { reader.read(record, path: input.path, line: line) }
            }
            try input.forEachPiece { piece in
                if system == nil { piece.withUnsafeBytes { splitter.read($0, into: &records) } }
                terminal.progress("loggen: \(reader.records) records")
            }
            splitter.finish(into: &records)
            try refuseExport(path, system)
        }
        return reader
    }

    private func sources(_ paths: [String]) throws(FileError) -> [InferenceSource] {
        try paths.map { path throws(FileError) in
            let input = try ByteInput(path)
            return InferenceSource(path: input.path, bytes: try input.all())
        }
    }

    private func sortedFilePaths(_ from: Source) throws(FileError) -> [String] {
        if files.isEmpty { return ["-"] }
        var paths: [String] = []
        for file in files {
            guard file != "-", FileSystem.kind(file) == .directory else {
                paths.append(file)
                continue
            }
            let found = try Self.walk(normalized(file), from.reads)
            if found.isEmpty {
                throw FileError(
                    "nothing to read in `\(file)`: "
                        + "it has no files \(from.endings.map { "`*\($0)`" }.joined(separator: ", "))"
                )
            }
            paths += found
        }
        return paths
    }

    private static func walk(_ folder: String, _ reads: (String) -> Bool) throws(FileError) -> [String] {
        var paths: [String] = []
        for entry in try FileSystem.entries(folder) where !entry.name.hasPrefix(".") {
            let path = joined(folder == "." ? "" : folder, entry.name)
            switch entry.kind ?? FileSystem.kind(path, followingLinks: false) {
            case .directory: paths += try walk(path, reads)
            case .file: if reads(path) { paths.append(path) }
            case .link: if FileSystem.kind(path) == .file, reads(path) { paths.append(path) }
            default: break
            }
        }
        return paths
    }
}

private struct SingleRecords: RecordSink {
    private var line = 1
    private let body: (_ record: [UInt8], _ line: Int) -> Void

    init(_ body: @escaping (_ record: [UInt8], _ line: Int) -> Void) { self.body = body }

    mutating func add(blankLines: Int) { line += blankLines }

    mutating func add(lines: consuming [UInt8]) {
        var start = 0
        while start < lines.count {
            let end = lines[start...].firstIndex(of: 0x0A) ?? lines.count
            if lines[start..<end].contains(where: { $0 > 0x20 }) { body(Array(lines[start..<end]), line) }
            line += 1
            start = end + 1
        }
    }

    mutating func add(item: [UInt8], line: Int) { body(item, self.line + line) }

    mutating func add(rest: [UInt8], line: Int) { body(rest, self.line + line) }
}
