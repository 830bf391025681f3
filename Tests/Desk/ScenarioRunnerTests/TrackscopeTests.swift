import Foundation
import Testing
import TestSupport

/// Tests of the command as a process.
struct TrackscopeTests {
    static let scenario = ##"""
        {"name": "it's <b>\"bold\"</b> & 日本語", "viewport": {"width": 390, "height": 800},
         "screens": [{"id": "feed", "screenLog": true, "contents": [{"id": "</svg><script>a", "frame": [0, 0, 390, 100]}]}],
         "steps": [{"at": 0.0004, "do": "open", "screen": "feed"}, {"at": 1.23456, "do": "background"}, {"at": 3, "do": "end"}]EXPECT}
        """##

    static func run(_ arguments: String..., in scratch: borrowing Scratch, input: String? = nil) throws -> Tool.Result {
        try Tool.launch(
            Tool.executable(named: "trackscope"), arguments, in: scratch.url, input: input.map { Data($0.utf8) })
    }

    static func text(_ expect: String? = nil) -> String {
        scenario.replacingOccurrences(of: "EXPECT", with: expect.map { ", \"expect\": [\($0)]" } ?? "")
    }

    static let lines = [
        ##"{"at": 0, "log": "screen", "screen": "feed"}"##,
        ##"{"at": 0, "log": "shown", "content": "\u003c/svg>\u003cscript>a", "screen": "feed"}"##,
    ]

    static let reason =
        "  </svg><script>a (feed): Posted: shown at 0 s. Not seen: 1.234 s of the 2 s were over when the app went "
        + "to the background at 1.235 s.\n"

    static func nothingSeen(in file: String) -> String {
        "\(file): nothing is seen in \"it's <b>\"bold\"</b> & 日本語\"\n" + reason
    }

    @Test(
        "Each posted log is a line, from a file or stdin; a run without seen contents has a reason"
    )
    func prints() throws {
        let scratch = try Scratch()
        try scratch.write(Self.text(), to: "場面 1.json")
        let file = try Self.run("場面 1.json", in: scratch)
        #expect(
            file.out == Self.lines.map { $0 + "\n" }.joined() && file.error == Self.nothingSeen(in: "場面 1.json")
                && file.code == 0)
        let input = try Self.run("-", in: scratch, input: Self.text())
        #expect(input.out == file.out && input.code == 0)
    }

    @Test("With several files, lines name their scenario; an invalid file does not hide the others")
    func severalFiles() throws {
        let scratch = try Scratch()
        try scratch.write(Self.text(), to: "a.json")
        try scratch.write("{", to: "b.json")
        let result = try Self.run("a.json", "b.json", "missing.json", "a.json", in: scratch)
        let start = ##"{"scenario": "it's \u003cb>\"bold\"\u003c/b> & 日本語", "##
        let named = Self.lines.map { start + $0.dropFirst() + "\n" }.joined()
        #expect(result.out == named + named)
        #expect(result.error.contains("b.json:1:2: error: expected a key in double quotation marks\n"))
        #expect(result.error.contains("trackscope: error: cannot read `missing.json`"))
        #expect(result.code == 2)
    }

    @Test("Differences from the expectations are reported with exit code 1")
    func differs() throws {
        let scratch = try Scratch()
        let shown = ##"{"at": 0.001, "log": "shown", "content": "</svg><script>a", "screen": "feed"}"##
        let screen = ##"{"at": 0, "log": "screen", "screen": "feed"}"##
        try scratch.write(Self.text("\(shown), \(screen)"), to: "right.json")
        #expect(try Self.run("right.json", in: scratch).code == 0)
        let seen = ##"{"at": 2, "log": "seen", "content": "</svg><script>a", "screen": "feed"}"##
        try scratch.write(
            Self.text("\(seen), \(shown.replacingOccurrences(of: "0.001", with: "0.5"))"), to: "wrong.json")
        let wrong = try Self.run("wrong.json", in: scratch)
        #expect(wrong.code == 1)
        #expect(wrong.out.split(separator: "\n").map(String.init) == Self.lines)
        #expect(
            wrong.error == """
                wrong.json: "it's <b>"bold"</b> & 日本語" is not as expected (- missing, + unexpected, ~ at another time)
                  + 0 screen feed
                  ~ 0 shown </svg><script>a (feed), expected at 0.5
                  - 2 seen </svg><script>a (feed)

                """ + Self.reason)
    }

    @Test("A scenario with a seen content, and one that meets its expectations, have no reasons")
    func noReasons() throws {
        let scratch = try Scratch()
        try scratch.write(Self.text().replacingOccurrences(of: "1.23456", with: "2.5"), to: "seen.json")
        try scratch.write(
            Self.text(
                ##"{"at": 0, "log": "screen", "screen": "feed"}, {"at": 0, "log": "shown", "##
                    + ##""content": "</svg><script>a"}"##
            ), to: "right.json")
        let result = try Self.run("seen.json", "right.json", "--html", "out.html", in: scratch)
        #expect(result.code == 0 && result.error == "wrote out.html\n")
    }

    @Test("The reasons for many contents end with their number")
    func manyReasons() throws {
        let scratch = try Scratch()
        let contents = (0..<12).map { #"{"id": "c\#($0)", "frame": [0, \#(2000 + $0 * 20), 390, 20]}"# }.joined(
            separator: ",")
        try scratch.write(
            #"{"viewport": {"width": 390, "height": 800}, "screens": [{"id": "feed", "contents": [\#(contents)]}], "#
                + #""steps": [{"at": 0, "do": "open", "screen": "feed"}]}"#,
            to: "a.json")
        let lines = try Self.run("a.json", in: scratch).error.split(separator: "\n")
        #expect(lines.count == 12 && lines[1] == "  c0 (feed): Not seen: it never came into view.")
        #expect(lines.last == "  and 2 more; --html timeline.html draws them all")
    }

    @Test("A failed output is reported, and a reader that closes its end does not hide differences")
    func brokenOutput() throws {
        let scratch = try Scratch()
        try scratch.write(Self.text(""), to: "wrong.json")
        let tool = Tool.executable(named: "trackscope").path
        let full = try Tool.shell("'\(tool)' wrong.json >/dev/full", in: scratch.url)
        #expect(full.code == 2 && full.error.contains("cannot write to `standard output`"))
        let closed = try Tool.shell("{ '\(tool)' wrong.json; echo $? >code; } | true", in: scratch.url)
        #expect(closed.error.contains("+ 0 screen feed"))
        #expect(try scratch.read("code") == "1\n")
    }

    @Test("Failed reads and writes and invalid arguments have exit code 2")
    func failures() throws {
        let scratch = try Scratch()
        try scratch.write(Self.text(), to: "a.json")
        let page = try Self.run("a.json", "--html", "a.json/page.html", in: scratch)
        #expect(page.code == 2 && page.error.contains("a.json/page.html"), "\(page.error)")
        let usage = try Self.run(in: scratch)
        #expect(usage.code == 2 && usage.out == "" && usage.error.contains("USAGE: trackscope"))
        let help = try Self.run("--help", in: scratch)
        #expect(help.code == 0 && help.out.contains("Exit codes: 0 as expected; 1") && !help.out.contains("Tests/"))
        try scratch.write("", to: "folder/a.txt")
        for name in ["folder", "nothing.json"] {
            let unread = try Self.run(name, "a.json", in: scratch)
            #expect(unread.code == 2 && unread.out.split(separator: "\n").count == 2)
            #expect(unread.error.hasPrefix("trackscope: error: cannot read `\(name)`: "))
        }
    }

    @Test("Scenarios with the same name are distinguished by file, and others are not")
    func sharedNames() throws {
        let scratch = try Scratch()
        func text(_ name: String) -> String {
            Self.text().replacingOccurrences(of: #"it's <b>\"bold\"</b> & 日本語"#, with: name)
        }
        try scratch.write(text("one"), to: "a.json")
        try scratch.write(text("one"), to: "場面/b.json")
        try scratch.write(text("two"), to: "c.json")
        let result = try Self.run("a.json", "c.json", "場面/b.json", in: scratch)
        let starts = [
            #"{"scenario": "one", "file": "a.json", "#, #"{"scenario": "two", "#,
            #"{"scenario": "one", "file": "場面/b.json", "#,
        ]
        #expect(result.code == 0)
        #expect(result.out == starts.flatMap { start in Self.lines.map { start + $0.dropFirst() + "\n" } }.joined())
    }

    @Test(
        "No control or format character reaches the terminal",
        arguments: ["\u{1B}", "\u{9B}", "\u{7F}", "\u{61C}", "\u{202E}", "\u{200B}", "\u{2028}"] as [Unicode.Scalar])
    func controlCharactersDoNotReachTheTerminal(_ scalar: Unicode.Scalar) throws {
        let text = """
            {"name": "a\(scalar == "\u{1B}" ? "" : String(scalar))b", "viewport": {"width": 100, "height": 100},
             "screens": [{"id": "s\(scalar == "\u{1B}" ? "" : String(scalar))", "contents": [{"id": "c", "frame": [0, 0, 100, 100]}]}],
             "steps": [{"at": 0, "do": "open", "screen": "s\(scalar == "\u{1B}" ? "" : String(scalar))"}], "expect": []}
            """
        let scratch = try Scratch(["x\(scalar)y.json": text, "bad\(scalar).json": "{"])
        for arguments in [["x\(scalar)y.json"], ["bad\(scalar).json"], ["no\(scalar)such.json"], ["--no\(scalar)flag"]]
        {
            let result = try Tool.launch(Tool.executable(named: "trackscope"), arguments, in: scratch.url)
            #expect(result.code != 0)
            #expect(!(result.out + result.error).unicodeScalars.contains(scalar), "\(arguments)")
        }
    }
}
