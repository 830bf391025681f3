import MarkdownSyntax

/// Rules for values of enumerations that are valid but probably unintended.
extension Rule {
    static let enumerationRules = [enumSpelling, singleValue]

    package static let enumSpelling = Rule(
        "enum-spelling", .warning, "an enumeration's values are separated by commas, and have no quotes or marks",
        valid: .columns("| order | enum(newest, popular) |"),
        invalid: .columns("| order | enum(newest、popular, near) |"),
        checks: .document(findOddValues))

    package static let singleValue = Rule(
        "single-value", .warning, "an enumeration has more than one value",
        valid: .columns("| order | enum(newest, popular) |"), invalid: .columns("| order | enum(newest) |"),
        checks: .document(findSingleValues))
}

private func findOddValues(in document: Document, _ findings: inout Findings) {
    for column in document.enumerations where column.status != .retired {
        guard case .enumeration(let enumeration) = column.type.element,
            let odd = enumeration.values.lazy.compactMap({ ValueWithSuspectNotation($0) }).first
        else { continue }
        findings.report(
            odd.message(of: "`\(column.name)`"), at: column.typePlace,
            column.adviceToWrite(enumeration.values) ?? odd.help)
    }
    guard case .types(let types) = document.content else { return }
    for type in types {
        guard case .enumeration(let values) = type.kind else { continue }
        for value in values {
            guard let odd = ValueWithSuspectNotation(value.value) else { continue }
            let help: Diagnostic.Note =
                odd.intendedValues.isEmpty
                ? .help("delete the row, or remove the marks", .deleteLines)
                : odd.intendedValues.count == 1 ? .write(odd.intendedValues[0]) : odd.help
            findings.report(odd.message(of: "`\(type.name)`"), at: value.place, help)
        }
    }
}

private func findSingleValues(in document: Document, _ findings: inout Findings) {
    for column in document.enumerations where column.status != .retired {
        guard case .enumeration(let enumeration) = column.type.element, enumeration.values.count == 1,
            let value = enumeration.values.first
        else {
            continue
        }
        // The rule `enum-spelling` reports a value that contains notation, with the same fix.
        guard ValueWithSuspectNotation(value) == nil else { continue }
        let parts = ValueWithSuspectNotation.words(of: value)
        let help = parts.count > 1 ? column.adviceToWrite(parts, splitting: false) : nil
        findings.report(
            "`\(column.name)` can only be `\(value)`: its enumeration has one value", at: column.typePlace,
            help ?? .help("add the other values, separated by commas; or remove the column, which never changes"))
    }
    guard case .types(let types) = document.content else { return }
    for type in types {
        guard case .enumeration(let values) = type.kind, values.count == 1 else { continue }
        findings.report(
            "`\(type.name)` can only be `\(values[0].value)`: its enumeration has one value", at: type.place,
            .help("add a row for each of the other values"))
    }
}

extension Column {
    fileprivate func adviceToWrite(_ values: [String], splitting: Bool = true) -> Diagnostic.Note? {
        let meant = splitting ? values.flatMap { ValueWithSuspectNotation($0)?.intendedValues ?? [$0] } : values
        let type = type.changed { if case .enumeration = $0 { .enumeration(.init(meant)) } else { $0 } }
        let text = "\(type)\(isRequired ? "" : "?")"
        guard !meant.isEmpty, let parsed = try? TypeNotation.parse(text), parsed.type == type else { return nil }
        return .help("write `\(text)`", .replacePlace(typePlace, with: text))
    }
}

private struct ValueWithSuspectNotation {
    let value: String
    let why: String
    /// The intended values; empty for a value that was meant to be retired.
    let intendedValues: [String]

    private static let separators: Set<Unicode.Scalar> = [
        "\u{3001}", "\u{FF0C}", ";", "\u{FF1B}", "|", "\u{FF5C}", "\u{FF64}",
    ]
    private static let quotes: [(Unicode.Scalar, Unicode.Scalar)] = [
        ("\"", "\""), ("'", "'"), ("\u{201C}", "\u{201D}"), ("\u{2018}", "\u{2019}"), ("\u{300C}", "\u{300D}"),
        ("\u{300E}", "\u{300F}"),
        ("\u{FF02}", "\u{FF02}"), ("`", "`"),
    ]

    init?(_ value: String) {
        self.value = value
        let plain = Self.replacingHTMLEntities(value)
        if value.utf8.count > 4, value.hasPrefix("~~"), value.hasSuffix("~~") {
            (why, intendedValues) = ("is struck through but stays valid: a value cannot be retired", [])
        } else if !plain.isExactly(value) {
            (why, intendedValues) = ("has an HTML entity, which becomes part of the value", Self.parts(plain))
        } else if value.unicodeScalars.contains(where: { Self.separators.contains($0) }) {
            (why, intendedValues) = ("is one value: only a comma separates values", Self.parts(value))
        } else if let unquoted = Self.unquoted(value) {
            (why, intendedValues) = ("has quotes, which become part of the value", [unquoted])
        } else if Self.pairedMarks.contains(value.first ?? " ") || Self.pairedMarks.contains(value.last ?? " ") {
            let inner = String(value.filter { !Self.pairedMarks.contains($0) })
            (why, intendedValues) = (
                "has a quotation mark, which becomes part of the value", inner.isEmpty ? [] : [inner]
            )
        } else if let kept = Self.withoutRemark(value) {
            (why, intendedValues) = ("has a remark, which becomes part of the value", kept.isEmpty ? [] : [kept])
        } else if Self.placeholders.contains(value.lowercased()) {
            (why, intendedValues) = ("stands for others, but an enumeration lists all of its values", [])
        } else {
            return nil
        }
    }

    func message(of owner: String) -> String { "the value `\(value)` of \(owner) \(why)" }

    var help: Diagnostic.Note {
        intendedValues.isEmpty
            ? .help("remove the value, or its marks")
            : .help(
                "write \(intendedValues.map { "`\($0)`" }.joined(separator: " and ")) as "
                    + "\(intendedValues.count == 1 ? "the value" : "separate values")"
            )
    }

    static func words(of value: String) -> [String] {
        value.unicodeScalars.split { $0 == " " || $0 == "/" || $0 == "\u{3000}" || $0 == "\u{FF0F}" }.map { String($0) }
    }

    private static func parts(_ text: String) -> [String] {
        text.unicodeScalars.split { separators.contains($0) }.map { part in
            let part = String(trimmed(Substring(part)))
            return unquoted(part) ?? part
        }.filter { !$0.isEmpty }
    }

    private static func unquoted(_ text: String) -> String? {
        let scalars = text.unicodeScalars
        guard scalars.count > 2, let first = scalars.first, let last = scalars.last,
            quotes.contains(where: { $0 == (first, last) })
        else {
            return nil
        }
        return String(trimmed(Substring(scalars.dropFirst().dropLast())))
    }

    private static let pairedMarks: Set<Character> = ["\"", "`", "\u{201C}", "\u{201D}", "\u{300C}", "\u{300D}"]

    private static let placeholders: Set<String> = ["etc", "etc.", "...", "…", "……", "など", "等", "ほか"]

    /// Returns the value before a remark, as in `newest: new`, `newest = 1` and `newest (default)`; nil without one.
    private static func withoutRemark(_ value: String) -> String? {
        let scalars = value.unicodeScalars
        let start = scalars.indices.first { index in
            let after = scalars[index...].dropFirst()
            switch scalars[index] {
            case ":": return after.first == " "
            case "\u{FF1A}", "=", "\u{FF1D}": return true
            case "(", "\u{FF08}":
                let isApart = scalars[..<index].last.map { $0 == " " || $0 == "\u{3000}" } ?? true
                return (isApart || scalars[index] == "\u{FF08}") && (scalars.last == ")" || scalars.last == "\u{FF09}")
            default: return false
            }
        }
        return start.map { String(trimmed(Substring(scalars[..<$0]))) }
    }

    private static func replacingHTMLEntities(_ text: String) -> String {
        let named = [
            "&nbsp;": " ", "&amp;": "&", "&lt;": "<", "&gt;": ">", "&quot;": "\"", "&#160;": " ", "&#xa0;": " ",
        ]
        var result = text
        for (entity, meant) in named.sorted(by: { $0.key < $1.key }) where result.lowercased().holds(entity) {
            var rest = result[...]
            result = ""
            while let sign = rest.firstIndex(of: "&") {
                result += rest[..<sign]
                let candidate = rest[sign...].prefix(entity.count)
                if candidate.lowercased() == entity {
                    result += meant
                    rest = rest[candidate.endIndex...]
                } else {
                    result += "&"
                    rest = rest[rest.index(after: sign)...]
                }
            }
            result += rest
        }
        return result.isExactly(text) ? text : String(trimmed(result[...]))
    }
}
