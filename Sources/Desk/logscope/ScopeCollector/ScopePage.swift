#if Scope
    import WebPage

    /// The HTML page: one file with inline style and script.
    enum ScopePage {
        private static let style = EmbeddedFiles.scope_css
        private static let script = EmbeddedFiles.scope_js

        /// The content security policy, which allows requests only to this server.
        static let policy = PagePolicy.text(style: style, script: script) + "; connect-src 'self'"

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
            <style>\(style)</style>
            </head>
            <body>
            \(EmbeddedFiles.scope_html)<script>\(script)</script>
            </body>
            </html>

            """.utf8)
    }
#endif
