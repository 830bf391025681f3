import Foundation
import LogDefinitions
import Testing
import TestSupport

/// Tests of the command line: help, exit codes, formats of diagnostics.
struct CommandTests {
    static let broken = [
        "Definitions/search.md": "# search\n\n## show\n\n| カラム | 型 |\n| --- | --- |\n| 位置 `x`, y | strng |\n"
    ]

    @Test("A file to exclude exists") func excludedFile() throws {
        let scratch = try Scratch(["D/search.md": "# search\n"])
        try scratch.expect(
            "lint D --exclude search.md", code: 2,
            error: "`--exclude search.md` names no file. The path is relative to the working directory.")
    }

    @Test(
        "Help goes to standard output",
        arguments: [["--help"], ["lint", "--help"], ["generate", "--help"], ["help", "format"]])
    func helpGoesToStandardOutput(_ arguments: [String]) throws {
        let scratch = try Scratch()
        let result = try Tool.run(arguments, in: scratch.url)
        #expect(result.code == 0)
        #expect(result.out.contains("USAGE: loggen"))
        #expect(result.error == "")
    }

    @Test("A working directory that no longer exists is reported, and absolute paths still work")
    func missingWorkingDirectory() throws {
        let scratch = try Scratch(["D/search.md": "# search\n"])
        for (path, code) in [(".", Int32(2)), ("search.md", 2), (scratch.url.appendingPathComponent("D").path, 0)] {
            let script = "mkdir x && cd x && rmdir ../x && exec \"$0\" lint \"$1\""
            let result = try Tool.shell(script, path, in: scratch.url)
            #expect(result.code == code, "\(path): \(result.error)")
            #expect(code == 0 || result.error.contains("`\(path)`"), "\(result.error)")
        }
    }

    @Test("An unknown output gets a suggestion") func anUnknownOutputIsSuggested() throws {
        let scratch = try Scratch(["search.md": "# search\n"])
        let result = try scratch.expect("search.md --only json-shema", code: 2)
        #expect(result.error == "loggen: error: unknown output `json-shema`: did you mean `json-schema`?\n")
    }

    @Test("Warnings fail only with `--strict`") func warningsFailOnlyWhenStrict() throws {
        let scratch = try Scratch(["search.md": "Text.\n\n# search\n"])
        try scratch.expect("lint search.md")
        let strict = try scratch.expect("lint search.md --strict", code: 1)
        #expect(strict.error.hasSuffix("loggen: 1 warning in 1 file\n"))
        #expect(
            try scratch.loggen("lint search.md --quiet").error.hasPrefix("search.md:1:1: warning: "))
    }

    @Test("Only `lint` reports expired events") func onlyLintReportsExpiredEvents() throws {
        let scratch = try Scratch([
            "search.md": "# search\n\n## show\n\n| key | value |\n| --- | --- |\n| expires | 2027-03-31 |\n"
        ])
        try scratch.expect("lint search.md --strict --today 2027-03-31")
        let late = try scratch.expect("lint search.md --strict --today 2027-04-01", code: 1)
        #expect(late.error.hasPrefix("search.md:7:13: warning: expired on 2027-03-31 [expired]\n"))
        // 2027-03-31T23:59:59Z, the second after it, and a value that is not a time.
        for (epoch, code) in [("1806537599", Int32(0)), ("1806537600", 1), ("1e999", 0)] {
            let result = try Tool.run(
                "lint", "search.md", "--strict", in: scratch.url,
                environment: ["SOURCE_DATE_EPOCH": epoch, "TZ": "Asia/Tokyo"])
            #expect(result.code == code, "\(epoch): \(result.error)")
        }
        try scratch.write(
            "# search\n\n## show\n\n| key | value |\n| --- | --- |\n| expires | 2001-01-01 |\n", to: "search.md")
        let generated = try scratch.expect("generate search.md")
        #expect(!generated.error.contains("expired"))
    }

    // MARK: Formats of diagnostics

    @Test("JSON has one object per line") func jsonIsOneObjectALine() throws {
        let scratch = try Scratch(Self.broken)
        let result = try scratch.expect("lint Definitions --diagnostics json", code: 1)
        let objects = try result.out.split(separator: "\n").map {
            try JSONSerialization.jsonObject(with: Data($0.utf8)) as? [String: Any] ?? [:]
        }
        #expect(objects.count == 1)
        let first = try #require(objects.first)
        #expect(Set(first.keys) == ["file", "line", "column", "endColumn", "severity", "rule", "message", "notes"])
        #expect(first["file"] as? String == "Definitions/search.md")
        #expect(first["line"] as? Int == 7)
        #expect(first["column"] as? Int == 3)
        #expect(first["endColumn"] as? Int == 12)
        #expect(first["severity"] as? String == "error")
        #expect(first["rule"] as? String == "identifier")
    }

    @Test("GitHub annotations have a file and a line") func githubAnnotatesFileAndLine() throws {
        let scratch = try Scratch(["a,b:c/search.md": "# search\n\n## show\n\n## show\n"])
        let result = try scratch.expect("lint a,b:c --diagnostics github", code: 1)
        #expect(
            result.out
                == "::error file=a%2Cb%3Ac/search.md,line=5,col=4,endColumn=8,title=duplicate-event::the event `show` is defined twice%0Anote: the first one is here%0Ahelp: rename or delete one of them; in a table of events, an empty cell continues the event above\n"
        )
    }

    @Test("SARIF has rules, results and related locations") func sarifHasRulesResultsAndRelatedPlaces() throws {
        let scratch = try Scratch(["定 義/search.md": "# search\n\n## show\n\n## show\n"])
        let result = try Tool.run("lint", "定 義", "--diagnostics", "sarif", in: scratch.url)
        let log = try #require(try JSONSerialization.jsonObject(with: Data(result.out.utf8)) as? [String: Any])
        #expect(log["version"] as? String == "2.1.0")
        let run = try #require((log["runs"] as? [[String: Any]])?.first)
        let results = try #require(run["results"] as? [[String: Any]])
        #expect(results.count == 1)
        #expect(results[0]["ruleId"] as? String == "duplicate-event")
        let location = try #require(
            (results[0]["locations"] as? [[String: Any]])?.first?["physicalLocation"] as? [String: Any])
        #expect(
            (location["artifactLocation"] as? [String: Any])?["uri"] as? String == "%E5%AE%9A%20%E7%BE%A9/search.md")
        #expect((location["region"] as? [String: Any])?["startLine"] as? Int == 5)
        #expect((results[0]["relatedLocations"] as? [Any])?.count == 1)
    }

    @Test("Color is only for terminals, unless requested") func colourIsForTerminalsUnlessAskedFor() throws {
        let scratch = try Scratch(Self.broken)
        #expect(!(try scratch.loggen("lint Definitions").error.contains("\u{1B}")))
        #expect(
            try scratch.loggen("lint Definitions --color always").error.contains(
                "\u{1B}[1;31merror: "))
    }

    // MARK: Configuration

    @Test("The configuration may be next to the definitions") func configurationMayBeNextToTheDefinitions() throws {
        let scratch = try Scratch([
            "Definitions/search.md": GenerateTests.search,
            "Definitions/loggen.yml": """
            outputs:
              swift:
                to: ../App/Logs
                access: package
            name-length: 20
            rules:
              stray-text: off
            """,
        ])
        try scratch.expect("Definitions")
        #expect(Set(try scratch.files(under: "App").keys) == ["Logs/Search.swift"])
        #expect(try scratch.read("App/Logs/Search.swift").contains("package enum Search"))
        #expect(scratch.contains("Generated") == false)
        // The result is the same from another folder.
        let again = try Tool.run("search.md", in: scratch.url.appendingPathComponent("Definitions"))
        #expect(again.out.contains("0 written, 1 unchanged"))
    }

    @Test("The configuration may be above the definitions") func configurationAboveTheDefinitions() throws {
        let scratch = try Scratch([
            "App/loggen.yml": "definitions: Logs/\noutputs: {swift: {to: Code}}\n",
            "App/Logs/search.md": GenerateTests.search,
            "App/notes.md": "No definition.\n",
        ])
        try scratch.expect("App")
        try scratch.expect("lock App")
        try scratch.expect("check App")
        #expect(
            Set(try scratch.files(under: "App").keys) == [
                "loggen.yml", "notes.md", "Code/Search.swift", "Logs/search.md", "Logs/loggen.lock",
            ])
        try scratch.expect("check App/Logs")
        try scratch.expect("check App/Logs --config App/loggen.yml")
    }

    @Test("The configuration may be elsewhere") func aConfigurationElsewhere() throws {
        let scratch = try Scratch([
            "Definitions/search.md": "text\n\n# search\n", "conf/mine.yml": "rules: {stray-text: error}\n",
        ])
        try scratch.expect("lint Definitions")
        try scratch.expect("lint Definitions --config conf/mine.yml", code: 1)
        try scratch.expect("lint Definitions --config conf/no.yml", code: 2)
    }

    /// Settings, and a part of the message for each.
    static let mistakes = TextCase.all("configuration-mistakes.txt")

    @Test("The file has mistakes") func count() { #expect(Self.mistakes.count > 15) }

    @Test("Mistakes in the configuration have a source location", arguments: mistakes)
    func mistakesInTheConfigurationHaveAPlace(_ mistake: TextCase) throws {
        let scratch = try Scratch(["D/search.md": "# search\n", "D/loggen.yml": mistake.parts[0] + "\n"])
        try scratch.expect("generate D", code: 1, error: mistake.parts[1])
        #expect(scratch.contains("Generated") == false)
    }

    // MARK: Templates

    @Test("A custom template may replace a built-in one") func aTemplateMayReplaceOurs() throws {
        let scratch = try Scratch(["D/search.md": GenerateTests.search, "T/swift.mustache": "// {{header}}\n// mine\n"])
        try scratch.expect("D --templates T --only swift")
        #expect(try scratch.read("Generated/Swift/Search.swift").hasSuffix("// mine\n"))
    }

    static let templateMistakes: [(text: String, message: String)] = [
        (
            "{{header}}\n{{heder}}\n",
            "T/names.txt.mustache:2:1: error: unknown field `heder` [template]\n    {{heder}}\n    ^~~~~~~~~\nhelp: did you mean `header`?\n"
        ),
        (
            "{{header}}\n{{#events}}{{/events}}\n",
            "unknown field `events` [template]\n    {{#events}}{{/events}}\n    ^~~~~~~~~~~\nhelp: write it inside of `{{#category}}…{{/category}}`\n"
        ),
        (
            "no header\n",
            "T/names.txt.mustache:1:1: error: the template does not print `{{header}}`, which tells people and tools that a file is generated [template]\n"
        ),
    ]

    @Test("Mistakes in a template have a source location", arguments: templateMistakes)
    func mistakesInATemplateHaveASourceLocation(_ mistake: (text: String, message: String)) throws {
        let scratch = try Scratch(["D/search.md": "# search\n", "T/names.txt.mustache": mistake.text])
        try scratch.expect("D --templates T", code: 1, error: mistake.message)
        #expect(scratch.contains("Generated") == false)
        // A template that the configuration names is linted, too.
        try scratch.write("templates: ../T\n", to: "D/loggen.yml")
        try scratch.expect("lint D", code: 1, error: mistake.message)
    }

    @Test(
        "The header has to be printed in every file",
        arguments: [
            ("# {{header}}\n{{#category}}x{{/category}}\n", true),
            ("{{#category}}# {{header}}\n{{name}}{{/category}}\n", true),
            ("{{#category}}{{header}}{{/category}}{{#common}}{{header}}{{/common}}\n", true),
            ("{{#category}}{{header}}{{/category}}\n{{file}}\n", false),
            ("{{#category}}{{header}}{{/category}} text\n", false),
            ("{{#category}}{{header}}{{/category}}{{#common}}x{{/common}}\n", false),
            ("{{#types}}{{header}}{{/types}}\n", false),
            ("{{#category}}{{#events}}{{header}}{{/events}}{{/category}}\n", false),
            ("{{^category}}{{header}}{{/category}}{{#category}}x{{/category}}\n", false),
        ]) func theHeaderIsPrintedWhereverAnythingIs(_ template: String, _ isFine: Bool) throws
    {
        let scratch = try Scratch(["D/search.md": "# search\n\n## show\n", "T/names.txt.mustache": template])
        let result = try scratch.expect("D --templates T --only names", code: isFine ? 0 : 1)
        #expect(isFine || result.error.contains("in a section that may print nothing"), "\(result.error)")
    }

    @Test("A header after the first 4096 bytes is rejected") func headerAfterTheFirstBytesIsRejected() throws {
        let scratch = try Scratch([
            "D/search.md": "# search\n",
            "T/names.txt.mustache": String(repeating: "words and more words\n", count: 300) + "{{header}}\n",
        ])
        try scratch.expect(
            "D --templates T --only names", code: 2, error: "the header is missing from the first 4096 bytes")
    }

    // MARK: Other commands

    @Test("`dump` prints only the model") func dumpPrintsTheModelAlone() throws {
        let scratch = try Scratch(["D/search.md": GenerateTests.search])
        let result = try scratch.expect("dump D")
        let model = try #require(try JSONSerialization.jsonObject(with: Data(result.out.utf8)) as? [String: Any])
        #expect(model["loggen"] as? Int == 1)
        let failed = try scratch.expect("dump D --config D/search.md", code: 1)
        #expect(failed.out == "")
    }

    @Test("`format` rewrites only files that are not in canonical form")
    func formatRewritesOnlyWhatIsNotCanonical() throws {
        let canonical = "# search\n\n## show\n\n| column    | type  |\n| --------- | ----- |\n| recipe_id | int64 |\n"
        let scratch = try Scratch([
            "D/search.md": "# search\n\n## show\n\n|column|type|\n|-|-|\n|recipe_id|int64|\n", "D/home.md": "# home\n",
        ])
        let check = try scratch.expect("format --check D", code: 1)
        #expect(check.error.hasPrefix("D/search.md: the file is not in canonical form\nhelp: run `loggen format D`\n"))
        try scratch.expect("format D")
        #expect(try scratch.read("D/search.md") == canonical)
        try scratch.expect("format --check D")
    }

    @Test("Rules are listed with examples") func rulesAreListedWithExamples() throws {
        let scratch = try Scratch()
        try scratch.expect("rules", out: "column-type")
        let one = try scratch.loggen("rules column-type")
        #expect(one.out.contains("\n  valid:\n"))
        #expect(one.out.contains("\n  invalid:\n"))
    }

    @Test("A rule that is off by default can be enabled")
    func configurationCanEnableARuleThatIsOff() throws {
        let scratch = try Scratch(["D/search.md": "# search\n\n## show\n"])
        let rules = try scratch.loggen("rules").out.split(separator: "\n")
        #expect(rules.contains { $0.hasPrefix("require-owner ") && $0.contains("  off ") })
        try scratch.expect("lint D --strict")
        for (severity, code, isSaid) in [("warning", 0, true), ("error", 1, true), ("off", 0, false)]
            as [(String, Int32, Bool)]
        {
            try scratch.write("rules: {require-owner: \(severity)}\n", to: "D/loggen.yml")
            let result = try scratch.loggen("lint D")
            #expect(result.code == code, "\(severity)")
            #expect(
                result.error.contains("\(severity): the event `show` has no owner [require-owner]") == isSaid,
                "\(severity)")
        }
    }

    @Test("SARIF marks the rules that are off") func sarifMarksDisabledRules() throws {
        let scratch = try Scratch(["D/search.md": "# search\n\n## show\n"])
        let result = try scratch.loggen("lint D --diagnostics sarif")
        let log = try #require(try JSONSerialization.jsonObject(with: Data(result.out.utf8)) as? [String: Any])
        let tool = try #require((log["runs"] as? [[String: Any]])?.first?["tool"] as? [String: Any])
        let rules = try #require((tool["driver"] as? [String: Any])?["rules"] as? [[String: Any]])
        let off = rules.filter { ($0["defaultConfiguration"] as? [String: Any])?["enabled"] as? Bool == false }
            .compactMap { $0["id"] as? String }
        #expect(off.contains("require-owner"))
        #expect(off == Rule.all.filter { $0.defaultSeverity == nil }.map(\.name))
    }

    @Test("Templates are listed with their fields") func templatesAreListedWithTheirFields() throws {
        let scratch = try Scratch()
        try scratch.expect("templates", out: "header")
        let shown = try scratch.loggen("templates swift")
        #expect(shown.out.contains("{{header}}"))
    }
}
