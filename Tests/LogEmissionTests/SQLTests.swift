import LogDefinitions
import LogEmission
import MarkdownSyntax
import Testing

/// The text of SQL. The gate's stage `warehouse` runs it.
struct SQLTests {
    private func model(_ documents: [String: String], lock: String? = nil) async throws -> Model {
        let files = documents.map { SourceFile(path: "\($0).md", relativePath: "\($0).md", source: SourceText(Array($1.utf8))) }
        let analysis = await Analysis.run(files)
        try #require(!analysis.hasErrors, "\(analysis.diagnostics.map(\.message))")
        guard let lock else { return Model(analysis.definitions) }
        let lockFile = LockFile(SourceFile(path: "loggen.lock", relativePath: "loggen.lock", source: SourceText(Array(lock.utf8))))
        let versions = await Drift.between(lockFile.latest, and: analysis.definitions, scope: .everything).versions
        return Model(analysis.definitions, versions: versions, lock: lockFile)
    }

    private func event(_ rows: String) -> [String: String] { ["c": "# c\n\n## e\n\n| column | type | description |\n| --- | --- | --- |\n\(rows)\n"] }

    @Test(arguments: SQLDialect.allCases) func aHostileDescriptionStaysInItsLiteral(_ dialect: SQLDialect) async throws {
        let model = try await model(event("| a | int | it's */ ${env:HOME} \\\\ '; DROP TABLE x; -- \u{202E} |"))
        let script = SQLScript(model, dialect, tables: .event)
        let text = String(decoding: script.text(of: [.tables]), as: UTF8.self)
        #expect(!text.contains("\u{202E}"))
        #expect(!text.contains("${env") || dialect != .spark)
        // Every quotation mark of the text is doubled or escaped, so the marks that are left come in pairs.
        let marks = text.replacing("\\\\", with: "").replacing("\\'", with: "").filter { $0 == "'" }.count
        #expect(marks % 2 == 0)
    }

    @Test(arguments: [
        (SQLDialect.duckdb, "UTINYINT[]"), (.spark, "ARRAY<SMALLINT>"), (.postgresql, "SMALLINT[]"), (.bigquery, "ARRAY<INT64>"),
        (.snowflake, "ARRAY"), (.clickhouse, "Array(UInt8)"),
    ]) func aTypeHasAWordInEachDialect(_ dialect: SQLDialect, _ written: String) {
        #expect(dialect.type(of: .array(.init(of: .integer(.init(bits: 8, isSigned: false))))) == written)
    }

    @Test func aTypeThatDoesNotFitGetsAColumnOfItsOwn() async throws {
        let lock = "loggen.lock 1\nc.e 1-0-0 active count:string gone:bool\n"
        let table = try #require(SQLTable.all(of: try await model(event("| count | int | |"), lock: lock), by: .event).first)
        #expect(table.columns.map(\.name) == ["event_id", "schema_version", "occurred_at", "sampling_rate", "count", "count_v1", "gone"])
        #expect(table.columns.filter(\.isRequired).map(\.name) == ["event_id", "schema_version", "occurred_at"])
    }

    @Test(arguments: [
        (SQLDialect.duckdb, #"ALTER TABLE "c__e" ADD COLUMN IF NOT EXISTS "sampling_rate" DOUBLE;"#),
        (.clickhouse, "ALTER TABLE `c__e` ADD COLUMN IF NOT EXISTS `sampling_rate` Nullable(Float64) COMMENT"),
        (.spark, "ALTER TABLE `c__e` ADD COLUMNS (`sampling_rate` DOUBLE COMMENT"),
    ])
    func aTableOfBeforeIsToldHowItTakesTheShare(_ dialect: SQLDialect, _ statement: String) async throws {
        let old = SQLScript(try await model(event("| a | int8 | |")), dialect, tables: .event)
        let lines = SQLEvolution(from: old, to: old).comment.split(separator: "\n")
        #expect(SQLEvolution(from: old, to: old).statements == [])
        #expect(lines.count == 3 && lines.allSatisfy { $0.hasPrefix("-- ") })
        #expect(lines.last?.contains(statement) == true && lines.last?.hasSuffix(";") == true, "\(lines)")
        // New tables have it.
        let none = SQLScript(try await model(["d": "# d\n\n## f\n"]), dialect, tables: .event)
        #expect(SQLEvolution(from: none, to: old).comment == "")
    }

    @Test func aChangeWithLossIsRefused() async throws {
        let old = SQLScript(try await model(event("| count | string | |")), .duckdb, tables: .event)
        let new = SQLScript(try await model(event("| count | int | |")), .duckdb, tables: .event)
        let evolution = SQLEvolution(from: old, to: new)
        #expect(evolution.refusals.count == 1)
        #expect(evolution.statements == [])
    }

    @Test func aChangeWithoutLossIsMade() async throws {
        let old = SQLScript(try await model(event("| a | int8 | |\n| b | string | |")), .postgresql, tables: .event)
        let new = SQLScript(try await model(event("| a | int32 | |\n| c | date | |")), .postgresql, tables: .event)
        #expect(
            SQLEvolution(from: old, to: new).statements == [
                #"ALTER TABLE "c__e" ALTER COLUMN "b" DROP NOT NULL"#, #"ALTER TABLE "c__e" ALTER COLUMN "a" TYPE INTEGER"#,
                #"ALTER TABLE "c__e" ADD COLUMN "c" DATE"#,
            ])
    }

    @Test(arguments: [
        0...0, 0...5, 0...9, 0...42, 0...99, 1...9, 5...7, 5...100, 10...20, 19...1000, 101...1099, -128...127, -7 ... -3, -120...0, -1...1,
    ])
    func aPatternOfWholeNumbersHasThoseOfTheRange(_ range: ClosedRange<Int64>) throws {
        let pattern = try Regex("(?:" + IntegerPattern.text(range) + ")")
        for number in Int64(-1300)...1300 {
            let isMatched = try pattern.wholeMatch(in: "\(number)") != nil
            #expect(isMatched == range.contains(number), "\(number)")
        }
        for other in ["00", "01", "-0", "+1", "1.0", ""] { #expect(try pattern.wholeMatch(in: other) == nil, "\(other)") }
    }

    @Test func sparkAndDuckDBTellAGoodRecordInOneLook() async throws {
        let model = try await model(event("| a | int8 | |\n| b | bool? | |"))
        for dialect in SQLDialect.allCases {
            let check = String(decoding: SQLScript(model, dialect, tables: .event).text(of: [.check]), as: UTF8.self)
            #expect(check.contains("is_good") == [.spark, .duckdb].contains(dialect))
            #expect(check.contains("json_extract(record, [") == (dialect == .duckdb))
            #expect(check.contains("in_order") == (dialect == .duckdb))
        }
    }

    @Test func postgreSQLCompilesNoLoad() async throws {
        let model = try await model(event("| a | int8 | |"))
        #expect(SQLScript(model, .postgresql, tables: .event).text(of: [.load]).starts(with: "BEGIN;\n\nSET LOCAL jit = off;\n".utf8))
    }

    @Test func aTableOfTheLockFileAloneIsNamed() async throws {
        let lock = "loggen.lock 1\na.b__c 1-0-0 active\na__b.c 1-0-0 active\n"
        let model = try await model(["a": "# a\n\n## b__c\n"], lock: lock)
        let collisions = SQLScript(model, .duckdb, tables: .event).collisions
        #expect(collisions.count == 1)
        #expect(
            collisions.first?.contains("`a.b__c` (a.md:3:4) and `a__b.c` (in the lock file alone) would both have the table `a__b__c`") == true,
            "\(collisions)")
        #expect(SQLScript(model, .duckdb, tables: .category).collisions == [])
    }

    @Test func aTableForTheRestIsOneInPostgreSQL() async throws {
        let model = try await model(["a": "# a\n\n## b\n\n## b_rest\n"])
        #expect(SQLScript(model, .postgresql, tables: .event).collisions.count == 1)
        #expect(SQLScript(model, .postgresql, tables: .event).collisions.first?.contains("the table `a__b_rest`") == true)
        #expect(SQLScript(model, .duckdb, tables: .event).collisions == [])
    }

    @Test func twoTablesOfOneNameAreNamed() async throws {
        let documents = ["a": "# a\n\n## b__c\n", "a__b": "# a__b\n\n## c\n"]
        let collisions = SQLScript(try await model(documents), .duckdb, tables: .event).collisions
        #expect(collisions.count == 1)
        #expect(
            collisions.first?.contains("`a.b__c` (a.md:3:4) and `a__b.c` (a__b.md:3:4) would both have the table `a__b__c`") == true, "\(collisions)")
        #expect(SQLScript(try await model(documents), .duckdb, tables: .category).collisions == [])
    }
}
