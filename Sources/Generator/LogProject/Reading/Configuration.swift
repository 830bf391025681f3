package import LogDefinitions
package import LogOutputs
package import MarkdownSyntax
import Yams

/// The content of `loggen.yml`.
package struct Configuration {
    package struct Output {
        /// The output's folder, relative to the working directory; nil for the default folder.
        package var to: String?
        /// The position of `to` in the file.
        package var toRange: Range<Int>?
        /// The other settings, by the keys of the output's options.
        package var settings = OutputSettings()
        /// The position of each setting in the file.
        package var settingRanges: [(key: String, range: Range<Int>)] = []
        /// The files that options name, relative to the working directory. Only a run that makes the output reads them.
        package var files: [(key: String, path: String, range: Range<Int>)] = []

        package init() {}
    }

    /// The settings of `tapgen`.
    package struct Taps {
        package enum Undefined: String, CaseIterable { case tap, nothing }

        /// Subclasses of `UIButton`.
        package var buttons: [String] = []
        /// Classes of other modules that conform to `TapTrackable`.
        package var screens: [String] = []
        /// The event that a tap on a button without an event posts: a generic event (`tap`) or no event (`nothing`).
        package var undefined = Undefined.tap
    }

    /// A module in the list `definitions`.
    package struct Module: Sendable {
        /// The target's name in its package.
        package var name: String
        /// The folder, relative to the working directory; nil if the file does not name one.
        package var folder: String?
        /// The position of the name in the file.
        package var range: Range<Int>

        /// Returns whether a string can name a target and its folder, as in the plugins' `--module NAME=FOLDER`.
        static func isName(_ text: String) -> Bool {
            guard let first = text.unicodeScalars.first, first != "-", first != " " else { return false }
            return !text.hasPrefix(".")
                && text.unicodeScalars.allSatisfy { $0.value >= 0x20 && !"/=\\:".unicodeScalars.contains($0) }
        }
    }

    /// The file's path; nil without a file.
    package var path: String?
    package var source: SourceFile? { reader?.source }
    /// The outputs in the file's order; nil if the file has no `outputs`.
    package var outputs: [(name: String, output: Output)]?
    package var templates: String?
    /// The definition folder; nil if it is the folder of the file.
    package var definitions: String?
    /// The modules whose folders contain the definitions, if `definitions` names modules.
    package var modules: [Module] = []
    /// The Swift sources that `tapgen` reads, relative to the working directory.
    package var sources: [String] = []
    package var taps = Taps()
    /// The files and folders of consumers, such as dbt projects, relative to the working directory.
    package var consumers: [String] = []
    /// The dialect of the SQL of consumers; nil if it is unknown.
    package var dialect: String?
    /// The names of tables in the warehouse, by the names that loggen gives them.
    package var tables: [String: String] = [:]
    /// Indicates whether reports for GitHub mention the owners of consumers.
    package var mentionsOwners = false
    /// Indicates whether each owner of a consumer that a change breaks has to accept the change.
    package var needsOwners = false
    private var acceptanceRange: Range<Int>?
    package var samplingKey: (name: String, range: Range<Int>)?
    /// The location of the definition files on the web; nil without `repository`.
    package var repository: Repository?
    package var analysis = AnalysisOptions()
    package var diagnostics: [Diagnostic] {
        get { reader?.diagnostics ?? [] }
        set { reader?.diagnostics = newValue }
    }
    private var reader: SettingsReader?
    /// The built-in outputs, without custom ones.
    private(set) var registry = OutputRegistry()

    package static let fileName = "loggen.yml"
    private static let keys = [
        "acceptance", "consumers", "definitions", "destinations", "dialect", "mention", "outputs", "templates",
        "name-length", "repository", "rules", "sampling-key", "sources", "tables", "taps",
    ]

    /// The names of sqlglot's dialects, without systems that do not store logs.
    private static let sqlglotDialects = [
        "athena", "bigquery", "clickhouse", "databricks", "duckdb", "hive", "mysql", "oracle", "postgres", "presto",
        "redshift", "snowflake", "spark", "sqlite", "trino", "tsql",
    ]

    package init() {}

    /// Reads a configuration file.
    /// - Parameter registry: the built-in outputs that `outputs` may name.
    package init(path: String, _ registry: OutputRegistry = OutputRegistry()) throws(FileError) {
        self.init(path: path, source: SourceText(try FileSystem.read(path)), registry)
    }

    /// Reads a configuration from memory, such as that of a git revision.
    package init(path: String, source: SourceText, _ registry: OutputRegistry = OutputRegistry()) {
        self.path = path
        self.registry = registry
        let name = path.split(separator: "/").last.map(String.init) ?? path
        var settings = SettingsReader(SourceFile(path: path, relativePath: name, source: source), rule: .configuration)
        if let root = settings.root() { read(root, &settings) }
        if needsOwners, consumers.isEmpty, let range = acceptanceRange {
            settings.report("`acceptance: owners` needs `consumers`", at: range, help: "name their files and folders")
        }
        for (name, output) in outputs ?? [] {
            registry.output(named: name)?.prepare(&analysis, settings: output.settings)
            // Tools without warehouse outputs enable the rule too, so that they report the same diagnostics.
            if OutputRegistry.warehouses.contains(name) { analysis.turnOn(.reservedWord, .warning) }
        }
        reader = settings
    }

    mutating func report(_ message: String, at range: Range<Int>, help: String) {
        reader?.report(message, at: range, help: help)
    }

    // MARK: Keys

    private mutating func read(_ node: Node, _ settings: inout SettingsReader) {
        guard let mapping = settings.mapping(node, what: "the file") else { return }
        for (key, value) in mapping {
            let name = key.string ?? ""
            switch name {
            case "outputs": readOutputs(value, &settings)
            case "definitions": readDefinitions(value, &settings)
            case "destinations": readDestinations(value, &settings)
            case "templates": templates = settings.string(value, name).map { resolvedFromOwnFolder($0) }
            case "name-length":
                let length = value.int.flatMap { (1...1024).contains($0) ? $0 : nil }
                analysis.nameLength =
                    settings.valid(length, at: value, "`name-length` must be a whole number between 1 and 1024")
                    ?? analysis.nameLength
            case "repository":
                guard let text = settings.string(value, name) else { continue }
                do throws(Repository.Failure) {
                    repository = try Repository(written: text)
                } catch {
                    settings.report(error.message, at: settings.range(value), help: error.help)
                }
            case "rules": readRules(value, &settings)
            case "sampling-key":
                if let name = settings.string(value, name) { samplingKey = (name, settings.range(value)) }
            case "sources":
                sources =
                    settings.valid(paths(value, settings), at: value, "`sources` takes a folder or a list of folders")
                    ?? sources
            case "taps": readTaps(value, &settings)
            case "consumers":
                consumers =
                    settings.valid(paths(value, settings), at: value, "`consumers` takes a path or a list of paths")
                    ?? consumers
            case "dialect":
                let name = Self.sqlglotDialects.first { $0 == value.scalar?.string }
                dialect = settings.valid(
                    name, at: value, "`dialect` must be the SQL dialect of the consumers",
                    help: "choose from " + Self.sqlglotDialects.map { "`\($0)`" }.joined(separator: ", "))
            case "tables": readTables(value, &settings)
            case "mention":
                mentionsOwners =
                    settings.valid(value.bool, at: value, "`mention` must be `true` or `false`") ?? false
            case "acceptance":
                let acceptance = ["anyone", "owners"].first { $0 == value.scalar?.string }
                needsOwners =
                    settings.valid(acceptance, at: value, "`acceptance` must be `anyone` or `owners`") == "owners"
                acceptanceRange = settings.range(value)
            default: settings.reportUnknown(key, among: Self.keys)
            }
        }
    }

    private mutating func readTaps(_ node: Node, _ settings: inout SettingsReader) {
        for (key, value) in settings.mapping(node, what: "`taps`") ?? [:] {
            switch key.string {
            case "buttons", "screens":
                let names = settings.valid(
                    settings.texts(value), at: value,
                    "`\(key.string ?? "")` takes the name of a class, or a list of them")
                if key.string == "buttons" { taps.buttons = names ?? [] } else { taps.screens = names ?? [] }
            case "undefined":
                let undefined = Taps.Undefined(rawValue: value.scalar?.string ?? "")
                taps.undefined =
                    settings.valid(undefined, at: value, "`undefined` must be `tap` or `nothing`") ?? .tap
            default: settings.reportUnknown(key, among: ["buttons", "screens", "undefined"])
            }
        }
    }

    private mutating func readDestinations(_ node: Node, _ settings: inout SettingsReader) {
        let known = Destination.all.map(\.name)
        guard settings.texts(node) != nil else {
            settings.report(
                "`destinations` takes a vendor or a list of vendors", at: settings.range(node),
                help: "choose from " + known.map { "`\($0)`" }.joined(separator: ", "))
            return
        }
        for entry in node.sequence.map({ Array($0) }) ?? [node] {
            let name = entry.string ?? ""
            guard let destination = Destination(named: name) else {
                settings.reportUnknown(entry, "destination", among: known)
                continue
            }
            guard !analysis.destinations.contains(where: { $0.name == name }) else {
                settings.report(
                    "`destinations` names `\(name)` twice", at: settings.range(entry), help: "name each vendor once")
                continue
            }
            analysis.destinations.append(destination)
        }
        guard !analysis.destinations.isEmpty else { return }
        for rule in [Rule.destinationName, .destinationSize, .destinationValue] { analysis.turnOn(rule, .warning) }
    }

    private mutating func readTables(_ node: Node, _ settings: inout SettingsReader) {
        for (key, value) in settings.mapping(node, what: "`tables`") ?? [:] {
            guard let name = key.string, let other = settings.string(value, name) else { continue }
            tables[name] = other
        }
    }

    private func paths(_ node: Node, _ settings: SettingsReader) -> [String]? {
        settings.texts(node)?.map { resolvedFromOwnFolder($0) }
    }

    private func resolvedFromOwnFolder(_ path: String) -> String {
        joined(folder(of: self.path ?? ""), path)
    }

    private mutating func readDefinitions(_ node: Node, _ settings: inout SettingsReader) {
        if node.sequence != nil || node.mapping != nil { return readModules(node, &settings) }
        guard let path = settings.string(node, "definitions") else { return }
        guard !path.hasPrefix("/"), !path.split(separator: "/").contains("..") else {
            settings.report("`definitions` takes a folder below this file's folder", at: settings.range(node))
            return
        }
        definitions = normalized(resolvedFromOwnFolder(path))
    }

    /// Reads `[AppLogs, Search]` or `{AppLogs: ../Core/Sources/AppLogs, Search: }`.
    private mutating func readModules(_ node: Node, _ settings: inout SettingsReader) {
        let entries: [(key: Node, value: Node?)] =
            node.sequence.map { $0.map { ($0, nil) } } ?? node.mapping.map { $0.map { ($0.key, $0.value) } } ?? []
        if entries.isEmpty {
            settings.report(
                "`definitions` lists no modules", at: settings.range(node),
                help: "list the targets that have definitions, as `[AppLogs, Search]`")
        }
        for (key, value) in entries {
            guard let name = key.scalar?.string, Module.isName(name) else {
                settings.report(
                    "`definitions` takes a folder, a list of targets, or targets with their folders",
                    at: settings.range(key),
                    help:
                        "write it as `definitions: Definitions`, `definitions: [AppLogs, Search]` or `definitions: "
                        + "{AppLogs: ../Core/Sources/AppLogs}`"
                )
                continue
            }
            guard !modules.contains(where: { $0.name == name }) else {
                settings.report(
                    "`definitions` names `\(name)` twice", at: settings.range(key), help: "name each target once")
                continue
            }
            var folder: String?
            if let value, !(value.scalar?.string.isEmpty ?? false), value.tag != Tag(.null) {
                guard let text = settings.string(value, name) else { continue }
                guard !text.hasPrefix("/"), !text.hasPrefix("~") else {
                    settings.report(
                        "the folder of `\(name)` is relative to this file's folder, but `\(text)` is an absolute path",
                        at: settings.range(value),
                        help: "write a relative path, as `../Core/Sources/\(name)`")
                    continue
                }
                folder = normalized(resolvedFromOwnFolder(text))
            }
            modules.append(Module(name: name, folder: folder, range: settings.range(key)))
        }
    }

    private mutating func readOutputs(_ node: Node, _ settings: inout SettingsReader) {
        guard let mapping = settings.mapping(node, what: "`outputs`") else { return }
        var outputs: [(name: String, output: Output)] = []
        for (key, value) in mapping {
            guard let name = key.string else { continue }
            var output = Output()
            output.settings.range = settings.range(key)
            let ours = registry.output(named: name)
            let options = ours?.options ?? []
            let known = ["to"] + options.map(\.key)
            for (option, setting) in settings.mapping(value, what: "`\(name)`") ?? [:] {
                // The options of a custom output are unknown until its templates have been read.
                if ours?.isElsewhere ?? true, let optionName = option.string, optionName != "to" {
                    guard let value = settings.setting(setting, optionName) else { continue }
                    output.settings.set(optionName, to: value)
                    output.settingRanges.append((optionName, settings.range(option)))
                    continue
                }
                guard let optionName = option.string, known.contains(optionName) else {
                    settings.reportUnknown(option, among: known)
                    continue
                }
                if let option = options.first(where: { $0.key == optionName }) {
                    guard let value = settings.setting(setting, optionName) else { continue }
                    let problems = option.problems(value)
                    for problem in problems { settings.report(problem.message, at: problem.range, help: problem.help) }
                    guard problems.isEmpty else { continue }
                    output.settings.set(optionName, to: value)
                    output.settingRanges.append((optionName, value.range))
                    if option.isFile, let path = value.text {
                        output.files.append((optionName, normalized(resolvedFromOwnFolder(path)), value.range))
                    }
                } else {
                    guard let text = settings.string(setting, optionName) else { continue }
                    guard !text.hasPrefix("/"), !text.hasPrefix("~") else {
                        settings.report(
                            "`to` is relative to this file's folder, but `\(text)` is an absolute path",
                            at: settings.range(setting),
                            help: "write a relative path, as `../Generated/\(name)`; `--output` takes any folder")
                        continue
                    }
                    guard !text.unicodeScalars.contains(where: { $0.properties.generalCategory == .control }) else {
                        settings.report(
                            "`to` contains a line end or another control character", at: settings.range(setting),
                            help: "write a path of one line, as `../Generated/\(name)`")
                        continue
                    }
                    output.to = normalized(resolvedFromOwnFolder(text))
                    output.toRange = settings.range(setting)
                }
            }
            outputs.append((name, output))
        }
        self.outputs = outputs
    }

    private mutating func readRules(_ node: Node, _ settings: inout SettingsReader) {
        for (key, value) in settings.mapping(node, what: "`rules`") ?? [:] {
            guard let name = key.string, let rule = Rule(named: name) else {
                settings.reportUnknown(key, among: Rule.all.filter(\.isAdjustable).map(\.name))
                continue
            }
            // YAML 1.1 parses a bare `off` as false, so the scalar's string is used.
            let text = value.scalar?.string ?? ""
            guard text == "off" || Diagnostic.Severity(rawValue: text) != nil else {
                settings.report("a rule is `error`, `warning` or `off`, not `\(text)`", at: settings.range(value))
                continue
            }
            guard rule.isAdjustable || text == "error" else {
                settings.report(
                    "`\(name)` is always an error: without it the definitions would be incomplete",
                    at: settings.range(value),
                    help: "the rules that can be set are "
                        + Rule.all.filter(\.isAdjustable).map { "`\($0.name)`" }.joined(separator: ", "))
                continue
            }
            analysis.severities[rule] = .some(Diagnostic.Severity(rawValue: text))
        }
    }
}

extension SettingsReader {
    /// Returns a value, and reports the requirement that it does not meet if it is nil.
    fileprivate mutating func valid<Value>(
        _ value: Value?, at node: Node, _ requirement: String, help: String? = nil
    ) -> Value? {
        if value == nil { report(requirement, at: range(node), help: help) }
        return value
    }
}
