import LogDefinitions

/// Types as analysts write them: `string`, `テキスト`, `整数`, `日時`.
enum TypeWords {
    /// The type that a cell names; nil if it names none that is known.
    static func parse(_ cell: String) -> TypeNotation.Parsed? {
        let text = String(trimmed(cell[...]))
        guard !text.isEmpty else { return nil }
        if let parsed = ours(text) { return parsed }
        let folded = Confusable.folded(text)
        if let parsed = ours(folded) { return parsed }
        if let correction = TypeNotation.correction(of: text), let parsed = ours(correction) { return parsed }
        let isOptional = folded.hasSuffix("?")
        return type(String(isOptional ? folded.dropLast() : folded[...]), depth: 0).map { .init(type: $0, isOptional: isOptional) }
    }

    /// What documents write. A name alone is no type here: no spreadsheet declares it.
    private static func ours(_ text: String) -> TypeNotation.Parsed? {
        guard let parsed = try? TypeNotation.parse(text), parsed.type.typeName == nil else { return nil }
        return parsed
    }

    private static func type(_ text: String, depth: Int) -> LogValueType? {
        guard depth < 4 else { return nil }
        let text = trimmed(text[...])
        if let parsed = ours(String(text)) { return parsed.type }
        if let type = words[String(text)] { return type }
        for (open, close) in [("(", ")"), ("<", ">"), ("[", "]"), ("\u{FF08}", "\u{FF09}")] {
            guard text.hasSuffix(close), let start = text.firstIndex(of: Character(open)) else { continue }
            let name = String(trimmed(text[..<start]))
            let arguments = String(trimmed(text[text.index(after: start)...].dropLast()))
            if lists.contains(name) { return type(arguments, depth: depth + 1).map { .array(.init(of: $0)) } }
            if enumerations.contains(name) {
                let values = arguments.split { ",/|\u{3001}\u{30FB}\u{FF0C}\u{FF0F}".contains($0) }.map { String(trimmed($0)) }
                return Settling.problem(with: values) == nil ? .enumeration(.init(values)) : nil
            }
            // `文字列(64)` is `string(64)`.
            if case .string? = words[name], let length = Int(arguments), length > 0 { return .string(.init(maxLength: length)) }
            if let type = words[name] { return type }
        }
        for list in ["\u{306E}\u{914D}\u{5217}", "\u{306E}\u{30EA}\u{30B9}\u{30C8}", "\u{914D}\u{5217}", "[]"] where text.hasSuffix(list) {
            return type(String(text.dropLast(list.count)), depth: depth + 1).map { .array(.init(of: $0)) }
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
            (.date, ["日付", "年月日"]), (.timestamp, ["日時", "時刻", "タイムスタンプ", "日付時刻", "date time", "date-time", "time"]),
            (.uuid, ["guid"]), (.url, ["uri", "リンク", "link"]), (.array(.init(of: .string(.init()))), ["list", "array", "配列", "リスト"]),
        ]
        var words: [String: LogValueType] = [:]
        for (type, names) in groups { for name in names { words[Confusable.folded(name)] = type } }
        return words
    }()
}
