import TextEncoding
import WebPage

/// The HTML page around the drawings of `TimelineDrawing.swift`.
///
/// The page needs no other file and has no script. The title of each element is its description.
extension Timeline {
    /// One file of a page.
    package enum Entry: Sendable {
        case replayed(Timeline, file: String, differences: [Scenario.Difference], isChecked: Bool)
        case refused(file: String, reason: String)

        package var isReplayed: Bool { if case .replayed = self { true } else { false } }
    }

    /// The head of all pages. recipe-demo replaces a file that begins with it.
    package static let pageHead = """
        <!DOCTYPE html>
        <html lang="en">
        <head>
        <meta charset="utf-8">
        <meta name="generator" content="trackscope">

        """

    /// Returns a page with a drawing of each timeline. It needs no other file.
    /// - Parameter limit: the maximum size of the drawings in bytes. Larger pages have less accurate curves, and a notice.
    package static func page(_ entries: [Entry], limit: Int = 20_000_000) -> String {
        var sections = sections(entries, tolerance: 0.002)
        let whole = size(sections)
        var notice = ""
        if whole > limit {
            // Between two points, a curve deviates by at most twice the tolerance.
            sections = Self.sections(entries, tolerance: 0.025)
            notice = """
                <p class="notice">This page would have \(megabytes(whole)), more than \(megabytes(limit)). Its curves \
                therefore have fewer points: they are accurate to 5%.\
                \(size(sections) > limit ? " It still has \(megabytes(size(sections)))." : "") \
                The instants and the reasons are exact.</p>

                """
        }
        let policy = PagePolicy.text(style: EmbeddedFiles.timeline_css_hash)
        return pageHead + """
            <meta name="viewport" content="width=device-width, initial-scale=1">
            <meta http-equiv="Content-Security-Policy" content="\(policy)">
            <title>\(escaped(title(entries)))</title>
            <style>\(EmbeddedFiles.timeline_css)</style>
            </head>
            <body>
            \(index(entries))\(notice)\(legend)
            \(sections.joined(separator: "\n"))
            </body>
            </html>

            """
    }

    private static func size(_ sections: [String]) -> Int { sections.reduce(0) { $0 + $1.utf8.count } }

    private static func megabytes(_ bytes: Int) -> String {
        bytes < 1_000_000
            ? "\(Posted.seconds(Double(bytes) / 1000)) kB"
            : "\(Posted.seconds((Double(bytes) / 100_000).rounded() / 10)) MB"
    }

    private static func title(_ entries: [Entry]) -> String {
        if entries.count == 1, case .replayed(let timeline, _, _, _) = entries[0] { return timeline.name }
        let replayed = entries.count(where: \.isReplayed)
        let refused = entries.count - replayed
        return "\(replayed) scenario\(replayed == 1 ? "" : "s")" + (refused == 0 ? "" : ", \(refused) refused")
    }

    private static func index(_ entries: [Entry]) -> String {
        guard entries.count > 1 else { return "" }
        let rows = entries.enumerated().map { number, entry in
            switch entry {
            case .replayed(let timeline, let file, let differences, let isChecked):
                let verdict = verdict(differences, isChecked: isChecked)
                return
                    "<li><a href=\"#s\(number + 1)\">\(escaped(timeline.name))</a> "
                    + "<span class=\"\(verdict.kind)\">\(verdict.words)</span>"
                    + (file == timeline.name ? "" : "<br><span class=\"file\">\(escaped(file))</span>") + "</li>"
            case .refused(let file, _):
                return "<li><a href=\"#s\(number + 1)\">\(escaped(file))</a> <span class=\"bad\">refused</span></li>"
            }
        }
        return
            "<nav class=\"index\" aria-label=\"scenarios\">\n<h1>\(escaped(title(entries)))</h1>\n<ol>\n"
            + "\(rows.joined(separator: "\n"))\n</ol>\n</nav>\n"
    }

    private static func verdict(_ differences: [Scenario.Difference], isChecked: Bool) -> (kind: String, words: String)
    {
        guard isChecked else { return ("quiet", "not compared: it has no expectations") }
        guard !differences.isEmpty else { return ("good", "as expected") }
        return ("bad", "not as expected: \(differences.count) difference\(differences.count == 1 ? "" : "s")")
    }

    private static func list(of differences: [Scenario.Difference]) -> String {
        guard !differences.isEmpty else { return "" }
        let lines = differences.map { escaped($0.description) }
        return "\n<pre class=\"bad differences\">\(lines.joined(separator: "\n"))</pre>"
    }

    private static func sections(_ entries: [Entry], tolerance: Double) -> [String] {
        entries.enumerated().map { number, entry in
            switch entry {
            case .refused(let file, let reason):
                return """
                    <section class="scenario" id="s\(number + 1)">
                    <h2>\(escaped(file))</h2>
                    <p class="bad">refused, so not drawn:</p>
                    <pre class="bad">\(escaped(reason))</pre>
                    </section>
                    """
            case .replayed(let timeline, let file, let differences, let isChecked):
                let verdict = verdict(differences, isChecked: isChecked)
                let list = list(of: differences)
                let name = entries.count > 1 && file != timeline.name ? "\n<p class=\"file\">\(escaped(file))</p>" : ""
                return """
                    <section class="scenario" id="s\(number + 1)">
                    <h2>\(escaped(timeline.name))</h2>\(name)
                    <p class="\(verdict.kind)">\(verdict.words)</p>\(list)
                    \(TimelineDrawing(timeline, differences, tolerance: tolerance).html)
                    </section>
                    """
            }
        }
    }

    private static let legend = """
        <details class="legend" open>
        <summary>How to read it</summary>
        <ul>
        <li><i class="key exposed"></i> a visit of the screen</li>
        <li><i class="key dwelling"></i> enough is in view: the dwell runs</li>
        <li><i class="key broken"></i> the dwell broke before its end</li>
        <li><i class="key seen"></i> seen already, counts no more</li>
        <li><i class="key under"></i> in view, but under the fraction</li>
        <li><i class="key covered"></i> covered, or under a sheet</li>
        <li><i class="key background"></i> in the background</li>
        <li><i class="key waiting"></i> refreshing, or the tracker is stopped</li>
        <li><i class="key gone"></i> the screen is not open, or was left</li>
        <li><svg width="30" height="14" aria-hidden="true"><path class="fill" d="M0 14V9L12 2H30V14z"/>\
        <path class="line" d="M0 9L12 2H30"/><path class="rule" d="M0 5H30"/></svg> \
        how much is in view, and the rule’s fraction</li>
        <li><span class="bad">○</span> its event was not posted</li>
        <li><svg width="12" height="14" aria-hidden="true"><path class="shown" d="M6 2l5 10H1z"/></svg> shown</li>
        <li><svg width="12" height="14" aria-hidden="true"><circle class="seen" cx="6" cy="7" r="5"/></svg> seen</li>
        <li><svg width="12" height="14" aria-hidden="true">\
        <rect class="screen" x="2" y="3" width="8" height="8"/></svg> screen log</li>
        <li><svg width="12" height="14" aria-hidden="true"><path class="shown" d="M6 12l5 -10H1z"/></svg> left, with the \
        time that counts</li>
        <li><svg width="14" height="14" aria-hidden="true">\
        <circle class="missing" cx="7" cy="7" r="5"/></svg> expected, but missing</li>
        <li><svg width="14" height="14" aria-hidden="true"><circle class="seen" cx="7" cy="7" r="4"/>\
        <circle class="unexpected" cx="7" cy="7" r="6"/></svg> posted, but not expected then</li>
        </ul>
        <p>Point at a bar for its numbers.</p>
        </details>
        """

    static func escaped(_ text: String) -> String {
        var escaped = ""
        for scalar in text.unicodeScalars {
            switch scalar {
            // Control characters are invisible, and direction marks would turn the adjacent text.
            case "\u{0}"..<"\u{20}", "\u{7F}"..<"\u{A0}", "\u{61C}", "\u{200E}", "\u{200F}", "\u{202A}"..."\u{202E}",
                "\u{2066}"..."\u{2069}":
                escaped += "\u{FFFD}"
            default: escaped += HTMLEscape.escaped(scalar)
            }
        }
        return escaped
    }
}
