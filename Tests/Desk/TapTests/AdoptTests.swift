import Foundation
import Testing
import TestSupport

/// Tests of `tapgen adopt`, which finds calls that log with strings, and rewrites them.
///
/// `Adoption/App` contains a call of each shape. The comment after a call is the expected result.
@Suite(.enabled(if: PackageBuilds.areAsked, Comment(rawValue: PackageBuilds.way)))
struct AdoptTests {
    private static let folder = Tool.repository.appendingPathComponent("Tests/Desk/TapTests/Adoption")
    private static let files = ["Certain", "Events", "Uncertain"]
    private static let calls = [
        "--calls", "Tracker.track(_:properties:immediately:),Tracker.log(page:label=name:values=parameters:)",
        "--calls", "Tracker.send(event:properties:)",
    ]

    private static func fixture() throws -> Scratch {
        let scratch = try Scratch()
        for name in ["App", "SDK"] {
            try FileManager.default.copyItem(
                at: folder.appendingPathComponent(name), to: scratch.url.appendingPathComponent(name))
        }
        return scratch
    }

    private static func adopt(_ arguments: [String], in folder: URL) throws -> Tool.Result {
        try Tool.launch(TapPackage.tapgen(), ["adopt"] + arguments, in: folder)
    }

    private static func json(_ result: Tool.Result) throws -> [String: Any] {
        try #require(try JSONSerialization.jsonObject(with: Data(result.out.utf8)) as? [String: Any], "\(result.error)")
    }

    // MARK: The shapes of calls

    @Test("Each call of the fixture is rewritten, or kept for the reason in its comment")
    func verdicts() throws {
        let scratch = try Self.fixture()
        let result = try Self.adopt(["App", "--format", "json"] + Self.calls, in: scratch.url)
        #expect(result.code == 1)
        let calls = try #require(try Self.json(result)["calls"] as? [[String: Any]])
        var expected = 0
        for file in Self.files {
            let lines = try scratch.read("App/\(file).swift").components(separatedBy: "\n")
            for (index, line) in lines.enumerated() {
                guard let comment = ["  // rewritten", "  // kept: "].first(where: line.contains) else { continue }
                expected += 1
                // The comment of a call on several lines is on the last one.
                let start =
                    (0...index).last { lines[$0].contains("(") && Self.call(calls, file, $0 + 1) != nil } ?? index
                guard let call = Self.call(calls, file, start + 1) else {
                    Issue.record("\(file).swift:\(index + 1): not found: \(line)")
                    continue
                }
                let reason = (call["problem"] as? [String: Any])?["reason"] as? String
                if comment == "  // rewritten" {
                    #expect(
                        reason == nil && call["replacement"] is String, "\(file).swift:\(index + 1): \(reason ?? "")")
                } else {
                    let wanted = line.components(separatedBy: comment)[1]
                    #expect(reason?.hasPrefix(wanted) == true, "\(file).swift:\(index + 1): \(reason ?? "rewritten")")
                }
            }
        }
        #expect(calls.count == expected)
    }

    private static func call(_ calls: [[String: Any]], _ file: String, _ line: Int) -> [String: Any]? {
        calls.first { $0["file"] as? String == "App/\(file).swift" && $0["line"] as? Int == line }
    }

    @Test("Rewritten calls compile with the generated code, and the printed diff makes the same files")
    func rewriting() throws {
        let scratch = try Self.fixture()
        let modules = TapPackage.folder.appendingPathComponent(TapPackage.scratch).appendingPathComponent(
            "debug/Modules")
        let root = scratch.url
        func compile(_ folders: [String]) throws {
            let sources = try folders.flatMap { folder in
                try FileManager.default.contentsOfDirectory(atPath: root.appendingPathComponent(folder).path)
                    .filter { $0.hasSuffix(".swift") }.sorted().map { "\(folder)/\($0)" }
            }
            let result = try Tool.command(
                ["swiftc", "-typecheck", "-parse-as-library", "-module-name", "App", "-I", modules.path] + sources,
                in: root)
            #expect(result.code == 0, "\(result.error)")
        }
        try compile(["App", "SDK"])
        try FileManager.default.copyItem(
            at: scratch.url.appendingPathComponent("App"), to: scratch.url.appendingPathComponent("Before"))
        let arguments = ["App", "--import", "ActivityTracking", "--output", "Definitions"] + Self.calls
        let printed = try Self.adopt(arguments, in: scratch.url)
        #expect(printed.code == 1)
        #expect(try scratch.read("App/Certain.swift") == scratch.read("Before/Certain.swift"))
        let rewritten = try Self.adopt(arguments + ["--rewrite"], in: scratch.url)
        #expect(rewritten.out == printed.out)
        #expect(
            rewritten.error.contains("1 definition file in `Definitions`, and 2 files rewritten"), "\(rewritten.error)")

        #expect(try Tool.run("lint", "Definitions", in: scratch.url).code == 0)
        #expect(
            try Tool.run("Definitions", "--only", "swift", "--output", "Generated", in: scratch.url).code == 0)
        try compile(["App", "SDK", "Generated/Swift"])

        // The part of the report before the diff is no hunk, so `git apply` skips it.
        try scratch.write(printed.out, to: "report.patch")
        try scratch.move("App", to: "After")
        try scratch.move("Before", to: "App")
        let applied = try Tool.command(["git", "apply", "report.patch"], in: scratch.url)
        #expect(applied.code == 0, "\(applied.error)")
        for name in Self.files {
            #expect(try scratch.read("App/\(name).swift") == scratch.read("After/\(name).swift"))
        }

        // The rewritten calls are gone, and the others are found again.
        let again = try Self.adopt(["After", "--format", "json"] + Self.calls, in: scratch.url)
        let left = try #require(try Self.json(again)["calls"] as? [[String: Any]])
        let kept = try scratch.read("After/Uncertain.swift").components(separatedBy: "// kept").count - 1
        #expect(left.filter { $0["file"] as? String == "After/Uncertain.swift" }.count == kept)
    }

    // MARK: Names with another meaning

    /// Sources of one or two files, with ` | ` between them, and the reason why the call is kept; empty if it is
    /// rewritten. The abbreviations are texts of a call.
    private static let meanings: [(String, String)] = [
        // Literals and raw values.
        ("func f() { LOG[\"k\": \"x\"]) } | typealias StringLiteralType = StaticString", "declare `StringLiteralType`"),
        ("func f() { LOG[\"k\": 1]) } | struct Box<Int> {}", "declare `Int`"),
        ("enum E: String { case a }\nRAW | enum E: Int { case a }", "several types of the name `E`"),
        ("enum E: String { case a }\nstruct Box<E> { RAW }", "several types of the name `E`"),
        ("enum E: String { case a }\nRAW | extension E { var rawValue: String { \"\" } }", "no raw values"),
        ("enum E: Int { case a }\nRAW", "no raw values of type `String`"),
        (
            "enum E: String {\n#if A\ncase a = \"x\"\n#else\ncase a = \"y\"\n#endif\n}\nRAW",
            "no case `a` with a literal"
        ),
        ("class A { private enum E: String { case a }; RAW } | enum F: Int { case a }", ""),
        // The logger.
        ("func f() { let activityLogger = Fake(); LOGnil) }", "`activityLogger` may be another one here"),
        ("func f(activityLogger: Fake) { LOGnil) }", "`activityLogger` may be another one here"),
        ("func f() { g { activityLogger in LOGnil) } }", "`activityLogger` may be another one here"),
        ("func f() { g { [activityLogger = Fake()] in LOGnil) } }", "`activityLogger` may be another one here"),
        ("func f() { func activityLogger() {}; LOGnil) }", "`activityLogger` may be another one here"),
        (
            "struct S { let activityLogger: Fake; func f() { LOGnil) } } | let activityLogger: ActivityLogger = make()",
            "`activityLogger` may be another one here"
        ),
        ("func f(activityLogger: ActivityLogger) { LOGnil) }", ""),
        ("struct S { let activityLogger: ActivityLogger; PLAIN } | extension Analytics {}", ""),
        // The receiver.
        (
            "PLAIN | enum Analytics { static func logEvent(_ name: String, parameters: [String: Any]?) {} }",
            "the sources declare `Analytics`: name its function with `--calls`"
        ),
        ("func f() { struct Analytics {}; LOGnil) }", "the sources declare `Analytics`"),
        ("struct S<Analytics: Fake> { PLAIN }", "the sources declare `Analytics`"),
        ("PLAIN | struct Fake {}; typealias Analytics = Fake", "the sources declare `Analytics`"),
        ("func f(analytics: Fake) { INSTANCE }", "`analytics` may be another type"),
        ("func f() { INSTANCE }", "`analytics` may be another type"),
        ("let analytics = Analytics()\nfunc f() { INSTANCE } | let analytics = Fake()", "may be another type"),
        (
            "struct H { var analytics: Analytics { print(); return Analytics() } }\nfunc f(h: H) { h.INSTANCE }",
            "its receiver is more than the name `Analytics`"
        ),
        (
            "var analytics: Analytics { get { print(); return Analytics() } }\nfunc f() { INSTANCE }",
            "`analytics` may be another type"
        ),
        (
            "protocol H { var analytics: Analytics { get } }\nextension H { func f() { INSTANCE } }",
            "`analytics` may be another type"
        ),
        (
            "struct S { @Traced var analytics: Analytics; func f() { INSTANCE } } | "
                + "@propertyWrapper struct Traced {}", "`analytics` may be another type"
        ),
        (
            "func f() { Amplitude.instance().logEvent(\"e\") } | "
                + "extension Amplitude { static func instance() -> Amplitude { print(); return .init() } }",
            "its receiver calls a function"
        ),
        ("let analytics = Analytics()\nfunc f() { INSTANCE } | func g(analytics: Analytics?) {}", ""),
        ("struct S { lazy var analytics = Analytics(); mutating func f() { INSTANCE } }", ""),
    ]

    @Test("A call is rewritten unless the sources may give a name in it another meaning", arguments: meanings)
    func otherMeanings(sources: String, reason: String) throws {
        let texts = [
            ("RAW", "func f() { Analytics.logEvent(E.a.rawValue, parameters: nil) }"),
            ("PLAIN", "func f() { LOGnil) }"),
            ("LOG", "Analytics.logEvent(\"e\", parameters: "),
            ("INSTANCE", "analytics.logEvent(\"e\", parameters: nil)"),
        ]
        let files = texts.reduce(sources) { $0.replacing($1.0, with: $1.1) }.components(separatedBy: " | ")
        let scratch = try Scratch(["S/A.swift": files[0] + "\n", "S/B.swift": (files.count > 1 ? files[1] : "") + "\n"])
        let result = try Self.adopt(["S", "--output", "D", "--rewrite"], in: scratch.url)
        let isRewritten = reason.isEmpty
        #expect(result.error.contains("\(isRewritten ? 1 : 0) of them can be rewritten"), "\(result.error)")
        #expect(isRewritten || result.code == 1 && result.out.contains(reason), "\(result.out)")
        #expect(try scratch.read("S/A.swift").contains(".post(") == isRewritten)
    }

    @Test("The options --calls and --logger name functions and loggers of the app")
    func ownNames() throws {
        let scratch = try Scratch([
            "S/A.swift": """
            enum Analytics { static func logEvent(_ name: String, parameters: [String: Any]?) {} }
            #if os(watchOS)
            enum Analytics { static func logEvent(_ name: String, parameters: [String: Any]?) {} }
            #endif
            final class AppLogger {}
            struct S {
                let logger: AppLogger
                func f() { Analytics.logEvent("e", parameters: nil) }
            }

            """
        ])
        let result = try Self.adopt(
            ["S", "--calls", "Analytics.logEvent(_:parameters:)", "--logger", "logger"], in: scratch.url)
        #expect(result.code == 0 && result.out.contains("+    func f() { logger.post(AppEvents.e) }"), "\(result.out)")
    }

    @Test("A call in a type that nests another type of the receiver's name is uncertain")
    func nestedReceiver() throws {
        let function = "static func track(_ name: String, parameters: [String: Any]?) {}"
        let scratch = try Scratch([
            "S/A.swift": "enum Analytics { \(function) }\n",
            "S/B.swift": "enum Debug {\n    enum Analytics { \(function) }\n"
                + "    static func f() { Analytics.track(\"e\", parameters: nil) }\n}\n",
        ])
        let result = try Self.adopt(["S", "--calls", "Analytics.track(_:parameters:)"], in: scratch.url)
        #expect(
            result.code == 1 && result.out.contains("the sources declare `Analytics` with another meaning"),
            "\(result.out)")
    }

    @Test("The definitions combine the calls of an event, and report conflicts with both places")
    func definitions() throws {
        let scratch = try Scratch([
            "S/A.swift": """
            func a(_ id: Int64) {
                Analytics.logEvent("open", parameters: ["id_a": id, "note": 1.5, "kind": 1])
            }

            """,
            "S/B.swift": "func b() { Analytics.logEvent(\"open\", parameters: [\"id_a\": 3, \"kind\": \"x\"]) }\n",
        ])
        let result = try Self.adopt(["S", "--category", "shop"], in: scratch.url)
        #expect(result.code == 1)
        #expect(
            result.out.contains(
                "S/B.swift:1:63: warning: `kind` of `open` is `string` here and `int` at S/A.swift:2:70: it becomes "
                    + "`string`"), "\(result.out)")
        for row in ["| id_a   | int     |", "| note   | double? |", "| kind   | string  |"] {
            #expect(result.out.contains(row), "\(row) in \(result.out)")
        }
        #expect(result.out.contains("=== shop.md\n# shop\n\n## open\n"))
    }

    // MARK: Files

    @Test("Line ends, a byte-order mark, a link and the imports of a file are kept")
    func files() throws {
        let scratch = try Scratch([
            "S/Windows.swift":
                "\u{FEFF}// Head.\r\n\r\n/// Documented.\r\nfunc a() {\r\n    Analytics.logEvent(\r\n        \"a\",\r\n"
                + "        parameters: [\"x\": 1])\r\n}\r\n",
            "Other/Real.swift":
                "import Foundation // why\nimport Logs\nfunc b() {\n\tAnalytics.logEvent(\"b\", parameters: nil) }",
            "S/.build/Hidden.swift": "func c() { Analytics.logEvent(\"hidden\", parameters: nil) }\n",
            "S/Made.swift":
                "// Generated by loggen from a.md. Do not edit.\n"
                + "func d() { Analytics.logEvent(\"made\", parameters: nil) }\n",
        ])
        try scratch.link("S/Link.swift", to: "../Other/Real.swift")
        try scratch.link("S/Twin.swift", to: "Windows.swift")
        let result = try Self.adopt(
            ["S", "Other", "--output", "D", "--rewrite", "--import", "Logs", "--logger", "Log.shared"], in: scratch.url)
        #expect(result.code == 0, "\(result.out)\(result.error)")
        #expect(
            try scratch.read("S/Windows.swift")
                == "\u{FEFF}// Head.\r\n\r\nimport Logs\r\n\r\n/// Documented.\r\nfunc a() {\r\n"
                + "    Log.shared.post(AppEvents.a(x: 1))\r\n}\r\n")
        #expect(
            try scratch.read("Other/Real.swift")
                == "import Foundation // why\nimport Logs\nfunc b() {\n\tLog.shared.post(AppEvents.b) }")
        let link = try FileManager.default.destinationOfSymbolicLink(
            atPath: scratch.url.appendingPathComponent("S/Link.swift").path)
        #expect(link == "../Other/Real.swift" && !result.out.contains("hidden") && !result.out.contains("made"))
    }

    @Test("A file that a link includes from outside of the given paths is listed, but not changed")
    func linksToOtherProjects() throws {
        let call = "func a() { Analytics.logEvent(\"a\", parameters: nil) }\n"
        let scratch = try Scratch(["S/Own.swift": "// Own.\n", "Other/A.swift": call, "Other/Deep/B.swift": call])
        for (name, target) in [("A.swift", "../Other/A.swift"), ("Deep", "../Other/Deep")] {
            try scratch.link("S/\(name)", to: target)
        }
        let result = try Self.adopt(["S", "--output", "D", "--rewrite"], in: scratch.url)
        #expect(result.code == 1)
        #expect(
            result.out.contains("S/A.swift:1:12: a link includes its file from outside of the given paths: `"),
            "\(result.out)")
        #expect(try scratch.read("Other/A.swift") == call && scratch.read("Other/Deep/B.swift") == call)
        let given = try Self.adopt(["S/A.swift", "--output", "E", "--rewrite"], in: scratch.url)
        #expect(given.code == 0)
        #expect(try scratch.read("Other/A.swift").contains("activityLogger.post"))
    }

    @Test("A file that is not Swift, not UTF-8 or of another run is not changed")
    func unreadable() throws {
        let scratch = try Scratch([
            "S/Broken.swift": "func a( {\n    Analytics.logEvent(\"a\", parameters: nil)\n",
            "S/Good.swift": "func b() { Analytics.logEvent(\"b\", parameters: nil) }\n",
            "D/app_events.md": "# app_events\n\nOf a person.\n",
        ])
        let latin =
            Data("// caf".utf8) + [0xE9] + Data("\nfunc c() { Analytics.logEvent(\"c\", parameters: nil) }\n".utf8)
        try latin.write(to: scratch.url.appendingPathComponent("S/Latin.swift"))
        let before = try scratch.read("S/Good.swift")
        let result = try Self.adopt(["S", "--output", "D", "--rewrite"], in: scratch.url)
        #expect(result.code == 2)
        #expect(result.error.contains("cannot write `D/app_events.md`: it exists with other content"))
        #expect(result.out.contains("S/Broken.swift:2:5: its file has syntax errors"), "\(result.out)")
        #expect(result.out.contains("S/Latin.swift:2:12: its file is not UTF-8"))
        #expect(try scratch.read("S/Good.swift") == before)
        #expect(try scratch.read("D/app_events.md") == "# app_events\n\nOf a person.\n")

        let other = try Self.adopt(["S", "--output", "E", "--rewrite"], in: scratch.url)
        #expect(other.code == 1)
        #expect(try scratch.read("S/Good.swift") == "func b() { activityLogger.post(AppEvents.b) }\n")
        #expect(try Data(contentsOf: scratch.url.appendingPathComponent("S/Latin.swift")) == latin)
        #expect(try scratch.read("S/Broken.swift").contains("Analytics.logEvent"))
    }

    @Test("An import in `#if` is added again, and comments that span lines stay whole")
    func imports() throws {
        let call = "func a() { Analytics.logEvent(\"a\", parameters: nil) }\n"
        let rewritten = "func a() { activityLogger.post(AppEvents.a) }\n"
        let scratch = try Scratch([
            "S/A.swift": "import Foundation\n#if DEBUG\nimport Logs\n#endif\n" + call,
            "S/B.swift": "import Foundation /* a\n\nb */\n" + call,
            "S/C.swift": "/* a\n\nb */\n" + call,
            "S/D.swift": "import Foundation; let all = [\n    1\n]\n" + call,
        ])
        let result = try Self.adopt(["S", "--output", "D", "--rewrite", "--import", "Logs"], in: scratch.url)
        #expect(result.code == 0, "\(result.out)\(result.error)")
        for (file, head) in [
            "A": "import Foundation\nimport Logs\n#if DEBUG\nimport Logs\n#endif\n",
            "B": "import Foundation\nimport Logs /* a\n\nb */\n",
            "C": "import Logs\n\n/* a\n\nb */\n",
            "D": "import Foundation\nimport Logs; let all = [\n    1\n]\n",
        ] {
            #expect(try scratch.read("S/\(file).swift") == head + rewritten)
        }
    }

    @Test(
        "A file that cannot be replaced keeps all other files, and no definitions are written",
        .enabled(if: Tool.canMakeImmutable), arguments: [true, false])
    func immutable(_ isFolderNew: Bool) throws {
        let scratch = try Scratch([
            "S/A.swift": "func a() { Analytics.logEvent(\"a\", parameters: nil) }\n",
            "S/B.swift": "func b() { Analytics.logEvent(\"b\", parameters: nil) }\n",
        ])
        if !isFolderNew { try scratch.write("", to: "D/mine.txt") }
        let (files, paths) = (try scratch.files(), scratch.paths())
        #expect(try Tool.command(["chattr", "+i", "S/B.swift"], in: scratch.url).code == 0)
        defer { _ = try? Tool.command(["chattr", "-i", "S/B.swift"], in: scratch.url) }
        let result = try Self.adopt(["S", "--output", "D", "--rewrite"], in: scratch.url)
        #expect(result.code == 2 && result.error.contains("cannot write `S/B.swift`"), "\(result.error)")
        #expect(try scratch.files() == files)
        #expect(scratch.paths() == paths, "no folder and no temporary file stays")
    }

    @Test("Nested code and names with control characters do not end the command")
    func hostile() throws {
        let nested = String(repeating: "(", count: 200) + "1" + String(repeating: ")", count: 200)
        let scratch = try Scratch([
            "S/A.swift": """
            func a(_ x: String?) {
                if let x = x { Analytics.logEvent("bound", parameters: ["x": x]) }
                Analytics.logEvent("deep", parameters: ["z": \(nested)])
                Analytics.logEvent("esc\\u{1B}[31m", parameters: nil)
            }

            """
        ])
        let result = try Self.adopt(["S"], in: scratch.url)
        #expect(result.code == 1, "\(result.error)")
        #expect(result.out.contains("AppEvents.bound\n  S/A.swift:") && !result.out.contains("\u{1B}"))
    }

    // MARK: The article

    @Test("The article shows the report of its sample, and the written definitions pass lint")
    func article() throws {
        let blocks = try Self.blocks(of: "Sources/Generator/loggen/Documentation.docc/Adopt.md")
        let sample = try #require(blocks.first { $0.head == "swift" })
        let example = try String(
            contentsOf: Self.folder.appendingPathComponent("Article/AdoptExample.swift"), encoding: .utf8)
        #expect(example.hasSuffix(sample.text))
        let scratch = try Scratch(["App/AdoptExample.swift": example])
        let commands = blocks.filter { $0.head == "sh" }.map { $0.text.split(separator: "\n").map(String.init) }
        #expect(commands.count == 3)
        func run(_ command: String) throws -> Tool.Result {
            var words = command.split(separator: " ").map { String($0).replacingOccurrences(of: "'", with: "") }
            let tool = words.removeFirst()
            return try Tool.launch(tool == "tapgen" ? TapPackage.tapgen() : Tool.executable, words, in: scratch.url)
        }
        let shown = try run(commands[0][0])
        for output in blocks where output.head == "text output" {
            #expect(shown.out.contains(output.text), "\(output.text) in \(shown.out)")
        }
        #expect(try run(commands[2][0]).code == 1)
        #expect(try run(commands[1][0]).error.contains("1 file rewritten"))
        #expect(try run(commands[1][1]).code == 0)
    }

    private static func blocks(of file: String) throws -> [(head: String, text: String)] {
        let text = try Tool.text(of: file)
        return text.components(separatedBy: "\n```").enumerated().filter { $0.offset % 2 == 1 }.map {
            let lines = $0.element.split(separator: "\n", maxSplits: 1, omittingEmptySubsequences: false)
            return (String(lines[0]), lines.count > 1 ? lines[1] + "\n" : "")
        }
    }

    // MARK: The command

    @Test(
        "Invalid arguments end with exit code 2 and a message",
        arguments: [
            ([], "Missing expected argument"), (["missing"], "no such file"),
            (["S", "--calls", "track"], "has no parameters"),
            (["S", "--calls", "track(event)"], "has no labels"), (["S", "--calls", ","], "contains no function"),
            (["S", "--calls", "track(a=value:)"], "has no role"),
            (["S", "--calls", "track(a=parameters:)"], "has no name"),
            (["S", "--calls", "1x(_:)"], "not the name of a function"), (["S", "--rewrite"], "needs `--output`"),
            (["S", "--category", "Shop"], "not a category's name"),
            (["S", "--import", "a b"], "not the name of a module"),
            (["S", "--category", "taken"], "`S/A.swift:1` already declares `Taken`"),
            (["S", "--category", "hidden"], "`S/A.swift:2` already declares `Hidden`"),
        ] as [([String], String)])
    func misuse(_ arguments: [String], _ message: String) throws {
        let scratch = try Scratch(["S/A.swift": "enum Taken {}\nfunc f<Hidden>(_ x: Hidden) {}\n"])
        let result = try Self.adopt(arguments, in: scratch.url)
        #expect(result.code == 2 && result.error.contains(message) && result.out.isEmpty, "\(result.error)")
    }

    @Test("Sources without calls end with exit code 1 and a hint; the help names the notation")
    func nothing() throws {
        let scratch = try Scratch(["S/A.swift": "func a() {}\n"])
        let result = try Self.adopt(["S"], in: scratch.url)
        #expect(result.code == 1 && result.error.contains("name the functions that log events with `--calls`"))
        let help = try Self.adopt(["--help"], in: scratch.url)
        #expect(help.code == 0 && help.out.contains("report(page:label=name:values=parameters:)"))
    }
}
