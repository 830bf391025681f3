/// Reads the values of details tables.
package enum DetailSyntax {
    /// `10%` as 0.1; nil when it is no percentage from 0 to 100.
    package static func percentage(_ text: some StringProtocol) -> Double? {
        guard text.hasSuffix("%") else { return nil }
        guard let value = decimal(trimmed(Substring(text.dropLast()))), value <= 100 else { return nil }
        return value / 100
    }

    /// `2s` or `500ms` in seconds.
    static func duration(_ text: Substring) -> Double? {
        if text.hasSuffix("ms") { return decimal(trimmed(text.dropLast(2))).map { $0 / 1000 } }
        if text.hasSuffix("s") { return decimal(trimmed(text.dropLast())) }
        return nil
    }

    /// Digits with at most one decimal point.
    private static func decimal(_ text: Substring) -> Double? {
        guard !text.isEmpty, text.utf8.allSatisfy({ (0x30...0x39).contains($0) || $0 == UInt8(ascii: ".") }) else { return nil }
        return Double(text).flatMap { $0.isFinite ? $0 : nil }
    }

    static let triggerHelp =
        "write `screen`, `show`, `impression`, `impression(80%, 500ms)` or `tap(RecipeViewController.saveButton)`"

    static func trigger(_ text: String) throws(TypeSyntax.Failure) -> Trigger {
        let text = trimmed(text[...])
        switch text {
        case "screen": return .screen
        case "show": return .show
        case "impression": return .impression(visibleFraction: nil, dwell: nil)
        default: break
        }
        guard let parenthesis = text.firstIndex(of: "("), text.hasSuffix(")") else {
            let word = String(text.prefix { $0 != "(" })
            let nearest = nearestSpelling(of: word, among: ["screen", "show", "impression", "tap"])
            throw .init(message: "`\(text)` is not a trigger", help: nearest.map { "did you mean `\($0)`?" } ?? triggerHelp)
        }
        let arguments = trimmed(text[text.index(after: parenthesis)...].dropLast())
        switch trimmed(text[..<parenthesis]) {
        case "impression": return try impression(arguments)
        case "tap": return try tap(arguments)
        case let word:
            let nearest = nearestSpelling(of: String(word), among: ["impression", "tap"])
            throw .init(message: "`\(text)` is not a trigger", help: nearest.map { "did you mean `\($0)`?" } ?? triggerHelp)
        }
    }

    private static func impression(_ arguments: Substring) throws(TypeSyntax.Failure) -> Trigger {
        var fraction: Double?
        var dwell: Double?
        for part in arguments.split(separator: ",", omittingEmptySubsequences: false).map({ trimmed($0) }) {
            if let value = percentage(part), value > 0, fraction == nil {
                fraction = value
            } else if let value = duration(part), dwell == nil {
                dwell = value
            } else {
                throw .init(
                    message: "`\(part)` is neither a share of the area nor a time",
                    help: "write `impression(80%)`, `impression(2s)` or `impression(80%, 500ms)`"
                )
            }
        }
        return .impression(visibleFraction: fraction, dwell: dwell)
    }

    private static func tap(_ target: Substring) throws(TypeSyntax.Failure) -> Trigger {
        let parts = target.split(separator: ".", omittingEmptySubsequences: false)
        guard parts.count > 1, parts.allSatisfy({ isSwiftIdentifier($0) }) else {
            throw .init(
                message: "`\(target)` does not name a button", help: "write the type and its member: `tap(RecipeViewController.saveButton)`"
            )
        }
        return .tap(target: String(target))
    }

    static func isSwiftIdentifier(_ text: Substring) -> Bool {
        guard let first = text.unicodeScalars.first, first == "_" || first.properties.isXIDStart else { return false }
        return text.unicodeScalars.allSatisfy { $0.properties.isXIDContinue }
    }

    /// A calendar date as `YYYY-MM-DD`, proleptic Gregorian; nil when there is no such day.
    package static func date(_ text: some StringProtocol) -> CalendarDate? {
        let digits = Array(text.utf8)
        guard digits.count == 10, digits[4] == UInt8(ascii: "-"), digits[7] == UInt8(ascii: "-") else { return nil }
        func number(_ range: Range<Int>) -> Int? {
            range.reduce(0 as Int?) { sum, index in
                guard let sum, (0x30...0x39).contains(digits[index]) else { return nil }
                return sum * 10 + Int(digits[index] - 0x30)
            }
        }
        guard let year = number(0..<4), let month = number(5..<7), let day = number(8..<10), (1...12).contains(month), day >= 1 else {
            return nil
        }
        let isLeap = (year % 4 == 0 && year % 100 != 0) || year % 400 == 0
        let days = [31, isLeap ? 29 : 28, 31, 30, 31, 30, 31, 31, 30, 31, 30, 31]
        return day <= days[month - 1] ? CalendarDate(year: year, month: month, day: day) : nil
    }

    static func privacy(_ text: String) -> Privacy? {
        switch text {
        case "○", "◯", "〇": .personal
        case "×", "✕": Privacy.none
        default: Privacy(rawValue: text.lowercased())
        }
    }
}

/// A day without a time zone.
package struct CalendarDate: Sendable, Comparable, CustomStringConvertible {
    package var year: Int
    package var month: Int
    package var day: Int

    package init(year: Int, month: Int, day: Int) {
        self.year = year
        self.month = month
        self.day = day
    }

    package static func < (left: CalendarDate, right: CalendarDate) -> Bool {
        (left.year, left.month, left.day) < (right.year, right.month, right.day)
    }

    package var description: String {
        func padded(_ number: Int, _ width: Int) -> String {
            let digits = String(number)
            return String(repeating: "0", count: max(0, width - digits.count)) + digits
        }
        return "\(padded(year, 4))-\(padded(month, 2))-\(padded(day, 2))"
    }
}
