#if Scope
    import WebPage

    /// The HTML page: one file with inline style and script.
    enum ScopePage {
        /// The content security policy, which allows requests only to this server.
        static let policy =
            PagePolicy.text(style: EmbeddedFiles.scope_css_hash, script: EmbeddedFiles.scope_js_hash)
            + "; connect-src 'self'"

        static let bytes = Array(
            """
            <!DOCTYPE html>
            <html lang="en">
            <head>
            <meta charset="utf-8">
            <meta name="viewport" content="width=device-width, initial-scale=1">
            <meta http-equiv="Content-Security-Policy" content="\(policy)">
            <meta name="referrer" content="no-referrer">
            <title>logscope</title>
            <style>\(EmbeddedFiles.scope_css)</style>
            </head>
            <body>
            \(EmbeddedFiles.scope_html)<script>\(EmbeddedFiles.scope_js)</script>
            </body>
            </html>

            """.utf8)
    }
#endif
