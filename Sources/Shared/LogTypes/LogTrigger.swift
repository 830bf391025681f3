/// The condition in a definition that makes an event due. The app chooses the parameters that are nil.
public enum LogTrigger: Sendable, Hashable {
    /// A visit of the screen begins.
    case screen
    /// Some of the content is shown.
    case show
    /// A part of the content has been visible for some time. `visibleFraction` is from 0 to 1, `dwell` is in seconds.
    case impression(visibleFraction: Double?, dwell: Double?)
    /// A button is tapped. The target is a type and its member: `RecipeViewController.saveButton`.
    case tap(target: String)
    /// The visit of a screen ends; or that of a content of which this fraction, from 0 to 1, was visible.
    case leave(visibleFraction: Double?)

    /// Compares targets by scalars, as Swift compares identifiers.
    public static func == (left: LogTrigger, right: LogTrigger) -> Bool {
        switch (left, right) {
        case (.screen, .screen), (.show, .show): true
        case (.impression(let visibleFraction, let dwell), .impression(let otherFraction, let otherDwell)):
            (visibleFraction, dwell) == (otherFraction, otherDwell)
        case (.tap(let target), .tap(let other)): target.isExactly(other)
        case (.leave(let visibleFraction), .leave(let other)): visibleFraction == other
        case (.screen, _), (.show, _), (.impression, _), (.tap, _), (.leave, _): false
        }
    }
}

extension LogTrigger {
    /// The kinds of triggers. The raw value is the word of the notation.
    package enum Kind: String, Sendable, CaseIterable {
        case screen, show, impression, tap, leave

        /// An example of the notation, with all arguments.
        package var example: String {
            switch self {
            case .screen, .show: rawValue
            case .impression: "impression(80%, 2s)"
            case .tap: "tap(Screen.button)"
            case .leave: "leave(80%)"
            }
        }

        /// The examples as code, for messages.
        package static var examples: [String] { allCases.map { "`\($0.example)`" } }
    }

    package var kind: Kind {
        switch self {
        case .screen: .screen
        case .show: .show
        case .impression: .impression
        case .tap: .tap
        case .leave: .leave
        }
    }

    package enum Argument {
        case number(Double)
        case text(String)
    }

    /// The arguments with their names. The app chooses a value that is nil.
    package var arguments: KeyValuePairs<String, Argument?> {
        switch self {
        case .screen, .show: [:]
        case .impression(let visibleFraction, let dwell):
            ["visibleFraction": visibleFraction.map(Argument.number), "dwell": dwell.map(Argument.number)]
        case .tap(let target): ["target": .text(target)]
        case .leave(let visibleFraction): ["visibleFraction": visibleFraction.map(Argument.number)]
        }
    }
}

extension LogTrigger: CustomStringConvertible {
    /// The notation of definition files: `impression(80%, 500ms)`.
    public var description: String {
        switch self {
        case .screen: return "screen"
        case .show: return "show"
        case .impression(let visibleFraction, let dwell):
            let parts = [visibleFraction.map(PercentageNotation.text), dwell.map(DurationNotation.text)].compactMap {
                $0
            }
            return parts.isEmpty ? "impression" : "impression(\(parts.joined(separator: ", ")))"
        case .tap(let target): return "tap(\(target))"
        case .leave(let visibleFraction):
            return visibleFraction.map { "leave(\(PercentageNotation.text($0)))" } ?? "leave"
        }
    }

    /// A sentence about the moment at which the event is due, for the inspector. `catalogue.js` has a copy.
    package var summary: String {
        switch self {
        case .screen: return "The screen’s visit begins."
        case .show: return "Some of it comes into view."
        case .impression(let visibleFraction, let dwell):
            return (visibleFraction.map(PercentageNotation.text) ?? "Enough") + " of it was in view for "
                + (dwell.map(DurationNotation.text) ?? "long enough") + "."
        case .tap(let target): return "A button is tapped: \(target)"
        case .leave(let visibleFraction):
            return "The visit ends" + (visibleFraction.map { ", and \(PercentageNotation.text($0)) was in view" } ?? "")
                + "."
        }
    }

    package static let help =
        "write `screen`, `show`, `impression`, `impression(80%, 500ms)`, `leave`, `leave(80%)` or "
        + "`tap(RecipeViewController.saveButton)`"

    /// Parses the notation of definition files.
    package init(parsing text: some StringProtocol) throws(TypeNotation.Failure) {
        let text = trimmed(Substring(text))
        switch Kind(rawValue: String(text)) {
        case .screen: self = .screen
        case .show: self = .show
        case .impression: self = .impression(visibleFraction: nil, dwell: nil)
        case .leave: self = .leave(visibleFraction: nil)
        case .tap, nil:
            guard let parenthesis = text.firstIndex(of: "("), text.hasSuffix(")") else {
                throw Self.failure(text, text.prefix { $0 != "(" }, among: Kind.allCases.map(\.rawValue))
            }
            let arguments = trimmed(text[text.index(after: parenthesis)...].dropLast())
            switch trimmed(text[..<parenthesis]) {
            case "impression": self = try Self.impression(arguments)
            case "tap": self = try Self.tap(arguments)
            case "leave":
                guard let fraction = PercentageNotation.fraction(arguments), fraction > 0 else {
                    throw .init(message: "`\(arguments)` is not a percentage of the area", help: "write `leave(80%)`")
                }
                self = .leave(visibleFraction: fraction)
            case let word: throw Self.failure(text, word, among: ["impression", "tap", "leave"])
            }
        }
    }

    private static func failure(_ text: Substring, _ word: Substring, among words: [String]) -> TypeNotation.Failure {
        .init(message: "`\(text)` is not a trigger", help: help, misspelling: (String(word), words))
    }

    private static func impression(_ arguments: Substring) throws(TypeNotation.Failure) -> LogTrigger {
        var fraction: Double?
        var dwell: Double?
        for part in arguments.split(separator: ",", omittingEmptySubsequences: false).map({ trimmed($0) }) {
            if let value = PercentageNotation.fraction(part), value > 0, fraction == nil {
                fraction = value
            } else if let value = DurationNotation.seconds(part), dwell == nil {
                dwell = value
            } else {
                let isSecond =
                    fraction != nil && PercentageNotation.fraction(part) != nil
                    || dwell != nil && DurationNotation.seconds(part) != nil
                throw .init(
                    message: isSecond
                        ? "`\(part)` is too much: an impression has at most one percentage and one time"
                        : "`\(part)` is neither a percentage of the area nor a time",
                    help: "write `impression(80%)`, `impression(2s)` or `impression(80%, 500ms)`"
                )
            }
        }
        return .impression(visibleFraction: fraction, dwell: dwell)
    }

    private static func tap(_ target: Substring) throws(TypeNotation.Failure) -> LogTrigger {
        let parts = target.split(separator: ".", omittingEmptySubsequences: false)
        guard parts.count > 1, parts.allSatisfy({ isSwiftIdentifier($0) }) else {
            throw .init(
                message: "`\(target)` does not name a button",
                help: "write the type and its member: `tap(RecipeViewController.saveButton)`"
            )
        }
        return .tap(target: String(target))
    }

    package static func isSwiftIdentifier(_ text: Substring) -> Bool {
        guard let first = text.unicodeScalars.first, first == "_" || first.properties.isXIDStart else { return false }
        return text.unicodeScalars.allSatisfy { $0.properties.isXIDContinue }
    }
}

/// The notation of fractions in definition files: percentages.
package enum PercentageNotation {
    /// Parses `10%` as 0.1. Returns nil if the string is not a percentage from 0 to 100.
    package static func fraction(_ text: some StringProtocol) -> Double? {
        guard text.hasSuffix("%") else { return nil }
        // A division would be rounded a second time: 99.9 / 100 is not the number that is nearest to 0.999.
        guard let value = decimal(trimmed(Substring(text.dropLast())), exponent: -2), value <= 1 else { return nil }
        return value
    }

    /// Returns the shortest percentage that parses as the same fraction: `10%` for 0.1.
    package static func text(_ fraction: Double) -> String {
        digits(fraction, exponent: 2) + "%"
    }
}

/// The notation of durations in definition files.
package enum DurationNotation {
    /// Parses `2s` or `500ms` as seconds; nil for other strings.
    package static func seconds(_ text: Substring) -> Double? {
        if text.hasSuffix("ms") { return decimal(trimmed(text.dropLast(2)), exponent: -3) }
        if text.hasSuffix("s") { return decimal(trimmed(text.dropLast())) }
        return nil
    }

    /// Returns `2s` for 2, and `500ms` for 0.5.
    package static func text(_ seconds: Double) -> String {
        let milliseconds = seconds > 0 && seconds < 1 ? Double(Int64(seconds * 1000 + 0.5)) : 0
        if milliseconds > 0, milliseconds / 1000 == seconds { return digits(milliseconds) + "ms" }
        return digits(seconds) + "s"
    }
}

private func decimal(_ text: Substring, exponent: Int = 0) -> Double? {
    guard !text.isEmpty, text.utf8.allSatisfy({ (0x30...0x39).contains($0) || $0 == UInt8(ascii: ".") }) else {
        return nil
    }
    return Double(exponent == 0 ? String(text) : text + "e\(exponent)").flatMap { $0.isFinite ? $0 : nil }
}

/// Formats a non-negative number, times a power of ten, without an exponent, as `decimal` parses it.
private func digits(_ number: Double, exponent shift: Int = 0) -> String {
    let text = TypeNotation.decimals(number)
    let parts = text.split(separator: "e", maxSplits: 1)
    let power = parts.count == 2 ? Int(parts[1]) : 0
    guard let power, parts.count == 2 || shift != 0, number.isFinite else { return text }
    let mantissa = parts[0].split(separator: ".").joined()
    var point =
        (parts[0].utf8.firstIndex(of: UInt8(ascii: ".")).map { parts[0].utf8[..<$0].count } ?? mantissa.utf8.count)
        + power + shift
    // The zeros of `0.999`.
    let significant = mantissa.drop { $0 == "0" }
    point -= mantissa.utf8.count - significant.utf8.count
    if significant.isEmpty { return "0" }
    if point <= 0 { return "0." + String(repeating: "0", count: -point) + significant }
    guard point < significant.utf8.count else {
        return significant + String(repeating: "0", count: point - significant.utf8.count)
    }
    return significant.prefix(point) + "." + significant.dropFirst(point)
}
