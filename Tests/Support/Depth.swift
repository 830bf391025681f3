import Foundation

/// The depth of explorations, random tests and races.
///
/// `swift test` tries as many cases as a person waits for. `LOGGEN_DEPTH=deep` tries more: the stage `explorations` of
/// the gate sets it. `LOGGEN_DEPTH=deeper` tries four times as many random cases, for a long run by hand.
package enum Depth {
    private static let asked = ProcessInfo.processInfo.environment["LOGGEN_DEPTH"]

    package static let isDeep = asked == "deep" || asked == "deeper"

    /// Returns the first number of random cases, or the second one in a deep run.
    package static func cases(_ usual: Int, deep: Int) -> Int {
        isDeep ? asked == "deeper" ? 4 * deep : deep : usual
    }

    /// Returns the first size or step, or the second one in a deep run. With the second one, the search is complete, or
    /// a larger input shows nothing else.
    package static func limit(_ usual: Int, deep: Int) -> Int { isDeep ? deep : usual }

    /// Returns the arguments of a test, or only the first ones outside of a deep run.
    package static func some<Case>(_ count: Int, of cases: [Case]) -> [Case] {
        isDeep ? cases : Array(cases.prefix(count))
    }
}
