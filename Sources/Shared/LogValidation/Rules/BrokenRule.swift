import LogTypes

/// What a record breaks. The names are those that the runtime writes into `violations`, which are JSON Schema's, and
/// some of our own for what neither has a word for.
package enum BrokenRule: String, Sendable, CaseIterable {
    case type, minimum, maximum, minLength, maxLength, maxBytes, minItems, maxItems, format, pattern, required,
        additionalProperties
    case `enum`
    /// The line is no JSON.
    case json
    /// No definition has this category, or this event.
    case category, event
    /// No definition and no line of the lock file has this version of the event.
    case version
    /// The event is retired in the version that the record names.
    case retired
    /// The definition allows the value, and the engine that records are written for cannot hold it.
    case storage
}

/// Something that a record breaks, as positions in its bytes. It is made into words only if somebody reads them.
struct Finding {
    var rule: BrokenRule
    var subject: Subject
    /// The value's bytes, or those of the name that is wrong.
    var value: UnsafeBufferPointer<UInt8>
    /// The rule that the value breaks.
    var number = 0

    enum Subject: Equatable {
        case record
        case field(RecordEnvelope)
        /// A column that the version has.
        case column(Int)
        /// A name that the version does not have, as bytes between quotation marks.
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
