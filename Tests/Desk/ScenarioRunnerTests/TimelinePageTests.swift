import Foundation
import ScenarioRunner
import Testing
import TestSupport

#if canImport(FoundationXML)
    import FoundationXML
#endif

/// Tests of the content of a page: escaped strings, marks, the index, and the reduction of large pages.
/// `.ci/stages/timeline` opens pages in a browser.
struct TimelinePageTests {
    static func entry(_ text: String, file: String = "s.json") throws -> Timeline.Entry {
        let bytes = Array(text.utf8)
        let scenario = try Scenario(bytes, file: file)
        let result = try scenario.replay(bytes, file: file, drawsTimeline: true)
        return .replayed(
            result.timeline, file: file, differences: scenario.differences(from: result), isChecked: scenario.isChecked)
    }

    static func scenario(
        _ contents: String, _ steps: String = #"{"at": 3, "do": "end"}"#, expect: String? = nil, name: String? = nil
    ) -> String {
        let more = (name.map { #", "name": "\#($0)""# } ?? "") + (expect.map { #", "expect": [\#($0)]"# } ?? "")
        return
            #"{"viewport": {"width": 390, "height": 800}, "screens": [{"id": "feed", "contents": [\#(contents)]}], "#
            + #""steps": [{"at": 0, "do": "open", "screen": "feed"}, \#(steps)]\#(more)}"#
    }

    static let a = #"{"id": "a", "frame": [0, 0, 390, 100]}"#

    static func row(_ page: String, _ name: String) -> String {
        page.components(separatedBy: "<div class=\"row ").first { $0.contains("<span class=\"name\">\(name)</span>") }
            ?? ""
    }

    /// The picture is the drawing of trackscope's page. `RECORD_SNAPSHOTS=1` writes it and fails.
    @Test("The picture of the article Time in view is the timeline of its scenario")
    func picture() throws {
        let file = ScenarioTests.folder.appendingPathComponent("Runner/time-in-view.json")
        let page = Timeline.page([try Self.entry(String(contentsOf: file, encoding: .utf8))])
        let style = try #require(page.firstMatch(of: /(?s)<style>(.*?)<\/style>/)).1
        let plot = try #require(page.firstMatch(of: /(?s)<div class="plot".*?\n<\/div>\n<\/div>/)).0
        let picture = """
            <svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 960 162"><style>\(style)
            .plot { font: 14px/1.45 system-ui, sans-serif; margin: 0; max-height: none; color: var(--ink); }
            .row { content-visibility: visible; } .grid { height: 100vh; margin-bottom: -100vh; }
            </style><foreignObject width="100%" height="100%">
            \(plot.replacing("<div class=\"plot\"", with: "<div xmlns=\"http://www.w3.org/1999/xhtml\" class=\"plot\"")
                .replacing("<svg class", with: "<svg xmlns=\"http://www.w3.org/2000/svg\" class"))
            </foreignObject></svg>

            """
        #expect(XMLParser(data: Data(picture.utf8)).parse())
        let path = Tool.repository.appendingPathComponent(
            "Sources/Runtime/ContentVisibility/Documentation.docc/Resources/time-in-view.svg")
        if ProcessInfo.processInfo.environment["RECORD_SNAPSHOTS"] != nil {
            try Data(picture.utf8).write(to: path)
            Issue.record("recorded: look at it, then run without RECORD_SNAPSHOTS")
        }
        #expect(try String(contentsOf: path, encoding: .utf8) == picture)
    }

    @Test("A lane has the events of its content or screen as label; without one, it is not posted")
    func events() throws {
        guard case .replayed(var timeline, _, _, _) = try Self.entry(Self.scenario(Self.a, #"{"at": 1, "do": "end"}"#))
        else {
            Issue.record("the scenario does not replay")
            return
        }
        func page() -> String {
            Timeline.page([.replayed(timeline, file: "s.json", differences: [], isChecked: false)])
        }
        #expect(Self.row(page(), "a").hasPrefix("content d1 not-posted"))
        timeline.contentEvents["a"] = [
            Timeline.Event("home.show_<recipe>", trigger: "content, home.md:41", postedAs: .shown)
        ]
        timeline.screenEvents["feed"] = [Timeline.Event("home.open", trigger: "screen, home.md:12", postedAs: .screen)]
        #expect(Self.row(page(), "a").hasPrefix("content d1\""))
        #expect(
            Self.row(page(), "a").contains(
                "<span class=\"event\">home.show_&lt;recipe&gt; · content, home.md:41</span>"))
        #expect(Self.row(page(), "feed").hasPrefix("screen not-posted"))
        #expect(Self.row(page(), "feed").contains("home.open · screen, home.md:12"))
        timeline.contentEvents["a"] = [Timeline.Event("home.see", trigger: "impression", postedAs: .seen)]
        #expect(Self.row(page(), "a").hasPrefix("content d1 not-posted"))
    }

    @Test("Labels of any length are complete on hover, and Japanese is preserved")
    func labels() throws {
        let name = String(repeating: "季節のおすすめレシピ", count: 8)
        let page = Timeline.page([try Self.entry(Self.scenario(#"{"id": "\#(name)", "frame": [0, 0, 390, 100]}"#))])
        #expect(page.contains("title=\"\(name) (feed)\n") && !Self.row(page, name).isEmpty)
    }

    static let hostile = [
        "</script><script>alert(1)</script>", "\\\"><img src=x onerror=alert(1)>", "{{constructor}}", "`${alert(1)}`",
        "' onfocus='alert(1)",
        "</title></svg><svg onload=alert(1)>", "\\u202Egpj.exe", "\\u2066x\\u2069", "<!--", "&lt;b&gt;", "]]>",
        "javascript:alert(1)",
        "</style><style>*{}",
    ]

    @Test("No string of a scenario becomes markup, a script, an attribute or a text direction", arguments: hostile)
    func injection(name: String) throws {
        let text = Self.scenario(
            #"{"id": "\#(name)", "frame": [0, 0, 390, 100]}"#, #"{"at": 1, "do": "remove", "content": "\#(name)"}"#,
            expect: #"{"at": 9, "log": "seen", "content": "\#(name)"}"#, name: name)
        let harmless = Timeline.page([try Self.entry(text.replacingOccurrences(of: name, with: "plain"))])
        guard case .replayed(var timeline, _, let differences, _) = try Self.entry(text, file: "\(name).json") else {
            Issue.record("the scenario does not replay")
            return
        }
        let plainName = name.replacingOccurrences(of: "\\\"", with: "\"")
        timeline.contentEvents[plainName] = [Timeline.Event(plainName, trigger: plainName, postedAs: .seen)]
        let entry = Timeline.Entry.replayed(timeline, file: "\(name).json", differences: differences, isChecked: true)
        for page in [Timeline.page([entry]), Timeline.page([entry, .refused(file: plainName, reason: plainName)])] {
            for tag in ["<script", "</script", "<style", "</style", "<!--", "<meta"] {
                #expect(
                    page.components(separatedBy: tag).count == harmless.components(separatedBy: tag).count, "\(tag)")
            }
            #expect(!page.contains("<img") && !page.contains("<b>") && !page.contains("<svg onload"))
            #expect(
                !page.unicodeScalars.contains {
                    ("\u{202A}"..."\u{202E}").contains($0) || ("\u{2066}"..."\u{2069}").contains($0)
                })
            let plot = try #require(
                page.components(separatedBy: "<div class=\"plot\"").last?.components(separatedBy: "</section>").first)
            let reader = Attributes()
            let parser = XMLParser(data: Data("<div\(plot)".utf8))
            parser.delegate = reader
            #expect(parser.parse() && !reader.names.contains { $0.hasPrefix("on") || $0 == "style" || $0 == "href" })
        }
    }

    private final class Attributes: NSObject, XMLParserDelegate {
        var names: Set<String> = []

        func parser(
            _: XMLParser, didStartElement _: String, namespaceURI _: String?, qualifiedName _: String?,
            attributes: [String: String]
        ) {
            names.formUnion(attributes.keys)
        }
    }

    @Test("A page is a picture: it has no script, and its content security policy allows only its own style")
    func policy() throws {
        let page = Timeline.page([try Self.entry(Self.scenario(Self.a))])
        func between(_ start: String, _ end: String) throws -> String {
            try #require(page.components(separatedBy: start).dropFirst().first?.components(separatedBy: end).first)
        }
        let scratch = try Scratch()
        try scratch.write(try between("<style>", "</style>"), to: "inline")
        let script =
            "openssl dgst -sha256 -binary inline | base64 || python3 -c 'import base64, hashlib; "
            + "print(base64.b64encode(hashlib.sha256(open(\"inline\", \"rb\").read()).digest()).decode())'"
        let digest = try Tool.shell(script, in: scratch.url).out.trimmingCharacters(in: .whitespacesAndNewlines)
        #expect(
            try between("Content-Security-Policy\" content=\"", "\"")
                == "default-src 'none'; style-src 'sha256-\(digest)'; base-uri 'none'; form-action 'none'")
        #expect(!page.contains("<script") && !page.contains(" style=") && !page.contains("<button"))
    }

    @Test("Missing, unexpected and late logs are marks in their lanes, with the reason at that time")
    func marks() throws {
        let contents = #"\#(Self.a), {"id": "b", "frame": [0, 900, 390, 100]}"#
        let expect = #"{"at": 1, "log": "shown", "content": "a"}, {"at": 2, "log": "seen", "content": "b"}"#
        let page = Timeline.page([try Self.entry(Self.scenario(contents, expect: expect))])
        #expect(page.contains("<p class=\"bad\">not as expected: 3 differences</p>"))
        #expect(page.contains("<pre class=\"bad differences\">~ 0 shown a (feed), expected at 1\n"))
        let (a, b) = (Self.row(page, "a"), Self.row(page, "b"))
        #expect(a.contains("<title>a: Posted at 0 s, and expected at 1 s: shown.</title><circle class=\"unexpected\""))
        #expect(a.contains("<title>a: Posted at 2 s, and not expected: seen.</title><circle class=\"unexpected\""))
        #expect(
            b.contains("<title>b: Expected at 2 s, and not posted then: seen.\nNot seen: no part of it is in view.\n")
                && b.contains("<circle class=\"missing\""))
        #expect(b.hasPrefix("content d1 not-posted"))
        // The answer is in the picture, not only in a title.
        #expect(b.contains("<p class=\"answer\">Not seen: it never came into view.</p>"))
    }

    @Test("Steps are marks with descriptions in a separate lane; simultaneous steps share a mark")
    func steps() throws {
        let page = Timeline.page([
            try Self.entry(
                Self.scenario(
                    Self.a,
                    #"{"at": 0, "do": "scroll", "in": "feed", "to": [0, 50], "over": 2}, {"at": 3, "#
                        + #""do": "background"}, {"at": 4, "do": "end"}"#
                ))
        ])
        let row = Self.row(page, "steps")
        #expect(row.contains("<title>open feed: 0 s\nscroll feed to 0, 50 over 2 s: 0 – 2 s (2 s)</title>"))
        #expect(
            row.contains(">open feed; scroll feed to 0, 50 over 2 s</text>")
                && row.contains("<title>background: 3 s</title>"))
        #expect(row.components(separatedBy: "class=\"b step\"").count == 4)
    }

    @Test("Several scenarios have an index with verdicts, and rejected files are named")
    func index() throws {
        let page = Timeline.page([
            try Self.entry(Self.scenario(Self.a, name: "first"), file: "1.json"),
            try Self.entry(Self.scenario(Self.a, expect: "", name: "second"), file: "2.json"),
            .refused(file: "3.json", reason: "3.json:1:1: error: <no>"),
        ])
        let index =
            page.components(separatedBy: "<nav").dropFirst().first?.components(separatedBy: "</nav>").first ?? ""
        #expect(index.contains("<h1>2 scenarios, 1 refused</h1>"))
        #expect(
            index.contains(
                "<a href=\"#s1\">first</a> <span class=\"quiet\">not compared: it has no expectations</span>"))
        #expect(index.contains("<a href=\"#s2\">second</a> <span class=\"bad\">not as expected: 2 differences</span>"))
        #expect(index.contains("<a href=\"#s3\">3.json</a> <span class=\"bad\">refused</span>"))
        #expect(page.contains("id=\"s3\"") && page.contains("3.json:1:1: error: &lt;no&gt;"))
        #expect(!Timeline.page([try Self.entry(Self.scenario(Self.a))]).contains("<nav"))
    }

    @Test("An oversized page reports its reduced curves, and keeps all lanes")
    func thinning() throws {
        // Nested rows of all heights, so that their shares are not straight lines.
        let rows = (0..<120).map {
            #"{"id": "row\#($0)", "frame": [0, \#($0 * 90), 390, \#(150 + $0)], "scroll": "both", "#
                + #""contents": [{"id": "card\#($0)", "frame": [100, 20, 400, 600]}]}"#
        }
        let steps =
            #"{"at": 0, "do": "scroll", "in": "feed", "to": [0, 2000], "over": 3}, {"at": 0, "do": "scroll", "#
            + #""in": "row9", "to": [200, 300], "over": 5}, {"at": 9, "do": "end"}"#
        let entries = [try Self.entry(Self.scenario(rows.joined(separator: ","), steps))]
        let whole = Timeline.page(entries)
        #expect(!whole.contains("class=\"notice\""))
        let drawn = whole.utf8.count - Timeline.page([]).utf8.count
        let coarse = Timeline.page(entries, limit: drawn - 1000)
        #expect(
            coarse.contains(
                "Its curves therefore have fewer points: they are accurate to 5%. The instants and the reasons are exact."
            ))
        #expect(!Self.row(coarse, "row119").isEmpty)
        let small = Timeline.page(entries, limit: 1000)
        #expect(small.contains("they are accurate to 5%. It still has"))
        #expect(coarse.utf8.count < whole.utf8.count)
    }
}
