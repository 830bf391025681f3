import LogTypes

/// A value with its source string and place.
package struct SourceValue<Value: Sendable>: Sendable {
    package var value: Value
    package var text: String
    package var place: Place
}

/// The parsed rows of a details table.
///
/// This type contains everything about a key: its spellings, its values and their parsing.
package struct Details: Sendable {
    package enum Key: String, Sendable, CaseIterable {
        case owner, trigger, since, deprecated, expires, sampling, privacy, platforms
        case renamedFrom = "renamed from"
        case swift

        /// The accepted spellings, in lower case. The first English and the first Japanese one are canonical.
        var spellings: (english: [String], japanese: [String]) {
            switch self {
            case .owner: (["owner", "team", "maintainer", "contact"], ["担当", "担当者", "担当チーム", "所有者", "オーナー", "責任者"])
            case .trigger: (["trigger", "trigger condition"], ["発火条件", "トリガー", "トリガ", "トリガー条件"])
            case .since: (["since", "added in"], ["追加", "追加バージョン", "導入バージョン"])
            case .deprecated: (["deprecated", "obsolete"], ["非推奨", "廃止", "廃止予定"])
            case .expires: (["expires", "expiry", "expiration"], ["期限", "有効期限", "期限日"])
            case .sampling: (["sampling", "sample rate", "sampling rate"], ["サンプリング", "サンプル率", "サンプリング率"])
            case .privacy:
                (
                    [
                        "privacy", "pii", "is pii", "contains pii", "gdpr", "personal", "personal data",
                        "personal information",
                    ],
                    ["個人情報", "プライバシー", "個人データ", "個人情報か", "個人情報の有無"]
                )
            case .platforms: (["platforms", "platform", "os"], ["対象", "プラットフォーム", "対象os", "対応os"])
            case .renamedFrom:
                (
                    [
                        "renamed from", "was", "formerly", "renamed", "formerly known as", "former name", "old name",
                        "previous name",
                    ],
                    ["旧名", "旧称", "旧カラム名", "旧項目名", "旧パラメータ名", "旧イベント名", "以前の名前", "変更前"]
                )
            case .swift: (["swift"], [])
            }
        }

        /// The canonical Japanese spelling; nil if the key has only the English one, its raw value.
        package var japanese: String? { spellings.japanese.first }

        fileprivate var order: Int { Self.allCases.firstIndex(of: self) ?? 0 }

        /// Indicates whether the key belongs to types instead of categories and events.
        package var isOfTypes: Bool { self == .swift }

        private static let bySpelling = Spellings(allCases) { $0.spellings }

        package init?(spelling: String) {
            guard let key = Self.bySpelling[spelling] else { return nil }
            self = key
        }

        /// Returns the valid value that an invalid one means; nil if the meaning is uncertain.
        ///
        /// Examples: `10%` for `0.1`, `2026-04-01` for `2026/4/1`, `impression(80%)` for `Impression（80 %）`.
        func correction(of text: String) -> String? {
            let seen = String(trimmed(Confusable.seen(text)[...]))
            let meant: String?
            switch self {
            case .owner, .since, .deprecated, .renamedFrom, .swift: meant = seen
            case .trigger: meant = LogTrigger.correction(of: seen)
            case .expires: meant = DateNotation.correction(of: seen)
            case .sampling: meant = PercentageNotation.correction(of: seen)
            case .privacy, .platforms: meant = seen.lowercased()
            }
            guard let meant, !meant.isEmpty, !meant.isExactly(text), (try? read(meant)) != nil else { return nil }
            return meant
        }

        /// Parses a value. The type of the result depends on the key.
        func read(_ text: String) throws(TypeNotation.Failure) -> any Sendable {
            switch self {
            case .owner, .since, .deprecated, .renamedFrom: return text
            case .trigger: return try LogTrigger(parsing: text)
            case .expires:
                guard StringFormat.date.accepts(text) else {
                    throw .init(message: "`\(text)` is not a date", help: "write year, month and day: `2027-03-31`")
                }
                return text
            case .sampling:
                guard let share = PercentageNotation.fraction(text) else {
                    throw .init(
                        message: "`\(text)` is not a percentage from 0% to 100%",
                        help: "write a percentage such as `10%`")
                }
                return share
            case .privacy:
                guard let privacy = LogPrivacy(written: text) else {
                    throw .init(
                        message: "`\(text)` is not a privacy level", help: "write `none`, `personal` or `sensitive`",
                        misspelling: (text, LogPrivacy.allCases.map(\.rawValue)))
                }
                return privacy
            case .platforms: return try Platforms(written: text)
            case .swift:
                guard SwiftNames.canBeType(text) else {
                    throw .init(
                        message: "`\(text)` is not a Swift type",
                        help: "write the type's name, with its module: `MyModule.RecipeID`")
                }
                return text
            }
        }
    }

    private struct Entry: Sendable {
        var key: Key
        var value: any Sendable
        var text: String
        var place: Place
    }

    /// The entries in the order of `Key`.
    private var entries: [Entry] = []

    package init() {}

    // MARK: Values

    package var owner: SourceValue<String>? { written(.owner) }
    package var trigger: SourceValue<LogTrigger>? { written(.trigger) }
    package var since: SourceValue<String>? { written(.since) }
    /// The deprecation message.
    package var deprecated: SourceValue<String>? { written(.deprecated) }
    /// The last day, such as `2027-03-31`. The order of such strings is that of the days.
    package var expires: SourceValue<String>? { written(.expires) }
    /// The share of users whose events are kept, from 0 to 1.
    package var sampling: SourceValue<Double>? { written(.sampling) }
    package var privacy: SourceValue<LogPrivacy>? { written(.privacy) }
    package var platforms: SourceValue<Platforms>? { written(.platforms) }
    /// The former names of a category or an event, as written.
    var renamedFrom: SourceValue<String>? { written(.renamedFrom) }
    /// The app's own Swift type that replaces a type of `types.md`.
    package var swift: SourceValue<String>? { written(.swift) }

    private func written<Value>(_ key: Key) -> SourceValue<Value>? {
        guard let entry = entries.first(where: { $0.key == key }), let value = entry.value as? Value else { return nil }
        return SourceValue(value: value, text: entry.text, place: entry.place)
    }

    /// The values as written, with their keys.
    package var texts: [(key: Key, text: String)] { entries.map { ($0.key, $0.text) } }

    func place(of key: Key) -> Place? { entries.first { $0.key == key }?.place }

    var places: [(key: Key, place: Place)] { entries.map { ($0.key, $0.place) } }

    // MARK: Reading

    /// Sets the value of a key.
    package mutating func set(_ key: Key, to text: String, at place: Place) throws(TypeNotation.Failure) {
        guard !text.isEmpty else {
            throw .init(message: "`\(key.rawValue)` has no value", help: "write a value, or delete the row")
        }
        insert(Entry(key: key, value: try key.read(text), text: text, place: place))
    }

    private mutating func insert(_ entry: Entry) {
        entries.removeAll { $0.key == entry.key }
        entries.insert(entry, at: entries.firstIndex { $0.key.order > entry.key.order } ?? entries.endIndex)
    }

    /// Returns these details, completed by the values of `other` for missing keys. Former names are not inherited.
    func inheriting(_ other: Details) -> Details {
        var merged = other
        merged.entries.removeAll { $0.key == .renamedFrom }
        for entry in entries { merged.insert(entry) }
        return merged
    }
}

extension LogPrivacy {
    /// Parses a cell: `personal`, or a symbol such as `○`. Nil for other strings.
    package init?(written text: String) {
        switch text {
        case "○", "◯", "〇": self = .personal
        case "×", "✕": self = .none
        default: self.init(rawValue: text.lowercased())
        }
    }
}
