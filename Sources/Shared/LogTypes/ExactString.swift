/// A string that is compared scalar by scalar, as all consumers of loggen's outputs compare it: use it for handwritten
/// keys. Swift's `String` treats canonically equivalent strings as equal, such as U+304C and U+304B with U+3099.
package struct ExactString: Sendable, Hashable, CustomStringConvertible, ExpressibleByStringLiteral {
    package let text: String

    package init(_ text: String) { self.text = text }

    package init(_ text: some StringProtocol) { self.text = String(text) }

    package init(stringLiteral text: String) { self.text = text }

    package static func == (left: ExactString, right: ExactString) -> Bool { left.text.isExactly(right.text) }

    package func hash(into hasher: inout Hasher) {
        var text = text
        text.withUTF8 { hasher.combine(bytes: UnsafeRawBufferPointer($0)) }
    }

    package var description: String { text }
}

extension StringProtocol {
    /// Returns whether both strings have the same scalars.
    package func isExactly(_ other: some StringProtocol) -> Bool { utf8.elementsEqual(other.utf8) }
}

extension String {
    /// Returns whether both strings have the same scalars. This overload is the fast path for two native strings.
    package func isExactly(_ other: String) -> Bool {
        guard utf8.count == other.utf8.count else { return false }
        var (one, other) = (self, other)
        return one.withUTF8 { one in other.withUTF8 { one.elementsEqual($0) } }
    }
}

extension Sequence<String> {
    /// Returns whether an element has the same scalars as `text`.
    package func containsExactly(_ text: some StringProtocol) -> Bool { contains { $0.isExactly(text) } }
}
