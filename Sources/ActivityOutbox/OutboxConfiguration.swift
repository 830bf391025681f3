public import Foundation

extension Outbox {
    /// How an outbox stores and delivers. The defaults suit an app.
    public struct Configuration: Sendable {
        /// The folder of the store. An app and its extensions share one in their app group's container.
        public var folder: URL
        /// How long records may wait in memory for others to be written with them, in seconds.
        public var writeDelay: TimeInterval = 0.05
        /// How many records may wait in memory; past that the oldest are dropped.
        public var queuedRecords = 10_000
        /// How many bytes may wait in memory; past that the oldest are dropped.
        public var queuedBytes = 8 << 20

        /// How many records are sent at once.
        public var batchRecords = 500
        /// How many bytes of JSON are sent at once, before compression. A record that is larger is sent alone.
        public var batchBytes = 512 << 10
        /// How long records wait for a batch to fill, in seconds.
        public var deliveryInterval: TimeInterval = 10

        /// How many records are stored; past that the oldest are dropped.
        public var storedRecords = 100_000
        /// How many bytes of JSON are stored; past that the oldest are dropped.
        public var storedBytes = 64 << 20
        /// How long records are kept, in seconds.
        public var storedAge: TimeInterval = 30 * 86_400
        /// How many dead letters are kept; past that the oldest are dropped.
        public var deadLetters = 1_000

        /// The longest wait after the first failed try, in seconds; each further failure doubles it. The wait is drawn evenly between
        /// nothing and that ("full jitter": Marc Brooker, Exponential Backoff and Jitter, AWS Architecture Blog, 2015).
        public var firstRetry: TimeInterval = 1
        /// What that is never more than, in seconds. A `Retry-After` may ask for more.
        public var longestRetry: TimeInterval = 300

        public init(folder: URL) { self.folder = folder }
    }
}

/// The waits between tries.
struct Backoff: Sendable {
    let first: TimeInterval
    let longest: TimeInterval
    private(set) var failures = 0

    init(first: TimeInterval, longest: TimeInterval) {
        self.first = first
        self.longest = longest
    }

    mutating func succeed() { failures = 0 }

    /// The wait after one more failure, in seconds.
    mutating func fail() -> TimeInterval {
        let ceiling = min(longest, first * pow(2, Double(min(failures, 60))))
        failures += 1
        return TimeInterval.random(in: 0...max(0, ceiling))
    }
}
