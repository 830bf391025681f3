import Foundation
import JSONSyntax
import LibFuzzer
import LogTypes
import LogValidation

/// A fuzzer of all stages from the bytes of records to a report on them.
@main
struct RecordFuzzer {
    static func main() {
        var count = CommandLine.argc
        var arguments: UnsafeMutablePointer<UnsafeMutablePointer<CChar>?>? = CommandLine.unsafeArgv
        exit(
            LLVMFuzzerRunDriver(&count, &arguments) { data, size in
                RecordChecks.run(Array(UnsafeBufferPointer(start: data, count: size)))
                return 0
            })
    }
}

/// Checks that hold for every input, read as lines and as an array. A failed check ends the process, which libFuzzer
/// reports.
enum RecordChecks {
    private static let rules: RecordRules = {
        let columns: [(String, String)] = [
            ("text", "string?"), ("short", "string(3)?"), ("bytes", "string(4 bytes)?"), ("int8", "int8?"),
            ("int64", "int64?"),
            ("percent", "int(0...100)?"), ("number", "double?"), ("fraction", "float(0...0.5)?"),
            ("amount", "decimal(5, 2)?"), ("flag", "bool?"),
            ("day", "date?"), ("time", "timestamp?"), ("key", "uuid?"), ("link", "url?"),
            ("order", "enum(newest, 新着)?"),
            ("tags", "[string(3)]?"), ("pair", "[int8; 1...2]"), ("grid", "[[enum(a, b); ...1]]?"),
            ("app_version", "string?"),
        ]
        func version(_ text: String, _ columns: some Sequence<(String, String)>) -> EventDescription.Version {
            EventDescription.Version(
                text: text,
                columns: columns.compactMap { name, type in
                    guard let parsed = try? TypeNotation.parse(type) else { return nil }
                    return ColumnShape(name: name, type: parsed.type, isRequired: !parsed.isOptional)
                })
        }
        return RecordRules([
            EventDescription(
                category: "a", name: "b", versions: [version("1-0-1", columns), version("1-0-0", columns.prefix(3))]),
            EventDescription(category: "a", name: "c", versions: [version("1-0-0", [])]),
        ])
    }()

    private static let interest = RecordInterest(
        wantsBadRecords: true, wantsGoodRecords: true, wantsCoverage: true, wantsStatistics: true)

    static func run(_ input: [UInt8]) {
        checkLines(input)
        checkArray(input)
    }

    /// The tables for an engine with every limit. In one table, version 1-0-0 has a separate column.
    private static let tables = RecordTables(
        [
            .init(
                name: "a__b", events: ["a.b"],
                columns: [
                    .init(field: "short", name: "short", versions: ["a.b 1-0-1"]),
                    .init(field: "short", name: "short_v1", versions: ["a.b 1-0-0"]),
                ]), .init(name: "a__c", events: ["a.c"], columns: []),
        ], bad: "bad_records",
        limits: .init(engine: "Engine", allowsNull: false, years: 1900...2299, longestRecord: 4000))

    private static func checkRows(_ line: [UInt8]) {
        var judge = RecordEvaluator(rules, RecordInterest(routing: .split(tables)))
        let report = judge.judge(RecordChunk(lines: line))
        let rows = report.rows.flatMap { $0.split(separator: 0x0A) }
        require(rows.count == report.counts.records, "a record is in one row")
        require(
            report.rows.last?.isEmpty == (report.counts.valid == report.counts.records),
            "a valid record is in no row of bad ones")
        for row in rows {
            require(!row.contains { $0 < 0x20 && $0 != 0x09 }, "a row has no control characters")
            do throws(JSONSyntaxError) {
                _ = try JSONReader.read(Array(row), what: "the row")
            } catch {
                require(false, "a row is JSON: \(error.message)")
            }
        }
    }

    private static func judged(_ chunk: RecordChunk) -> ChunkReport {
        var judge = RecordEvaluator(rules, interest)
        return judge.judge(chunk)
    }

    /// Checks that a line is judged independently of the lines before it, and read as another JSON reader reads it.
    private static func checkLines(_ input: [UInt8]) {
        let whole = judged(RecordChunk(lines: input))
        var counts = RecordCounts()
        var violations: [Violation] = []
        var good: [UInt8] = []
        let lines = input.split(separator: 0x0A, omittingEmptySubsequences: false)
        for (number, line) in lines.enumerated() where !(line.isEmpty && number == lines.count - 1) {
            let alone = judged(RecordChunk(lines: Array(line)))
            counts += alone.counts
            violations += alone.violations.map { violation in
                var moved = violation
                moved.line += number
                return moved
            }
            good += alone.goodRecords
            require(alone.counts.records <= 1, "a line is one record at most")
            require(
                alone.counts.valid + alone.counts.declared + alone.counts.bad == alone.counts.records,
                "a record has one verdict")
            require(
                (alone.counts.bad == 1) == !alone.violations.isEmpty, "a bad record has a violation, and no other has")
            checkRows(Array(line))
            if alone.counts.records == 1 { checkVerdict(Array(line), isJSON: alone.counts.notJSON == 0) }
        }
        require(whole.counts == counts, "lines count the same together and alone")
        require(whole.violations == violations, "lines break the same rules together and alone")
        require(whole.goodRecords == good, "valid records are kept as they are")
    }

    private static func checkVerdict(_ line: [UInt8], isJSON: Bool) {
        if line.starts(with: [0xEF, 0xBB, 0xBF]) { return require(!isJSON, "a byte-order mark is no blank") }
        do throws(JSONSyntaxError) {
            _ = try JSONReader.read(line, what: "the record")
            require(isJSON, "what is JSON is read")
        } catch {
            // The other reader has limits that RFC 8259 does not have.
            let isStricter = ["duplicate key", "nested too deeply", "surrogate"].contains {
                error.message.contains($0)
            }
            require(isStricter || !isJSON, "what is no JSON is refused: \(error.message)")
        }
    }

    private static func checkArray(_ input: [UInt8]) {
        let array = [UInt8(ascii: "[")] + input
        func read(_ size: Int) -> (counts: RecordCounts, violations: [Violation]) {
            var splitter = RecordSplitter(.array)
            var records = RecordChunks()
            var counts = RecordCounts()
            var violations: [Violation] = []
            func takeRecords() {
                for report in records.take().map(judged) {
                    counts += report.counts
                    violations += report.violations
                }
            }
            var start = 0
            while start < array.count {
                let end = min(array.count, start + size)
                array[start..<end].withUnsafeBytes { splitter.read($0, into: &records) }
                takeRecords()
                start = end
            }
            splitter.finish(into: &records)
            takeRecords()
            return (counts, violations)
        }
        let (whole, pieces) = (read(array.count), read(7))
        require(
            whole.counts == pieces.counts && whole.violations == pieces.violations,
            "an array is the same wherever it is cut")
    }

    private static func require(_ isTrue: Bool, _ claim: String) {
        guard !isTrue else { return }
        FileHandle.standardError.write(Data("broken claim: \(claim)\n".utf8))
        abort()
    }
}
