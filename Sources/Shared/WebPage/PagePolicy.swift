/// The Content-Security-Policy of a single-file page. The policy allows only the page's own style and script.
///
/// The policy's hashes (CSP3, section 2.3.1) cover the exact text between the tags, so injected markup does not run.
package enum PagePolicy {
    /// Returns the policy for the page's `meta` element. `script` is nil for a page without a script.
    package static func text(style: String, script: String? = nil) -> String {
        "default-src 'none'; style-src '\(hash(style))'; "
            + (script.map { "script-src '\(hash($0))'; " } ?? "") + "base-uri 'none'; form-action 'none'"
    }

    private static func hash(_ text: String) -> String { "sha256-" + base64(SHA256.digest(of: Array(text.utf8))) }

    private static func base64(_ bytes: [UInt8]) -> String {
        let letters = Array("ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/".utf8)
        var text: [UInt8] = []
        for start in stride(from: 0, to: bytes.count, by: 3) {
            let group = bytes[start..<min(start + 3, bytes.count)]
            let word = group.reduce(0) { $0 << 8 | Int($1) } << (8 * (3 - group.count))
            for index in 0..<4 {
                text.append(index <= group.count ? letters[word >> (18 - 6 * index) & 63] : UInt8(ascii: "="))
            }
        }
        return String(decoding: text, as: UTF8.self)
    }
}
