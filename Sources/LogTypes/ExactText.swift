/// Text compared scalar by scalar, as everything that reads what loggen writes compares it. Swift's `String` takes
/// different spellings of one character for the same: U+304C, and U+304B with U+3099. Whatever a person wrote is a key
/// as this.
package struct ExactText: Sendable, Hashable, CustomStringConvertible, ExpressibleByStringLiteral {
    package let text: String

    package init(_ text: some StringProtocol) { self.text = String(text) }

    package init(stringLiteral text: String) { self.text = text }

    package static func == (left: ExactText, right: ExactText) -> Bool { left.text.isExactly(right.text) }

    package func hash(into hasher: inout Hasher) {
        var text = text
        text.withUTF8 { hasher.combine(bytes: UnsafeRawBufferPointer($0)) }
    }

    package var description: String { text }
}

extension StringProtocol {
    /// Whether both are the same scalars.
    package func isExactly(_ other: some StringProtocol) -> Bool { utf8.elementsEqual(other.utf8) }
}

extension Sequence<String> {
    /// Whether one of the texts is the same scalars.
    package func containsExactly(_ text: some StringProtocol) -> Bool { contains { $0.isExactly(text) } }
}
