public import Foundation

extension Outbox {
    /// The settings of an outbox. The defaults suit an app.
    @dynamicMemberLookup
    public struct Configuration: Sendable {
        /// The folder of the store. An app and its extensions share one folder, in their app group's container. If it
        /// does not exist, the outbox creates it with access for the user only (mode 0700).
        public var folder: URL
        /// The limits with which the outbox begins. ``Outbox/limits`` changes them later.
        public var limits = Limits()

        /// A Boolean value that indicates whether events are sampled by their definition's `sampling`.
        public var isSampled = true

        /// The encryption of records on disk; nil stores them unencrypted.
        ///
        /// Every process that uses the folder needs the same seal. If the seal is new, records stored before are sealed
        /// when the store is next opened.
        public var seal: Seal?

        /// The time from which Apple's systems allow access to files. The default is the first unlock after the device
        /// has started, so that the outbox works in the background. The protection is set on the folder and its files.
        /// New files have the protection of the folder.
        public var protection = FileProtectionType.completeUntilFirstUserAuthentication

        public init(folder: URL) { self.folder = folder }

        /// Accesses a limit: `configuration.batchRecords` is `configuration.limits.batchRecords`.
        public subscript<Value>(dynamicMember limit: WritableKeyPath<Limits, Value>) -> Value {
            get { limits[keyPath: limit] }
            set { limits[keyPath: limit] = newValue }
        }
    }

    /// The limits of memory, batches and the store, and the waits between tries.
    ///
    /// A value outside its bounds is replaced by the nearest bound, and NaN by the default. Both are reported
    /// (``Outbox/Notice/configuration(_:)``).
    public struct Limits: Sendable, Equatable {
        /// The maximum time that a record waits in memory to be written with others, in seconds; at most an hour. Records
        /// are written earlier when half of `queuedRecords` or `queuedBytes` is in memory.
        public var writeDelay: TimeInterval = 0.05
        /// The maximum number of records in memory, including those being written. When it is exceeded, the oldest
        /// unwritten records are dropped. If all of them are being written, a new record is dropped itself.
        public var queuedRecords = 10_000
        /// The maximum number of bytes in memory. When it is exceeded, records are dropped as for `queuedRecords`. A
        /// record that alone is larger is dropped itself.
        public var queuedBytes = 8 << 20

        /// The maximum number of records in a batch; at most 100,000.
        public var batchRecords = 500
        /// The maximum size of a batch, in bytes: the JSON of its records, plus one byte for each; at most 64 MiB. The
        /// uploader encodes and compresses it, and its format may add bytes. A larger record is sent alone.
        public var batchBytes = 512 << 10
        /// The maximum time in seconds that records wait for a batch to fill; at most a day. 0 sends them once written.
        public var deliveryInterval: TimeInterval = 10

        /// The maximum number of stored records. When it is exceeded, the oldest are dropped.
        public var storedRecords = 100_000
        /// The maximum size of the stored records' JSON, in bytes, including the bytes that a seal adds. When it is
        /// exceeded, the oldest records are dropped. A record that alone is larger is dropped itself.
        public var storedBytes = 64 << 20
        /// The time for which records are kept, in seconds.
        public var storedAge: TimeInterval = 30 * 86_400
        /// The maximum number of dead letters. When it is exceeded, the oldest are dropped. The limits of size and age
        /// are those of records, `storedBytes` and `storedAge`.
        public var deadLetters = 1_000

        /// The maximum wait after the first failed try, in seconds; at least a millisecond. Each further failure
        /// doubles the maximum. The wait is a random number between 0 and the maximum ("full jitter": Marc Brooker,
        /// Exponential Backoff and Jitter, AWS Architecture Blog, 2015).
        public var firstRetry: TimeInterval = Backoff.delivery.first
        /// The maximum wait after any number of failures, in seconds; at most a day. `Retry-After` may ask for more.
        public var longestRetry: TimeInterval = Backoff.delivery.longest

        public init() {}
    }
}

extension Outbox.Limits {
    static let day: TimeInterval = 86_400

    /// The limit in place of `Int.max`: 2⁴⁸, larger than any store or memory; 2²⁸ where `Int` has 32 bits, as on Apple
    /// Watches before Series 9. Sums of such limits do not overflow.
    private static let most = 1 << (Int.bitWidth == 64 ? 48 : 28)

    /// Returns the limits within their bounds, and a message for each value that was out of bounds.
    func clamped() -> (limits: Outbox.Limits, changes: [String]) {
        var (limits, changes) = (self, [String]())
        func clamp<Value: Comparable>(
            _ name: String, _ limit: WritableKeyPath<Self, Value>, _ range: ClosedRange<Value>
        ) {
            limits[keyPath: limit] = Self.clamp(self[keyPath: limit], range)
            guard limits[keyPath: limit] != self[keyPath: limit] else { return }
            changes.append("\(name) is \(self[keyPath: limit]), clamped to \(limits[keyPath: limit])")
        }
        // NaN has no nearest bound. With the lower one, an age would drop all records.
        func seconds(
            _ name: String, _ limit: WritableKeyPath<Self, TimeInterval>, _ range: ClosedRange<TimeInterval>
        ) {
            guard self[keyPath: limit].isNaN else { return clamp(name, limit, range) }
            limits[keyPath: limit] = Self()[keyPath: limit]
            changes.append("\(name) is NaN, replaced by \(limits[keyPath: limit])")
        }
        // Int.max means "no limit", and is not reported.
        func count(_ name: String, _ limit: WritableKeyPath<Self, Int>, _ least: Int) {
            if self[keyPath: limit] == .max {
                limits[keyPath: limit] = Self.most
            } else {
                clamp(name, limit, least...Self.most)
            }
        }
        seconds("writeDelay", \.writeDelay, 0...3600)
        count("queuedRecords", \.queuedRecords, 1)
        count("queuedBytes", \.queuedBytes, 1024)
        clamp("batchRecords", \.batchRecords, 1...100_000)
        clamp("batchBytes", \.batchBytes, 1...(64 << 20))
        seconds("deliveryInterval", \.deliveryInterval, 0...Self.day)
        count("storedRecords", \.storedRecords, 1)
        count("storedBytes", \.storedBytes, 1)
        if storedAge == .infinity { limits.storedAge = 1e12 } else { seconds("storedAge", \.storedAge, 0...1e12) }
        count("deadLetters", \.deadLetters, 0)
        seconds("firstRetry", \.firstRetry, 0.001...Self.day)
        seconds("longestRetry", \.longestRetry, 0.001...Self.day)
        return (limits, changes)
    }

    /// Returns the value, or the nearest bound if it is out of range. NaN becomes the lower bound.
    static func clamp<Value: Comparable>(_ value: Value, _ range: ClosedRange<Value>) -> Value {
        guard value >= range.lowerBound else { return range.lowerBound }
        return value <= range.upperBound ? value : range.upperBound
    }
}
