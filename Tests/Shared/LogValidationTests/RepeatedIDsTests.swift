import Testing
import TestSupport

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

    @Test("The repetitions among many ids equal those that two sets find", arguments: [1, 1 << 20, 1 << 47])
    func answersAreThoseOfSets(step: Int) throws {
        let reach = 3000
        var ids = RepeatedIDs(reach: reach)
        var (newer, older): (Set<Int>, Set<Int>) = ([], [])
        var (repetitions, differences) = (0, 0)
        var random = SeededGenerator(seed: 1)
        for _ in 0..<Depth.cases(8_000, deep: 10_000) {
            let number = Int.random(in: 0..<8000, using: &random)
            let digits = String(number &* step & 0x7FFF_FFFF_FFFF_FFFF, radix: 16)
            let tail = Array((String(repeating: "0", count: 32 - digits.count) + digits))
            let groups = [0..<8, 8..<12, 12..<16, 16..<20, 20..<32].map { String(tail[$0]) }
            let text = Array(groups.joined(separator: "-").utf8)
            if newer.count == reach { (newer, older) = ([], newer) }
            let isKnown = !newer.insert(number).inserted || older.contains(number)
            if ids.add(try #require(text.withUnsafeBufferPointer { RecordID($0) })) != isKnown { differences += 1 }
            if isKnown { repetitions += 1 }
        }
        #expect(repetitions > 1000)
        #expect(differences == 0)
    }

    @Test("Ids are case-insensitive")
    func caseIsIgnored() {
        let lower = Array("7f3c2e0a-0b5b-4e1c-9c43-1b7b1d1c2a10".utf8)
        let upper = Array("7F3C2E0A-0B5B-4E1C-9C43-1B7B1D1C2A10".utf8)
        #expect(lower.withUnsafeBufferPointer { RecordID($0) } == upper.withUnsafeBufferPointer { RecordID($0) })
        #expect(Array("7f3c2e0a".utf8).withUnsafeBufferPointer { RecordID($0) } == nil)
    }
}
