import LogDefinitions
import MarkdownSyntax

/// The meaning of a header in a plan's table, or of a label before a colon.
enum PlanHeader: Equatable {
    /// The name of an event, or of a property.
    case event, property
    /// A name of either: `Name`, `Key`.
    case name
    /// A list of properties in one cell. All are required, or all are optional, if the header says so.
    case properties(isRequired: Bool?)
    case type, required, optional, description, trigger, values, example, status, owner, platforms, since, privacy
    case category, title, isList, number, deprecated
    case other(String)

    /// - Parameter isOfTable: whether the text is the header of a table, so that `GA4 event` is a column of events.
    init?(_ cell: String, isOfTable: Bool = false) {
        let text = PlainText.normalized(cell, isOneLine: true)
        // `eventName` is `Event name`.
        let folded = PlanWords.folded(PlanNames.isName(text) ? Names.key(text) : text)
        guard !folded.isEmpty else { return nil }
        if let known = Self.words[folded] {
            self = known
            return
        }
        // `Event(s)`, `Payload (typical)`, `パラメータ（必須）`
        let (base, remark) = PlanWords.withoutRemark(folded)
        switch Self.words[base] ?? Self.list(base) ?? (isOfTable ? Self.ofTable(base) : nil) {
        case .properties(let isRequired): self = .properties(isRequired: isRequired ?? PlanWords.requirement(remark))
        case let known?: self = known
        case nil: self = .other(text)
        }
    }

    /// Returns whether a header is a known word, without its other forms.
    static func isWord(_ label: String) -> Bool { words[PlanWords.folded(label)] != nil }

    /// Reads headers such as `GA4 event`, `イベント名称` and `Event parameter`.
    private static func ofTable(_ folded: String) -> PlanHeader? {
        let words = folded.split(separator: " ").map(String.init)
        if words.count == 2, let last = words.last {
            if ["event", "events"].contains(last), !wordsBeforeOtherEvents.contains(words[0]) { return .event }
            if ["parameter", "param", "prop", "property", "dimension"].contains(last) { return .property }
        }
        if ["イベント名", "イベント名称", "イベント物理名", "event名"].contains(where: folded.hasSuffix) { return .event }
        return folded.hasSuffix("の型") ? .type : nil
    }

    private static let wordsBeforeOtherEvents: Set<String> = [
        "related", "parent", "previous", "next", "key", "conversion", "trigger", "triggering", "dom", "browser",
        "legacy",
        "old", "per", "success", "source",
    ]

    /// Reads headers such as `Recommended payload keys` and `主なパラメータ`.
    private static func list(_ folded: String) -> PlanHeader? {
        let last = folded.split(separator: " ").last.map(String.init) ?? ""
        let first = folded.split(separator: " ").first.map(String.init) ?? ""
        let isList =
            PlanWords.propertyWords.contains(last) || ["payload", "keys"].contains(last)
            || ["payload", "properties"].contains(first)
        guard (folded.utf8.contains(0x20) && isList) || PlanWords.endsWithProperties(folded) else {
            return nil
        }
        return .properties(isRequired: PlanWords.requirement(folded))
    }

    /// Indicates whether the cells are lists of properties.
    var isList: Bool { if case .properties = self { true } else { false } }

    /// Indicates whether a header says that the rows are properties and no events.
    var isOfProperties: Bool {
        switch self {
        case .property, .type, .required, .optional, .values, .example, .privacy, .isList: true
        default: false
        }
    }

    private static let words: [String: PlanHeader] = {
        let groups: KeyValuePairs<PlanHeader, [String]> = [
            .event: [
                "event", "event name", "event id", "event key", "events", "action", "action name", "log",
                "log name",
                "event title", "tracking event", "イベント", "計測イベント", "イベント名", "イベントid", "イベントキー", "アクション", "アクション名",
                "ログ名",
            ],
            .property: [
                "property", "property name", "parameter", "parameter name", "param", "param name", "field",
                "field name", "attribute", "attribute name", "column", "column name", "argument", "argument name",
                "event property", "property key", "項目", "項目名", "カラム", "カラム名", "引数", "フィールド",
                "フィールド名", "パラメータ名", "パラメーター名", "プロパティ名", "属性名", "列", "列名", "物理名", "変数名", "prop", "arg", "dimension",
            ],
            .name: ["name", "key", "id", "identifier", "名前", "名称", "キー"],
            .properties(isRequired: nil): [
                "properties", "parameters", "params", "attributes", "payload", "arguments", "fields", "columns",
                "data", "extra data", "metadata", "props", "args", "プロパティ一覧", "パラメータ一覧", "付随情報", "付加情報",
                "送信項目", "ペイロード",
            ],
            .type: [
                "type", "data type", "datatype", "value type", "property type", "format", "型", "データ型", "種別", "タイプ",
                "型名",
            ],
            .required: [
                "required", "is required", "mandatory", "presence", "req", "required property", "必須", "必須/任意",
                "必須任意",
                "必須か", "必要",
            ],
            .optional: ["optional", "is optional", "nullable", "任意", "省略可"],
            .description: [
                "description", "meaning", "notes", "note", "comment", "comments", "details", "definition",
                "purpose",
                "explanation", "what it means", "remarks", "event description", "property description", "説明", "備考",
                "概要", "内容", "意味", "詳細", "コメント", "目的",
            ],
            .trigger: [
                "trigger", "triggers", "when", "fires when", "fired when", "triggered when", "when fired",
                "when it fires", "when to fire", "when triggered", "when to track", "when sent", "sent when",
                "timing",
                "fires", "fired", "triggered", "trigger condition", "when is it fired", "発火タイミング", "タイミング",
                "送信タイミング",
                "トリガー", "トリガ", "発火条件", "送信条件", "計測タイミング", "発火", "発生タイミング",
            ],
            .values: [
                "values", "value", "possible values", "allowed values", "accepted values", "valid values",
                "options",
                "enum", "enum values", "value(s)", "値", "取りうる値", "取り得る値", "許容値", "設定値", "選択肢",
            ],
            .example: [
                "example", "examples", "sample", "sample value", "sample values", "example value", "example values",
                "e.g.", "例", "サンプル", "値の例", "サンプル値", "設定例",
            ],
            .deprecated: ["deprecated", "deprecation", "replaced by", "replacement", "非推奨"],
            .status: ["status", "state", "ステータス", "状態", "実装状況"],
            .owner: ["owner", "team", "owned by", "owner team", "担当", "担当者", "オーナー", "担当チーム", "責任者"],
            .platforms: [
                "platform", "platforms", "os", "client", "clients", "プラットフォーム", "対象os", "対応os", "対象プラットフォーム", "対象",
            ],
            .since: [
                "since", "version", "added", "added in", "since version", "introduced", "バージョン", "追加バージョン", "追加",
            ],
            .privacy: ["privacy", "pii", "sensitive", "personal data", "is pii", "個人情報", "個人情報か", "プライバシー"],
            .category: ["category", "group", "area", "カテゴリ", "カテゴリー", "分類"],
            .title: ["title", "display name", "label", "表示名", "タイトル"],
            .isList: ["is list", "is array", "list"],
            .number: ["#", "no", "no.", "番号", "№"],
        ]
        return Dictionary(
            groups.flatMap { header, words in words.map { ($0, header) } }, uniquingKeysWith: { first, _ in first })
    }()
}

/// Words of plans, in English and Japanese, compared without case, width, numbering and closing marks.
enum PlanWords {
    static func folded(_ text: String) -> String {
        var words = Confusable.folded(PlainText.normalized(text, isOneLine: true))
        while let last = words.unicodeScalars.last, "?:*. ".unicodeScalars.contains(last) {
            words.unicodeScalars.removeLast()
        }
        return words.unicodeScalars.split { $0 == " " || $0 == "_" || $0 == "-" }.map { String($0) }.joined(
            separator: " ")
    }

    /// Returns folded text without its remark in parentheses, and the remark.
    static func withoutRemark(_ folded: String) -> (text: String, remark: String) {
        guard let open = folded.firstIndex(of: "("), let close = folded[open...].firstIndex(of: ")") else {
            return (folded, "")
        }
        let text = folded[..<open] + folded[folded.index(after: close)...]
        return (Self.folded(String(text)), String(folded[folded.index(after: open)..<close]))
    }

    private static let headingsOfParts: Set<String> = [
        "property", "parameter", "payload", "basics", "basic", "details", "detail", "summary", "schema", "arguments",
        "required", "optional", "definition", "data", "基本情報", "詳細", "概要", "項目",
    ]

    private static let headingsAboveFacts: Set<String> = [
        "basics", "basic", "details", "detail", "summary", "definition", "基本情報", "詳細", "概要",
    ]

    /// Returns whether a heading names a part of the event above it, such as `Additional properties`.
    static func isPart(_ title: String) -> Bool {
        let title = withoutRemark(folded(title)).text
        return headingsOfParts.contains(title) || isAboutProperties(title)
    }

    /// Returns whether a line introduces properties: `Properties:`, `Captured URL fields:`.
    static func introduces(_ line: String) -> Bool {
        if isPart(line) { return !headingsAboveFacts.contains(folded(line)) }
        let words = folded(line).split(separator: " ").map(String.init)
        return words.count < 6 && [":", "："].contains(where: line.hasSuffix)
            && words.last.map(propertyWords.contains) ?? false
    }

    static func endsWithProperties(_ folded: String) -> Bool {
        ["プロパティ", "パラメータ", "パラメーター", "属性"].contains(where: folded.hasSuffix)
    }

    /// Returns whether a heading or a header says that its properties are required, or that they are optional.
    static func requirement(_ folded: String) -> Bool? {
        if ["optional", "任意"].contains(where: folded.hasPrefix) || folded.hasSuffix(" optional") { return false }
        return ["required", "mandatory", "必須"].contains(where: folded.hasPrefix) ? true : nil
    }

    private static func isAboutProperties(_ title: String) -> Bool {
        if endsWithProperties(title) { return true }
        let words = title.split(separator: " ").map(String.init)
        // `Error fetching attributes` is an event.
        let isShort = words.count < 3 || qualifiers.contains(words[0])
        return isShort && words.last.map { propertyWords.contains($0) } ?? false
    }

    static let propertyWords: Set<String> = [
        "properties", "parameters", "params", "attributes", "fields", "columns", "props", "args",
    ]
    private static let qualifiers: Set<String> = [
        "required", "optional", "recommended", "additional", "custom", "suggested", "growth", "ga4", "common", "global",
        "shared", "standard",
        "default",
        "event", "key", "user", "super", "group",
    ]

    /// Headings of a chapter that names no category.
    static let eventLists: Set<String> = [
        "events", "event", "event list", "list of events", "event catalog", "event catalogue", "event reference",
        "event definitions", "event tracking", "tracking events", "tracked events", "custom events", "all events",
        "analytics events", "track events", "event dictionary", "event schema", "events list", "event index",
        "event overview", "event names", "actions", "イベント", "イベント一覧", "イベントリスト", "イベント定義", "計測イベント", "ログ一覧", "ログ定義",
        "カスタムイベント", "トラッキングイベント",
    ]

    /// Headings of chapters about the document, which are not events, even next to events.
    static let prose: Set<String> = [
        "overview", "introduction", "naming", "naming convention", "naming conventions", "conventions", "changelog",
        "change log", "changes", "notes", "glossary", "implementation", "usage", "references", "appendix", "contents",
        "table of contents", "toc", "guidelines", "rules", "background", "purpose", "goals", "faq", "questions",
        "how to use", "getting started", "setup", "installation", "history", "see also", "resources", "license",
        "contributing", "privacy", "testing", "validation", "architecture", "best practices", "todo", "future",
        "tools", "requirements", "contact", "summary", "owners", "status", "data types", "types", "legend", "metrics",
        "kpis", "dashboards", "funnels", "funnel", "queries", "example", "examples", "format", "目次", "はじめに", "概要",
        "変更履歴", "更新履歴", "命名規則", "補足", "備考", "用語集", "目的",
        "背景", "注意", "注意事項", "参考", "使い方", "運用", "運用ルール",
    ]

    /// Returns whether a title names a document of events, such as `Tracking plan`, instead of what the events are
    /// about.
    static func isOfDocument(_ title: String) -> Bool {
        let words = folded(title).split { !$0.isLetter && !$0.isNumber }.map(String.init)
        return words.count > 3 || words.contains(where: documents.contains)
            || ["計測", "イベント", "ログ", "仕様", "分析", "設計", "定義", "一覧"].contains(where: title.holds)
    }

    private static let documents: Set<String> = [
        "analytics", "catalog", "catalogue", "dictionary", "document", "documentation", "event", "events", "guide",
        "instrumentation", "log", "logging", "logs", "measurement", "metrics", "overview", "plan", "readme",
        "reference", "schema", "spec", "specification", "taxonomy", "telemetry", "tracking",
    ]

    static func isShared(_ title: String) -> Bool {
        // `Global properties (sent with every event)`
        let title = withoutRemark(folded(title)).text
        if ["共通", "グローバル", "全イベント"].contains(where: title.hasPrefix) { return true }
        if title.holds("共通"), endsWithProperties(title) { return true }
        if title.holds("optional") { return false }
        let words = title.split(separator: " ").map(String.init)
        let isOfContext = words.last.map { ["metadata", "dimensions", "payload", "context", "envelope"].contains($0) }
        return (isAboutProperties(title) || isOfContext == true && words.count < 4)
            && words.contains {
                ["common", "global", "shared", "default", "base", "automatic", "standard", "universal"].contains($0)
            }
    }

    /// Returns whether a heading's properties describe people or groups instead of events.
    static func isOfPeople(_ title: String) -> Bool {
        let title = withoutRemark(folded(title)).text
        if ["ユーザ", "グループ"].contains(where: title.hasPrefix) {
            return ["プロパティ", "属性", "パラメータ"].contains(where: title.hasSuffix)
        }
        let words = title.split(separator: " ").map(String.init)
        return words.contains {
            ["super", "user", "users", "person", "people", "profile", "group", "identify"].contains($0)
        }
            && words.contains {
                ["properties", "property", "attributes", "traits", "parameters", "fields", "context"].contains($0)
            }
            && words.count < 5
    }

    static func isAction(_ header: String) -> Bool {
        ["action", "action name", "アクション", "アクション名"].contains(folded(header))
    }

    /// Returns whether the first header of a table says that its rows count events: `KPI`, `Stage`.
    static func usesEvents(_ header: String) -> Bool {
        let last = folded(header).split(separator: " ").last.map(String.init) ?? ""
        return [
            "metric", "metrics", "kpi", "stage", "step", "question", "goal", "funnel", "report", "dashboard", "指標",
            "問い",
        ].contains(last)
    }

    /// Returns whether a cell has `all events` in place of a name.
    static func namesAllEvents(_ text: String) -> Bool {
        ["all events", "every event", "全イベント", "すべてのイベント", "全イベント共通"].contains(folded(text))
    }

    /// Returns whether text says that properties are those of every event: `sent with every event`, `All events must
    /// include:`.
    static func saysEveryEvent(_ text: String) -> Bool {
        let text = folded(text)
        if ["すべてのイベントに", "全てのイベントに", "全イベントに", "全イベント共通"].contains(where: { text.holds($0) }) { return true }
        let words = text.split { !$0.isLetter }.map(String.init)
        return words.indices.contains { index in
            ["every", "all", "each", "most"].contains(words[index])
                && words[index...].dropFirst().prefix(3).contains { ["event", "events"].contains($0) }
        }
            && words.contains { verbs.contains($0) }
    }

    private static let verbs: Set<String> = [
        "sent", "send", "included", "include", "includes", "attached", "on", "has", "have", "carry", "carries",
        "contain",
        "contains", "with", "share", "shared", "added", "require", "requires", "need",
    ]

    private static let headingsWithoutDefinitions: Set<String> = [
        "setup", "environment", "configuration", "config", "glossary", "states", "metrics", "metric", "kpis", "kpi",
        "installation", "deployment", "troubleshooting", "debugging", "conventions", "convention", "changelog",
        "funnels",
        "funnel", "dashboards", "variables", "checklist", "roadmap", "faq", "examples", "testing", "guidelines",
        "dimensions",
        "prerequisites", "legend", "設定方法", "環境変数", "用語",
    ]

    private static let lastWordsOfObjectHeadings: Set<String> = [
        "object", "objects", "schema", "schemas", "model", "models", "types", "structure", "format", "settings",
        "entity", "entities", "interface", "values", "architecture", "processing",
        "baseline",
    ]

    /// Returns whether a heading in words is about the document, its set-up, or an object.
    static func isAbout(_ title: String) -> Bool {
        let title = withoutRemark(title).text
        let words = title.split { !$0.isLetter && !$0.isNumber }.map(String.init)
        return prose.contains(title) || title.holds("set up")
            || words.count > 1 && words.last.map(lastWordsOfObjectHeadings.contains) ?? false
            || (words.count < 7 && words.contains(where: headingsWithoutDefinitions.contains))
    }

    static func isNone(_ text: String) -> Bool {
        let text = trimmed(Confusable.folded(text)[...])
        return [
            "", "-", "--", "—", "–", "ー", "―", "none", "(none)", "n/a", "na", "no", "nil", "null", "なし", "(なし)", "無し",
            "無",
            "特になし", "追加なし", "×", "x", "tbd", "tba", "todo", "none yet", "未定", "{}", "record<string, never>",
            "standard only", "共通のみ",
        ].contains(String(text)) || saysNone(String(text))
    }

    /// Returns whether text says that there are no properties, and why: `none — a restart`, `なし（共通のみ）`.
    static func isNoneWithRemark(_ text: String) -> Bool {
        let text = Confusable.folded(text)
        return ["none", "n/a", "なし", "(none)", "(no properties)", "(なし)"].contains { word in
            guard text.hasPrefix(word) else { return false }
            let rest = text.dropFirst(word.count)
            return [" —", " –", " -", " (", "(", ".", ",", ";"].contains(where: rest.hasPrefix)
        }
    }

    /// Returns whether a paragraph says that an event has no properties.
    static func saysNone(_ text: String) -> Bool {
        let text = folded(text)
        return [
            "no properties", "no parameters", "no additional properties", "no additional parameters", "no attributes",
        ]
        .contains(text) || ["パラメータなし", "パラメーターなし", "プロパティなし", "属性なし", "パラメータはありません"].contains(text)
    }

    /// Returns whether a cell has a phrase in place of a list of names: `See below`, `Same as cart_close`.
    static func isPointer(_ text: String) -> Bool {
        let words = folded(text).split(separator: " ").map(String.init)
        return words.count > 1 && ["see", "same", "as", "no", "none"].contains(words[0])
    }

    static func repeatsAbove(_ text: String) -> Bool {
        ["同上", "〃", "\"", "″", "”", "上記と同じ", "same as above", "ditto", "↑"].contains(folded(text)) || text == "\""
    }

    /// The state of an event or a property, from a status cell.
    static func retirement(_ text: String) -> (isRetired: Bool, isDeprecated: Bool) {
        let text = folded(text)
        let isRetired = !text.holds("廃止予定") && retiredWords.contains(where: { text.holds($0) })
        return (isRetired, !isRetired && deprecatedWords.contains(where: { text.holds($0) }))
    }

    /// Returns whether a mark such as `[obsolete]` is a state and nothing else.
    static func isState(_ mark: String) -> Bool { (retiredWords + deprecatedWords).contains(folded(mark)) }

    private static let deprecatedWords = ["deprecated", "deprecate", "非推奨", "廃止予定"]
    static let retiredWords = ["removed", "retired", "deleted", "obsolete", "廃止", "削除"]
}
