import LogDefinitions
import LogTypes

/// Descriptions of types, keys and triggers in the user's language.
struct TypeDescriptions {
    private let isJapanese: Bool

    /// - Parameter locale: the editor's locale, as a BCP 47 tag.
    init(_ locale: String) {
        isJapanese = locale.lowercased().split(whereSeparator: { $0 == "-" || $0 == "_" }).first == "ja"
    }

    private func said(_ english: String, _ japanese: String) -> String { isJapanese ? japanese : english }

    // MARK: Types

    func describe(_ type: LogValueType) -> String {
        switch type.form {
        case .string(let text):
            if let bytes = text.maxBytes {
                return said("a string of at most \(bytes) bytes of UTF-8", "UTF-8で\(bytes)バイト以内の文字列")
            }
            if let length = text.maxLength {
                return said("a string of at most \(length) characters", "\(length)文字以内の文字列")
            }
            return said("text", "文字列")
        case .integer(let integer):
            let range = integer.range
            return bounds(
                said("a whole number", "整数"),
                integer.bits == 64 && integer.minimum == nil ? nil : range.lowerBound.description,
                integer.bits == 64 && integer.maximum == nil ? nil : range.upperBound.description)
        case .number(let number):
            return bounds(
                number.bits == 32 ? said("a number of single precision", "単精度の数値") : said("a number", "数値"),
                number.minimum.map(TypeNotation.decimals),
                number.maximum.map(TypeNotation.decimals))
        case .boolean: return said("`true` or `false`", "`true`または`false`")
        case .format(let format): return said(format.explanation.english, format.explanation.japanese)
        case .enumeration(let enumeration):
            let values = enumeration.values
            let list =
                values.prefix(12).map { "`\($0)`" }.joined(separator: said(", ", "、")) + (values.count > 12 ? " …" : "")
            return values.isEmpty
                ? said("one of the values of a type of the app", "アプリ側の型の値") : said("one of \(list)", "\(list)のいずれか")
        case .array(let list):
            let items = describe(list.items)
            switch (list.minItems, list.maxItems) {
            case (nil, nil): return said("a list; each item: \(items)", "リスト。各要素は\(items)")
            case (let minimum?, nil):
                return said("a list of at least \(minimum) items; each: \(items)", "\(minimum)件以上のリスト。各要素は\(items)")
            case (nil, let maximum?):
                return said("a list of at most \(maximum) items; each: \(items)", "\(maximum)件以内のリスト。各要素は\(items)")
            case (let minimum?, let maximum?):
                return said(
                    "a list of \(minimum) to \(maximum) items; each: \(items)",
                    "\(minimum)〜\(maximum)件のリスト。各要素は\(items)")
            }
        case .named(let named):
            guard let base = named.base else { return said("a type of the app", "アプリ側の型") }
            return describe(base)
        }
    }

    private func bounds(_ what: String, _ minimum: String?, _ maximum: String?) -> String {
        switch (minimum, maximum) {
        case (nil, nil): what
        case (let minimum?, nil): said("\(what), \(minimum) or more", "\(minimum)以上の\(what)")
        case (nil, let maximum?): said("\(what), \(maximum) or less", "\(maximum)以下の\(what)")
        case (let minimum?, let maximum?):
            said("\(what) from \(minimum) to \(maximum)", "\(minimum)から\(maximum)までの\(what)")
        }
    }

    var optional: String { said("optional", "省略可") }
    var required: String { said("required", "必須") }

    // MARK: Tables

    func describe(_ header: HeaderKind) -> String {
        switch header {
        case .column: said("the column's name in records, such as `recipe_id`", "レコードでのカラム名(例 `recipe_id`)")
        case .type:
            said(
                "the type of the column's values, such as `string(256)` or `int64?`",
                "カラムに入る値の型(例 `string(256)`、`int64?`)")
        case .required:
            said("whether the column is required: `yes` or `no`; empty: as the type", "必須か(`必須`・`任意`)。空なら型の`?`に従う")
        case .description: said("the meaning of the column", "カラムの意味")
        case .example: said("an example value", "値の例")
        case .privacy: said("`none`, `personal` or `sensitive`", "`none`、`personal`、`sensitive`")
        case .since: said("the first version of the app that sends it", "最初に送ったアプリのバージョン")
        case .deprecated: said("the replacement", "代わりに使うもの")
        case .event: said("the event that a row belongs to; empty: as above", "行が属するイベント。空なら上と同じ")
        case .key: said("the name of a detail: `owner`, `trigger` …", "詳細の項目(`担当`、`発火条件`など)")
        case .value: said("a value", "値")
        case .formerName:
            said(
                "the former names, newest first; earlier records count as this column's", "以前の名前(新しい順)。過去の記録も今の名前で数える")
        case .platforms:
            said("the apps that send it: `ios`, `android`, `web`; empty: all", "送るアプリ(`ios`、`android`、`web`)。空ならすべて")
        }
    }

    func describe(_ key: Details.Key) -> String { said(key.explanation.english, key.explanation.japanese) }

    func describe(_ trigger: LogTrigger) -> String { said(trigger.explanation.english, trigger.explanation.japanese) }

    // MARK: Hover headings

    var accepts: String { said("Accepts", "値") }
    var version: String { said("Version", "バージョン") }
    var due: String { said("Due", "発火条件") }
    var owner: String { said("Owner", "担当") }
    var retired: String { said("Retired", "引退") }
    func uses(_ count: Int) -> String {
        said(count == 1 ? "Used by 1 column" : "Used by \(count) columns", "\(count)個のカラムで使用")
    }
}
