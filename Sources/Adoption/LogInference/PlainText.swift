import LogDefinitions
import LogOutputs
import MarkdownSyntax

/// Writes any string as Markdown that displays it unchanged and has no other effect.
enum PlainText {
    /// Returns a string that definition files can contain: without control characters, and without blanks at the ends
    /// of lines. Tabs become spaces, and Unicode's line separators become line ends. A string of invisible characters
    /// becomes empty.
    static func normalized(_ text: String, isOneLine: Bool = false) -> String {
        if text.unicodeScalars.allSatisfy({ $0 == " " || ScalarNames.isInvisible($0) }) { return "" }
        var result = String.UnicodeScalarView()
        var previousIsReturn = false
        for scalar in text.unicodeScalars {
            switch scalar.value {
            case 0x0D, 0x2028, 0x2029: result.append("\n")
            case 0x0A: if !previousIsReturn { result.append("\n") }
            case 0x09: result.append(" ")
            case 0..<0x20, 0x7F...0x9F: result.append("\u{FFFD}")
            default: result.append(scalar)
            }
            previousIsReturn = scalar.value == 0x0D
        }
        var lines = String(result).utf8.split(separator: 0x0A, omittingEmptySubsequences: false).map {
            trimmed(Substring($0))
        }
        while lines.first?.isEmpty ?? false { lines.removeFirst() }
        while lines.last?.isEmpty ?? false { lines.removeLast() }
        if isOneLine { return lines.filter { !$0.isEmpty }.joined(separator: " ") }
        var kept: [Substring] = []
        for line in lines where !(line.isEmpty && kept.last?.isEmpty ?? false) { kept.append(line) }
        return kept.joined(separator: "\n")
    }

    /// Returns the content of a description's cell. A line break becomes `<br>`.
    static func cell(_ text: String) -> String {
        rawCell(
            normalized(text).split(separator: "\n", omittingEmptySubsequences: false).map { inline($0) }.joined(
                separator: "<br>"))
    }

    /// Returns the content of a cell that is not parsed as Markdown: a name, a type, an annotation.
    static func rawCell(_ text: String) -> String { text.replacingOccurrences("|", "\\|") }

    static func title(_ text: String) -> String { inline(normalized(text, isOneLine: true)[...]) }

    /// Returns paragraphs below a heading.
    /// - Parameter hidingSigns: whether to write a punctuation mark that begins a line as an entity, so that the line
    ///   does not look like a column, a detail or a name.
    static func block(_ text: String, hidingSigns: Bool = false) -> String {
        normalized(text).split(separator: "\n", omittingEmptySubsequences: false).map {
            lineThatBeginsNoBlock($0, hidingSign: hidingSigns)
        }.joined(separator: "\n")
    }

    private static func lineThatBeginsNoBlock(_ text: Substring, hidingSign: Bool) -> String {
        let escaped = inline(text, isLine: true, hidingSign: hidingSign)
        let digits = escaped.utf8.prefix { (0x30...0x39).contains($0) }.count
        if (1...9).contains(digits), let next = escaped.utf8.dropFirst(digits).first,
            next == UInt8(ascii: ".") || next == UInt8(ascii: ")")
        {
            return String(escaped.prefix(digits)) + "\\" + escaped.dropFirst(digits)
        }
        return escaped
    }

    private static func inline(_ text: Substring, isLine: Bool = false, hidingSign: Bool = false) -> String {
        var result = String.UnicodeScalarView()
        let scalars = Array(text.unicodeScalars)
        func isWord(_ index: Int) -> Bool {
            guard scalars.indices.contains(index) else { return false }
            switch scalars[index].value {
            case 0x30...0x39, 0x41...0x5A, 0x61...0x7A, 0x5F: return true
            default: return false
            }
        }
        let hidden = hidingSign ? scalars.indices.first { !isWord($0) } : nil
        for (index, scalar) in scalars.enumerated() {
            switch scalar {
            case _ where index == hidden: break
            case "\\", "`", "*", "[", "]", "<", "~": result.append("\\")
            case "_" where !(isWord(index - 1) && isWord(index + 1)): result.append("\\")
            case "&" where index + 1 < scalars.count && (isWord(index + 1) || scalars[index + 1] == "#"):
                result.append("\\")
            default: break
            }
            if index == hidden || isHidden(scalar) || (isLine && looksLikeBlock(scalar, isFirst: index == 0)) {
                result.append(contentsOf: "&#x\(String(scalar.value, radix: 16, uppercase: true));".unicodeScalars)
            } else {
                result.append(scalar)
            }
        }
        return String(result)
    }

    private static func looksLikeBlock(_ scalar: Unicode.Scalar, isFirst: Bool) -> Bool {
        switch scalar {
        case "|", "\u{FF5C}", "\u{FF03}", "#": true
        case ">", "=", "-", "+", ":": isFirst
        default: false
        }
    }

    /// Returns whether a scalar is removed because it is invisible. Joiners of letters and emoji are kept.
    private static func isHidden(_ scalar: Unicode.Scalar) -> Bool {
        if scalar.value < 0x80 || scalar.value == 0x200C || scalar.value == 0x200D { return false }
        return scalar.properties.generalCategory == .format
    }

    /// Returns the Markdown of a description below a heading, or nil if it would be parsed as anything else.
    /// - Parameters:
    ///   - isOfType: whether the heading is that of a type.
    ///   - types: the names of the document's types. A line such as `order: Order` looks like a column.
    static func description(_ text: DraftText, isOfType: Bool = false, types: [String] = []) async -> String? {
        let plain = normalized(text.text)
        if plain.isEmpty { return "" }
        if text.isMarkdown, await isOnlyDescription(text.text, isOfType, types) { return text.text }
        let written = block(text.text)
        if InlineMarkdown.plainText(written) == plain, await isOnlyDescription(written, isOfType, types) {
            return written
        }
        // In a single paragraph, no line except the first can begin a block.
        let oneLine = normalized(text.text, isOneLine: true)
        for written in [block(oneLine), block(text.text, hidingSigns: true), block(oneLine, hidingSigns: true)]
        where InlineMarkdown.plainText(written) == plain || !written.contains("\n") {
            if await isOnlyDescription(written, isOfType, types) { return written }
        }
        return nil
    }

    private static func isOnlyDescription(_ text: String, _ isOfType: Bool, _ names: [String]) async -> Bool {
        let (event, type) = isOfType ? ("", text) : (text, "")
        let others = Set(names.filter { !["B", "G"].contains($0) && text.holds($0) }).sorted()
        let documents = [
            ("a.md", "# a\n\n## b\n\n\(event)\n\n| column | type |\n| ------ | ---- |\n| c      | B    |\n\n## d\n"),
            (
                "types.md",
                "# types\n\n## B\n\n\(type)\n\n| value |\n| ----- |\n| e     |\n| f     |\n\n## G: int64\n"
                    + others.map { "\n## \($0): int64\n" }.joined()
            ),
        ]
        let analysis = await Analysis.run(documents.map { InferredDocument(path: $0, text: $1).file })
        let types = analysis.definitions.types
        guard analysis.diagnostics.isEmpty, let events = analysis.definitions.categories.first?.events,
            events.count == 2, types.count == 2 + others.count
        else { return false }
        return events[0].description.isExactly(event) && types[0].description.isExactly(type)
            && events[0].notes.isEmpty && events[0].columns.count == 1 && events[1].description.isEmpty
            && types[1].description.isEmpty
    }
}
