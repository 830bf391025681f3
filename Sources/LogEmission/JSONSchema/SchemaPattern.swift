import LogTypes

/// Regular expressions that say what a `format` says, for validators that take `format` as a mere annotation.
///
/// Only what ECMA-262, RE2, Java and Python read alike: `[0-9]` (`\d` takes other scripts' digits in some), no
/// look-around. Python's `$` also matches before a final newline, so each goes with a `maxLength` or a `not` that
/// refuses one.
enum SchemaPattern {
    /// RFC 3339 `full-date`: the days that the months of the Gregorian calendar have.
    static let date = "^\(day)$"

    /// RFC 3339 `date-time` in UTC with milliseconds; no leap seconds, which none of the clocks in use gives.
    static let timestamp = "^\(day)T(?:[01][0-9]|2[0-3]):[0-5][0-9]:[0-5][0-9][.][0-9]{3}Z$"

    /// RFC 9562, any version, either case.
    static let uuid = "^[0-9A-Fa-f]{8}-[0-9A-Fa-f]{4}-[0-9A-Fa-f]{4}-[0-9A-Fa-f]{4}-[0-9A-Fa-f]{12}$"

    /// RFC 3986 `URI`: a scheme, the characters of a URI, percent-encoded octets, one fragment. The parts are not told
    /// apart.
    static let url = "^[A-Za-z][A-Za-z0-9+.-]*:\(uriText)(?:#\(uriText))?$"

    /// A decimal number as text: so many digits before the point and behind it, no zeros in front.
    static func decimal(_ decimal: LogValueType.Decimal) -> String {
        let whole = decimal.precision - decimal.scale
        let more = whole > 1 ? "[0-9]{0,\(whole - 1)}" : ""
        let digits = whole == 0 ? "0" : "(?:0|[1-9]\(more))"
        return "^-?\(digits)\(decimal.scale == 0 ? "" : "(?:[.][0-9]{1,\(decimal.scale)})?")$"
    }

    /// MODEL-REVISION-ADDITION.
    static let schemaVersion = "^[1-9][0-9]*-(?:0|[1-9][0-9]*)-(?:0|[1-9][0-9]*)$"

    private static let uriText = "(?:[A-Za-z0-9._~:/?@!$&'()*+,;=\\[\\]-]|%[0-9A-Fa-f]{2})*"

    private static let leapYear = "(?:[0-9]{2}(?:0[48]|[2468][048]|[13579][26])|(?:[02468][048]|[13579][26])00)"

    private static let day =
        "(?:[0-9]{4}-(?:(?:0[13578]|1[02])-(?:0[1-9]|[12][0-9]|3[01])|(?:0[469]|11)-(?:0[1-9]|[12][0-9]|30)|02-(?:0[1-9]|1[0-9]|2[0-8]))"
        + "|\(leapYear)-02-29)"
}
