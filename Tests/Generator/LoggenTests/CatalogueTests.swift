import Foundation
import Testing
import TestSupport

/// Tests of `--only catalogue` and `--only index`. The stage `catalogue` tests the page in a browser.
struct CatalogueTests {
    static let search = """
        # 検索 `search`

        | key | value |
        | --- | --- |
        | owner | @search |

        ## 結果 `show`

        The **results**, </script> and `code`.

        | key | value |
        | --- | --- |
        | trigger | impression(80%, 2s) |

        | column | type | required | description | example | privacy |
        | --- | --- | --- | --- | --- | --- |
        | keyword | string(20) | yes | what was typed | `なす` | personal |
        | order | enum(newest, most popular) | yes | | | |
        | position | int(3...9) | yes | | | |
        | tags | [string(8); 2...4]? | | | `a, b` | |
        | memo | string? | | | | |

        ## ~~gone~~

        ## on_the_web

        | key | value |
        | --- | --- |
        | platforms | web |

        """

    static let common = "# common\n\n| column | type |\n| --- | --- |\n| user_id | uuid |\n"

    /// Returns the data of a page: an element for the list, or one for a category.
    private func data(_ name: String, in page: String) throws -> [String: Any] {
        let start = try #require(page.range(of: "<script type=\"application/json\" id=\"data-\(name)\">"))
        let end = try #require(page.range(of: "</script>", range: start.upperBound..<page.endIndex))
        return try #require(
            try JSONSerialization.jsonObject(with: Data(page[start.upperBound..<end.lowerBound].utf8)) as? [String: Any]
        )
    }

    private func page(in scratch: borrowing Scratch) throws -> String {
        try scratch.expect("D --only catalogue -q")
        return try scratch.read("Generated/Catalogue/index.html")
    }

    private func events(_ category: [String: Any]) throws -> [[String: Any]] {
        try #require(category["events"] as? [[String: Any]])
    }

    @Test("A page contains its events") func aPageHasItsEvents() throws {
        let scratch = try Scratch(["D/search.md": Self.search, "D/common.md": Self.common])
        let page = try page(in: scratch)
        let index = try data("index", in: page)
        #expect(index["owners"] as? [String] == ["@search"])
        let category = try #require((index["categories"] as? [[Any]])?.first)
        #expect(category[0] as? String == "search" && category[1] as? String == "検索" && category[2] as? Int == 0)
        let rows = try #require(category[3] as? [[Any]])
        #expect(rows.map { $0[0] as? String } == ["show", "gone", "on_the_web"])
        // Status, privacy, trigger, platforms
        #expect(rows.map { $0[3...6].compactMap { $0 as? Int } } == [[0, 1, 3, 7], [2, 0, 0, 7], [0, 0, 0, 4]])
        #expect(
            rows[0][7] as? String
                == "The results,  and code.\nkeyword what was typed\norder\nposition\ntags\nmemo")

        let events = try events(data("c0", in: page))
        #expect(events[0]["html"] as? String == "<p>The <strong>results</strong>,  and <code>code</code>.</p>\n")
        #expect(
            events[0]["line"] as? Int == 7 && events[0]["file"] as? String == "search.md" && events[0]["link"] == nil)
        #expect(events[0]["version"] as? String == "1-0-0")
        #expect(
            events[0]["record"] as? [String]
                == ["\"keyword\": \"なす\"", "\"order\": \"newest\"", "\"position\": 3", "\"tags\": [\"a\", \"b\"]"])
        #expect(events[1]["record"] == nil && events[1]["calls"] == nil, "nobody sends a retired event")
        #expect((events[2]["calls"] as? [[String]])?.map { $0[0] } == ["TypeScript"])
    }

    @Test("Calls use the names of their languages") func callsHaveTheNamesOfTheirLanguages() throws {
        let scratch = try Scratch(["D/search.md": Self.search])
        let page = try page(in: scratch)
        let calls = try #require(try events(data("c0", in: page))[0]["calls"] as? [[String]])
        #expect(calls.map { $0[0] } == ["Swift", "Kotlin", "TypeScript"])
        #expect(
            calls[0][1]
                == "activityLogger.post(Search.show(keyword: \"なす\", order: .newest, position: 3, tags: [\"a\", \"b\"]))"
        )
        #expect(
            calls[1][1].contains("Search.Show(") && calls[1][1].contains("order = Search.Order.NEWEST")
                && calls[1][1].contains("listOf(\"a\", \"b\")"))
        #expect(calls[2][1].contains("Search.show({") && calls[2][1].contains("order: \"newest\""))
    }

    /// The table is equal to that of the output `sql`.
    @Test(
        "An event has its table",
        arguments: [
            "", "dialect: duckdb", "dialect: [bigquery, clickhouse]", "dialect: postgresql, tables: wide",
            "dialect: spark, tables: category",
        ])
    func anEventHasItsTable(_ options: String) throws {
        let configuration = "outputs: {catalogue: {}, sql: {\(options)}}\n"
        let scratch = try Scratch([
            "D/search.md": Self.search, "D/common.md": Self.common,
            "D/loggen.yml": options.isEmpty ? "" : configuration,
        ])
        let page = try page(in: scratch)
        let tables = try events(data("c0", in: page)).map { try #require($0["tables"] as? [[String]]) }
        try scratch.expect("D --only sql -q")
        let wanted = [
            ("DuckDB", "duckdb"), ("BigQuery", "bigquery"), ("ClickHouse", "clickhouse"), ("PostgreSQL", "postgresql"),
            ("Spark", "spark"),
        ]
        .filter { options.contains($0.1) || options.isEmpty && $0.1 == "duckdb" }
        #expect(tables[0].map { $0[0] } == wanted.map(\.0))
        // A retired event keeps its records.
        #expect(tables.count == 3 && tables[1].count == wanted.count)
        for (index, (_, dialect)) in wanted.enumerated() {
            let script = try scratch.read("Generated/SQL/\(dialect)/tables.sql")
            let statement = tables[0][index][1]
            if options.contains("tables:") {
                let isWide = options.contains("wide")
                let mark = dialect == "spark" ? "`" : "\""
                #expect(
                    statement == "SELECT *\nFROM \(mark)\(isWide ? "records" : "search")\(mark)\nWHERE "
                        + (isWide ? "\"event_category\" = 'search' AND " : "") + "\(mark)event_name\(mark) = 'show';")
                #expect(script.contains("CREATE TABLE IF NOT EXISTS \(mark)\(isWide ? "records" : "search")\(mark) ("))
            } else {
                #expect(
                    statement.contains("search__show") && statement.contains("user_id") && script.contains(statement),
                    "\(statement)")
            }
        }
    }

    @Test("A page contains links, usages and earlier versions") func aPageHasLinksUsagesAndEarlierVersions() throws {
        let usage = """
            {"events": [{"event": "search.show", "places": [
              {"file": "A.swift", "line": 3, "column": 1, "certain": false}, {"file": "B.swift", "line": 4, "column": 1, "tap": "X.y", "certain": true}]}]}
            """
        let configuration = """
            repository: https://example.com/{file}?plain=1#L{line}
            outputs:
              catalogue:
                to: ../Site
                usage: ../usage.json
            """
        let scratch = try Scratch(["D/検索/search.md": Self.search, "D/loggen.yml": configuration, "usage.json": usage])
        try scratch.expect("lock D -q")
        try scratch.write(
            Self.search.replacingOccurrences(of: "| memo |", with: "| note | bool? | | | | |\n| memo |"),
            to: "D/検索/search.md")
        try scratch.expect("lock D -q")
        try scratch.expect("D -q")
        let page = try scratch.read("Site/index.html")
        let event = try events(data("c0", in: page))[0]
        #expect(event["link"] as? String == "https://example.com/%E6%A4%9C%E7%B4%A2/search.md?plain=1#L7")
        let places = try #require(event["places"] as? [[String: Any]])
        #expect(places.map { $0["file"] as? String } == ["A.swift", "B.swift"])
        #expect(
            places.map { $0["possible"] as? Bool } == [true, nil]
                && places.map { $0["tap"] as? String } == [nil, "X.y"])
        let history = try #require(event["history"] as? [[Any]])
        #expect(history.map { $0[0] as? String } == ["1-0-1", "1-0-0"])
        let changes = try #require(history[0][1] as? [[String]])
        #expect(changes.contains(["column", "note", "is new and optional"]))
        #expect((history[1][1] as? [Any])?.isEmpty == true)
        #expect(try data("index", in: page)["usages"] as? Bool == true)

        // The existing page is current, so two runs write the same bytes.
        try scratch.expect("check D -q")
        try scratch.write(page.replacingOccurrences(of: "Log events", with: "Logs"), to: "Site/index.html")
        try scratch.expect("check D -q", code: 1)
    }

    @Test("A page contains the readers that `loggen impact --all` finds") func aPageHasReaders() throws {
        let scratch = try Scratch([
            "D/search.md": Self.search,
            "D/loggen.yml": "consumers: ../q\noutputs:\n  catalogue: {to: ../Site, readers: ../readers.json}\n",
            "q/one.sql": "create view seen as select s.keyword, s.* from search__show s",
            "q/two.sql": "select count(*) from seen",
        ])
        let impact = try scratch.expect("impact --all D --format json")
        try scratch.write(impact.out, to: "readers.json")
        try scratch.expect("D -q")
        let page = try scratch.read("Site/index.html")
        let event = try events(data("c0", in: page))[0]
        let readers = try #require(event["readers"] as? [[Any]])
        #expect(readers.map { $0[0] as? String } == ["query", "query"])
        #expect(readers.map { $0[1] as? String } == ["one", "two"])
        #expect(readers.map { $0[2] as? String } == ["q/one.sql", "q/two.sql"])
        let columns = try #require(readers[0][4] as? [[Any]])
        #expect(columns.map { $0[0] as? String } == ["keyword", ""])
        #expect(columns.map { $0[1] as? Bool } == [true, false])
        #expect(readers[1][5] as? [String] == ["one"])
        let index = try data("index", in: page)
        #expect(index["readers"] as? Bool == true)
        let lists = (index["categories"] as? [[Any]])?.compactMap { $0[3] as? [[Any]] }.joined()
        #expect(lists?.compactMap { $0[9] as? Int }.first == 2)
        try scratch.expect("check D -q")

        // The file does not contain a newer event, so the number of its readers is unknown.
        try scratch.write(Self.search + "\n## newer\n", to: "D/search.md")
        try scratch.expect("D -q")
        let newer = try data("index", in: scratch.read("Site/index.html"))
        let counts = (newer["categories"] as? [[Any]])?.compactMap { $0[3] as? [[Any]] }.joined()
        #expect(counts?.compactMap { $0[9] as? Int }.last == -1)
    }

    @Test(
        "A mistake in the file of readers is reported",
        arguments: [
            ("none.json", "the file `D/none.json` does not exist"), ("bad.json", "the readers are not JSON"),
            ("list.json", "the readers have no list `events`"),
            ("event.json", "an event of the readers has no `event` and `readers`"),
            ("reader.json", "a reader has no `kind`, `name` and `file`"),
        ])
    func aFileOfReadersMayBeWrong(_ file: String, _ message: String) throws {
        let scratch = try Scratch([
            "D/search.md": Self.search,
            "D/loggen.yml": "outputs:\n  catalogue: {readers: \(file), usage: list.json}\n",
            "D/bad.json": "{\"events\": [", "D/list.json": "{}", "D/event.json": "{\"events\": [{}]}",
            "D/reader.json": "{\"events\": [{\"event\": \"a.b\", \"readers\": [{\"name\": \"x\"}]}]}",
        ])
        let result = try scratch.expect("D -q", code: 1, error: message)
        #expect(result.error.contains("the usages have no list `events`") || file == "none.json")
    }

    @Test(
        "A mistake in the file of usages is reported",
        arguments: [
            ("usage: none.json", "the file `D/none.json` does not exist"),
            ("usage: /tmp/usage.json", "is relative to this file's folder"),
            ("usage: bad.json", "the usages are not JSON"),
            ("usage: list.json", "the usages have no list `events`"),
            ("usage: place.json", "a place of the usages has no `file` and `line`"),
            ("usage: [a, b]", "`usage` takes a string"),
        ])
    func aFileOfUsagesMayBeWrong(_ option: String, _ message: String) throws {
        let scratch = try Scratch([
            "D/search.md": Self.search, "D/loggen.yml": "outputs:\n  catalogue:\n    \(option)\n",
            "D/bad.json": "{\"events\": [",
            "D/list.json": "{}",
            "D/place.json": "{\"events\": [{\"event\": \"a.b\", \"places\": [{\"line\": 1}]}]}",
        ])
        try scratch.expect("D -q", code: 1, error: message)
        // Other outputs do not read the file.
        if option == "usage: none.json" || option == "usage: bad.json" {
            try scratch.expect("D --only json-schema -q")
        }
    }

    @Test(
        "A mistake in the repository's address is reported",
        arguments: [
            ("javascript:alert(1)//{file}", "`repository` is not a web address"),
            ("https://example.com/", "has no `{file}`, the place of the definition file's name"),
            ("https://example.com/{file}\\\" onclick=\\\"", "has a character that web addresses cannot contain"),
            ("https://example.com/{file}/{name}", "has a character that web addresses cannot contain"),
        ])
    func theRepositorysAddressMayBeWrong(_ address: String, _ message: String) throws {
        let scratch = try Scratch(["D/search.md": Self.search, "D/loggen.yml": "repository: \"\(address)\"\n"])
        try scratch.expect("lint D", code: 1, error: message)
    }

    /// Every cell contains strings that could end a script, a comment, a tag or a string.
    @Test("No cell escapes from its place in the page") func noCellLeavesItsPlace() throws {
        let evil =
            "</script><script>alert(1)</script> <!--<script> <img src=x onerror=alert(2)> ' {{x}} ]]> \u{2028}\u{202E} &lt;"
        let document = """
            # \(evil) `evil`

            \(evil)

            ## \(evil) `evil_event`

            [x](javascript:alert(3)) \(evil)

            | key | value |
            | --- | --- |
            | owner | \(evil) |

            | column | type | description | example | more |
            | --- | --- | --- | --- | --- |
            | a | string | \(evil) | \(evil) | \(evil) |

            """
        let scratch = try Scratch(["D/evil.md": document])
        let page = try page(in: scratch)
        let elements = page.components(separatedBy: "<script")
        #expect(elements.count == 4, "the list, the category, and the page's own")
        #expect(!page.contains("<img") && !page.lowercased().contains("href=\\\"javascript"))
        #expect(!page.unicodeScalars.contains { $0 == "\u{2028}" || $0 == "\u{202E}" })
        let event = try events(data("c0", in: page))[0]
        let html = try #require(event["html"] as? String)
        #expect(!html.contains("<script") && !html.contains("<img") && !html.contains("javascript:"))

        try scratch.expect("D --only index -q")
        let index = try scratch.read("Generated/index/README.md")
        #expect(
            !index.dropFirst(10).contains("<") && !index.contains("{{x")
                && !index.unicodeScalars.contains { $0 == "\u{202E}" })
    }

    @Test("The line of a category contains its title and owner, if any") func aCategorysLineHoldsWhatThereIs() throws {
        let scratch = try Scratch([
            "D/a.md": "# a\n", "D/b.md": "# 題 `b`\n", "D/c.md": "# 題 `c`\n\n|key|value|\n|-|-|\n|owner|@c|\n",
            "D/d.md": "# d\n\n|key|value|\n|-|-|\n|owner|@d|\n",
        ])
        try scratch.expect("D --only index -q")
        let lines = try scratch.read("Generated/index/README.md").split(separator: "\n").filter { $0.hasSuffix(".md") }
        #expect(lines == ["a.md", "題 · b.md", "題 · @c · c.md", "@d · d.md"], "\(lines)")
    }

    /// A browser applies only the script and the style whose hashes the policy contains.
    @Test("The policy contains the hashes of the page's script and style")
    func thePolicyContainsTheHashesOfThePagesScriptAndStyle() throws {
        let scratch = try Scratch(["D/search.md": Self.search])
        let page = try page(in: scratch)
        let check = """
            import base64, hashlib, re, sys
            page = open("Generated/Catalogue/index.html", "rb").read().decode()
            policy = re.search(r'Content-Security-Policy" content="([^"]*)"', page)[1]
            parts = [re.search(r"<style>(.*?)</style>", page, re.S)[1], re.search(r"<script>(.*)</script>", page, re.S)[1]]
            wanted = [base64.b64encode(hashlib.sha256(part.encode()).digest()).decode() for part in parts]
            print(policy == f"default-src 'none'; style-src 'sha256-{wanted[0]}'; script-src 'sha256-{wanted[1]}'; base-uri 'none'; form-action 'none'")
            """
        let python = try Tool.command(["python3", "-c", check], in: scratch.url)
        #expect(python.out == "True\n")
        #expect(
            page.hasPrefix("<!DOCTYPE html>\n<!-- Generated by loggen from all log definitions. Do not edit. -->\n"))
    }

    @Test("The index links to lines") func theIndexLinksToLines() throws {
        let scratch = try Scratch([
            "D/search.md": Self.search,
            "D/loggen.yml": "repository: https://example.com/a_b/{file}#L{line}\noutputs:\n  index:\n    to: ../Docs\n",
        ])
        try scratch.expect("D -q")
        let index = try scratch.read("Docs/README.md")
        #expect(index.contains("| [search](#search) | 検索 | @search |\n"))
        #expect(
            index.contains("| [show](https://example.com/a_b/search.md\\#L7) | 結果 | active |  | @search | The results"))
        #expect(index.contains("| gone |") || index.contains("| [gone]("))
        try scratch.expect("check D -q")
    }
}
