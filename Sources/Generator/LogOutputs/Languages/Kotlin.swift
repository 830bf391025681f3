extension TextLanguage {
    /// Kotlin. `$` begins a template in a literal, and comments nest.
    static let kotlin = TextLanguage(name: "kotlin", string: SwiftText.literal, comment: blockComment)
}
