/// The formats of strings. A column type with a format has JSON strings as its values.
///
/// This file contains the facts about a format that do not depend on a language or an engine. Code that treats all
/// formats alike switches over ``LogValueType/form``, and needs no change when a format is added.
package enum StringFormat: Sendable, Hashable {
    case date, timestamp, uuid, url
    case decimal(LogValueType.Decimal)

    /// The formats whose types have no arguments.
    package static let withoutArguments: [StringFormat] = [.date, .timestamp, .uuid, .url]
    /// The formats whose types have arguments, with arguments for examples.
    package static let withArguments: [StringFormat] = [.decimal(.init(precision: 10, scale: 2))]
    /// All formats.
    package static let all = withArguments + withoutArguments

    package var type: LogValueType {
        switch self {
        case .decimal(let decimal): .decimal(decimal)
        case .date: .date
        case .timestamp: .timestamp
        case .uuid: .uuid
        case .url: .url
        }
    }

    // MARK: Names

    /// The name of the type in definition files.
    package var name: String {
        switch self {
        case .decimal: "decimal"
        case .date: "date"
        case .timestamp: "timestamp"
        case .uuid: "uuid"
        case .url: "url"
        }
    }

    /// The arguments of the type, in the order of the notation.
    package var arguments: [(name: StaticString, value: Int)] {
        switch self {
        case .decimal(let decimal): [("precision", decimal.precision), ("scale", decimal.scale)]
        case .date, .timestamp, .uuid, .url: []
        }
    }

    /// Other names of the type in definition files, from warehouses.
    package var aliases: [String] {
        switch self {
        case .decimal: ["numeric"]
        case .timestamp: ["datetime", "timestamptz"]
        case .date, .uuid, .url: []
        }
    }

    /// Japanese names of the type in spreadsheets.
    package var japaneseNames: [String] {
        switch self {
        case .date: ["日付", "年月日"]
        case .timestamp: ["日時", "タイムスタンプ"]
        case .decimal, .uuid, .url: []
        }
    }

    // MARK: Words

    /// A phrase for the values, as messages about records continue after "is not".
    package var expectation: String {
        switch self {
        case .decimal: "a string"
        case .date: "a date, such as 2026-04-01"
        case .timestamp: "a time, such as 2026-04-01T12:34:56.789Z"
        case .uuid: "a UUID"
        case .url: "a URL with its scheme"
        }
    }

    /// The message about an example that is not a value, and its help.
    package var correction: (message: String, help: String) {
        switch self {
        case .decimal(let decimal):
            (
                "`\(type)` takes at most \(decimal.precision - decimal.scale) digits before the point and "
                    + "\(decimal.scale) after it",
                "write a number such as `\(decimal.widest)`"
            )
        case .date: ("`date` is a calendar day", "write year, month and day: `2026-04-01`")
        case .timestamp:
            ("`timestamp` is a time in UTC with milliseconds", "write it as in `2026-04-01T09:30:00.000Z`")
        case .uuid:
            ("`uuid` has 32 hexadecimal digits in groups", "write it as in `0190a3f2-7c1e-7b52-9d0a-3f6f0c2b8e11`")
        case .url:
            (
                "`url` has a scheme, and only characters of a web address",
                "write it as in `https://example.com/recipes/42`"
            )
        }
    }

    /// A value, for examples of records.
    package var example: String {
        switch self {
        case .decimal(let decimal): decimal.precision > decimal.scale ? "1" : "0"
        case .date: "2026-04-01"
        case .timestamp: "2026-04-01T09:30:00.000Z"
        case .uuid: "0190a3f2-7c1e-7b52-9d0a-3f6f0c2b8e11"
        case .url: "https://example.com/"
        }
    }

    // MARK: JSON Schema

    /// The value of JSON Schema's `format`; nil if it has no format for the values.
    package var schemaFormat: String? {
        switch self {
        case .decimal: nil
        case .date: "date"
        case .timestamp: "date-time"
        case .uuid: "uuid"
        case .url: "uri"
        }
    }

    /// The length of all values; nil if they differ in length.
    package var length: Int? {
        switch self {
        case .date: 10
        case .timestamp: 24
        case .uuid: 36
        case .decimal, .url: nil
        }
    }

    /// The length of the longest value; nil without a limit.
    package var maximumLength: Int? {
        // The sign and the point are not digits.
        if case .decimal(let decimal) = self { decimal.precision + 2 } else { length }
    }

    /// A regular expression with the same meaning, for validators that treat `format` as an annotation.
    ///
    /// The expression uses only syntax with the same meaning in ECMA-262, RE2, Java and Python. Look-around is not
    /// used. Digits are written as `[0-9]`, because `\d` matches digits of other scripts in some of these languages.
    /// Python's `$` also matches before a final newline, so schemas reject it with `maxLength` or `not`.
    package var pattern: String {
        switch self {
        case .decimal(let decimal): decimal.pattern
        case .date: Self.datePattern
        case .timestamp: Self.timestampPattern
        // RFC 9562, any version, upper or lower case.
        case .uuid: "^[0-9A-Fa-f]{8}-[0-9A-Fa-f]{4}-[0-9A-Fa-f]{4}-[0-9A-Fa-f]{4}-[0-9A-Fa-f]{12}$"
        case .url: Self.urlPattern
        }
    }

    /// RFC 3339 `full-date`, with the days that each month has in the Gregorian calendar.
    private static let datePattern = "^\(day)$"

    /// RFC 3339 `date-time` in UTC with milliseconds. Leap seconds are rejected, because no clock in use returns them.
    private static let timestampPattern = "^\(day)T(?:[01][0-9]|2[0-3]):[0-5][0-9]:[0-5][0-9][.][0-9]{3}Z$"

    private static let day =
        "(?:[0-9]{4}-(?:(?:0[13578]|1[02])-(?:0[1-9]|[12][0-9]|3[01])|(?:0[469]|11)-(?:0[1-9]|[12][0-9]|30)"
        + "|02-(?:0[1-9]|1[0-9]|2[0-8]))|\(leapYear)-02-29)"

    private static let leapYear = "(?:[0-9]{2}(?:0[48]|[2468][048]|[13579][26])|(?:[02468][048]|[13579][26])00)"

    /// RFC 3986 `URI`: a scheme, the characters of a URI, percent-encoded octets, one fragment. The pattern does not
    /// separate the parts after the scheme.
    private static let urlPattern = "^[A-Za-z][A-Za-z0-9+.-]*:\(uriText)(?:#\(uriText))?$"

    private static let uriText = "(?:[A-Za-z0-9._~:/?@!$&'()*+,;=\\[\\]-]|%[0-9A-Fa-f]{2})*"

    // MARK: Warehouses

    /// Indicates whether warehouses can have a type for the values. Such a warehouse parses the values by its own
    /// syntax. If false, every warehouse stores strings.
    package var hasWarehouseType: Bool {
        switch self {
        case .decimal, .date, .timestamp, .uuid: true
        case .url: false
        }
    }

    /// Indicates whether the values begin with a year of four digits. Warehouses limit years.
    package var beginsWithYear: Bool {
        switch self {
        case .date, .timestamp: true
        case .decimal, .uuid, .url: false
        }
    }

    /// Indicates whether the values are the digits of a number.
    package var isNumeric: Bool { if case .decimal = self { true } else { false } }
}

// MARK: Arguments

extension StringFormat {
    private static let withArgumentsByName: [String: StringFormat] = withArguments.reduce(into: [:]) { all, format in
        for name in [format.name] + format.aliases { all[name] = format }
    }

    /// Returns a type with arguments by its name or alias.
    package static func withArguments(named name: String) -> StringFormat? { withArgumentsByName[name] }

    /// Parses the arguments of a type; nil for the name of another type.
    /// - Parameter arguments: the text in parentheses. Without it, the name may be in any case: the error says so.
    init?(_ name: String, _ arguments: Substring?) throws(TypeNotation.Failure) {
        switch Self.withArguments(named: arguments == nil ? name.lowercased() : name) {
        case .decimal: self = .decimal(try .init(arguments, name: name))
        default: return nil
        }
    }

    /// Returns what arguments that are nearly right may stand for.
    package func repairs(of arguments: Substring) -> [String] {
        switch self {
        case .decimal:
            // `decimal(6.2)`, and the number of decimal places first.
            let numbers = arguments.split { $0 == "." || $0 == "," }.map { String(trimmed($0)) }
            return numbers.count == 2 ? [numbers, numbers.reversed()].map { $0.joined(separator: ", ") } : []
        case .date, .timestamp, .uuid, .url: return []
        }
    }

    /// Returns the format with arguments that has a ``pattern``.
    package init?(pattern: String) {
        guard let decimal = LogValueType.Decimal.byPattern[pattern] else { return nil }
        self = .decimal(decimal)
    }

    /// Returns the narrowest format for the values of both formats; nil if there is none.
    package func joined(with other: Self) -> Self? {
        switch (self, other) {
        case (.decimal(let one), .decimal(let other)): one.joined(with: other).map { .decimal($0) }
        default: self == other ? self : nil
        }
    }

    /// Compares the arguments with those of a later version; nil for another format.
    /// - Returns: what the arguments limit, and whether the later version accepts less and more of it.
    package func difference(to later: Self) -> (limited: String, isNarrower: Bool, isWider: Bool)? {
        switch (self, later) {
        case (.decimal(let old), .decimal(let new)):
            // Digits before and after the point are compared separately, because NUMERIC columns fix both numbers.
            let (before, after) = ((old.precision - old.scale, old.scale), (new.precision - new.scale, new.scale))
            return ("digits", after.0 < before.0 || after.1 < before.1, after.0 > before.0 || after.1 > before.1)
        default: return nil
        }
    }
}

// MARK: Values

extension StringFormat {
    package typealias Text = UnsafeBufferPointer<UInt8>

    /// Returns whether UTF-8 bytes are a value. ``pattern`` matches the same strings.
    package func accepts(_ text: Text) -> Bool {
        switch self {
        case .decimal(let decimal): decimal.accepts(text)
        case .date: text.count == 10 && Self.beginsWithDay(text)
        case .timestamp: Self.isTimestamp(text)
        case .uuid: Self.isUUID(text)
        case .url: isAbsoluteURI(text)
        }
    }

    /// Returns whether a string is a value.
    package func accepts(_ text: String) -> Bool {
        var text = text
        return text.withUTF8 { accepts($0) }
    }

    /// Returns whether a string is clearly a value of this format. This is stricter than `accepts`: RFC 3986 allows the
    /// URL `a:b`, but here a URL must contain `://`.
    package func isEvident(in text: String) -> Bool {
        switch self {
        case .decimal, .date, .timestamp, .uuid: return accepts(text)
        case .url:
            let scheme = text.utf8.prefix { $0 != UInt8(ascii: ":") }.count
            return text.utf8.count > 7 && text.utf8.dropFirst(scheme).starts(with: "://".utf8) && accepts(text)
        }
    }

    /// Returns whether bytes are a UUID (RFC 9562) of any version and case. Eight bytes are checked at once, for speed.
    private static func isUUID(_ text: Text) -> Bool {
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

    /// Returns whether bytes are an RFC 3339 time in UTC with milliseconds: `2026-04-01T12:34:56.789Z`.
    private static func isTimestamp(_ text: Text) -> Bool {
        guard text.count == 24, beginsWithDay(text), text[10] == UInt8(ascii: "T"), text[13] == UInt8(ascii: ":"),
            text[16] == UInt8(ascii: ":"),
            text[19] == UInt8(ascii: "."), text[23] == UInt8(ascii: "Z"), let hour = two(text, 11),
            let minute = two(text, 14),
            let second = two(text, 17), two(text, 20) != nil, isDigit(text[22])
        else { return false }
        return hour < 24 && minute < 60 && second < 60
    }

    private static func beginsWithDay(_ text: Text) -> Bool {
        guard text.count >= 10, text[4] == UInt8(ascii: "-"), text[7] == UInt8(ascii: "-"), let century = two(text, 0),
            let year = two(text, 2),
            let month = two(text, 5), let day = two(text, 8)
        else { return false }
        return month >= 1 && month <= 12 && day >= 1 && day <= monthLength(month, of: century * 100 + year)
    }

    @inline(__always)
    private static func two(_ text: Text, _ index: Int) -> Int? {
        let (tens, ones) = (text[index] &- UInt8(ascii: "0"), text[index + 1] &- UInt8(ascii: "0"))
        return tens < 10 && ones < 10 ? Int(tens) * 10 + Int(ones) : nil
    }
}
