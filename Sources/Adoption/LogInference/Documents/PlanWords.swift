import LogDefinitions
import MarkdownSyntax

/// The meaning of a header in a plan's table, or of a label before a colon.
enum PlanHeader: Equatable {
    /// The name of an event, or of a property.
    case event, property
    /// A name of either: `Name`, `Key`.
    case name
    /// A list of properties in one cell. All are required, or all are optional, if the header has such a word.
    case properties(isRequired: Bool?)
    case type, required, optional, description, trigger, values, example, status, owner, platforms, since, privacy
    case category, title, number, deprecated
    case other(String)

    /// - Parameter isOfTable: whether the cell is a header of a table, so that `GA4 event` is a column of events.
    init?(_ cell: String, isOfTable: Bool = false) {
        let text = PlainText.normalized(cell, isOneLine: true)
        // `eventName` is `Event name`.
        let folded = PlanWords.folded(PlanNames.isName(text) ? Names.key(text) : text)
        guard !folded.isEmpty else { return nil }
        // `Event(s)`, `Payload (typical)`, `パラメータ（必須）`, `Event 1`
        var (base, remark) = PlanWords.withoutRemark(folded)
        base = String(trimmed(base[..<(base.lastIndex { !$0.isNumber }.map(base.index(after:)) ?? base.endIndex)]))
        let last = base.split(separator: " ").last.map(String.init) ?? ""
        let isAboutList =
            PlanWords.isOfList(last) || PlanWords.isAboutProperties(base) || base.hasPrefix("payload ")
        let isList = base != last && isAboutList && !PlanWords.isOfPeople(base)
        let known = PlanWords.isOfPeople(base) ? nil : Self.known(folded) ?? Self.known(base)
        if case .properties? = known ?? (isList ? .properties(isRequired: nil) : nil) {
            self = .properties(isRequired: PlanWords.requirement(base) ?? PlanWords.requirement(remark))
        } else if isOfTable, known == nil, let header = Self.event(base) {
            self = header
        } else if isOfTable, known == nil, ["parameter", "property", "dimension"].contains(last) {
            self = .property
        } else {
            self = known ?? .other(text)
        }
    }

    /// The meaning of `GA4 event`, `Evento lógico` and `Descripción del evento`.
    private static func event(_ folded: String) -> PlanHeader? {
        let words = folded.split(separator: " ").map(String.init)
        let isForeign =
            words.first.map { PlanWords[.event].contains($0) && !["event", "events"].contains($0) } ?? false
        guard let first = words.first, let last = words.last, isForeign || PlanWords[.event].contains(last) else {
            return nil
        }
        let header = isForeign ? nil : known(first)
        return header == .name ? .event : header ?? .event
    }

    var isList: Bool { if case .properties = self { true } else { false } }

    /// Indicates whether a table with this header has properties in its rows, and not events.
    var isOfProperties: Bool {
        [.property, .type, .required, .optional, .values, .example, .privacy].contains(self)
    }

    /// The words of definitions and of plans. In `event name`, `is required` and `possible values`, one word decides.
    private static func known(_ folded: String) -> PlanHeader? {
        if let header = words[folded] { return header }
        if let suffix = ["名", "名称"].first(where: folded.hasSuffix) {
            let base = String(folded.dropLast(suffix.count))
            if base.hasSuffix("イベント") || base.hasSuffix("イベント物理") { return .event }
            if PlanWords.endsWithProperties(base) { return .property }
        }
        let isOfProperties = PlanWords.endsWithProperties(folded) || PlanWords[.foreignProperties].contains(folded)
        if isOfProperties { return .properties(isRequired: nil) }
        if folded.hasSuffix(" event name") { return .event }
        switch HeaderKind(folded) {
        case .column: return .property
        case .type: return .type
        case .required: return .required
        case .optional: return .optional
        case .description: return .description
        case .example: return .example
        case .privacy: return .privacy
        case .since: return .since
        case .deprecated: return .deprecated
        case .event: return .event
        case .key: return .name
        case .value: return .values
        case .platforms: return .platforms
        case .formerName, nil: break
        }
        if Details.Key(spelling: folded) == .owner { return .owner }
        let parts = folded.split(separator: " ").map(String.init)
        if parts.allSatisfy(PlanWords[.trigger].contains) { return .trigger }
        guard parts.count > 1, let first = parts.first, let last = parts.last else { return nil }
        if ["name", "id", "key", "title", "이름"].contains(last) { return known(first) }
        if ["value", "values"].contains(last) { return ["sample", "example"].contains(first) ? .example : .values }
        let isQualified = parts.count == 2 && ["is", "event", "property", "data", "tracking"].contains(first)
        return isQualified ? known(last) : nil
    }

    private static let words: [String: PlanHeader] = {
        let groups: KeyValuePairs<PlanHeader, String> = [
            .event: """
            events, événement, evento, ereignis, событие, 이벤트, 이벤트명, 事件, 事件名, 事件名称, 埋点, 埋点名称, подія, \
            hendelse, händelse, gebeurtenis, zdarzenie, olay, sự kiện, log, 計測イベント, イベントid, \
            イベントキー, ログ名
            """,
            .property: """
            argument, property key, prop, arg, dimension, campo, propiedad, propriedade, propriété, proprietà, parámetro, \
            parâmetro, paramètre, parametro, eigenschaft, параметр, свойство, 字段, 字段名, 属性名, 参数名, 속성명, 필드, 引数, 列, 列名, \
            物理名, 変数名
            """,
            .name: "name, nombre, nome, nom, название, имя, key, id, identifier, 名前, 名称, キー",
            .properties(isRequired: nil): """
            properties, parameters, params, attributes, includes, payload, arguments, fields, columns, data, extra data, \
            metadata, props, args, measurements, プロパティ一覧, パラメータ一覧, データ, 数据字段, 付随情報, 付加情報, 送信項目, ペイロード
            """,
            .type: "format, 種別, тип, tipo, typ, 타입, 유형, 类型, 属性类型, 数据类型",
            .required: "presence, req, required property, 必須/任意",
            .description: """
            meaning, notes, note, comment, comments, details, definition, purpose, explanation, what it means, \
            remarks, описание, descripción, descrição, 설명, 描述, 说明, 備考, 概要, 内容, 意味, 詳細, コメント, 目的
            """,
            .values: "values, options, enum, value(s), 取りうる値, 取り得る値, 許容値, 設定値, 選択肢",
            .example: "examples, e.g, 예시, 示例, ejemplo, exemplo, пример, 設定例",
            .deprecated: "deprecation, replaced by, replacement",
            .status: "status, state, ステータス, 状態, 実装状況",
            .owner: "owned by, owner team",
            .platforms: "client, clients, 対象プラットフォーム",
            .since: "version, added, since version, introduced, バージョン",
            .privacy: "sensitive",
            .category: "category, categorie, catégorie, categoría, categoria, group, area, カテゴリ, カテゴリー, 分類",
            .title: "title, display name, label, 表示名, タイトル",
            .number: "#, no, 番号, №",
        ]
        let words = groups.flatMap { header, words in
            PlanWords.withoutAccents(words).components(", ").map { ($0, header) }
        }
        return Dictionary(words, uniquingKeysWith: { first, _ in first })
    }()
}

/// Words of plans, compared without case, width, accents, numbering and closing marks.
enum PlanWords {
    /// Replaces `é` by `e`, in lower case.
    static func withoutAccents(_ text: String) -> String {
        text.utf8.allSatisfy { $0 < 0x80 } ? text : String(text.map { accents[$0] ?? $0 })
    }

    private static let accents = Dictionary(
        uniqueKeysWithValues: zip("áàâãäåéèêëíìîïóòôõöúùûüçñ", "aaaaaaeeeeiiiiooooouuuucn"))

    static func folded(_ text: String) -> String {
        var words = withoutAccents(Confusable.folded(PlainText.normalized(text, isOneLine: true)))
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

    /// Returns the words between blanks.
    static func words(_ text: String) -> [String] { text.split(separator: " ").map(String.init) }

    /// Returns the words of letters and numbers.
    private static func letters(_ text: String) -> [String] {
        text.split { !$0.isLetter && !$0.isNumber }.map(String.init)
    }

    // MARK: Parts of an event

    static func endsWithProperties(_ folded: String) -> Bool { Self[.propertyEnding].contains(where: folded.hasSuffix) }

    /// Returns whether the properties of a heading or a header are required. Nil if it has no word for that.
    static func requirement(_ folded: String) -> Bool? {
        if ["optional", "任意"].contains(where: folded.hasPrefix) || folded.hasSuffix(" optional") { return false }
        return ["required", "mandatory", "必須"].contains(where: folded.hasPrefix) ? true : nil
    }

    /// Returns whether a heading names a part of the event above it, such as `Additional properties`.
    static func isPart(_ title: String) -> Bool {
        let (title, remark) = withoutRemark(folded(title))
        return Self[.headingAboveProperties].contains(title) || Self[.headingAboveFacts].contains(title)
            || isAboutProperties(title) || Self[.properties].contains(remark)
    }

    /// Returns whether a line introduces properties: `Properties:`, `Captured URL fields:`.
    static func introduces(_ line: String) -> Bool {
        // `Propiedades comunes: a, b` has its properties in the line.
        if folded(line).holds(": ") { return false }
        if isPart(line) { return !Self[.headingAboveFacts].contains(folded(line)) }
        let words = words(folded(line))
        guard let first = words.first, let last = words.last, [":", "："].contains(where: line.hasSuffix) else {
            return false
        }
        return words.count < 6
            && (Self[.properties].contains(last) || Self[.data].contains(first)
                || words.count < 3 && PlanHeader(line)?.isList ?? false)
    }

    /// Returns whether a title ends in a word such as `properties`. `Error fetching attributes` is an event.
    static func isAboutProperties(_ title: String) -> Bool {
        let words = words(title)
        guard let first = words.first, let last = words.last else { return false }
        let isShort = words.count < 3 || Self[.qualifier].contains(first) || Self[.shared].contains(first)
        return endsWithProperties(title) || words.count < 5 && words.contains(where: Self[.foreignProperties].contains)
            || isShort && Self[.properties].contains(last)
            || words.count < 4 && (Self[.titleEnding].contains(last) || Self[.dictionary].contains(last))
                && words.contains { Self[.properties].contains($0) || Self[.property].contains($0) }
    }

    /// Returns whether a heading is that of a list about the properties of several events: `Property dictionary`.
    static func isDictionary(_ title: String) -> Bool { Self[.dictionary].contains(where: folded(title).hasSuffix) }

    /// Returns whether a heading is about the properties of every event: `Global properties (sent with every event)`.
    static func isShared(_ title: String) -> Bool {
        let title = withoutRemark(folded(title)).text
        if Self[.sharedBeginning].contains(where: title.hasPrefix) { return true }
        let words = words(title)
        let isOfContext = words.count < 4 && words.contains(where: Self[.context].contains)
        return title.holds("共通") && endsWithProperties(title)
            || (isAboutProperties(title) || isOfContext) && words.contains(where: Self[.shared].contains)
                && !title.holds("optional")
    }

    /// Returns whether a heading's properties describe people or groups instead of events.
    static func isOfPeople(_ title: String) -> Bool {
        let title = withoutRemark(folded(title)).text
        if Self[.personBeginning].contains(where: title.hasPrefix) { return endsWithProperties(title) }
        let words = words(title)
        return words.count < 5 && words.contains(where: Self[.person].contains)
            && words.contains { Self[.trait].contains($0) || Self[.foreignProperties].contains($0) }
    }

    /// Returns whether text says that properties are those of every event: `sent with every event`, `All events must
    /// include:`.
    static func saysEveryEvent(_ text: String) -> Bool {
        let text = folded(text)
        if Self[.everyEvent].contains(where: { text.holds($0) }) { return true }
        return text.components(". ").contains { sentence in
            let words = sentence.split { !$0.isLetter }.map(String.init)
            return words.contains(where: Self[.containing].contains)
                && (words.first == "events"
                    && (words.last == "with" || words.prefix(2).contains(where: Self[.containingAll].contains))
                    || words.indices.contains { index in
                        ["every", "all", "each", "most"].contains(words[index])
                            && words[index...].dropFirst().prefix(3).contains { ["event", "events"].contains($0) }
                    })
        }
    }

    /// Returns the names in code that follow the verb of sentences such as `` Every event includes `build`, `locale`. ``
    static func namesInEveryEvent(_ markdown: String) -> [String] {
        markdown.components(". ").filter(saysEveryEvent).flatMap { sentence -> [String] in
            let parts = sentence.components("`")
            let before = letters(folded(parts[0]))
            guard let verb = before.last, Self[.containingAll].contains(verb),
                !before.contains(where: Self[.negation].contains)
            else { return [] }
            let names = parts.indices.filter { $0 % 2 == 1 }.map { parts[$0] }
            let areListed = parts.indices.dropFirst(2).filter { $0 % 2 == 0 }.allSatisfy { index in
                let text = trimmed(parts[index][...])
                return [",", ";", "and", "or", ", and", ", or"].contains(text) || text.hasPrefix("(")
                    || index == parts.count - 1 && !(text.first?.isLetter ?? false)
            }
            return areListed ? names.filter(Names.isIdentifier) : []
        }
    }

    // MARK: Chapters

    /// Returns whether a heading is that of a list of events: `Tracked events`.
    static func isListOfEvents(_ title: String) -> Bool {
        let words = words(folded(title))
        return words.contains { ["event", "events", "actions"].contains($0) }
            && words.allSatisfy(Self[.eventList].contains) || Self[.foreignEventList].contains(words.joined())
    }

    /// Returns whether a heading ends in a word for events: `Cart events`.
    static func endsInEvents(_ title: String) -> Bool {
        [" events", "イベント", "イベント一覧"].contains(where: folded(title).hasSuffix) || isListOfEvents(title)
    }

    /// Returns whether a label names events: `Checkout funnel`, `Global events`.
    static func isAboutEvents(_ label: String) -> Bool {
        // In `opt-in events`, `in` is part of a word.
        let words = withoutAccents(Confusable.folded(label)).split { !$0.isLetter && $0 != "-" }.map(String.init)
        guard let index = words.firstIndex(where: { Self[.event].contains($0) || $0.hasPrefix("funnel") }) else {
            return folded(label).hasSuffix("イベント")
        }
        let before = words[..<index]
        return !words.contains(where: isOfList) && !before.contains(where: Self[.negation].contains)
            && !(before.last.map(Self[.preposition].contains) ?? false)
    }

    /// Returns whether a word names properties, or a list of them.
    static func isOfList(_ word: String) -> Bool {
        Self[.properties].contains(word) || Self[.foreignProperties].contains(word)
            || ["payload", "keys"].contains(word)
    }

    /// Returns whether a title names a document of events, such as `Tracking plan`, and not their subject.
    static func isOfDocument(_ title: String) -> Bool {
        let words = letters(folded(title))
        return words.count > 3 || words.contains(where: Self[.document].contains)
            || Self[.partOfDocument].contains(where: title.holds)
    }

    /// Returns whether a heading in words is about the document, its set-up, or an object. Titles of events end in a
    /// verb.
    static func isAbout(_ title: String) -> Bool {
        let title = withoutRemark(title).text
        let words = letters(title)
        guard let last = words.last else { return false }
        return title.holds("set up") || Self[.about].contains(words.joined(separator: " "))
            || words.allSatisfy(Self[.about].contains) || words.count > 1 && Self[.object].contains(last)
            || words.count < 7
                && words.contains { word in
                    Self[.aboutAny].contains(word)
                        || !(word.first?.isASCII ?? true) && Self[.aboutAny].contains { word.holds($0) }
                }
    }

    /// Returns whether a title in words is a question or a sentence, such as `What is stored`.
    static func isSentence(_ title: String) -> Bool {
        title.holds(",") || Self[.question].contains(String(title.prefix { $0 != " " }))
    }

    // MARK: Cells

    static func isNone(_ text: String) -> Bool {
        let text = String(trimmed(Confusable.folded(text)[...]))
        return text.isEmpty || Self[.nothing].contains(text) || saysNone(text)
    }

    /// Returns whether properties are denied with a reason: `none — a restart`, `なし（共通のみ）`.
    static func isNoneWithRemark(_ text: String) -> Bool {
        let text = Confusable.folded(text)
        return ["none", "n/a", "なし", "(none)", "(no properties)", "(なし)"].contains { word in
            text.hasPrefix(word)
                && [" —", " –", " -", " (", "(", ".", ",", ";"].contains(where: text.dropFirst(word.count).hasPrefix)
        }
    }

    /// Returns whether the properties of an event are denied: `No additional properties`, `パラメータなし`.
    static func saysNone(_ text: String) -> Bool {
        let text = folded(text)
        let words = words(text)
        return words.first == "no" && words.count < 4 && Self[.properties].contains(words[words.count - 1])
            || text == "パラメータはありません" || text.hasSuffix("なし") && endsWithProperties(String(text.dropLast(2)))
    }

    /// Returns whether a cell has a phrase in place of a list of names: `See below`, `Same as cart_close`.
    static func isPointer(_ text: String) -> Bool {
        let words = words(folded(text))
        return words.count > 1 && ["see", "same", "as", "no", "none"].contains(words[0])
            || ["见", "見下", "下表", "下記", "아래"].contains(where: text.hasPrefix)
    }

    /// The state of an event or a property, from a status cell.
    static func retirement(_ text: String) -> (isRetired: Bool, isDeprecated: Bool) {
        let text = folded(text)
        let isRetired = !text.holds("廃止予定") && Self[.retired].contains(where: { text.holds($0) })
        return (isRetired, !isRetired && Self[.deprecated].contains(where: { text.holds($0) }))
    }

    /// Returns whether a mark such as `[obsolete]` is a state and nothing else.
    static func isState(_ mark: String) -> Bool {
        Self[.retired].contains(folded(mark)) || Self[.deprecated].contains(folded(mark))
    }

    /// Returns whether a word in parentheses is about the event before it: `tap`, `planned`, `iOS`, `v2`.
    static func isRemark(_ text: String) -> Bool {
        let word = folded(text)
        return Self[.remark].contains(word) || requirement(word) != nil || isNone(word) || isState(word)
            || (try? Platforms(written: text)) != nil
            || word.hasPrefix("v") && word.dropFirst().allSatisfy { $0.isNumber || $0 == "." }
    }

    // MARK: Lists

    enum List: String {
        case properties, property, foreignProperties, propertyEnding, headingAboveFacts, headingAboveProperties
        case titleEnding, dictionary, data, qualifier, shared, sharedBeginning, context, person, personBeginning, trait
        case everyEvent, containing, containingAll, allEvents, event, eventList, foreignEventList, negation, preposition
        case document, partOfDocument, about, aboutAny, object, question, nothing, ditto, deprecated, retired, remark,
            trigger
        case plainType, method, fileExtension, product
    }

    static subscript(_ list: List) -> Set<String> { lists[list] ?? [] }

    /// Underscores stand for blanks inside of a word.
    private static let lists: [List: Set<String>] = {
        let lists = withoutAccents(text).split(separator: "\n").compactMap { line -> (List, Set<String>)? in
            let words = line.split(separator: " ").map { $0.split(separator: "_").joined(separator: " ") }
            return List(rawValue: words[0]).map { ($0, Set(words.dropFirst())) }
        }
        return Dictionary(lists, uniquingKeysWith: { $0.union($1) })
    }()

    private static let text = """
        properties properties parameters params attributes fields columns props args
        property property parameter attribute field
        foreignProperties свойства параметры властивості параметри propiedades parámetros propriedades parâmetros
        foreignProperties propriétés paramètres proprietà parametri campos eigenschaften
        propertyEnding プロパティ パラメータ パラメーター 属性 屬性 参数 參數 속성 파라미터
        headingAboveFacts basics basic details detail summary definition event_name 基本情報 詳細 概要 イベント名
        headingAboveProperties property parameter payload schema arguments required optional data 項目
        titleEnding sent included captured collected passed attached tracked values types definitions list schema
        dictionary dictionary reference vocabulary vocabularies glossary catalog
        data data données datos dados данные daten
        qualifier required optional recommended additional custom typical possible available allowed suggested growth ga4 event key user super group
        shared common global shared super default base automatic standard universal comunes comuns comum común comune
        shared comuni commun communs общие
        sharedBeginning 共通 グローバル 全イベント 공통 公共 通用
        context metadata dimensions payload context envelope contract contrato
        person user users person people profile group identify usuario usuário usuarios usuários utilisateur nutzer
        person benutzer utente пользователя
        personBeginning ユーザ グループ 사용자 유저 用户
        trait properties property attributes traits parameters fields context identification
        everyEvent すべてのイベントに 全てのイベントに 全イベントに 全イベント共通 모든_이벤트에 所有事件 все_события всем_событиям
        everyEvent todos_los_eventos todos_os_eventos tous_les_evenements allen_events allen_ereignissen
        containing sent send included include includes attached on has have carry carries contain contains with share
        containing shared added require required requires need
        containingAll include includes carry carries have has contain contains require requires
        allEvents all_events every_event 全イベント すべてのイベント 全イベント共通
        event event events события событие eventos evento eventi événements événement ereignis 이벤트 事件 イベント
        eventList event events list of catalog catalogue reference definitions tracking tracked custom all analytics
        eventList track dictionary schema index overview names actions
        foreignEventList события eventos 이벤트 이벤트목록 イベント イベント一覧 イベントリスト イベント定義 計測イベント ログ一覧 ログ定義
        foreignEventList カスタムイベント トラッキングイベント
        negation no not never don non without except
        preposition in for to by on with from
        document analytics catalog catalogue dictionary document documentation event events guide instrumentation log
        document logging logs measurement metrics overview plan readme reference schema spec specification taxonomy
        document telemetry tracking
        partOfDocument 計測 イベント ログ 仕様 分析 設計 定義 一覧
        about overview introduction initialization limitations storage naming changes change_log notes implementation
        about usage references appendix contents table_of_contents toc rules background purpose questions how_to_use
        about getting_started history see_also resources license contributing privacy gdpr security compliance
        about validation architecture best_practices todo future tools requirements summary owners status
        about data_types types queries example format 目次 はじめに 概要 変更履歴 更新履歴 命名規則 補足 備考 用語集 目的 背景 注意 注意事項 参考
        about 使い方 運用 運用ルール
        about never_sent never_send never_tracked never_track never_collected never_collect
        aboutAny setup environment configuration config glossary states metrics metric kpis kpi installation deployment
        aboutAny troubleshooting debugging conventions convention changelog funnels funnel dashboards variables
        aboutAny checklist roadmap 네이밍 명명 변수 지표 指标 指標 метрики métricas métriques kennzahlen окружения secrets faq
        aboutAny 送らない 送信しない 収集しない
        aboutAny examples testing guidelines dimensions prerequisites legend utm 設定方法 環境変数 用語
        object object objects schema schemas model models structure format settings entity entities interface values
        object architecture processing baseline naming
        question what how where why when which who
        nothing - -- — – ー ― none (none) n/a na no nil null なし (なし) 無し 無 特になし 追加なし × x tbd tba todo 未定 {} 共通のみ
        nothing 없음 无 无参数 нет ninguno ninguna nenhum nenhuma nessuno nessuna keine aucun aucune none_yet
        nothing record<string,_never> standard_only
        ditto 同上 〃 " ″ ” 上記と同じ same_as_above ditto ↑
        deprecated deprecated deprecate 非推奨 廃止予定
        retired removed retired deleted obsolete 廃止 削除
        remark tap click swipe hover view impression show screen server server_side client client_side backend frontend
        remark auto automatic manual new planned draft beta legacy core conversion revenue critical important priority
        remark high medium low daily unique once all success onboarding implemented noparams no_params
        trigger trigger triggers triggered when fires fired fire it is to track sent condition timing 트리거 발화 发送时机
        trigger 触发时机 発火タイミング タイミング 送信タイミング トリガー トリガ 発火条件 送信条件 計測タイミング 発火 発生タイミング
        plainType string int integer bool boolean float double number int64 string[] uuid 文字列 数値 整数 真偽値
        method GET POST PUT PATCH DELETE HEAD
        fileExtension swift ts tsx js jsx mjs py md mdx json yml yaml kt java go rb rs cs php html css sh sql csv toml
        fileExtension xml png com net org io dev env lock txt vue dart rules
        product iOS iPadOS macOS tvOS watchOS visionOS GitHub GitLab JavaScript TypeScript PostHog BigQuery YouTube
        product LinkedIn GraphQL PostgreSQL MySQL OpenTelemetry AppsFlyer RevenueCat DataDog ClickHouse SwiftUI UIKit
        product NextJS WebSocket OpenAI e-mail DebugView localStorage sessionStorage dataLayer camelCase PascalCase
        product kebab-case
        """
}
