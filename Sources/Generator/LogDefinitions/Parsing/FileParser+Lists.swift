import MarkdownSyntax

/// The list form of cookpad/daifuku: `- keyword: !string? 256`, with descriptions as nested items.
extension FileParser {
    mutating func columns(_ list: List) -> [Column] {
        list.items.compactMap { column($0) }
    }

    private mutating func column(_ item: List.Item) -> Column? {
        let help = Diagnostic.Note.help(
            "write `- recipe_id: !integer` or `- keyword: !string? 256`, with its description as a nested item")
        let lines = source.lineRange(item.lines.lowerBound)
        guard let range = item.text else {
            report(.listColumn, "the list item does not define a column", at: lines, notes: [help])
            return nil
        }
        guard let colon = source.bytes[range].firstIndex(of: UInt8(ascii: ":")) else {
            report(.listColumn, "the list item does not define a column: it has no `:`", at: range, notes: [help])
            return nil
        }
        let nameRange = range.lowerBound..<colon
        let name = Name(cell: source.string(nameRange), range: nameRange, in: source, file: file)
        let hasName = checkIdentifier(name, what: "column")
        let typeText = trimmed(source.string(colon + 1..<range.upperBound)[...])
        let typeRange = source.firstRange(of: String(typeText), in: colon..<range.upperBound) ?? range
        for rest in item.rest {
            report(
                .listColumn, "this text is ignored: a list item has one line for a column, and nested items", at: rest,
                notes: [help])
        }
        guard let type = listType(typeText, at: typeRange), hasName else { return nil }
        let descriptions = item.children.flatMap { description(of: $0) }
        return Column(
            name: name.identifier, type: type.type, isRequired: !type.isOptional,
            description: descriptions.joined(separator: "<br>"),
            example: nil, privacy: nil, platforms: .all, since: nil, deprecated: nil,
            status: name.isRetired ? .retired : .active, annotations: [],
            place: name.place, typePlace: Place(file: file, range: typeRange))
    }

    /// The description in a nested item: one string for the item, and one for each item inside it at any depth.
    private func description(of child: List.Child) -> [String] {
        let first = source.lineRange(source.lineIndex(at: child.text.lowerBound)).lowerBound
        var texts = [
            number(in: first..<child.text.lowerBound)
                + source.string(child.text).split(whereSeparator: \.isNewline).map { trimmed($0) }.joined(
                    separator: " ")
        ]
        let end = source.lineIndex(at: max(child.text.lowerBound, child.text.upperBound - 1))
        guard end < child.lines.upperBound else { return texts }
        for line in (end + 1)...child.lines.upperBound {
            let range = source.lineRange(line)
            guard let plain = source.scan(in: range), let item = source.scan(in: range, skippingMarkers: true),
                item.start < item.end
            else {
                continue
            }
            let text = number(in: plain.start..<item.start) + source.string(item.start..<item.end)
            if item.start > plain.start { texts.append(text) } else { texts[texts.count - 1] += " " + text }
        }
        return texts
    }

    /// Returns the number of an ordered item, such as `1. `, from the bytes before its text. Empty for other items.
    private func number(in range: Range<Int>) -> String {
        guard let marker = source.string(range).split(whereSeparator: \.isWhitespace).last, let sign = marker.last,
            ".)".contains(sign), Int(marker.dropLast()) != nil
        else { return "" }
        return marker + " "
    }

    /// Reads a type such as `!string? 256`, `!bigint`, `DeviceKind?`. The number after `!string` is a length in bytes.
    /// Reports an invalid type and returns nil.
    private mutating func listType(_ text: Substring, at range: Range<Int>) -> TypeNotation.Parsed? {
        let names = TypeNotation.listNames
        func fail(_ message: String, _ note: Diagnostic.Note?) -> TypeNotation.Parsed? {
            report(.typeSyntax, message, at: range, notes: note.map { [$0] } ?? [])
            return nil
        }
        var rest = text
        let isBuiltIn = rest.utf8.first == UInt8(ascii: "!")
        if isBuiltIn { rest = rest.dropFirst() }
        let word = rest.prefix { $0.isASCII && ($0.isLetter || $0.isNumber || $0 == "_") }
        rest = rest[word.endIndex...]
        let isOptional = rest.utf8.first == UInt8(ascii: "?")
        if isOptional { rest = rest.dropFirst() }
        let tail = trimmed(rest)
        guard isBuiltIn else {
            guard TypeNotation.isTypeName(word) else {
                return fail("`\(text)` is not a type", .help("write `!integer`, or the name of a type"))
            }
            if TypeNotation.builtIn[String(word)] != nil {
                return fail("the built-in type `\(word)` needs a `!` in a list", .write("!\(word)"))
            }
            guard tail.isEmpty else {
                return fail("unexpected `\(tail)` after the type", .help("put the description into a nested item"))
            }
            appTypes.insert(String(word))
            return TypeNotation.Parsed(type: types[String(word)] ?? .named(.init(String(word))), isOptional: isOptional)
        }
        guard names.contains(String(word)), let type = TypeNotation.builtIn[String(word)] else {
            return fail(
                "`!\(word)` is not a type",
                nearestSpelling(of: String(word), among: names).map { .didYouMean($0, insteadOf: String(word)) }
                    ?? .help("the types are " + names.map { "`!\($0)`" }.joined(separator: ", ")))
        }
        guard !tail.isEmpty else { return TypeNotation.Parsed(type: type, isOptional: isOptional) }
        guard let length = Int(tail), length > 0, tail.utf8.first != UInt8(ascii: "+") else {
            return fail("unexpected `\(tail)` after the type", .help("put the description into a nested item"))
        }
        guard case .string = type else {
            return fail("`!\(word)` does not have a length", .help("remove it: only `!string` has a length"))
        }
        return TypeNotation.Parsed(type: .string(.init(maxBytes: length)), isOptional: isOptional)
    }
}

extension List {
    /// Returns whether the list defines columns: one of its items has a `!type`, or only the name of a type after the
    /// colon.
    func definesColumns(in source: SourceText) -> Bool {
        items.contains { item in
            guard let range = item.text else { return false }
            let text = trimmed(source.string(range)[...])
            guard let colon = text.utf8.firstIndex(of: UInt8(ascii: ":")) else { return false }
            let type = trimmed(text[text.utf8.index(after: colon)...])
            if type.utf8.first == UInt8(ascii: "!") { return true }
            let bare = type.utf8.last == UInt8(ascii: "?") ? type.dropLast() : type
            return Name.isIdentifier(Name.identifier(ofCell: String(text[..<colon]))) && TypeNotation.isTypeName(bare)
                && bare.utf8.contains { (0x41...0x5A).contains($0) }
        }
    }
}

extension MarkdownDocument {
    /// A Boolean value that indicates whether a list of columns precedes the first `###` heading of a section.
    var hasColumnList: Bool {
        var isNotes = false
        for block in blocks {
            switch block.content {
            case .heading(let heading): isNotes = heading.level > 2
            case .list(let list): if !isNotes, list.definesColumns(in: source) { return true }
            case .table, .other: break
            }
        }
        return false
    }
}
