/// The 128 bits of a UUID. Upper and lower case are equal.
package struct RecordID: Sendable, Hashable {
    fileprivate var high: UInt64
    fileprivate var low: UInt64

    /// Nil if the text is not a UUID.
    init?(_ text: UnsafeBufferPointer<UInt8>) {
        guard text.count == 36 else { return nil }
        var halves: (UInt64, UInt64) = (0, 0)
        var digits = 0
        for (index, byte) in text.enumerated() {
            if index == 8 || index == 13 || index == 18 || index == 23 {
                guard byte == UInt8(ascii: "-") else { return nil }
                continue
            }
            let digit: UInt8
            switch byte {
            case UInt8(ascii: "0")...UInt8(ascii: "9"): digit = byte - UInt8(ascii: "0")
            case UInt8(ascii: "a")...UInt8(ascii: "f"): digit = byte - UInt8(ascii: "a") + 10
            case UInt8(ascii: "A")...UInt8(ascii: "F"): digit = byte - UInt8(ascii: "A") + 10
            default: return nil
            }
            if digits < 16 { halves.0 = halves.0 << 4 | UInt64(digit) } else { halves.1 = halves.1 << 4 | UInt64(digit) }
            digits += 1
        }
        (high, low) = halves
    }
}

/// Finds records whose `event_id` came before, in bounded memory: two generations of ids, of which the older one is
/// dropped when the newer one is full. A repetition is found if fewer than `reach` other ids lie between.
package struct RepeatedIDs {
    /// How many ids a generation holds.
    package static let reach = 100_000

    private let reach: Int
    private var newer: Set<RecordID> = []
    private var older: Set<RecordID> = []

    package init(reach: Int = Self.reach) { self.reach = reach }

    /// Adds an id, and returns whether it came before.
    package mutating func add(_ id: RecordID) -> Bool {
        if newer.count == reach {
            swap(&newer, &older)
            newer.removeAll(keepingCapacity: true)
        }
        return !newer.insert(id).inserted || older.contains(id)
    }
}
