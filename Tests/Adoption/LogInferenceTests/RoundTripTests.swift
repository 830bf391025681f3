import Foundation
import LogDefinitions
import MarkdownSyntax
import Testing
import TestSupport

@testable import LogInference

/// Tests with random definitions, valid records of them, and the definitions that are inferred from these records.
///
/// Records show types, and which columns may be missing. They do not show bounds, lengths, integer widths, names of
/// types, descriptions, triggers and retired parts.
struct RoundTripTests {
    /// A column in the notation of documents, with a function that makes its values.
    private struct RandomColumn {
        var name: String
        var type: String
        var isOptional: Bool
        /// The part of the type that records show, in the notation of documents and without names.
        var shown: String
        var value: @Sendable (inout SeededGenerator) -> String
    }

    private struct RandomEvent {
        var category: String
        var name: String
        var columns: [RandomColumn]
    }

    private struct Vocabulary {
        var documents: [String: String] = [:]
        var common: [RandomColumn] = []
        var events: [RandomEvent] = []
    }

    private static func quoted(_ text: String) -> String { "\"\(text)\"" }

    /// Types that records show completely.
    private static let exact: [(type: String, shown: String, value: @Sendable (inout SeededGenerator) -> String)] = [
        ("int64", "int64", { "\(Int64.random(in: -1_000_000...1_000_000, using: &$0))" }),
        ("int64(0...)", "int64(0...)", { "\(Int64.random(in: 0...1_000_000, using: &$0))" }),
        ("double", "double", { "\(Int.random(in: -99...99, using: &$0)).\(Int.random(in: 1...99, using: &$0))" }),
        ("bool", "bool", { "\(Bool.random(using: &$0))" }),
        ("string", "string", { quoted("text \(Int.random(in: 0...999, using: &$0)) \u{5375}") }),
        (
            "date", "date",
            { quoted("2026-0\(Int.random(in: 1...9, using: &$0))-1\(Int.random(in: 0...9, using: &$0))") }
        ),
        (
            "timestamp", "timestamp",
            { quoted("2026-04-1\(Int.random(in: 0...9, using: &$0))T09:30:00.00\(Int.random(in: 0...9, using: &$0))Z") }
        ),
        ("uuid", "uuid", { quoted("0190a3f2-7c1e-7b52-9d0a-3f6f0c2b8e\(Int.random(in: 10...99, using: &$0))") }),
        ("url", "url", { quoted("https://example.com/\(Int.random(in: 0...999, using: &$0))?a=b#c") }),
        (
            "[string]", "[string]",
            { "[" + (0..<Int.random(in: 0...3, using: &$0)).map { quoted("tag \($0)") }.joined(separator: ",") + "]" }
        ),
        ("[bool]", "[bool]", { Bool.random(using: &$0) ? "[]" : "[true,false]" }),
        ("[date]", "[date]", { Bool.random(using: &$0) ? "[]" : "[\"2024-02-29\"]" }),
        ("[[int64(0...)]]", "[[int64(0...)]]", { "[[],[\(Int.random(in: 0...9, using: &$0)),7]]" }),
        ("[[[double]]]", "[[[double]]]", { "[[[\(Int.random(in: 0...9, using: &$0)).5]],[]]" }),
        (
            "[[uuid]]", "[[uuid]]",
            { "[[\"0190a3f2-7c1e-7b52-9d0a-3f6f0c2b8e\(Int.random(in: 10...99, using: &$0))\"],[]]" }
        ),
    ]

    /// Types that records show in part.
    private static let others: [(type: String, shown: String, value: @Sendable (inout SeededGenerator) -> String)] = [
        ("int", "int64", { "\(Int64.random(in: -1_000_000...1_000_000, using: &$0))" }),
        ("int8", "int64", { "\(Int.random(in: -128...127, using: &$0))" }),
        ("uint8", "int64(0...)", { "\(Int.random(in: 0...255, using: &$0))" }),
        ("int(1900...2100)", "int64(0...)", { "\(Int.random(in: 1900...2100, using: &$0))" }),
        ("int64(-5...)", "int64", { "\(Int.random(in: -5...0, using: &$0))" }),
        ("float", "double", { "\(Int.random(in: 0...9, using: &$0)).5" }),
        ("double(0...1)", "double", { Bool.random(using: &$0) ? "0" : "0.\(Int.random(in: 1...9, using: &$0))" }),
        ("decimal(10, 2)", "string", { quoted("\(Int.random(in: 1...999, using: &$0)).50") }),
        ("string(64)", "string", { quoted("\u{8A9E} \(Int.random(in: 0...999, using: &$0))") }),
        ("string(64 bytes)", "string", { quoted("a b \(Int.random(in: 0...999, using: &$0))") }),
        ("[int64; 1...3]", "[int64]", { "[-1,\(Int.random(in: 0...9, using: &$0))]" }),
        ("RecipeID", "int64(0...)", { "\(Int.random(in: 1...999, using: &$0))" }),
        (
            "[[string(9)]; 0...2]", "[[string]]",
            { Bool.random(using: &$0) ? "[[]]" : "[[\"\(Int.random(in: 0...9, using: &$0))\"]]" }
        ),
    ]

    private func vocabulary(_ random: inout SeededGenerator, isExact: Bool) -> Vocabulary {
        let types = isExact ? Self.exact : Self.exact + Self.others
        // A name has one type everywhere, but each event decides whether it is optional.
        let pool = (0..<14).map { index -> RandomColumn in
            let type = types.randomElement(using: &random) ?? types[0]
            return RandomColumn(
                name: "column_\(index)", type: type.type, isOptional: false, shown: type.shown, value: type.value)
        }
        func optional(_ column: RandomColumn) -> RandomColumn {
            var column = column
            column.isOptional = Int.random(in: 0..<3, using: &random) == 0
            return column
        }
        var vocabulary = Vocabulary()
        vocabulary.common = pool.prefix(Int.random(in: 0...4, using: &random)).map(optional)
        let order = RandomColumn(
            name: "list_order", type: "ListOrder", isOptional: false, shown: "enum(near, newest, popular)"
        ) {
            Self.quoted(["near", "newest", "popular"].randomElement(using: &$0) ?? "")
        }
        for category in ["search", "home", "recipe_detail"].prefix(Int.random(in: 2...3, using: &random)) {
            // The event without columns shows that no column of the others is common.
            vocabulary.events.append(RandomEvent(category: category, name: "open", columns: []))
            for index in 0..<Int.random(in: 1...3, using: &random) {
                var columns = pool.dropFirst(4).shuffled(using: &random).prefix(Int.random(in: 0...6, using: &random))
                    .map(optional)
                if index == 0 { columns.insert(optional(order), at: Int.random(in: 0...columns.count, using: &random)) }
                if Bool.random(using: &random) {
                    columns.append(
                        optional(
                            RandomColumn(
                                name: "kind_of_\(category)_\(index)", type: "enum(\u{5375}, a-b)", isOptional: false,
                                shown: "enum(\u{5375}, a-b)"
                            ) {
                                Self.quoted(["\u{5375}", "a-b"].randomElement(using: &$0) ?? "")
                            }))
                }
                vocabulary.events.append(RandomEvent(category: category, name: "event_\(index)", columns: columns))
            }
        }
        func table(_ columns: [RandomColumn]) -> String {
            columns.isEmpty
                ? ""
                : "\n| column | type |\n| --- | --- |\n"
                    + columns.map { "| \($0.name) | \($0.type)\($0.isOptional ? "?" : "") |\n" }.joined()
        }
        for event in vocabulary.events {
            vocabulary.documents["\(event.category).md", default: "# \(event.category)\n"] +=
                "\n## \(event.name)\n" + table(event.columns)
        }
        if !vocabulary.common.isEmpty { vocabulary.documents["common.md"] = "# common\n" + table(vocabulary.common) }
        vocabulary.documents["types.md"] =
            "# types\n\n## ListOrder\n\n| value |\n| --- |\n| newest |\n| popular |\n| near |\n\n## RecipeID: int64(0...)\n"
        if isExact {
            vocabulary.documents["types.md"] = vocabulary.documents["types.md"]?.split(separator: "\n\n## RecipeID")
                .first.map { $0 + "\n" }
        }
        return vocabulary
    }

    /// Returns shuffled records of all events, with each optional column in about two thirds of them.
    private func records(_ vocabulary: Vocabulary, _ random: inout SeededGenerator) -> [String] {
        vocabulary.events.flatMap { event in
            (0..<250).map { _ in
                let columns = (vocabulary.common + event.columns).filter {
                    !$0.isOptional || Int.random(in: 0..<3, using: &random) > 0
                }
                let members = columns.map { ",\"\($0.name)\":\($0.value(&random))" }.joined()
                return
                    "{\"event_id\":\"0190a3f2-7c1e-7b52-9d0a-3f6f0c2b8e11\",\"event_category\":\"\(event.category)\",\"event_name\":\"\(event.name)\","
                    + "\"schema_version\":\"1-0-0\",\"occurred_at\":\"2026-04-01T09:30:00.000Z\"\(members)}"
            }
        }.shuffled(using: &random)
    }

    @Test("Inferred definitions have no breaking changes", arguments: 0..<UInt64(Depth.cases(1, deep: 5)))
    func checkFindsNoBreak(seed: UInt64) throws {
        var random = SeededGenerator(seed: seed)
        let vocabulary = vocabulary(&random, isExact: true)
        let scratch = try Scratch(["records.ndjson": records(vocabulary, &random).joined(separator: "\n")])
        for (path, text) in vocabulary.documents { try scratch.write(text, to: "D/" + path) }
        let locked = try Tool.run("lock", "D", in: scratch.url)
        #expect(locked.code == 0, "\(locked.error)")
        let inferred = try Tool.run("infer", "records.ndjson", "--output", "E", in: scratch.url)
        #expect(inferred.code == 0 && inferred.error.isEmpty, "\(inferred.error)")
        try scratch.write(try scratch.read("D/loggen.lock"), to: "E/loggen.lock")
        try scratch.write("outputs: {}\n", to: "E/loggen.yml")
        let check = try Tool.run("check", "--strict", "--quiet", "E", in: scratch.url)
        let shown = try scratch.files().filter { $0.key.hasSuffix(".md") }.sorted { $0.key < $1.key }.map {
            "\($0.key)\n\(String(decoding: $0.value, as: UTF8.self))"
        }
        #expect(
            check.code == 0 && check.error.isEmpty && check.out.isEmpty, "\(check.out)\(check.error)\n\(shown.joined())"
        )
        #expect(try Tool.run("lint", "--strict", "E", in: scratch.url).code == 0)
        #expect(try Tool.run("format", "--check", "E", in: scratch.url).code == 0)
    }

    @Test(
        "Records imply the part of the definitions that they show",
        arguments: UInt64(100)..<UInt64(100 + Depth.cases(2, deep: 12)))
    func recordsShowWhatTheyCan(seed: UInt64) async throws {
        var random = SeededGenerator(seed: seed)
        let vocabulary = vocabulary(&random, isExact: false)
        var reader = RecordReader(options: RecordOptions())
        for (index, record) in records(vocabulary, &random).enumerated() {
            reader.read(Array(record.utf8), path: "r", line: index + 1)
        }
        let inference = await Inference.ofRecords(reader)
        #expect(inference.findings.isEmpty, "\(seed): \(inference.findings.map(\.message))")
        let analysis = await inference.analysed()
        #expect(analysis.diagnostics.isEmpty, "\(seed): \(analysis.diagnostics.map(\.message))")
        func said(_ columns: [Column]) -> [String] {
            columns.map { "\($0.name) \($0.type.changed { $0.unnamed ?? $0 }.shape)\($0.isRequired ? "" : "?")" }
        }
        func meant(_ columns: [RandomColumn]) throws -> [String] {
            try columns.map { "\($0.name) \(try TypeNotation.parse($0.shown).type.shape)\($0.isOptional ? "?" : "")" }
        }
        #expect(said(analysis.definitions.common?.columns ?? []) == (try meant(vocabulary.common)), "\(seed)")
        var found: [String: [String]] = [:]
        for category in analysis.definitions.categories {
            for event in category.events { found["\(category.name).\(event.name)"] = said(event.columns) }
        }
        for event in vocabulary.events {
            #expect(found["\(event.category).\(event.name)"] == (try meant(event.columns)), "\(seed)")
        }
        #expect(found.count == vocabulary.events.count)
    }

    // MARK: Schemas

    /// Returns a type of any kind with random bounds, nested in up to three arrays.
    private func type(_ random: inout SeededGenerator, depth: Int = 0) -> String {
        func below(_ bound: Int) -> Int { Int.random(in: 0..<bound, using: &random) }
        if depth < 3, below(4) == 0 {
            let bounds = ["", "; \(below(3))...\(3 + below(9))", "; ...\(1 + below(9))", "; \(1 + below(9))..."][
                below(4)]
            return "[\(type(&random, depth: depth + 1))\(bounds)]"
        }
        let low = Int64.random(in: -9_007_199_254_740_991...9_007_199_254_740_991, using: &random)
        let half = Double(below(2001) - 1000) / 8
        let digits = 1 + below(38)
        return [
            "int8", "int16", "int32", "int64", "uint8", "uint16", "uint32", "int(0...)", "int(\(low)...)",
            "int(...\(low))",
            "int(\(low)...\(low + 5))",
            "int(\(Int64.min + 1)...)", "int(...\(Int64.max - 1))", "double", "double(\(half)...\(half + 0.125))",
            "double(\(half)...)",
            "double(...\(half))",
            "decimal(\(digits), \(below(digits + 1)))", "string", "string(\(1 + below(2_147_483_647)))",
            "string(\(1 + below(2_147_483_647)) bytes)",
            "bool",
            "date", "timestamp", "uuid", "url", "ListOrder", "RecipeID", "enum(新着, 人気順, a-b)", "enum(GET)",
        ][below(30)]
    }

    /// Definitions → schemas → definitions, without findings and breaking changes.
    @Test("JSON Schemas keep every bound", arguments: 0..<UInt64(Depth.cases(1, deep: 6)))
    func schemasCarryEveryBound(seed: UInt64) throws {
        var random = SeededGenerator(seed: seed)
        let words = ["検索の結果を開いた", "「見る」| 縦棒 \\| と `code`", "1. 番号", "<b>太字</b>", "a_b_c *d*", "# 見出し", "絵文字 🍳 👩‍🍳", ""]
        let pool = (0..<24).map { (name: "column_\($0)", type: type(&random)) }
        let scratch = try Scratch()
        func table(_ columns: some Sequence<(name: String, type: String)>) -> String {
            var text = "| column | type | description | 備考 |\n| --- | --- | --- | --- |\n"
            for column in columns {
                let cells = (0..<2).map { _ in
                    (words.randomElement(using: &random) ?? "").replacing("|", with: "\\|").replacing(
                        "\\\\|", with: "\\|")
                }
                text +=
                    "| \(column.name) | \(column.type)\(Bool.random(using: &random) ? "?" : "") | \(cells[0]) | \(cells[1]) |\n"
            }
            return text
        }
        try scratch.write("# common\n\n" + table(pool.prefix(3)), to: "D/common.md")
        for category in ["search", "home"] {
            var text = "# 検索 `\(category)`\n\n\(words[0])\n"
            for event in ["open", "show_recipe", "leave"] {
                text += "\n## 開く\(event) `\(event)`\n\n\(words[6])\n\n"
                if event != "open" { text += table(pool.dropFirst(3).shuffled(using: &random).prefix(8)) }
            }
            try scratch.write(text, to: "D/\(category).md")
        }
        try scratch.write(
            "# types\n\n## ListOrder\n\n| value | description |\n| --- | --- |\n| 新着 | 新しい順 |\n| popular | |\n\n## RecipeID: int(1...999)\n",
            to: "D/types.md")
        let locked = try Tool.run("lock", "D", in: scratch.url)
        try #require(locked.code == 0, "\(seed): \(locked.error)")
        #expect(try Tool.run("generate", "D", "--only", "json-schema", "--output", "S", in: scratch.url).code == 0)
        let inferred = try Tool.run("infer", "--from", "json-schema", "S", "--output", "E", in: scratch.url)
        #expect(inferred.code == 0 && inferred.error.isEmpty, "\(seed): \(inferred.error)")
        try scratch.write(try scratch.read("D/loggen.lock"), to: "E/loggen.lock")
        try scratch.write("outputs: {}\nrules:\n  single-value: off\n", to: "E/loggen.yml")
        let check = try Tool.run("check", "--quiet", "--strict", "E", in: scratch.url)
        #expect(check.code == 0 && check.error.isEmpty && check.out.isEmpty, "\(seed): \(check.out)\(check.error)")
        // The same schemas result, except for the names of files.
        #expect(try Tool.run("generate", "E", "--only", "json-schema", "--output", "T", in: scratch.url).code == 0)
        let (before, after) = (try scratch.files(under: "S"), try scratch.files(under: "T"))
        #expect(before.count > 3 && before.keys.sorted() == after.keys.sorted())
        for (path, bytes) in before where path.hasSuffix(".schema.json") {
            #expect(after[path] == bytes, "\(seed): \(path)")
        }
    }

    @Test("The schemas of inferred definitions accept the records") func theRecordsAreValid() throws {
        var random = SeededGenerator(seed: 7)
        let vocabulary = vocabulary(&random, isExact: false)
        let records = records(vocabulary, &random)
        let scratch = try Scratch(["records.ndjson": records.joined(separator: "\n")])
        #expect(try Tool.run("infer", "records.ndjson", "-o", "E", in: scratch.url).code == 0)
        #expect(try Tool.run("generate", "E", "--only", "json-schema", "--output", "S", in: scratch.url).code == 0)
        let schemas = try scratch.files(under: "S").filter { $0.key.hasSuffix(".schema.json") }.map { Array($0.value) }
        #expect(!schemas.isEmpty)
        let some = stride(from: 0, to: records.count, by: 7).map { records[$0] }
        let broken = some[0].replacing("\"event_name\":\"", with: "\"event_name\":\"x")
        let outcome = try JSONSchemaValidation.run(
            schemas: schemas, cases: (some + [broken]).map { .init(schema: "envelope.schema.json", instance: $0) })
        #expect(outcome.problems.isEmpty)
        #expect(outcome.verdicts == some.map { _ in true } + [false])
    }
}
