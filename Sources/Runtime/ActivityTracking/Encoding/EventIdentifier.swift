package import Foundation

extension UUID {
    /// RFC 9562, version 7: milliseconds since 1970, then a counter and random bits.
    ///
    /// Identifiers that a process makes one after the other rise (§6.2, method 1): the 12 bits behind the version begin
    /// at random in the lower half of their range and count up. If they run over, or another thread is a few
    /// milliseconds ahead, the time is taken to be that much later. The other 62 bits come from a generator seeded by
    /// the system: asking the system each time would cost more than the rest of a record.
    package init(version7At date: Date) {
        let milliseconds = date.milliseconds ?? 0
        let wanted = milliseconds >= 0 && milliseconds < 1 << 48 ? UInt64(milliseconds) : 0
        let (time, counter, random) = Self.sequence.withLock { $0.next(at: wanted) }
        func byte(_ value: UInt64, _ shift: UInt64) -> UInt8 { UInt8(truncatingIfNeeded: value >> shift) }
        self.init(
            uuid: (
                byte(time, 40), byte(time, 32), byte(time, 24), byte(time, 16), byte(time, 8), byte(time, 0),
                0x70 | byte(counter, 8) & 0x0F, byte(counter, 0),
                0x80 | byte(random, 56) & 0x3F, byte(random, 48), byte(random, 40), byte(random, 32), byte(random, 24),
                byte(random, 16),
                byte(random, 8), byte(random, 0)
            ))
    }

    private static let sequence = Locked(IdentifierSequence())
}

/// What tells identifiers of one millisecond apart.
struct IdentifierSequence: Sendable {
    /// Where the identifiers of a time have got.
    private struct Place: Sendable {
        var time: UInt64 = 0
        var counter: UInt64 = 0

        /// How far a time may lie before that of the last identifier and still count as the same, in milliseconds: more
        /// than threads lag behind each other.
        static let tolerance: UInt64 = 10_000

        func takes(_ wanted: UInt64) -> Bool { wanted + Self.tolerance >= time }

        /// - Parameter start: gives the number at which the counter begins anew.
        mutating func advance(to wanted: UInt64, _ start: () -> UInt64) {
            if wanted <= time, counter < 0xFFF {
                counter += 1
            } else {
                time = max(wanted, time + 1)
                counter = start() & 0x7FF
            }
        }
    }

    private var now = Place()
    /// For events of long ago, and for all events after the clock has been set back: they leave the other sequence
    /// alone.
    private var earlier = Place()
    private var randomness = Randomness()

    mutating func next(at wanted: UInt64) -> (time: UInt64, counter: UInt64, random: UInt64) {
        if now.takes(wanted) {
            now.advance(to: wanted) { randomness.next() }
            return (now.time, now.counter, randomness.next())
        }
        if !earlier.takes(wanted) { earlier = Place() }
        earlier.advance(to: wanted) { randomness.next() }
        return (earlier.time, earlier.counter, randomness.next())
    }

    /// wyrand (Wang Yi): a counter, multiplied and folded. Seeded by the system.
    private struct Randomness: Sendable {
        private var state: UInt64

        init() {
            var system = SystemRandomNumberGenerator()
            state = system.next()
        }

        mutating func next() -> UInt64 {
            state &+= 0xA076_1D64_78BD_642F
            let product = state.multipliedFullWidth(by: state ^ 0xE703_7ED1_A0B4_28DB)
            return product.high ^ product.low
        }
    }
}
