import ActivityTracking
import Foundation
import JSONSyntax
import LogTypes

/// A writer of OTLP/JSON: the JSON of records becomes log records.
///
/// A number with a decimal point or an exponent becomes a `doubleValue`, any other an `intValue`. The type of a column
/// is then the same in all records, because the encoder of records writes numbers of `double` columns with one of them.
struct OTLPWriter {
    /// The version of this package, as in the file VERSION.
    private static let loggenVersion = "0.1.0"
    /// The severity of events (INFO) and of unreadable records (WARN), by the log data model of OpenTelemetry.
    private static let severity: (event: StaticString, unreadable: StaticString) = ("9", "13")
    /// The maximum nesting of arrays. Parsers of Protocol Buffers accept 100 levels, and an array takes two.
    private static let deepestArray = 16

    /// A record that no encoder has written, or a value that exceeds the types of OTLP.
    private struct Unreadable: Error {}

    private(set) var output: [UInt8] = []

    mutating func reserve(_ count: Int) { output.reserveCapacity(count) }
    mutating func put(_ text: StaticString) { text.withUTF8Buffer { output += $0 } }
    mutating func put(_ bytes: some Sequence<UInt8>) { output += bytes }

    // MARK: The request

    /// Writes the request up to its first log record.
    mutating func beginRequest(resource: [String: any LogValue]) {
        put(#"{"resourceLogs":[{"resource":{"attributes":["#)
        for (index, (name, value)) in resource.sorted(by: { $0.key < $1.key }).enumerated() {
            if index > 0 { put(",") }
            let start = output.count
            if (try? putAttribute(name, JSONReader.read(value.json, what: "the value"))) != nil { continue }
            // The value is an array nested more deeply than `deepestArray`.
            output.removeSubrange(start...)
            try? putAttribute(name, JSONValue(content: .null, at: 0))
        }
        put(#"]},"scopeLogs":[{"scope":{"name":"loggen","version":""#)
        put(Self.loggenVersion.utf8)
        put(#""},"logRecords":["#)
    }

    mutating func endRequest() { put("]}]}]}") }

    // MARK: Records

    /// Writes a record. A record that the encoder of records cannot have written, such as a damaged one, becomes the
    /// body of a log record, byte by byte.
    mutating func put(record: [UInt8]) {
        let start = output.count
        if (try? putEvent(record)) != nil { return }
        output.removeSubrange(start...)
        put(#"{"body":{"bytesValue":""#)
        put(Data(record).base64EncodedData())
        put(#""},"severityNumber":"#)
        put(Self.severity.unreadable)
        put("}")
    }

    private mutating func putEvent(_ record: [UInt8]) throws {
        guard case .object(let members) = try JSONReader.read(record, what: "the record").content, !members.isEmpty
        else { throw Unreadable() }
        var time: UInt64?
        put(#"{"attributes":["#)
        for (name, _, value) in members {
            guard !name.isEmpty else { throw Unreadable() }
            if name == RecordEnvelope.occurredAt.name {
                time = value.text.flatMap(Self.nanoseconds)
                if time != nil { continue }
            }
            if output.last != UInt8(ascii: "[") { put(",") }
            try putAttribute(name, value)
        }
        put("]")
        if let time {
            put(#","timeUnixNano":""#)
            put(String(time).utf8)
            put("\"")
        }
        func text(_ member: RecordEnvelope) -> String? { members.first { $0.key == member.name }?.value.text }
        if let category = text(.category), let event = text(.event) {
            put(#","eventName":"#)
            put("\(category).\(event)".json)
        }
        put(#","severityNumber":"#)
        put(Self.severity.event)
        put("}")
    }

    /// Returns the nanoseconds since 1970 of a time as records have it. Returns nil for any other string, and for a
    /// time that OTLP cannot represent: 0 means an unknown time there, and 64 bits end in the year 2554.
    private static func nanoseconds(_ text: String) -> UInt64? {
        guard let date = Date(timestamp: text), date.timeIntervalSince1970 > 0 else { return nil }
        let milliseconds = UInt64((date.timeIntervalSince1970 * 1000).rounded())
        let (nanoseconds, isTooLate) = milliseconds.multipliedReportingOverflow(by: 1_000_000)
        return isTooLate ? nil : nanoseconds
    }

    // MARK: Values

    /// Writes a member as a `KeyValue`; `null` has no value, because some receivers reject an empty `AnyValue`.
    private mutating func putAttribute(_ name: String, _ value: JSONValue) throws {
        put(#"{"key":"#)
        put(name.json)
        if case .null = value.content { return put("}") }
        put(#","value":"#)
        try putValue(value, depth: 0)
        put("}")
    }

    /// Writes a value as an `AnyValue`, which is empty for `null`.
    private mutating func putValue(_ value: JSONValue, depth: Int) throws {
        switch value.content {
        case .string(let text):
            put(#"{"stringValue":"#)
            put(text.json)
            put("}")
        case .array(let items):
            guard depth < Self.deepestArray else { throw Unreadable() }
            put(#"{"arrayValue":{"values":["#)
            for (index, item) in items.enumerated() {
                if index > 0 { put(",") }
                try putValue(item, depth: depth + 1)
            }
            put("]}}")
        case .bool(let bool): put(bool ? #"{"boolValue":true}"# : #"{"boolValue":false}"#)
        case .null: put("{}")
        case .number(let number):
            // Larger numbers are rejected, because receivers would round them.
            guard number.isWhole ? number.integer != nil : number.double.isFinite else { throw Unreadable() }
            put(number.isWhole ? #"{"intValue":""# : #"{"doubleValue":"#)
            put(number.text.utf8)
            put(number.isWhole ? "\"}" : "}")
        case .object: throw Unreadable()
        }
    }
}
