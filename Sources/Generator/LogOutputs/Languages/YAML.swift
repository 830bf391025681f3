extension TextLanguage {
    package static let yaml = TextLanguage(
        name: "yaml",
        string: { text in
            quoted(text, escapes: yamlEscapes) { scalar in
                // YAML has no surrogate pairs, so each scalar is one escape.
                scalar.value > 0xFFFF ? "\\U" + hex(scalar.value, digits: 8) : "\\u" + hex(scalar.value, digits: 4)
            }
        },
        comment: line)

    private static let yamlEscapes: [Unicode.Scalar: String] = [
        "\"": "\\\"", "\\": "\\\\", "\n": "\\n", "\r": "\\r", "\t": "\\t",
    ]
}
