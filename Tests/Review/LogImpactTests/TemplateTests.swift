import LogImpact
import Testing

struct TemplateTests {
    @Test("ref and source name tables")
    func references() {
        #expect(reads("SELECT title FROM {{ ref('wide') }}") == ["wide.title"])
        #expect(reads("SELECT title FROM {{ ref('package', 'wide') }} AS w") == ["wide.title"])
        #expect(reads("SELECT name FROM {{ source('analytics', 'users') }}") == ["analytics.users.name"])
        #expect(reads("WITH wide AS (SELECT * FROM {{ ref('wide') }}) SELECT title FROM wide") == ["wide.title"])
    }

    @Test("this is the model")
    func this() {
        #expect(reads("SELECT max(position) FROM {{ this }}", model: "wide") == ["wide.position"])
    }

    @Test("Both branches of a condition are read")
    func conditions() {
        #expect(
            reads("SELECT {% if a %} title {% else %} position {% endif %} FROM wide") == [
                "wide.title", "wide.position",
            ])
        #expect(
            reads("SELECT user_id {% if a %} FROM wide {% else %} FROM search__show {% endif %}") == [
                "wide.user_id", "search__show.user_id",
            ])
    }

    @Test("A loop over literals may read their columns")
    func loops() {
        #expect(
            reads("SELECT {% for c in ['title', 'x'] %} sum({{ c }}) AS {{ c }}_total, {% endfor %} 1 FROM wide")
                == ["wide.title?"])
        #expect(
            reads("{% set c = ['user'] %}SELECT {% for x in c %}{{ x }}_id{% endfor %} FROM wide") == ["wide.user_id?"])
    }

    @Test("A variable without a known value may read every column, or those with its suffix")
    func variables() {
        #expect(reads("SELECT sum({{ x }}) FROM wide") == ["wide.*?"])
        #expect(reads("SELECT sum({{ x }}_id) FROM wide") == ["wide.user_id?"])
    }

    @Test("A shell variable as a whole item may read every column")
    func shellVariables() {
        #expect(reads("SELECT ${cols} FROM search__show") == ["search__show.*?"])
        #expect(reads("SELECT title FROM wide WHERE position > ${x} LIMIT ${n}") == ["wide.title", "wide.position"])
    }

    @Test("A macro as a whole condition may read every column")
    func conditionMacros() {
        #expect(reads("SELECT title FROM wide WHERE {{ recent() }}") == ["wide.title", "wide.*?"])
        #expect(reads("SELECT title FROM wide WHERE {{ recent() }} AND 1 = 1") == ["wide.title", "wide.*?"])
        #expect(reads("SELECT title FROM wide WHERE title > {{ recent() }}") == ["wide.title"])
    }

    @Test(
        "A macro at the start of a statement reads its arguments, or any table if it writes the query",
        arguments: [
            ("{{ latest(ref('wide')) }} WHERE NOT deleted", ["wide.*?"]),
            ("{{ latest (ref('wide'), 'title') }}\nWHERE position > 1", ["wide.*?", "wide.title?"]),
            ("{{ latest() }} WHERE position > 1", ["any.*?"]),
            ("{{ config(materialized='table') }} {{ latest() }} ORDER BY 1", ["any.*?"]),
            ("{{ config(materialized='table') }} {{ header() }} SELECT title FROM wide", ["wide.title"]),
            ("{{ config(materialized='table') }}\nVALUES (1)", []),
        ] as [(String, Set<String>)])
    func leadingMacros(sql: String, expected: Set<String>) {
        #expect(reads(sql) == expected)
    }

    @Test("A table that only a name or a target mentions is not certainly read")
    func certaintyOfTables() {
        func tables(_ sql: String) -> [String: Bool] {
            let uses = reader.statements(in: sql).flatMap(\.uses)
            return Dictionary(uses.map { ($0.table ?? "any", $0.certainty == .reads) }, uniquingKeysWith: { $0 || $1 })
        }
        #expect(tables("SELECT wide AS w FROM analytics.users") == ["wide": false, "analytics.users": true])
        #expect(tables("SELECT count(*) FROM wide") == ["wide": true])
        let insert = "INSERT INTO wide (title) SELECT name FROM analytics.users"
        #expect(tables(insert) == ["wide": false, "analytics.users": true])
        #expect(tables("SELECT title FROM {{ x }}") == ["any": false])
        #expect(tables("EXECUTE IMMEDIATE 'SELECT title FROM wide'") == ["wide": false])
        #expect(tables("SELECT * FROM {{ latest(source('logs', 'wide')) }}") == ["wide": true])
    }

    @Test("The argument of a macro may be a column")
    func macros() {
        #expect(reads("SELECT {{ cents('position') }} AS p FROM wide") == ["wide.position?"])
        #expect(reads("SELECT {{ star(from=ref('wide')) }} FROM {{ ref('wide') }}") == ["wide.*?"])
    }

    @Test("A macro in FROM may read any table")
    func macroRelation() {
        #expect(reads("SELECT title FROM {{ events() }}").contains("any.*?"))
    }

    @Test("A computed table name may read the tables that match")
    func computedTables() {
        #expect(reads("SELECT position FROM search__{{ x }}") == ["search__show.position?"])
        #expect(reads("SELECT position FROM {{ target.schema }}.wide") == ["wide.position"])
        #expect(reads("{% set t = ref('wide') %}SELECT title FROM {{ t }}") == ["wide.title"])
        #expect(reads("SELECT position FROM {{ p }}_search__show") == ["search__show.position?"])
    }

    @Test("A statement in a string may be read")
    func dynamicStatements() {
        #expect(reads("EXECUTE IMMEDIATE 'SELECT title FROM wide'") == ["wide.title?"])
        #expect(reads("CREATE FUNCTION f() AS $$ SELECT title FROM wide $$") == ["wide.title?"])
        #expect(reads("EXECUTE IMMEDIATE 'SELECT 1 FROM ' || x").contains("any.*?"))
    }
}
