import LogDefinitions

/// Parses types as analysts write them: `string`, `テキスト`, `整数`, `日時`.
enum TypeNameParser {
    /// Returns the type in a cell, and the rest of the cell that the type does not express. Nil if the cell has no
    /// known type.
    static func parse(_ cell: String) -> (parsed: TypeNotation.Parsed, rest: String?)? {
        let text = String(trimmed(cell[...]))
        guard !text.isEmpty else { return nil }
        if let parsed = ours(text) { return (parsed, nil) }
        let folded = Confusable.folded(text)
        if let parsed = corrected(text) ?? ours(folded) { return (parsed, nil) }
        let isOptional = folded.hasSuffix("?")
        var rest: String?
        let type = type(String(isOptional ? folded.dropLast() : folded[...]), depth: 0, &rest)
        return type.map { (.init(type: $0, isOptional: isOptional), rest) }
    }

    /// Parses the notation of definition files. Returns nil for a string in another notation. Also returns nil for a
    /// custom type and a list of it, because a spreadsheet does not declare types.
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

    /// Returns a type with its arguments in parentheses, such as `0〜100` or `64文字`. Nil if the arguments are unknown.
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
            (.string(.init()), ["str", "varchar", "char", "テキスト", "文字列", "文字", "ストリング"]),
            (.integer(.init(bits: 64)), ["long", "整数", "整数値", "数値(整数)", "whole number"]),
            (.number(.init()), ["数値", "数字", "小数", "実数", "浮動小数点", "浮動小数点数", "numeric", "decimal"]),
            (.boolean, ["真偽値", "真偽", "論理値", "ブール", "ブール値", "フラグ", "flag", "yes/no", "true/false"]),
            (.timestamp, ["時刻", "日付時刻", "date time", "date-time", "time"]), (.uuid, ["guid"]),
            (.url, ["uri", "リンク", "link"]),
            (.array(.init(of: .string(.init()))), ["list", "array", "配列", "リスト"]),
        ]
        var words: [String: LogValueType] = [:]
        for (type, names) in groups + StringFormat.allCases.map({ ($0.type, $0.japaneseNames) }) {
            for name in names { words[Confusable.folded(name)] = type }
        }
        return words
    }()
}
