/// The strings in some members of a record, as ``RecordEvaluator`` reads them. Empty if it is not an object.
package struct RecordMembers: Sendable {
    private var values: [String: Value] = [:]

    private enum Value { case string(String), strings([String]) }

    /// - Parameters:
    ///   - names: The names of the members. Of several members with one name, the first counts.
    ///   - record: The bytes of the record.
    package init(_ names: Set<String>, of record: [UInt8]) {
        RecordChunk(record: record).bytes.withUnsafeBufferPointer { bytes in
            guard let start = bytes.baseAddress else { return }
            var scanner = JSONScanner()
            values = Self.read(names, start, &scanner) ?? [:]
        }
    }

    /// Returns the value of a member that is a string.
    package subscript(name: String) -> String? { if case .string(let value)? = values[name] { value } else { nil } }

    /// Returns the strings in a member that is a list.
    package func strings(in name: String) -> [String] {
        if case .strings(let values)? = values[name] { values } else { [] }
    }

    private static func read(_ names: Set<String>, _ start: JSONScanner.Position, _ scanner: inout JSONScanner)
        -> [String: Value]?
    {
        var values: [String: Value] = [:]
        let object = scanner.blanks(start)
        guard object.pointee == UInt8(ascii: "{") else { return nil }
        var position = scanner.blanks(object + 1)
        let isEmpty = position.pointee == UInt8(ascii: "}")
        while !isEmpty {
            guard position.pointee == UInt8(ascii: "\""), let nameEnd = scanner.text(position + 1) else { return nil }
            let name = string(position, nameEnd, &scanner)
            let colon = scanner.blanks(nameEnd)
            guard colon.pointee == UInt8(ascii: ":") else { return nil }
            let value = scanner.blanks(colon + 1)
            guard let end = scanner.skipValue(value, depth: 1) else { return nil }
            if names.contains(name), values[name] == nil { values[name] = read(value, end, &scanner) }
            position = scanner.blanks(end)
            guard position.pointee == UInt8(ascii: ",") else { break }
            position = scanner.blanks(position + 1)
        }
        let isWhole = position.pointee == UInt8(ascii: "}") && scanner.blanks(position + 1).pointee == 0x0A
        return isWhole ? values : nil
    }

    private static func read(
        _ start: JSONScanner.Position, _ end: JSONScanner.Position, _ scanner: inout JSONScanner
    ) -> Value? {
        if start.pointee == UInt8(ascii: "\"") { return .string(string(start, end, &scanner)) }
        guard start.pointee == UInt8(ascii: "[") else { return nil }
        var strings: [String] = []
        var position = scanner.blanks(start + 1)
        while position < end - 1, let next = scanner.skipValue(position, depth: 1) {
            if position.pointee == UInt8(ascii: "\"") { strings.append(string(position, next, &scanner)) }
            // The position after a comma, or the closing bracket.
            let after = scanner.blanks(next)
            position = after.pointee == UInt8(ascii: ",") ? scanner.blanks(after + 1) : after
        }
        return .strings(strings)
    }

    /// Returns the content of a valid string. Half of a surrogate pair becomes replacement characters.
    private static func string(
        _ start: JSONScanner.Position, _ end: JSONScanner.Position, _ scanner: inout JSONScanner
    ) -> String { String(decoding: scanner.unescaped(start + 1, end - 1), as: UTF8.self) }
}
