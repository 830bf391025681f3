import Foundation
import LogImpact
import Testing
import TestSupport

struct HostileInputTests {
    @Test("Nested queries beyond the limit may read the columns of their names")
    func nesting() {
        let sql = String(repeating: "SELECT (", count: 3000) + "SELECT title FROM wide"
        #expect(reads(sql).contains { $0.hasPrefix("wide.") })
    }

    @Test("A thread with a stack of 512 KB reads nested queries")
    func stack() {
        for opening in [
            "SELECT a FROM (", "SELECT (", "WITH x AS (", "SELECT a FROM b JOIN (", "((", "EXPLAIN ",
            "(SELECT * FROM t UNION ",
        ] {
            let bytes = Array(String(repeating: opening, count: 2000).utf8)
            let finished = DispatchSemaphore(value: 0)
            let thread = Thread {
                _ = SQLReader(catalog).statements(in: bytes)
                finished.signal()
            }
            thread.stackSize = 512 * 1024
            thread.start()
            finished.wait()
        }
    }

    @Test("Damaged statements and random bytes are read without an error")
    func damage() {
        var random = SystemRandomNumberGenerator()
        let reader = SQLReader(catalog)
        let pieces = Self.pieces.map { Array($0.utf8) }
        for round in 0..<Depth.cases(500, deep: 6_000) {
            var bytes = pieces.randomElement(using: &random) ?? []
            for _ in 0..<Int.random(in: 0...6, using: &random) {
                let other = pieces.randomElement(using: &random) ?? []
                let place = Int.random(in: 0...bytes.count, using: &random)
                switch Int.random(in: 0..<6, using: &random) {
                case 0: bytes.insert(UInt8.random(in: 0...255, using: &random), at: place)
                case 1 where place < bytes.count: bytes.remove(at: place)
                case 2: bytes = Array(bytes.prefix(place))
                case 3: bytes = Array(bytes.suffix(place))
                case 4:
                    bytes.insert(contentsOf: other.prefix(Int.random(in: 0...other.count, using: &random)), at: place)
                default: bytes.insert(Self.marks.randomElement(using: &random) ?? 0, at: place)
                }
            }
            if round % 10 == 0 { bytes = (0..<60).map { _ in Self.marks.randomElement(using: &random) ?? 0 } }
            for kind in ConsumerKind.allCases { _ = reader.statements(in: bytes, kind: kind, model: "wide") }
        }
    }

    static let marks = Array("'\"`$[]{}()%#/*-+\\;:.,|>=<@ \n\u{1E}aE1éSELECT FROM".utf8)

    static let pieces = [
        "WITH a AS (SELECT * FROM wide) SELECT a.title, count(*) FROM a JOIN users u USING (id) WHERE event_name = 'x'",
        "SELECT {{ dbt.x('title') }}, {% for c in ['a', 'b'] %}{{ c }}_x{% endfor %} FROM {{ ref('wide') }} w",
        "MERGE INTO wide t USING (SELECT * FROM raw) s ON t.a = s.b WHEN MATCHED THEN UPDATE SET title = s.c",
        "SELECT properties:a.b::int, x->>'y', [1, 2][0], {'a': title}, $$ q $$ FROM wide LATERAL VIEW EXPLODE(x) t AS y",
        "view: x { sql_table_name: wide ;; dimension: y { sql: ${TABLE}.title ;; } derived_table: { sql: SELECT 1 FROM a ;; } }",
        "a: |\n  SELECT title FROM wide\nb: \"SELECT \\\"x\\\" FROM y\"\nc: 'SELECT ''a'' FROM b'\n- d: SELECT 1\n    FROM x",
        "{\"a\": \"SELECT title\\nFROM wide WHERE x = \\u0027y\\u0027\", \"b\": [1, \"select from\"]}",
        "EXECUTE IMMEDIATE 'SELECT title FROM wide' || x; CREATE FUNCTION f() AS $a$ SELECT 1 $a$; INSERT INTO wide (title) VALUES (1)",
        "SELECT * EXCLUDE (a) REPLACE (b AS c) RENAME (d AS e) FROM t PIVOT (sum(a) FOR b IN (1)) p QUALIFY 1 WINDOW w AS (ORDER BY a)",
        "SELECT CAST(a AS STRUCT<b INT>), extract(day FROM ts), INTERVAL 1 day, lambda x: x, COLUMNS('a'), IDENTIFIER('b') FROM `a.b.*`",
    ]
}
