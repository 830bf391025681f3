import Foundation

/// The `loggen` that the plugins run: the one that is built from the sources, or that of the artifact bundle which
/// `LOGGEN_BUNDLE` names for `Package.swift`.
///
/// Each of its plugins has a link to this file.
enum LoggenTool {
    static let version = "0.1.0"
    /// The tool compares it with its own, as a bundle may be of any version.
    static let environment = ["LOGGEN_PLUGIN_VERSION": version]

    /// Throws if the bundle has nothing for this machine.
    static func find(_ tool: () throws -> URL) throws -> URL {
        do {
            return try tool()
        } catch {
            guard let bundle = ProcessInfo.processInfo.environment["LOGGEN_BUNDLE"], !bundle.isEmpty else {
                throw error
            }
            throw Failure(
                description:
                    "the bundle that LOGGEN_BUNDLE names has no loggen for this machine: \(bundle); take one that `Releases/bundle.py` has made on such a machine, or unset LOGGEN_BUNDLE, and loggen is built from its sources"
            )
        }
    }

    struct Failure: Error, CustomStringConvertible {
        let description: String
    }
}
