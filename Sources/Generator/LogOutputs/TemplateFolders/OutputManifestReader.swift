import LogDefinitions
import MarkdownSyntax
import Yams

/// Reads `output.yml` and checks every value.
struct OutputManifestReader {
    private(set) var settings: SettingsReader
    private(set) var manifest = OutputManifest()
    private let file: Int

    private static let maximumBytes = 1 << 20

    /// - Parameter file: the file's index in diagnostics.
    init(_ source: SourceFile, file: Int) {
        settings = SettingsReader(source, rule: .template, file: file)
        self.file = file
    }

    /// Returns the manifest, or nil if it has problems.
    mutating func read() -> OutputManifest? {
        guard settings.source.source.bytes.count <= Self.maximumBytes else {
            settings.report("the file is larger than \(Self.maximumBytes >> 20) MB", at: 0..<0)
            return nil
        }
        let root = settings.root()
        guard settings.diagnostics.isEmpty else { return nil }
        var seen: Set<String> = []
        let mapping = root.flatMap { settings.mapping($0, what: "the file") } ?? [:]
        // Options are read first, because templates in the file can name them.
        if let options = mapping.first(where: { $0.key.string == "options" }) { readOptions(options.value) }
        for (key, value) in mapping {
            let name = key.string ?? ""
            seen.insert(name)
            switch name {
            case "extension": readExtension(value)
            case "file": readPaths(value)
            case "platform": readPlatform(value)
            case "names": readNames(value)
            case "keywords": readKeywords(value)
            case "types": readTypes(value)
            case "checks": readChecks(value)
            case "limits": readLimits(value)
            case "options": break
            case "text": readText(value)
            case "reserved": readReserved(value)
            case "nested": readNested(value)
            case "classes": readClasses(value)
            default: settings.reportUnknown(key, among: OutputManifest.topKeys)
            }
        }
        for key in ["extension", "text"] where !seen.contains(key) && settings.diagnostics.isEmpty {
            settings.report("the file has no `\(key)`", at: 0..<0, help: "`loggen templates` lists the keys")
        }
        addDefaultPaths()
        return settings.diagnostics.isEmpty ? manifest : nil
    }

    // MARK: Files

    private mutating func readExtension(_ node: Node) {
        guard let text = settings.string(node, "extension") else { return }
        let isFine = text.utf8.allSatisfy { byte in
            (0x30...0x39).contains(byte) || (0x41...0x5A).contains(byte) || (0x61...0x7A).contains(byte)
                || "._-".utf8.contains(byte)
        }
        let hasParts = text.split(separator: ".", omittingEmptySubsequences: false).allSatisfy { !$0.isEmpty }
        guard isFine, hasParts, text.utf8.count <= 32 else {
            settings.report(
                "`extension` is a file extension without the dot, as `kt`, not `\(text)`",
                at: settings.range(node))
            return
        }
        manifest.fileExtension = text
    }

    private mutating func readPlatform(_ node: Node) {
        let text = settings.string(node, "platform") ?? ""
        let names = Platform.allCases.map(\.rawValue)
        manifest.platform = Platform(rawValue: text)
        guard manifest.platform == nil, !text.isEmpty else { return }
        settings.report(
            "`platform` is \(names.dropLast().map { "`\($0)`" }.joined(separator: ", ")) "
                + "or `\(names.last ?? "")`, not `\(text)`",
            at: settings.range(node),
            help: didYouMean(text, among: names))
    }

    private mutating func readPaths(_ node: Node) {
        manifest.pathRange = settings.range(node)
        guard node.mapping != nil else {
            readPath(node, .category)
            return
        }
        for (key, value) in settings.mapping(node, what: "`file`") ?? [:] {
            guard let kind = TemplateKind(rawValue: key.string ?? "") else {
                settings.reportUnknown(key, among: TemplateKind.allCases.map(\.rawValue))
                continue
            }
            readPath(value, kind)
        }
    }

    private mutating func readPath(_ node: Node, _ kind: TemplateKind) {
        guard let text = settings.string(node, "file") else { return }
        manifest.paths[kind] = template(text, of: node, OutputFacts.fields(of: kind, options: manifest.options))
    }

    private mutating func addDefaultPaths() {
        for kind in TemplateKind.allCases where manifest.paths[kind] == nil {
            let text = kind == .category ? "{{category.name}}" : kind.rawValue
            manifest.paths[kind] = template(text, of: nil, OutputFacts.fields(of: kind))
        }
    }

    private mutating func template(_ text: String, of node: Node?, _ fields: [TemplateField]) -> OutputTemplate? {
        let source = SourceFile(
            path: settings.source.path, relativePath: settings.source.relativePath, source: SourceText(Array(text.utf8))
        )
        let (template, problems) = OutputTemplate.read(source, fields: fields, needsHeader: false)
        for problem in problems {
            let help = problem.notes.last { $0.kind == .help }?.message
            settings.report(problem.message, at: node.map { settings.range($0) } ?? 0..<0, help: help)
        }
        return template
    }

    private mutating func template<View: FactsView>(_ node: Node, _ key: String, _ view: View.Type) -> OutputTemplate? {
        string(node, key).flatMap {
            template($0, of: node, View.fields(of: manifest.options) + View.fields.descriptions)
        }
    }

    // MARK: Names

    private mutating func forEachKind(_ node: Node, _ key: String, _ body: (inout Self, NameKind, Node) -> Void) {
        for (name, value) in settings.mapping(node, what: "`\(key)`") ?? [:] {
            guard let kind = NameKind(rawValue: name.string ?? "") else {
                settings.reportUnknown(name, among: NameKind.allCases.map(\.rawValue))
                continue
            }
            body(&self, kind, value)
        }
    }

    private mutating func readNames(_ node: Node) {
        forEachKind(node, "names") { reader, kind, value in
            guard let nameCase = NameCase(rawValue: value.string ?? "") else {
                reader.reportChoice(value, "a case", NameCase.allCases.map(\.rawValue))
                return
            }
            reader.manifest.identifiers.cases[kind] = nameCase
        }
    }

    private mutating func readReserved(_ node: Node) {
        forEachKind(node, "reserved") { reader, kind, value in
            guard let words = reader.words(value, "reserved.\(kind.rawValue)") else { return }
            let options = reader.manifest.options.map(\.key).filter { words.contains(ExactString("{{option.\($0)}}")) }
            reader.manifest.identifiers.reserved[kind] = words
            reader.manifest.identifiers.reservedOptions[kind] = options
        }
    }

    private mutating func readNested(_ node: Node) {
        manifest.nestsEnumerations = node.scalar?.string == NameKind.enumeration.rawValue
        if !manifest.nestsEnumerations {
            reportChoice(node, "a kind that can be nested", [NameKind.enumeration.rawValue])
        }
    }

    private mutating func readClasses(_ node: Node) {
        let known = [NameKind.category, .event, .enumeration, .type].map(\.rawValue)
        for text in settings.texts(node) ?? [""] {
            guard known.contains(text), let kind = NameKind(rawValue: text) else {
                settings.report(
                    "`classes` takes \(known.map { "`\($0)`" }.joined(separator: ", ")), or a list of them",
                    at: settings.range(node))
                return
            }
            manifest.identifiers.classes.insert(kind)
        }
    }

    private mutating func readKeywords(_ node: Node) {
        for (key, value) in settings.mapping(node, what: "`keywords`") ?? [:] {
            switch key.string {
            case "words": manifest.identifiers.keywords = words(value, "keywords.words") ?? []
            case "escape":
                if let escape = placeholderParts(value, "keywords.escape") { manifest.identifiers.escape = escape }
            default: settings.reportUnknown(key, among: ["words", "escape"])
            }
        }
    }

    private mutating func words(_ node: Node, _ key: String) -> Set<ExactString>? {
        guard let words = settings.texts(node) else {
            settings.report("`\(key)` takes a word or a list of them", at: settings.range(node))
            return nil
        }
        return Set(words.map { ExactString($0) })
    }

    private mutating func placeholderParts(_ node: Node, _ key: String) -> (before: String, after: String)? {
        guard let text = settings.string(node, key) else { return nil }
        guard let brace = text.firstRange(ofText: "{}"), text[brace.upperBound...].firstRange(ofText: "{}") == nil,
            isLine(text)
        else {
            settings.report(
                "`\(key)` must be one line that contains `{}` exactly once", at: settings.range(node), help: "as `{}_`")
            return nil
        }
        return (String(text[..<brace.lowerBound]), String(text[brace.upperBound...]))
    }

    private func isLine(_ text: String) -> Bool { text.unicodeScalars.allSatisfy(SwiftText.isVisible) }

    private mutating func reportChoice(_ node: Node, _ what: String, _ choices: [String]) {
        let text = node.scalar?.string ?? ""
        settings.report(
            "`\(text)` is not \(what): \(choice(of: choices))", at: settings.range(node),
            help: didYouMean(text, among: choices))
    }

    // MARK: Text

    private mutating func readText(_ node: Node) {
        var seen: Set<String> = []
        for (key, value) in settings.mapping(node, what: "`text`") ?? [:] {
            guard let name = key.string, name == "string" || name == "comment" else {
                settings.reportUnknown(key, among: ["string", "comment"])
                continue
            }
            seen.insert(name)
            guard let language = TextLanguage.named(value.string ?? "") else {
                reportChoice(value, "a language that loggen escapes text for", TextLanguage.all.map(\.name))
                continue
            }
            if name == "string" { manifest.text.string = language } else { manifest.text.comment = language }
        }
        for key in ["string", "comment"] where !seen.contains(key) {
            settings.report(
                "`text` has no `\(key)`", at: settings.range(node), help: "`loggen templates` lists the keys")
        }
    }

    // MARK: Types

    private mutating func readTypes(_ node: Node) {
        var types = TypeMap()
        let known = TypeFacts.Kind.allCases.map(\.name) + ["optional"]
        guard let mapping = settings.mapping(node, what: "`types`") else { return }
        for (key, value) in mapping {
            let name = key.string ?? ""
            if name == "optional" {
                types.optional = placeholderParts(value, "types.optional")
                continue
            }
            guard let kind = TypeFacts.Kind(name: name) else {
                settings.reportUnknown(key, among: known)
                continue
            }
            types.entries[kind] = entry(of: kind, value)
        }
        types.range = settings.range(node)
        manifest.types = types
    }

    private mutating func entry(of kind: TypeFacts.Kind, _ node: Node) -> TypeMap.Entry? {
        let key = "types.\(kind.name)"
        switch kind {
        case .enumeration: return template(node, key, EnumTypeFacts.self).map { .template($0) }
        case .array: return template(node, key, ArrayTypeFacts.self).map { .template($0) }
        case .named: return template(node, key, NamedFacts.self).map { .template($0) }
        case .integer where node.mapping != nil:
            let signed = completed(
                widths(node, key, [8, 16, 32, 64], allowsUnsigned: true), [8, 16, 32, 64], node, key)
            let unsigned =
                node.mapping?.first { $0.key.string == "unsigned" }.map {
                    widths($0.value, key + ".unsigned", [8, 16, 32, 64])
                } ?? [:]
            return .widths(
                signed: signed,
                // Without unsigned types, an unsigned integer uses the next wider signed type.
                unsigned: unsigned.isEmpty
                    ? Dictionary(
                        uniqueKeysWithValues: [8, 16, 32].compactMap { width in signed[width * 2].map { (width, $0) } })
                    : completed(unsigned, [8, 16, 32], node, key + ".unsigned"))
        case .number where node.mapping != nil:
            return .widths(signed: completed(widths(node, key, [32, 64]), [32, 64], node, key), unsigned: [:])
        default: return string(node, key).map { .text($0) }
        }
    }

    private mutating func readChecks(_ node: Node) {
        guard let mapping = settings.mapping(node, what: "`checks`") else { return }
        var checks = CheckMap(range: settings.range(node))
        for (key, value) in mapping {
            guard let kind = TypeFacts.Kind(name: key.string ?? "") else {
                settings.reportUnknown(key, among: TypeFacts.Kind.allCases.map(\.name))
                continue
            }
            checks.templates[kind] = template(value, "checks.\(kind.name)", TypeDetail.self)
        }
        manifest.checks = checks
    }

    private mutating func readLimits(_ node: Node) {
        for (key, value) in settings.mapping(node, what: "`limits`") ?? [:] {
            let name = key.string ?? ""
            switch name {
            case "parameters", "values":
                guard let number = value.int, number > 0 else {
                    settings.report("`limits.\(name)` must be a whole number, 1 or greater", at: settings.range(value))
                    continue
                }
                if name == "values" { manifest.limits.values = number } else { manifest.limits.parameters = number }
            case "wide":
                guard let texts = settings.texts(value) else {
                    settings.report("`limits.wide` takes a type or a list of types", at: settings.range(value))
                    continue
                }
                manifest.limits.wide = Set(texts.map { ExactString($0) })
            default: settings.reportUnknown(key, among: ["parameters", "values", "wide"])
            }
        }
    }

    // MARK: Options

    private mutating func readOptions(_ node: Node) {
        for (key, value) in settings.mapping(node, what: "`options`") ?? [:] {
            let name = key.string ?? ""
            guard TemplateOption.isKey(name) else {
                settings.report(
                    "`\(name)` is not a name for an option: use lowercase letters, digits and `-`; `to` is reserved",
                    at: settings.range(key))
                continue
            }
            readOption(value, name)
        }
    }

    private mutating func readOption(_ node: Node, _ name: String) {
        var words: [(word: String, text: String)]?
        var initial: (text: String, node: Node)?
        for (key, value) in settings.mapping(node, what: "`options.\(name)`") ?? [:] {
            switch key.string {
            case "default": initial = string(value, "options.\(name).default").map { ($0, value) }
            case "words":
                words = (settings.mapping(value, what: "`words`") ?? [:]).compactMap { word, printed in
                    guard let word = string(word, "words"), let text = printed.scalar?.string, isLine(text) else {
                        settings.report(
                            "`words` maps each word to the string that it prints, on one line",
                            at: settings.range(printed))
                        return nil
                    }
                    return (word, text)
                }
            default: settings.reportUnknown(key, among: ["default", "words"])
            }
        }
        guard let initial else {
            settings.report("`options.\(name)` has no `default`", at: settings.range(node))
            return
        }
        let option = TemplateOption(key: name, initial: initial.text, words: words)
        if let problem = option.problem(with: initial.text) {
            settings.report(problem.message, at: settings.range(initial.node), help: problem.help)
        }
        manifest.options.append(option)
    }

    private mutating func string(_ node: Node, _ key: String) -> String? {
        guard let text = settings.string(node, key) else { return nil }
        guard isLine(text) else {
            settings.report("`\(key)` must be one line without control characters", at: settings.range(node))
            return nil
        }
        return text
    }

    private mutating func widths(_ node: Node, _ key: String, _ known: [Int], allowsUnsigned: Bool = false) -> [Int:
        String]
    {
        var widths: [Int: String] = [:]
        for (name, value) in settings.mapping(node, what: "`\(key)`") ?? [:] {
            if allowsUnsigned, name.string == "unsigned" { continue }
            guard let width = Int(name.string ?? ""), known.contains(width) else {
                settings.reportUnknown(name, among: known.map { String($0) } + (allowsUnsigned ? ["unsigned"] : []))
                continue
            }
            widths[width] = string(value, "\(key).\(width)")
        }
        return widths
    }

    /// Returns the types of all needed widths. A missing width uses the next wider one.
    private mutating func completed(_ widths: [Int: String], _ needed: [Int], _ node: Node, _ key: String) -> [Int:
        String]
    {
        var completed: [Int: String] = [:]
        for width in needed {
            completed[width] = widths.filter { $0.key >= width }.min { $0.key < $1.key }?.value
        }
        if let missing = needed.last(where: { completed[$0] == nil }), settings.diagnostics.isEmpty {
            settings.report("`\(key)` has no type for \(missing) bits", at: settings.range(node))
        }
        return completed
    }
}
