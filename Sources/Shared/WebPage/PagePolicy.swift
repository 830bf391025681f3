/// The Content-Security-Policy of a single-file page. The policy allows only the page's own style and script.
///
/// The policy's hashes (CSP3, section 2.3.1) cover the exact text between the tags, so injected markup does not run.
package enum PagePolicy {
    /// Returns the policy for the page's `meta` element.
    /// - Parameters:
    ///   - style: the hash of the style, as `EmbeddedFiles` contains it.
    ///   - script: the hash of the script; nil for a page without one.
    package static func text(style: String, script: String? = nil) -> String {
        "default-src 'none'; style-src '\(style)'; "
            + (script.map { "script-src '\($0)'; " } ?? "") + "base-uri 'none'; form-action 'none'"
    }
}
