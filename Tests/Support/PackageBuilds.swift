import Foundation

/// Settings of tests that build whole packages, as apps do. These take longer than all other tests together, so they
/// run only if `LOGGEN_PACKAGES` is set. Its value is `sources`, or the path of an artifact bundle whose loggen the
/// plugins of those packages run.
package enum PackageBuilds {
    private static let asked = ProcessInfo.processInfo.environment["LOGGEN_PACKAGES"] ?? ""

    package static let areAsked = !asked.isEmpty

    /// The comment of a skipped test.
    package static let way =
        "it builds a package of its own: LOGGEN_PACKAGES=sources swift test asks for it, and .ci/run does"

    /// The environment of commands in those packages.
    package static let environment = asked.hasSuffix(".artifactbundle") ? ["LOGGEN_BUNDLE": asked] : [:]
}
