import MarkdownSyntax
import Testing

@testable import LogDefinitions

@Suite struct AdviceTests {
    @Test(
        "Types of other languages get a suggestion",
        arguments: [
            ("string（64）", "string(64)"), ("int64？", "int64?"), ("Array<String>", "[string]"),
            ("varchar(64)", "string(64)"),
            ("string[]", "[string]"),
            ("［string］", "[string]"), ("int(0…5)", "int(0...5)"), ("enum(a、b)", "enum(a, b)"),
            ("Optional<Int>", "int?"),
            ("VARCHAR(10)?", "string(10)?"),
            ("string\u{3000}(64)", "string(64)"), ("int64\u{200B}", "int64"), ("String(64)", "string(64)"),
            ("list<long>", "[int64]"),
            ("decimal(10, 2)", nil), ("decimal", "decimal(10, 2)"), ("money", "decimal(10, 2)"),
            ("NUMERIC(10,2)", "decimal(10,2)"),
            ("decimal(2, 3)", "decimal(3, 2)"), ("decimal(39)", "decimal(10, 2)"), ("strng(64)", "string(64)"),
            ("Boolean", "boolean"), ("ｉｎｔ", "int"),
            ("one of: a, b", "enum(a, b)"), ("one of a, b or c", "enum(a, b, c)"), ("{a, b}", "enum(a, b)"),
            ("enum: a, b", "enum(a, b)"), ("enum a/b", "enum(a, b)"), ("either a or b", "enum(a, b)"),
            ("enumeration(a, b)", "enum(a, b)"), ("a/b", "enum(a, b)"), ("\"a\" or \"b\"", "enum(a, b)"),
            ("yes/no", "bool"), ("true/false", "bool"), ("Yes or No", "bool"), ("true / false?", "bool?"),
            ("list of string", "[string]"), ("array of ints", "[int]"), ("List of Strings", "[string]"),
            ("string list", "[string]"), ("list of optional int", nil),
            ("optional int", "int?"), ("int or null", "int?"), ("int, optional", "int?"), ("int (nullable)", "int?"),
            ("nullable list of string", "[string]?"), ("required int", "int"), ("string or nil", "string?"),
            ("string, max 64", "string(64)"), ("string up to 64 characters", "string(64)"),
            ("string (max 64 bytes)", "string(64 bytes)"), ("varchar max 64", "string(64)"),
            ("int 0-100", "int(0...100)"),
            ("int, 0 to 100", "int(0...100)"), ("int between -5 and 5", "int(-5...5)"), ("int >= 0", "int(0...)"),
            ("double, max 0.5", "double(...0.5)"), ("date-time", "datetime"), ("int or string", nil),
        ] as [(String, String?)])
    func typesOfOtherLanguages(_ type: String, _ expected: String?) async {
        let text = "# search\n\n## show\n\n| column | type |\n| --- | --- |\n| a | \(type) |\n"
        let analysis = await analyse(["search.md": text])
        if expected == nil {
            return #expect(!analysis.diagnostics.contains { $0.notes.contains { $0.edit != nil } })
        }
        let helps = analysis.diagnostics.flatMap { $0.notes.map(\.message) }
        #expect(analysis.diagnostics.count == 1)
        #expect(helps.contains { $0.contains("`\(expected ?? "")`") }, "\(helps)")
    }

    @Test(
        "Applying the help for a type or a heading resolves the mistake",
        arguments: [
            "string（64）", "int64？", "Array<String>", "varchar(64)", "string[]", "int64\u{200B}", "String(64)", "strng",
            "Optional<Int>",
        ].map { "## hide\n\n| column | type |\n| --- | --- |\n| a | \($0) |" } + [
            "##hide", "##Clear", "＃＃ Clear", "## ShowRecipe", "##　hide", "## show-recipe", "    ## hide",
            "\u{200B}## hide", "## hide\u{200B}", "## ｈｉｄｅ",
        ])
    func helpResolvesTheMistake(_ body: String) async throws {
        let text = "# search\n\n## show\n\n\(body)\n"
        #expect(await analyse(["search.md": text]).diagnostics.count == 1)
        let fixed = try #require(await corrected(text))
        #expect(await analyse(["search.md": fixed]).diagnostics.map(\.message) == [])
    }

    @Test(
        "An unknown `required` cell gets help with the value to write",
        arguments: ["perhaps", "2", "x", "未定"])
    func requiredCellsSayWhatToWrite(_ cell: String) async {
        let text = "# search\n\n## show\n\n| column | type | required |\n| --- | --- | --- |\n| a | int | \(cell) |\n"
        let analysis = await analyse(["search.md": text])
        #expect(analysis.diagnostics.map(\.rule) == [.cellValue])
        #expect(analysis.diagnostics[0].notes.contains { $0.message.hasPrefix("write ") })
    }

    @Test(
        "The help for a file name suggests a valid name",
        arguments: [("Catalog2.md", "catalog"), ("検索.md", "search"), ("Types.md", "types"), ("Common.md", "common")])
    func helpForAFileNameSuggestsAValidName(_ file: String, _ heading: String) async {
        let analysis = await analyse([file: "# \(heading)\n"])
        #expect(analysis.diagnostics.map(\.rule) == [.fileName])
        #expect(analysis.diagnostics[0].notes.map(\.message) == ["rename the file to `\(heading).md`"])
    }

    @Test("Invisible characters are named") func invisibleCharactersAreNamed() async {
        func said(_ row: String, _ headers: String = "| column | type |") async -> String {
            let delimiter = headers.map { $0 == "|" ? "|" : "-" }.joined()
            let text = "# search\n\n## show\n\n\(headers)\n\(delimiter)\n\(row)\n"
            return await analyse(["search.md": text]).diagnostics.flatMap { [$0.message] + $0.notes.map(\.message) }
                .joined(separator: "; ")
        }
        #expect(await said("| a\u{200B} | int |").contains("a zero-width space, U+200B"))
        #expect(await said("| a | int\u{3000} |").contains("a full-width space, U+3000"))
        #expect(await said("| a | int |", "| colum\u{A0} | type |").contains("a no-break space, U+00A0"))
    }

    // MARK: Examples

    @Test(
        "An example has to be a valid value of its type",
        arguments: [
            ("int(0...5)", "5", true), ("int(0...5)", "7", false), ("int(0...5)", "x", false), ("int8", "128", false),
            ("int64", "1,000", false),
            ("string(3)", "レシピ", true), ("string(3)", "abcd", false), ("string(3 bytes)", "レ", true),
            ("string(3 bytes)", "レシ", false),
            ("string", "x", true),
            ("double(0...1)", "0.5", true), ("double(0...1)", "1.5", false), ("double", "nan", false),
            ("bool", "true", true), ("bool", "yes", false),
            ("date", "2026-02-28", true), ("date", "2026-02-29", false),
            ("timestamp", "2026-04-01T09:30:00.000Z", true),
            ("timestamp", "2026-04-01T24:30:00.000Z", false), ("timestamp", "2026-04-01", false),
            ("uuid", "0190a3f2-7c1e-7b52-9d0a-3f6f0c2b8e11", true),
            ("uuid", "0190a3f2", false), ("url", "https://example.com/%E3%81%82", true), ("url", "example.com", false),
            ("url", "https://例え.jp", false),
            ("enum(a, b)", "a", true), ("enum(a, b)", "c", false), ("[int; 1...2]", "1, 2", true),
            ("[int; 1...2]", "[1]", true),
            ("[int; 1...2]", "1, 2, 3", false),
            ("[int]", "1, x", false), ("[enum(a, c)]", "b", false), ("Order", "newest", true),
            ("Order", "nwest", false), ("RecipeID", "42", true),
            ("RecipeID", "x", false), ("App", "anything", true), ("int?", "null", true), ("int", "null", false),
            ("int", "", true),
        ] as [(String, String, Bool)])
    func examplesAreValuesOfTheirType(_ type: String, _ example: String, _ isValid: Bool) async {
        let types =
            "# types\n\n## Order\n\n| value |\n| --- |\n| newest |\n| popular |\n\n## RecipeID: int64\n\n## App\n\n| key | value |\n| --- | --- |\n| swift | Kitchen.App |\n"
        let text =
            "# search\n\n## show\n\n| column | type | example |\n| --- | --- | --- |\n| a | \(type) | `\(example)` |\n"
        let written =
            example.isEmpty
            ? "# search\n\n## show\n\n| column | type | example |\n| --- | --- | --- |\n| a | \(type) | |\n" : text
        let analysis = await analyse(["search.md": written, "types.md": types])
        #expect(
            analysis.diagnostics.map(\.rule) == (isValid ? [] : [.exampleValue]),
            "\(analysis.diagnostics.map(\.message))")
        guard !isValid, let diagnostic = analysis.diagnostics.first else { return }
        let source = analysis.definitions.files[diagnostic.place.file].source
        #expect(source.string(diagnostic.place.range) == "`\(example)`")
        #expect(diagnostic.notes.first?.place.map { source.string($0.range) } == type)
    }

    // MARK: Names in Swift

    @Test(
        "A category with the name of a runtime type is rejected, and the suggested name is valid",
        arguments: [
            "activity_logger", "sampling", "redaction", "log_processor", "outbox", "tap_registry", "common_columns",
            "commoncolumns", "type_s",
        ])
    func categoryWithTheNameOfARuntimeTypeIsRejected(_ name: String) async {
        let analysis = await analyse(["\(name).md": "# \(name)\n"])
        #expect(analysis.diagnostics.map(\.rule) == [.derivedName])
        let help = analysis.diagnostics.first?.notes.last?.message ?? ""
        let advised = help.split(separator: "`").dropFirst().first.map(String.init) ?? ""
        #expect(await analyse(["\(advised).md": "# \(advised)\n"]).diagnostics.map(\.message) == [], "\(help)")
    }

    @Test(
        "Names of types that Swift cannot use are rejected",
        arguments: [
            ("any: int64", Rule.derivedName), ("each: string", .derivedName), ("async: int", .derivedName),
            ("Sampling: int64", .derivedName), ("didSet: int", .derivedName), ("App = any", .detailValue),
            ("App = Kitchen.any", .detailValue), ("App = each", .detailValue),
        ])
    func typesThatSwiftCannotNameAreRefused(_ type: String, _ rule: Rule) async {
        let section = type.replacing(" = ", with: "\n\n| key | value |\n| --- | --- |\n| swift | ")
        let end = section.hasPrefix("App") ? " |\n" : "\n"
        #expect(await analyse(["types.md": "# types\n\n## \(section)\(end)"]).diagnostics.map(\.rule) == [rule])
    }

    @Test(
        "Categories cannot be named like another kind of document, and have their own Swift files",
        arguments: [
            ["search.md": "types"], ["search.md": "common"], ["search.md": "envelope"],
            ["a/shop.md": "cart", "b/shop.md": "till"],
        ])
    func filesOfCategoriesAreDistinct(_ categories: [String: String]) async {
        var options = AnalysisOptions()
        options.severities[.fileName] = .some(nil)
        let files = categories.sorted { $0.key < $1.key }.map { path, name in
            SourceFile(path: path, relativePath: path, source: SourceText(Array("# \(name)\n".utf8)))
        }
        #expect(await Analysis.run(files, options: options).diagnostics.map(\.rule) == [.derivedName])
    }
}
