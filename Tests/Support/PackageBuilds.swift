import Foundation

/// Tests that build packages of their own, as apps have them, take longer than all others together. `LOGGEN_PACKAGES` asks for them: its value is
/// `sources`, or the path of an artifact bundle, whose loggen the plugins of those packages run then.
package enum PackageBuilds {
    private static let asked = ProcessInfo.processInfo.environment["LOGGEN_PACKAGES"] ?? ""

    package static let areAsked = !asked.isEmpty

    /// What a test says that is not asked for.
    package static let way =
        "it builds a package of its own: LOGGEN_PACKAGES=sources swift test asks for it, and .ci/run does"

    /// Of commands in those packages.
    package static let environment = asked.hasSuffix(".artifactbundle") ? ["LOGGEN_BUNDLE": asked] : [:]
}
