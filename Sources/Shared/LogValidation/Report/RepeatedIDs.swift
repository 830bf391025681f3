/// A hash of the 36 bytes of a UUID. Upper and lower case are equal.
///
/// In a run of a million records, the probability of a collision is 2·10⁻⁸. The key is random, so records cannot be
/// crafted to collide.
package struct RecordID: Sendable, Equatable {
    fileprivate let hash: UInt64

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
/// the newer one is full, the older one is dropped. A repetition is detected if fewer than `reach` other ids lie
/// between.
///
/// The ids are in one table with open addressing (Knuth, The Art of Computer Programming, volume 3, section 6.4,
/// algorithm L), which needs one memory access per record. With Swift's `Set`, `loggen validate` took twice the time.
package struct RepeatedIDs {
    /// The number of ids in a full generation.
    package static let reach = 100_000

    private let reach: Int
    /// Hashes with the generation in the lowest bit. 0 is an empty place.
    private var places = [UInt64](repeating: 0, count: 1024)
    private var generation: UInt64 = 0
    private var newer = 0
    private var all = 0

    package init(reach: Int = Self.reach) { self.reach = reach }

    /// Adds an id, and returns whether it occurred before.
    package mutating func add(_ id: RecordID) -> Bool {
        if newer == reach {
            rebuild(keepingOlder: false, places.count)
            generation ^= 1
            newer = 0
        }
        let hash = max(id.hash & ~1, 2)
        let place = place(of: hash)
        let entry = places[place]
        places[place] = hash | generation
        guard entry == 0 else {
            if entry & 1 != generation { newer += 1 }
            return true
        }
        newer += 1
        all += 1
        if all * 2 > places.count { rebuild(keepingOlder: true, places.count * 2) }
        return false
    }

    /// Returns the place of a hash, or the empty place for it.
    private func place(of hash: UInt64) -> Int {
        let mask = places.count - 1
        var place = Int(truncatingIfNeeded: hash >> 1) & mask
        while places[place] != 0, places[place] & ~1 != hash { place = (place + 1) & mask }
        return place
    }

    private mutating func rebuild(keepingOlder: Bool, _ count: Int) {
        let old = places
        places = [UInt64](repeating: 0, count: count)
        all = 0
        for entry in old where entry != 0 && (keepingOlder || entry & 1 == generation) {
            places[place(of: entry & ~1)] = entry
            all += 1
        }
    }
}
