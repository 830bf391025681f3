import ActivityTracking
@preconcurrency import FirebaseAnalytics
import Foundation

/// Sends records to Firebase, if the user's consent is `enabled`.
struct FirebaseDestination: LogDestination {
    func receive<Event: LogCategory>(_ record: LogRecord, of event: Event) {
        var parameters: [String: Any] = [:]
        for (name, value) in record.values { parameters[name] = parameter(value) }
        parameters["schema_version"] = record.definition?.schemaVersion
        parameters["sampling_rate"] = record.samplingRate
        if !record.violations.isEmpty {
            let violations = record.violations.map { "\($0.column): \($0.rule)" }.joined(separator: ", ")
            parameters["violations"] = String(violations.prefix(100))
        }
        Analytics.logEvent("\(record.category)_\(record.event)", parameters: parameters)
    }

    func collectionDidChange(to policy: CollectionPolicy) {
        Analytics.setAnalyticsCollectionEnabled(policy == .enabled)
        if policy == .denied { Analytics.resetAnalyticsData() }
    }

    /// Returns a string or a number. Firebase has no Boolean values and no lists.
    private func parameter(_ value: LogRecord.Value) -> Any? {
        switch value {
        case .integer(let integer): integer
        case .double(let double): double
        case .decimal(let decimal): NSDecimalNumber(decimal: decimal).doubleValue
        case .bool(let bool): bool ? 1 : 0
        case .string(let string): string
        case .date: value.description
        case .list: nil
        }
    }
}
