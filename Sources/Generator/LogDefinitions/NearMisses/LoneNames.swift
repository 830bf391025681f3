import MarkdownSyntax

/// Lines that contain only a name, above a table.
extension LostLineSearch {
    /// The heading that a line above a table was intended as: a line that contains only a name, in any decoration, such
    /// as `**show**`, `【show】` or `<h2>show</h2>`. Nil for other blocks.
    func name(aboveTableAt index: Int, of section: Section) -> LostLine? {
        let block = section.blocks[index]
        guard case .other(let kind) = block.content, kind == .paragraph || kind == .html else { return nil }
        var next = index + 1
        // Between a heading and its table, a few paragraphs explain the event.
        while next < min(section.notesStart, index + 5),
            case .other(.paragraph) = section.blocks[next].content
        {
            next += 1
        }
        let hasText = next > index + 1
        guard next < section.notesStart, section.context != .common,
            section.role(at: next).isDefinition
        else { return nil }
        var line = block.lines.upperBound
        while line > block.lines.lowerBound, source.isBlankLine(line) { line -= 1 }
        let whole = source.scan(at: line)
        guard let whole, whole.start < whole.end else { return nil }
        let text = Substring(source.string(whole.start..<whole.end)).withoutTags
        let isWord: (Unicode.Scalar) -> Bool = {
            $0.properties.isAlphabetic || $0.properties.numericType != nil || $0 == "`"
        }
        guard let first = text.unicodeScalars.firstIndex(where: isWord),
            let last = text.unicodeScalars.lastIndex(where: isWord)
        else { return nil }
        let inner = String(text.unicodeScalars[first...last])
        let isWrapped = !source.bytes[(whole.start..<whole.end)].starts(with: inner.utf8)
        let isTitled = !hasText && isTitle(inner)
        let isDecorated =
            isWrapped || inner.utf8.count < (whole.start..<whole.end).count || inner.hasPrefix("`") || isTitled
        // In the middle of text, only a line of its own in bold or brackets is a heading.
        if hasText, !isWrapped || block.lines.count > 1 { return nil }
        // A word without decoration is prose, as are `(show)`, `@show` and `show.`
        let isSign: (Unicode.Scalar) -> Bool = {
            $0.isASCII ? " *_~`[]#=-+:".unicodeScalars.contains($0) : !"（）。、".unicodeScalars.contains($0)
        }
        guard isDecorated, text.unicodeScalars[..<first].allSatisfy(isSign),
            text.unicodeScalars[last...].dropFirst().allSatisfy(isSign)
        else { return nil }
        let name = Name.identifier(ofCell: inner, allowsTitle: isTitled || isWrapped && inner.hasSuffix("`"))
        let isName =
            section.context == .type
            ? (isWrapped || inner.hasPrefix("`")) && TypeNotation.isTypeName(name) && name.first?.isUppercase == true
            : Name.isIdentifier(name)
        guard isName, name != section.name.identifier,
            !isTitled || !outline.allSections.contains(where: { $0.name.identifier == name }),
            !Self.tableLabels.contains(name.lowercased()),
            HeaderKind(name) == nil, let range = source.firstRange(of: inner, in: source.lineRange(line))
        else { return nil }
        return LostLine(
            line: line, range: whole.start..<whole.end, kind: .heading(level: 2, text: range, hasName: true),
            cause: "a heading begins with `#`, and the table below belongs to one",
            isUncertain: hasText || isTitled && !isWrapped)
    }

    /// Returns whether a line is a title with a name in code, such as ``Closed `close` ``, and no sentence.
    private func isTitle(_ text: String) -> Bool {
        guard text.utf8.last == UInt8(ascii: "`") else { return false }
        let parts = text.split(separator: "`", omittingEmptySubsequences: false)
        let words = trimmed(parts[0]).split(separator: " ").map { $0.lowercased() }
        return parts.count == 3 && (1...3).contains(words.count)
            && !(parts[0].first?.isLowercase ?? true)
            && words.allSatisfy { !Self.tableLabels.contains($0) && !Self.prepositions.contains($0) }
    }

    private static let prepositions: Set<String> = [
        "of", "in", "for", "as", "by", "to", "with", "from", "and", "or", "see", "the", "a", "an", "is", "at", "on",
        "same", "only", "type", "table", "column", "event", "example", "note", "after", "before", "replaces",
        "requires", "unlike", "like", "use", "uses", "when", "screen", "sent",
    ]

    private static let tableLabels: Set<String> = [
        "columns", "properties", "parameters", "params", "fields", "attributes", "arguments", "values", "details",
        "options", "events", "examples", "notes", "schema", "payload", "data",
    ]
}
