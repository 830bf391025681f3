import ActivityTracking
import Foundation

/// A reader of JSON (RFC 8259) in UTF-8, value by value. Strings are not decoded: their escapes are kept.
struct JSONReader {
    /// The bytes are not JSON, or a value exceeds the types of OTLP.
    struct Unreadable: Error {}

    private let bytes: [UInt8]
    private var position = 0

    init(_ bytes: [UInt8]) { self.bytes = bytes }

    private var byte: UInt8 { position < bytes.count ? bytes[position] : 0 }

    /// The next byte that is not blank; 0 at the end.
    var next: UInt8 {
        mutating get {
            while byte == 0x20 || byte == 0x09 || byte == 0x0A || byte == 0x0D { position += 1 }
            return byte
        }
    }

    var isAtEnd: Bool {
        mutating get { next == 0 && position == bytes.count }
    }

    mutating func take(_ character: Unicode.Scalar) -> Bool {
        guard next == UInt8(ascii: character) else { return false }
        position += 1
        return true
    }

    mutating func expect(_ character: Unicode.Scalar) throws {
        guard take(character) else { throw Unreadable() }
    }

    mutating func literal(_ text: StaticString) throws -> ArraySlice<UInt8> {
        let start = position
        position = min(position + text.utf8CodeUnitCount, bytes.count)
        guard text.withUTF8Buffer({ $0.elementsEqual(bytes[start..<position]) }) else { throw Unreadable() }
        return bytes[start..<position]
    }

    // MARK: Strings

    /// Reads the name of a member. Names of columns need no escapes, so equal names have equal bytes.
    mutating func name() throws -> ArraySlice<UInt8> {
        let name = try text()
        guard !name.isEmpty, !name.contains(UInt8(ascii: "\\")) else { throw Unreadable() }
        return name
    }

    /// Reads a string, and returns the bytes between its quotation marks.
    mutating func text() throws -> ArraySlice<UInt8> {
        try expect("\"")
        let start = position
        while position < bytes.count {
            switch bytes[position] {
            case UInt8(ascii: "\""):
                position += 1
                return bytes[start..<(position - 1)]
            case UInt8(ascii: "\\"): try skipEscape()
            case ..<0x20: throw Unreadable()
            default: position += 1
            }
        }
        throw Unreadable()
    }

    /// Returns the string that follows, without reading it; nil if no string follows.
    func followingText() -> ArraySlice<UInt8>? {
        var copy = self
        return try? copy.text()
    }

    private mutating func skipEscape() throws {
        position += 2
        guard position <= bytes.count else { throw Unreadable() }
        switch bytes[position - 1] {
        case UInt8(ascii: "\""), UInt8(ascii: "\\"), UInt8(ascii: "/"), UInt8(ascii: "b"), UInt8(ascii: "f"),
            UInt8(ascii: "n"), UInt8(ascii: "r"), UInt8(ascii: "t"):
            break
        case UInt8(ascii: "u"):
            switch try unit() {
            case 0xD800..<0xDC00:
                // Half a surrogate pair is not Unicode, and Protocol Buffers have only Unicode.
                guard byte == UInt8(ascii: "\\") else { throw Unreadable() }
                position += 1
                guard byte == UInt8(ascii: "u") else { throw Unreadable() }
                position += 1
                guard (0xDC00..<0xE000).contains(try unit()) else { throw Unreadable() }
            case 0xDC00..<0xE000: throw Unreadable()
            default: break
            }
        default: throw Unreadable()
        }
    }

    /// Reads four hexadecimal digits.
    private mutating func unit() throws -> UInt32 {
        guard bytes.count - position >= 4 else { throw Unreadable() }
        var unit: UInt32 = 0
        for _ in 0..<4 {
            guard let digit = Character(Unicode.Scalar(byte)).hexDigitValue else { throw Unreadable() }
            unit = unit << 4 | UInt32(digit)
            position += 1
        }
        return unit
    }

    // MARK: Numbers

    /// Reads a number. It is an integer if it has neither a decimal point nor an exponent.
    /// - Throws: ``Unreadable`` if the number does not fit into 64 bits.
    mutating func number() throws -> (digits: ArraySlice<UInt8>, isInteger: Bool) {
        let start = position
        if byte == UInt8(ascii: "-") { position += 1 }
        if byte == UInt8(ascii: "0") { position += 1 } else { try skipDigits() }
        let isInteger = byte != UInt8(ascii: ".") && byte | 0x20 != UInt8(ascii: "e")
        if byte == UInt8(ascii: ".") {
            position += 1
            try skipDigits()
        }
        if byte | 0x20 == UInt8(ascii: "e") {
            position += 1
            if byte == UInt8(ascii: "-") || byte == UInt8(ascii: "+") { position += 1 }
            try skipDigits()
        }
        let digits = bytes[start..<position]
        let text = String(decoding: digits, as: UTF8.self)
        guard isInteger ? Int64(text) != nil : Double(text)?.isFinite == true else { throw Unreadable() }
        return (digits, isInteger)
    }

    private mutating func skipDigits() throws {
        let start = position
        while (UInt8(ascii: "0")...UInt8(ascii: "9")).contains(byte) { position += 1 }
        guard position > start else { throw Unreadable() }
    }

    // MARK: Times

    /// Reads a time as records have it, `"2026-04-01T12:00:00.000Z"`, and returns the nanoseconds since 1970.
    ///
    /// Returns nil, and reads nothing, for any other value, and for a time that OTLP cannot represent: 0 means an unknown
    /// time there, and 64 bits end in the year 2554.
    mutating func time() -> UInt64? {
        guard next == UInt8(ascii: "\""), bytes.count - position >= 26, bytes[position + 25] == UInt8(ascii: "\"")
        else {
            return nil
        }
        let text = bytes[(position + 1)..<(position + 25)]
        var numbers = [0]
        for (byte, expected) in zip(text, "0000-00-00T00:00:00.000Z".utf8) {
            switch (byte, expected) {
            case (UInt8(ascii: "0")...UInt8(ascii: "9"), UInt8(ascii: "0")):
                numbers[numbers.count - 1] = numbers[numbers.count - 1] * 10 + Int(byte - UInt8(ascii: "0"))
            case (expected, _) where expected != UInt8(ascii: "0"): numbers.append(0)
            default: return nil
            }
        }
        guard numbers[3] < 24, numbers[4] < 60, numbers[5] < 60,
            let day = LogDate(year: numbers[0], month: numbers[1], day: numbers[2])
        else { return nil }
        let seconds = Int64(day.daysSince1970) * 86_400 + Int64(numbers[3] * 3600 + numbers[4] * 60 + numbers[5])
        let (nanoseconds, isTooLate) = UInt64(max(0, seconds * 1000 + Int64(numbers[6]))).multipliedReportingOverflow(
            by: 1_000_000)
        guard nanoseconds > 0, !isTooLate else { return nil }
        position += 26
        return nanoseconds
    }
}
