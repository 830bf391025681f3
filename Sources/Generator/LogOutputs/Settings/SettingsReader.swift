package import LogDefinitions
import MarkdownSyntax
import TextEncoding
package import Yams

/// Reads a YAML file, and collects its problems with their places.
package struct SettingsReader {
    package let source: SourceFile
    package var diagnostics: [Diagnostic] = []
    private let fileIndex: Int
    private let rule: Rule

    package init(_ source: SourceFile, rule: Rule, file: Int = 0) {
        self.source = source
        self.rule = rule
        self.fileIndex = file
    }

    /// Returns the file's contents, or nil if the file is empty or unreadable.
    package mutating func root() -> Node? {
        let bytes = source.source.bytes
        guard firstInvalidUTF8(in: bytes) == nil else {
            report("the file is not UTF-8", at: 0..<0)
            return nil
        }
        if let alias = Self.rangesOfAliases(in: bytes).dropFirst(Self.maximumAliases).first {
            report(
                "the file has more than \(Self.maximumAliases) YAML aliases (`*name`), which can expand without limit",
                at: alias,
                help: "replace them with their values")
            return nil
        }
        do {
            return try Yams.compose(yaml: source.source.string(0..<bytes.count))
        } catch let error as YamlError {
            report(error)
        } catch {
            report("the file is not YAML", at: 0..<0)
        }
        return nil
    }

    /// The maximum number of aliases. It is low, because nested aliases double the contents with every level.
    private static let maximumAliases = 16

    private static func rangesOfAliases(in bytes: [UInt8]) -> [Range<Int>] {
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

    package mutating func report(_ message: String, at range: Range<Int>, help: String? = nil) {
        let notes = help.map { [Diagnostic.Note.help($0)] } ?? []
        diagnostics.append(Diagnostic(rule, message, at: Place(file: fileIndex, range: range), notes: notes))
    }

    private mutating func report(_ error: YamlError) {
        switch error {
        case .scanner(_, let problem, let mark, _), .parser(_, let problem, let mark, _),
            .composer(_, let problem, let mark, _):
            report("the file is not YAML: \(problem)", at: range(line: mark.line, column: mark.column))
        case .duplicatedKeysInMapping(let duplicates, _):
            report("a key is repeated: \(duplicates.joined(separator: ", "))", at: 0..<0)
        default: report("the file is not YAML", at: 0..<0)
        }
    }

    package mutating func reportUnknown(_ key: Node, _ what: String = "key", among known: [String]) {
        let advice =
            nearestSpelling(of: key.string ?? "", among: known).map { Diagnostic.Note.didYouMean($0) }
            ?? .help(choice(of: known))
        let message = "unknown \(what) `\(key.string ?? "?")`"
        diagnostics.append(Diagnostic(rule, message, at: Place(file: fileIndex, range: range(key)), notes: [advice]))
    }

    // MARK: Places

    package func range(_ node: Node) -> Range<Int> {
        guard let mark = node.mark else { return 0..<0 }
        let start = range(line: mark.line, column: mark.column).lowerBound
        let bytes = source.source.bytes
        let quotes = node.scalar.map { $0.style == .doubleQuoted || $0.style == .singleQuoted ? 2 : 0 } ?? 0
        var end = min(start + max(1, (node.scalar?.string.utf8.count ?? 1) + quotes), bytes.count)
        // The written string may be longer than the value, and the end inside a character.
        while end < bytes.count, bytes[end] & 0xC0 == 0x80 { end += 1 }
        return start..<max(start, end)
    }

    /// Returns the range of a position. Lines and columns count from 1, columns in Unicode scalars.
    private func range(line: Int, column: Int) -> Range<Int> {
        let text = source.source
        guard text.lineStarts.indices.contains(line - 1) else { return 0..<0 }
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

    // MARK: Values

    package mutating func mapping(_ node: Node, what: String) -> Node.Mapping? {
        if node.null != nil { return nil }
        guard let mapping = node.mapping else {
            report("\(what) has to contain keys and values, as in `key: value`", at: range(node))
            return nil
        }
        return mapping
    }

    package mutating func string(_ node: Node, _ key: String) -> String? {
        guard let text = node.string, node.null == nil, !text.isEmpty else {
            report("`\(key)` takes a string", at: range(node))
            return nil
        }
        return text
    }

    /// Returns the strings of a string or a list of strings. Nil if one of them is empty or not a string.
    package func texts(_ node: Node) -> [String]? {
        let texts = (node.sequence.map { Array($0) } ?? [node]).map(\.string)
        return texts.contains { $0?.isEmpty ?? true } ? nil : texts.compactMap { $0 }
    }
}

/// Returns a suggestion for a misspelled word among the known words; nil if none is near enough.
package func didYouMean(_ word: String, among words: some Sequence<String>) -> String? {
    nearestSpelling(of: word, among: words).map { "did you mean `\($0)`?" }
}

/// Returns the advice to choose one of the words.
package func choice(of words: [String]) -> String {
    "choose one of " + words.map { "`\($0)`" }.joined(separator: ", ")
}
