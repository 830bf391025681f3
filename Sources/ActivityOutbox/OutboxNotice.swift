public import Foundation
import Logging

/// What the app's developers, and whoever looks after the data, should know of.
public enum OutboxNotice: Sendable, CustomStringConvertible {
    /// Records were given up, the oldest first.
    case dropped(Int, Drop)
    /// The collector refuses these records for good. They are kept as dead letters.
    case deadLetters(Int, reason: String)
    /// The store could not be read; it was moved to a file beside it, and a new one begun.
    case storeSetAside(URL, reason: String)
    /// The store cannot be opened or written to. Records wait in memory, and opening is tried again.
    case storeUnavailable(reason: String)
    /// The collector could not be reached, or asks to come back later.
    case deliveryFailed(reason: String, retryAfter: TimeInterval)

    /// Why records were given up.
    public enum Drop: String, Sendable {
        /// Memory was full before they could be written.
        case queue
        /// The store has reached its number of records, its size, or they their age.
        case records, bytes, age
        /// The user does not agree to collection.
        case denied
    }

    public var description: String {
        switch self {
        case .dropped(let count, let why): "\(count) records dropped (\(why.rawValue))"
        case .deadLetters(let count, let reason): "\(count) records are dead letters: \(reason)"
        case .storeSetAside(let file, let reason): "the store cannot be read (\(reason)) and was moved to \(file.path)"
        case .storeUnavailable(let reason): "the store is unavailable: \(reason)"
        case .deliveryFailed(let reason, let seconds): "delivery failed (\(reason)); next try in \(seconds) s"
        }
    }

    /// Through swift-log: failed deliveries, which are everyday life, as info, everything else as warnings.
    public static func log(_ notice: OutboxNotice) {
        let logger = Logger(label: "ActivityOutbox")
        if case .deliveryFailed = notice { logger.info("\(notice)") } else { logger.warning("\(notice)") }
    }
}
