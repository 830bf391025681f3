import Foundation
import TestSupport
import Testing

/// Tests of renames through the command, with the article's sample.
struct RenameTests {
    private static let article = Tool.repository.appendingPathComponent(
        "Sources/Generator/loggen/Documentation.docc/Renames.md")

    private static func blocks(_ language: String) throws -> [String] {
        let text = try String(contentsOf: article, encoding: .utf8)
        return text.components(separatedBy: "\n```\(language)\n").dropFirst().map {
            $0.components(separatedBy: "```")[0]
        }
    }

    private static let before = "# shop\n\n## buy\n\n| column | type |\n| --- | --- |\n| key | int64 |\n"

    private static func record(_ month: Int, _ number: Int, isNew: Bool) -> String {
        let id = "018f0000-0000-7000-8000-0000000" + (isNew ? "1" : "0") + String(format: "%02d%02d", month, number)
        let (event, version, column) = isNew ? ("purchase", "2-0-0", "item_id") : ("buy", "1-0-0", "key")
        let day = "2026-\(String(format: "%02d", month))-10T00:00:00.000Z"
        return
            #"{"event_id":"\#(id)","event_category":"shop","event_name":"\#(event)","schema_version":"\#(version)","occurred_at":"\#(day)","\#(column)":\#(number)}"#
            + "\n"
    }

    /// The records of a year: 8 in January and one more in each month. From July, more and more apps are new.
    private static let year: String = (1...12).flatMap { month in
        let new = month < 7 ? 0 : [3, 6, 8, 11, 14, 17][month - 7]
        return (0..<(7 + month)).map { record(month, $0, isNew: $0 < new) }
    }.joined()

    private func locked() throws -> Scratch {
        let scratch = try Scratch(["Definitions/shop.md": Self.before, "Definitions/loggen.yml": "outputs: {}\n"])
        try scratch.expect("lock Definitions")
        try scratch.write(Self.year, to: "year.ndjson")
        return scratch
    }

    private func months(_ scratch: borrowing Scratch) throws -> [Int] {
        try scratch.expect("validate Definitions year.ndjson --split rows")
        let rows = try scratch.read("rows/shop__purchase.ndjson")
        #expect(!rows.contains("\"key\"") && !rows.contains("\"buy\""))
        return (1...12).map { month in
            rows.components(separatedBy: "\n").count { $0.contains("\"2026-\(String(format: "%02d", month))-") }
        }
    }

    @Test("The article's check and chart are those of its sample")
    func article() throws {
        let document = try #require(try Self.blocks("markdown").first)
        let texts = try Self.blocks("text")
        let scratch = try locked()
        try scratch.write(document, to: "Definitions/shop.md")
        let check = try scratch.expect("check Definitions", code: 1)
        #expect(check.error.hasPrefix(try #require(texts.first)), "\(check.error)")
        try scratch.expect("lock Definitions --accept")
        try scratch.expect("check Definitions")
        let after = try months(scratch)

        // The same change without former names: the records of `buy` are not in the table.
        let other = try locked()
        let unmarked = "# shop\n\n## purchase\n\n| column | type |\n| --- | --- |\n| item_id | int64 |\n\n## ~~buy~~\n"
        try other.write(unmarked, to: "Definitions/shop.md")
        try other.expect("lock Definitions --accept")
        try other.write(Self.year.replacingOccurrences(of: "\"2-0-0\"", with: "\"1-0-0\""), to: "year.ndjson")
        let before = try months(other)

        let names = ["Jan", "Feb", "Mar", "Apr", "May", "Jun", "Jul", "Aug", "Sep", "Oct", "Nov", "Dec"]
        func bar(_ count: Int) -> String { count == 0 ? "" : String(repeating: "█", count: count) + " \(count)" }
        var chart = "     without a former name   with one\n"
        for (month, name) in names.enumerated() {
            let left = bar(before[month])
            chart += "\(name)  \(left)" + String(repeating: " ", count: 24 - left.count) + bar(after[month]) + "\n"
        }
        #expect(texts.last == chart, "\(chart)")
    }

    @Test("Coverage counts the records of former names for the heir")
    func coverage() throws {
        let scratch = try locked()
        try scratch.write(try #require(try Self.blocks("markdown").first), to: "Definitions/shop.md")
        try scratch.expect("lock Definitions --accept")
        let result = try scratch.loggen("validate Definitions year.ndjson --coverage")
        #expect(result.out == "shop.purchase: 162 records\n  item_id: always filled\n")
    }

    @Test("A row of an earlier version has the current values of enumerations, also in lists")
    func values() throws {
        let types = "# types\n\n## Order\n\n| value | renamed from |\n| --- | --- |\n"
        func shop(_ sort: String) -> String {
            "# shop\n\n## buy\n\n| column | type |\n| --- | --- |\n| order | Order |\n| orders | [Order]? |\n"
                + "| sort | \(sort) |\n"
        }
        let scratch = try Scratch([
            "D/shop.md": shop("string"),
            "D/loggen.yml": "outputs: {}\n",
            "D/types.md": types + "| newest | |\n| 人気 | |\n",
        ])
        try scratch.expect("lock D")
        try scratch.write(types + "| latest | newest |\n| popular | 人気 |\n", to: "D/types.md")
        try scratch.write(shop("Order"), to: "D/shop.md")
        try scratch.expect("lock D --accept")
        let record =
            #"{"event_id":"018f0000-0000-7000-8000-000000000001","event_category":"shop","event_name":"buy","schema_version":"1-0-0","occurred_at":"2026-01-10T00:00:00.000Z","order":"newest","orders":["\u4eba気","newest"],"sort":"newest"}"#
        try scratch.write(record + "\n", to: "r.ndjson")
        try scratch.expect("validate D r.ndjson --split rows")
        let row = try scratch.read("rows/shop__buy.ndjson")
        #expect(row.hasSuffix(#""order":"latest","orders":["popular","latest"],"sort":"latest"}"# + "\n"), "\(row)")
        let bad = try Tool.run(
            "validate", "D", "-", in: scratch.url,
            input: record.replacingOccurrences(of: "1-0-0", with: "2-0-0") + "\n")
        #expect(bad.code == 1 && bad.out.contains("order"), "\(bad.out)")

        // The columns are deleted or have another type, and then the type is deleted.
        try scratch.write("# shop\n\n## buy\n\n| column | type |\n| --- | --- |\n| order | string |\n", to: "D/shop.md")
        try scratch.expect("lock D --accept")
        for isDefined in [true, false] {
            if !isDefined { try scratch.write("# types\n", to: "D/types.md") }
            try scratch.expect("validate D r.ndjson --split rows --force")
            let row = try scratch.read("rows/shop__buy.ndjson")
            #expect(row.contains(#""order":"latest","orders":["popular","latest"]"#), "\(isDefined): \(row)")
        }
    }

    @Test("A column that has another enumeration keeps the values of old records")
    func otherEnumeration() throws {
        let table = "| column | type |\n| --- | --- |\n"
        let scratch = try Scratch([
            "D/shop.md": "# shop\n\n## buy\n\n\(table)| c | Color |\n| d | Color |\n",
            "D/types.md": "# types\n\n## `Color`\n\n| value |\n| --- |\n| red |\n| blue |\n",
        ])
        try scratch.expect("lock D")
        let record =
            #"{"event_id":"01a202f1-dc16-771e-93ee-5dda567abac5","event_category":"shop","event_name":"buy","#
            + #""schema_version":"1-0-0","occurred_at":"2026-11-22T11:08:54.678Z","c":"red","d":"red"}"#
        try scratch.write(record + "\n", to: "r.ndjson")
        try scratch.write(
            "# types\n\n## `Color`\n\n| value | renamed from |\n| --- | --- |\n| crimson | red |\n| blue | |\n\n"
                + "## `Paint`\n\n| value |\n| --- |\n| red |\n| green |\n", to: "D/types.md")
        try scratch.write("# shop\n\n## buy\n\n\(table)| c | Paint |\n| d | enum(red, x) |\n", to: "D/shop.md")
        try scratch.expect("lock D --accept")
        try scratch.expect("validate D r.ndjson --split rows")
        #expect(try scratch.read("rows/shop__buy.ndjson").contains(#""c":"red","d":"red""#))
    }

    @Test("The dbt package has models with former names on request, which read the current models")
    func models() throws {
        let scratch = try renamed()
        for (setting, isThere) in [("", false), (", former-names: models", true)] {
            try scratch.write("outputs:\n  dbt: {dialect: duckdb\(setting)}\n", to: "Definitions/loggen.yml")
            try scratch.expect("generate Definitions --output G")
            let query = try? scratch.read("G/dbt/models/log_shop__buy.sql")
            let expected =
                "select\n    *,\n    \"item_id\" as \"key\"\nfrom {{ ref('log_shop__purchase') }}\n"
            #expect(query?.hasSuffix(expected) ?? false == isThere, "\(query ?? "")")
        }
    }

    private func renamed() throws -> Scratch {
        let scratch = try locked()
        try scratch.commit()
        try scratch.write(try #require(try Self.blocks("markdown").first), to: "Definitions/shop.md")
        try scratch.expect("lock Definitions --accept")
        return scratch
    }

    @Test("A review names the readers of former names with the current names, and no reader of those")
    func readers() throws {
        let scratch = try renamed()
        try scratch.write("select key from shop__buy\n", to: "queries/old.sql")
        try scratch.write("select item_id from shop__purchase\n", to: "queries/new.sql")
        let result = try scratch.loggen("review Definitions --base HEAD --consumers queries")
        #expect(
            result.out.contains(
                "breaks query `old`: `queries/old.sql:1:17` reads `shop__buy` (now `shop__purchase`), "
                    + "`queries/old.sql:1:8` reads `key` (now `item_id`)"), "\(result.out)")
        #expect(!result.out.contains("`new`"), "\(result.out)")
    }

    @Test("`impact` accepts former names, and finds statements that still read them")
    func impact() throws {
        let scratch = try renamed()
        try scratch.write("select key from shop__buy\n", to: "queries/old.sql")
        for subject in ["shop.buy.key", "shop.purchase.key", "shop.purchase.item_id"] {
            let result = try Tool.run("impact", subject, "Definitions", "--consumers", "queries", in: scratch.url)
            #expect(
                result.out == "shop.purchase.item_id: 1 reader\n  queries/old.sql:1:8: query old reads `key`\n",
                "\(subject): \(result.out)\(result.error)")
        }
    }

    @Test("The catalogue names the former names, their last version, and the changes of versions")
    func catalogue() throws {
        let scratch = try renamed()
        try scratch.expect("generate Definitions --only catalogue --output G")
        let pages = try scratch.files().filter { $0.key.hasPrefix("G/") && $0.key.hasSuffix(".html") }
        let page = String(decoding: try #require(pages.values.first), as: UTF8.self)
        #expect(page.contains("\"formerly\": \"shop.buy, until 1-0-0\""))
        #expect(page.contains("\"formerly\": \"key, until 1-0-0\""))
        #expect(page.contains("is renamed from `shop.buy`") && page.contains("is renamed from `key`"))
    }

    @Test("A former call is declared once in a type, and has no fix-it if a label is `self`")
    func formerCallsOfOneType() throws {
        func details(_ former: String) -> String {
            "| key | value |\n| --- | --- |\n| renamed from | \(former) |\n\n"
        }
        func columns(_ name: String, _ former: String) -> String {
            "| column | type | renamed from |\n| --- | --- | --- |\n| \(name) | int? | \(former) |\n"
        }
        let market = "# market\n\n" + details("store")
        let scratch = try Scratch([:])
        for (file, text) in [
            ("store", "# store\n\n## buy\n\n" + columns("phase", "")),
            ("market", market + "## buy\n\n" + columns("phase", "")),
            ("market", market + "## buy\n\n" + columns("mode", "phase")),
            ("market", market + "## purchase\n\n" + details("buy") + columns("self", "mode, phase")),
        ] {
            try? scratch.remove("D/store.md")
            try scratch.write(text, to: "D/\(file).md")
            try scratch.expect("lock D --accept")
        }
        try scratch.expect("generate D --only swift --output G")
        let swift = try scratch.files().filter { $0.key.hasSuffix("Market.swift") }.map {
            String(decoding: $0.value, as: UTF8.self)
        }.joined()
        #expect(swift.components(separatedBy: "static func buy(phase:").count == 2, "\(swift)")
        #expect(swift.contains(#"@available(*, unavailable, message: "renamed to 'purchase(self:)'")"#), "\(swift)")
    }

    @Test("The dump has the former names of events and columns")
    func dump() throws {
        let scratch = try locked()
        try scratch.write(try #require(try Self.blocks("markdown").first), to: "Definitions/shop.md")
        let dump = try scratch.loggen("dump Definitions").out
        #expect(dump.contains(#""formerNames": ["shop.buy"]"#) && dump.contains(#""formerNames": ["key"]"#), "\(dump)")
    }

    @Test("Kotlin and TypeScript refuse former calls, and Swift offers the current ones")
    func languages() throws {
        let scratch = try renamed()
        try scratch.write(
            "outputs:\n  swift: {}\n  kotlin: {package: com.example}\n  typescript: {}\n", to: "Definitions/loggen.yml")
        try scratch.expect("generate Definitions --output G")
        let texts = try scratch.files().filter { $0.key.hasPrefix("G/") }.values.map {
            String(decoding: $0, as: UTF8.self)
        }.joined()
        for line in [
            #"@available(*, unavailable, renamed: "purchase(itemId:)")"#,
            "public static func buy(key: Int64) -> Shop { fatalError() }",
            #"@Deprecated("Renamed to `purchase`.", ReplaceWith("Shop.Purchase(itemId = key)"), DeprecationLevel.ERROR)"#,
            #"@Deprecated("Renamed to `item_id`.", ReplaceWith("itemId"), DeprecationLevel.ERROR)"#,
            "export const buy: never = undefined as never;", "readonly key?: never;",
        ] {
            #expect(texts.contains(line), "\(line)")
        }
    }

    @Test("The help for a probable rename proposes the former name of a column or an event")
    func help() throws {
        let scratch = try locked()
        try scratch.write(Self.before.replacingOccurrences(of: "| key", with: "| item_id"), to: "Definitions/shop.md")
        #expect(
            try scratch.loggen("check Definitions").error.contains(
                "help: if `item_id` continues `key`, write `key` into a column `renamed from` of its row\n"))
        try scratch.write(Self.before.replacingOccurrences(of: "## buy", with: "## order"), to: "Definitions/shop.md")
        #expect(
            try scratch.loggen("check Definitions").error.contains(
                "help: if it continues `shop.buy`, write `| renamed from | buy |` into its details"))
    }

    @Test(
        "The help for a probably renamed category proposes its former name, also of many events", arguments: [1, 600])
    func categoryHelp(_ events: Int) throws {
        func document(_ category: String, _ details: String = "") -> String {
            "# \(category)\n\n\(details)" + (1...events).map { "## event_\($0)\n\n" }.joined()
        }
        let scratch = try Scratch(["D/shop.md": document("shop"), "D/loggen.yml": "outputs: {}\n"])
        try scratch.expect("lock D")
        try scratch.remove("D/shop.md")
        try scratch.write(document("store"), to: "D/store.md")
        try scratch.expect(
            "check D", code: 1,
            error:
                "help: if `store` continues the category `shop`, write `| renamed from | shop |` into its details: a "
                + "table below its description that begins with `| key | value |` and `| --- | --- |`; then accept")
        let details = "| key | value |\n| --- | --- |\n| renamed from | shop |\n\n"
        try scratch.write(document("store", details), to: "D/store.md")
        try scratch.expect("lock --accept D")
        try scratch.expect("check D")
    }

    @Test("`sampling-key` may name a common column by its former name, which is no change of the key")
    func samplingKey() throws {
        let common = "# common\n\n| column | type | renamed from |\n| --- | --- | --- |\n"
        let scratch = try Scratch([
            "D/common.md": common + "| uid | string | |\n", "D/loggen.yml": "outputs: {}\nsampling-key: uid\n",
            "D/shop.md": "# shop\n\n## buy\n\n| key | value |\n| --- | --- |\n| sampling | 10% |\n",
        ])
        try scratch.expect("lock D")
        try scratch.write(common + "| user_id | string | uid |\n", to: "D/common.md")
        let check = try scratch.loggen("check D")
        #expect(check.error.contains("the common column `user_id` is renamed from `uid`"), "\(check.error)")
        #expect(!check.error.contains("sampling"), "\(check.error)")
        try scratch.expect("lock D --accept")
        #expect(
            String(decoding: try #require(try scratch.files()["D/loggen.lock"]), as: UTF8.self).contains(
                "@sampling-key=user_id +user_id:string ~+uid=user_id"))
    }

    @Test("The migration of a rename is one transaction, with views under the former names")
    func migration() throws {
        let scratch = try renamed()
        let result = try scratch.loggen("sql Definitions --dialect duckdb --from HEAD --views")
        let statements = result.out.components(separatedBy: ";\n").map {
            $0.trimmingCharacters(in: .whitespacesAndNewlines)
        }
        #expect(
            statements.drop { !$0.hasSuffix("BEGIN") }.dropFirst().filter { !$0.isEmpty } == [
                #"ALTER TABLE "shop__buy" RENAME TO "shop__purchase""#,
                #"ALTER TABLE "shop__purchase" RENAME COLUMN "key" TO "item_id""#,
                #"DROP VIEW IF EXISTS "shop__buy""#,
                #"CREATE VIEW "shop__buy" AS SELECT "event_id", "schema_version", "occurred_at", "sampling_rate", "item_id", "item_id" AS "key" FROM "shop__purchase""#,
                "COMMIT",
            ], "\(result.out)")
    }

    @Test("A view whose former column has values of several types has them as text, and a later migration names it")
    func viewOfSeveralTypes() throws {
        func event(_ name: String, _ columns: String, _ row: String) -> String {
            "## \(name)\n\n| \(columns) |\n|\(String(repeating: " --- |", count: columns.split(separator: "|").count))\n\(row)\n\n"
        }
        let sell = event("sell", "column | type", "| amount | int |")
        let scratch = try Scratch([
            "D/shop.md": "# shop\n\n" + event("buy", "column | type", "| amount | int |") + sell,
            "D/loggen.yml": "outputs: {}\nrules: {column-type: off}\n",
        ])
        try scratch.expect("lock D")
        try scratch.commit()
        func renamed(_ type: String) -> String {
            event("buy", "column | type | renamed from", "| price | \(type) | amount |")
        }
        for type in ["int", "string"] {
            try scratch.write("# shop\n\n" + renamed(type) + sell, to: "D/shop.md")
            try scratch.expect("lock D --accept")
        }
        func migration(_ options: String...) throws -> Tool.Result {
            let arguments = ["sql", "D", "--dialect", "postgresql", "--tables", "category", "--from", "HEAD"]
            return try Tool.run(arguments + options, in: scratch.url)
        }
        let views = try migration("--views")
        #expect(
            views.out.contains(#"THEN CAST("price" AS TEXT) ELSE CAST("amount" AS TEXT) END AS "amount""#),
            "\(views.out)\(views.error)")
        #expect(!views.out.contains("with `--views`"))
        try scratch.commit()
        try scratch.write(
            "# shop\n\n" + renamed("string") + sell + event("swap", "column | type", "| count | int |"), to: "D/shop.md"
        )
        #expect(try migration().out.contains("-- If there are views under former names, print these statements with"))
    }

    @Test("Former names that are current ones in Swift and Kotlin are not declared")
    func formerNamesOfCurrentIdentifiers() throws {
        let scratch = try Scratch([
            "D/page_2.md": "# page_2\n\n## ev\n\n| column | type |\n| --- | --- |\n| address_1 | int |\n",
            "D/common.md": "# common\n\n| column | type |\n| --- | --- |\n| user_1 | int |\n",
            "D/loggen.yml": "outputs:\n  swift: {}\n  kotlin: {package: com.example}\n",
        ])
        try scratch.expect("lock D")
        try scratch.remove("D/page_2.md")
        let columns = "| column | type | renamed from |\n| --- | --- | --- |\n"
        try scratch.write(
            "# page2\n\n| key | value |\n| --- | --- |\n| renamed from | page_2 |\n\n## ev\n\n" + columns
                + "| street | int | address_1 |\n| address1 | int? | |\n", to: "D/page2.md")
        try scratch.write(
            "# common\n\n" + columns + "| member | int | user_1 |\n| user1 | int? | |\n", to: "D/common.md")
        try scratch.expect("lock D --accept")
        try scratch.expect("generate D --output G")
        let texts = try scratch.files().filter { $0.key.hasPrefix("G/") }.values.map {
            String(decoding: $0, as: UTF8.self)
        }.joined()
        for wrong in [
            "typealias Page2 = Page2", "address1: Int, address1", "address1: Long, address1", "user1: Int, user1",
            "user1: Long, user1",
        ] { #expect(!texts.contains(wrong), "\(wrong)") }
        #expect(texts.contains("street: Int") && texts.contains("street: Long") && texts.contains("member: Int"))
    }

    // MARK: Several former names

    private static func event(_ name: String, _ rows: String, from former: String? = nil) -> String {
        "## \(name)\n\n" + (former.map { "| key | value |\n| --- | --- |\n| renamed from | \($0) |\n\n" } ?? "")
            + "| column | type | renamed from |\n| --- | --- | --- |\n\(rows)\n"
    }

    private func changed(_ old: String, to new: String, types: (old: String, new: String)? = nil) throws -> Scratch {
        let scratch = try Scratch([
            "D/shop.md": "# shop\n\n" + old, "D/loggen.yml": "outputs: {}\n",
            "D/types.md": "# types\n\n" + (types?.old ?? ""),
        ])
        try scratch.expect("lock D")
        try scratch.commit()
        try scratch.write("# shop\n\n" + new, to: "D/shop.md")
        try scratch.write("# types\n\n" + (types?.new ?? ""), to: "D/types.md")
        return scratch
    }

    @Test("Each of two events that become one is compared, and its readers are named")
    func unified() throws {
        let scratch = try changed(
            Self.event("buy", "| a | int64 | |\n") + Self.event("get", "| a | int64 | |\n| q | string | |\n"),
            to: Self.event("purchase", "| a | int64 | |\n", from: "buy, get"))
        try scratch.write("select q from shop__get\n", to: "queries/get.sql")
        try scratch.write("select a from shop__buy\n", to: "queries/buy.sql")
        let check = try scratch.loggen("check D")
        for text in [
            "`shop.purchase` is renamed from `shop.buy`", "`shop.purchase` is renamed from `shop.get`",
            "the column `q` of `shop.purchase` was required and is deleted",
        ] { #expect(check.error.contains(text), "\(check.error)") }
        let review = try scratch.loggen("review D --base HEAD --consumers queries")
        for query in ["get", "buy"] { #expect(review.out.contains("breaks query `\(query)`: "), "\(review.out)") }
        try scratch.expect("lock D --accept")
        try scratch.expect("check D")
    }

    @Test("A change of the former event on another branch is not lost in the merge")
    func merged() throws {
        let scratch = try changed(
            Self.event("buy", "| a | int64 | |\n"), to: Self.event("order", "| a | int64 | |\n", from: "buy"))
        try scratch.write(
            "loggen.lock 1\nshop.buy 1-0-0 active a:int64\nshop.buy 2-0-0 active a:int64 q:int64\n"
                + "shop.order 2-0-0 active @renamed-from=shop.buy a:int64\n",
            to: "D/loggen.lock")
        try scratch.expect(
            "check D", code: 1, error: "the column `q` of `shop.order` was required and is deleted", "(2-0-0 → 3-0-0)")
        try scratch.expect("lock D --accept")
        try scratch.expect("check D")
    }

    @Test("The version of a unified event is above all others, and its reserved names stay")
    func unifiedVersion() throws {
        let scratch = try changed(
            Self.event("a", "| x | int64 | |\n"), to: Self.event("a", "| x | int64 | |\n", from: "b, c"))
        try scratch.write(
            "loggen.lock 1\nshop.a 2-0-0 active x:int64 ~old\nshop.b 4-0-0 active w:int64 x:int64 ~older\n"
                + "shop.c 2-0-0 active x:int64\n",
            to: "D/loggen.lock")
        #expect(try scratch.loggen("lock D --accept").out.contains("shop.a: 2-0-0 → 5-0-0"))
        #expect(
            String(decoding: try #require(try scratch.files()["D/loggen.lock"]), as: UTF8.self).contains(
                "shop.a 5-0-0 active @renamed-from=shop.b,shop.c x:int64 ~old ~older\n"))
        try scratch.expect("check D")
    }

    @Test("Of two columns of a table that become one, the second is moved")
    func twoColumns() throws {
        let scratch = try changed(
            Self.event("buy", "| uid | int64 | |\n") + Self.event("look", "| user | int64 | |\n"),
            to: Self.event("buy", "| user_id | int64 | uid |\n") + Self.event("look", "| user_id | int64 | user |\n"))
        try scratch.expect("lock D --accept")
        let result = try scratch.loggen("sql D --dialect duckdb --tables category --from HEAD")
        for statement in [
            #"ALTER TABLE "shop" RENAME COLUMN "uid" TO "user_id";"#,
            #"UPDATE "shop" SET "user_id" = "user", "user" = NULL WHERE "event_name" = 'look' AND "user" IS NOT NULL;"#,
        ] { #expect(result.out.contains(statement), "\(result.out)") }
    }

    @Test("The values of a column that returns to a name are moved, because the table may still have that column")
    func returningColumn() throws {
        let scratch = try changed(
            Self.event("buy", "| key | int64 | |\n"), to: Self.event("buy", "| item_id | int64 | key |\n"))
        try scratch.expect("lock D --accept")
        try scratch.commit()
        try scratch.write("# shop\n\n" + Self.event("buy", "| key | int64 | item_id |\n"), to: "D/shop.md")
        try scratch.expect("lock D --accept")
        let result = try scratch.loggen("sql D --dialect duckdb --from HEAD")
        for statement in [
            #"ALTER TABLE "shop__buy" ALTER COLUMN "item_id" DROP NOT NULL;"#,
            #"ALTER TABLE "shop__buy" ADD COLUMN IF NOT EXISTS "key" BIGINT;"#,
            #"UPDATE "shop__buy" SET "key" = "item_id", "item_id" = NULL WHERE "item_id" IS NOT NULL;"#,
        ] { #expect(result.out.contains(statement), "\(result.out)") }
    }

    @Test("A table with a name that is too long for a warehouse keeps its rows")
    func longNames() throws {
        let name = String(repeating: "recommended_", count: 5)
        let scratch = try changed(
            Self.event(name + "a", "| a | int64 | |\n"),
            to: Self.event(name + "b", "| a | int64 | |\n", from: name + "a"))
        try scratch.expect("lock D --accept")
        let result = try scratch.loggen("sql D --dialect duckdb --from HEAD")
        #expect(result.out.contains(" RENAME TO ") && !result.out.contains("CREATE TABLE"), "\(result.out)")
    }

    @Test("Renamed values are updated in lists of lists, or the migration is refused")
    func nestedLists() throws {
        let rows = "| x | [[Ord]] | |\n"
        let scratch = try changed(
            Self.event("buy", rows), to: Self.event("buy", rows),
            types: (
                "## Ord\n\n| value |\n| --- |\n| a |\n| c |\n",
                "## Ord\n\n| value | renamed from |\n| --- | --- |\n| b | a |\n| c | |\n"
            ))
        try scratch.expect("lock D --accept")
        let result = try scratch.loggen("sql D --dialect duckdb --from HEAD")
        #expect(
            result.out.contains(
                "lambda item: list_transform(item, lambda item1: CASE item1 WHEN 'a' THEN 'b' ELSE item1 END)"),
            "\(result.out)")
        try scratch.expect(
            "sql D --dialect postgresql --from HEAD", code: 1, error: "has lists of lists as JSON: replace `a` by `b`")
    }

    @Test("The former name of a retired column is a change that breaks its readers")
    func retiredColumn() throws {
        let scratch = try changed(
            Self.event("buy", "| a | int64 | |\n| w | int64? | |\n"),
            to: Self.event("buy", "| a | int64 | |\n| ~~w~~ | int64? | |\n"))
        try scratch.expect("lock D --accept")
        try scratch.commit()
        try scratch.write("# shop\n\n" + Self.event("buy", "| a | int64 | |\n| v | int64? | w |\n"), to: "D/shop.md")
        try scratch.write("select w from shop__buy\n", to: "queries/w.sql")
        try scratch.expect(
            "review D --base HEAD --consumers queries", code: 1,
            out: "the column `v` of `shop.buy` now has the former name `w`; breaks the warehouse", "breaks query `w`")
    }

    @Test("An event that takes over another one leaves its own readers alone")
    func takeover() throws {
        let rows = "| a | int64 | |\n"
        let scratch = try changed(
            Self.event("buy", rows) + Self.event("get", rows), to: Self.event("buy", rows, from: "get"))
        try scratch.write("select a from shop__get\n", to: "queries/get.sql")
        try scratch.write("select a from shop__buy\n", to: "queries/buy.sql")
        let review = try scratch.loggen("review D --base HEAD --consumers queries")
        #expect(review.out.contains("breaks query `get`: ") && !review.out.contains("breaks query `buy`: "))
    }

    @Test("A renamed common column has the readers of its former name")
    func commonReaders() throws {
        func common(_ row: String) -> String {
            "# common\n\n| column | type | renamed from |\n| --- | --- | --- |\n\(row)\n"
        }
        let scratch = try Scratch([
            "D/shop.md": "# shop\n\n" + Self.event("buy", "| a | int64 | |\n"), "D/loggen.yml": "outputs: {}\n",
            "D/common.md": common("| uid | int64 | |"), "queries/old.sql": "select uid from shop__buy\n",
        ])
        try scratch.commit()
        try scratch.write(common("| user_id | int64 | uid |"), to: "D/common.md")
        let review = try scratch.loggen("review D --base HEAD --consumers queries")
        #expect(
            review.out.contains("breaks query `old`: `queries/old.sql:1:8` reads `uid` (now `user_id`)"),
            "\(review.out)")
    }

    @Test("Another change of a column that takes over a former name concerns the readers of both names")
    func olderHeir() throws {
        let scratch = try changed(
            Self.event("buy", "| w | int64? | |\n"),
            to: Self.event("buy", "| ~~w~~ | int64? | |\n| v | int64? | |\n"))
        try scratch.expect("lock D --accept")
        try scratch.commit()
        try scratch.write("# shop\n\n" + Self.event("buy", "| v | int64 | w |\n"), to: "D/shop.md")
        for name in ["v", "w"] { try scratch.write("select \(name) from shop__buy\n", to: "queries/\(name).sql") }
        let review = try scratch.loggen("review D --base HEAD --consumers queries")
        #expect(review.out.contains("shifts query `v`: ") && review.out.contains("breaks query `w`: "), "\(review.out)")
    }

    @Test("Without an event's recorded former name, the help says to write it again")
    func forgottenName() throws {
        let scratch = try changed(
            Self.event("buy", "| a | int64 | |\n"), to: Self.event("order", "| a | int64 | |\n", from: "buy"))
        try scratch.expect("lock D --accept")
        try scratch.write("# shop\n\n" + Self.event("order", "| a | int64 | |\n"), to: "D/shop.md")
        try scratch.expect(
            "check D", code: 1, error: "`shop.buy` is deleted but not retired: it became `shop.order`",
            "help: write `shop.buy` into `renamed from` of the event that continues it")
    }
}
