extension Timeline {
    /// One of the files on a page.
    package enum Entry: Sendable {
        case replayed(Timeline, file: String, differences: [Scenario.Difference], isChecked: Bool)
        /// The file was refused, and why.
        case refused(file: String, reason: String)

        package var isReplayed: Bool { if case .replayed = self { true } else { false } }
    }

    /// How our pages begin, and no others. A file that begins so may be overwritten.
    package static let pageHead = """
        <!DOCTYPE html>
        <html lang="en">
        <head>
        <meta charset="utf-8">
        <meta name="generator" content="trackscope">

        """

    /// A page with a drawing of each timeline. It needs no other file.
    package static func page(_ entries: [Entry]) -> String {
        let bodies = entries.map { entry in
            switch entry {
            case .replayed(let timeline, let file, let differences, let isChecked):
                timeline.section(entries.count > 1 ? file : nil, differences, isChecked: isChecked)
            case .refused(let file, let reason):
                """
                <section>
                <h1>\(escaped(file))</h1>
                <p class="bad">refused, so not drawn:</p>
                <pre class="bad">\(escaped(reason))</pre>
                </section>
                """
            }
        }
        return pageHead + """
            <meta name="viewport" content="width=device-width, initial-scale=1">
            <meta http-equiv="Content-Security-Policy" content="default-src 'none'; style-src 'unsafe-inline'">
            <title>\(escaped(title(entries)))</title>
            <style>
            \(style)
            </style>
            </head>
            <body>
            <p class="legend">
            <span><svg width="28" height="12"><rect class="outer" y="1" width="28" height="10" rx="2"/></svg> in view</span>
            <span><svg width="28" height="12"><rect class="inner" y="1" width="28" height="10" rx="2"/></svg> over the fraction</span>
            <span><svg width="28" height="12"><rect class="visit" y="1" width="28" height="10" rx="2"/></svg> visit</span>
            <span><svg width="28" height="12"><rect class="exposed" y="1" width="28" height="10" rx="2"/></svg> exposed</span>
            <span><svg width="12" height="12"><path class="shown" d="M6 1l5 10H1z"/></svg> shown</span>
            <span><svg width="12" height="12"><circle class="seen" cx="6" cy="6" r="5"/></svg> seen</span>
            <span><svg width="12" height="12"><rect class="screen" x="2" y="2" width="8" height="8"/></svg> screen log</span>
            <span><svg width="28" height="12"><rect class="background" y="1" width="28" height="10"/></svg> background</span>
            </p>
            \(bodies.joined(separator: "\n"))
            </body>
            </html>

            """
    }

    private static func title(_ entries: [Entry]) -> String {
        if entries.count == 1, case .replayed(let timeline, _, _, _) = entries[0] { return timeline.name }
        let replayed = entries.count(where: \.isReplayed)
        let refused = entries.count - replayed
        return "\(replayed) scenario\(replayed == 1 ? "" : "s")" + (refused == 0 ? "" : ", \(refused) refused")
    }

    private static let labels = 190.0
    private static let width = 1000.0
    private static let lane = 22.0
    private static let top = 26.0
    private static let gap = 2.0

    private func x(_ time: Double) -> String { Self.number(Self.labels + (end > 0 ? time / end : 0) * Self.width) }

    /// - Parameter file: the scenario's file, if there are several.
    private func section(_ file: String?, _ differences: [Scenario.Difference], isChecked: Bool) -> String {
        let height = Self.top + Double(lanes.count) * Self.lane + 4
        let total = Self.labels + Self.width + 30
        var svg: [String] = []
        for tick in ticks {
            svg.append("<line class=\"tick\" x1=\"\(x(tick))\" y1=\"\(Self.number(Self.top - 6))\" x2=\"\(x(tick))\" y2=\"\(Self.number(height))\"/>")
            svg.append("<text class=\"time\" x=\"\(x(tick))\" y=\"14\">\(Posted.seconds(tick)) s</text>")
        }
        svg += bars("background", background, y: Self.top - 6, height: height - Self.top + 6) { _ in "background" }
        for (index, lane) in lanes.enumerated() { svg.append(contentsOf: drawing(of: lane, y: Self.top + Double(index) * Self.lane)) }
        let verdict =
            !isChecked
            ? ""
            : differences.isEmpty
                ? "<p class=\"good\">as expected</p>"
                : "<p class=\"bad\">not as expected:</p>\n<pre class=\"bad\">\(differences.map { Self.escaped($0.description) }.joined(separator: "\n"))</pre>"
        return """
            <section>
            <h1>\(Self.escaped(name))</h1>\(file.map { $0 == name ? "" : "\n<p class=\"file\">\(Self.escaped($0))</p>" } ?? "")
            \(verdict)
            <div class="timeline">
            <svg viewBox="0 0 \(Self.number(total)) \(Self.number(height))" width="\(Self.number(total))" height="\(Self.number(height))" role="img" aria-label="timeline of \(Self.escaped(name))">
            \(svg.joined(separator: "\n"))
            </svg>
            </div>
            </section>
            """
    }

    private func drawing(of lane: Lane, y: Double) -> [String] {
        let isScreen = lane.screen == nil
        let middle = y + Self.lane / 2
        var svg: [String] = []
        if isScreen {
            svg.append(
                "<line class=\"rule\" x1=\"0\" y1=\"\(Self.number(y))\" x2=\"\(Self.number(Self.labels + Self.width))\" y2=\"\(Self.number(y))\"/>")
        }
        // The browser knows how wide a label is, and cuts it.
        let indent = isScreen ? 4.0 : 18.0
        let label = Self.escaped(lane.label)
        svg.append(
            "<foreignObject x=\"\(Self.number(indent))\" y=\"\(Self.number(y))\" width=\"\(Self.number(Self.labels - 8 - indent))\" height=\"\(Self.number(Self.lane))\">"
                + "<div class=\"\(isScreen ? "name" : "label")\" title=\"\(label)\">\(label)\(Self.escaped(events(of: lane)))</div></foreignObject>")
        svg += bars(isScreen ? "visit" : "outer", lane.outer, y: y + 4, height: Self.lane - 8) { number in
            "\(lane.label): \(isScreen ? "visit \(number)" : "in view")"
        }
        svg += bars(isScreen ? "exposed" : "inner", lane.inner, y: y + 7, height: Self.lane - 14) { _ in
            "\(lane.label): \(isScreen ? "exposed" : "over the fraction")"
        }
        for post in lane.posted {
            let x = x(post.time)
            let title = "<title>\(Self.escaped(post.summary))</title>"
            switch post.log {
            case .screen: svg.append("<path class=\"screen\" d=\"M\(x) \(Self.number(middle - 4))m-4 0h8v8h-8z\">\(title)</path>")
            case .shown: svg.append("<path class=\"shown\" d=\"M\(x) \(Self.number(middle - 6))l5 11h-10z\">\(title)</path>")
            case .seen: svg.append("<circle class=\"seen\" cx=\"\(x)\" cy=\"\(Self.number(middle))\" r=\"5\">\(title)</circle>")
            }
        }
        return svg
    }

    /// ` · home.see_feed_recipe, impression(80%, 2s), home.md:41`
    private func events(of lane: Lane) -> String {
        let events = lane.screen == nil ? screenEvents[lane.label] : contentEvents[lane.label]
        return (events ?? []).map { " · \($0.name), \($0.trigger)" }.joined()
    }

    /// - Parameter what: says what a bar is. Bars count from 1.
    private func bars(_ kind: String, _ spans: [Span], y: Double, height: Double, _ what: (Int) -> String) -> [String] {
        let scale = end > 0 ? Self.width / end : 0
        return spans.enumerated().map { index, span in
            // If two touch, the first ends a little earlier, so that both can be seen.
            let touches = index + 1 < spans.count && (spans[index + 1].start - span.end) * scale < Self.gap
            let width = max(1, (span.end - span.start) * scale - (touches ? Self.gap : 0))
            let times = "\(Posted.seconds(span.start)) – \(Posted.seconds(span.end)) s (\(Posted.seconds(span.end - span.start)) s)"
            return
                "<rect class=\"\(kind)\" x=\"\(x(span.start))\" y=\"\(Self.number(y))\" width=\"\(Self.number(width))\" height=\"\(Self.number(height))\" rx=\"2\">"
                + "<title>\(Self.escaped(what(index + 1))), \(times)</title></rect>"
        }
    }

    /// About ten at most: 1, 2 or 5 times a power of ten apart.
    private var ticks: [Double] {
        guard end > 0 else { return [0] }
        var step = 0.001
        while end / step > 10 {
            for factor in [2.0, 2.5, 2.0] where end / step > 10 { step *= factor }
        }
        return Array(stride(from: 0, through: end, by: step))
    }

    private static func number(_ value: Double) -> String { Posted.seconds((value * 100).rounded() / 100) }

    private static func escaped(_ text: String) -> String {
        var escaped = ""
        for scalar in text.unicodeScalars {
            switch scalar {
            case "&": escaped += "&amp;"
            case "<": escaped += "&lt;"
            case ">": escaped += "&gt;"
            case "\"": escaped += "&quot;"
            case "'": escaped += "&#39;"
            // Control characters are invisible, and direction marks would turn the text around them.
            case "\u{0}"..<"\u{20}", "\u{7F}"..<"\u{A0}", "\u{200E}", "\u{200F}", "\u{202A}"..."\u{202E}", "\u{2066}"..."\u{2069}":
                escaped += "\u{FFFD}"
            default: escaped.unicodeScalars.append(scalar)
            }
        }
        return escaped
    }

    private static let style = """
        :root { color-scheme: light dark; --ink: #1d1d1f; --quiet: #6e6e73; --paper: #ffffff; --rule: #d2d2d7; --outer: #bcd7f5; --inner: #3b82d6;
          --visit: #d9ead9; --exposed: #7fb77f; --shown: #b35c00; --seen: #1f7a3d; --back: #8e8e9340; --good: #1f7a3d; --bad: #b3261e; }
        @media (prefers-color-scheme: dark) { :root { --ink: #f5f5f7; --quiet: #a1a1a6; --paper: #1c1c1e; --rule: #424245; --outer: #24425f; --inner: #5aa2f0;
          --visit: #24402a; --exposed: #4d8a58; --shown: #ffb454; --seen: #6fdc8c; --back: #8e8e9350; --good: #6fdc8c; --bad: #ff8a80; } }
        body { font: 14px/1.4 system-ui, -apple-system, "Hiragino Sans", "Noto Sans CJK JP", "Noto Sans JP", sans-serif; margin: 24px; color: var(--ink); background: var(--paper); }
        h1 { font-size: 18px; margin: 28px 0 4px; }
        .legend { color: var(--quiet); display: flex; flex-wrap: wrap; gap: 4px 18px; margin: 0; }
        .legend span { display: inline-flex; gap: 6px; align-items: center; }
        .timeline { overflow-x: auto; }
        .good { color: var(--good); margin: 4px 0; }
        .bad { color: var(--bad); margin: 4px 0; }
        text { font: 12px system-ui, -apple-system, "Hiragino Sans", "Noto Sans CJK JP", "Noto Sans JP", sans-serif; fill: var(--ink); }
        .name, .label { font-size: 12px; line-height: 22px; white-space: nowrap; overflow: hidden; text-overflow: ellipsis; }
        .name { font-weight: 600; }
        .file { color: var(--quiet); margin: 0; }
        h1, .file { overflow-wrap: anywhere; }
        pre { white-space: pre-wrap; overflow-wrap: anywhere; }
        text.time { fill: var(--quiet); text-anchor: middle; }
        .tick { stroke: var(--rule); stroke-dasharray: 2 3; }
        .rule { stroke: var(--rule); }
        .outer { fill: var(--outer); } .inner { fill: var(--inner); }
        .visit { fill: var(--visit); } .exposed { fill: var(--exposed); }
        .background { fill: var(--back); }
        .shown { fill: var(--shown); stroke: var(--paper); } .seen { fill: var(--seen); stroke: var(--paper); } .screen { fill: var(--ink); stroke: var(--paper); }
        """
}
