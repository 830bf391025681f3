import Foundation

/// Finds the `loggen` that the plugins run. It is built from the sources, or belongs to the artifact bundle in
/// `LOGGEN_BUNDLE`, as in `Package.swift`.
///
/// Each plugin that runs `loggen` has a link to this file.
enum LoggenTool {
    static let version = "0.1.0"
    /// A Boolean value that indicates whether the plugin belongs to the package loggen-plugins. `Releases/plugins.py`
    /// writes that package, and changes this line.
    static let isPrebuilt = false
    /// The environment that contains this version. The tool compares it with its own, because a bundle may be older. It
    /// also contains the package whose commands messages suggest, because loggen has commands of the same names.
    static let environment = [
        "LOGGEN_PLUGIN_VERSION": version, "LOGGEN_PLUGIN_PACKAGE": isPrebuilt ? "loggen-plugins" : "",
    ]

    /// The artifact bundle that the user has set; nil or empty without one.
    static var bundle: String? { ProcessInfo.processInfo.environment["LOGGEN_BUNDLE"] }

    /// Returns the tool. Throws if the bundle does not contain one for this machine.
    static func find(_ tool: () throws -> URL) throws -> URL {
        do {
            return try tool()
        } catch {
            if isPrebuilt {
                throw Failure(
                    description:
                        "loggen-plugins \(version) has no loggen for this machine; use the plugins of the package "
                        + "loggen, which build it from its sources")
            }
            guard let bundle, !bundle.isEmpty else { throw error }
            throw Failure(
                description:
                    "LOGGEN_BUNDLE has no loggen for this machine: \(bundle); build the bundle with "
                    + "`Releases/bundle.py` on a machine of this kind, or unset LOGGEN_BUNDLE to build loggen from its "
                    + "sources"
            )
        }
    }

    struct Failure: Error, CustomStringConvertible {
        let description: String
    }
}
