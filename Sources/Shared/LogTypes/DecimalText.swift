extension LogValueType.Decimal {
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

    /// Returns the narrowest type for the values of both types. Its precision may be above the maximum.
    package func joined(with other: Self) -> Self {
        let scale = max(self.scale, other.scale)
        return .init(precision: max(precision - self.scale, other.precision - other.scale) + scale, scale: scale)
    }

    /// A regular expression for the values, in the syntax of ``StringFormat/pattern``.
    package var pattern: String {
        let whole = precision - scale
        let more = whole > 1 ? "[0-9]{0,\(whole - 1)}" : ""
        let digits = whole == 0 ? "0" : "(?:0|[1-9]\(more))"
        return "^-?\(digits)\(scale == 0 ? "" : "(?:[.][0-9]{1,\(scale)})?")$"
    }
}

@inline(__always)
private func isDigit(_ byte: UInt8) -> Bool { byte &- UInt8(ascii: "0") < 10 }
