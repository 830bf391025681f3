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
        let formatter = DateFormatter()
        formatter.locale = Locale(identifier: "en_US_POSIX")
        formatter.timeZone = TimeZone(secondsFromGMT: 0)
        // A two-digit year more than 50 years in the future belongs to the previous century (RFC 9110 §5.6.7).
        formatter.twoDigitStartDate = Calendar(identifier: .gregorian).date(byAdding: .year, value: -50, to: now)
        for format in ["EEE, dd MMM yyyy HH:mm:ss 'GMT'", "EEEE, dd-MMM-yy HH:mm:ss 'GMT'", "EEE MMM d HH:mm:ss yyyy"] {
            formatter.dateFormat = format
            if let date = formatter.date(from: text) { return date.timeIntervalSince1970 }
        }
        return nil
    }
}
