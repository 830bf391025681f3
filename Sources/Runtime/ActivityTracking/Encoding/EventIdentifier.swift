package import Foundation

extension UUID {
    /// Creates a version 7 UUID (RFC 9562): milliseconds since 1970, then a counter and random bits.
    ///
    /// Identifiers of a process are monotonic (§6.2, method 1). The 12 bits after the version are a counter that starts
    /// at a random value in the lower half of its range. If the counter overflows, or another thread is a few
    /// milliseconds ahead, a later time is used. The other 62 bits come from a generator that the system seeds: a
    /// system call for each identifier would cost more than the rest of a record.
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

/// The state that makes identifiers of the same millisecond distinct and monotonic.
struct IdentifierSequence: Sendable {
    private struct LastIdentifier: Sendable {
        var time: UInt64 = 0
        var counter: UInt64 = 0

        /// The tolerance for times before the last one, in milliseconds. Delays between threads do not exceed it.
        static let tolerance: UInt64 = 10_000

        func takes(_ wanted: UInt64) -> Bool { wanted + Self.tolerance >= time }

        mutating func advance(to wanted: UInt64, _ randomCounter: () -> UInt64) {
            if wanted <= time, counter < 0xFFF {
                counter += 1
            } else {
                time = max(wanted, time + 1)
                counter = randomCounter() & 0x7FF
            }
        }
    }

    private var now = LastIdentifier()
    /// A separate sequence for events in the past, and for all events after the clock was set back.
    private var earlier = LastIdentifier()
    private var randomness = Randomness()

    mutating func next(at wanted: UInt64) -> (time: UInt64, counter: UInt64, random: UInt64) {
        if now.takes(wanted) {
            now.advance(to: wanted) { randomness.next() }
            return (now.time, now.counter, randomness.next())
        }
        if !earlier.takes(wanted) { earlier = LastIdentifier() }
        earlier.advance(to: wanted) { randomness.next() }
        return (earlier.time, earlier.counter, randomness.next())
    }

    /// The wyrand generator (Wang Yi): a counter, multiplied and folded. The system seeds it.
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
