import LogTypes

extension RecordEvaluator {
    /// Returns a violation with the message of a finding. Messages are created only for violations that are shown.
    mutating func violation(_ finding: Finding, line: Int) -> Violation {
        let description = event < 0 ? nil : rules.descriptions[event]
        var violation = Violation(
            line: line, event: description?.fullName, column: nil, rule: finding.rule,
            value: finding.value.isEmpty ? nil : Self.excerpt(finding.value), message: "", place: description?.place)
        violation.column = name(of: finding.subject)
        if case .column(let column) = finding.subject { violation.place = place(of: column) ?? violation.place }
        violation.message = message(finding, violation)
        if finding.rule == .event { violation.place = nil }
        return violation
    }

    /// Returns the column or field of a finding, or nil for the whole record.
    func name(of subject: Finding.Subject) -> String? {
        switch subject {
        case .record: nil
        case .field(let field): field.name
        case .column(let column): rules.slots[columns[column].slot].column
        // A name is truncated like a value, because it may have any length.
        case .undeclared(let name): Self.excerpt(UnsafeBufferPointer(rebasing: name[...]))
        }
    }

    private func place(of column: Int) -> String? {
        let name = rules.slots[columns[column].slot].column
        guard event >= 0 else { return rules.commonPlaces[name] }
        for version in rules.descriptions[event].versions {
            if let found = version.columns.first(where: { $0.name == name })?.place { return found }
        }
        return nil
    }

    private mutating func message(_ finding: Finding, _ violation: Violation) -> String {
        let value = violation.value ?? ""
        let rule = rule(finding.number)
        let type = rules.types[finding.number]
        let limits = rule.limits
        func plural(_ count: Int, _ noun: String) -> String { "\(count) \(noun)\(count == 1 ? "" : "s")" }
        func bound(_ integer: Int64, _ number: Double) -> String {
            rule.kind == .integer ? "\(integer)" : TypeNotation.decimals(number)
        }
        switch finding.rule {
        case .minimum: return "\(value) is below \(bound(limits.low, limits.lowNumber))"
        case .maximum: return "\(value) is above \(bound(limits.high, limits.highNumber))"
        case .minLength: return "\(value) is shorter than \(rule.minLength)"
        case .maxLength: return "\(value) is longer than \(plural(limits.maxLength, "character"))"
        case .maxBytes: return "\(value) is longer than \(plural(limits.maxBytes, "byte"))"
        case .minItems:
            return limits.minItems == 1 ? "\(value) is empty" : "\(value) has fewer than \(limits.minItems) items"
        case .maxItems:
            return limits.maxItems == 0
                ? "\(value) is not empty" : "\(value) has more than \(plural(limits.maxItems, "item"))"
        case .type:
            if finding.subject == .record { return "\(value) is not a record: a record is a JSON object" }
            if value == "null" { return "null is not allowed for a required value" }
            return "\(value) is not \(Self.words(rule.kind)) (`\(type.description)`)"
        case .format: return "\(value) is not \(Self.words(rule.kind))"
        case .pattern:
            if finding.subject == .field(.version) { return "\(value) is not a version: it is written as 1-0-0" }
            return "\(value) is not `\((type.unnamed ?? type).description)`: it is a string with that many digits"
        case .enum:
            var names: [String] = []
            if case .enumeration(let enumeration) = type.unnamed { names = enumeration.values }
            let written = String(value.dropFirst().dropLast())
            if let nearest = nearestSpelling(of: written, among: names) {
                return "\(value) is not one of the values; did you mean `\(nearest)`?"
            }
            return "\(value) is not one of \(names.prefix(8).joined(separator: ", "))\(names.count > 8 ? ", …" : "")"
        case .required: return "it is missing"
        case .additionalProperties: return undeclared(violation.column ?? "")
        case .json:
            let position = scanner.failurePosition.map { $0 - recordStart + 1 } ?? 1
            return "invalid JSON: \(scanner.failure) (byte \(max(position, 1)))"
        case .category:
            let nearest = nearestSpelling(of: value, among: Set(rules.descriptions.map(\.category)))
            return "the category `\(value)` is not defined" + Self.question(nearest)
        case .event: return unknownEvent(value)
        case .version:
            let texts = event < 0 ? [] : rules.descriptions[event].versions.map(\.text)
            return "the version \(value) is not locked; locked versions are \(texts.joined(separator: ", "))"
        case .retired: return "the event is retired"
        case .storage: return "\(value) cannot be stored in \(rows?.limits?.engine ?? "the warehouse")"
        }
    }

    /// Returns a message that suggests an event of the same category or, without a near one, of another category.
    private func unknownEvent(_ name: String) -> String {
        let category = String(decoding: text(of: .category), as: UTF8.self)
        var nearest = nearestSpelling(
            of: name, among: rules.descriptions.filter { $0.category.isExactly(category) }.map(\.name))
        if nearest == nil {
            let names = rules.descriptions.map(\.name)
            let other = names.containsExactly(name) ? name : nearestSpelling(of: name, among: names)
            nearest = other.flatMap { other in rules.descriptions.first { $0.name.isExactly(other) }?.fullName }
        }
        return "the category `\(category)` has no event `\(name)`" + Self.question(nearest)
    }

    private static func question(_ nearest: String?) -> String { nearest.map { "; did you mean `\($0)`?" } ?? "" }

    private func undeclared(_ name: String) -> String {
        guard version >= 0 else { return "the definition has no such column" }
        if rules.retired[version].containsExactly(name) { return "the column is retired" }
        let names = recordColumns.map { rules.slots[columns[$0].slot].column }
        return "the definition has no such column" + Self.question(nearestSpelling(of: name, among: names))
    }

    private static func words(_ kind: RecordRules.Kind) -> String {
        switch kind {
        case .text, .enumeration: "a string"
        case .integer: "a whole number"
        case .number: "a number"
        case .boolean: "true or false"
        case .format(let format): format.expectation
        case .list: "a list"
        case .scalar: "a string, a number, true or false"
        }
    }

    /// The maximum length of a value in messages, in Unicode scalars: a message takes one or two lines of a terminal.
    private static let longestExcerpt = 64

    static func excerpt(_ bytes: UnsafeBufferPointer<UInt8>) -> String {
        let cut = UnsafeBufferPointer(rebasing: bytes.prefix(4 * longestExcerpt + 4))
        let text = String(decoding: cut, as: UTF8.self)
        guard bytes.count > cut.count || text.unicodeScalars.count > longestExcerpt else { return text }
        return String(String.UnicodeScalarView(text.unicodeScalars.prefix(longestExcerpt))) + "…"
    }
}
