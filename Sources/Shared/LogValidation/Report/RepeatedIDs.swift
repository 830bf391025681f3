/// A hash of the 36 bytes of a UUID. Upper and lower case are equal.
///
/// In a run of a million records, the probability of a collision is 2·10⁻⁸. The random key prevents crafted ones.
package struct RecordID: Sendable, Hashable {
    private let hash: UInt64

    private static let key = (random(), random(), random(), random())

    private static func random() -> UInt64 { UInt64.random(in: 1...UInt64.max) }

    /// Returns nil if the bytes do not have the length of a UUID.
    init?(_ bytes: UnsafeBufferPointer<UInt8>) {
        guard bytes.count == 36 else { return nil }
        let raw = UnsafeRawBufferPointer(bytes)
        /// Returns a word in lower case. The bit 0x20 makes letters lowercase and changes neither digits nor hyphens.
        func word(_ offset: Int) -> UInt64 {
            raw.loadUnaligned(fromByteOffset: offset, as: UInt64.self) | 0x2020_2020_2020_2020
        }
        let key = Self.key
        let begin = Self.mixed(word(0) ^ key.0, word(8) ^ key.1)
        let end = Self.mixed(word(16) ^ key.2, word(24) ^ key.3)
        // The last four bytes, together with four that were already read.
        hash = Self.mixed(begin ^ key.2, end ^ word(28))
    }

    private static func mixed(_ left: UInt64, _ right: UInt64) -> UInt64 {
        let product = left.multipliedFullWidth(by: right)
        return product.high ^ product.low
    }
}

/// Detects records with an `event_id` that occurred before, in bounded memory. Two generations of ids are kept; when
/// the newer one is full, the older one is dropped. A repetition within `reach` ids is detected.
package struct RepeatedIDs {
    /// The number of ids in a full generation.
    package static let reach = 100_000

    private let reach: Int
    private var newer: Set<RecordID> = []
    private var older: Set<RecordID> = []

    package init(reach: Int = Self.reach) { self.reach = reach }

    /// Adds an id, and returns whether it occurred before.
    package mutating func add(_ id: RecordID) -> Bool {
        if newer.count == reach { (newer, older) = ([], newer) }
        return !newer.insert(id).inserted || older.contains(id)
    }
}
