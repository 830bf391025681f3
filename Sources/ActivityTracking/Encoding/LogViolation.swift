/// A value that breaks its definition. It is sent all the same, in a record that says so.
public struct LogViolation: Sendable, Equatable, CustomStringConvertible {
    public let category: String
    public let event: String
    public let column: String
    /// What was broken, in the words of JSON Schema (`maxLength`, `maximum`, `minItems`, `enum`, `format`), or `type`
    /// if JSON has no such value.
    public let rule: String

    /// As a record lists it: `keyword: maxLength`.
    package var entry: String { "\(column): \(rule)" }

    public var description: String { "\(category).\(event): a value breaks its definition (\(entry))" }
}
