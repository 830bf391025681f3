import LogImpact
import Testing

struct FilterTests {
    @Test(
        "A condition on a string narrows the rows of its table",
        arguments: [
            "SELECT position FROM wide WHERE event_name = 'show'",
            "SELECT position FROM wide w WHERE w.event_name IN ('show') AND position > 1",
            "SELECT position FROM (SELECT * FROM wide) e WHERE event_name = 'show'",
            "WITH e AS (SELECT * FROM wide) SELECT position FROM e WHERE e.event_name = 'show'",
            "SELECT w.position FROM analytics.users u LEFT JOIN wide w ON u.id = w.user_id AND w.event_name = 'show'",
        ])
    func narrows(_ sql: String) {
        #expect(events("position", sql).allSatisfy { $0 == ["show"] })
    }

    @Test(
        "A condition that some rows do not meet does not narrow",
        arguments: [
            "SELECT position FROM wide WHERE event_name = 'show' OR position = 1",
            "SELECT position FROM wide WHERE NOT event_name = 'show'",
            "SELECT w.position FROM wide w LEFT JOIN analytics.users u ON w.event_name = 'show'",
            "SELECT w.position FROM wide w FULL JOIN analytics.users u ON w.event_name = 'show'",
            "SELECT position FROM wide {% if x %} WHERE event_name = 'show' {% endif %}",
            "SELECT position FROM wide WHERE 1 = 1 {% if x %} AND event_name = 'show' {% endif %}",
            "SELECT position FROM wide WHERE event_name = '{{ x }}'",
            "SELECT CASE WHEN event_name = 'show' THEN position END FROM wide",
            "SELECT w.position FROM wide w ANTI JOIN analytics.users u ON w.user_id = u.id AND w.event_name = 'show'",
            "SELECT w.position FROM analytics.users u ANTI RIGHT JOIN wide w ON w.event_name = 'show'",
            """
            MERGE INTO analytics.users u USING wide w ON u.id = w.user_id AND w.event_name = 'show'
            WHEN NOT MATCHED THEN INSERT (id) VALUES (w.position)
            """,
            """
            SELECT w.position FROM wide w LEFT JOIN analytics.users u JOIN raw r ON u.id = r.id
            ON w.event_name = 'show'
            """,
        ])
    func doesNotNarrow(_ sql: String) {
        #expect(events("position", sql) == [nil])
    }

    @Test("Alternatives of one column are several values")
    func alternatives() {
        #expect(
            events("position", "SELECT position FROM wide WHERE (event_name = 'a' OR event_name = 'b')") == [
                ["a", "b"]
            ])
    }

    @Test("Two uses of a common table expression have their own conditions")
    func separateUses() {
        let sql = """
            WITH e AS (SELECT * FROM wide), a AS (SELECT position FROM e WHERE event_name = 'a')
            SELECT position FROM a UNION ALL SELECT position FROM e
            """
        #expect(events("position", sql).contains(["a"]))
        #expect(events("position", sql).contains(nil))
    }
}
