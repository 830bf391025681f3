import Foundation

/// The waits between tries: each failure doubles the longest possible one.
struct Backoff: Sendable {
    /// The waits, in seconds, between tries to deliver: the defaults of `Outbox.Configuration`.
    static let delivery = (first: 1.0, longest: 300.0)
    /// The waits, in seconds, between tries to write to the disk.
    static let disk = (first: 1.0, longest: 60.0)

    let first: TimeInterval
    let longest: TimeInterval
    private(set) var failures = 0
    /// SplitMix64 (Steele, Lea and Flood): a run with the same seed can be repeated.
    private var state: UInt64?

    /// - Parameter seed: of the chance by which waits become shorter, so that devices do not come back together; nil for waits without
    ///   chance.
    init(_ waits: (first: TimeInterval, longest: TimeInterval), seed: UInt64? = nil) {
        (first, longest) = waits
        state = seed
    }

    mutating func succeed() { failures = 0 }

    /// The wait after one more failure, in seconds.
    mutating func fail() -> TimeInterval {
        let ceiling = min(longest, first * pow(2, Double(min(failures, 60))))
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

/// Tries to use the disk, and when the next one is due. There is one of these for writing records and one for reading batches.
struct DiskTries: Sendable {
    private(set) var next: TimeInterval = 0
    private var backoff = Backoff(Backoff.disk)
    /// The failures that have been reported since it last worked.
    private var reported: Set<String> = []

    var failures: Int { backoff.failures }

    /// Notes a failure. True if it has not been reported yet.
    mutating func fail(_ reason: String, at now: TimeInterval) -> Bool {
        next = now + backoff.fail()
        return reported.insert(reason).inserted
    }

    mutating func succeed() { self = DiskTries() }

    func hasReported(_ reason: String) -> Bool { reported.contains(reason) }

    /// Allows the next try at once: the reason may be over.
    mutating func hurry() { next = 0 }
}
