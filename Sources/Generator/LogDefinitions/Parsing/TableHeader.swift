import MarkdownSyntax

/// The meaning of a header cell, in English or Japanese.
package enum HeaderKind: Int, Sendable, CaseIterable {
    case column, type, required, description, example, privacy, since, deprecated, event, key, value, platforms,
        formerName
    /// The opposite of `required`.
    case optional

    /// The accepted spellings, in lower case. The first English and the first Japanese one are canonical.
    private var spellings: (english: [String], japanese: [String]) {
        switch self {
        case .column:
            (
                ["", " name"].flatMap { end in
                    ["column", "property", "parameter", "param", "field", "attribute"].map { $0 + end }
                }
                    + ["name"],
                ["", "名"].flatMap { end in ["カラム", "項目", "パラメータ", "パラメーター", "プロパティ", "属性", "フィールド"].map { $0 + end } }
            )
        case .type:
            (
                ["type", "data type", "datatype", "value type", "property type", "parameter type"],
                ["型", "データ型", "型名", "タイプ"]
            )
        case .required:
            (
                ["required", "is required", "mandatory", "is mandatory", "must", "not null"],
                ["必須", "必要", "必須項目", "必須か", "必須フラグ", "必須任意"]
            )
        case .optional:
            (
                ["optional", "is optional", "nullable", "is nullable", "null ok"],
                ["任意", "省略可", "省略可能", "null可", "null許容"]
            )
        case .description: (["description"], ["説明"])
        case .example: (["example", "example value", "sample", "sample value"], ["例", "値の例", "サンプル", "サンプル値"])
        case .event: (["event", "event name"], ["イベント", "イベント名"])
        case .key: (["key"], ["キー"])
        case .value: (["value"], ["値"])
        case .privacy: Details.Key.privacy.spellings
        case .since: Details.Key.since.spellings
        case .deprecated: Details.Key.deprecated.spellings
        case .platforms: Details.Key.platforms.spellings
        case .formerName: Details.Key.renamedFrom.spellings
        }
    }

    private static let bySpelling = Spellings(allCases) { $0.spellings }

    package init?(_ text: String) {
        guard let kind = Self.bySpelling[text] else { return nil }
        self = kind
    }

    /// Returns the canonical spelling of the kind, in English or Japanese.
    package func spelling(inJapanese isJapanese: Bool) -> String {
        (isJapanese ? spellings.japanese : spellings.english)[0]
    }

    func isCanonical(_ text: String) -> Bool {
        [true, false].contains { spelling(inJapanese: $0) == text.lowercased() }
    }

    /// The known header that an unknown one misspells. Other words are rarely misspelled ones of `was` or `旧名`.
    package static func nearest(to text: String) -> (kind: HeaderKind, spelling: String)? {
        let candidates = allCases.filter { $0 != .formerName }.flatMap {
            [$0.spellings.english[0], $0.spellings.japanese[0]]
        }
        guard let spelling = nearestSpelling(of: Spelling.plain(text), among: candidates),
            let kind = HeaderKind(spelling)
        else { return nil }
        return (kind, spelling)
    }
}

struct Spellings<Meaning: Sendable>: Sendable {
    private let meanings: [String: Meaning]

    init(_ all: [Meaning], _ spellings: (Meaning) -> (english: [String], japanese: [String])) {
        meanings = Dictionary(
            all.flatMap { meaning in (spellings(meaning).english + spellings(meaning).japanese).map { ($0, meaning) } },
            uniquingKeysWith: { first, _ in first })
    }

    /// The meaning of a header or key, as a reader of the rendered table sees it: without markup, footnotes, remarks in
    /// parentheses and signs, in any case and width.
    subscript(text: String) -> Meaning? {
        if let meaning = meanings[text] ?? meanings[text.lowercased()] { return meaning }
        let plain = Spelling.plain(text)
        return meanings[plain] ?? Spelling.withoutRemark(plain).flatMap { meanings[$0] }
    }
}

/// A yes or no in a cell.
package struct YesNo {
    package var isYes: Bool
    /// The requirement that the word itself names, as `optional` does; nil for other words.
    private var requirement: Bool?

    /// Returns whether a cell with this word, below a header `required` or `optional`, makes its column required.
    package func isRequired(below header: HeaderKind) -> Bool { requirement ?? (isYes == (header == .required)) }

    private static let yes: Set<String> = [
        "yes", "y", "true", "t", "1", "○", "◯", "〇", "●", "◎", "✓", "✔", "☑", "✅", "はい", "あり", "有", "要",
    ]
    private static let no: Set<String> = [
        "no", "n", "false", "f", "0", "none", "-", "–", "—", "ー", "×", "✕", "✗", "✘", "❌", "いいえ", "なし", "無", "不要",
    ]

    package init?(_ text: String) {
        let scalars = text.unicodeScalars.filter { $0 != "\u{FE0F}" }
        let word = Confusable.folded(String(String.UnicodeScalarView(scalars)))
        switch HeaderKind(word) {
        case .required: (isYes, requirement) = (true, true)
        case .optional: (isYes, requirement) = (false, false)
        default:
            guard Self.yes.contains(word) || Self.no.contains(word) else { return nil }
            isYes = Self.yes.contains(word)
        }
    }
}

/// A header that seems to limit values but would be an annotation. Only types and known headers limit values.
package enum HeaderLimit: CaseIterable {
    case length, range, values, sensitivity

    package init?(_ header: String) {
        let plain = Spelling.plain(header)
        let words = Set(plain.split { !($0.isLetter || $0.isNumber) }.map(String.init))
        guard words.isDisjoint(with: Self.others),
            let limit = Self.allCases.first(where: { limit in
                !words.isDisjoint(with: limit.words.english)
                    || limit.words.japanese.contains { plain.holds($0) }
            })
        else { return nil }
        self = limit
    }

    /// Words of headers about something else, such as `valid from` and `example values`.
    private static let others: Set<String> = [
        "example", "examples", "sample", "samples", "default", "from", "until", "since", "by",
    ]

    private var words: (english: Set<String>, japanese: [String]) {
        switch self {
        case .length:
            (
                ["length", "len", "maxlength", "maxlen", "characters", "chars", "digits", "precision", "bytes"],
                ["長さ", "最大長", "文字数", "文字長", "桁", "バイト"]
            )
        case .range:
            (
                [
                    "range", "min", "max", "minimum", "maximum", "limit", "limits", "bound", "bounds", "lower", "upper",
                    "constraint", "constraints", "restriction", "restrictions",
                ],
                ["範囲", "値域", "最小", "最大", "上限", "下限", "制限", "制約"]
            )
        case .values:
            (
                [
                    "allowed", "allowable", "permitted", "possible", "valid", "accepted", "acceptable", "legal",
                    "option", "options", "choice", "choices", "enum", "enums", "enumeration", "values", "variants",
                ],
                ["選択", "許可", "許容", "取りうる", "とりうる", "取り得る", "候補", "列挙", "値一覧", "値の一覧", "有効な値", "有効値", "可能な値"]
            )
        case .sensitivity:
            (
                ["sensitive", "sensitivity", "confidential", "confidentiality", "classification", "privacy"],
                ["機密", "機微", "センシティブ"]
            )
        }
    }

    /// - Parameter cell: a cell below the header.
    func advice(for cell: String) -> String {
        func type(_ words: String, _ example: String) -> String {
            "write the limits into the types, as in `\(TypeNotation.correction(of: words + cell, for: .advice) ?? example)`, "
                + "and delete this column of the table"
        }
        switch self {
        case .length: return type("string, max ", "string(64)")
        case .range: return type("int, ", "int(0...100)")
        case .values: return type("one of: ", "enum(newest, popular)")
        case .sensitivity: return "write the header `privacy`, with `none`, `personal` or `sensitive` in its cells"
        }
    }
}

enum Spelling {
    /// Returns the words of a header or key in lower case, separated by single blanks. Parentheses are kept.
    static func plain(_ text: String) -> String {
        var plain = ""
        var previous: Unicode.Scalar = " "
        let shown = InlineMarkdown.withoutFootnotes(InlineMarkdown.plainText(text))
        for scalar in Confusable.seen(shown).unicodeScalars {
            let isUpper = scalar.properties.isUppercase
            if isUpper, previous.properties.isLowercase { plain += " " }
            previous = scalar
            switch scalar {
            case "?", "!", "*", ":", "~", "`", "\"", "'", "/", "\u{30FB}": break
            default: plain.unicodeScalars.append("_-\n\t".unicodeScalars.contains(scalar) ? " " : scalar)
            }
        }
        return Confusable.folded(plain).split(separator: " ").joined(separator: " ")
    }

    /// Returns the words before a remark in parentheses; nil if there is no remark.
    static func withoutRemark(_ plain: String) -> String? {
        guard let open = plain.firstIndex(where: { "([".contains($0) }), ")]".contains(plain.last ?? " ") else {
            return nil
        }
        return String(trimmed(plain[..<open]))
    }
}

/// The header row of a table that defines something.
struct TableHeader: Sendable {
    /// One kind per column of the table; nil if the format does not know the header.
    var kinds: [HeaderKind?]
    var texts: [String]

    init(_ texts: [String]) {
        self.texts = texts
        kinds = texts.map { HeaderKind($0) }
        // `description (ja)` next to `description` is an annotation.
        for (index, kind) in kinds.enumerated() where kind != nil {
            guard texts[index].utf8.last == UInt8(ascii: ")"), kinds.count(where: { $0 == kind }) > 1 else { continue }
            kinds[index] = nil
        }
    }

    /// Indicates whether every header is known as a whole and each has its own meaning, as in nearly every table.
    var isPlain: Bool {
        var seen: UInt16 = 0
        for (index, kind) in kinds.enumerated() {
            guard let kind = kind == .optional ? .required : kind, seen & 1 << kind.rawValue == 0,
                !isReadInPart(index)
            else { return false }
            seen |= 1 << kind.rawValue
        }
        return true
    }

    /// Returns whether a header is read without a part that may have a meaning: a strikethrough, a footnote or a remark.
    func isReadInPart(_ index: Int) -> Bool { "~])".utf8.contains(texts[index].utf8.last ?? 0) }
}
