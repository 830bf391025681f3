extension TextLanguage {
    /// `$` begins a template in a literal. Comments nest.
    static let kotlin = TextLanguage(name: "kotlin", string: SwiftText.literal, comment: blockComment)
}
