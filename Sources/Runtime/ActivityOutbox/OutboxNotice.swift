public import Foundation
import Logging

extension Outbox {
    /// What the app's developers, and whoever looks after the data, should know.
    ///
    /// Counts add up: each record that was posted is delivered, waiting (``Outbox/status()``), a dead letter, or
    /// reported here as dropped.
    public enum Notice: Sendable, Equatable, CustomStringConvertible {
        /// Records were given up, the oldest first.
        case dropped(Int, Drop)
        /// The collector will never take these records. They are kept as dead letters, each with its own reason.
        case deadLetters(Int, reason: String)
        /// The store could not be used. It was moved to a file beside it, and a new one begun. `recovered` records were
        /// read from it and go on.
        case storeSetAside(URL, reason: String, recovered: Int)
        /// The store cannot be opened or written to. Records wait in memory, and the outbox tries again. Said once
        /// until it works again.
        case storeUnavailable(reason: String)
        /// The collector could not be reached, refuses, or asks to come back later. The next try is in `retryAfter`
        /// seconds.
        case deliveryFailed(reason: String, retryAfter: TimeInterval)
        /// A value of the configuration is outside its bounds, and which value is used instead.
        case configuration(String)

        /// A remote policy, or something in it, has no effect, and why.
        case remotePolicy(String)

        /// Why records were given up.
        public enum Drop: String, Sendable, CaseIterable {
            /// Memory was full before they could be written.
            case queue
            /// The store has too many records.
            case records
            /// The store is too large, or the record alone is.
            case bytes
            /// They are too old.
            case age
            /// The user does not agree to collection.
            case denied
            /// A remote policy has switched them off, or left them out of its share (``Outbox/RemotePolicy``).
            case policy
            /// There are too many dead letters.
            case deadLetters
            /// They could not be read from a damaged store or one of a newer version, or not opened (``Outbox/Seal``).
            /// Its file is set aside.
            case damaged
        }

        public var description: String {
            switch self {
            case .dropped(let count, let why): "\(Self.records(count)) dropped (\(why.rawValue))"
            case .deadLetters(1, let reason): "1 record is a dead letter: \(reason)"
            case .deadLetters(let count, let reason): "\(count) records are dead letters: \(reason)"
            case .storeSetAside(let file, let reason, let recovered):
                "the store cannot be used (\(reason)) and was moved to \(file.path); "
                    + "\(Self.records(recovered)) recovered"
            case .storeUnavailable(let reason): "the store is unavailable: \(reason)"
            case .deliveryFailed(let reason, let seconds): "delivery failed (\(reason)); next try in \(seconds) s"
            case .configuration(let change): "configuration: \(change)"
            case .remotePolicy(let what): "remote policy: \(what)"
            }
        }

        private static func records(_ count: Int) -> String { count == 1 ? "1 record" : "\(count) records" }

        /// Hands a notice to swift-log: failed deliveries and records that a remote policy leaves out as info,
        /// everything else as warnings.
        public static func log(_ notice: Notice) {
            let logger = Logger(label: "ActivityOutbox")
            switch notice {
            case .deliveryFailed, .dropped(_, .policy): logger.info("\(notice)")
            default: logger.warning("\(notice)")
            }
        }
    }
}
