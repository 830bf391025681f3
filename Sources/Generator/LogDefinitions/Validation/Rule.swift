/// A rule: its name, default severity, examples and checks.
///
/// `loggen rules` lists all rules, and `loggen.yml` sets severities. Violations are found in one of three ways:
///
/// - The parser reports text that it cannot parse. Such a rule has no check.
/// - A check examines the parsed definitions.
/// - Another command reports it: `check`, `generate` or `tapgen`.
package struct Rule: Sendable {
    package let name: String
    package let level: Level
    /// The requirement in one line.
    package let summary: String
    /// Files that satisfy the rule.
    package let valid: Example
    /// Files that violate this rule and no other.
    package let invalid: Example
    let checks: [Check]

    init(_ name: String, _ level: Level, _ summary: String, valid: Example, invalid: Example, checks: Check...) {
        self.name = name
        self.level = level
        self.summary = summary
        self.valid = valid
        self.invalid = invalid
        self.checks = checks
    }

    /// The default severity of violations.
    package enum Level: Sendable {
        /// An error that `loggen.yml` cannot lower: the definitions would be incomplete.
        case always
        case error, warning
        /// The rule is not checked unless `loggen.yml` enables it.
        case off
    }

    /// The default severity; nil if the rule is off by default.
    package var defaultSeverity: Diagnostic.Severity? {
        switch level {
        case .always, .error: .error
        case .warning: .warning
        case .off: nil
        }
    }

    /// Indicates whether `loggen.yml` may set the severity.
    package var isAdjustable: Bool { level != .always }

    /// All rules, in the order of `loggen rules`.
    package static let all =
        fileRules + tableRules + detailRules + typeRules + enumerationRules + listRules + nameRules + requirementRules
        + outputRules + destinationRules + formerNameRules + otherRules
        + driftRules + tapRules

    private static let byName = Dictionary(all.map { ($0.name, $0) }, uniquingKeysWith: { first, _ in first })

    package init?(named name: String) {
        guard let rule = Self.byName[name] else { return nil }
        self = rule
    }
}

extension Rule: Hashable, CustomStringConvertible {
    package static func == (left: Rule, right: Rule) -> Bool { left.name == right.name }

    package func hash(into hasher: inout Hasher) { hasher.combine(name) }

    package var description: String { name }
}
