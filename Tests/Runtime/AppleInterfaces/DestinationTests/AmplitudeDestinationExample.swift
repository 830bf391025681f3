import ActivityTracking
@preconcurrency import AmplitudeSwift
import Foundation

/// Sends records to Amplitude, if the user's consent is `enabled`.
struct AmplitudeDestination: LogDestination {
    private let amplitude: Amplitude

    init(_ amplitude: Amplitude) { self.amplitude = amplitude }

    func receive<Event: LogCategory>(_ record: LogRecord, of event: Event) {
        var properties: [String: Any] = [:]
        for (name, value) in record.values { properties[name] = property(value) }
        properties["schema_version"] = record.definition?.schemaVersion
        properties["sampling_rate"] = record.samplingRate
        if !record.violations.isEmpty {
            properties["violations"] = record.violations.map { "\($0.column): \($0.rule)" }
        }
        // Amplitude drops a second event with the same `insertId`.
        amplitude.track(
            event: BaseEvent(
                timestamp: Int64(exactly: (record.occurredAt.timeIntervalSince1970 * 1000).rounded()),
                insertId: record.id.uuidString.lowercased(), eventType: "\(record.category)_\(record.event)",
                eventProperties: properties))
    }

    func collectionDidChange(to policy: CollectionPolicy) { amplitude.configuration.optOut = policy != .enabled }

    private func property(_ value: LogRecord.Value) -> Any {
        switch value {
        case .integer(let integer): integer
        case .double(let double): double
        case .decimal(let decimal): NSDecimalNumber(decimal: decimal).doubleValue
        case .bool(let bool): bool
        case .string(let string): string
        case .date: value.description
        case .list(let items): items.map(property)
        }
    }
}
