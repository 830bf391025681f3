import LogTypes

/// The formats of strings, equal to the patterns of the generated schemas. The format of URLs is `isAbsoluteURI` in
/// LogTypes, because the runtime uses it too.
enum StringFormat {
    typealias Text = UnsafeBufferPointer<UInt8>

    /// Returns whether a string is a UUID (RFC 9562) of any version, in upper or lower case. It checks eight bytes at
    /// once, because records contain several UUIDs.
    static func isUUID(_ text: Text) -> Bool {
        guard text.count == 36, let base = text.baseAddress, text[8] == UInt8(ascii: "-"),
            text[13] == UInt8(ascii: "-"),
            text[18] == UInt8(ascii: "-"), text[23] == UInt8(ascii: "-")
        else { return false }
        func word(_ offset: Int) -> UInt64 {
            UInt64(littleEndian: UnsafeRawPointer(base + offset).loadUnaligned(as: UInt64.self))
        }
        // Zeros replace the hyphens.
        let second = word(9) & ~(0xFF << 32) | 0x30 << 32
        let third = word(17) & ~(0xFF << 8 | 0xFF << 48) | (0x30 << 8 | 0x30 << 48)
        return areHexadecimal(word(0)) && areHexadecimal(second) && areHexadecimal(third) && areHexadecimal(word(25))
            && areHexadecimal(word(28))
    }

    /// Returns whether eight bytes are hexadecimal digits. A bound is added to each byte, so that bytes at or above it
    /// reach 0x80. Method: Sean Eron Anderson, Bit Twiddling Hacks.
    @inline(__always)
    private static func areHexadecimal(_ word: UInt64) -> Bool {
        let (ones, highs): (UInt64, UInt64) = (0x0101_0101_0101_0101, 0x8080_8080_8080_8080)
        guard word & highs == 0 else { return false }
        let digits = (word + ones * 0x50) & ~(word + ones * 0x46)
        let lowered = word | ones * 0x20
        let letters = (lowered + ones * 0x1F) & ~(lowered + ones * 0x19)
        return (digits | letters) & highs == highs
    }

    /// Returns whether a string is an RFC 3339 time in UTC with milliseconds and without leap seconds:
    /// `2026-04-01T12:34:56.789Z`.
    static func isTimestamp(_ text: Text) -> Bool {
        guard text.count == 24, isDay(text), text[10] == UInt8(ascii: "T"), text[13] == UInt8(ascii: ":"),
            text[16] == UInt8(ascii: ":"),
            text[19] == UInt8(ascii: "."), text[23] == UInt8(ascii: "Z"), let hour = two(text, 11),
            let minute = two(text, 14),
            let second = two(text, 17), two(text, 20) != nil, isDigit(text[22])
        else { return false }
        return hour < 24 && minute < 60 && second < 60
    }

    /// Returns whether a string begins with a day of the Gregorian calendar, such as `2024-02-29`.
    static func isDay(_ text: Text) -> Bool {
        guard text.count >= 10, text[4] == UInt8(ascii: "-"), text[7] == UInt8(ascii: "-"), let century = two(text, 0),
            let year = two(text, 2),
            let month = two(text, 5), let day = two(text, 8)
        else { return false }
        return month >= 1 && month <= 12 && day >= 1 && day <= monthLength(month, of: century * 100 + year)
    }

    /// Returns whether a string is a decimal number without leading zeros, with limited digits before and after the
    /// point.
    static func isDecimal(_ text: Text, precision: Int, scale: Int) -> Bool {
        var index = text.first == UInt8(ascii: "-") ? 1 : 0
        let start = index
        while index < text.count, isDigit(text[index]) { index += 1 }
        let whole = index - start
        guard whole > 0 else { return false }
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

    /// Returns whether a string is a version of the form MODEL-REVISION-ADDITION, such as `1-0-2`.
    static func isVersion(_ text: Text) -> Bool {
        var parts = 0
        var index = 0
        while true {
            let start = index
            while index < text.count, isDigit(text[index]) { index += 1 }
            guard index > start, text[start] != UInt8(ascii: "0") || (parts > 0 && index == start + 1) else {
                return false
            }
            parts += 1
            if index == text.count { return parts == 3 }
            guard parts < 3, text[index] == UInt8(ascii: "-") else { return false }
            index += 1
        }
    }

    @inline(__always)
    private static func two(_ text: Text, _ index: Int) -> Int? {
        let (tens, ones) = (text[index] &- UInt8(ascii: "0"), text[index + 1] &- UInt8(ascii: "0"))
        return tens < 10 && ones < 10 ? Int(tens) * 10 + Int(ones) : nil
    }

    @inline(__always)
    private static func isDigit(_ byte: UInt8) -> Bool { byte &- UInt8(ascii: "0") < 10 }
}
