import LogValidation
import Testing
import TestSupport

struct RecordSplitterTests {
    /// The records that are not blank, each with its line, counted from 1.
    private struct Records: RecordSink {
        var found: [String] = []
        private var line = 1

        mutating func add(blankLines: Int) { line += blankLines }

        mutating func add(lines: consuming [UInt8]) {
            var records = lines.split(separator: 0x0A, omittingEmptySubsequences: false)
            if records.last?.isEmpty == true { records.removeLast() }
            for record in records {
                if record.contains(where: { $0 > 0x20 }) { add(record, "", line) }
                line += 1
            }
        }

        mutating func add(item: [UInt8], line: Int) { add(item[...], "item ", self.line + line) }

        mutating func add(rest: [UInt8], line: Int) { add(rest[...], "rest ", self.line + line) }

        private mutating func add(_ bytes: ArraySlice<UInt8>, _ kind: String, _ line: Int) {
            found.append("\(kind)\(line):" + String(decoding: bytes, as: UTF8.self))
        }
    }

    private func split(
        _ text: String, pieces: [Int] = [], form: RecordSplitter.Form = .detected, longestRecord: Int = .max
    ) -> [String] {
        var splitter = RecordSplitter(form, longestRecord: longestRecord)
        var records = Records()
        var bytes = Array(text.utf8)[...]
        for size in pieces + [bytes.count] {
            bytes.prefix(size).withUnsafeBytes { splitter.read($0, into: &records) }
            bytes = bytes.dropFirst(size)
        }
        splitter.finish(into: &records)
        return records.found
    }

    @Test("Each line is a record") func linesAreRecords() {
        #expect(split("{\"a\":1}\n\n  \n{\"b\":2}") == ["1:{\"a\":1}", "4:{\"b\":2}"])
        #expect(split("\u{FEFF}{}\r\n{}\r\n") == ["1:{}\r", "2:{}\r"])
        #expect(split("") == [])
        #expect(split("\n \n") == [])
        #expect(split("\n \n5\n") == ["3:5"])
    }

    @Test("A stray brace in an array damages its item alone") func strayBraces() {
        #expect(split("[{}}, {\"a\": 1, \"b\": 2}, {}]") == ["item 1:{}}", "item 1:{\"a\": 1, \"b\": 2}", "item 1:{}"])
    }

    @Test("Each item of an array is a record") func itemsOfAnArrayAreRecords() {
        #expect(
            split("\n[ {\"a\": \"}],\\\"\"},\n {\"b\": [1,\n [2]]} ]\n") == [
                "item 2:{\"a\": \"}],\\\"\"}", "item 3:{\"b\": [1,\n [2]]}",
            ])
        #expect(split("[]") == [])
        #expect(split("\u{FEFF} [\n{}]") == ["item 2:{}"])
        #expect(split("[1, 2]", form: .array) == ["item 1:1", "item 1:2"])
    }

    @Test("Lines that begin with a bracket are not an array")
    func bracketedLines() {
        #expect(split("[INFO] started\n{}\n") == ["1:[INFO] started", "2:{}"])
        #expect(split("[1, 2]") == ["1:[1, 2]"])
        #expect(split("[{}]\n[{}]", form: .lines) == ["1:[{}]", "2:[{}]"])
    }

    @Test("Errors in the syntax of an array are found as records")
    func damagedArrays() {
        #expect(split("[{}") == ["item 1:{}", "item 1:["])
        #expect(split("[{") == ["item 1:{"])
        #expect(split("[") == ["item 1:["])
        #expect(split("[{},\n]") == ["item 1:{}", "item 2:,"])
        #expect(split("[{}]\n{} {}") == ["item 1:{}", "rest 2:{} {}"])
    }

    @Test("A record that is too long is truncated, and the next one is found", arguments: ["x", "{\"a\": \"", "["])
    func longRecords(beginning: String) {
        let long = beginning + String(repeating: "x", count: 300)
        let lines = split(long + "\n{}\n", pieces: [100, 100], longestRecord: 80)
        #expect(lines == ["1:" + long.prefix(100), "2:{}"])
        let end = ["x": "", "{\"a\": \"": "\"}", "[": "]"][beginning] ?? ""
        let items = split("[\(long)\(end), {}]", pieces: [100, 100], form: .array, longestRecord: 80)
        #expect(items == ["item 1:" + long.prefix(80), "item 1:{}"])
    }

    @Test("The sizes of the pieces that are read make no difference", arguments: 0..<UInt64(Depth.cases(3, deep: 15)))
    func piecesMakeNoDifference(seed: UInt64) {
        var random = SeededGenerator(seed: seed)
        let texts = [
            "{\"a\":1}\n{\"b\":\"x\\\"y\"}\n", "[{\"a\": \"],\"},\n{}, [1,2]\n]", "\u{FEFF}{\"a\":\"\u{3042}\"}\n\n{}",
            "[1", "{\n}\n", "\u{FEFF}\n\n [\n\n{},{\n}]\n\nrest\n", "\n[\n{},", "[ INFO]\n{}", "\n\n\n",
        ]
        for text in texts {
            let pieces = (0..<20).map { _ in Int.random(in: 1...4, using: &random) }
            #expect(split(text, pieces: pieces) == split(text))
        }
    }
}
