import Foundation

/// The depth of explorations, random tests and races.
///
/// `swift test` tries as many cases as a person waits for. `LOGGEN_DEPTH=deep` tries more: the stage `explorations` of
/// the gate sets it.
package enum Depth {
    package static let isDeep = ProcessInfo.processInfo.environment["LOGGEN_DEPTH"] == "deep"

    /// Returns the first number of cases, or the second one in a deep run.
    package static func cases(_ usual: Int, deep: Int) -> Int { isDeep ? deep : usual }

    /// Returns the arguments of a test, or only the first ones outside of a deep run.
    package static func some<Case>(_ count: Int, of cases: [Case]) -> [Case] {
        isDeep ? cases : Array(cases.prefix(count))
    }
}
