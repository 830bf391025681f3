/// A place in an input. Line and column begin with 1; a column counts Unicode scalars.
package struct SourcePlace: Hashable, Comparable, Sendable {
    package var line: Int
    package var column: Int

    package static func < (left: SourcePlace, right: SourcePlace) -> Bool {
        (left.line, left.column) < (right.line, right.column)
    }
}
