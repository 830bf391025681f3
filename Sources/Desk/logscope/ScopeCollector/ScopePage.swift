#if Scope
    import WebPage

    /// The HTML page: one file with inline style and script.
    package enum ScopePage {
        private static let style = EmbeddedFiles.scope_css
        private static let script = EmbeddedFiles.scope_js

        /// The content security policy, which allows requests only to this server.
        static let policy = PagePolicy.text(style: style, script: script) + "; connect-src 'self'"

        static let bytes: [UInt8] = {
            var page = Array(
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

                """.utf8)
            page += EmbeddedFiles.scope_html.utf8
            page += "<script>\(script)</script>\n</body>\n</html>\n".utf8
            return page
        }()
    }
#endif
