/// The strings of a collector in notices and dead letters.
enum CollectorText {
    private static let longest = 500

    /// Returns the beginning of a string as one line. Characters that a terminal or a log does not show as they are,
    /// such as line ends, escapes and changes of direction, are written as in Swift: `\u{1B}`.
    static func line(_ text: String) -> String {
        var line = ""
        for scalar in text.unicodeScalars {
            guard line.utf8.count < longest else { return line + " …" }
            switch scalar.properties.generalCategory {
            case .control, .format, .lineSeparator, .paragraphSeparator, .privateUse, .surrogate, .unassigned:
                line += "\\u{\(String(scalar.value, radix: 16, uppercase: true))}"
            default: line.unicodeScalars.append(scalar)
            }
        }
        return line
    }
}

extension UploadResult {
    /// The result, with strings that are safe to show.
    var shown: UploadResult {
        switch self {
        case .accepted, .tooLarge: self
        case .perRecord(let results, let after): .perRecord(results.mapValues(\.shown), after: after)
        case .partialSuccess(let rejected, let message):
            .partialSuccess(rejected: rejected, message: CollectorText.line(message))
        case .invalid(let reason): .invalid(reason: CollectorText.line(reason))
        case .refused(let reason): .refused(reason: CollectorText.line(reason))
        case .later(let reason, let after): .later(reason: CollectorText.line(reason), after: after)
        }
    }
}

extension RecordResult {
    fileprivate var shown: RecordResult {
        switch self {
        case .accepted: self
        case .refused(let reason): .refused(reason: CollectorText.line(reason))
        }
    }
}
