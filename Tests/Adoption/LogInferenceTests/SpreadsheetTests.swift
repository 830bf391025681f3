import Foundation
import LogDefinitions
import MarkdownSyntax
import Testing
import TestSupport

@testable import LogInference

/// Tests of spreadsheets that analysts maintain.
struct SpreadsheetTests {
    private func infer(_ text: String, path: String = "search.csv", category: String? = nil) async -> Inference {
        await infer(Array(text.utf8), path: path, category: category)
    }

    private func infer(_ bytes: [UInt8], path: String = "search.csv", category: String? = nil) async -> Inference {
        await Inference.ofSpreadsheets([InferenceSource(path: path, bytes: bytes)], category: category)
    }

    private func lines(_ inference: Inference) -> [String] {
        inference.findings.map { "\($0.place.map { "\($0): " } ?? "")\($0.kind.rawValue): \($0.message)" }
    }

    @Test("An analyst's sheet becomes documents") func anAnalystsSheetBecomesDocuments() async throws {
        let file = Tool.repository.appendingPathComponent("Tests/Adoption/LogInferenceTests/Samples/analyst.tsv")
        let inference = await infer(Array(try Data(contentsOf: file)), path: "analyst.tsv")
        #expect(
            lines(inference) == [
                "analyst.tsv:1: note: `行動ログ定義書` is above the headers, and is left out",
                "analyst.tsv:6: note: the column `isPremium` is called `is_premium`",
            ])
        #expect(
            squeezed(inference.documents.map { "==> \($0.path)\n\($0.text)" }.joined())
                == squeezed(
                    """
                    ==> recipe_detail.md
                    # recipe_detail

                    ## view

                    レシピを見た

                    | column | type | description | example |
                    | ---- | ---- | ---- | ---- |
                    | recipe_id | int64 | 見られたレシピ | `42` |
                    | rating | double? | ★の平均(0〜5) | `4.5` |
                    | share_url | url? | 共有リンク | `https://example.com/r/42` |
                    ==> recipe_search.md
                    # recipe_search

                    ## search

                    検索した

                    | column | type | description | example | privacy | 備考 |
                    | ---- | ---- | ---- | ---- | ---- | ---- |
                    | keyword | string | 検索キーワード | `卵 \\| トマト` | personal | 20文字まで (絵文字も) |
                    | result_count | int64 | 見つかった件数 | `1280` | none | |
                    | is_premium | bool? | プレミアム会員か (isPremium) | `true` | | |
                    | searched_at | timestamp | 検索した日時 | | | |

                    ## tap_result

                    検索結果を"選んだ"

                    | column | type | description | example | 備考 |
                    | ---- | ---- | ---- | ---- | ---- |
                    | recipe_id | int64 | 選ばれたレシピ | `42` | |
                    | order | enum(newest, popular) | 並び順 | `newest` | |
                    | tags | [string]? | 絞り込みタグ | | 後日廃止? |

                    ## clear_history

                    履歴を消した

                    """))
        let analysis = await inference.analysed()
        #expect(analysis.diagnostics.isEmpty, "\(analysis.diagnostics.map(\.message))")
        #expect(await DefinitionFormatter.format(analysis).isEmpty)
    }

    @Test("Platforms are read, and contradictions are resolved") func platformsAreReadAndSettled() async throws {
        let text =
            "イベント,カラム,型,必須,対象\nshow,a,int64,○,\n,b,string,○,iOS\n,c,string,任意,\"Android, web\"\n,d,string,任意,iPhone\nhide,,,,web\n,e,int64,任意,ios\n"
        let inference = await infer(text)
        #expect(
            lines(inference) == [
                "search.csv:3: warning: `b` is required but not on all platforms: it becomes optional",
                "search.csv:5:5: warning: `iPhone` is not a platform: `d` becomes a column of all platforms",
                "search.csv:7: warning: `e` is not on any of its event's platforms: it becomes a column of all platforms",
            ])
        let document = try #require(inference.documents.first)
        #expect(
            squeezed(document.text)
                == squeezed(
                    """
                    # search

                    ## show

                    | column | type | description | platforms |
                    | ---- | ---- | ---- | ---- |
                    | a | int64 | | |
                    | b | string? | | ios |
                    | c | string? | | android, web |
                    | d | string? | | |

                    ## hide

                    | key | value |
                    | ---- | ---- |
                    | platforms | web |

                    | column | type | description |
                    | ---- | ---- | ---- |
                    | e | int64? | |

                    """))
        let analysis = await Analysis.run([
            SourceFile(path: "search.md", relativePath: "search.md", source: SourceText(Array(document.text.utf8)))
        ])
        #expect(analysis.diagnostics.isEmpty, "\(analysis.diagnostics.map(\.message))")
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

    @Test("Unknown values are reported at their cells") func unknownValuesAreReportedAtTheirCells() async {
        let inference = await infer(
            "event,column,type,required,privacy,example,type\n,z,int64\nshow,a,wibble,maybe,so so,x,string\n,,int64\n,b,,,,\n,c,int64,,,forty,,lost\n,a,bool\n"
        )
        #expect(
            lines(inference) == [
                "search.csv:1:7: warning: cell 7 has the same header as cell 3, and is left out",
                "search.csv:2: warning: the row does not belong to an event: name the event in the first row of each",
                "search.csv:3:7: warning: the cell `string` is left out: it has no header",
                "search.csv:3:3: warning: unknown type `wibble`: `a` becomes a string; write a type such as `int`, "
                    + "`string?` or `enum(a, b)`",
                "search.csv:3:4: warning: `maybe` does not indicate whether `a` is required",
                "search.csv:3:5: warning: `so so` is not a privacy level: write `none`, `personal` or `sensitive`",
                "search.csv:4: warning: the row has a type but no name: name the column",
                "search.csv:5:3: warning: `b` has no type, and becomes a string",
                "search.csv:6:8: warning: the cell `lost` is left out: it has no header",
                "search.csv:6: warning: the example `forty` of `c` is left out: `int64` takes a whole number",
                "search.csv:7: warning: the column `a` is defined twice; the first one is used, at search.csv:3",
            ])
        #expect(await infer("a,b\n1,2\n").documents.isEmpty)
        #expect(lines(await infer([0x83, 0x4A, 0x83, 0x65, 0x2C])).first?.contains("iconv") == true)
        #expect(
            lines(await infer("event,column,type\nshow,\"a,int64\n")).contains {
                $0.hasPrefix("search.csv:2: warning: this quotation mark is not closed")
            })
        #expect(lines(await infer("イベント,カラム,型\n表示,名前,テキスト\n")).count { $0.contains("choose a name") } == 2)
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
            lines(inference) == [
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
            lines(inference) == [
                "search.csv:3:2: note: `画面を開いたとき` is not a trigger, and is added to the description instead: triggers "
                    + "are `screen`, `show`, `impression(80%, 2s)`, `tap(Screen.button)`, `leave(80%)`"
            ])
        let text = squeezed(inference.documents.map(\.text).joined())
        #expect(
            text.contains("| trigger | impression(80%, 2s) |\n") && text.contains("## open\n\n画面を開いたとき\n"), "\(text)")
        #expect(text.contains("| owner | @team |\n\n## show\n"), "\(text)")
    }

    @Test("A trigger in words follows the description, once for rows that repeat it")
    func triggersFollowDescriptions() async {
        let inference = await infer("イベント,イベントの説明,発火タイミング,カラム,型\nshow,一覧,表示時,a,整数\nshow,一覧,表示時,b,整数\n")
        #expect(
            inference.documents.first?.text.contains("## show\n\n一覧\n\n発火タイミング: 表示時\n\n|") == true,
            "\(inference.documents)")
    }

    @Test("An export of Mixpanel's Lexicon has events and properties, and its profiles are left out")
    func lexiconIsRead() async throws {
        let inference = await infer(
            """
            Entity Type,Entity Name,Entity Display Name,Entity Description,Event Volume,Event Query Volume,Event Tags,Event Hidden,Event Dropped,\
            Property Name,Property Display Name,Property Description,Property Volume,Property Query Volume,Property Type,\
            Property Example Values,Property Hidden,Property Dropped,Property Required,Property Sensitive
            event,Navigated to home page,,Triggered when the home page is shown,0,0,,FALSE,FALSE,,,,,,,,,,,
            ,,,,,,,,,session,,Session number,0,0,number,,FALSE,FALSE,TRUE,FALSE
            ,,,,,,,,,user id,,ID of the user.,0,0,string,abc,FALSE,FALSE,FALSE,TRUE
            user,,,,,,,,,,,,,,,,,,,
            ,,,,,,,,,plan,,The plan,0,0,string,,FALSE,FALSE,FALSE,FALSE

            """, path: "lexicon.csv")
        #expect(
            lines(inference) == [
                "lexicon.csv:1:5: note: `Event Volume`, `Event Query Volume`, `Event Hidden`, `Event Dropped`, `Property Volume`, `Property Query Volume`, `Property Hidden`, `Property Dropped`: left out, because definitions do not contain statistics or settings of an analytics service",
                "lexicon.csv:2: note: the event `Navigated to home page` is called `navigated_to_home_page`",
                "lexicon.csv:4: note: the column `user id` is called `user_id`",
                "lexicon.csv:5: warning: the row is left out with its properties: `user` is not an event",
            ])
        #expect(
            squeezed(try #require(inference.documents.first).text)
                == squeezed(
                    """
                    # lexicon

                    ## Navigated to home page `navigated_to_home_page`

                    Triggered when the home page is shown

                    | column | type | description | example | privacy |
                    | ---- | ---- | ---- | ---- | ---- |
                    | session | double | Session number | | |
                    | user_id | string? | ID of the user. (user id) | `abc` | sensitive |

                    """))
    }

    @Test("In a list of events and properties, the rows of events are not columns")
    func eventRowsAreEvents() async {
        let inference = await infer(
            "Type,Name,Description\nEvent,open,The app\nEvent Property,size,The size\nUser Property,plan,A plan\nEvent,close,\n"
        )
        #expect(
            lines(inference) == [
                "search.csv:3:1: warning: unknown type `Event Property`: `size` becomes a string; write a type such as "
                    + "`int`, `string?` or `enum(a, b)`",
                "search.csv:4: warning: `plan` is left out: `user property` is not a column of an event",
            ])
        let text = squeezed(inference.documents.map(\.text).joined())
        #expect(
            text.contains("## open\n\nThe app\n\n| column")
                && text.contains("| size | string | The size |\n\n## close\n"), "\(text)")
    }

    @Test("Retired parts stay retired") func retiredPartsStayRetired() async {
        let inference = await infer(
            "event,title,column,type\n~~old~~,古い,x,int\n[obsolete] gone,,x,int\nopen,,~~f~~,int\n")
        #expect(lines(inference) == [])
        let text = inference.documents.map(\.text).joined()
        for line in ["## 古い ~~`old`~~\n", "## ~~gone~~\n", "## open\n", "| ~~f~~  | int  |"] {
            #expect(text.contains(line), "\(text)")
        }
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

/// Returns a document without the blanks and hyphens that only align its tables.
func squeezed(_ text: String) -> String {
    text.replacing(#/[ ]{2,}/#, with: " ").replacing(#/-{4,}/#, with: "---").replacing("|  |", with: "| |")
}
