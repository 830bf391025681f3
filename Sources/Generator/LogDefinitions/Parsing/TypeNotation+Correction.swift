extension TypeNotation {
    /// The use of a correction, which limits the changes.
    package enum CorrectionUse {
        /// The correction is applied unasked, as by `loggen infer`. Only the notation of the type may change.
        case inference
        /// The type is a cell of a table that a person accepts as a whole. Japanese words, such as `整数`, are corrected.
        case table
        /// A person decides about each correction. Arguments that are nearly right are repaired, too.
        case advice
    }

    /// Returns the correction of a type in full-width characters or another language's notation; nil if uncertain.
    package static func correction(of text: String, for use: CorrectionUse = .inference) -> String? {
        let original = trimmed(text[...])
        var text = trimmed(Substring(Confusable.seen(text).replacing(ideographs)))
        let isOptional = isMarkedOptional(text)
        if text.hasPrefix("?") { text = trimmed(text.dropFirst()) }
        if text.hasSuffix("?") { text = trimmed(text.dropLast()) }
        guard
            let written = correctedUnion(text, use)
                ?? (corrected(text, use, depth: 0) ?? worded(text, use, depth: 0)).map({
                    $0.hasSuffix("?") || !isOptional ? $0 : $0 + "?"
                })
        else { return nil }
        if written.isExactly(original) { return nil }
        guard let parsed = try? parse(written) else { return nil }
        if let name = parsed.type.typeName, builtIn[name] == nil, !name.isExactly(text) { return nil }
        return written
    }

    /// Returns whether a type ends or begins with `?`, or has it before its arguments: `string?(40)`.
    static func isMarkedOptional(_ text: Substring) -> Bool {
        let name = trimmed(text[..<(text.firstIndex(of: "(") ?? text.endIndex)])
        return text.hasSuffix("?") || text.hasPrefix("?") || name.hasSuffix("?") && !name.hasPrefix("[")
    }

    /// Corrects TypeScript's alternatives: `string | undefined` to `string?`, and `"a" | "b"` to `enum(a, b)`.
    private static func correctedUnion(_ text: Substring, _ use: CorrectionUse) -> String? {
        let parts = text.split(separator: "|").map { trimmed($0) }
        guard parts.count > 1, use != .inference else { return nil }
        let present = parts.filter { !["undefined", "null", "nil"].contains($0.lowercased()) }
        let mark = present.count < parts.count ? "?" : ""
        let values = present.compactMap { part -> Substring? in
            guard let quote = part.first, "\"'".contains(quote), part.last == quote, part.count > 2 else { return nil }
            return part.dropFirst().dropLast()
        }
        if values.count == present.count, !values.isEmpty { return "enum(\(values.joined(separator: ", ")))\(mark)" }
        return present.count == 1 ? corrected(present[0], use, depth: 0).map { $0 + mark } : nil
    }

    private static func corrected(_ text: Substring, _ use: CorrectionUse, depth: Int) -> String? {
        guard depth < 8, !text.isEmpty else { return nil }
        if text.hasSuffix("[]") {
            return corrected(trimmed(text.dropLast(2)), use, depth: depth + 1).map { "[\($0)]" }
        }
        if text.hasPrefix("["), text.hasSuffix("]") {
            return corrected(trimmed(text.dropFirst().dropLast()), use, depth: depth + 1).map { "[\($0)]" }
        }
        if let open = text.utf8.firstIndex(of: UInt8(ascii: "<")), text.utf8.last == UInt8(ascii: ">") {
            let inner = trimmed(Substring(text.utf8[text.utf8.index(after: open)...].dropLast()))
            switch trimmed(text[..<open]).lowercased() {
            case "array", "list", "set", "sequence", "repeated":
                return corrected(inner, use, depth: depth + 1).map { "[\($0)]" }
            case "optional", "nullable":
                return depth == 0 ? corrected(inner, use, depth: depth + 1).map { $0 + "?" } : nil
            default: return nil
            }
        }
        let open = text.utf8.firstIndex(of: UInt8(ascii: "("))
        let spelled = trimmed(text[..<(open ?? text.endIndex)]).lowercased()
        let word = use == .inference ? spelled : japaneseTypes[spelled] ?? spelled
        let format = StringFormat.withArguments(named: word)
        let name = format?.name ?? word
        let arguments = open.map { String(text[$0...]) } ?? ""
        switch name {
        case "varchar", "nvarchar", "char", "nchar", "varying", "character": return "string" + arguments
        case "str", "clob": return arguments.isEmpty ? "string" : "string" + arguments
        case "long": return "int64"
        case "unsigned", "uint", "unsignedint", "unsigned int", "unsigned integer":
            return arguments.isEmpty ? "uint32" : "uint32" + arguments
        case "short": return "int16"
        case "byte": return "int8"
        case "money": return nil
        default:
            guard typesRequiringArguments.contains(name) || builtIn[name] != nil else {
                return (try? parse(String(text))) != nil ? String(text) : nil
            }
            if (try? parse(name + arguments)) != nil { return name + arguments }
            if arguments == "()" { return (try? parse(name)) != nil ? name : nil }
            return use == .advice ? repaired(arguments, of: name) : nil
        }
    }

    /// Returns a type whose arguments are nearly right: the last bracket is missing, bounds are in the wrong order or
    /// too large for the type, or values are empty or repeated.
    private static func repaired(_ arguments: String, of name: String) -> String? {
        guard arguments.utf8.first == UInt8(ascii: "(") else { return nil }
        guard arguments.utf8.last == UInt8(ascii: ")") else { return name + arguments + ")" }
        let inner = arguments.dropFirst().dropLast()
        if name == "enum" {
            var seen: Set<ExactString> = [ExactString("")]
            let values = inner.split(separator: ",").map { String(trimmed($0)) }
                .filter { seen.insert(ExactString($0)).inserted }
            return values.isEmpty ? nil : "enum(\(values.joined(separator: ", ")))"
        }
        if let format = StringFormat.withArguments(named: name) {
            return format.repairs(of: inner).map { "\(name)(\($0))" }.first { (try? parse($0)) != nil }
        }
        var candidates = [["int8", "int16", "int32", "int64"], ["uint8", "uint16", "uint32"]].flatMap {
            $0.drop { $0 != name }.dropFirst().map { $0 + arguments }
        }
        if let dots = inner.indices.first(where: { inner[$0...].hasPrefix("...") }) {
            let upper = inner[dots...].dropFirst(3)
            candidates.insert("\(name)(\(trimmed(upper))...\(trimmed(inner[..<dots])))", at: 0)
        }
        return candidates.first { (try? parse($0)) != nil }
    }

    // MARK: Words

    private static let optionalWords = ["optional", "nullable", "null", "nil", "undefined", "任意", "省略可"]
    private static let requiredWords = ["required", "mandatory", "not null", "必須"]
    private static let enumerationWords = [
        "one of", "any of", "either", "choice of", "enumeration of", "enumeration", "enum", "choices", "choice",
        "options",
        "allowed values", "possible values", "values", "次のいずれか", "いずれか", "列挙",
    ]
    private static let listWords = ["list", "array", "set", "sequence", "リスト", "配列"]

    /// Reads a type in words: `one of: a, b`, `yes/no`, `list of strings`, `int or null`, `string, max 64`.
    private static func worded(_ text: Substring, _ use: CorrectionUse, depth: Int) -> String? {
        guard use == .advice, depth < 4, text.utf8.count <= 1024 else { return nil }
        func inner(_ text: Substring) -> String? {
            corrected(text, use, depth: depth) ?? worded(text, use, depth: depth + 1)
        }
        func builtIn(_ text: Substring) -> String? {
            inner(text).flatMap { (try? parse($0))?.type.typeName == nil ? $0 : nil }
        }
        for (words, mark) in [(optionalWords, "?"), (requiredWords, "")] {
            guard let rest = words.lazy.compactMap({ without($0, in: text) }).first else { continue }
            return inner(rest).map { $0.hasSuffix("?") ? $0 : $0 + mark }
        }
        for word in listWords {
            guard let rest = without(word, in: text) else { continue }
            let item = rest.hasPrefix("of ") ? rest.dropFirst(3) : rest.hasSuffix("の") ? rest.dropLast() : rest
            let singular = item.hasSuffix("s") ? item.dropLast() : item
            return (builtIn(trimmed(item)) ?? builtIn(singular) ?? inner(trimmed(item))).map { "[\($0)]" }
        }
        let isSet = text.hasPrefix("{") && text.hasSuffix("}")
        let listed = isSet ? text : enumerationWords.lazy.compactMap { without($0, in: text, isFirst: true) }.first
        let values = self.values(listed ?? text)
        if let listed { return values.isEmpty || listed.isEmpty ? nil : "enum(\(values.joined(separator: ", ")))" }
        let flags = values.compactMap { YesNo($0)?.isYes }
        if values.count == 2, flags.count == 2 { return flags[0] == flags[1] ? nil : "bool" }
        if values.count > 1, !text.contains(where: { ",;:()".contains($0) }),
            !values.contains(where: { builtIn($0[...]) != nil || $0.contains(" ") })
        {
            return "enum(\(values.joined(separator: ", ")))"
        }
        return limited(text, use)
    }

    /// Returns the text without a word at its start or end, and without the signs that join it; nil without the word.
    private static func without(_ word: String, in text: Substring, isFirst: Bool = false) -> Substring? {
        let joins: (Character) -> Bool = { " ,:;/|=".contains($0) }
        let lowered = text.lowercased()
        guard lowered.utf8.count == text.utf8.count else { return nil }
        if lowered.hasPrefix(word) {
            let rest = text.dropFirst(word.count)
            guard let next = rest.first, joins(next) || "([{<".contains(next) || !next.isASCII else { return nil }
            return unbracketed(rest.drop(while: joins))
        }
        let isEnclosed = lowered.hasSuffix("(\(word))")
        guard !isFirst, isEnclosed || lowered.hasSuffix(word) else { return nil }
        var rest = text.dropLast(word.count + (isEnclosed ? 2 : 0))
        guard isEnclosed || rest.last.map({ joins($0) || !$0.isASCII }) ?? false else { return nil }
        while let last = rest.last, joins(last) { rest = rest.dropLast() }
        return rest.hasSuffix(" or") ? trimmed(rest.dropLast(3)) : rest
    }

    private static func unbracketed(_ text: Substring) -> Substring {
        guard let first = text.first, let last = text.last, ["()", "[]", "{}", "<>"].contains("\(first)\(last)") else {
            return text
        }
        return trimmed(text.dropFirst().dropLast())
    }

    /// Returns the values of a list in words: `a, b or c`, `(a / b)`, `{a, b}`.
    private static func values(_ text: Substring) -> [String] {
        var parts: [String] = [""]
        for word in unbracketed(text).split(separator: " ") {
            if ["or", "and"].contains(word.lowercased()) {
                parts.append("")
                continue
            }
            for (index, part) in word.split(omittingEmptySubsequences: false, whereSeparator: { ",/|;".contains($0) })
                .enumerated()
            {
                if index > 0 { parts.append("") }
                let isNew = parts[parts.count - 1].isEmpty || part.isEmpty
                parts[parts.count - 1] += (isNew ? "" : " ") + part
            }
        }
        return parts.map { $0.trimmingQuotes }.filter { !$0.isEmpty }
    }

    /// Reads a type with limits in words: `string, max 64`, `int 0 to 100`.
    private static func limited(_ text: Substring, _ use: CorrectionUse) -> String? {
        let name = text.prefix { $0.isLetter || $0.isNumber || $0 == "_" }
        guard let base = corrected(name, use, depth: 0), let type = (try? parse(base))?.type else { return nil }
        var numbers: [Substring] = []
        var words: Set<String> = []
        var previous: Character = " "
        var rest = text[name.endIndex...]
        while let first = rest.first {
            let isSigned = first == "-" && !previous.isNumber
            let digits = rest.dropFirst(isSigned ? 1 : 0).prefix { ("0"..."9").contains($0) }
            var end = digits.isEmpty ? rest.index(after: rest.startIndex) : digits.endIndex
            if !digits.isEmpty {
                let fraction = rest[end...].hasPrefix(".") ? rest[end...].dropFirst().prefix { $0.isNumber } : ""
                if !fraction.isEmpty { end = fraction.endIndex }
                numbers.append(rest[..<end])
            } else if first.isLetter || "<>=≤≥".contains(first) {
                end = rest.firstIndex { first.isLetter ? !$0.isLetter : !"<>=≤≥".contains($0) } ?? rest.endIndex
                words.insert(rest[..<end].lowercased())
            }
            if first != " " { previous = digits.isEmpty ? first : "0" }
            rest = rest[end...]
        }
        guard words.isSubset(of: limitWords.other.union(limitWords.upper).union(limitWords.lower)) else { return nil }
        switch (type.form, numbers.count) {
        case (.string, 1) where words.isDisjoint(with: limitWords.lower):
            return "\(base)(\(numbers[0])\(words.isDisjoint(with: ["byte", "bytes", "バイト"]) ? "" : " bytes"))"
        case (.string, 2) where ["0", "1"].contains(numbers[0]): return "\(base)(\(numbers[1]))"
        case (.integer, 2), (.number, 2): return "\(base)(\(numbers[0])...\(numbers[1]))"
        case (.integer, 1), (.number, 1):
            let isUpper = !words.isDisjoint(with: limitWords.upper)
            guard isUpper == words.isDisjoint(with: limitWords.lower) else { return nil }
            return "\(base)(\(isUpper ? "...\(numbers[0])" : "\(numbers[0])..."))"
        default: return nil
        }
    }

    private static let limitWords: (upper: Set<String>, lower: Set<String>, other: Set<String>) = (
        ["max", "maximum", "up", "most", "<=", "≤", "以下", "以内", "最大", "まで", "limit", "limited"],
        ["min", "minimum", "least", ">=", "≥", "以上", "最小", "more"],
        [
            "at", "of", "with", "length", "len", "size", "characters", "character", "chars", "char", "letters", "byte",
            "bytes", "バイト", "value", "values", "to", "and", "between", "from", "in", "range", "or", "through", "a",
            "is",
            "inclusive", "文字", "桁", "から",
        ]
    )

    private static let japaneseTypes: [String: String] = {
        var names = japaneseOfOthers
        for format in StringFormat.withoutArguments { for name in format.japaneseNames { names[name] = format.name } }
        return names
    }()

    private static let japaneseOfOthers = [
        "文字列": "string", "文字": "string", "テキスト": "string", "整数": "int", "整数値": "int", "数値": "double", "小数": "double",
        "実数": "double",
        "浮動小数点数": "double", "真偽値": "bool", "真偽": "bool", "論理値": "bool", "ブール": "bool", "フラグ": "bool",
        "列挙": "enum", "列挙型": "enum",
    ]

    private static let ideographs: [Unicode.Scalar: String] = ["\u{3001}": ", ", "\u{2026}": "...", "\u{301C}": "..."]
}

extension String {
    fileprivate var trimmingQuotes: String {
        let text = trimmed(self[...])
        guard let first = text.first, text.count > 2, "\"'`".contains(first), text.last == first else {
            return String(text)
        }
        return String(text.dropFirst().dropLast())
    }

    fileprivate func replacing(_ scalars: [Unicode.Scalar: String]) -> String {
        var result = ""
        for scalar in unicodeScalars {
            if let replacement = scalars[scalar] { result += replacement } else { result.unicodeScalars.append(scalar) }
        }
        return result
    }
}
