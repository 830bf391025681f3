import Foundation

/// Finds the `loggen` that the plugins run: built from the sources, or from the artifact bundle in `LOGGEN_BUNDLE`, as
/// for `Package.swift`.
///
/// Each of its plugins has a link to this file.
enum LoggenTool {
    static let version = "0.1.0"
    /// The variable with which the tool compares its own version, because a bundle may have another one.
    static let environment = ["LOGGEN_PLUGIN_VERSION": version]

    /// Returns the tool. Throws if the bundle does not contain one for this machine.
    static func find(_ tool: () throws -> URL) throws -> URL {
        do {
            return try tool()
        } catch {
            guard let bundle = ProcessInfo.processInfo.environment["LOGGEN_BUNDLE"], !bundle.isEmpty else {
                throw error
            }
            throw Failure(
                description:
                    "LOGGEN_BUNDLE has no loggen for this machine: \(bundle); use a bundle that `Releases/bundle.py` "
                    + "has built "
                    + "on such a machine, or unset LOGGEN_BUNDLE to build loggen from its sources"
            )
        }
    }

    struct Failure: Error, CustomStringConvertible {
        let description: String
    }
}
