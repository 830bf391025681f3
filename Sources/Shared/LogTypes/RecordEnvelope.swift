/// The members that every record may have in addition to its columns, in the order in which the runtime writes them.
/// `violations` comes after the columns, and the others before them.
package enum RecordEnvelope: Int, Sendable, CaseIterable {
    case eventID, category, event, version, occurredAt, samplingRate, violations

    package var name: String {
        switch self {
        case .eventID: "event_id"
        case .category: "event_category"
        case .event: "event_name"
        case .version: "schema_version"
        case .occurredAt: "occurred_at"
        case .samplingRate: "sampling_rate"
        case .violations: "violations"
        }
    }

    package var type: LogValueType {
        switch self {
        case .eventID: .uuid
        case .category, .event, .version: .string(.init())
        case .occurredAt: .timestamp
        // Above 0: the next number is the lowest there is.
        case .samplingRate: .number(.init(minimum: .leastNonzeroMagnitude, maximum: 1))
        case .violations: .array(.init(of: .string(.init()), minItems: 1))
        }
    }

    /// Whether every record has it.
    package var isRequired: Bool { self != .samplingRate && self != .violations }

    /// Whether it is one of those that name the definition.
    package var namesDefinition: Bool { self == .category || self == .event || self == .version }

    /// A sentence about it, for readers of records.
    package var summary: String {
        switch self {
        case .eventID: "Unique to the record; a receiver drops what it has seen."
        case .category: "The event's category."
        case .event: "The event, among those of its category."
        case .version: "The version of the event's definition: MODEL-REVISION-ADDITION."
        case .occurredAt: "When the event occurred: UTC, milliseconds."
        case .samplingRate:
            "The share of such records that is kept; the record stands for 1 / sampling_rate of them. Absent if all are."
        case .violations: "What broke its definition, as `column: rule`. The columns of such a record are not checked."
        }
    }

    package static let names = Set(allCases.map(\.name))
}
