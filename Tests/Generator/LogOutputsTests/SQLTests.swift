import LogDefinitions
import LogProject
import LogWarehouse
import MarkdownSyntax
import Testing

/// Tests of the SQL text. The stage `warehouse` executes it.
struct SQLTests {
    private func model(_ documents: [String: String], lock: String? = nil) async throws -> Model {
        let files = documents.map {
            SourceFile(path: "\($0).md", relativePath: "\($0).md", source: SourceText(Array($1.utf8)))
        }
        var options = AnalysisOptions()
        // A project may disable the rule. Then events that share a table may have columns with one name and several
        // types.
        options.severities[.columnType] = .some(nil)
        let analysis = await Analysis.run(files, options: options)
        try #require(!analysis.hasErrors, "\(analysis.diagnostics.map(\.message))")
        guard let lock else { return Model(analysis.definitions) }
        let lockFile = LockFile(
            SourceFile(path: "loggen.lock", relativePath: "loggen.lock", source: SourceText(Array(lock.utf8))))
        let versions = await Drift.between(lockFile.latest, and: analysis.definitions, scope: .everything).versions
        return Model(analysis.definitions, versions: versions, lock: lockFile)
    }

    private func event(_ rows: String) -> [String: String] {
        ["c": "# c\n\n## e\n\n| column | type | description |\n| --- | --- | --- |\n\(rows)\n"]
    }

    @Test("A hostile description stays in its literal", arguments: SQLDialect.allCases)
    func aHostileDescriptionStaysInItsLiteral(_ dialect: SQLDialect) async throws {
        let model = try await model(event("| a | int | it's */ ${env:HOME} \\\\ '; DROP TABLE x; -- \u{202E} |"))
        let script = SQLScript(model, dialect, tables: .event)
        let text = String(decoding: script.text(of: [.tables]), as: UTF8.self)
        #expect(!text.contains("\u{202E}"))
        #expect(!text.contains("${env") || dialect != .spark)
        // Every quotation mark in the description is doubled or escaped, so the remaining ones come in pairs.
        let marks = text.replacing("\\\\", with: "").replacing("\\'", with: "").filter { $0 == "'" }.count
        #expect(marks % 2 == 0)
    }

    @Test(
        "A type has a name in each dialect",
        arguments: [
            (SQLDialect.duckdb, "UTINYINT[]"), (.spark, "ARRAY<SMALLINT>"), (.postgresql, "SMALLINT[]"),
            (.bigquery, "ARRAY<INT64>"),
            (.snowflake, "ARRAY"), (.clickhouse, "Array(UInt8)"),
        ]) func aTypeHasAWordInEachDialect(_ dialect: SQLDialect, _ written: String)
    {
        #expect(dialect.type(of: .array(.init(of: .integer(.init(bits: 8, isSigned: false))))) == written)
    }

    @Test("An earlier type that does not fit gets a separate column")
    func aTypeThatDoesNotFitGetsAColumnOfItsOwn() async throws {
        let lock = "loggen.lock 1\nc.e 1-0-0 active count:string gone:bool\n"
        let table = try #require(
            SQLTable.all(of: try await model(event("| count | int | |"), lock: lock), by: .event).first)
        #expect(
            table.columns.map(\.name) == [
                "event_id", "schema_version", "occurred_at", "sampling_rate", "count", "count_v1", "gone",
            ])
        #expect(table.columns.filter(\.isRequired).map(\.name) == ["event_id", "schema_version", "occurred_at"])
    }

    private static let history =
        "loggen.lock 1\nc.e 1-0-0 active kept:int count:int\nc.e 2-0-0 active kept:int count:string\n"

    /// Returns the columns of `c.e` after those that every record has, with their types in DuckDB.
    private func columns(_ rows: String, _ lock: String) async throws -> [String] {
        let table = try #require(SQLTable.all(of: try await model(event(rows), lock: lock), by: .event).first)
        return table.columns.dropFirst(4).map { "\($0.name) \(SQLDialect.duckdb.type(of: $0.type))" }
    }

    /// Returns the statements that change DuckDB's table of `c.e` from the end of the history to another revision.
    private func statements(to rows: String, _ lock: String) async throws -> [String] {
        let old = SQLScript(
            try await model(event("| kept | int | |\n| count | string | |"), lock: Self.history), .duckdb,
            tables: .event)
        return SQLEvolution(from: old, to: SQLScript(try await model(event(rows), lock: lock), .duckdb, tables: .event))
            .statements
    }

    @Test("A column keeps its name after it is removed from the documents")
    func aColumnKeepsItsNameWhenDocumentsLoseIt() async throws {
        let kept = "| kept | int | |"
        let before = try await columns(kept + "\n| count | string | |", Self.history)
        #expect(before == ["kept BIGINT", "count VARCHAR", "count_v1 BIGINT"])
        let third = Self.history + "c.e 3-0-0 active kept:int\n"
        #expect(try await columns(kept, third) == before)
        #expect(try await statements(to: kept, third) == [])
        // Columns of other events in the table may have other types.
        let documents = { (rows: String) in
            [
                "c":
                    "# c\n\n## e\n\n|column|type|\n|-|-|\n|kept|int|\n\(rows)\n## f\n\n|column|type|\n|-|-|\n|note|string?|\n"
            ]
        }
        let other = "c.f 1-0-0 active note:string?\n"
        let both = SQLScript(
            try await model(documents("|count|string|\n"), lock: Self.history + other), .duckdb, tables: .category)
        let less = SQLScript(try await model(documents(""), lock: third + other), .duckdb, tables: .category)
        #expect(
            SQLEvolution(from: both, to: less).refusals == [] && SQLEvolution(from: both, to: less).statements == [])
    }

    @Test("A type that returns gets its column back") func aTypeThatComesBackTakesItsColumnWithIt() async throws {
        let third = Self.history + "c.e 3-0-0 active kept:int count:int8\n"
        #expect(
            try await statements(to: "| kept | int | |\n| count | int8 | |", third) == [
                #"ALTER TABLE "c__e" RENAME COLUMN "count" TO "count_v2""#,
                #"ALTER TABLE "c__e" RENAME COLUMN "count_v1" TO "count""#,
            ])
    }

    @Test("Columns that swap names keep their values") func columnsThatChangePlacesKeepTheirValues() async throws {
        let documents = { (one: String, other: String) in
            ["c": "# c\n\n## e\n\n|column|type|\n|-|-|\n|n|\(one)|\n\n## f\n\n|column|type|\n|-|-|\n|n|\(other)|\n"]
        }
        let first = "loggen.lock 1\nc.e 1-0-0 active n:int\nc.f 1-0-0 active n:string\n"
        let second = first + "c.e 2-0-0 active n:string\nc.f 2-0-0 active n:int\n"
        let old = SQLScript(try await model(documents("int", "string"), lock: first), .postgresql, tables: .category)
        let new = SQLScript(try await model(documents("string", "int"), lock: second), .postgresql, tables: .category)
        #expect(
            SQLEvolution(from: old, to: new).statements == [
                #"ALTER TABLE "c" RENAME COLUMN "n" TO "n__meanwhile""#, #"ALTER TABLE "c" RENAME COLUMN "n_f" TO "n""#,
                #"ALTER TABLE "c" RENAME COLUMN "n__meanwhile" TO "n_f""#,
            ])
    }

    /// The tables of a category before and after one of its two events renames the column `n`.
    private func renames(_ dialect: SQLDialect) async throws -> (old: SQLScript, new: SQLScript) {
        let documents = { (row: String) in
            [
                "c":
                    "# c\n\n## e\n\n|column|type|renamed from|\n|-|-|-|\n\(row)\n\n## f\n\n|column|type|\n|-|-|\n|n|[int]?|\n"
            ]
        }
        let first = "loggen.lock 1\nc.e 1-0-0 active n:[int]?\nc.f 1-0-0 active n:[int]?\n"
        let second = first + "c.e 2-0-0 active a:[int]? ~n=a\n"
        return (
            SQLScript(try await model(documents("|n|[int]?||"), lock: first), dialect, tables: .category),
            SQLScript(try await model(documents("|a|[int]?|n|"), lock: second), dialect, tables: .category)
        )
    }

    @Test("A column that only one event of a table renames moves with empty lists, and a view has its former name")
    func aRenameInASharedTable() async throws {
        let (old, new) = try await renames(.postgresql)
        let columns = #""event_id", "event_name", "schema_version", "occurred_at", "sampling_rate", "a""#
        #expect(
            SQLEvolution(from: old, to: new, hasViews: true).statements == [
                #"ALTER TABLE "c" ADD COLUMN "a" BIGINT[]"#,
                #"UPDATE "c" SET "a" = "n", "n" = NULL WHERE "event_name" = 'e' AND "n" IS NOT NULL"#,
                #"DROP VIEW IF EXISTS "c_formerly""#,
                #"CREATE VIEW "c_formerly" AS SELECT \#(columns), CASE WHEN "event_name" = 'e' THEN "a" ELSE "n" END AS "n" FROM "c""#,
            ])
    }

    @Test("A second run of Spark's statements fails before it changes anything")
    func aSecondRunInSpark() async throws {
        let (old, new) = try await renames(.spark)
        let statements = SQLEvolution(from: old, to: new).statements
        #expect(statements.first == "ALTER TABLE `c` ADD COLUMNS (`a` ARRAY<BIGINT>)")
        #expect(statements.contains { $0.hasPrefix("INSERT OVERWRITE `c__new`") })
    }

    @Test("A column does not take over values of another field") func aColumnTakesNoOtherFieldsValues() async throws {
        // The name of a current field is the name of a column of an earlier type.
        let third = Self.history + "c.e 3-0-0 active kept:int count:string count_v1:int\n"
        #expect(
            try await statements(to: "| kept | int | |\n| count | string | |\n| count_v1 | int | |", third) == [
                #"ALTER TABLE "c__e" RENAME COLUMN "count_v1" TO "count_v1_""#,
                #"ALTER TABLE "c__e" ADD COLUMN "count_v1" BIGINT"#,
            ])
    }

    @Test(
        "Comments are updated in each dialect",
        arguments: [
            (
                SQLDialect.duckdb, #"COMMENT ON TABLE "c__e" IS '見た'"#,
                #"COMMENT ON COLUMN "c__e"."a" IS '(sensitive) 宛先'"#,
                #"COMMENT ON COLUMN "c__e"."b" IS NULL"#
            ),
            (
                .postgresql, #"COMMENT ON TABLE "c__e" IS '見た'"#, #"COMMENT ON COLUMN "c__e"."a" IS '(sensitive) 宛先'"#,
                #"COMMENT ON COLUMN "c__e"."b" IS NULL"#
            ),
            (
                .snowflake, #"COMMENT ON TABLE "C__E" IS '見た'"#, #"COMMENT ON COLUMN "C__E"."A" IS '(sensitive) 宛先'"#,
                #"COMMENT ON COLUMN "C__E"."B" IS ''"#
            ),
            (
                .spark, "COMMENT ON TABLE `c__e` IS '見た'",
                "ALTER TABLE `c__e` ALTER COLUMN `a` COMMENT '(sensitive) 宛先'",
                "ALTER TABLE `c__e` ALTER COLUMN `b` COMMENT ''"
            ),
            (
                .clickhouse, "ALTER TABLE `c__e` MODIFY COMMENT '見た'",
                "ALTER TABLE `c__e` COMMENT COLUMN `a` '(sensitive) 宛先'",
                "ALTER TABLE `c__e` COMMENT COLUMN `b` ''"
            ),
            (
                .bigquery, "ALTER TABLE `c__e` SET OPTIONS (description = '見た')",
                "ALTER TABLE `c__e` ALTER COLUMN `a` SET OPTIONS (description = '(sensitive) 宛先')",
                "ALTER TABLE `c__e` ALTER COLUMN `b` SET OPTIONS (description = NULL)"
            ),
        ] as [(SQLDialect, String, String, String)])
    func commentsAreUpdatedInEachDialect(_ dialect: SQLDialect, _ table: String, _ column: String, _ removed: String)
        async throws
    {
        func documents(_ title: String, _ a: String, _ b: String) -> [String: String] {
            [
                "c":
                    "# c\n\n## \(title)\n\n|column|type|description|privacy|\n|-|-|-|-|\n|a|int|宛先|\(a)|\n|b|int|\(b)||\n"
            ]
        }
        let old = SQLScript(try await model(documents("e", "", "gone")), dialect, tables: .event)
        let new = SQLScript(try await model(documents("見た `e`", "sensitive", "")), dialect, tables: .event)
        #expect(SQLEvolution(from: old, to: new).statements == [table, column, removed])
        #expect(SQLEvolution(from: new, to: new).statements == [])
    }

    /// A column without a definition stays as private as it was.
    @Test("A column that is removed from the documents keeps its privacy mark", arguments: SQLDialect.allCases)
    func aColumnThatDocumentsLoseKeepsItsMark(_ dialect: SQLDialect) async throws {
        let lock = "loggen.lock 1\nc.e 1-0-0 active a:int? mail:string?\n"
        let with = ["c": "# c\n\n## e\n\n|column|type|privacy|\n|-|-|-|\n|a|int?||\n|mail|string?|sensitive|\n"]
        let old = SQLScript(try await model(with, lock: lock), dialect, tables: .event)
        let new = SQLScript(
            try await model(event("| a | int? | |"), lock: lock + "c.e 2-0-0 active a:int?\n"), dialect, tables: .event)
        #expect(SQLEvolution(from: old, to: new).statements == [])
    }

    /// BigQuery rejects the statement if a description is one character longer.
    @Test("Long descriptions are cut for BigQuery", arguments: SQLDialect.allCases)
    func aLongDescriptionFitsIntoBigQuery(_ dialect: SQLDialect) async throws {
        let long = String(repeating: "長", count: 17_000)
        let model = try await model([
            "c": "# c\n\n## e\n\n\(long)\n\n|column|type|description|\n|-|-|-|\n|a|int|\(long)|\n"
        ])
        let text = String(decoding: SQLScript(model, dialect, tables: .event).text(of: [.tables]), as: UTF8.self)
        let lengths = text.split { $0 != "長" && $0 != "…" }.map(\.count).sorted()
        #expect(lengths == (dialect == .bigquery ? [1024, 16_384] : [17_000, 17_000]))
        #expect(text.contains("長…") == (dialect == .bigquery))
    }

    @Test("A change that loses data is refused") func aChangeWithLossIsRefused() async throws {
        let old = SQLScript(try await model(event("| count | string | |")), .duckdb, tables: .event)
        let new = SQLScript(try await model(event("| count | int | |")), .duckdb, tables: .event)
        let evolution = SQLEvolution(from: old, to: new)
        #expect(evolution.refusals.count == 1)
        #expect(evolution.statements == [])
    }

    @Test("A change that keeps all data is made") func aChangeWithoutLossIsMade() async throws {
        let old = SQLScript(try await model(event("| a | int8 | |\n| b | string | |")), .postgresql, tables: .event)
        let new = SQLScript(try await model(event("| a | int32 | |\n| c | date | |")), .postgresql, tables: .event)
        #expect(
            SQLEvolution(from: old, to: new).statements == [
                #"ALTER TABLE "c__e" ALTER COLUMN "b" DROP NOT NULL"#,
                #"ALTER TABLE "c__e" ALTER COLUMN "a" TYPE INTEGER"#,
                #"ALTER TABLE "c__e" ADD COLUMN "c" DATE"#,
            ])
    }

    @Test("A load reads one file of the records' folder for each table", arguments: SQLDialect.allCases)
    func aLoadNamesTheFolder(_ dialect: SQLDialect) async throws {
        let script = SQLScript(try await model(event("| a | int8 | |")), dialect, tables: .event)
        func load(_ records: String) -> String {
            String(decoding: script.text(of: [.load], records: records), as: UTF8.self)
        }
        let stage = dialect == .snowflake ? "@" : ""
        for table in ["c__e", "bad_records"] {
            #expect(load(SQLScript.records).contains("\(stage)records/\(table).ndjson"))
            #expect(load("/a b/it's/").contains("\(stage)/a b/it") && load("/a b/it's/").contains("s/\(table).ndjson"))
        }
        #expect(dialect != .snowflake || load("@stage/day").contains("FROM @stage/day/c__e.ndjson)"))
        #expect(dialect != .snowflake || load("@s/a b").contains("FROM '@s/a b/c__e.ndjson')"))
    }

    @Test("psql stops at the first error of a load")
    func postgreSQLStopsAtAnError() async throws {
        let script = SQLScript(try await model(event("| a | int8 | |")), .postgresql, tables: .event)
        #expect(script.text(of: [.load]).starts(with: "\\set ON_ERROR_STOP on\n\nBEGIN;\n".utf8))
    }

    @Test("The path of a load stays in its literal", arguments: SQLDialect.allCases)
    func aPathStaysInItsLiteral(_ dialect: SQLDialect) async throws {
        let script = SQLScript(try await model(event("| a | int8 | |")), dialect, tables: .event)
        let text = String(decoding: script.text(of: [.load], records: "x'; DROP TABLE y; --`\\"), as: UTF8.self)
        let marks = text.replacing("\\\\", with: "").replacing("\\'", with: "")
        #expect(marks.filter { $0 == "'" }.count % 2 == 0)
        #expect(dialect != .spark || marks.filter { $0 == "`" }.count % 2 == 0)
    }

    @Test(
        "Columns keep different names if one has the name of a system column",
        arguments: [SQLTables.category, .wide])
    func systemColumnsKeepDifferentNames(_ tables: SQLTables) async throws {
        let table = "\n\n| column | type |\n| --- | --- |\n"
        let events = ["xmin", "xmin_", "xmin_x"].enumerated().map { "\n## e\($0)\(table)| \($1) | int |\n" }
        let model = try await model(["c": "# c\n" + events.joined()])
        let script = SQLScript(model, .postgresql, tables: tables)
        let text = String(decoding: script.text(of: [.tables]), as: UTF8.self)
        for name in ["xmin_", "xmin__", "xmin_x"] {
            #expect(text.ranges(of: "\"\(name)\" BIGINT").count == 1, "\(name): \(text)")
        }
    }
}
