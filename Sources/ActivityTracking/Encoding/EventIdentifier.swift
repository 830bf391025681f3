package import Foundation

extension UUID {
    /// RFC 9562, version 7: milliseconds since 1970, then a counter and random bits.
    ///
    /// Identifiers that a process makes for one millisecond rise (§6.2, method 1): the 12 bits behind the version begin at random below half of their
    /// range and count up. The other 62 bits come from a generator that the system's randomness has seeded, as asking the system each time would
    /// cost more than the rest of a record.
    package init(version7At date: Date) {
        let milliseconds = date.milliseconds ?? 0
        let time = milliseconds >= 0 && milliseconds < 1 << 48 ? UInt64(milliseconds) : 0
        let (counter, random) = Self.sequence.withLock { $0.next(at: time) }
        func byte(_ value: UInt64, _ shift: UInt64) -> UInt8 { UInt8(truncatingIfNeeded: value >> shift) }
        self.init(
            uuid: (
                byte(time, 40), byte(time, 32), byte(time, 24), byte(time, 16), byte(time, 8), byte(time, 0),
                0x70 | byte(counter, 8) & 0x0F, byte(counter, 0),
                0x80 | byte(random, 56) & 0x3F, byte(random, 48), byte(random, 40), byte(random, 32), byte(random, 24), byte(random, 16),
                byte(random, 8), byte(random, 0)
            ))
    }

    private static let sequence = Locked(IdentifierSequence())
}

/// What tells identifiers of one millisecond apart.
struct IdentifierSequence: Sendable {
    private var time: UInt64 = .max
    private var counter: UInt64 = 0
    /// wyrand (Wang Yi): a counter, multiplied and folded.
    private var state: UInt64

    init() {
        var system = SystemRandomNumberGenerator()
        state = system.next()
    }

    mutating func next(at time: UInt64) -> (counter: UInt64, random: UInt64) {
        // A counter that runs over begins anew: the random bits still tell identifiers apart.
        if time != self.time || counter == 0xFFF {
            self.time = time
            counter = random() & 0x7FF
        } else {
            counter += 1
        }
        return (counter, random())
    }

    private mutating func random() -> UInt64 {
        state &+= 0xA076_1D64_78BD_642F
        let product = state.multipliedFullWidth(by: state ^ 0xE703_7ED1_A0B4_28DB)
        return product.high ^ product.low
    }
}
