import Foundation
import Testing
import TestSupport

/// Tests `loggen impact`. `Tests/BlackBox/impact_dbt.py` tests it with dbt, and `Tests/Oracles/impact` its SQL.
struct ImpactTests {
    private static let definitions = """
        # search

        ## show

        | column | type |
        | --- | --- |
        | position | int |
        | keyword | string |

        ## hide

        | column | type |
        | --- | --- |
        | position | int |

        """

    private static func impact(
        _ subject: String, _ files: [String: String], settings: String? = nil, _ more: String...
    ) throws -> Tool.Result {
        try impact(subject, definitions, files, settings: settings, more)
    }

    static func impact(
        _ subject: String, _ definitions: String, _ files: [String: String], settings: String?, _ more: [String]
    ) throws -> Tool.Result {
        let scratch = try Scratch(["D/search.md": definitions])
        if let settings { try scratch.write(settings, to: "D/loggen.yml") }
        for (path, text) in files { try scratch.write(text, to: path) }
        return try Tool.run(["impact", subject, "D"] + more, in: scratch.url)
    }

    @Test("A reader of a table is found in each kind of file") func readersInFiles() throws {
        let files = [
            "c/ctr.sql": "select s.position\nfrom analytics.search__show s",
            "c/x.yml": "models:\n  - sql: SELECT position FROM search__show\n",
            "c/v.view.lkml": "view: v {\n  derived_table: { sql: SELECT position FROM search__show ;; }\n}\n",
            "c/d.json": #"{"sql": "SELECT position FROM search__show"}"#,
        ]
        let result = try Self.impact("search.show.position", files, "--consumers", "c")
        #expect(result.code == 0 && result.out.hasPrefix("search.show.position: 4 readers\n"), "\(result)")
        for place in [
            "ctr.sql:1:8: query ctr", "x.yml:2:17: query x", "v.view.lkml:2:32: query v", "d.json:1:17: query d",
        ] {
            #expect(result.out.contains("\n  c/\(place) reads `position`\n"), "\(result.out)")
        }
        let other = try Self.impact("search.show.keyword", files, "--consumers", "c")
        #expect(other.out == "search.show.keyword: no readers\n")
    }

    @Test("A condition on the event narrows a shared table") func narrowedTables() throws {
        let files = [
            "c/show.sql": "select position from search where event_name = 'show'",
            "c/hide.sql": "select position from search where event_name in ('hide')",
            "c/both.sql": "select position from records where event_category = 'search'",
            "c/home.sql": "select position from records where event_category = 'home'",
            "c/keyword.sql": "select keyword from search", "c/star.sql": "select * from search",
        ]
        for (subject, certain) in [("search.show.position", "show"), ("search.hide.position", "hide")] {
            let result = try Self.impact(subject, files, "--consumers", "c")
            let readers = result.out.matches(of: /query (\w+) (reads|may read)/).map { "\($0.1) \($0.2)" }
            #expect(readers.sorted() == ["both reads", "\(certain) reads", "star may read"].sorted(), "\(result.out)")
        }
    }

    @Test("All events are reported with their numbers of readers, and those without readers at the end")
    func allEvents() throws {
        let scratch = try Scratch([
            "D/search.md": Self.definitions, "D/loggen.yml": "consumers: ../c\n",
            "c/a.sql": "select position from search where event_name = 'show'", "c/b.sql": "select 1 from a",
            "c/dbt/dbt_project.yml": "",
        ])
        let result = try Tool.run(["impact", "--all", "D"], in: scratch.url)
        #expect(
            result.out.hasPrefix("search.show: 1 reader, 1 through another\nno readers: search.hide\nnot read: c/dbt/"),
            "\(result.out)\(result.error)")
        let json = try Tool.run(["impact", "--all", "D", "--format", "json"], in: scratch.url)
        let object = try #require(try JSONSerialization.jsonObject(with: Data(json.out.utf8)) as? [String: Any])
        let events = try #require(object["events"] as? [[String: Any]])
        #expect(events.map { $0["event"] as? String } == ["search.show", "search.hide"])
        let readers = try events.map { try #require($0["readers"] as? [[String: Any]]) }
        #expect(readers.map(\.count) == [2, 0])
        let columns = try #require(readers[0][0]["columns"] as? [[String: Any]])
        #expect(columns.map { $0["column"] as? String } == ["event_name", "position"])
        let missing = try Tool.run(["impact", "search.show"], in: scratch.url)
        #expect(missing.code == 2 && missing.error.contains("`loggen impact search.show Definitions`"))
    }

    @Test("The models of the output dbt are the tables of their events") func modelsOfTheOutput() throws {
        let files = [
            "c/p.sql": "select position from {{ ref('log_search__show') }}",
            "c/q.sql": "select position from analytics.log_search__show",
        ]
        let result = try Self.impact("search.show.position", files, "--consumers", "c")
        let places = ["p", "q"].map { "  c/\($0).sql:1:8: query \($0) reads `position`\n" }.joined()
        #expect(result.out == "search.show.position: 2 readers\n" + places)
    }

    @Test("Generated files are not consumers") func generatedFiles() throws {
        let scratch = try Scratch([
            "D/search.md": Self.definitions,
            "D/loggen.yml": """
            consumers: [..]
            outputs: {sql: {dialect: duckdb}, dbt: {dialect: duckdb}, kotlin: , typescript: , json-schema: , catalogue: }

            """,
            "q.sql": "select position from {{ ref('log_search__show') }}",
        ])
        try scratch.expect("D -q")
        let result = try scratch.loggen("impact search.show.position D")
        #expect(result.out == "search.show.position: 1 reader\n  q.sql:1:8: query q reads `position`\n")
    }

    @Test("A reader of a reader is listed with the reader between") func readersOfReaders() throws {
        let result = try Self.impact(
            "search.show",
            [
                "c/a.sql": "select * from search__show", "c/b.sql": "select n from {{ ref('a') }}",
                "c/d.sql": "select n from b", "c/e.sql": "select n from other",
            ], "--consumers", "c")
        #expect(
            result.out == """
                search.show: 1 reader, 2 through others
                  c/a.sql:1:15: query a reads `search__show`
                  c/b.sql: query b reads a
                  c/d.sql: query d reads b

                """)
    }

    @Test("Readers of a dbt model and of a view are linked by the names of their tables") func readersOfTables() throws
    {
        let manifest = """
            {"nodes": {"model.shop.m": {"resource_type": "model", "name": "m", "alias": "Ctr", "original_file_path": "m.sql",
              "raw_code": "select position from search__show", "depends_on": {"nodes": []}}}}
            """
        let result = try Self.impact(
            "search.show.position",
            [
                "dbt/dbt_project.yml": "name: shop\n", "dbt/target/manifest.json": manifest,
                "sql/board.sql": "select avg(position) from analytics.ctr",
                "sql/views.sql": "create view x.seen as select position from search__show",
                "sql/z.sql": "select * from seen",
            ], "--consumers", "dbt", "sql", "dbt/")
        #expect(
            result.out == """
                search.show.position: 2 readers, 2 through others
                  dbt/m.sql:1:8: model m reads `position`
                  sql/views.sql:1:30: query views reads `position`
                  sql/board.sql: query board reads m
                  sql/z.sql: query z reads views

                """)
    }

    @Test(
        "What a consumer defines is a name that others read, whatever its notation",
        arguments: [
            [
                "a.sqlx": "config { name: \"daily\" } select position from search__show",
                "b.sqlx": "select * from ${ref('daily')}",
            ],
            [
                "a.json": #"{"id": 12, "query": "select position from search__show"}"#,
                "b.json": #"{"id": 13, "query": "select * from {{#12-shows}} x"}"#,
                "c.json": #"{"id": 14, "dataset_query": {"source-table": "card__13"}}"#,
                "d.json": #"{"dashcards": [{"id": 1, "card_id": 14}]}"#,
            ],
            [
                "a.view.lkml": "view: shows { sql_table_name: search__show ;; dimension: position {} }",
                "b.view.lkml": "view: child { extends: [shows] measure: m { type: sum sql: ${position} ;; } }",
                "c.model.lkml": "explore: board { from: child sql_always_where: ${child.position} > 1 ;; }",
                "d.dashboard.lookml": "- dashboard: d\n  elements:\n  - explore: board\n    fields: [board.position]\n",
            ],
            [
                "a.py": "spark.table('search__show').createOrReplaceTempView('shows')",
                "b.py": "spark.sql('select * from shows').write.mode('append').parquet('s3://b/shows/')",
                "c.sql": "create macro f() as table select * from 's3://b/shows/*.parquet'",
                "d.rb": "db.exec(<<~SQL)\n  create table t as select * from f()\nSQL",
                "e.R": "dbReadTable(con, \"t\")",
            ],
            [
                "a.sql": "select position from search__show",
                "b.sql.j2": "{{ config(alias='x') }} select * from {{ ref('a') }}",
                "c.hql": "insert overwrite table y select * from x", "d.sql": "select * into z from y",
                "e.yml": "cubes:\n- name: c\n  sql_table: z\n", "f.yml": "cubes:\n- name: d\n  extends: c\n",
            ],
        ])
    func definedNames(_ files: [String: String]) throws {
        let others = ["other.sql": "select position from unknown", "other.py": "spark.table('dim.users')"]
        let all = files.merging(others) { one, _ in one }
        let result = try Self.impact(
            "search.show.position",
            Dictionary(uniqueKeysWithValues: all.map { ("c/" + $0.key, $0.value) }), "--consumers", "c")
        for file in files.keys { #expect(result.out.contains("  c/\(file):"), "\(file): \(result)") }
        #expect(!result.out.contains("c/other"), "\(result)")
    }

    @Test("A statement that names a column of one event breaks with it, even if it selects other events")
    func exclusiveColumns() throws {
        let statement = "select keyword from search where event_name = 'hide'"
        let result = try Self.impact("search.show.keyword", ["q.sql": statement], "--consumers", "q.sql")
        #expect(result.out == "search.show.keyword: 1 reader\n  q.sql:1:8: query q reads `keyword`\n")
    }

    @Test("A statement on other events is not a reader of a column that several events have") func sharedColumns()
        throws
    {
        let home = "# home\n\n## show\n\n| column | type |\n| --- | --- |\n| rank | int |\n"
        let result = try Self.impact(
            "search.show.position",
            ["D/home.md": home, "q.sql": "select position from records where event_category = 'home'"],
            "--consumers", "q.sql")
        #expect(result.out == "search.show.position: no readers\n")
    }

    @Test("Files of a dbt project that its manifest lacks are read, and those that it has are read once")
    func filesNextToAManifest() throws {
        let manifest = """
            {"metadata": {"project_name": "shop"},
             "nodes": {"model.shop.m": {"resource_type": "model", "name": "m", "original_file_path": "models/m.sql",
              "package_name": "shop", "raw_code": "select position from search__show",
              "depends_on": {"nodes": [], "macros": ["macro.shop.c"]}}},
             "macros": {"macro.shop.c": {"original_file_path": "macros/c.sql", "package_name": "shop"},
              "macro.shop.d": {"original_file_path": "macros/d.sql", "package_name": "shop"}}}
            """
        let statement = "select position from search__show"
        let result = try Self.impact(
            "search.show.position",
            [
                "dbt/dbt_project.yml": "name: shop\n", "dbt/target/manifest.json": manifest,
                "dbt/models/m.sql": statement, "dbt/models/new.sql": statement, "dbt/macros/c.sql": statement,
                "dbt/macros/d.sql": statement, "dbt/scripts/report.sql": statement,
            ], "--consumers", "dbt")
        #expect(
            result.out == """
                search.show.position: 4 readers
                  dbt/models/m.sql:1:8: model m reads `position`
                  dbt/macros/d.sql:1:8: query d reads `position`
                  dbt/models/new.sql:1:8: query new reads `position`
                  dbt/scripts/report.sql:1:8: query report reads `position`

                """, "\(result.out)")
    }

    @Test("New files of a dbt project have the names of its sources, and without a manifest they are followed")
    func namesOfSources() throws {
        let manifest = """
            {"metadata": {"project_name": "shop"}, "nodes": {}, "sources": {"source.shop.logs.seen": {"name": "seen",
             "source_name": "logs", "identifier": "search__show", "original_file_path": "models/src.yml"}}}
            """
        var files = [
            "dbt/dbt_project.yml": "name: shop\n", "dbt/target/manifest.json": manifest,
            "dbt/models/src.yml": """
            sources:
              - name: logs
                tables:
                  - name: seen
                    identifier: search__show
                    columns:
                      - name: keyword

            """,
            "dbt/models/new.sql": "select position from {{ source('logs', 'seen') }}",
            "dbt/models/model.py": "def model(dbt, session):\n    return dbt.source('logs', 'seen')[['position']]\n",
            "dbt/macros/new.sql":
                "{% macro m() %}select position from {{ source('logs', 'seen') }}{% endmacro %}",
        ]
        let known = try Self.impact("search.show.position", files, "--consumers", "dbt")
        #expect(
            known.out == """
                search.show.position: 2 readers, 1 possible reader
                  dbt/macros/new.sql:1:23: query new reads `position`
                  dbt/models/model.py:2:41: query model may read `position`: a mention outside of a query
                  dbt/models/new.sql:1:8: query new reads `position`

                """, "\(known.out)")
        files["dbt/target/manifest.json"] = nil
        let unknown = try Self.impact("search.show.position", files, "--consumers", "dbt")
        #expect(
            unknown.out == """
                search.show.position: 1 possible reader, 3 through others
                  dbt/models/src.yml:5:21: query src may read `search__show`: a mention outside of a query
                  dbt/macros/new.sql: query new reads src
                  dbt/models/model.py: query model reads src
                  dbt/models/new.sql: query new reads src
                not read: dbt/dbt_project.yml: `target/manifest.json` is missing, so owners are unknown, and `ref` and \
                `source` are followed by names only; run `dbt parse` or `dbt compile`

                """, "\(unknown.out)")
    }

    @Test("A condition on the former name of an event is found, and named") func formerNamesInConditions() throws {
        let definitions = """
            # search

            ## look

            | key | value |
            | --- | --- |
            | renamed from | show |

            | column | type |
            | --- | --- |
            | position | int |

            ## other

            | column | type |
            | --- | --- |
            | position | int |

            """
        let result = try Self.impact(
            "search.look.position", definitions,
            [
                "c/a.sql": "select position from search where event_name = 'show'",
                "c/b.sql": "select position from records where event_name = 'show' and category = 'search'",
                "c/c.sql": "select position from search where event_name in ('look', 'show')",
                "c/d.sql": "select position from search where event_name = 'other'",
            ], settings: nil, ["--consumers", "c"])
        #expect(
            result.out == """
                search.look.position: 3 readers
                  c/a.sql:1:8: query a reads `position` (of `search.show` formerly)
                  c/b.sql:1:8: query b reads `position` (of `search.show` formerly)
                  c/c.sql:1:8: query c reads `position`

                """, "\(result)")
    }

    @Test("A block of a file has its own place, and a file that is newer than the manifest is read")
    func placesOfNodes() throws {
        func node(_ type: String, _ name: String, _ file: String, _ code: String) -> String {
            """
            "\(type).shop.\(name)": {"resource_type": "\(type)", "name": "\(name)", "original_file_path": "\(file)",
              "package_name": "shop", "raw_code": "\(code)", "depends_on": {"nodes": []}}
            """
        }
        let nodes = [
            node("snapshot", "one", "snapshots/s.sql", "\\nselect keyword from search__show\\n"),
            node("snapshot", "two", "snapshots/s.sql", "\\nselect position\\nfrom search__show\\n"),
            node("operation", "start", "./dbt_project.yml", "select position from search__show"),
            node("model", "edited", "models/edited.sql", "select keyword from search__show"),
        ].joined(separator: ", ")
        let result = try Self.impact(
            "search.show.position",
            [
                "dbt/dbt_project.yml": "name: shop\non-run-start:\n  - select position from search__show\n",
                "dbt/target/manifest.json": #"{"metadata": {"project_name": "shop"}, "nodes": {\#(nodes)}}"#,
                "dbt/snapshots/s.sql":
                    "{% snapshot one %}\nselect keyword from search__show\n{% endsnapshot %}\n"
                    + "{% snapshot two %}\nselect position\nfrom search__show\n{% endsnapshot %}\n",
                "dbt/models/edited.sql": "select keyword, position from search__show\n",
            ], "--consumers", "dbt")
        #expect(
            result.out == """
                search.show.position: 3 readers
                  dbt/snapshots/s.sql:5:8: snapshot two reads `position`
                  dbt/dbt_project.yml:3:12: operation start reads `position`
                  dbt/models/edited.sql:1:17: model edited reads `position`

                """, "\(result.out)")
    }

    @Test("Each file of another format is listed, and a query in UTF-16 is read") func otherFiles() throws {
        let result = try Self.impact(
            "search.show.position",
            [
                "c/a.malloy": "source: shows is duckdb.table('search__show')", "c/b.malloy": "query: q is shows -> {}",
                "c/c.malloy": "run: q -> { group_by: position }", "c/d.malloy": "source: other is duckdb.table('x')",
                "c/e.sql": "select position from search__show", "c/f.xml": "<sql>select * from e</sql>",
            ], "--consumers", "c")
        #expect(
            result.out == """
                search.show.position: 1 reader
                  c/e.sql:1:8: query e reads `position`
                not read: c/a.malloy: it names `search__show` outside of SQL that loggen finds
                not read: c/f.xml: it names `e`, which `c/e.sql` defines
                not read: c/b.malloy: it names `shows`, which `c/a.malloy` defines
                not read: c/c.malloy: it names `q`, which `c/b.malloy` defines

                """, "\(result)")
        let scratch = try Scratch(["D/search.md": Self.definitions])
        let units = "\u{FEFF}select position from search__show\r\n".utf16.flatMap {
            [UInt8($0 & 0xFF), UInt8($0 >> 8)]
        }
        try Data(units).write(to: scratch.url.appendingPathComponent("ssms.sql"))
        let read = try scratch.loggen("impact search.show.position D --consumers ssms.sql")
        #expect(read.out.contains("ssms.sql:1:8: query ssms reads `position`"), "\(read)")
    }

    @Test("The reader of SQL gets signals: its own timer's, and those that end it") func signals() throws {
        let scratch = try Scratch([
            "D/search.md": Self.definitions, "c/a.sql": "select position from search__show",
            "bin/python3": "#!/bin/sh\ngrep SigBlk /proc/self/status >\"$(dirname \"$0\")/signals\"\nexit 3\n",
        ])
        let program = scratch.url.appendingPathComponent("bin/python3")
        try FileManager.default.setAttributes([.posixPermissions: 0o755], ofItemAtPath: program.path)
        let result = try Tool.launch(
            Tool.executable, ["impact", "search.show.position", "D", "--consumers", "c"], in: scratch.url,
            environment: ["PATH": program.deletingLastPathComponent().path + ":/usr/bin:/bin"])
        #expect(result.code == 2, "\(result)")
        #expect(try scratch.read("bin/signals") == "SigBlk:\t0000000000000000\n")
    }

    @Test("Two events can share a table in the warehouse, and unknown tables are reported") func sharedTables() throws {
        for subject in ["search.show.position", "search.hide.position"] {
            let result = try Self.impact(
                subject, ["q.sql": "select position from lake.events"],
                settings: "tables: {search__show: lake.events, search__hide: '`lake.events`'}\n", "--consumers", "q.sql"
            )
            #expect(result.out.hasPrefix("\(subject): 1 reader\n"), "\(result.out)\(result.error)")
        }
        let result = try Self.impact(
            "search.show", [:], settings: "tables: {serch__show: x}\n", "--consumers", "D")
        #expect(result.code == 2)
        #expect(
            result.error.contains("names `serch__show`, which is not a table; did you mean `search__show`?"),
            "\(result.error)")
    }

    @Test("A name outside of FROM is a possible reader of an event") func mentionedTables() throws {
        let result = try Self.impact(
            "search.hide", ["q.sql": "select show as s, hide from x.show"],
            settings: "tables: {search__show: x.show, search__hide: x.hide}\n", "--consumers", "q.sql")
        #expect(result.out.hasPrefix("search.hide: 1 possible reader\n"), "\(result.out)")
        #expect(result.out.contains("  q.sql:1:19: query q may read `x.hide`: a name whose relation is unknown\n"))
    }

    @Test("The name of a removed event's table may stay in the settings") func tablesOfRemovedEvents() throws {
        let scratch = try Scratch([
            "D/search.md": Self.definitions, "D/loggen.yml": "tables: {search__hide: x.hide}\n",
            "q.sql": "select position from search__show",
        ])
        try scratch.expect("lock D")
        let document = Self.definitions.components(separatedBy: "## hide")[0]
        try scratch.write(document, to: "D/search.md")
        let result = try scratch.loggen("impact search.show D --consumers q.sql")
        #expect(result.code == 0 && result.out.hasPrefix("search.show: 1 reader\n"), "\(result.error)")
    }

    @Test("A column that only earlier versions have is a column of the table") func earlierColumns() throws {
        let scratch = try Scratch([
            "D/search.md": Self.definitions, "q.sql": "select keyword from search__show",
        ])
        try scratch.expect("lock D")
        try scratch.write(
            Self.definitions.replacingOccurrences(of: "| keyword | string |\n", with: ""), to: "D/search.md")
        try scratch.expect("lock D --accept")
        let result = try scratch.loggen("impact search.show.keyword D --consumers q.sql")
        #expect(result.out.contains("q.sql:1:8: query q reads `keyword`"), "\(result.out)\(result.error)")
    }

    @Test("The settings name consumers and tables") func settingsNameConsumersAndTables() throws {
        let files = [
            "sql/q.sql": "select position from dwh.events_show", "sql/r.sql": "select position from search__show",
        ]
        let result = try Self.impact(
            "search.show.position", files,
            settings: "consumers: ../sql\ntables: {search__show: dwh.events_show}\n")
        #expect(result.out.contains("sql/q.sql:1:8: query q reads `position`\n"), "\(result.out)\(result.error)")
        #expect(!result.out.contains("r.sql"))
    }

    @Test(
        "Wrong usage is explained",
        arguments: [
            ("search", "is not of the form `category.event` or `category.event.column`"),
            ("search.sho", "unknown event `search.sho`; did you mean `search.show`?"),
            ("search.show.positon", "`search.show` has no column `positon`; did you mean `position`?"),
            ("search.show", "cannot read `none`: no such file or folder"),
            ("search.show", "no consumers: name their files and folders with `--consumers`"),
        ])
    func wrongUsage(subject: String, message: String) throws {
        let options = message.contains("no consumers") ? [] : ["--consumers", "none"]
        let result = try Self.impact(subject, Self.definitions, [:], settings: nil, options)
        #expect(result.code == 2 && result.out.isEmpty && result.error.contains(message), "\(result.error)")
    }

    @Test("A file that cannot be read is listed, and the others are read") func unreadableFiles() throws {
        let result = try Self.impact(
            "search.show",
            [
                "c/dbt_project.yml": "name: c\n", "c/target/manifest.json": "{\n\"nodes\": [",
                "d/dbt_project.yml": "name: d\n", "d/a.sql": "select position from search__show",
            ], "--consumers", "c", "d")
        #expect(result.code == 0)
        #expect(result.out.contains("not read: c/target/manifest.json:2: "), "\(result.out)")
        #expect(result.out.contains("not read: d/dbt_project.yml: `target/manifest.json` is missing"))
        #expect(result.out.contains("d/a.sql:1:22: query a reads `search__show`"))
    }

    @Test("The article's report is the command's") func articleExample() throws {
        let article = try Tool.text(of: "Sources/Generator/loggen/Documentation.docc/Impact.md")
        let blocks = article.components(separatedBy: "```")
        let expected = try #require(blocks.first { $0.hasPrefix("\nsearch.show.position: ") })
        let code = String(repeating: "\\n", count: 11) + "select position from search__show"
        let manifest = """
            {"nodes": {"model.shop.search_ctr": {"resource_type": "model", "name": "search_ctr",
              "original_file_path": "models/search_ctr.sql", "raw_code": "\(code)", "depends_on": {"nodes": []}}},
             "exposures": {"exposure.shop.search_ctr": {"label": "Search CTR", "name": "search_ctr",
              "original_file_path": "models/exposures.yml", "owner": {"name": "Ana", "email": "ana@example.com"},
              "depends_on": {"nodes": ["model.shop.search_ctr"]}}}}
            """
        let result = try Self.impact(
            "search.show.position",
            [
                "analytics/dbt_project.yml": "name: shop\n", "analytics/target/manifest.json": manifest,
                "dashboards/search.json": "\n\n\n" + #"{"sql": "SELECT * FROM search__show"}"#,
            ], "--consumers", "analytics", "dashboards")
        #expect("\n" + result.out == expected, "\(result.error)")
    }

    @Test("Links that form a cycle end, and names cannot change the terminal") func hostileFolders() throws {
        let scratch = try Scratch(["D/search.md": Self.definitions, "c/a.sql": "select 1 from search__show"])
        try scratch.link("c/up", to: scratch.url.path)
        try scratch.link("c/again.sql", to: "a.sql")
        try scratch.write("select 1 from search__show", to: "c/\u{1B}[31m.sql")
        try scratch.link("c/none.sql", to: "gone")
        try scratch.link("c/\u{1B}[32m.sql", to: "gone")
        let result = try scratch.loggen("impact search.show D --consumers c")
        #expect(result.out.hasPrefix("search.show: 2 readers\n"), "\(result.out)")
        #expect(result.out.contains("not read: c/none.sql: this is a broken link"))
        #expect(!result.out.utf8.contains(0x1B))
    }

    @Test("The report in JSON has the reads of each reader") func jsonReport() throws {
        let result = try Self.impact(
            "search.show.position", ["q.sql": "select *\nfrom search__show"], "--consumers", "q.sql", "--format", "json"
        )
        let json = try #require(
            try JSONSerialization.jsonObject(with: Data(result.out.utf8)) as? [String: Any], "\(result.error)")
        #expect(json["event"] as? String == "search.show")
        #expect(json["column"] as? String == "position")
        let reader = try #require((json["readers"] as? [[String: Any]])?.first)
        #expect(reader["file"] as? String == "q.sql")
        #expect(reader["certain"] as? Bool == false)
        #expect((reader["reads"] as? [[String: Any]])?.first?["may"] as? String == "`*`")
    }
}
