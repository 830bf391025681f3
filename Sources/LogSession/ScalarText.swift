/// Text that equals only the same scalars, where `String` takes canonically equivalent ones for equal.
package struct ScalarText: Hashable, Sendable {
    private let bytes: [UInt8]

    package init(_ text: String) { bytes = Array(text.utf8) }
}
