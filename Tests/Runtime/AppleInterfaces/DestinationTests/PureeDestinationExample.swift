import ActivityTracking
import Foundation
@preconcurrency import Puree

/// Posts records to Puree with the tag `category.event` and the members of the record, if the user's consent is
/// `enabled`.
final class PureeDestination: LogDestination {
    private let logger: Logger
    private let store: any LogStore
    private let lock = NSLock()
    /// Accessed only while the lock is held.
    private nonisolated(unsafe) var isEnabled = false

    init(_ logger: Logger, store: any LogStore) {
        self.logger = logger
        self.store = store
    }

    func receive<Event: LogCategory>(_ record: LogRecord, of event: Event) {
        var payload: [String: Any] = [
            "event_id": record.id.uuidString.lowercased(), "event_category": record.category,
            "event_name": record.event, "occurred_at": LogRecord.Value.date(record.occurredAt).description,
        ]
        payload["schema_version"] = record.definition?.schemaVersion
        payload["sampling_rate"] = record.samplingRate
        for (name, value) in record.values { payload[name] = member(value) }
        if !record.violations.isEmpty {
            payload["violations"] = record.violations.map { "\($0.column): \($0.rule)" }
        }
        // A suspended logger sends, too, when its buffer is full.
        lock.lock()
        defer { lock.unlock() }
        if isEnabled { logger.postLog(payload, tag: "\(record.category).\(record.event)") }
    }

    func collectionDidChange(to policy: CollectionPolicy) {
        lock.lock()
        isEnabled = policy == .enabled
        lock.unlock()
        if policy == .denied {
            store.flush()
            // Resuming replaces the logs in memory with those of the store, which is empty.
            logger.resume()
        }
        if policy == .enabled { logger.resume() } else { logger.suspend() }
    }

    /// Returns a value that `JSONSerialization` accepts, because filters of Puree use it.
    private func member(_ value: LogRecord.Value) -> Any {
        switch value {
        case .integer(let integer): integer
        case .double(let double): double
        case .bool(let bool): bool
        case .string, .date, .decimal: value.description
        case .list(let items): items.map(member)
        }
    }
}
