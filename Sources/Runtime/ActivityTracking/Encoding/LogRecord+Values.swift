public import Foundation
import JSONSyntax
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
            if let json = try? JSONReader.read(Array(json), what: "the value"),
                let value = Value(json, of: columns[column].type)
            {
                found.append((column, value))
            }
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

extension LogRecord.Value {
    /// Creates the value of a column from its JSON. Nil for `null`, which a record has where a list's item has no form.
    fileprivate init?(_ json: JSONValue, of type: LogValueType?) {
        let form = type?.unnamed?.form
        switch (json.content, form) {
        case (.null, _), (.object, _): return nil
        case (.bool(let bool), _): self = .bool(bool)
        case (.number(let number), .number): self = .double(number.double)
        case (.number(let number), _): self = number.integer.map { .integer($0) } ?? .double(number.double)
        case (.string(let string), .format(.timestamp)):
            self = Date(timestamp: string).map { .date($0) } ?? .string(string)
        case (.string(let string), .format(.decimal)):
            self = Decimal(digits: string).map { .decimal($0) } ?? .string(string)
        case (.string(let string), _): self = .string(string)
        case (.array(let items), .array(let list)): self = .list(items.compactMap { Self($0, of: list.items) })
        case (.array(let items), _): self = .list(items.compactMap { Self($0, of: nil) })
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
