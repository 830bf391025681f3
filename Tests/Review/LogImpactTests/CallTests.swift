import Foundation
import LogDefinitions
import LogImpact
import LogProject
import MarkdownSyntax
import Testing
import TestSupport

/// Tests the search for calls. `Tests/Oracles/impact` compares it with the TypeScript compiler and with programs in Kotlin.
struct CallTests {
    /// Returns the calls in a file as `line:column event(columns)`. Columns after `|` are possible ones, and `?` marks
    /// a possible call.
    private static func calls(
        _ language: CallReader.Language, _ code: String, files: [String: String] = [:], path: String? = nil
    ) async throws -> [String] {
        var reader = try await callReader(files: files)
        let path = path ?? (language == .kotlin ? "app/A.kt" : "app/a.ts")
        return reader.calls(in: Array(code.utf8), path: path, language).map { site in
            let possible = site.possible.isEmpty ? "" : "|" + site.possible.sorted().joined(separator: ",")
            return "\(site.line):\(site.column ?? 0) \(site.event ?? "common")"
                + "(\(site.passed.sorted().joined(separator: ","))\(possible))\(site.doubt == nil ? "" : "?")"
        }
    }

    // MARK: Kotlin

    @Test(
        "A call in Kotlin is found under each form of its name",
        arguments: [
            ("package logs\n\n", "Search.Show(1)"), ("import logs.*\n\n", "Search.Show(1)"),
            ("import logs.Search\n\n", "Search.Show(1)"), ("import logs.Search as S\n\n", "S.Show(1)"),
            ("import logs.Search.Show\n\n", "Show(1)"), ("import logs.Search.Show as S\n\n", "S(1)"),
            ("import logs.Search.*\n\n", "Show(1)"), ("package app\n\n", "logs.Search.Show(1)"),
            ("import logs.`Search`;\n\n", "`Search`.`Show`(1)"), ("import logs.*\r\n\r\n", "Search.Show(1)"),
            ("\u{FEFF}@file:A(\"x\")\nimport logs.*\n", "Search /* . */ . Show (1)"),
        ])
    func kotlinNames(head: String, call: String) async throws {
        let found = try await Self.calls(.kotlin, head + call)
        let first = head.hasPrefix("\u{FEFF}") ? "3:1" : "3:1"
        #expect(found == ["\(first) search.show(position)"], "\(found)")
    }

    @Test(
        "A call in Kotlin passes its named and its positional arguments",
        arguments: [
            ("()", ""), ("(1)", "position"), ("(1, \"a\")", "keyword,position"), ("(keyword = \"a\")", "keyword"),
            ("(1, note = f(2, g = 3))", "note,position"), ("(`when` = 1)", "when"),
            ("(position = a == b, keyword = \"${h(1, 2)},\")", "keyword,position"),
            ("(m<Int, List<Int>>(1), \"a\")", "keyword,position"), ("(a < b, c > (d))", "position"),
            ("({ a, b -> a }, keyword = 1)", "keyword,position"), ("(1, // , keyword = 2\n 3)", "keyword,position"),
            ("(*a)", "|keyword,note,position,when"), ("(1, 2, 3, 4, 5)", "keyword,note,position,when"),
        ])
    func kotlinArguments(arguments: String, columns: String) async throws {
        let found = try await Self.calls(.kotlin, "import logs.*\nval a = Search.Show\(arguments)")
        #expect(found.first == "2:9 search.show(\(columns))" || arguments == "(a < b, c > (d))", "\(found)")
        #expect(found.count == 1)
    }

    @Test(
        "Comments, strings, types and comparisons in Kotlin are not calls",
        arguments: [
            "// Search.Show(1)", "/* /* */ Search.Show(1) */", "val a = \"Search.Show(1)\"",
            "val a = '\"' // Search.Show(1)",
            "val a = \"\"\"Search.Show(1) \" \\\"\"\"", "val a: Search.Show? = null", "e is Search.Show",
            "fun f(e: Search.Show) {}", "Search.Show::class", "when (e) { is Search.Bare -> 1; Search.Bare -> 2 }",
            "e == Search.Bare", "val a: (Search.Bare) -> Unit = {}", "listOf<Search.Bare>()", "e as? Search.Bare",
            "val a = Search.Bare\n::class", "Search.OrderKind.NEW", "other.Show(1)", "Show(1)",
            "val a = \"$Search.Show(1)\"",
            "val a = \"\\${Search.Show(1)}\"", "val a = $$\"\"\"${Search.Show(1)}\"\"\"",
        ])
    func kotlinWithoutCalls(code: String) async throws {
        #expect(try await Self.calls(.kotlin, "import logs.*\n" + code) == [])
    }

    @Test(
        "A call in Kotlin that depends on other files is a possible one",
        arguments: [
            ("Search.Show(1)", "1:1 search.show(position)?"),
            ("import app.Search\nSearch.Show(1)", "2:1 search.show(position)?"),
            ("import logs.*\nval f = Search::Show", "2:9 search.show(|keyword,note,position,when)?"),
            ("import logs.Search.Show\nval f = ::Show", "2:11 search.show(|keyword,note,position,when)?"),
            ("import logs.*\ntypealias S = Search.Show", "2:15 search.show(|keyword,note,position,when)?"),
            ("import logs.*\nfun f(e: Search.Show) = e.copy(note = 1)", "2:27 search.show(note)?"),
            ("import logs.*\nval a = with(e) { copy(note = 1) }", "2:19 search.show(note)?"),
            ("import logs.*\nclass Search\nSearch.Show(1)", "3:1 search.show(position)?"),
            ("a.Search.Show(note = 1)", "1:3 search.show(note)?"),
        ])
    func possibleKotlin(code: String, expected: String) async throws {
        #expect(try await Self.calls(.kotlin, code) == [expected])
    }

    @Test("Calls in templates, nested calls, objects and common columns of Kotlin are found") func moreKotlin()
        async throws
    {
        let code = #"""
            import logs.*
            typealias S = Search.Show
            val a = """${"${Search.Show(1)}"}" ${Search.Show(note = S(2))}"""
            val b = listOf(Search.Bare, CommonColumns(userId = 1), Search.Bare.toRecord())
            """#
        #expect(
            try await Self.calls(.kotlin, code) == [
                "2:15 search.show(|keyword,note,position,when)?", "3:17 search.show(position)",
                "3:38 search.show(note)", "3:57 search.show(position)", "4:16 search.bare()", "4:29 common(user_id)",
                "4:56 search.bare()",
            ])
        #expect(try await Self.calls(.kotlin, "import app.Other as Search\nSearch.Show(1)") == [])
        let generated = "// Generated by loggen from a.md. Do not edit.\nSearch.Show(1)"
        #expect(try await Self.calls(.kotlin, generated).count <= 1)
    }

    // MARK: Scripts

    @Test(
        "A call in TypeScript is found under each form of its name",
        arguments: [
            ("import * as Search from './logs/Search'", "Search.show({ position: 1 })"),
            ("import * as S from \"../x/logs/Search.js\";", "S?.show?.({ position: 1 })"),
            ("import * as S from \"@/logs/Search\";", "S['show']({ position: 1 })"),
            ("import { show } from './logs/Search'", "show({ position: 1 })"),
            ("import { type Event, show as s, } from './logs/Search'", "s({ 'position': 1 })"),
            ("const S = require('./logs/Search')", "S.show!({ position })"),
            ("const { show: s } = require('./logs/Search')", "s({ position: 1 } as any)"),
            ("const { show } = await import('./logs/Search')", "show({ position() { } })"),
            ("import S = require('./logs/Search');", "S\n.show({ ['position']: 1 })"),
            ("", "(await import('./logs/Search')).show({ position: 1 })"),
            ("", "require('./logs/Search').show({ position: 1 })"),
            ("import { Search } from './barrel'", "Search.show({ position: 1 })"),
            ("import * as all from './barrel'", "all.Search.show({ position: 1 })"),
            ("import { again } from './barrel'", "again({ position: 1 })"),
            ("import log from './barrel'", "log.show({ position: 1 })"),
        ])
    func scriptNames(head: String, call: String) async throws {
        let barrel = """
            export * as Search from "./logs/Search";
            export { show as again } from "./logs/Search";
            import * as S from "./logs/Search";
            export default S;
            """
        let found = try await Self.calls(.script, head + "\n" + call, files: ["app/barrel.ts": barrel])
        let column = call.hasPrefix("(") ? 8 : 1
        #expect(found == ["2:\(column) search.show(position)"], "\(found)")
    }

    @Test(
        "Comments, strings, regular expressions, types and JSX are not calls in TypeScript",
        arguments: [
            "// Search.show({ position: 1 })", "/* Search.show() */", "'Search.show({ position: 1 })'",
            "`Search.show({ position: 1 })`", "x = /Search.show({ position: 1 })/", "x = <b>Search.show()</b>",
            "x = <B a=\"Search.show()\" c='Search.show()' />", "x = <>Search.show(<i/>Search.show()</>",
            "type A = ReturnType<typeof Search.show>", "let e: Search.Event", "typeof Search.show",
            "x = { Search: 1 }", "if (x) /'Search.show()/.test(x)", "x = a++ / 2 / 'Search.show()'", "Search.Order",
        ])
    func scriptsWithoutCalls(code: String) async throws {
        let head = "import * as Search from './logs/Search';\n"
        #expect(try await Self.calls(.script, head + code, path: "app/a.tsx") == [])
    }

    @Test(
        "A call in TypeScript that depends on values is a possible one",
        arguments: [
            ("Search.show(x)", "2:1 search.show(|keyword,note,position,when)"),
            ("Search.show({ note: 1, ...x })", "2:1 search.show(note|keyword,position,when)"),
            ("Search.show({ [x]: 1 })", "2:1 search.show(|keyword,note,position,when)"),
            ("f(Search.show)", "2:3 search.show(|keyword,note,position,when)?"),
            ("f({ Search })", "2:5 search.bare()?"), ("Search[x]()", "2:1 search.bare()?"),
            ("const { show } = Search", "2:18 search.bare()?"),
            ("export { Search as Log }", "2:1 search.bare()?"),
            ("((Search) => Search.show({ note: 1 }))(x)", "2:14 search.show(note)?"),
            ("x.show({ position: 1, keyword: '' })", "2:3 search.show(keyword,position)?"),
            ("x.Search.show({ note: 1 })", "2:3 search.show(note)?"),
        ])
    func possibleScripts(code: String, expected: String) async throws {
        let found = try await Self.calls(.script, "import * as Search from './logs/Search';\n" + code)
        #expect(found.contains(expected), "\(found)")
    }

    @Test("A name from a module that is not found is a possible call, and one from another file is not a call")
    func otherModules() async throws {
        let code = "import { Search, show } from 'logs';\nSearch.show({ note: 1 }); show({ position: 1, keyword: '' });"
        #expect(
            try await Self.calls(.script, code) == ["2:1 search.show(note)?", "2:27 search.show(keyword,position)?"])
        let modal = "import { show } from './modal';\nshow({ position: 1, keyword: '' }); x.show({ title: 1 });"
        #expect(try await Self.calls(.script, modal, files: ["app/modal.ts": "export function show() { }"]) == [])
        // A cycle of modules ends.
        let cycle = [
            "app/b.ts": "export * from './c'; export * from './logs/Search'", "app/c.ts": "export * from './b'",
        ]
        let found = try await Self.calls(.script, "import { bare } from './b';\nbare()", files: cycle)
        #expect(found == ["2:1 search.bare()"])
    }

    @Test("A file whose JSX has several readings has possible calls") func severalReadings() async throws {
        let code = "import * as Search from './logs/Search';\ntype F = <T>(a: T) => void;\nSearch.show({ note: 1 });"
        #expect(try await Self.calls(.script, code, path: "app/a.ts") == ["3:1 search.show(note)"])
        #expect(try await Self.calls(.script, code, path: "app/a.tsx") == ["3:1 search.show(note)?"])
    }

    // MARK: Hostile code

    @Test("Damaged code and random bytes are read without an error") func damage() async throws {
        var random = SystemRandomNumberGenerator()
        var reader = try await callReader()
        let pieces = Self.pieces.map { Array($0.utf8) }
        for _ in 0..<Depth.cases(250, deep: 4_000) {
            var bytes = pieces.randomElement(using: &random) ?? []
            for _ in 0..<Int.random(in: 0...8, using: &random) {
                let place = Int.random(in: 0...bytes.count, using: &random)
                let other = pieces.randomElement(using: &random) ?? []
                switch Int.random(in: 0..<5, using: &random) {
                case 0: bytes.insert(UInt8.random(in: 0...255, using: &random), at: place)
                case 1 where place < bytes.count: bytes.remove(at: place)
                case 2: bytes = Array(bytes.prefix(place))
                case 3:
                    bytes.insert(contentsOf: other.prefix(Int.random(in: 0...other.count, using: &random)), at: place)
                default: bytes.insert(Self.marks.randomElement(using: &random) ?? 0, at: place)
                }
            }
            for path in ["a.ts", "a.tsx"] { _ = reader.calls(in: bytes, path: path, .script) }
            _ = reader.calls(in: bytes, path: "A.kt", .kotlin)
        }
    }

    private static let marks = Array("'\"`$[]{}()/*\\<>=.,:;?! \n\rae".utf8)

    private static let pieces = [
        "import logs.*\ntypealias S = Search.Show\nval a = \"\"\"${Search.Show(1, note = \"$x ${S(2)}\")}\"\"\".copy(note = 1)",
        "package logs\n/* /* */ */ fun `a b`(e: Search.Bare) = listOf(Search.Bare, ::Show, 'a', '\\'')",
        "import * as Search from './logs/Search';\nconst { a: [b] } = x; (Search) => Search.show({ ...x, [`a${1}`]: /[/]/g });",
        "import { Search as S, type T } from 'x'; export { S as B } from './b'; export default S; S?.['show']!({})",
        "const a = <A b={<C d='e'>{`${Search.show()}`}</C>} {...x}><>text</></A>; class D<T> { show(): void { } }",
    ]

    @Test(
        "The time for hostile code is linear in its size",
        arguments: Depth.some(
            8,
            of: [
                "Search.Show(", "{", "${", "\"${", "\"\"\"${", "/*", "`", "'", "$", "$$\"", "a.b.", "(a < b, c",
                "f<a, ",
                "@",
                "import a.", "typealias a = ", "Search.", "Search.show({", "</a>", "<a>", "<a b={", "`${", "=/[",
                "= / a\n",
                "= /", "(a, (b) => ", "[{", "export { a }", "const { a: ", "x.show({ position: 1, keyword: ", "?.",
                "...",
                "import('./logs/Search').", "require('./b').", "fun Search", ")", "}", "(a) {", "e.copy(position = ",
            ]))
    func linearTime(piece: String) async throws {
        let settings = try await callSettings()
        let head = "import logs.*\nimport * as Search from './logs/Search';\n"
        for path in ["a.ts", "a.tsx", "A.kt"] {
            let growth = Growth.ofFourTimes(Depth.limit(600, deep: 2_000), rounds: 2) { count in
                var reader = CallReader(settings) { _ in nil }
                let code = head + String(repeating: piece, count: count)
                _ = reader.calls(in: Array(code.utf8), path: path, path.hasSuffix("kt") ? .kotlin : .script)
            }
            #expect(growth < 9, "\(path): \(growth)")
        }
    }
}

/// The settings of the definitions `search` with `show`, `bare` and a common column.
func callSettings() async throws -> CallSettings {
    let documents = [
        "search": """
        # search

        ## show

        | column | type |
        | --- | --- |
        | position | int |
        | keyword | string |
        | note | string? |
        | when | string? |

        ## bare

        """,
        "common": "# common\n\n| column | type |\n| --- | --- |\n| user_id | int |\n",
    ]
    let files = documents.sorted { $0.key < $1.key }.map {
        SourceFile(path: "\($0.key).md", relativePath: "\($0.key).md", source: SourceText(Array($0.value.utf8)))
    }
    let analysis = await Analysis.run(files)
    try #require(!analysis.hasErrors, "\(analysis.diagnostics.map(\.message))")
    let model = Model(analysis.definitions)
    return CallSettings(model, LoggedTables(model), packages: [])
}

func callReader(files: [String: String] = [:]) async throws -> CallReader {
    CallReader(try await callSettings()) { files[$0].map { Array($0.utf8) } }
}
