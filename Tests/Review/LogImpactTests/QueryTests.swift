import LogImpact
import Testing

struct QueryTests {
    @Test("A column in each clause is read")
    func clauses() {
        #expect(
            reads(
                """
                SELECT position FROM search__show WHERE query = 'x' GROUP BY user_id HAVING max(ts) > 1
                ORDER BY event_name
                """) == [
                    "search__show.position", "search__show.query", "search__show.user_id", "search__show.ts",
                    "search__show.event_name",
                ])
    }

    @Test("A qualified name is a column of the relation with the alias")
    func aliases() {
        #expect(
            reads("SELECT s.position, u.name FROM search__show AS s JOIN analytics.users u ON u.id = s.user_id") == [
                "search__show.position", "analytics.users.name", "analytics.users.id", "search__show.user_id",
            ])
    }

    @Test("A column in a correlated subquery is read")
    func correlated() {
        #expect(
            reads(
                "SELECT 1 FROM analytics.users u WHERE EXISTS (SELECT 1 FROM search__show WHERE user_id = u.id)")
                == ["search__show.user_id", "analytics.users.id"])
    }

    @Test("USING reads the column of both relations")
    func using() {
        #expect(
            reads("SELECT 1 FROM search__show JOIN wide USING (user_id)") == ["search__show.user_id", "wide.user_id"])
    }

    @Test("A star in a common table expression reads the columns that the rest uses")
    func importedTable() {
        let sql = """
            WITH source AS (SELECT * FROM search__show), renamed AS (SELECT position AS place FROM source)
            SELECT * FROM renamed
            """
        #expect(reads(sql) == ["search__show.position"])
        #expect(sources("place", sql) == ["search__show.position"])
    }

    @Test("A star in the result may read every column")
    func star() {
        #expect(reads("SELECT * FROM search__show") == ["search__show.*?"])
        #expect(reads("SELECT a.* FROM (SELECT * FROM wide) a") == ["wide.*?"])
        #expect(sources("title", "SELECT * FROM wide") == ["wide.title"])
    }

    @Test("A star with exceptions may read the other columns")
    func exceptions() {
        #expect(
            reads("SELECT * EXCEPT (name) FROM analytics.users")
                == ["analytics.users.name", "analytics.users.id?", "analytics.users.country?"])
    }

    @Test("A set operation reads the columns of each term, and combines them by position")
    func setOperations() {
        let sql = "SELECT position AS p FROM wide UNION ALL SELECT user_id FROM search__show ORDER BY p"
        #expect(reads(sql) == ["wide.position", "search__show.user_id"])
        #expect(sources("p", sql) == ["wide.position", "search__show.user_id"])
    }

    @Test("A recursive query sees its own columns")
    func recursion() {
        let sql = """
            WITH RECURSIVE t(n, m) AS (
                SELECT user_id, position FROM wide UNION ALL SELECT n + 1, m FROM t
            ) SELECT m AS result FROM t
            """
        #expect(reads(sql) == ["wide.user_id", "wide.position"])
        #expect(sources("result", sql) == ["wide.position"])
    }

    @Test("A common table expression with a table's name hides the table after itself")
    func shadowing() {
        #expect(
            reads("WITH wide AS (SELECT position FROM wide) SELECT position FROM wide") == ["wide.position"])
        #expect(reads("WITH wide AS (SELECT 1 AS title) SELECT title FROM wide").isEmpty)
    }

    @Test("Windows, QUALIFY and CASE read their columns")
    func windows() {
        #expect(
            reads(
                """
                SELECT sum(CASE WHEN query IS NULL THEN 1 END) OVER w FROM search__show
                QUALIFY row_number() OVER (PARTITION BY user_id ORDER BY ts DESC) = 1
                WINDOW w AS (PARTITION BY position)
                """) == [
                    "search__show.query", "search__show.user_id", "search__show.ts", "search__show.position",
                ])
    }

    @Test(
        "A member of a structured column is read with its path",
        arguments: [
            "properties.position", "s.properties.position", "properties:position::int", "properties->>'position'",
            "json_extract(properties, '$.position')", "JSONExtractString(properties, 'position')",
            "properties['position']",
        ])
    func members(_ expression: String) {
        #expect(reads("SELECT \(expression) FROM search__show s") == ["search__show.properties:position"])
    }

    @Test("The name of a relation as an expression may read every column")
    func wholeRow() {
        #expect(reads("SELECT to_json(u) FROM analytics.users u") == ["analytics.users.*?"])
    }

    @Test("count(*) reads no column")
    func countStar() {
        #expect(reads("SELECT count(*) FROM search__show").isEmpty)
    }

    @Test(
        "The syntax of a dialect does not hide a column",
        arguments: [
            "FROM wide SELECT title", "SELECT title FROM wide FINAL SAMPLE 0.1 WHERE 1",
            "SELECT title FROM wide TABLESAMPLE BERNOULLI (10)", "SELECT w.title FROM wide AS w, UNNEST([1]) AS x",
            "SELECT title FROM wide LATERAL VIEW EXPLODE(array(1)) t AS x", "SELECT [title] FROM wide",
            "SELECT title FROM wide ARRAY JOIN [1] AS a", "SELECT \"title\" FROM \"wide\"",
            "SELECT `title` FROM `my-project.analytics.wide`", "SELECT title FROM my-project.analytics.wide",
            "SELECT list_transform([1], x -> x + title) FROM wide", "SELECT title::varchar(10) FROM wide",
            "SELECT '\\'', title FROM wide", "SELECT '\\', title FROM wide", "SELECT $$'$$, title FROM wide",
            "SELECT 1 # it's\n, title FROM wide", "SELECT /* /* */ title FROM wide", "(SELECT title FROM wide)",
            "SELECT a FROM ((SELECT title AS a FROM wide) UNION ALL (SELECT '')) t", "TABLE wide",
            "CREATE TABLE x AS SELECT title FROM wide", "INSERT INTO x SELECT title FROM wide",
            "DELETE FROM x USING wide WHERE title = '1'", "UPDATE x SET a = w.title FROM wide w",
            "MERGE INTO x USING wide w ON x.a = w.title WHEN MATCHED THEN DELETE", "SELECT $1, title FROM wide",
            "SELECT title FROM IDENTIFIER('wide')", "EXPLAIN SELECT title FROM wide", "SELECT title, FROM wide",
            "SELECT a.title FROM wide a LEFT JOIN x b ON a.user_id = b.id (+)", "SELECT (title FROM wide",
            "SELECT 1 IS DISTINCT FROM title FROM wide", "FROM wide |> WHERE title = 'x'",
            "SELECT x[1:title] FROM wide", "SELECT x[user_id:title] FROM wide", "SELECT {a:title} FROM wide",
            "SELECT a?b:title FROM wide", "SELECT CAST(CAST(1 AS INT) + title AS INT) FROM wide",
            "SELECT title FROM wide FOR SYSTEM_TIME AS OF TIMESTAMP '2024-01-01'", "WITH x AS (SELECT title FROM wide",
        ])
    func dialects(_ sql: String) {
        let found = reads(sql)
        #expect(found.contains("wide.title") || found.contains("wide.title?") || found.contains("wide.*?"), "\(found)")
    }

    @Test("A name that the nearest relation can have may read a column of an outer one")
    func openRelation() {
        #expect(
            reads("SELECT 1 FROM wide WHERE EXISTS (SELECT 1 FROM other WHERE other.id = title)") == ["wide.title?"])
    }

    @Test("The column of an unknown relation is not read from a table of the catalog")
    func unknownRelation() {
        #expect(reads("SELECT o.title FROM wide w JOIN other o ON o.id = w.user_id") == ["wide.user_id"])
    }

    @Test("A table with unknown columns has the columns that qualified names read")
    func unknownColumns() {
        #expect(reads("SELECT r.a, b FROM raw r") == ["raw.a", "raw.b?"])
    }

    @Test("The columns of INSERT may be read")
    func insert() {
        #expect(reads("INSERT INTO wide (title) VALUES ('x')") == ["wide.title?"])
    }

    @Test("A string as the name of a table may read it")
    func quotedTable() {
        #expect(reads("SELECT position FROM 'search__show'") == ["search__show.position?"])
        #expect(reads("SELECT s.position FROM 'search__show' s") == ["search__show.position?"])
        #expect(reads("SELECT position FROM 'search__show.parquet'").isEmpty)
    }

    @Test("An index may read its table, and other objects read their query")
    func otherObjects() {
        #expect(reads("CREATE INDEX i ON search__show (position)").contains("search__show.*?"))
        #expect(reads("CREATE TASK t AS SELECT title FROM wide") == ["wide.title"])
    }

    @Test("Places count characters from 1")
    func places() {
        #expect(LogImpactTests.places("position", "SELECT 'é',\n  'ü', position\nFROM wide") == ["2:8"])
    }

    @Test("A statement after another one has its own reads")
    func statements() {
        #expect(reads("SELECT title FROM wide; SELECT name FROM users;") == ["wide.title", "analytics.users.name"])
        #expect(reader.statements(in: "SELECT 1;\nSELECT title FROM wide").last?.place.line == 2)
    }

    @Test("A contradictory qualification is another table")
    func qualification() {
        #expect(reads("SELECT name FROM analytics.users") == ["analytics.users.name"])
        #expect(reads("SELECT name FROM p.analytics.users") == ["analytics.users.name"])
        #expect(reads("SELECT name FROM crm.users").isEmpty)
    }
}
