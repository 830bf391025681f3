import Testing
import TestSupport

@testable import ActivityOutbox

struct PackedRecordsTests {
    @Test(
        "Packed records equal an array of records, for all sizes and after removals from the front", arguments: 1...20)
    func sameAsAnArray(seed: Int) {
        var dice = SeededGenerator(seed: UInt64(seed))
        var (packed, plain) = (PackedRecords(), [[UInt8]]())
        for _ in 0..<300 {
            switch Int.random(in: 0..<10, using: &dice) {
            case 0...5:
                let size = [1, 300, 20_000, 40_000].randomElement(using: &dice) ?? 1
                let record = [UInt8](
                    repeating: UInt8.random(in: .min ... .max, using: &dice),
                    count: Int.random(in: 1...size, using: &dice))
                packed.append(record)
                plain.append(record)
            case 6, 7:
                for _ in 0..<Int.random(in: 0...4, using: &dice) {
                    packed.removeFirst()
                    plain = Array(plain.dropFirst())
                }
            case 8:
                // Records of a failed write are put back in front of newer records.
                var taken = packed
                let since = [UInt8](repeating: 7, count: 10)
                packed = PackedRecords()
                packed.append(since)
                taken.append(packed)
                packed = taken
                plain.append(since)
            default: break
            }
            #expect(
                packed.count == plain.count && packed.bytes == plain.reduce(0) { $0 + $1.count }
                    && packed.isEmpty == plain.isEmpty)
        }
        var found: [[UInt8]] = []
        packed.forEach { found.append(Array($0)) }
        #expect(found == plain)
    }
}
