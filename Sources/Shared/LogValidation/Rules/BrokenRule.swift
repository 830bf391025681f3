import LogTypes

/// A rule that a record can break. The names are those that the runtime writes into `violations`. The names follow JSON
/// Schema, with additional names for other rules.
package enum BrokenRule: String, Sendable, CaseIterable {
    case type, minimum, maximum, minLength, maxLength, maxBytes, minItems, maxItems, format, pattern, required,
        additionalProperties
    case `enum`
    /// The line is not JSON.
    case json
    /// No definition has this category or event.
    case category, event
    /// Neither the definitions nor the lock file contain this version of the event.
    case version
    /// The event is retired in the version that the record names.
    case retired
    /// The definition allows the value, but the target engine cannot store it.
    case storage
}

/// A broken rule, as positions in the record's bytes. The message is created only if the violation is shown.
struct Finding {
    var rule: BrokenRule
    var subject: Subject
    /// The bytes of the value, or of the wrong name.
    var value: UnsafeBufferPointer<UInt8>
    /// The index of the value's type and limits in `RecordRules`.
    var number = 0

    enum Subject: Equatable {
        case record
        case field(RecordEnvelope)
        case column(Int)
        /// A name that the version does not have, as the bytes between the quotation marks.
        case undeclared(UnsafeBufferPointer<UInt8>)

        var isOfEnvelope: Bool {
            switch self {
            case .record, .field: true
            case .column, .undeclared: false
            }
        }

        static func == (left: Subject, right: Subject) -> Bool {
            switch (left, right) {
            case (.record, .record): true
            case (.field(let field), .field(let other)): field == other
            case (.column(let column), .column(let other)): column == other
            default: false
            }
        }
    }
}
