package import Foundation

/// Settings of tests that build whole packages, as apps do. These take longer than all other tests together, so they
/// run only if `LOGGEN_PACKAGES` is set. With `sources`, each package compiles loggen. With the path of an artifact
/// bundle, the packages' plugins run the loggen in that bundle.
package enum PackageBuilds {
    private static let asked = ProcessInfo.processInfo.environment["LOGGEN_PACKAGES"] ?? ""

    package static let areAsked = !asked.isEmpty

    /// The comment of a skipped test.
    package static let way =
        "it builds a package of its own: LOGGEN_PACKAGES=sources swift test asks for it, and .ci/run does"

    /// The folder of a built package with `ActivityOutbox`, with a link to this clone next to it (`loggen`): the app of
    /// the stage `walk`.
    package static let app = ProcessInfo.processInfo.environment["LOGGEN_PACKAGES_APP"].map { URL(fileURLWithPath: $0) }

    /// The artifact bundle of those packages.
    package static let bundle = asked.hasSuffix(".artifactbundle") ? URL(fileURLWithPath: asked) : nil

    /// The environment of commands in those packages.
    package static let environment = bundle.map { ["LOGGEN_BUNDLE": $0.path] } ?? [:]
}
