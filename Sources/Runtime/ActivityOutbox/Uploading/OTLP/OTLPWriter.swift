import ActivityTracking
import Foundation
import LogTypes

/// A writer of OTLP/JSON: the JSON of records becomes log records, in one pass.
///
/// A number with a decimal point or an exponent becomes a `doubleValue`, any other an `intValue`. The type of a column is
/// then the same in all records, because the encoder of records writes numbers of `double` columns with one of them.
struct OTLPWriter {
    /// The version of this package, as in the file VERSION.
    private static let loggenVersion = "0.1.0"
    /// The severity of events (INFO) and of unreadable records (WARN), by the log data model of OpenTelemetry.
    private static let severity: (event: StaticString, unreadable: StaticString) = ("9", "13")
    /// The maximum nesting of arrays in a record. Parsers of Protocol Buffers accept 100 messages in each other, and an
    /// array takes two.
    private static let deepestArray = 16
    private static let names = (
        category: name(of: .category), event: name(of: .event), time: name(of: .occurredAt)
    )

    private(set) var output: [UInt8] = []

    private static func name(of member: RecordEnvelope) -> ArraySlice<UInt8> { Array(member.name.utf8)[...] }

    mutating func reserve(_ count: Int) { output.reserveCapacity(count) }
    mutating func put(_ text: StaticString) { text.withUTF8Buffer { output += $0 } }
    mutating func put(_ bytes: some Sequence<UInt8>) { output += bytes }

    // MARK: The request

    /// Writes the request up to its first log record.
    mutating func beginRequest(resource: [String: any LogValue]) {
        put(#"{"resourceLogs":[{"resource":{"attributes":["#)
        for (index, (name, value)) in resource.sorted(by: { $0.key < $1.key }).enumerated() {
            if index > 0 { put(",") }
            let key = Array(name.json.dropFirst().dropLast())[...]
            var input = JSONReader(value.json)
            let start = output.count
            if (try? putAttribute(key, &input)) != nil { continue }
            // The value is an array nested more deeply than `deepestArray`.
            output.removeSubrange(start...)
            input = JSONReader(Array("null".utf8))
            try? putAttribute(key, &input)
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
        if Self.isUTF8(record), (try? putEvent(record)) != nil { return }
        output.removeSubrange(start...)
        put(#"{"body":{"bytesValue":""#)
        put(Data(record).base64EncodedData())
        put(#""},"severityNumber":"#)
        put(Self.severity.unreadable)
        put("}")
    }

    private static func isUTF8(_ bytes: [UInt8]) -> Bool {
        // Decoding replaces invalid bytes.
        String(decoding: bytes, as: UTF8.self).utf8.elementsEqual(bytes)
    }

    private mutating func putEvent(_ record: [UInt8]) throws {
        var input = JSONReader(record)
        var names: Set<ArraySlice<UInt8>> = []
        var (category, event) = (ArraySlice<UInt8>?.none, ArraySlice<UInt8>?.none)
        var time: UInt64?
        try input.expect("{")
        put(#"{"attributes":["#)
        repeat {
            let name = try input.name()
            guard names.insert(name).inserted else { throw JSONReader.Unreadable() }
            try input.expect(":")
            switch name {
            case Self.names.time:
                time = input.time()
                if time != nil { continue }
            case Self.names.category: category = input.followingText()
            case Self.names.event: event = input.followingText()
            default: break
            }
            if output.last != UInt8(ascii: "[") { put(",") }
            try putAttribute(name, &input)
        } while input.take(",")
        try input.expect("}")
        guard input.isAtEnd else { throw JSONReader.Unreadable() }
        put("]")
        if let time {
            put(#","timeUnixNano":""#)
            put(String(time).utf8)
            put("\"")
        }
        if let category, let event {
            put(#","eventName":""#)
            put(category)
            put(".")
            put(event)
            put("\"")
        }
        put(#","severityNumber":"#)
        put(Self.severity.event)
        put("}")
    }

    // MARK: Values

    /// Writes a member as a `KeyValue`. `null` becomes one without a value, because some receivers reject an empty
    /// `AnyValue`.
    /// - Parameter name: The name, escaped as in JSON.
    private mutating func putAttribute(_ name: ArraySlice<UInt8>, _ input: inout JSONReader) throws {
        put(#"{"key":""#)
        put(name)
        put("\"")
        if input.next == UInt8(ascii: "n") {
            _ = try input.literal("null")
        } else {
            put(#","value":"#)
            try putValue(&input, depth: 0)
        }
        put("}")
    }

    /// Writes a value as an `AnyValue`, which is empty for `null`.
    private mutating func putValue(_ input: inout JSONReader, depth: Int) throws {
        switch input.next {
        case UInt8(ascii: "\""):
            put(#"{"stringValue":""#)
            put(try input.text())
            put("\"}")
        case UInt8(ascii: "["):
            guard depth < Self.deepestArray else { throw JSONReader.Unreadable() }
            try input.expect("[")
            put(#"{"arrayValue":{"values":["#)
            var isFirst = true
            while isFirst ? input.next != UInt8(ascii: "]") : input.take(",") {
                if !isFirst { put(",") }
                isFirst = false
                try putValue(&input, depth: depth + 1)
            }
            try input.expect("]")
            put("]}}")
        case UInt8(ascii: "t"), UInt8(ascii: "f"):
            put(#"{"boolValue":"#)
            put(try input.literal(input.next == UInt8(ascii: "t") ? "true" : "false"))
            put("}")
        case UInt8(ascii: "n"):
            _ = try input.literal("null")
            put("{}")
        default:
            let number = try input.number()
            put(number.isInteger ? #"{"intValue":""# : #"{"doubleValue":"#)
            put(number.digits)
            put(number.isInteger ? "\"}" : "}")
        }
    }
}
