/// A value that breaks its definition. It is sent all the same, in a record that says so.
public struct LogViolation: Sendable, Equatable, CustomStringConvertible {
    public let category: String
    public let event: String
    public let column: String
    /// What was broken, in the words of JSON Schema (`maxLength`, `maximum`, `minItems`, `enum`, `format`), or `type`
    /// if a record cannot hold the value: an infinite number, a time outside the years 0 to 9999.
    public let rule: String

    /// The rules that records name.
    package enum Rule: String, Sendable, CaseIterable {
        case type, minimum, maximum, maxLength, maxBytes, minItems, maxItems, format, pattern
        case `enum`
        /// The code and its definition disagree on the events, or on an event's columns.
        case event, column
        /// A processor has removed a required column.
        case redacted
    }

    init(category: String, event: String, column: String, rule: Rule) {
        self.category = category
        self.event = event
        self.column = column
        self.rule = rule.rawValue
    }

    /// As a record lists it: `keyword: maxLength`.
    package var entry: String { "\(column): \(rule)" }

    public var description: String { "\(category).\(event): a value breaks its definition (\(entry))" }
}
