import ActivityTracking
import Foundation
@preconcurrency import Segment

/// Sends records to Segment, if the user's consent is `enabled`.
struct SegmentDestination: LogDestination {
    private let analytics: Analytics

    init(_ analytics: Analytics) { self.analytics = analytics }

    func receive<Event: LogCategory>(_ record: LogRecord, of event: Event) {
        var properties: [String: Any] = [:]
        for (name, value) in record.values { properties[name] = property(value) }
        properties["schema_version"] = record.definition?.schemaVersion
        properties["sampling_rate"] = record.samplingRate
        if !record.violations.isEmpty {
            properties["violations"] = record.violations.map { "\($0.column): \($0.rule)" }
        }
        // Segment drops a second event with the same `messageId`.
        let identify: EnrichmentClosure = { event in
            var event = event
            event?.messageId = record.id.uuidString.lowercased()
            event?.timestamp = LogRecord.Value.date(record.occurredAt).description
            return event
        }
        analytics.track(
            name: "\(record.category)_\(record.event)", properties: properties, enrichments: [identify])
    }

    func collectionDidChange(to policy: CollectionPolicy) {
        analytics.enabled = policy == .enabled
        guard policy == .denied else { return }
        // Listing the files closes the one that is being written. Later events would be written to its deleted content.
        _ = analytics.pendingUploads
        analytics.purgeStorage()
    }

    private func property(_ value: LogRecord.Value) -> Any {
        switch value {
        case .integer(let integer): integer
        case .double(let double): double
        case .decimal(let decimal): NSDecimalNumber(decimal: decimal)
        case .bool(let bool): bool
        case .string(let string): string
        case .date: value.description
        case .list(let items): items.map(property)
        }
    }
}
