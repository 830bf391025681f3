/// A value that violates its definition. Its record is sent nevertheless, and lists the violation.
public struct LogViolation: Sendable, Equatable, CustomStringConvertible {
    public let category: String
    public let event: String
    public let column: String
    /// The violated rule, named as in JSON Schema (`maxLength`, `maximum`, `minItems`, `enum`, `format`). `type` means
    /// that a record cannot represent the value, such as an infinite number or a time outside the years 0 to 9999, or
    /// that ``LogRecord/replacing(_:with:)`` was given a value of another type.
    public let rule: String

    /// The rules that records contain.
    package enum Rule: String, Sendable, CaseIterable {
        case type, minimum, maximum, maxLength, maxBytes, minItems, maxItems, format, pattern
        case `enum`
        /// The code does not match the definition's events or an event's columns.
        case event, column
        /// A processor removed a required column.
        case redacted
    }

    init(category: String, event: String, column: String, rule: Rule) {
        self.category = category
        self.event = event
        self.column = column
        self.rule = rule.rawValue
    }

    /// The entry in the record's `violations`: `keyword: maxLength`.
    package var entry: String { "\(column): \(rule)" }

    public var description: String { "\(category).\(event): a value breaks its definition (\(entry))" }
}
