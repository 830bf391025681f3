/// The meaning of a header cell, in English or Japanese.
package enum HeaderKind: Int, Sendable, CaseIterable {
    case column, type, required, description, example, privacy, since, deprecated, event, key, value, platforms

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
        case .deprecated: ["deprecated", "廃止"]
        case .event: ["event", "イベント"]
        case .key: ["key", "キー"]
        case .value: ["value", "値"]
        case .platforms: ["platforms", "対象"]
        }
    }

    private static let bySpelling: [String: HeaderKind] = Dictionary(
        allCases.flatMap { kind in kind.spellings.map { ($0, kind) } }, uniquingKeysWith: { first, _ in first })

    private static let allSpellings = bySpelling.keys.sorted()

    package init?(_ text: String) {
        if let kind = Self.bySpelling[text] ?? Self.bySpelling[text.lowercased()] { self = kind } else { return nil }
    }

    package static func nearest(to text: String) -> (kind: HeaderKind, spelling: String)? {
        // Invisible or full-width letters are a bigger difference than a typing error.
        let folded = Confusable.folded(String(String.UnicodeScalarView(text.unicodeScalars.filter { !ScalarNames.isInvisible($0) })))
        if let kind = bySpelling[folded], !folded.isExactly(text) { return (kind, kind.spellings.first { $0 == folded } ?? folded) }
        guard let spelling = nearestSpelling(of: text, among: allSpellings), let kind = bySpelling[spelling] else { return nil }
        return (kind, spelling)
    }
}

/// The header row of a table that defines something.
struct TableHeader: Sendable {
    /// One kind per column of the table; nil if the format does not know the header.
    var kinds: [HeaderKind?]
    var texts: [String]

    /// Whether every header is known and each has its own meaning. This is true for nearly every table.
    var isPlain: Bool {
        var seen: UInt16 = 0
        for kind in kinds {
            guard let kind, seen & 1 << kind.rawValue == 0 else { return false }
            seen |= 1 << kind.rawValue
        }
        return true
    }
}
