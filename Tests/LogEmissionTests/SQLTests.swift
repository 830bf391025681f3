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
        let text = script.tableStatements.joined(separator: ";\n")
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
        #expect(table.columns.map(\.name) == ["event_id", "schema_version", "occurred_at", "count", "count_v1", "gone"])
        #expect(table.columns.filter(\.isRequired).map(\.name) == ["event_id", "schema_version", "occurred_at"])
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
}
