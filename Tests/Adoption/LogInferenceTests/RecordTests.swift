import LogDefinitions
import MarkdownSyntax
import Testing
import TestSupport

@testable import LogInference

/// Tests of the definitions that records imply, and of the findings about content that implies none.
struct RecordTests {
    private func infer(_ records: [String], _ change: (inout RecordOptions) -> Void = { _ in }) async -> Inference {
        var options = RecordOptions()
        change(&options)
        var reader = RecordReader(options: options)
        for (index, record) in records.enumerated() { reader.read(Array(record.utf8), path: "r", line: index + 1) }
        return await Inference.ofRecords(reader)
    }

    private func record(
        _ columns: String, event: String = "show", category: String = "search", version: String = "1-0-0"
    ) -> String {
        "{\"event_id\":\"1\",\"event_category\":\"\(category)\",\"event_name\":\"\(event)\",\"schema_version\":\"\(version)\",\"occurred_at\":\"x\""
            + (columns.isEmpty ? "" : ",\(columns)") + "}"
    }

    /// Returns the inferred type of the column `a`, in the notation of documents, for records with these values.
    private func type(_ values: String..., change: (inout RecordOptions) -> Void = { _ in }) async -> String? {
        let inference = await infer(values.map { record($0.isEmpty ? "" : "\"a\":\($0)") }, change)
        let row = inference.documents.last?.text.split(separator: "\n").first { $0.hasPrefix("| a ") }
        return row?.split(separator: "|").dropFirst().first.map { String(trimmed($0)) }
    }

    @Test("Values imply types") func valuesHaveTypes() async {
        #expect(await type("true") == "bool")
        #expect(await type("1", "-5") == "int64")
        #expect(await type("9223372036854775807") == "int64")
        #expect(await type("1", "1.5") == "double")
        #expect(await type("1.0") == "double")
        #expect(await type("9223372036854775808") == "double")
        #expect(await type("\"2026-04-01\"") == "date")
        #expect(await type("\"2026-02-30\"") == "string")
        #expect(await type("\"2026-04-01T09:30:00.000Z\"") == "timestamp")
        #expect(await type("\"2026-04-01T09:30:00Z\"") == "string")
        #expect(await type("\"0190a3f2-7c1e-7b52-9d0a-3f6f0c2b8e11\"") == "uuid")
        #expect(await type("\"https://example.com/a\"") == "url")
        #expect(await type("\"home:feed\"") == "string")
        #expect(await type("\"2026-04-01\"", "\"soon\"") == "string")
        #expect(await type("\"\"") == "string")
        #expect(await type("[]", "[1]") == "[int64]")
        #expect(await type("[[\"x\"]]") == "[[string]]")
        #expect(await type("[]") == "[string]")
        #expect(await type("1", "null") == "int64?")
        #expect(await type("1", "") == "int64?")
        #expect(await type("null") == "string?")
        #expect(await type("{\"b\":1}") == nil)
        #expect(await type("true", "1") == "string")
    }

    @Test("Decimals are found only on request") func decimalsAreAskedFor() async {
        #expect(await type("\"12.50\"") == "string")
        #expect(await type("\"12.50\"", "\"-0.99\"") { $0.findsDecimals = true } == "decimal(18, 2)")
        #expect(await type("\"12.50\"", "\"1.5\"") { $0.findsDecimals = true } == "string")
    }

    @Test("A few values that occur often are an enumeration") func fewValuesAreAnEnumerationIfSeenOften() async {
        let values = (0..<120).map { record("\"a\":\"\(["newest", "popular", "near"][$0 % 3])\"") }
        #expect(await infer(values).documents.last?.text.contains("enum(near, newest, popular)") == true)
        #expect(await infer(Array(values.prefix(99))).documents.last?.text.contains("enum(") == false)
        #expect(await infer(values) { $0.mostValues = 2 }.documents.last?.text.contains("enum(") == false)
        #expect(await infer(values) { $0.mostValues = 0 }.documents.last?.text.contains("enum(") == false)
        // A value that occurred once suggests that there are more.
        #expect(await infer(values + [record("\"a\":\"other\"")]).documents.last?.text.contains("enum(") == false)
        let versions = (0..<120).map { record("\"a\":\"2026.\($0 % 3)\"") }
        #expect(await infer(versions).documents.last?.text.contains("enum(") == false)
        // A nested type cannot be named `Type`.
        let named = await infer((0..<120).map { record("\"type\":\"\(["a", "b"][$0 % 2])\"") })
        #expect(named.documents.map(\.path) == ["types.md", "search.md"])
        #expect(named.documents.last?.text.contains("| type   | TypeKind |") == true)
        #expect(!named.hasLosses)
    }

    @Test("An enumeration that events share is a named type") func sharedEnumerationsAreTypes() async {
        let values = (0..<240).map {
            record("\"order\":\"\(["a", "b"][$0 / 2 % 2])\"", event: $0 % 2 == 0 ? "show" : "hide")
        }
        let inference = await infer(values)
        #expect(inference.documents.first?.text.hasPrefix("# types\n\n## Order\n") == true)
    }

    @Test("Integers that are never negative have a minimum of 0") func numbersThatAreNeverNegativeHaveAFloor() async {
        let values = (0..<100).map { record("\"a\":\($0)") }
        #expect(await infer(values).documents.last?.text.contains("int64(0...)") == true)
        #expect(await infer(Array(values.dropLast())).documents.last?.text.contains("int64(0...)") == false)
        #expect(await infer(values + [record("\"a\":-1")]).documents.last?.text.contains("int64(0...)") == false)
    }

    @Test("Contradictory types are reported with counts") func contradictoryTypesAreReportedWithCounts() async {
        let inference = await infer([record("\"a\":1"), record("\"a\":\"x\""), record("\"a\":2"), record("\"b\":{}")])
        #expect(
            inference.findings.map { "\($0.place.map { "\($0)" } ?? "") \($0.message)" } == [
                "r:1:110 `a` has values of several types, a whole number 2 times (first at r:1:110), a string once "
                    + "(first at r:2:110): it becomes a string",
                "r:4:110 `b` is left out: it was an object once, but records are flat",
            ])
        #expect(inference.hasLosses)
    }

    @Test("A name has one type in all events") func oneNameHasOneTypeInAllEvents() async {
        let inference = await infer([record("\"a\":1"), record("\"a\":1.5", event: "hide")])
        #expect(inference.documents.last?.text.components("| a ") == 2)
        #expect(inference.documents.last?.text.components("double") == 2)
    }

    @Test("Columns keep their order") func columnsKeepTheirOrder() async {
        let inference = await infer([
            record("\"a\":1,\"d\":1"), record("\"c\":1,\"d\":1"), record("\"b\":1,\"c\":1"), record("\"a\":1,\"b\":1"),
        ])
        let rows =
            inference.documents.last?.text.split(separator: "\n").filter { $0.hasPrefix("| ") && $0.contains("int64") }
            ?? []
        #expect(rows.map { $0.dropFirst(2).first } == ["a", "b", "c", "d"])
    }

    @Test("Common columns are those of every event") func commonColumnsAreThoseOfEveryEvent() async {
        let records = [
            record("\"session\":\"x\",\"user\":1,\"a\":1"), record("\"session\":\"y\",\"b\":1", event: "hide"),
            record("\"session\":\"y\",\"user\":2", event: "hide"),
            record("\"session\":\"z\",\"user\":3", event: "open", category: "home"),
        ]
        let inference = await infer(records)
        #expect(inference.documents.map(\.path) == ["common.md", "home.md", "search.md"])
        #expect(
            inference.documents.first?.text == """
                # common

                | column  | type   | description |
                | ------- | ------ | ----------- |
                | session | string |             |
                | user    | int64? |             |

                """)
        #expect(inference.documents[1].text == "# home\n\n## open\n")
        // Two events of one category may share a column by chance.
        #expect(await infer(Array(records.prefix(2))).documents.map(\.path) == ["search.md"])
        #expect(!inference.hasLosses)
    }

    @Test("Lines that are not records are counted") func linesThatAreNotRecordsAreCounted() async {
        let bad = (0..<7).map { _ in "{\"a\": nul}" }
        let inference = await infer(
            bad + ["[1]", "{\"event\":\"x\"}", record("\"violations\":[\"a: type\"],\"a\":\"x\""), record("\"a\":1")])
        let messages = inference.findings.map { "\($0.kind.rawValue) \($0.place.map { "\($0): " } ?? "")\($0.message)" }
        #expect(messages.count == 9)
        #expect(messages.first?.hasPrefix("warning r:1:7: this is not JSON") == true)
        #expect(messages.contains("warning left out, as not a JSON object: 8"))
        #expect(messages.contains("warning left out, as records that do not name their event: 1"))
        #expect(
            messages.last?.contains("left out, as records that list their own violations: 1")
                == true)
        #expect(inference.documents.last?.text.contains("| a      | int64 |") == true)
    }

    @Test("Other names become identifiers") func namesOfOthersBecomeIdentifiers() async {
        let inference = await infer([
            record("\"userID\":1,\"id\":2,\"\u{5099}\u{8003}\":3", event: "Order Completed", category: "Shop")
        ])
        #expect(
            inference.documents.last?.text == """
                # Shop `shop`

                ## Order Completed `order_completed`

                | column    | type  | description |
                | --------- | ----- | ----------- |
                | user_id   | int64 | userID      |
                | target_id | int64 | id          |
                | column_3  | int64 | \u{5099}\u{8003}        |

                """)
        // The app has to send the new names.
        #expect(inference.findings.count { $0.kind == .warning && $0.message.contains("; send `") } == 5)
    }

    @Test("A valid identifier keeps its name") func anIdentifierKeepsItsName() async {
        let inference = await infer([record("\"fooBar\":1,\"foo_bar\":true"), record("", event: "Show")])
        let rows = inference.documents.last?.text.split(separator: "\n").filter {
            $0.hasPrefix("| foo") || $0.hasPrefix("##")
        }
        #expect(
            rows == [
                "## show", "| foo_bar_2 | int64 | fooBar      |", "| foo_bar   | bool  |             |",
                "## Show `show_2`",
            ])
        #expect(inference.findings.count { $0.kind == .warning } == 2)
        let empty = await infer([#"{"event_category":"","event_name":"x"}"#])
        #expect(empty.findings.first?.message.hasSuffix("no string `event_category`") == true)
    }

    @Test("Keys are compared by their bytes") func keysAreComparedByTheirBytes() async {
        let apart = await infer([record("\"\u{304C}\":1,\"\u{304B}\u{3099}\":true")])
        #expect(apart.documents.last?.text.split(separator: "\n").filter { $0.hasPrefix("| column_") }.count == 2)
        let twice = await infer([record("\"a\":1,\"a\":2")])
        #expect(twice.documents.isEmpty && twice.findings.first?.message == "duplicate key \"a\"")
    }

    @Test("Several versions of an event are reported") func severalVersionsAreReported() async {
        let inference = await infer([record("\"a\":1"), record("\"a\":1", version: "1-0-1")])
        #expect(
            inference.findings.map(\.message) == [
                "`search.show` was sent in the versions 1-0-0, 1-0-1; it has the columns of all of them"
            ])
        #expect(!inference.hasLosses)
    }

    @Test("No records imply no documents") func noRecordsImplyNoDocuments() async {
        #expect(await infer([]).documents.isEmpty)
        #expect(await infer(["x"]).documents.isEmpty)
    }

    @Test("Memory grows with columns and not with records") func memoryGrowsWithColumnsNotWithRecords() async {
        var reader = RecordReader(options: RecordOptions())
        for number in 0..<Depth.limit(6_000, deep: 20_000) {
            reader.read(
                Array(record("\"a\":\"value \(number)\",\"b\(number % 3000)\":1").utf8), path: "r", line: number + 1)
        }
        let inference = await Inference.ofRecords(reader)
        #expect(inference.findings.contains { $0.message.contains("reads at most 2000 columns per event") })
    }
}

extension String {
    fileprivate func components(_ part: String) -> Int {
        var count = 0
        var rest = self[...]
        while let range = rest.firstRange(of: part) {
            count += 1
            rest = rest[range.upperBound...]
        }
        return count
    }
}
