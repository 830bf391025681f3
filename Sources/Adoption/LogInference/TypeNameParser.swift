import LogDefinitions
import LogOutputs
import MarkdownSyntax

/// Parses types as analysts write them: `string`, `テキスト`, `整数`, `日時`.
enum TypeNameParser {
    static func messageOfUnknownType(_ text: String, of name: String) -> String {
        "unknown type `\(text)`: `\(name)` becomes a string; write a type such as `int`, `string?` or `enum(a, b)`"
    }

    static func message(unexpressed rest: String, of name: String, _ type: LogValueType) -> String {
        "`\(name)` becomes `\(type)`: no type can express `\(rest)`; write it in the column's description"
    }

    /// Returns the type in a cell, and the rest that the type does not express. Nil if the type is unknown.
    static func parse(_ cell: String) -> (parsed: TypeNotation.Parsed, rest: String?)? {
        let text = String(trimmed(cell[...]))
        guard !text.isEmpty, text.utf8.count < 2_000, bracketDepth(text) < 6 else { return nil }
        // The list form of definitions: in `!string? 256`, the number is a length in bytes.
        if text.hasPrefix("!") {
            let words = text.dropFirst().split(separator: " ")
            guard let word = words.first, var parsed = ours(String(word)), words.count < 3 else { return nil }
            if words.count == 2, let length = Int(words[1]), length > 0, case .string = parsed.type {
                parsed.type = .string(.init(maxBytes: length))
            }
            return (parsed, nil)
        }
        if let parsed = ours(text) { return (parsed, nil) }
        let folded = Confusable.folded(text)
        if let parsed = corrected(text) ?? ours(folded) { return (parsed, nil) }
        let isOptional = folded.hasSuffix("?")
        var rest: String?
        if let type = type(String(isOptional ? folded.dropLast() : folded[...]), depth: 0, &rest) {
            return (.init(type: type, isOptional: isOptional), rest)
        }
        if text.hasPrefix("`"), let inside = unquoted(text), !inside.contains("`"), unquoted(inside) == nil,
            let (parsed, rest) = parse(inside)
        {
            return (parsed, rest)
        }
        // `"side_panel"` is the only value; `` `YYYY-MM-DD` `` is a format, and `` `window.name` `` an expression.
        if let value = unquoted(text), !value.contains(where: { "\"'`".contains($0) }),
            !text.hasPrefix("`") || value.contains(where: \.isLowercase) && !isExpression(value)
        {
            return enumeration([value]).map { (.init(type: $0, isOptional: false), nil) }
        }
        return union(text) ?? described(text, folded)
    }

    /// Returns whether code is an expression or the name of a type: `window.name`, `OrderStatus`.
    private static func isExpression(_ code: String) -> Bool {
        code.contains { ".([/".contains($0) }
            || code.first?.isUppercase ?? false
                && zip(code, code.dropFirst()).contains { $0.isLowercase && $1.isUppercase }
    }

    private static func bracketDepth(_ text: String) -> Int {
        var (depth, deepest) = (0, 0)
        for byte in text.utf8 {
            if "([{<".utf8.contains(byte) { depth += 1 }
            if ")]}>".utf8.contains(byte) { depth -= 1 }
            deepest = max(deepest, depth)
        }
        return deepest
    }

    /// Parses alternatives: `string | undefined`, `"a" / "b"`, `a|b|c`.
    private static func union(_ text: String) -> (parsed: TypeNotation.Parsed, rest: String?)? {
        var parts = splitOutsideQuotesAndBrackets(text, separators: "|")
        if parts.count == 1 {
            parts = splitAtSeparatorsAndOr(text, separators: "/,")
            // Without quotes, `a/b` and `a, b` are prose.
            guard parts.count > 1, parts.allSatisfy({ unquoted($0) != nil }) else { return nil }
        }
        let present = parts.filter { !["null", "undefined", "nil", "none"].contains(Confusable.folded($0)) }
        let isOptional = present.count < parts.count
        guard parts.count > 1, let first = present.first else { return nil }
        if present.count == 1 {
            if ["true", "false"].contains(first) { return (.init(type: .boolean, isOptional: isOptional), nil) }
            guard let (parsed, rest) = parse(first) else { return nil }
            return (.init(type: parsed.type, isOptional: isOptional || parsed.isOptional), rest)
        }
        let types = present.map { unquoted($0) == nil ? parse($0) : nil }
        if Set(present) == ["true", "false"] { return (.init(type: .boolean, isOptional: isOptional), nil) }
        if types.contains(where: { $0 != nil }) {
            // `number | "all"` accepts values of several types.
            guard zip(types, present).allSatisfy({ $0 != nil || unquoted($1) != nil }) else { return nil }
            return (.init(type: .string(.init()), isOptional: isOptional), text)
        }
        guard present.allSatisfy({ unquoted($0) != nil || !$0.utf8.contains(0x20) }) else { return nil }
        return enumeration(present).map { (.init(type: $0, isOptional: isOptional), nil) }
    }

    /// Parses English phrases: `array of strings`, `one of: a, b`, `∈ {a, b}`.
    private static func described(_ text: String, _ folded: String) -> (parsed: TypeNotation.Parsed, rest: String?)? {
        // Each level of a list is parsed twice, in plural and in singular.
        let isShort = folded.count(where: { $0 == " " }) < 8
        func list(of items: String) -> (parsed: TypeNotation.Parsed, rest: String?)? {
            parse(items).map { (.init(type: .array(.init(of: $0.parsed.type)), isOptional: false), $0.rest) }
        }
        for prefix in ["array of ", "list of ", "arrays of ", "lists of ", "set of "]
        where isShort && folded.hasPrefix(prefix) {
            return list(of: singular(String(trimmed(folded.dropFirst(prefix.count)))))
        }
        for suffix in [" array", " list"] where isShort && folded.hasSuffix(suffix) {
            return list(of: singular(String(folded.dropLast(suffix.count))))
        }
        for (prefix, least) in [("non-negative ", 0), ("positive ", 1)] where folded.hasPrefix(prefix) {
            guard let (parsed, rest) = parse(String(folded.dropFirst(prefix.count))) else { return nil }
            let type = Self.type(parsed.type, "\(least)...")
            return (.init(type: type ?? parsed.type, isOptional: parsed.isOptional), rest)
        }
        if folded.hasSuffix("[]") { return list(of: String(text.dropLast(2))) }
        for prefix in [
            "enum:", "enum ", "one of:", "one of ", "any of:", "either ", "∈", "fixed values:", "values:",
            "string enum:",
        ] where folded.hasPrefix(prefix) {
            var values = trimmed(text.dropFirst(prefix.count))
            // `enum string` has no values.
            if prefix == "enum ", let type = ours(String(values)) { return (type, text) }
            for (open, close) in [("{", "}"), ("[", "]"), ("(", ")")]
            where values.hasPrefix(open) && values.hasSuffix(close) {
                values = values.dropFirst().dropLast()
            }
            return Self.values(String(values), isExplicit: true).map { (.init(type: $0, isOptional: false), nil) }
        }
        for (open, close) in [("{", "}"), ("[", "]")] where text.hasPrefix(open) && text.hasSuffix(close) {
            let inside = String(text.dropFirst().dropLast())
            // `{ length: number; kind: 'a' | 'b' }` is an object.
            if !inside.contains(":"), let type = values(inside, least: 2) {
                return (.init(type: type, isOptional: false), nil)
            }
            if open == "[", let list = list(of: inside) { return list }
        }
        return nil
    }

    /// Returns the enumeration of a list of values, or nil if the list is prose.
    /// - Parameter isExplicit: whether a word such as `enum` precedes the list. Otherwise, a single word may be prose.
    static func values(_ text: String, least: Int = 1, isExplicit: Bool = false) -> LogValueType? {
        let parts = splitAtSeparatorsAndOr(text, separators: "|/,、・;\n")
        // An unquoted part is prose if it has four or more words, or contains a bracket or a quote. Without a word such
        // as `enum`, it is also prose if it is the only part or contains `and`.
        let areValues = parts.allSatisfy { part in
            if unquoted(part) != nil { return true }
            return (parts.count > 1 || isExplicit) && part.split(separator: " ").count < 4
                && !part.contains(where: { "{}[]()（）\"`".contains($0) }) && (isExplicit || !part.holds(" and "))
        }
        guard parts.count >= least, areValues else { return nil }
        return enumeration(parts)
    }

    private static func enumeration(_ values: [String]) -> LogValueType? {
        var texts: [String] = []
        for value in values.map({ unquoted($0) ?? $0 }) where !texts.containsExactly(value) { texts.append(value) }
        return DraftResolver.problem(with: texts) == nil ? .enumeration(.init(texts)) : nil
    }

    private static func unquoted(_ text: String) -> String? {
        for (open, close) in [("\"", "\""), ("'", "'"), ("`", "`"), ("“", "”"), ("‘", "’"), ("「", "」")] {
            guard text.hasPrefix(open), text.hasSuffix(close), text.count > 2 else { continue }
            let inside = String(text.dropFirst().dropLast())
            guard !inside.holds(close) else { return nil }
            return open == "`" ? unquoted(inside) ?? inside : inside
        }
        return nil
    }

    private static func splitAtSeparatorsAndOr(_ text: String, separators: String) -> [String] {
        splitOutsideQuotesAndBrackets(text, separators: separators).flatMap { part -> [String] in
            if unquoted(part) != nil { return [part] }
            return part.components(" or ").map { $0.hasPrefix("or ") ? String(trimmed($0.dropFirst(3))) : $0 }
        }
    }

    private static func splitOutsideQuotesAndBrackets(_ text: String, separators: String) -> [String] {
        var parts: [String] = []
        var part = ""
        var quote: Character?
        var depth = 0
        for character in text {
            if let open = quote {
                if character == open { quote = nil }
            } else if "\"`".contains(character) {
                quote = character
            } else if "([{<".contains(character) {
                depth += 1
            } else if ")]}>".contains(character) {
                depth -= 1
            } else if depth == 0, separators.contains(character) {
                parts.append(String(trimmed(part[...])))
                part = ""
                continue
            }
            part.append(character)
        }
        parts.append(String(trimmed(part[...])))
        return parts.filter { !$0.isEmpty }
    }

    private static func singular(_ text: String) -> String {
        text.hasSuffix("s") && TypeNameParser.parse(text) == nil ? String(text.dropLast()) : text
    }

    /// Parses a type in the notation of definitions. Nil for custom types, which a spreadsheet does not declare.
    private static func ours(_ text: String) -> TypeNotation.Parsed? {
        guard let parsed = try? TypeNotation.parse(text), parsed.type.typeName == nil else { return nil }
        // In `enum(a|b)`, people mean two values.
        if case .enumeration(let enumeration) = parsed.type, enumeration.values.count == 1,
            enumeration.values[0].utf8.contains(UInt8(ascii: "|"))
        {
            return nil
        }
        return parsed
    }

    private static func corrected(_ text: String) -> TypeNotation.Parsed? {
        TypeNotation.correction(of: text).flatMap(ours)
    }

    /// Returns the type with arguments such as `0〜100` or `64文字`; nil if they are unknown.
    private static func type(_ type: LogValueType, _ arguments: String) -> LogValueType? {
        func read(_ text: String) -> LogValueType? { (ours(text) ?? corrected(text))?.type }
        let range = arguments.split(separator: "~", omittingEmptySubsequences: false).joined(separator: "...")
        switch type {
        case .string:
            let numbers = arguments.unicodeScalars.split { !(0x30...0x39).contains($0.value) }
            guard numbers.count == 1, let length = Int(String(numbers[0])), length > 0 else { return nil }
            let words = String(
                String.UnicodeScalarView(
                    arguments.unicodeScalars.filter { !(0x30...0x39).contains($0.value) && $0 != " " }))
            return ["", "文字", "最大", "最大文字", "文字以内", "文字まで", "max", "<="].contains(words)
                ? .string(.init(maxLength: length)) : nil
        case .integer: return read("int64(\(range))")
        case .number: return read("double(\(range))") ?? read("decimal(\(arguments))")
        // `フラグ(0/1)`: the two values are redundant.
        case .boolean: return arguments.split(separator: "/").count == 2 ? .boolean : nil
        default: return nil
        }
    }

    private static func type(_ text: String, depth: Int, _ rest: inout String?) -> LogValueType? {
        guard depth < 4 else { return nil }
        let text = trimmed(text[...])
        if let parsed = ours(String(text)) { return parsed.type }
        if let type = words[String(text)] {
            // A `double` may change amounts of money, so a decimal type without a precision is reported.
            if ["numeric", "decimal"].contains(text) { rest = "\(text) without a precision" }
            return type
        }
        for (open, close) in [("(", ")"), ("<", ">"), ("[", "]"), ("\u{FF08}", "\u{FF09}")] {
            guard text.hasSuffix(close), let start = text.firstIndex(of: Character(open)) else { continue }
            let name = String(trimmed(text[..<start]))
            let arguments = String(trimmed(text[text.index(after: start)...].dropLast()))
            // `整数[]` is a list, which the code after this loop parses.
            if arguments.isEmpty, open == "[" { continue }
            if lists.contains(name) { return type(arguments, depth: depth + 1, &rest).map { .array(.init(of: $0)) } }
            if enumerations.contains(name) {
                let values = arguments.split { ",/|\u{3001}\u{30FB}\u{FF0C}\u{FF0F}".contains($0) }.map {
                    String(trimmed($0))
                }
                return DraftResolver.problem(with: values) == nil ? .enumeration(.init(values)) : nil
            }
            guard let type = words[name] else { continue }
            // `文字列(64)` is `string(64)`.
            if let type = Self.type(type, arguments) { return type }
            rest = arguments
            return type
        }
        for list in ["\u{306E}\u{914D}\u{5217}", "\u{306E}\u{30EA}\u{30B9}\u{30C8}", "\u{914D}\u{5217}", "[]"]
        where text.hasSuffix(list) {
            return type(String(text.dropLast(list.count)), depth: depth + 1, &rest).map { .array(.init(of: $0)) }
        }
        return nil
    }

    private static let lists: Set<String> = ["list", "array", "配列", "リスト"]
    private static let enumerations: Set<String> = ["enum", "列挙", "列挙型", "選択", "選択肢", "区分"]

    private static let words: [String: LogValueType] = {
        let groups: [(LogValueType, [String])] = [
            (.string(.init()), ["str", "text", "varchar", "char", "テキスト", "文字列", "文字", "ストリング"]),
            (.integer(.init(bits: 64)), ["long", "整数", "整数値", "数値(整数)", "whole number"]),
            (.number(.init()), ["数値", "数字", "小数", "実数", "浮動小数点", "浮動小数点数", "numeric", "decimal"]),
            (.boolean, ["真偽値", "真偽", "論理値", "ブール", "ブール値", "フラグ", "flag", "yes/no", "true/false"]),
            (
                .timestamp,
                ["時刻", "日付時刻", "date time", "date-time", "time", "iso 8601", "iso8601", "iso 8601 timestamp"]
            ),
            (.date, ["yyyy-mm-dd"]),
            (.uuid, ["guid"]),
            (.url, ["uri", "リンク", "link"]),
            (.array(.init(of: .string(.init()))), ["list", "array", "配列", "リスト"]),
        ]
        var words: [String: LogValueType] = [:]
        for (type, names) in groups + StringFormat.withoutArguments.map({ ($0.type, $0.japaneseNames) }) {
            for name in names { words[Confusable.folded(name)] = type }
        }
        return words
    }()
}

extension String {
    /// Splits a string at another one, without Foundation.
    func components(_ separator: String) -> [String] {
        var parts: [String] = []
        var rest = self[...]
        while let range = rest.firstRange(ofText: separator) {
            parts.append(String(trimmed(rest[..<range.lowerBound])))
            rest = rest[range.upperBound...]
        }
        return parts + [String(trimmed(rest))]
    }
}
