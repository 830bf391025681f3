import Foundation

/// The waits between tries.
struct Backoff: Sendable {
    let first: TimeInterval
    let longest: TimeInterval
    private(set) var failures = 0
    /// SplitMix64 (Steele, Lea and Flood): a run with the same seed can be repeated.
    private var state: UInt64

    init(first: TimeInterval, longest: TimeInterval, seed: UInt64) {
        self.first = first
        self.longest = longest
        state = seed
    }

    mutating func succeed() { failures = 0 }

    /// The wait after one more failure, in seconds.
    mutating func fail() -> TimeInterval {
        let ceiling = min(longest, first * pow(2, Double(min(failures, 60))))
        failures += 1
        state &+= 0x9E37_79B9_7F4A_7C15
        var bits = (state ^ state >> 30) &* 0xBF58_476D_1CE4_E5B9
        bits = (bits ^ bits >> 27) &* 0x94D0_49BB_1331_11EB
        bits ^= bits >> 31
        return ceiling * (Double(bits >> 11) * 0x1p-53)
    }
}
