import Foundation

/// The waits between tries. Each failure doubles the maximum wait.
struct Backoff: Sendable {
    /// The first and the longest wait between tries to deliver, in seconds: the defaults of `Outbox.Configuration`.
    static let delivery = (first: 1.0, longest: 300.0)
    /// The first and the longest wait between tries to use the disk, in seconds.
    static let disk = (first: 1.0, longest: 60.0)

    var waits: (first: TimeInterval, longest: TimeInterval)
    private(set) var failures = 0
    /// The state of SplitMix64 (Steele, Lea and Flood); nil without jitter. Equal seeds produce equal waits.
    private var state: UInt64?

    /// - Parameter seed: The seed of full jitter: each wait is a random number between 0 and its maximum, so that
    ///   devices do not retry simultaneously. Without a seed, each wait is the maximum.
    init(_ waits: (first: TimeInterval, longest: TimeInterval), seed: UInt64? = nil) {
        self.waits = waits
        state = seed
    }

    mutating func succeed() { failures = 0 }

    /// Counts a failure, and returns the wait after it, in seconds.
    mutating func fail() -> TimeInterval {
        let ceiling = min(waits.longest, waits.first * pow(2, Double(min(failures, 60))))
        failures += 1
        guard let seed = state else { return ceiling }
        let next = seed &+ 0x9E37_79B9_7F4A_7C15
        state = next
        var bits = (next ^ next >> 30) &* 0xBF58_476D_1CE4_E5B9
        bits = (bits ^ bits >> 27) &* 0x94D0_49BB_1331_11EB
        bits ^= bits >> 31
        return ceiling * (Double(bits >> 11) * 0x1p-53)
    }
}
