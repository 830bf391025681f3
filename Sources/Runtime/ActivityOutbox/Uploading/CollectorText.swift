import JSONSyntax

/// The strings of a collector in notices and dead letters.
enum CollectorText {
    /// Returns the beginning of a string as one line, without characters that a terminal or a log does not show as they
    /// are.
    static func line(_ text: String) -> String {
        let line = text.split(whereSeparator: \.isNewline).joined(separator: " ").unicodeScalars
        let start = line.prefix(500)
        return ShownText.line(String(start)) + (start.endIndex < line.endIndex ? " …" : "")
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
