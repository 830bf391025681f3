/// Everything loggen checks, by name. `loggen rules` lists it; `loggen.yml` sets severities.
package enum Rule: String, Sendable, CaseIterable {
    case placeholder

    package var name: String { rawValue }
    package var defaultSeverity: Diagnostic.Severity { .error }
}
