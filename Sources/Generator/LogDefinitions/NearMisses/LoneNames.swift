import MarkdownSyntax

/// Lines that contain only a name, above a table.
extension LostLineSearch {
    /// The heading that a line above a table was intended as: a line that contains only a name, in any decoration, such
    /// as `**show**`, `【show】` or `<h2>show</h2>`. Nil for other blocks.
    func name(aboveTableAt index: Int, of section: Section) -> LostLine? {
        let block = section.blocks[index]
        // Between a heading and its table, a few paragraphs explain the event.
        let next = section.blocks[(index + 1)..<min(section.notesStart, index + 6)].firstIndex {
            if case .other(.paragraph) = $0.content { false } else { true }
        }
        guard let next, section.role(at: next).isDefinition, section.context != .common,
            case .other(let kind) = block.content, kind == .paragraph || kind == .html,
            let line = block.lines.last(where: { !source.isBlankLine($0) }), let scan = source.scan(at: line),
            scan.start < scan.end
        else { return nil }
        let range = scan.start..<scan.end
        let text = Substring(source.string(range)).withoutTags.unicodeScalars
        let isWord: (Unicode.Scalar) -> Bool = {
            $0.properties.isAlphabetic || $0.properties.numericType != nil || $0 == "`"
        }
        guard let first = text.firstIndex(where: isWord), let last = text.lastIndex(where: isWord) else { return nil }
        let inner = String(text[first...last])
        let hasText = next > index + 1
        let isWrapped = !source.bytes[range].starts(with: inner.utf8)
        let isTitled = !hasText && isTitle(inner)
        // In the middle of text, only a line of its own in bold or brackets is a heading. Without decoration, a word is
        // prose, as are `(show)`, `@show` and `show.`
        let isDecorated =
            hasText
            ? isWrapped && block.lines.count == 1
            : isWrapped || isTitled || inner.utf8.count < range.count || inner.hasPrefix("`")
        let isSign: (Unicode.Scalar) -> Bool = {
            $0.isASCII ? " *_~`[]#=-+:".unicodeScalars.contains($0) : !"（）。、".unicodeScalars.contains($0)
        }
        guard isDecorated, text[..<first].allSatisfy(isSign), text[last...].dropFirst().allSatisfy(isSign) else {
            return nil
        }
        let name = Name.identifier(ofCell: inner, allowsTitle: isTitled || isWrapped && inner.hasSuffix("`"))
        let isName =
            section.context == .type
            ? (isWrapped || inner.hasPrefix("`")) && TypeNotation.isTypeName(name) && name.first?.isUppercase == true
            : Name.isIdentifier(name)
        guard isName, name != section.name.identifier, !Self.labels.contains(name.lowercased()),
            HeaderKind(name) == nil,
            !isTitled || !outline.allSections.contains(where: { $0.name.identifier == name }),
            let place = source.firstRange(of: inner, in: range)
        else { return nil }
        return LostLine(
            line: line, range: range, kind: .heading(level: 2, text: place, hasName: true),
            cause: "a heading begins with `#`, and the table below belongs to one",
            isUncertain: hasText || isTitled && !isWrapped)
    }

    /// Returns whether a line is a title with a name in code, such as ``Closed `close` ``, and no sentence.
    private func isTitle(_ text: String) -> Bool {
        guard text.utf8.last == UInt8(ascii: "`") else { return false }
        let parts = text.split(separator: "`", omittingEmptySubsequences: false)
        guard parts.count == 3, parts[0].first?.isLowercase == false else { return false }
        let words = parts[0].split(separator: " ").map { $0.lowercased() }
        return (1...3).contains(words.count) && Self.labels.isDisjoint(with: words)
    }

    /// Words that are no names of events, and do not occur in their titles.
    static let labels =
        """
        columns properties parameters params fields attributes arguments values details options events examples notes \
        schema payload data of in for as by to with from and or see the a an is at on same only type table column event \
        example note after before replaces requires unlike like use uses when screen sent
        """.words
}
