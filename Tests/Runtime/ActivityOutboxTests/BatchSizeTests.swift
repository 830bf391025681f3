import Testing
import TestSupport

@testable import ActivityOutbox

/// Tests of the size of batches, without the rest of the machine.
struct BatchSizeTests {
    private static func batch(_ count: Int, bytes: Int) -> OutboxBatch {
        OutboxBatch(
            store: 1, log: LogBatch(records: (0..<count).map { _ in [0] }), numbers: (0..<count).map(Int64.init),
            bytes: bytes)
    }

    @Test("The search for a bad record halves the batch, and each accepted batch then doubles its number of records")
    func aSearchEnds() {
        var size = BatchSize(records: 8, bytes: 800)
        size.halve(Self.batch(8, bytes: 400), isSize: false)
        size.halve(Self.batch(4, bytes: 200), isSize: false)
        #expect((size.records, size.bytes) == (2, 800))
        size.found()
        for records in [2, 4, 8, 8] {
            #expect((size.records, size.bytes) == (records, 800))
            size.accept(1)
        }
    }

    @Test("A size that the collector rejects is remembered after its records pass in parts")
    func aSizeIsRemembered() {
        var size = BatchSize(records: 8, bytes: 800)
        size.halve(Self.batch(8, bytes: 400), isSize: true)
        size.accept(8)
        #expect((size.records, size.bytes) == (8, 200))
    }

    @Test("A refused batch that passes in parts ends the search")
    func partsEndTheSearch() {
        var size = BatchSize(records: 8, bytes: 800)
        size.halve(Self.batch(8, bytes: 400), isSize: false)
        size.accept(4)
        #expect(size.records == 4)
        size.accept(4)
        #expect(size.records == 8)
    }

    @Test("After a hundred accepted batches the size doubles, up to the configured one")
    func theSizeGrows() {
        var size = BatchSize(records: 8, bytes: 800)
        size.halve(Self.batch(2, bytes: 500), isSize: true)
        size.accept(2)
        for _ in 0..<98 { size.accept(1) }
        #expect(size.bytes == 250)
        size.accept(1)
        #expect(size.bytes == 500)
        for _ in 0..<100 { size.accept(1) }
        #expect(size.bytes == 800)
    }

    @Test("The size is never smaller than one record or larger than configured", arguments: 1...20)
    func theSizeIsLimited(seed: UInt64) {
        var dice = SeededGenerator(seed: seed)
        var size = BatchSize(records: 8, bytes: 800)
        for _ in 0..<300 {
            let count = Int.random(in: 1...size.records, using: &dice)
            switch Int.random(in: 0..<8, using: &dice) {
            case 0 where count > 1:
                size.halve(
                    Self.batch(count, bytes: Int.random(in: 1...size.bytes, using: &dice)),
                    isSize: .random(using: &dice))
            case 1: size.found()
            default: size.accept(count)
            }
            #expect((1...8).contains(size.records))
            #expect((1...800).contains(size.bytes))
        }
    }
}
