/// Something loggen checks: its name, how bad it is to break it, what keeps and breaks it, and the check itself.
///
/// `loggen rules` lists all rules; `loggen.yml` sets severities. A broken rule is found in one of three ways:
///
/// - Reading finds text that cannot be read. Such a rule has no check; the reader reports it.
/// - A check looks at the definitions that were read.
/// - Another command finds it: `check`, `generate` or `tapgen`.
package struct Rule: Sendable {
    package let name: String
    package let level: Level
    /// What holds if the rule is kept, in one line.
    package let summary: String
    /// Files that keep the rule.
    package let valid: Example
    /// Files that break this rule and no other.
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

    /// How bad it is to break a rule, if `loggen.yml` says nothing of it.
    package enum Level: Sendable {
        /// An error that `loggen.yml` cannot lower: the definitions would be incomplete.
        case always
        case error, warning
        /// Nothing: the rule is checked only if `loggen.yml` asks for it.
        case off
    }

    /// nil if the rule is off by default.
    package var defaultSeverity: Diagnostic.Severity? {
        switch level {
        case .always, .error: .error
        case .warning: .warning
        case .off: nil
        }
    }

    /// Whether `loggen.yml` may set the severity.
    package var isAdjustable: Bool { level != .always }

    /// Every rule, in the order in which `loggen rules` shows them.
    package static let all =
        fileRules + tableRules + detailRules + typeRules + enumerationRules + listRules + nameRules + requirementRules
        + outputRules + otherRules
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
