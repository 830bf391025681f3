#if DEBUG
    import Foundation
#endif

/// A value that its definition does not allow. It is sent all the same, in a record that says so.
public struct LogViolation: Sendable, Equatable, CustomStringConvertible {
    public let category: String
    public let event: String
    public let column: String
    /// What was broken, in the words of JSON Schema: `maxLength`, `maximum`, `minItems`, `enum`, `format` …; `type` where JSON has no such value.
    public let rule: String

    /// As a record lists it: `keyword: maxLength`.
    public var entry: String { "\(column): \(rule)" }

    public var description: String { "\(category).\(event): a value breaks its definition (\(entry))" }

    /// What is done about violations unless said otherwise: debug builds complain on standard error, release builds leave it to the record.
    public static func reportLoudly(_ violation: LogViolation) {
        #if DEBUG
            FileHandle.standardError.write(Data("⚠️ ActivityTracking: \(violation)\n".utf8))
        #endif
    }
}
