import LogImpact
import Testing

struct ExtractionTests {
    @Test("SQL in a block scalar of YAML has the places of the file")
    func block() {
        let yaml = "models:\n  - name: x\n    sql: |\n      SELECT title\n      FROM wide\n    other: title from wide\n"
        #expect(places("title", yaml, kind: .yaml) == ["4:14"])
        #expect(reads(yaml, kind: .yaml) == ["wide.title"])
    }

    @Test("SQL in quoted and plain scalars of YAML is read")
    func scalars() {
        #expect(places("title", "a: \"SELECT 1,\\n title FROM wide\"\n", kind: .yaml) == ["1:17"])
        #expect(places("title", "é: 'SELECT ''x'', title FROM wide'\n", kind: .yaml) == ["1:19"])
        #expect(reads("a: SELECT title\n  FROM wide\nb: 1\n", kind: .yaml) == ["wide.title"])
        #expect(reads("- >-\n  SELECT title\n  FROM wide\n- b\n", kind: .yaml) == ["wide.title"])
    }

    @Test(
        "SQL in flow collections of YAML is read",
        arguments: [
            "a: {sql: \"select position from search__show\"}", "b: [ 'select position from search__show' ]",
            "- {a: 'x', sql: \"select position\\nfrom search__show\", b: 1}",
            "a: [\"x\",\n  'select position\n  from search__show']\nb: 1",
            "a: {sql: select position from search__show}",
            "a: {\n  x: \"1\", sql: \"select position from search__show\"\n}",
        ])
    func flow(_ yaml: String) {
        #expect(reads(yaml, kind: .yaml) == ["search__show.position"])
    }

    @Test("SQL in a flow collection of YAML has the places of the file")
    func flowPlaces() {
        #expect(places("title", "a: [b, \"select title from wide\"]", kind: .yaml) == ["1:16"])
    }

    @Test("A condition in a quoted scalar of YAML narrows")
    func filter() {
        let statements = reader.statements(
            in: Array("a: 'SELECT title FROM wide WHERE event_name = ''show'''".utf8), kind: .yaml)
        #expect(statements.first?.uses.first?.filters.first?.values == ["show"])
    }

    @Test("A dimension of LookML reads the table of its view")
    func dimensions() {
        let file = """
            view: searches {
              sql_table_name: analytics.search__show ;;
              dimension: position { type: number sql: ${TABLE}.position ;; }
              measure: total { sql: CASE WHEN ${TABLE}.query IS NOT NULL THEN ${position} END ;; }
            }
            """
        #expect(reads(file, kind: .lookML) == ["search__show.position", "search__show.query"])
        #expect(places("position", file, kind: .lookML) == ["3:43"])
    }

    @Test(
        "A field of LookML without SQL reads the column with its name",
        arguments: [
            "view: search__show { dimension: position {} }",
            "view: searches { sql_table_name: a.search__show ;; dimension: position { type: number } }",
            "view: search__show { dimension_group: position { html: {{ value }} } ;; } measure: x { sql: 1 ;; } }",
            "view: search__show { measure: position { type: sum filters: [query: \"{x\"] } }",
        ])
    func defaultColumns(_ file: String) {
        #expect(reads(file, kind: .lookML) == ["search__show.position"])
    }

    @Test("A field of LookML with SQL, and a count, do not read the column with their name")
    func otherFields() {
        let file = """
            view: search__show {
              dimension: position { sql: ${TABLE}.query ;; }
              dimension: ts { case: { when: { sql: ${TABLE}.user_id = 1 ;; label: "x" } } }
              measure: event_name { type: count }
            }
            view: wide { derived_table: { sql: SELECT 1 FROM x ;; } dimension: title {} }
            """
        #expect(reads(file, kind: .lookML) == ["search__show.query", "search__show.user_id"])
    }

    @Test("The place of a LookML field without SQL is its name")
    func defaultPlaces() {
        let file = "view: wide {\n dimension: a {sql: 1 ;;}\n dimension: title {}\n}"
        #expect(places("title", file, kind: .lookML) == ["3:13"])
    }

    @Test("A derived table of LookML is a query")
    func derivedTables() {
        let file =
            "view: v {\n derived_table: {\n sql: SELECT title FROM wide ;; }\n dimension: t { sql: ${TABLE}.t ;; } }"
        #expect(reads(file, kind: .lookML) == ["wide.title"])
    }

    @Test("A join of LookML may read the columns of its views")
    func explores() {
        let file = "explore: e { join: users { sql_on: ${wide.user_id} = ${users.id} ;; } }"
        #expect(reads(file, kind: .lookML) == ["wide.user_id?", "analytics.users.id?"])
    }

    @Test("SQL in strings of JSON has the places of the file")
    func json() {
        let json = "{\n \"q\": \"SELECT \\\"title\\\" -- x\\n, position FROM wide\"\n}"
        #expect(reads(json, kind: .json) == ["wide.title", "wide.position"])
        #expect(places("position", json, kind: .json) == ["2:33"])
    }

    @Test("The lines of a notebook's cell are one statement")
    func notebook() {
        let json = #"""
            {"cells": [{"source": [
              "%%sql\n",
              "SELECT \"position\" -- don't\n",
              "FROM search__show\n"
            ]}], "x": ["a", "b"]}
            """#
        #expect(reads(json, kind: .json) == ["search__show.position"])
        #expect(places("position", json, kind: .json) == ["3:12"])
        #expect(reads(#"["SELECT position -- x", "FROM search__show"]"#, kind: .json) == ["search__show.position"])
    }

    @Test("The parts of a notebook's cell in triple quotes are statements of their own")
    func tripleQuotes() {
        let json = ##"["x = sql(\"\"\"\n", "SELECT title\n", "FROM wide\n", "\"\"\")\n", "y = '''\n", "z"]"##
        #expect(reads(json, kind: .json) == ["wide.title"])
    }

    @Test("Queries in an array of JSON are statements of their own")
    func queries() {
        let json = #"["SELECT title FROM wide", "SELECT position FROM search__show", 1, "SELECT", {"a": "FROM raw"}]"#
        #expect(reads(json, kind: .json) == ["wide.title", "search__show.position"])
    }

    @Test("A byte order mark is not part of the first statement", arguments: [ConsumerKind.sql, .yaml, .json])
    func byteOrderMark(_ kind: ConsumerKind) {
        let prefix = kind == .json ? "[\"" : kind == .yaml ? "a: '" : ""
        let suffix = kind == .json ? "\"]" : kind == .yaml ? "'" : ""
        let sql = "\u{FEFF}" + prefix + "SELECT title FROM wide" + suffix
        #expect(reads(sql, kind: kind) == ["wide.title"])
        #expect(places("title", sql, kind: kind) == ["1:\(8 + prefix.count)"])
    }
}
