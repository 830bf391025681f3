extension LogValueType.Decimal {
    /// Parses `10, 2` as in SQL's `NUMERIC`. The default scale is 0.
    init(_ arguments: Substring?, name: String) throws(TypeNotation.Failure) {
        let help = "write `\(arguments == nil ? "decimal" : name)(10, 2)`: 10 digits, 2 of them after the decimal point"
        guard let arguments else { throw .init(message: "`\(name)` has no number of digits", help: help) }
        let numbers = arguments.split(separator: ",", omittingEmptySubsequences: false)
            .map { TypeNotation.natural(trimmed($0)) }
        guard (1...2).contains(numbers.count), let precision = numbers[0],
            (1...Self.maximumPrecision).contains(precision)
        else {
            throw .init(
                message: "`\(arguments)` is not a number of digits: `\(name)` has 1 to \(Self.maximumPrecision)",
                help: help)
        }
        guard let scale = numbers.count == 1 ? 0 : numbers[1], (0...precision).contains(scale) else {
            throw .init(
                message:
                    "`\(arguments)` has no valid number of decimal places: the valid numbers are 0 to \(precision)",
                help: "write `\(name)(\(precision), \(min(2, precision)))`")
        }
        self.init(precision: precision, scale: scale)
    }

    /// Returns whether UTF-8 bytes are a number without leading zeros and with at most the digits of the type.
    /// ``pattern`` matches the same strings.
    package func accepts(_ text: UnsafeBufferPointer<UInt8>) -> Bool {
        var index = text.first == UInt8(ascii: "-") ? 1 : 0
        let start = index
        while index < text.count, isDigit(text[index]) { index += 1 }
        let whole = index - start
        guard whole > 0 else { return false }
        // In `NUMERIC`, the 0 of `0.5` does not count as a digit.
        if text[start] == UInt8(ascii: "0") {
            if whole > 1 { return false }
        } else if whole > precision - scale {
            return false
        }
        if index == text.count { return true }
        guard scale > 0, text[index] == UInt8(ascii: ".") else { return false }
        let digits = text[(index + 1)...]
        return !digits.isEmpty && digits.count <= scale && digits.allSatisfy(isDigit)
    }

    /// A value with all digits after the point: `1.99`, or `0.99` if the type has no other digits.
    var widest: String {
        (precision > scale ? "1" : "0") + (scale > 0 ? "." + String(repeating: "9", count: scale) : "")
    }

    /// Returns the narrowest type for the values of both types; nil if its precision is above the maximum.
    func joined(with other: Self) -> Self? {
        let scale = max(self.scale, other.scale)
        let precision = max(precision - self.scale, other.precision - other.scale) + scale
        return precision <= Self.maximumPrecision ? .init(precision: precision, scale: scale) : nil
    }

    static let byPattern: [String: Self] = {
        let all = (1...maximumPrecision).flatMap { digits in (0...digits).map { Self(precision: digits, scale: $0) } }
        return Dictionary(all.map { ($0.pattern, $0) }, uniquingKeysWith: { first, _ in first })
    }()

    /// A regular expression for the values, in the syntax of ``StringFormat/pattern``.
    package var pattern: String {
        let whole = precision - scale
        let more = whole > 1 ? "[0-9]{0,\(whole - 1)}" : ""
        let digits = whole == 0 ? "0" : "(?:0|[1-9]\(more))"
        return "^-?\(digits)\(scale == 0 ? "" : "(?:[.][0-9]{1,\(scale)})?")$"
    }
}
