import LogTypes

/// Values of details that are nearly right. The strings have neither invisible nor full-width characters.
extension LogTrigger {
    /// The notation of the trigger that a string means: `impression(80%, 2s)` for `Impression(80 %, 2 seconds)`.
    static func correction(of text: String) -> String? {
        let open = text.firstIndex(of: "(") ?? text.endIndex
        let word = trimmed(text[..<open]).lowercased()
        let words = Kind.allCases.map(\.rawValue)
        guard let name = words.first(where: { $0 == word }) ?? nearestSpelling(of: word, among: words) else {
            return nil
        }
        var arguments = trimmed(text[open...].dropFirst())
        if arguments.hasSuffix(")") { arguments = trimmed(arguments.dropLast()) }
        guard !arguments.isEmpty else { return name }
        if name == "tap" { return "tap(\(arguments))" }
        let parts = arguments.split { ",;、/".contains($0) }.map { part in
            PercentageNotation.correction(of: String(part)) ?? DurationNotation.correction(of: String(part))
        }
        guard name == "impression" || name == "leave", !parts.contains(nil) else { return nil }
        return "\(name)(\(parts.compactMap { $0 }.joined(separator: ", ")))"
    }
}

extension PercentageNotation {
    /// The percentage that a string means: `10%` for `0.1`, `10` and `10 percent`. Nil for 1 to 9: it may be a time.
    static func correction(of text: String) -> String? {
        let (number, unit) = numberAndUnit(text)
        guard let value = Double(number) else { return nil }
        switch unit {
        case "%", "percent", "パーセント": return "\(number)%"
        case "" where value > 0 && value < 1: return Self.text(value)
        case "" where value >= 10 && value <= 100: return "\(number)%"
        default: return nil
        }
    }
}

extension DurationNotation {
    /// The duration that a string means: `1s` for `1 second`.
    static func correction(of text: String) -> String? {
        let (number, unit) = numberAndUnit(text)
        switch unit {
        case "s", "sec", "secs", "second", "seconds", "秒", "秒間": return "\(number)s"
        case "ms", "msec", "msecs", "millisecond", "milliseconds", "ミリ秒": return "\(number)ms"
        default: return nil
        }
    }
}

enum DateNotation {
    /// The date that a string means: `2026-04-01` for `2026/4/1` and `2026年4月1日`. Nil if the year is not first.
    static func correction(of text: String) -> String? {
        let parts = text.split { !("0"..."9").contains($0) }
        guard parts.count == 3, parts[0].count == 4 else { return nil }
        let padded = parts.map { $0.count == 1 ? "0\($0)" : String($0) }
        return padded.joined(separator: "-")
    }
}

private func numberAndUnit(_ text: String) -> (number: String, unit: String) {
    let text = trimmed(text[...])
    let number = text.prefix { ("0"..."9").contains($0) || $0 == "." }
    return (String(number), trimmed(text[number.endIndex...]).lowercased())
}
