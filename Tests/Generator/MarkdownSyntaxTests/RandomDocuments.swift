import TestSupport

/// Random documents of a few lines in which tables meet all constructs that can begin, continue or end near one.
///
/// The documents avoid the differences between libcmark 0.30.2 and cmark-gfm 0.29.0.gfm.6 that do not concern tables:
/// the tags `textarea` and `source`, a tag of any name on a lazy line (documents with such tags have no containers),
/// unbalanced parentheses in a link definition, and vertical tabs and form feeds after a list marker or in a
/// definition.
struct RandomDocuments {
    private var random: SeededGenerator
    private var hasContainers = true

    init(seed: UInt64) { random = SeededGenerator(seed: seed) }

    mutating func next() -> [UInt8] {
        while true {
            let document = candidate()
            let hasOddMarker = zip(document, document.dropFirst()).contains { byte, next in
                (next == 0x0B || next == 0x0C) && [0x2A, 0x2B, 0x2D, 0x2E, 0x29].contains(byte)
            }
            let hasOddDefinition =
                (document.contains(0x0B) || document.contains(0x0C))
                && zip(document, document.dropFirst()).contains { $0 == 0x5D && $1 == 0x3A }
            let hasBullet = document.split { $0 == 0x0A || $0 == 0x0D }.contains { line in
                let text = line.drop { $0 == 0x20 || $0 == 0x09 }
                return text.first == 0x2D
                    && (text.count == 1 || text.dropFirst().first == 0x20 || text.dropFirst().first == 0x09)
            }
            if !hasOddMarker, !hasOddDefinition, hasContainers || !hasBullet { return document }
        }
    }

    private mutating func candidate() -> [UInt8] {
        hasContainers = chance(70)
        let lineEnd = chance(80) ? "\n" : chance(50) ? "\r\n" : nil
        var text = chance(3) ? "\u{FEFF}" : ""
        if chance(1) { text += "\u{FEFF}" }
        var prefix = ""
        for _ in 0..<Int.random(in: 1...12, using: &random) {
            // Consecutive lines often share their containers.
            if chance(30) { prefix = self.prefix() }
            func end() -> String { lineEnd ?? pick(["\n", "\r\n", "\r"]) }
            if chance(40) {
                let columns = Int.random(in: 1...3, using: &random)
                text += prefix + row(columns) + end()
                if chance(80) { prefix = continued(prefix) }
                text += prefix + delimiterRow(columns) + end()
                if chance(20) { text += prefix + row(columns) + end() }
                if chance(20) { text += prefix + hostileRow() + end() }
            } else {
                text += prefix + line() + end()
            }
        }
        if chance(30), let last = text.unicodeScalars.last, last == "\n" || last == "\r" {
            text.unicodeScalars.removeLast()
        }
        return Array(text.utf8)
    }

    private mutating func chance(_ percent: Int) -> Bool { Int.random(in: 0..<100, using: &random) < percent }

    private mutating func pick(_ choices: [String]) -> String { choices.randomElement(using: &random) ?? "" }

    private mutating func prefix() -> String {
        if !hasContainers { return pick(["", "", "", " ", "   ", "    ", "\t"]) }
        var prefix = ""
        for _ in 0..<Int.random(in: 0...3, using: &random) {
            prefix += pick([
                "> ", "> ", ">", " > ", ">\t", "- ", "-   ", "-\t", "* ", "1. ", "2) ", "10. ", "  ", "  ", "   ",
                "    ", "\t", " \t",
                "     ",
            ])
        }
        return prefix
    }

    /// Returns the prefix that continues the containers of a prefix on the next line.
    private func continued(_ prefix: String) -> String {
        String(prefix.map { "-*.)0123456789".contains($0) ? " " : $0 })
    }

    private mutating func line() -> String {
        switch Int.random(in: 0..<100, using: &random) {
        case 0..<45: return row(Int.random(in: 1...4, using: &random))
        case 45..<60: return delimiterRow(Int.random(in: 1...3, using: &random))
        case 60..<70: return pick(["", "", "", " ", "\t", "   "])
        case 70..<75:
            return pick([
                "a", "text", "日本語", "\\", "\\|", "|", "||", "| |", " |", "a\u{0}b", "\u{0B}", "\u{0C}|", "&amp;|&#124;",
            ])
        case 75..<80:
            return pick([
                "===", "---", "-", "--", "=", "--- ", "=== \t", "- - -", "***", "___", "--- -", "-|", "-:", ":-",
                "== =",
            ])
        case 80..<84: return pick(["# h", "## h `a|b`", "#", "####### no", "#no", "# a #", "#\tb"])
        case 84..<87: return pick(["```", "~~~", "````", "```x", "``` `", "~~~ `|`", "``"])
        case 87..<91: return html()
        case 91..<95:
            return pick([
                "[a]: /b", "[a]: /b 'title", "title'", "[a]:", "[|]: /b", "[a]: /b \"t\" |", "[a]", "[a]: <x>", "[a",
                "]: /b",
                "[b|c]: /d 'e|f'",
            ])
        default:
            guard hasContainers else { return pick(["a|b", "a", " a | b", "\ta"]) }
            return pick([
                "- a", "-", "2. a", "1. a|b", "1.", "2.", "> q", ">", "- | - |", "* | a |", "+", "+ a|b", "0. |-|",
            ])
        }
    }

    /// A line below a table that may continue a paragraph, and that GFM does not read as a row.
    private mutating func hostileRow() -> String {
        let rows = [
            "    | a |", "\t| a |", " \t a", "===", "---", "--", "=", "|", " | ", "\\|", "</i>", "<b>", "<a b='c'>",
            "<b> | c |",
            "<b>|",
        ]
        return pick(
            hasContainers
                ? rows.filter { !$0.hasPrefix("<") } + ["1.", "2. | a |", "10) a", "-", "*", "+", "- ", "0."] : rows)
    }

    private mutating func html() -> String {
        let choices = [
            "<div>", "</div>", "<div", "<p>|", "<!-- a -->", "<!-- a", "-->", "<!-->", "<?a", "?>", "<?a?>", "<!A",
            "<!a>", "x>",
            "<![CDATA[", "]]>",
            "<pre>", "<PRE", "<script>|</script>", "<style", "<hr/>", "<h1>a|b", "<table>", "<![cdata[ ]]>",
        ]
        if hasContainers { return pick(choices) }
        return pick(
            choices + [
                "<a>", "</pre>", "</a >", "<a b=c>", "<a b='c|d' e>", "<a b=\"c\"/> ", "<a>b", "<a|b>", "<b:c>",
                "<a b = c >", "<a-b\t>",
                "<a b='>", "<a/ >", "< a>",
                "<a b==c>", "<a :d>", "</a b>", "<a b=`>", "<a\u{0B}b>", "<a>\u{0C}",
            ])
    }

    private mutating func row(_ count: Int) -> String {
        var text = chance(70) ? "|" : ""
        for index in 0..<count {
            text += pick(["", " ", " ", " ", "  ", "\t"]) + cell() + pick(["", " ", " ", " ", "\t", "\u{0C}"])
            if index + 1 < count || chance(70) { text += "|" }
        }
        if chance(5) { text += pick([" ", "\\", "|", "\u{0B}"]) }
        return text
    }

    private mutating func cell() -> String {
        var text = ""
        for _ in 0..<Int.random(in: 0...2, using: &random) {
            text += pick([
                "a", "b c", "`x`", "`x|y`", "`x\\|y`", "\\|", "\\\\|", "\\\\\\|", "\\", "日本", "é", "&amp;", "*e*",
                "_e_", "[l](u)",
                "![i](u)", "[a]", "\u{0}",
                "1", "-", "--", ":-", "=", "\u{3000}", "\u{A0}", hasContainers ? "x<br>" : "<br>", "x<b>", "`", "``",
                "'", "\"",
            ])
        }
        return text
    }

    private mutating func delimiterRow(_ count: Int) -> String {
        var text = chance(60) ? "|" : ""
        for index in 0..<count {
            text +=
                pick(["", " ", " ", "\t", "\u{0B}"]) + pick(["", "", "", ":"]) + pick(["-", "--", "---"])
                + pick(["", "", "", ":"])
            text += pick(["", " ", " ", "\t", "\u{0C}"])
            if index + 1 < count || chance(60) { text += "|" }
        }
        if chance(5) { text += pick([" ", "|", "a", ":", "-", "||"]) }
        return text
    }
}
