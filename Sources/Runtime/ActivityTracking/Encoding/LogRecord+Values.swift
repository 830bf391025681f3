public import Foundation
import LogTypes

extension LogRecord {
    /// A column's value, for destinations that do not send JSON. The column's type decides the case:
    ///
    /// | type of the column | case |
    /// | --- | --- |
    /// | integers | `integer` |
    /// | `float`, `double` | `double`, even for values such as 3 |
    /// | `decimal` | `decimal` |
    /// | `bool` | `bool` |
    /// | `timestamp` | `date`, in milliseconds |
    /// | `string`, enumerations, `date`, `uuid`, `url` | `string`, as in the record: `2026-04-01` for a day |
    /// | lists | `list` |
    ///
    /// The value of a `float` column is the double nearest to the decimal number in the record: 0.1 remains 0.1.
    ///
    /// A value of another type, from ``LogRecord/replacing(_:with:)``, has the case of its own type. The value of a
    /// type that only the app defines is a string, a Boolean value, an integer or, with a decimal point, a double.
    public enum Value: Sendable, Hashable {
        case integer(Int64)
        case double(Double)
        case decimal(Decimal)
        case bool(Bool)
        case string(String)
        case date(Date)
        case list([Value])
    }

    /// The columns that have a value, with their names: common columns first, in the definition's order.
    ///
    /// Optional columns without a value and removed columns are absent, as are values that a record cannot represent,
    /// such as infinity. Values that violate their definition are included (``LogRecord/violations``). The members of
    /// the envelope are properties of the record.
    ///
    /// The values are read from ``LogRecord/json`` at each access, so a destination should access them once.
    public var values: [(name: String, value: Value)] {
        let columns = self.columns
        var found: [(column: Int, value: Value)] = []
        found.reserveCapacity(columns.count)
        var next = 0
        forEachMember { name, json, _ in
            func isNamed(_ index: Int) -> Bool {
                let other = columns[index].name.utf8
                return other.count == name.count && other.elementsEqual(name)
            }
            // The order differs only for a column that `replacing` has added.
            guard let column = (next..<columns.count).first(where: isNamed) ?? (0..<next).first(where: isNamed) else {
                return
            }
            next = column + 1
            var reader = ValueReader(json)
            if let value = reader.value(of: columns[column].type) { found.append((column, value)) }
        }
        found.sort { $0.column < $1.column }
        return found.map { (columns[$0.column].name, $0.value) }
    }
}

extension LogRecord.Value: CustomStringConvertible {
    /// The value as a string: a time as in records (`2026-04-01T12:34:56.789Z`), a list with commas between its items.
    public var description: String {
        switch self {
        case .integer(let integer): "\(integer)"
        case .double(let double): "\(double)"
        case .decimal(let decimal): "\(decimal)"
        case .bool(let bool): "\(bool)"
        case .string(let string): string
        case .date(let date): EncoderState.timestamp(date) ?? "\(date)"
        case .list(let items): items.map(\.description).joined(separator: ",")
        }
    }
}

/// A reader of the JSON of one value, as the encoder writes it: without white space, and with no other escapes.
private struct ValueReader {
    private let json: ArraySlice<UInt8>
    private var index: Int

    init(_ json: ArraySlice<UInt8>) {
        self.json = json
        index = json.startIndex
    }

    mutating func value(of type: LogValueType?) -> LogRecord.Value? {
        let form = type?.unnamed?.form
        guard index < json.endIndex else { return nil }
        switch json[index] {
        case UInt8(ascii: "\""): return value(of: string(), form)
        case UInt8(ascii: "["): return list(form)
        default: return word(form)
        }
    }

    private func value(of string: String, _ form: LogValueType.Form?) -> LogRecord.Value {
        switch form {
        case .format(.timestamp):
            if let date = Date(timestamp: string) { return .date(date) }
        case .format(.decimal): if let decimal = Decimal(digits: string) { return .decimal(decimal) }
        default: break
        }
        return .string(string)
    }

    private mutating func list(_ form: LogValueType.Form?) -> LogRecord.Value {
        let items: LogValueType? = if case .array(let list) = form { list.items } else { nil }
        var values: [LogRecord.Value] = []
        index += 1
        while index < json.endIndex, json[index] != UInt8(ascii: "]") {
            if json[index] == UInt8(ascii: ",") { index += 1 }
            if let value = value(of: items) { values.append(value) }
        }
        index += 1
        return .list(values)
    }

    private mutating func word(_ form: LogValueType.Form?) -> LogRecord.Value? {
        let start = index
        while index < json.endIndex, json[index] != UInt8(ascii: ","), json[index] != UInt8(ascii: "]") { index += 1 }
        let text = String(decoding: json[start..<index], as: UTF8.self)
        switch text {
        case "true": return .bool(true)
        case "false": return .bool(false)
        case "null": return nil
        default: break
        }
        if case .number = form { return Double(text).map { .double($0) } }
        return Int64(text).map { .integer($0) } ?? Double(text).map { .double($0) }
    }

    private mutating func string() -> String {
        var bytes: [UInt8] = []
        index += 1
        while index < json.endIndex, json[index] != UInt8(ascii: "\"") {
            if json[index] == UInt8(ascii: "\\"), index + 1 < json.endIndex {
                index += 1
                bytes.append(unescaped())
            } else {
                bytes.append(json[index])
                index += 1
            }
        }
        index += 1
        return String(decoding: bytes, as: UTF8.self)
    }

    private mutating func unescaped() -> UInt8 {
        let sign = json[index]
        index += 1
        switch sign {
        case UInt8(ascii: "n"): return 0x0A
        case UInt8(ascii: "r"): return 0x0D
        case UInt8(ascii: "t"): return 0x09
        case UInt8(ascii: "u"):
            let digits = String(decoding: json[index...].prefix(4), as: UTF8.self)
            index += digits.utf8.count
            return UInt8(digits, radix: 16) ?? UInt8(ascii: "?")
        default: return sign
        }
    }
}

extension Decimal {
    /// Returns nil for a string that may have replaced a number, and for digits that a `Decimal` cannot hold.
    fileprivate init?(digits: String) {
        // `Decimal` parses a prefix of the string, so the result is compared with the whole string.
        guard let decimal = Decimal(string: digits) else { return nil }
        var text = digits[...]
        if text.utf8.contains(UInt8(ascii: ".")) {
            while text.utf8.last == UInt8(ascii: "0") { text.removeLast() }
            if text.utf8.last == UInt8(ascii: ".") { text.removeLast() }
        }
        guard decimal.description == text || (decimal.isZero && text == "-0") else { return nil }
        self = decimal
    }
}

extension Date {
    /// Creates the time of a string as records have it: `2026-04-01T12:00:00.000Z`. Nil for any other string.
    package init?(timestamp: String) {
        guard StringFormat.timestamp.accepts(timestamp) else { return nil }
        let numbers = timestamp.utf8.split { !(0x30...0x39).contains($0) }.compactMap { Int(Substring($0)) }
        guard numbers.count == 7, let day = LogDate(year: numbers[0], month: numbers[1], day: numbers[2]) else {
            return nil
        }
        // Doubles, because `Int` has 32 bits on some watches.
        let seconds = Double(day.daysSince1970) * 86_400 + Double(numbers[3] * 3600 + numbers[4] * 60 + numbers[5])
        self.init(timeIntervalSince1970: (seconds * 1000 + Double(numbers[6])) / 1000)
    }
}
