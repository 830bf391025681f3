public import Foundation
import LogTypes

/// A day of the Gregorian calendar in the years 0 to 9999, without a time and a time zone.
public struct LogDate: Sendable, Hashable, Comparable, CustomStringConvertible {
    public var year: Int { Int(packed >> 9) }
    /// The month, from 1 to 12.
    public var month: Int { Int(packed >> 5 & 0xF) }
    /// The day of the month, from 1.
    public var day: Int { Int(packed & 0x1F) }

    /// Year, month and day, packed so that days compare as integers. Events contain days, and the code that copies them
    /// is compiled for every event, so the size matters.
    private let packed: Int32

    /// Creates a day, or returns nil if the calendar does not have it.
    public init?(year: Int, month: Int, day: Int) {
        guard (0...9999).contains(year), (1...12).contains(month), (1...monthLength(month, of: year)).contains(day)
        else { return nil }
        packed = Int32(year << 9 | month << 5 | day)
    }

    /// Parses a full date of RFC 3339, such as `2026-04-01`, or returns nil for any other string.
    public init?(_ text: String) {
        let parts = text.split(separator: "-", omittingEmptySubsequences: false)
        guard parts.map(\.utf8.count) == [4, 2, 2], text.utf8.allSatisfy({ (0x30...0x39).contains($0) || $0 == 0x2D }),
            let year = Int(parts[0]), let month = Int(parts[1]), let day = Int(parts[2])
        else { return nil }
        self.init(year: year, month: month, day: day)
    }

    /// Creates the day of a point in time in a time zone, or returns nil outside the years 0 to 9999.
    public init?(_ date: Date, in timeZone: TimeZone) {
        let seconds = date.timeIntervalSince1970 + Double(timeZone.secondsFromGMT(for: date))
        guard seconds > -1e12, seconds < 1e12 else { return nil }
        self.init(daysSince1970: Int((seconds / 86400).rounded(.down)))
    }

    /// Creates a day from the number of days since 1970-01-01. The algorithm is `civil_from_days` by Howard Hinnant
    /// (chrono-Compatible Low-Level Date Algorithms).
    init?(daysSince1970 days: Int) {
        guard (-719_528...2_932_896).contains(days) else { return nil }
        let shifted = days + 719_468
        let era = (shifted >= 0 ? shifted : shifted - 146_096) / 146_097
        let dayOfEra = shifted - era * 146_097
        let yearOfEra = (dayOfEra - dayOfEra / 1460 + dayOfEra / 36_524 - dayOfEra / 146_096) / 365
        let dayOfYear = dayOfEra - (365 * yearOfEra + yearOfEra / 4 - yearOfEra / 100)
        let monthFromMarch = (5 * dayOfYear + 2) / 153
        let month = monthFromMarch < 10 ? monthFromMarch + 3 : monthFromMarch - 9
        let year = yearOfEra + era * 400 + (month <= 2 ? 1 : 0)
        let day = dayOfYear - (153 * monthFromMarch + 2) / 5 + 1
        packed = Int32(year << 9 | month << 5 | day)
    }

    /// The number of days since 1970-01-01 (Howard Hinnant, chrono-Compatible Low-Level Date Algorithms).
    package var daysSince1970: Int {
        // The year begins in March, so that a leap day is its last day.
        let shifted = month > 2 ? year : year - 1
        let era = (shifted >= 0 ? shifted : shifted - 399) / 400
        let yearOfEra = shifted - era * 400
        let dayOfYear = (153 * (month > 2 ? month - 3 : month + 9) + 2) / 5 + day - 1
        return era * 146_097 + yearOfEra * 365 + yearOfEra / 4 - yearOfEra / 100 + dayOfYear - 719_468
    }

    public static func < (left: LogDate, right: LogDate) -> Bool {
        left.packed < right.packed
    }

    /// The full date of RFC 3339: `2026-04-01`.
    public var description: String {
        func padded(_ number: Int, _ width: Int) -> String {
            let digits = String(number)
            return String(repeating: "0", count: width - digits.count) + digits
        }
        return "\(padded(year, 4))-\(padded(month, 2))-\(padded(day, 2))"
    }
}

extension Date {
    /// The milliseconds since 1970, rounded; nil if the date is tens of thousands of years away.
    var milliseconds: Int64? {
        let milliseconds = timeIntervalSince1970 * 1000
        guard milliseconds > -1e15, milliseconds < 1e15 else { return nil }
        // `rounded()` calls the C library unless the compiler may assume a processor with a rounding instruction.
        // `Int` has 32 bits on Apple Watches before Series 9.
        return Int64(milliseconds < 0 ? milliseconds - 0.5 : milliseconds + 0.5)
    }
}
