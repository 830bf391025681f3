import Testing

@testable import LogValidation

@Suite struct RepeatedIDsTests {
    private func id(_ number: Int) throws -> RecordID {
        let digits = String(number, radix: 16)
        let text = Array(("00000000-0000-4000-8000-" + String(repeating: "0", count: 12 - digits.count) + digits).utf8)
        return try #require(text.withUnsafeBufferPointer { RecordID($0) })
    }

    @Test("An id is a repetition if fewer ids than the reach are between both occurrences")
    func repetitionsWithinReachAreFound() throws {
        for first in 0..<12 {
            var ids = RepeatedIDs(reach: 4)
            for number in 0..<first { #expect(!ids.add(try id(number))) }
            #expect(!ids.add(try id(100)))
            for number in 0..<3 { #expect(!ids.add(try id(200 + number))) }
            #expect(ids.add(try id(100)))
        }
    }

    @Test("Ids older than two generations are dropped")
    func identifiersOfOldGenerationsAreDropped() throws {
        var ids = RepeatedIDs(reach: 4)
        for number in 0..<9 { #expect(!ids.add(try id(number))) }
        #expect(!ids.add(try id(0)))
    }

    @Test("Ids are case-insensitive")
    func caseIsIgnored() {
        let lower = Array("7f3c2e0a-0b5b-4e1c-9c43-1b7b1d1c2a10".utf8)
        let upper = Array("7F3C2E0A-0B5B-4E1C-9C43-1B7B1D1C2A10".utf8)
        #expect(lower.withUnsafeBufferPointer { RecordID($0) } == upper.withUnsafeBufferPointer { RecordID($0) })
        #expect(Array("7f3c2e0a".utf8).withUnsafeBufferPointer { RecordID($0) } == nil)
    }
}
