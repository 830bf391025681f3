import Foundation
import Testing
import TestSupport

@testable import LogOutputs
import LogProject

/// Tests of strings from definitions in every language that `output.yml` can name.
struct TextLanguageTests {
    /// Strings that might escape from a literal or comment.
    static let hostile = [
        "", "plain", "\"", "'", "`", "\\", "\\\\", "ends with \\", "$", "${x}", "$x `y`", "*/", "/*", "/", "*", "**/",
        "*/ code() /*", "// x", "-- x",
        "--", "-->",
        "<!--", "</script>", "<script>alert(1)</script>", "\n", "\r", "\r\n", "a\nb", "\t", "\u{0}", "\u{1}9",
        "\u{1B}[31m", "\u{7F}", "\u{85}",
        "\u{2028}",
        "\u{2029}", "\u{202E}abc", "\u{2066}", "\u{200B}", "\u{FEFF}", "\u{301}", "e\u{301}", "🍣", "👨‍👩‍👧", "\u{E0001}",
        "日本語", "\\u002a/", "\\u000a",
        "\\\\u002a/",
        "??/", "???", "??/\n", "%s %d", "#{x}", "\"\"\"", "'''", "{{name}}", "{% x %}", "&amp; &#10;", "| a |", "# x",
        "- x", "1. x",
        "[a](javascript:x)",
        "\\(x)", "''; DROP TABLE logs; --", "\u{FFFD}", "a: b # c", "*alias", "&anchor", "!!tag", "~", "null", "]]>",
        "=", "===", "_a_", "a_b",
        "\u{1F1}",
    ]

    @Test(
        "Literals have the expected form",
        arguments: [
            ("swift", "a\"b\\(c)\n$", #""a\"b\\(c)\u{a}$""#), ("kotlin", "\"$x\\", #""\"\u0024x\\""#),
            ("javascript", "</script>`${x}`'\"", #""\u003c/script>\u0060\u0024{x}\u0060\u0027\"""#),
            ("java", "\"\n\u{1}\u{2028}", #""\"\n\001\u2028""#),
            ("c", "??/\u{1}9\"\u{2028}", #""\?\?/\0019\"\342\200\250""#),
            ("sql", "it's \\ \u{0}", "'it''s \\ \u{FFFD}'"),
            ("html", "<a href=\"x\">&'\n", "\"&lt;a href=&quot;x&quot;&gt;&amp;&#39;&#10;\""),
            ("markdown", "a|b`*", #"<code>a\|b\`\*</code>"#),
            ("json", "</\"\\\n\u{E0001}", #""\u003c/\"\\\n\udb40\udc01""#),
            ("yaml", "\"\\\n\u{E0001}", #""\"\\\n\U000e0001""#),
            ("csv", "a \"b\", c\r\nd\t\u{1}", "\"a \"\"b\"\", c\nd \u{FFFD}\""),
            ("csv", "=HYPERLINK(\"x\")", "\"'=HYPERLINK(\"\"x\"\")\""),
            ("csv", "👨‍👩‍👧 می‌خواهم", "\"👨‍👩‍👧 می‌خواهم\""), ("html", "👨‍👩‍👧", "\"👨‍👩‍👧\""),
            ("csv", " ＠SUM(1)", "\"' ＠SUM(1)\""), ("csv", "-1.5", "\"-1.5\""), ("csv", "-1+1", "\"'-1+1\""),
        ])
    func literal(language: String, text: String, expected: String) throws {
        #expect(try #require(TextLanguage.named(language)).string(text) == expected)
    }

    @Test(
        "Comments have the expected form",
        arguments: [
            ("swift", "*/ x /*", " * / x / * "), ("kotlin", "a */ ${b}", "a * / ${b}"),
            ("javascript", "</script>", "< /script>"),
            ("javascript", " @ts-expect-error", "\\ @ts-expect-error"), ("javascript", "a @link", "a @link"),
            ("java", "\\u002a/ \\", "\\ u002a/ ＼"), ("c", "go on \\", "go on ＼"), ("c", "??/", "? ?/ "),
            ("sql", "a\nb", "a b"),
            ("html", "<b> --", "&lt;b&gt; -&#45;"),
            ("markdown", "*a* | <b> {{c}}", "\\*a\\* \\| &lt;b&gt; &#123;&#123;c&#125;&#125;"),
            ("markdown", "recipe_search.md", "recipe_search.md"),
            ("markdown", "1. a", "1\\. a"), ("markdown", "Since 1. (a/b): c?", "Since 1. (a/b): c?"),
            ("markdown", "v1 - a", "v1 - a"),
            ("markdown", "a --", "a -\\-"),
            ("json", "a \"b\"", #"a \"b\""#), ("yaml", "a # b", "a # b"),
            ("csv", "plain text", "plain text"), ("csv", "a, \"b\"\nc", "\"a, \"\"b\"\" c\""),
            ("csv", "@team", "\"'@team\""),
            ("csv", " a", "\" a\""),
        ])
    func comment(language: String, text: String, expected: String) throws {
        #expect(try #require(TextLanguage.named(language)).comment(text) == expected)
    }

    @Test("No string escapes from a comment", arguments: TextLanguage.all)
    func comments(language: TextLanguage) {
        for text in Self.hostile {
            let comment = language.comment(text)
            #expect(
                comment.unicodeScalars.allSatisfy(SwiftText.isReadable), "\(language.name): \(text.debugDescription)")
            switch language.name {
            case "html", "markdown":
                #expect(
                    !comment.contains("<") && !("<!--" + comment + "-->").dropFirst(4).dropLast(3).contains("--"),
                    "\(comment)")
            case "json":
                #expect((try? JSONSerialization.jsonObject(with: Data("[\"\(comment)\"]".utf8))) != nil, "\(comment)")
            case "yaml", "csv": break
            default:
                // Kotlin and Swift nest comments, so an opening mark would have the same effect.
                let inside = ("*" + comment + "*").unicodeScalars
                #expect(
                    !zip(inside, inside.dropFirst()).contains { ($0 == "*" && $1 == "/") || ($0 == "/" && $1 == "*") },
                    "\(language.name): \(comment)"
                )
                if language.name == "c" { #expect(!comment.hasSuffix("\\") && !comment.contains("??"), "\(comment)") }
                if language.name == "java" {
                    #expect(!comment.hasSuffix("\\") && !comment.contains("\\u"), "\(comment)")
                }
                if language.name == "javascript" { #expect(!comment.contains("</") && !comment.contains("<!")) }
            }
        }
    }

    // MARK: Real readers

    private func literals(_ language: TextLanguage) -> [String] { Self.hostile.map(language.string) }

    /// Compares a reader's output, a line of hexadecimal digits for each string, with the strings.
    private func check(_ result: Tool.Result, losing lost: Set<String> = []) {
        #expect(result.code == 0, "\(result.error)")
        let found = result.out.split(separator: "\n", omittingEmptySubsequences: false).dropLast()
        #expect(found.count == Self.hostile.count)
        for (text, line) in zip(Self.hostile, found) where !lost.contains(text) {
            #expect(String(line) == text.utf8.map { String(format: "%02x", $0) }.joined(), "\(text.debugDescription)")
        }
    }

    private func launch(_ tool: String, _ arguments: [String], in folder: URL) throws -> Tool.Result {
        try Tool.command([tool] + arguments, in: folder)
    }

    /// Returns the strings as comments of both kinds, which must have no effect.
    private func comments(_ language: TextLanguage) -> String {
        Self.hostile.map { "// \(language.comment($0))\n/* \(language.comment($0)) *//**\(language.comment($0))*/\n" }
            .joined()
    }

    @Test("A C compiler reads the same strings") func aCompilerOfCReadsTheSameTexts() throws {
        let scratch = try Scratch()
        let values = zip(literals(.c), Self.hostile).map { "  {\($0), \($1.utf8.count)},\n" }.joined()
        try scratch.write(
            """
            #include <stdio.h>
            \(comments(.c))
            static const struct { const char *text; int length; } values[] = {\n\(values)};
            int main(void) {
                for (unsigned i = 0; i < sizeof values / sizeof *values; i++) {
                    for (int j = 0; j < values[i].length; j++) printf("%02x", (unsigned char)values[i].text[j]);
                    printf("\\n");
                }
            }
            """, to: "main.c")
        // Only the strict standard mode reads trigraphs.
        let compiled = try launch("gcc", ["-std=c99", "-w", "main.c", "-o", "main"], in: scratch.url)
        #expect(compiled.code == 0, "\(compiled.error)")
        check(try Tool.launch(scratch.url.appendingPathComponent("main"), [], in: scratch.url))
    }

    @Test("Python reads the same strings from JSON, SQL and HTML") func pythonReadsTheSameJSONAndSQLAndHTML() throws {
        let scratch = try Scratch()
        try scratch.write("[" + literals(.json).joined(separator: ",\n") + "]", to: "texts.json")
        let json = "import json; [print(t.encode().hex()) for t in json.load(open('texts.json', encoding='utf-8'))]"
        check(try launch("python3", ["-c", json], in: scratch.url))

        try scratch.write(
            literals(.sql).enumerated().map {
                "SELECT \($1), \($0) /* \(TextLanguage.sql.comment(Self.hostile[$0])) */ -- \(TextLanguage.sql.comment(Self.hostile[$0]))\n"
            }
            .joined(separator: "\nUNION ALL ") + " ORDER BY 2", to: "texts.sql")
        let sql =
            "import sqlite3; [print(t.encode().hex()) for t, _ in sqlite3.connect(':memory:').execute(open('texts.sql', encoding='utf-8', newline='').read())]"
        check(try launch("python3", ["-c", sql], in: scratch.url), losing: ["\u{0}"])

        try scratch.write(
            zip(literals(.html), Self.hostile).map {
                "<!-- \(TextLanguage.html.comment($1)) --><p title=\($0)>\(TextLanguage.html.comment($1))</p>\n"
            }.joined(), to: "page.html")
        let html = """
            import html.parser
            class P(html.parser.HTMLParser):
                def handle_starttag(self, tag, attrs): assert tag == "p"; print(attrs[0][1].encode().hex())
                def handle_comment(self, data): assert "<p" not in data
            P().feed(open('page.html', encoding='utf-8', newline='').read())
            """
        // HTML cannot contain control characters and direction marks.
        check(
            try launch("python3", ["-c", html], in: scratch.url),
            losing: Set(
                Self.hostile.filter {
                    !$0.unicodeScalars.allSatisfy { SwiftText.isReadable($0) || "\n\r\t".unicodeScalars.contains($0) }
                }))
    }

    private static func isThere(_ tool: String) -> Bool {
        (try? Tool.command(["which", tool], in: FileManager.default.temporaryDirectory))?.code
            == 0
    }

    @Test("JavaScript reads the same strings", .enabled(if: isThere("node")))
    func javaScriptReadsTheSameTexts() throws {
        let scratch = try Scratch()
        try scratch.write(
            comments(.javascript)
                + "for (const t of [\n\(literals(.javascript).joined(separator: ",\n"))\n]) console.log(Buffer.from(t, 'utf8').toString('hex'))\n",
            to: "main.js")
        check(try launch("node", ["main.js"], in: scratch.url))
    }

    @Test("Java reads the same strings", .enabled(if: isThere("javac"))) func javaReadsTheSameTexts() throws {
        let scratch = try Scratch()
        try scratch.write(
            """
            \(comments(.java))
            public class Main {
                public static void main(String[] arguments) {
                    for (String t : new String[] {\n\(literals(.java).joined(separator: ",\n"))\n}) {
                        StringBuilder line = new StringBuilder();
                        for (byte b : t.getBytes(java.nio.charset.StandardCharsets.UTF_8)) line.append(String.format("%02x", b));
                        System.out.println(line);
                    }
                }
            }
            """, to: "Main.java")
        let compiled = try launch("javac", ["-encoding", "UTF-8", "Main.java"], in: scratch.url)
        #expect(compiled.code == 0, "\(compiled.error)")
        check(try launch("java", ["-cp", ".", "Main"], in: scratch.url))
    }

    @Test("YAML reads the same strings") func yamlReadsTheSameTexts() throws {
        let text = zip(literals(.yaml), Self.hostile).map { "- \($0) # \(TextLanguage.yaml.comment($1))\n" }.joined()
        // Yams reads a string that is only U+FEFF as an empty one, however it is written.
        for (read, text) in zip(try SettingsDocument.texts(text), Self.hostile) where text != "\u{FEFF}" {
            #expect(Array(read.utf8) == Array(text.utf8), "\(text.debugDescription)")
        }
    }

    @Test("A CSV reader reads one cell for each string, and a spreadsheet finds no formula") func csvReadsTheSameTexts()
        throws
    {
        let scratch = try Scratch()
        try scratch.write(
            zip(literals(.csv), Self.hostile).map { "\($0),\(TextLanguage.csv.comment($1))\r\n" }.joined(),
            to: "texts.csv")
        try scratch.write(
            """
            import csv
            for row in csv.reader(open("texts.csv", encoding="utf-8", newline=""), strict=True):
                assert len(row) == 2, row
                assert not any(cell.strip(" \\n\\ufffd")[:1] in set("=+-@＝＋－＠") for cell in row), row
                assert not any(line in row[1] for line in "\\r\\n"), row
                print(row[0].encode().hex())
            """, to: "read.py")
        // A cell contains no control characters, and no string in it is a formula.
        let lost = Self.hostile.filter { text in
            text.unicodeScalars.contains { $0 != "\n" && !SwiftText.isReadable($0) }
                || text.first.map { "=+-@".contains($0) } ?? false
        }
        check(try launch("python3", ["read.py"], in: scratch.url), losing: Set(lost))
    }
}
