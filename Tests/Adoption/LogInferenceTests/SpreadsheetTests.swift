import Foundation
import LogDefinitions
import MarkdownSyntax
import Testing
import TestSupport

@testable import LogInference

/// Tests of spreadsheets that analysts maintain.
struct SpreadsheetTests {
    private func infer(_ text: String) async -> Inference {
        await infer(Array(text.utf8))
    }

    private func infer(_ bytes: [UInt8], path: String = "search.csv") async -> Inference {
        await Inference.ofSpreadsheets([InferenceSource(path: path, bytes: bytes)], category: nil)
    }

    @Test("An analyst's sheet becomes documents") func anAnalystsSheetBecomesDocuments() async throws {
        let file = Tool.repository.appendingPathComponent("Tests/Adoption/LogInferenceTests/Samples/analyst.tsv")
        let inference = await infer(Array(try Data(contentsOf: file)), path: "analyst.tsv")
        #expect(
            inference.lines == [
                "analyst.tsv:1: note: `行動ログ定義書` is above the headers, and is left out",
                "analyst.tsv:6: note: the column `isPremium` is called `is_premium`",
            ])
        let documents = inference.documents.map { "==> \($0.path)\n\($0.text)" }.joined()
        #expect(try documents == Tool.text(of: "Tests/Adoption/LogInferenceTests/Samples/analyst.txt"))
        let analysis = await inference.analysed()
        #expect(analysis.diagnostics.isEmpty, "\(analysis.diagnostics.map(\.message))")
        #expect(await DefinitionFormatter.format(analysis).isEmpty)
    }

    private static let plain = "event,column,type\nshow,a,int64\n,b,string?\nhide,,\n"

    @Test("Line endings, separators and encodings do not matter") func lineEndingsSeparatorsAndEncodingsDoNotMatter()
        async
    {
        let wanted = await infer(Self.plain).documents.map(\.text)
        #expect(
            wanted == [
                "# search\n\n## show\n\n| column | type    | description |\n| ------ | ------- | ----------- |\n| a      | int64   |             |\n| b      | string? |             |\n\n## hide\n"
            ])
        #expect(await infer(Self.plain.replacing("\n", with: "\r\n")).documents.map(\.text) == wanted)
        #expect(await infer("\u{FEFF}" + Self.plain).documents.map(\.text) == wanted)
        #expect(await infer(Self.plain.replacing(",", with: ";")).documents.map(\.text) == wanted)
        #expect(await infer(Self.plain.replacing(",", with: "\t")).documents.map(\.text) == wanted)
        #expect(
            await infer("\"event\",\"column\",\"type\"\n\"show\",\"a\",\"int64\"\n,b,string?\nhide").documents.map(
                \.text) == wanted)
        let units = Array(Self.plain.replacing(",", with: "\t").utf16)
        #expect(
            await infer([0xFF, 0xFE] + units.flatMap { [UInt8($0 & 0xFF), UInt8($0 >> 8)] }).documents.map(\.text)
                == wanted)
        #expect(
            await infer([0xFE, 0xFF] + units.flatMap { [UInt8($0 >> 8), UInt8($0 & 0xFF)] }).documents.map(\.text)
                == wanted)
    }

    @Test("An unknown encoding and an open quotation mark are reported") func unreadableSheets() async {
        #expect(await infer([0x83, 0x4A, 0x83, 0x65, 0x2C]).lines.first?.contains("iconv") == true)
        #expect(
            await infer("event,column,type\nshow,\"a,int64\n").lines.contains {
                $0.hasPrefix("search.csv:2: warning: this quotation mark is not closed")
            })
    }

    @Test(
        "Parts of a type that the notation lacks are reported",
        arguments: [
            ("decimal", "double", "decimal without a precision"), ("日時(JST)", "timestamp", "jst"),
            ("整数(10桁)", "int64", "10桁"),
            ("文字列(1〜64文字)", "string", "1〜64文字"),
        ])
    func unsupportedPartsOfATypeAreReported(cell: String, type: String, rest: String) async {
        let inference = await infer("event,column,type\nshow,a,\"\(cell)\"\n")
        #expect(
            inference.lines == [
                "search.csv:2:3: warning: `a` becomes `\(type)`: no type can express `\(rest)`; write it in the column's "
                    + "description"
            ])
    }

    @Test(
        "A header for the time at which an event is sent is the event's trigger",
        arguments: ["発火条件", "発火タイミング", "トリガー", "送信タイミング", "計測タイミング", "取得タイミング", "trigger", "fires when"])
    func triggersAreRead(header: String) async {
        let inference = await infer(
            "イベント,\(header),担当,カラム,型\nshow,\"impression(80%, 2s)\",@team,a,整数\nopen,画面を開いたとき,@team,a,整数\n,,,b,整数\n")
        #expect(
            inference.lines == [
                "search.csv:3:2: note: `画面を開いたとき` is not a trigger, and is added to the description instead: triggers "
                    + "are `screen`, `show`, `impression(80%, 2s)`, `tap(Screen.button)`, `leave(80%)`"
            ])
        let text = inference.documents.map(\.text).joined()
        #expect(
            text.contains("| trigger | impression(80%, 2s) |\n") && text.contains("## open\n\n画面を開いたとき\n"), "\(text)")
        #expect(text.contains("| owner | @team |\n\n## show\n"), "\(text)")
    }

    @Test("Backticks in values are kept") func backticksInValuesAreReadAsTheyAre() async throws {
        for value in ["a`b", "a`", "`a", "a ``b`` c"] {
            let inference = await infer("event,column,type,example\nshow,a,string,\(value)\n")
            let text = inference.documents.map(\.text).joined()
            let file = SourceFile(path: "search.md", relativePath: "search.md", source: SourceText(Array(text.utf8)))
            let analysis = await Analysis.run([file])
            #expect(analysis.definitions.categories.first?.events.first?.columns.first?.example == value, "\(text)")
        }
    }

    @Test(
        "Names of types in spreadsheets and plans are recognized, and prose is not a type",
        arguments: [
            ("string | undefined", "string?"), ("\"a\" | \"b\"", "enum(a, b)"), ("a|b|c", "enum(a, b, c)"),
            ("Array<string>", "[string]"), ("array of strings", "[string]"), ("list of ints", "[int]"),
            ("Bool", "bool"), ("Int", "int"), ("Double", "double"), ("Float", "float"), ("number", "double"),
            ("integer", "int32"), ("long", "int64"), ("timestamp", "timestamp"), ("ISO 8601", "timestamp"),
            ("date", "date"), ("one of: a, b", "enum(a, b)"), ("∈ {a, b}", "enum(a, b)"),
            ("fixed values: a, b", "enum(a, b)"), ("数値の配列", "[double]"), ("the name of it", nil),
            ("see below", nil), ("iOS/Android", nil), ("a, b", nil), ("time since start", nil),
            ("string", "string"), ("string(64)", "string(64)"), ("テキスト", "string"), ("文字列(64)", "string(64)"),
            ("文字列（64）", "string(64)"),
            ("VARCHAR(20)", "string(20)"),
            ("整数", "int64"), ("数値", "double"), ("真偽値", "bool"), ("フラグ", "bool"), ("Boolean", "bool"), ("日付", "date"),
            ("日時", "timestamp"),
            ("DateTime", "timestamp"), ("URL", "url"), ("UUID", "uuid"), ("int64?", "int64?"), ("整数?", "int64?"),
            ("string[]", "[string]"),
            ("配列(整数)", "[int64]"),
            ("文字列の配列", "[string]"), ("array<string>", "[string]"), ("列挙(a/b)", "enum(a, b)"),
            ("enum(a, b)", "enum(a, b)"),
            ("選択（新着、人気）", "enum(新着, 人気)"),
            ("decimal(10,2)", "decimal(10, 2)"), ("int(0...5)", "int(0...5)"), ("ＩＮＴ６４", "int64"), ("ListOrder", nil),
            ("なにか", nil), ("", nil),
            ("列挙()", nil), ("整数(0〜100)", "int64(0...100)"), ("整数（0～100）", "int64(0...100)"),
            ("整数(0...)", "int64(0...)"),
            ("数値(0...1)", "double(0...1)"),
            ("数値(10,2)", "decimal(10, 2)"), ("文字列(最大64)", "string(64)"), ("文字列（64文字以内）", "string(64)"),
            ("整数[]", "[int64]"),
            ("enum(a|b)", "enum(a, b)"),
            ("フラグ(0/1)", "bool"),
        ] as [(String, String?)])
    func namesOfTypesAreRecognized(cell: String, type: String?) {
        let found = TypeNameParser.parse(cell)
        #expect(found.map { "\($0.parsed.type)\($0.parsed.isOptional ? "?" : "")" } == type)
        #expect(found?.rest == nil)
    }
}
