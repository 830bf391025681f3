extension TextLanguage {
    static let swift = TextLanguage(name: "swift", string: SwiftText.swiftLiteral, comment: blockComment)
}
