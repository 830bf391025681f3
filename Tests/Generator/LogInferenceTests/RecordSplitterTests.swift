import LogInference
import Testing
import TestSupport

/// Tests that streams are split into the same records, whatever the sizes of the input's pieces.
struct RecordSplitterTests {
    private func split(_ text: String, pieces: [Int]? = nil) -> [String] {
        var splitter = RecordSplitter()
        var found: [String] = []
        var bytes = Array(text.utf8)[...]
        for size in pieces ?? [bytes.count] {
            splitter.add(Array(bytes.prefix(size))) { found.append("\($1):" + String(decoding: $0, as: UTF8.self)) }
            bytes = bytes.dropFirst(size)
        }
        splitter.add(Array(bytes)) { found.append("\($1):" + String(decoding: $0, as: UTF8.self)) }
        splitter.finish { found.append("\($1):" + String(decoding: $0, as: UTF8.self)) }
        return found
    }

    @Test("Each line is a record") func linesAreRecords() {
        #expect(split("{\"a\":1}\n\n  \n{\"b\":2}") == ["1:{\"a\":1}", "4:{\"b\":2}"])
        #expect(split("\u{FEFF}{}\r\n{}\r\n") == ["1:{}\r", "2:{}\r"])
        #expect(split("") == [])
        #expect(split("\n \n") == [])
    }

    @Test("Each item of an array is a record") func itemsOfAnArrayAreRecords() {
        #expect(
            split("\n[ {\"a\": \"}],\\\"\"},\n {\"b\": [1, [2]]} ]\n") == [
                "2:{\"a\": \"}],\\\"\"}", "3:{\"b\": [1, [2]]} ",
            ])
        #expect(split("[]") == [])
        #expect(split("[1, 2]") == ["1:1", "1:2"])
    }

    @Test("Incomplete and oversized records are returned") func whatIsLostIsGivenOut() {
        #expect(split("[{}") == ["1:{}"])
        #expect(split("[") == ["1:["])
        #expect(split("[{}]\n{}") == ["1:{}", "2:{}"])
        let long = String(repeating: "x", count: RecordSplitter.mostBytes + 10)
        let found = split(long + "\n{}\n", pieces: [RecordSplitter.mostBytes + 1])
        #expect(found.count == 2 && found.last == "2:{}")
    }

    @Test("The sizes of the pieces do not matter", arguments: 0..<40) func piecesMakeNoDifference(seed: UInt64) {
        var random = SeededGenerator(seed: seed)
        let texts = [
            "{\"a\":1}\n{\"b\":\"x\\\"y\"}\n", "[{\"a\": \"],\"},\n{}, [1,2]\n]", "\u{FEFF}{\"a\":\"\u{3042}\"}\n\n{}",
            "[1", "{\n}\n",
        ]
        for text in texts {
            let pieces = (0..<20).map { _ in Int.random(in: 1...4, using: &random) }
            #expect(split(text, pieces: pieces) == split(text))
        }
    }
}
