package import LogDefinitions
import LogEmission
import MarkdownSyntax
import Yams

/// What `loggen.yml` says.
package struct Configuration {
    package struct Output {
        /// As seen from the working directory.
        package var to: String?
        /// Where the file says so.
        package var toRange: Range<Int>?
        package var access: String?
        package var baseURL: String?

        package init() {}
    }

    /// What `tapgen` is told.
    package struct Taps {
        package enum Undefined: String, CaseIterable { case tap, nothing }

        /// Subclasses of `UIButton`.
        package var buttons: [String] = []
        /// Classes of other modules that conform to `TapTrackable`.
        package var screens: [String] = []
        /// What the tap of a button posts that has no event.
        package var undefined = Undefined.tap
    }

    /// The file's path; nil when there is no file.
    package var path: String?
    package var source: SourceFile?
    /// In the file's order; nil where it names none.
    package var outputs: [(name: String, output: Output)]?
    package var templates: String?
    /// The folder that holds the definitions, where they do not stand beside the file.
    package var definitions: String?
    /// The Swift sources that `tapgen` reads, as seen from the working directory.
    package var sources: [String] = []
    package var taps = Taps()
    package var samplingKey: (name: String, range: Range<Int>)?
    package var analysis = AnalysisOptions()
    package var diagnostics: [Diagnostic] = []
    /// Where each output is named, for messages about it.
    package var outputRanges: [String: Range<Int>] = [:]

    package static let fileName = "loggen.yml"
    private static let keys = ["definitions", "outputs", "templates", "name-length", "rules", "sampling-key", "sources", "taps"]

    package init() {}

    package init(path: String) throws(FileProblem) {
        let bytes = try FileSystem.read(path)
        let source = SourceText(bytes)
        self.path = path
        self.source = SourceFile(path: path, relativePath: path.split(separator: "/").last.map(String.init) ?? path, source: source)
        guard firstInvalidUTF8(in: source.bytes) == nil else {
            report("the file is not UTF-8", at: 0..<0)
            return
        }
        if let alias = Self.aliases(in: source.bytes).dropFirst(Self.maximumAliases).first {
            report(
                "the file has more than \(Self.maximumAliases) YAML aliases (`*name`), which can stand for texts without end", at: alias,
                help: "write out what they stand for")
            return
        }
        do {
            guard let node = try Yams.compose(yaml: source.string(0..<source.bytes.count)) else { return }
            read(node)
        } catch let error as YamlError {
            report(error)
        } catch {
            report("the file is not YAML", at: 0..<0)
        }
    }

    /// More than anybody needs; aliases of aliases double what is read with every level.
    private static let maximumAliases = 16

    /// Where `*name` stands as a word of its own, outside of quotes and comments.
    private static func aliases(in bytes: [UInt8]) -> [Range<Int>] {
        var found: [Range<Int>] = []
        var quote: UInt8?
        var previous: UInt8 = 0x0A
        var isComment = false
        for (index, byte) in bytes.enumerated() {
            defer { previous = byte }
            if byte == 0x0A { isComment = false }
            if isComment { continue }
            if let open = quote {
                if byte == open, !(open == UInt8(ascii: "\"") && previous == UInt8(ascii: "\\")) { quote = nil }
                continue
            }
            let followsBlank = previous == 0x20 || previous == 0x09 || previous == 0x0A || previous == 0x0D
            let isFirst = followsBlank || "[{,:".utf8.contains(previous)
            switch byte {
            case UInt8(ascii: "#") where followsBlank: isComment = true
            case UInt8(ascii: "'") where isFirst, UInt8(ascii: "\"") where isFirst: quote = byte
            case UInt8(ascii: "*") where isFirst:
                var end = index + 1
                while end < bytes.count, bytes[end] > 0x20, !",]}".utf8.contains(bytes[end]) { end += 1 }
                if end > index + 1 { found.append(index..<end) }
            default: break
            }
        }
        return found
    }

    // MARK: Messages

    private mutating func report(_ message: String, at range: Range<Int>, help: String? = nil) {
        let notes = help.map { [Diagnostic.Note.help($0)] } ?? []
        diagnostics.append(Diagnostic(.configuration, message, at: Place(file: 0, range: range), notes: notes))
    }

    private mutating func report(_ error: YamlError) {
        switch error {
        case .scanner(_, let problem, let mark, _), .parser(_, let problem, let mark, _), .composer(_, let problem, let mark, _):
            report("the file is not YAML: \(problem)", at: range(line: mark.line, column: mark.column))
        case .duplicatedKeysInMapping(let duplicates, _):
            report("a key stands twice: \(duplicates.joined(separator: ", "))", at: 0..<0)
        default: report("the file is not YAML", at: 0..<0)
        }
    }

    private func range(_ node: Node) -> Range<Int> {
        guard let mark = node.mark else { return 0..<0 }
        let start = range(line: mark.line, column: mark.column).lowerBound
        let length = node.scalar?.string.utf8.count ?? 1
        let end = min(start + max(1, length), source?.source.bytes.count ?? start)
        return start..<max(start, end)
    }

    /// Line and column from 1, the column in Unicode scalars.
    private func range(line: Int, column: Int) -> Range<Int> {
        guard let text = source?.source, text.lineStarts.indices.contains(line - 1) else { return 0..<0 }
        let line = text.lineRange(line - 1)
        var offset = line.lowerBound
        var left = column - 1
        while left > 0, offset < line.upperBound {
            offset += 1
            while offset < line.upperBound, text.bytes[offset] & 0xC0 == 0x80 { offset += 1 }
            left -= 1
        }
        return offset..<min(offset + 1, line.upperBound)
    }

    // MARK: Keys

    private mutating func read(_ node: Node) {
        guard let mapping = mapping(node, what: "the file") else { return }
        for (key, value) in mapping {
            let name = key.string ?? ""
            switch name {
            case "outputs": readOutputs(value)
            case "definitions": readDefinitions(value)
            case "templates": templates = string(value, name).map { seenFromHere($0) }
            case "name-length":
                guard let length = value.int, (1...1024).contains(length) else {
                    report("`name-length` takes a whole number from 1 to 1024", at: range(value))
                    continue
                }
                analysis.nameLength = length
            case "rules": readRules(value)
            case "sampling-key":
                if let name = string(value, name) { samplingKey = (name, range(value)) }
            case "sources":
                guard let folders = texts(value) else {
                    report("`sources` takes a folder or a list of folders", at: range(value))
                    continue
                }
                sources = folders.map { seenFromHere($0) }
            case "taps": readTaps(value)
            default: reportUnknown(key, among: Self.keys)
            }
        }
    }

    private mutating func reportUnknown(_ key: Node, among known: [String]) {
        let nearest = nearestSpelling(of: key.string ?? "", among: known)
        report(
            "`\(key.string ?? "?")` is no key loggen knows here", at: range(key),
            help: nearest.map { "did you mean `\($0)`?" } ?? "known are " + known.map { "`\($0)`" }.joined(separator: ", "))
    }

    private mutating func mapping(_ node: Node, what: String) -> Node.Mapping? {
        if node.null != nil { return nil }
        guard let mapping = node.mapping else {
            report("\(what) holds keys and values, as in `key: value`", at: range(node))
            return nil
        }
        return mapping
    }

    private mutating func string(_ node: Node, _ key: String) -> String? {
        guard let text = node.string, node.null == nil, !text.isEmpty else {
            report("`\(key)` takes a text", at: range(node))
            return nil
        }
        return text
    }

    /// A text, or a list of them.
    private func texts(_ node: Node) -> [String]? {
        let texts = (node.sequence.map { Array($0) } ?? [node]).map(\.string)
        return texts.contains { $0?.isEmpty ?? true } ? nil : texts.compactMap { $0 }
    }

    private mutating func readTaps(_ node: Node) {
        for (key, value) in mapping(node, what: "`taps`") ?? [:] {
            switch key.string {
            case "buttons", "screens":
                guard let names = texts(value) else {
                    report("`\(key.string ?? "")` takes the name of a class, or a list of them", at: range(value))
                    continue
                }
                if key.string == "buttons" { taps.buttons = names } else { taps.screens = names }
            case "undefined":
                guard let undefined = Taps.Undefined(rawValue: value.scalar?.string ?? "") else {
                    report("`undefined` is `tap` or `nothing`", at: range(value))
                    continue
                }
                taps.undefined = undefined
            default: reportUnknown(key, among: ["buttons", "screens", "undefined"])
            }
        }
    }

    /// Paths in the file are seen from the file's folder.
    private func seenFromHere(_ path: String) -> String {
        joined(folder(of: self.path ?? ""), path)
    }

    private mutating func readDefinitions(_ node: Node) {
        guard let path = string(node, "definitions") else { return }
        guard !path.hasPrefix("/"), !path.split(separator: "/").contains("..") else {
            report("`definitions` is a folder below this file's", at: range(node))
            return
        }
        definitions = normalized(seenFromHere(path))
    }

    private mutating func readOutputs(_ node: Node) {
        guard let mapping = mapping(node, what: "`outputs`") else { return }
        var outputs: [(name: String, output: Output)] = []
        for (key, value) in mapping {
            guard let name = key.string else { continue }
            var output = Output()
            var known = ["to"]
            if name == "swift" { known.append("access") }
            if name == "json-schema" { known.append("base-url") }
            for (option, setting) in self.mapping(value, what: "`\(name)`") ?? [:] {
                guard let optionName = option.string, known.contains(optionName) else {
                    reportUnknown(option, among: known)
                    continue
                }
                guard let text = string(setting, optionName) else { continue }
                switch optionName {
                case "to":
                    guard !text.hasPrefix("/"), !text.hasPrefix("~") else {
                        report(
                            "`to` is a folder seen from this file's, and `\(text)` is one of this machine's", at: range(setting),
                            help: "write it from here, as `../Generated/\(name)`; `--output` takes any folder")
                        continue
                    }
                    output.to = normalized(seenFromHere(text))
                    output.toRange = range(setting)
                case "access":
                    guard ["public", "package", "internal"].contains(text) else {
                        let nearest = nearestSpelling(of: text, among: ["public", "package", "internal"])
                        report(
                            "`access` is `public`, `package` or `internal`, not `\(text)`", at: range(setting),
                            help: nearest.map { "did you mean `\($0)`?" })
                        continue
                    }
                    output.access = text
                default:
                    // The schemas' names are put behind it, and `#/$defs/…` behind those.
                    guard text.utf8.allSatisfy({ $0 > 0x20 && $0 < 0x7F && $0 != UInt8(ascii: "#") }) else {
                        report("`base-url` is the beginning of a URL, without blanks and `#`", at: range(setting))
                        continue
                    }
                    output.baseURL = text
                }
            }
            outputs.append((name, output))
            outputRanges[name] = range(key)
        }
        self.outputs = outputs
    }

    private mutating func readRules(_ node: Node) {
        for (key, value) in mapping(node, what: "`rules`") ?? [:] {
            guard let name = key.string, let rule = Rule(named: name) else {
                reportUnknown(key, among: Rule.all.map(\.name))
                continue
            }
            // YAML 1.1 reads a bare `off` as false; what was written counts.
            let text = value.scalar?.string ?? ""
            guard text == "off" || Diagnostic.Severity(rawValue: text) != nil else {
                report("a rule is `error`, `warning` or `off`, not `\(text)`", at: range(value))
                continue
            }
            guard rule.isAdjustable || text == "error" else {
                report(
                    "`\(name)` is always an error: without it the definitions would be incomplete", at: range(value),
                    help: "the rules that can be set are " + Rule.all.filter(\.isAdjustable).map { "`\($0.name)`" }.joined(separator: ", "))
                continue
            }
            analysis.severities[rule] = .some(Diagnostic.Severity(rawValue: text))
        }
    }
}
