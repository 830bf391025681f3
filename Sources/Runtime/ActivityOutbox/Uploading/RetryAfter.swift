import Foundation

/// A parser for the `Retry-After` header: seconds or a date (RFC 9110 §10.2.3 and §5.6.7).
enum RetryAfter {
    /// Returns the seconds to wait, a day at most; nil if the value is invalid.
    static func seconds(_ text: String?, now: Date) -> TimeInterval? {
        guard let text = text?.trimmingCharacters(in: .whitespaces), !text.isEmpty else { return nil }
        let day: ClosedRange<TimeInterval> = 0...Outbox.Limits.day
        if text.allSatisfy({ "0123456789.-+".contains($0) }) {
            return TimeInterval(text).map { Outbox.Limits.clamp($0, day) }
        }
        return date(text, now: now).map { Outbox.Limits.clamp($0 - now.timeIntervalSince1970, day) }
    }

    /// Parses the three date formats, `Sun, 06 Nov 1994 08:49:37 GMT`, `Sunday, 06-Nov-94 08:49:37 GMT` and `Sun Nov  6
    /// 08:49:37 1994`. Returns seconds since 1970.
    static func date(_ text: String, now: Date) -> TimeInterval? {
        let words = text.split { !$0.isASCII || !($0.isLetter || $0.isNumber) }.map(String.init)
        guard words.count == 8 && words[7] == "GMT" || words.count == 7 else { return nil }
        // In the last format, the month precedes the day, and the year follows the time.
        let places = words.count == 8 ? (day: 1, month: 2, year: 3, time: 4) : (day: 2, month: 1, year: 6, time: 3)
        guard let month = months.firstIndex(of: words[places.month]), let day = Int(words[places.day]),
            var year = Int(words[places.year]),
            let hour = Int(words[places.time]), let minute = Int(words[places.time + 1]),
            let second = Int(words[places.time + 2])
        else { return nil }
        if words[places.year].count == 2 {
            // A two-digit year more than 50 years in the future belongs to the previous century (RFC 9110 §5.6.7).
            let current = Calendar(identifier: .gregorian).component(.year, from: now)
            year += current / 100 * 100
            if year > current + 50 { year -= 100 }
        }
        guard (1...31).contains(day), (1...9999).contains(year), (0..<24).contains(hour), (0..<60).contains(minute),
            (0...60).contains(second)
        else {
            return nil
        }
        var time = tm()
        (time.tm_year, time.tm_mon, time.tm_mday) = (Int32(year - 1900), Int32(month), Int32(day))
        let midnight = timegm(&time)
        // `timegm` normalizes a day that the month does not have.
        guard time.tm_mday == Int32(day) else { return nil }
        return TimeInterval(midnight) + TimeInterval(hour * 3600 + minute * 60 + second)
    }

    private static let months = ["Jan", "Feb", "Mar", "Apr", "May", "Jun", "Jul", "Aug", "Sep", "Oct", "Nov", "Dec"]
}
