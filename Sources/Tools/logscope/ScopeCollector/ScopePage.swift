#if Scope
    import WebPage

    /// The page: one file, with its own style and script and nothing else.
    package enum ScopePage {
        private static let style = String(decoding: PackageResources.scope_css, as: UTF8.self)
        private static let script = String(decoding: PackageResources.scope_js, as: UTF8.self)

        /// It asks nobody but us for data.
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
            page += PackageResources.scope_html
            page += "<script>\(script)</script>\n</body>\n</html>\n".utf8
            return page
        }()
    }
#endif
