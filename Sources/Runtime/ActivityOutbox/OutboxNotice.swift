public import Foundation
import Logging

extension Outbox {
    /// A message for the developers of the app and the owners of its data.
    ///
    /// The counts are complete: each posted record is delivered, waiting (``Outbox/status()``), a dead letter, or
    /// reported here as dropped.
    public enum Notice: Sendable, Equatable, CustomStringConvertible {
        /// Records were dropped, oldest first.
        case dropped(Int, Drop)
        /// The collector refuses these records permanently. They are kept as dead letters, each with its reason.
        case deadLetters(Int, reason: String)
        /// The collector has accepted a batch, except for `rejected` records, which it does not name. Their number is
        /// also reported as dropped (``Drop/rejected``). If it is 0, the message is a warning.
        case partialSuccess(rejected: Int, message: String)
        /// The store could not be used. It was moved to another file in the same folder, and a new store was created.
        /// `recovered` records were copied to the new store.
        case storeSetAside(URL, reason: String, recovered: Int)
        /// The store cannot be opened or written. For example, a newer version of the app may have converted it, or
        /// this outbox lacks its seal. Records wait in memory, and the outbox retries. Reported once until the store
        /// works.
        case storeUnavailable(reason: String)
        /// The collector cannot be reached, refuses the request, or asks for a retry. `retryAfter` is in seconds.
        case deliveryFailed(reason: String, retryAfter: TimeInterval)
        /// The uploader has not returned within its time (``LogUploader/timeLimit``), or within two seconds of its
        /// cancellation. Nothing else is sent until it returns.
        case uploaderStalled(seconds: TimeInterval)
        /// A value of the configuration is out of bounds, and the message contains the value that is used instead; or
        /// the outbox is used in a way that loses or delays records.
        case configuration(String)

        /// The reason for which records were dropped.
        public enum Drop: String, Sendable, CaseIterable {
            /// The records in memory exceeded ``Outbox/Limits/queuedRecords`` or ``Outbox/Limits/queuedBytes``.
            case queue
            /// The store exceeded ``Outbox/Limits/storedRecords``.
            case records
            /// The store exceeded ``Outbox/Limits/storedBytes``, or a single record is larger than that or
            /// ``Outbox/Limits/queuedBytes``.
            case bytes
            /// The records are older than ``Outbox/Limits/storedAge``.
            case age
            /// The user denies consent.
            case denied
            /// The collector accepted a batch except for these records, and did not name them
            /// (``Outbox/Notice/partialSuccess(rejected:message:)``).
            case rejected
            /// The dead letters exceeded ``Outbox/Limits/deadLetters``, ``Outbox/Limits/storedBytes`` or
            /// ``Outbox/Limits/storedAge``.
            case deadLetters
            /// The records could not be read: the store is damaged, or the records could not be decrypted
            /// (``Outbox/Seal``). The store's file is set aside.
            case damaged
        }

        public var description: String {
            switch self {
            case .dropped(let count, let why): "\(Self.records(count)) dropped (\(why.rawValue))"
            case .deadLetters(1, let reason): "1 record is a dead letter: \(reason)"
            case .deadLetters(let count, let reason): "\(count) records are dead letters: \(reason)"
            case .partialSuccess(0, let message): "the collector accepted a batch with a warning: \(message)"
            case .partialSuccess(let count, let message):
                "the collector accepted a batch except for \(Self.records(count)): \(message)"
            case .storeSetAside(let file, let reason, let recovered):
                "the store cannot be used (\(reason)) and was moved to \(file.path); "
                    + "\(Self.records(recovered)) recovered"
            case .storeUnavailable(let reason): "the store is unavailable: \(reason)"
            case .deliveryFailed(let reason, let seconds):
                "delivery failed (\(reason)); next try in \(String(format: "%.2f", seconds)) s"
            case .uploaderStalled(let seconds):
                "the uploader has not returned in \(Int(seconds)) s; nothing is sent until it returns"
            case .configuration(let change): "configuration: \(change)"
            }
        }

        private static func records(_ count: Int) -> String { count == 1 ? "1 record" : "\(count) records" }

        /// Logs a notice with swift-log: failed deliveries at level `info`, all others at level `warning`.
        public static func log(_ notice: Notice) {
            let logger = Logger(label: "ActivityOutbox")
            switch notice {
            case .deliveryFailed: logger.info("\(notice)")
            default: logger.warning("\(notice)")
            }
        }
    }
}
