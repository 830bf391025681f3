public import Foundation

extension Outbox {
    /// How an outbox stores and delivers. The defaults suit an app.
    ///
    /// A value outside the bounds given below is taken as the nearest bound and reported
    /// (``Outbox/Notice/configuration(_:)``).
    public struct Configuration: Sendable {
        /// The folder of the store. An app and its extensions share one in their app group's container.
        public var folder: URL
        /// How long a record may wait in memory for others to be written with it, in seconds; at most an hour.
        public var writeDelay: TimeInterval = 0.05
        /// How many records may wait in memory, with those that the disk is about to take. Beyond that the oldest of the others are dropped: a
        /// record that comes while it takes this many is dropped itself.
        public var queuedRecords = 10_000
        /// How many bytes may wait in memory. Beyond that records are dropped as with `queuedRecords`; a record that alone is larger is
        /// dropped itself.
        public var queuedBytes = 8 << 20

        /// How many records are sent at once; at most 100,000.
        public var batchRecords = 500
        /// How many bytes of JSON are sent at once, counting one more behind each record; at most 64 MiB. The uploader
        /// encodes and compresses them, and what its format adds comes on top. A record that alone is larger is sent
        /// alone.
        public var batchBytes = 512 << 10
        /// How long records wait for a batch to fill, in seconds; 0 sends them as soon as they are written. At most a
        /// day.
        public var deliveryInterval: TimeInterval = 10

        /// How many records are stored. Beyond that the oldest are dropped.
        public var storedRecords = 100_000
        /// How many bytes of JSON are stored, with what a seal adds to them. Beyond that the oldest are dropped; a record that alone is larger is
        /// dropped itself.
        public var storedBytes = 64 << 20
        /// How long records are kept, in seconds.
        public var storedAge: TimeInterval = 30 * 86_400
        /// How many dead letters are kept. Beyond that the oldest are dropped.
        public var deadLetters = 1_000

        /// The longest wait after the first failed try, in seconds, at least a millisecond. Each further failure
        /// doubles it. The wait is drawn evenly between 0 and that ("full jitter": Marc Brooker, Exponential Backoff
        /// and Jitter, AWS Architecture Blog, 2015).
        public var firstRetry: TimeInterval = Backoff.delivery.first
        /// The longest wait after any number of failures, in seconds, at most a day. A `Retry-After` may ask for more.
        public var longestRetry: TimeInterval = Backoff.delivery.longest

        /// Whether events are thinned out as their definition's `sampling` says.
        public var isSampled = true

        /// Encrypts what is on disk; nil stores records as they are.
        ///
        /// Give it to every process that uses the folder. If it is new, what was stored before is sealed when the store
        /// is opened first.
        public var seal: Seal?

        /// When Apple's systems let files be read. By default, from the first unlock after the device has started, so
        /// that the outbox works in the background. It is set on the folder, for the files in it and new ones.
        public var protection = FileProtectionType.completeUntilFirstUserAuthentication

        public init(folder: URL) { self.folder = folder }
    }
}

/// The numbers of a configuration, each within its bounds.
struct OutboxLimits: Sendable {
    var writeDelay: TimeInterval
    var queuedRecords: Int
    var queuedBytes: Int
    var batchRecords: Int
    var batchBytes: Int
    var deliveryInterval: TimeInterval
    var storedRecords: Int
    var storedBytes: Int
    var storedAge: TimeInterval
    var deadLetters: Int
    var firstRetry: TimeInterval
    var longestRetry: TimeInterval
    /// What was out of bounds, and what it was taken as, in words.
    private(set) var changes: [String] = []

    static let day: TimeInterval = 86_400

    /// More than any store or memory holds. Sums of it do not overflow.
    private static let most = 1 << 48

    init(_ configuration: Outbox.Configuration) {
        var changes: [String] = []
        func kept<Value: Comparable>(_ name: String, _ value: Value, _ range: ClosedRange<Value>) -> Value {
            let kept = Self.clamp(value, range)
            if kept != value { changes.append("\(name) is \(value), taken as \(kept)") }
            return kept
        }
        // Int.max means "no limit", and is not reported.
        func count(_ name: String, _ value: Int, _ least: Int) -> Int {
            value == .max ? Self.most : kept(name, value, least...Self.most)
        }
        writeDelay = kept("writeDelay", configuration.writeDelay, 0...3600)
        queuedRecords = count("queuedRecords", configuration.queuedRecords, 1)
        queuedBytes = count("queuedBytes", configuration.queuedBytes, 1024)
        batchRecords = kept("batchRecords", configuration.batchRecords, 1...100_000)
        batchBytes = kept("batchBytes", configuration.batchBytes, 1...(64 << 20))
        deliveryInterval = kept("deliveryInterval", configuration.deliveryInterval, 0...Self.day)
        storedRecords = count("storedRecords", configuration.storedRecords, 1)
        storedBytes = count("storedBytes", configuration.storedBytes, 1)
        storedAge = configuration.storedAge == .infinity ? 1e12 : kept("storedAge", configuration.storedAge, 0...1e12)
        deadLetters = count("deadLetters", configuration.deadLetters, 0)
        firstRetry = kept("firstRetry", configuration.firstRetry, 0.001...Self.day)
        longestRetry = kept("longestRetry", configuration.longestRetry, 0.001...Self.day)
        self.changes = changes
    }

    /// The value, or the nearest bound; the lower bound if the value is not a number.
    static func clamp<Value: Comparable>(_ value: Value, _ range: ClosedRange<Value>) -> Value {
        guard value >= range.lowerBound else { return range.lowerBound }
        return value <= range.upperBound ? value : range.upperBound
    }
}
