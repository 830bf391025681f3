/// The members that records have in addition to their columns, in the order in which the runtime writes them.
/// `violations` follows the columns; the other members precede them.
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
        // The minimum is inclusive, so it is the smallest number above 0.
        case .samplingRate: .number(.init(minimum: .leastNonzeroMagnitude, maximum: 1))
        case .violations: .array(.init(of: .string(.init()), minItems: 1))
        }
    }

    /// Indicates whether every record has the member.
    package var isRequired: Bool { self != .samplingRate && self != .violations }

    /// Indicates whether the member identifies the definition of the record.
    package var namesDefinition: Bool { self == .category || self == .event || self == .version }

    /// A one-sentence description for consumers of records.
    package var summary: String {
        switch self {
        case .eventID: "Unique to the record; a receiver drops what it has seen."
        case .category: "The event's category."
        case .event: "The event, among those of its category."
        case .version: "The version of the event's definition: MODEL-REVISION-ADDITION."
        case .occurredAt: "When the event occurred: UTC, milliseconds."
        case .samplingRate:
            "The share of such records that is kept; the record stands for 1 / sampling_rate of them. Absent if all "
                + "are."
        case .violations: "What broke its definition, as `column: rule`. The columns of such a record are not checked."
        }
    }

    /// The summary of a warehouse's column with the member, where NULL represents a missing member.
    package var columnSummary: String {
        switch self {
        case .eventID: "The record's own number: a record that arrives twice has it twice."
        case .category, .event: ""
        case .version: "The version of the event's definition."
        case .occurredAt: "When the event happened."
        case .samplingRate:
            "The share of such records that is kept. The record stands for 1 / sampling_rate; NULL means 1."
        default: summary
        }
    }

    package static let names = Set(allCases.map(\.name))
}
