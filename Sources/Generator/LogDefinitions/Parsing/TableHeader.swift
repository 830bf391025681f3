/// The meaning of a header cell, in English or Japanese.
package enum HeaderKind: Int, Sendable, CaseIterable {
    case column, type, required, description, example, privacy, since, deprecated, event, key, value, platforms,
        formerName

    /// The spellings; the canonical one comes first.
    package var spellings: [String] {
        switch self {
        case .column: ["column", "name", "カラム", "項目", "パラメータ"]
        case .type: ["type", "型"]
        case .required: ["required", "必須"]
        case .description: ["description", "説明"]
        case .example: ["example", "例"]
        case .privacy: ["privacy", "個人情報"]
        case .since: ["since", "追加"]
        case .deprecated: ["deprecated", "廃止", "非推奨"]
        case .event: ["event", "イベント"]
        case .key: ["key", "キー"]
        case .value: ["value", "値"]
        case .platforms: ["platforms", "対象"]
        case .formerName: ["renamed from", "was", "formerly", "旧名", "旧カラム名"]
        }
    }

    private static let bySpelling: [String: HeaderKind] = Dictionary(
        allCases.flatMap { kind in kind.spellings.map { ($0, kind) } }, uniquingKeysWith: { first, _ in first })

    /// Spellings of common headers. Other words are rarely misspelled ones of `was` or `旧名`.
    private static let allSpellings = bySpelling.filter { $0.value != .formerName }.keys.sorted()

    package init?(_ text: String) {
        if let kind = Self.bySpelling[text] ?? Self.bySpelling[text.lowercased()] { self = kind } else { return nil }
    }

    package static func nearest(to text: String) -> (kind: HeaderKind, spelling: String)? {
        // The edit distance alone would be too large: it counts invisible and full-width letters as differences.
        let written = ScalarNames.withInvisibleCharacters(text).unicodeScalars
        let folded = Confusable.folded(
            String(String.UnicodeScalarView(written.filter { !ScalarNames.isInvisible($0) })))
        if let kind = bySpelling[folded], !folded.isExactly(text) {
            return (kind, kind.spellings.first { $0 == folded } ?? folded)
        }
        guard let spelling = nearestSpelling(of: text, among: allSpellings), let kind = bySpelling[spelling] else {
            return nil
        }
        return (kind, spelling)
    }
}

extension HeaderKind {
    /// The known header with the same meaning as an unknown one, such as `required` for `mandatory`. Without a
    /// diagnostic, the cells below the unknown header would be read as annotations.
    struct Meaning {
        var kind: HeaderKind
        /// The spelling to write.
        var spelling: String
        /// A Boolean value that indicates whether the unknown header means the opposite, such as `optional` for
        /// `required`.
        var isOpposite = false
    }

    private static let meanings: [String: Meaning] = {
        func all(_ kind: HeaderKind, _ words: [String], isOpposite: Bool = false) -> [(String, Meaning)] {
            words.map { word in
                let isJapanese = word.unicodeScalars.contains { !$0.isASCII }
                return (
                    word,
                    Meaning(
                        kind: kind, spelling: kind.spellings[isJapanese ? kind.spellings.count - 1 : 0],
                        isOpposite: isOpposite)
                )
            }
        }
        let words =
            all(
                .required,
                ["mandatory", "is required", "is mandatory", "must", "not null", "必要", "必須項目", "必須か", "必須フラグ", "必須任意"])
            + all(
                .required,
                [
                    "optional", "nullable", "is optional", "is nullable", "null", "null ok", "任意", "省略可", "省略可能",
                    "null可", "null許容",
                ],
                isOpposite: true)
            + all(
                .privacy,
                [
                    "pii", "is pii", "contains pii", "privacy level", "privacy class", "personal", "personal data",
                    "personal information",
                    "sensitive", "sensitivity", "data classification", "gdpr", "プライバシー", "個人データ", "機密", "機密性", "機微情報",
                    "個人情報か", "個人情報の有無",
                ])
            + all(.platforms, ["platform", "os", "プラットフォーム", "対象os", "対応os"])
            + all(.deprecated, ["obsolete", "廃止予定"])
            + [
                "renamed", "old name", "former name", "previous name", "formerly known as", "旧称", "旧項目名",
                "旧パラメータ名", "変更前",
            ].map { word in
                let isASCII = word.utf8.allSatisfy { $0 < 0x80 }
                return (word, Meaning(kind: .formerName, spelling: HeaderKind.formerName.spellings[isASCII ? 0 : 3]))
            }
            + all(
                .column,
                [
                    "property", "property name", "parameter", "parameter name", "param", "field", "field name",
                    "attribute",
                    "attribute name", "column name",
                ])
            + all(.type, ["data type", "datatype", "value type", "property type", "parameter type"])
            + ["プロパティ", "プロパティ名", "パラメータ名", "パラメーター", "項目名", "カラム名", "属性", "属性名", "フィールド"].map {
                ($0, Meaning(kind: .column, spelling: HeaderKind.column.spellings[2]))
            } + ["データ型", "タイプ", "型名"].map { ($0, Meaning(kind: .type, spelling: HeaderKind.type.spellings[1])) }
        return Dictionary(words, uniquingKeysWith: { first, _ in first })
    }()

    /// Returns the known header with the same meaning as an unknown one, such as `required` for `mandatory`. Nil for
    /// other headers.
    static func meaning(of text: String) -> Meaning? {
        guard HeaderKind(text) == nil else { return nil }
        let folded = Confusable.folded(text).unicodeScalars.filter { !ScalarNames.isInvisible($0) || $0 == " " }.map {
            scalar -> Character in
            switch scalar {
            case "_", "-": " "
            default: Character(scalar)
            }
        }
        let signs: Set<Character> = ["?", "!", "*", ":", "/", "\u{30FB}", "(", ")"]
        let word = String(trimmed(Substring(String(folded.filter { !signs.contains($0) }))))
        if let kind = HeaderKind(word), [.required, .privacy, .platforms, .deprecated].contains(kind) {
            return Meaning(kind: kind, spelling: kind.spellings.first { $0 == word } ?? kind.spellings[0])
        }
        return meanings[word]
    }
}

/// The header row of a table that defines something.
struct TableHeader: Sendable {
    /// One kind per column of the table; nil if the format does not know the header.
    var kinds: [HeaderKind?]
    var texts: [String]

    /// A Boolean value that indicates whether every header is known and each has its own meaning. This is true for
    /// nearly every table.
    var isPlain: Bool {
        var seen: UInt16 = 0
        for kind in kinds {
            guard let kind, seen & 1 << kind.rawValue == 0 else { return false }
            seen |= 1 << kind.rawValue
        }
        return true
    }
}
