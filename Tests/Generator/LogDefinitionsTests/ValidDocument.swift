import TestSupport

struct ValidDocument {
    enum Kind: Equatable {
        case title, heading, header, delimiter, row, text, fence, fenceEnd, blank
    }

    var name: String
    var lines: [(text: String, kind: Kind)] = []

    var text: String { lines.map(\.text).joined(separator: "\n") + "\n" }

    mutating func add(_ text: String, _ kind: Kind) { lines.append((text, kind)) }

    mutating func table(_ rows: [[String]]) {
        for (number, row) in rows.enumerated() {
            add("| " + row.joined(separator: " | ") + " |", number == 0 ? .header : .row)
            if number == 0 { add("| " + row.map { _ in "---" }.joined(separator: " | ") + " |", .delimiter) }
        }
        add("", .blank)
    }

    mutating func prose(_ random: inout SeededGenerator) {
        switch Int.random(in: 0..<4, using: &random) {
        case 0:
            add("検索結果のレシピが表示された。", .text)
            add("", .blank)
        case 1:
            add("Shown to people, see `a | b` and #cooking.", .text)
            add("", .blank)
        case 2:
            add("```", .fence)
            add("let a = b | c", .text)
            add("```", .fenceEnd)
            add("", .blank)
        default: break
        }
    }

    static func run(_ random: inout SeededGenerator) -> [ValidDocument] {
        [category(&random), common(&random), types(&random)]
    }

    private static func headers(_ isJapanese: Bool) -> [String] {
        isJapanese ? ["カラム", "型", "説明"] : ["column", "type", "description"]
    }
    private static func details(_ isJapanese: Bool) -> [[String]] {
        isJapanese
            ? [["キー", "値"], ["担当", "@team"], ["追加", "1.0"]]
            : [["key", "value"], ["owner", "@team"], ["since", "1.0"]]
    }

    private static func category(_ random: inout SeededGenerator) -> ValidDocument {
        var document = ValidDocument(name: "search.md")
        let isJapanese = Bool.random(using: &random)
        document.add(isJapanese ? "# 検索 `search`" : "# search", .title)
        document.add("", .blank)
        document.prose(&random)
        if Bool.random(using: &random) { document.table(details(isJapanese)) }
        var columns: [(String, String)] = [
            ("recipe_id", "int64"), ("position", "int(0...)?"), ("keyword", "string(64)"), ("order", "ListOrder"),
            ("size", "enum(a, b)"),
        ]
        columns.shuffle(using: &random)
        if Int.random(in: 0..<3, using: &random) == 0 {
            var rows = [[isJapanese ? "イベント" : "event"] + headers(isJapanese)]
            for event in ["show", "hide", "open_all"] {
                for (number, column) in columns.prefix(Int.random(in: 1...3, using: &random)).enumerated() {
                    rows.append([number == 0 ? event : "", column.0, column.1, "説明 \(number)"])
                }
            }
            document.table(rows)
            return document
        }
        for event in ["show", "hide_recipe", "clear"] {
            document.add(isJapanese ? "## 表示 `\(event)`" : "## \(event)", .heading)
            document.add("", .blank)
            document.prose(&random)
            if Bool.random(using: &random) { document.table(details(isJapanese)) }
            let own = columns.prefix(Int.random(in: 1...4, using: &random))
            document.table([headers(isJapanese)] + own.map { [$0.0, $0.1, "説明"] })
            if Int.random(in: 0..<3, using: &random) == 0 {
                document.add("### History", .text)
                document.add("", .blank)
                document.add("Since the beginning: a | b.", .text)
                document.add("", .blank)
            }
        }
        return document
    }

    private static func common(_ random: inout SeededGenerator) -> ValidDocument {
        var document = ValidDocument(name: "common.md")
        document.add("# common", .title)
        document.add("", .blank)
        document.prose(&random)
        let isJapanese = Bool.random(using: &random)
        let columns = [
            ["user_id", "int64?", "ID"], ["device", "string(32)", "端末"], ["locale", "string(35 bytes)", ""],
            ["is_premium", "bool", "x"],
        ]
        document.table([headers(isJapanese)] + columns.prefix(Int.random(in: 2...4, using: &random)))
        return document
    }

    private static func types(_ random: inout SeededGenerator) -> ValidDocument {
        var document = ValidDocument(name: "types.md")
        document.add("# types", .title)
        document.add("", .blank)
        document.prose(&random)
        let isJapanese = Bool.random(using: &random)
        document.add("## ListOrder", .heading)
        document.add("", .blank)
        document.prose(&random)
        document.table([
            [isJapanese ? "値" : "value", isJapanese ? "説明" : "description"], ["newest", "新着順"], ["popular", "人気順"],
            ["near", ""],
        ])
        document.add("## RecipeID: int64", .heading)
        document.add("", .blank)
        document.add("## Device", .heading)
        document.add("", .blank)
        document.table([["key", "value"], ["swift", "Kitchen.Device"]])
        return document
    }
}
