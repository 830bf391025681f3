import Foundation

/// Finds the `loggen` that the plugins run. It is built from the sources, or belongs to the artifact bundle in
/// `LOGGEN_BUNDLE`, as in `Package.swift`.
///
/// Each plugin that runs `loggen` has a link to this file.
enum LoggenTool {
    static let version = "0.1.0"
    /// The environment that contains this version. The tool compares it with its own, because a bundle may be older.
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
