package import LogTypes

/// Regular expressions with the same meaning as a `format`, for validators that treat `format` as an annotation.
///
/// They use only syntax with the same meaning in ECMA-262, RE2, Java and Python: no look-around, and `[0-9]`, because
/// `\d` matches digits of other scripts in some of them. Python's `$` also matches before a final newline, so each
/// pattern is accompanied by a `maxLength` or a `not` that rejects such a newline.
package enum SchemaPattern {
    /// RFC 3339 `full-date`, with the days that each month has in the Gregorian calendar.
    package static let date = "^\(day)$"

    /// RFC 3339 `date-time` in UTC with milliseconds. Leap seconds are rejected, because no clock in use returns them.
    package static let timestamp = "^\(day)T(?:[01][0-9]|2[0-3]):[0-5][0-9]:[0-5][0-9][.][0-9]{3}Z$"

    /// RFC 9562, any version, upper or lower case.
    package static let uuid = "^[0-9A-Fa-f]{8}-[0-9A-Fa-f]{4}-[0-9A-Fa-f]{4}-[0-9A-Fa-f]{4}-[0-9A-Fa-f]{12}$"

    /// RFC 3986 `URI`: a scheme, the characters of a URI, percent-encoded octets, one fragment. The pattern does not
    /// separate the parts after the scheme.
    package static let url = "^[A-Za-z][A-Za-z0-9+.-]*:\(uriText)(?:#\(uriText))?$"

    /// A decimal number as a string, with limits for the digits before and after the point, and no leading zeros.
    package static func decimal(_ decimal: LogValueType.Decimal) -> String {
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
