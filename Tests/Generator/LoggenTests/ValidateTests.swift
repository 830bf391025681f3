import Foundation
import Testing
import TestSupport

/// Tests of the exit codes, formats and files of `loggen validate`.
struct ValidateTests {
    static let search = """
        # search

        | key | value |
        | --- | --- |
        | owner | @search-team |

        ## show

        | column | type |
        | --- | --- |
        | position | int(0...) |
        | order | enum(newest, popular)? |

        ## leave

        """

    static func record(_ event: String = "show", _ columns: String = #","position":1"#, app: String = "") -> String {
        #"{"event_id":"01890a5d-ac96-774b-bcce-b302099a8057","event_category":"search","event_name":"\#(event)","schema_version":"1-0-0","occurred_at":"2026-04-01T12:34:56.789Z"\#(columns)}"#
            + "\n"
    }

    static let good = record()
    static let bad = record("show", #","position":-1"#)

    private func scratch(_ files: [String: String] = [:]) throws -> Scratch {
        try Scratch(files.merging(["Definitions/search.md": Self.search]) { own, _ in own })
    }

    private func validate(_ arguments: String..., in scratch: borrowing Scratch, input: String? = nil) throws
        -> Tool.Result
    {
        try Tool.run(["validate", "--definitions", "Definitions"] + arguments, in: scratch.url, input: input)
    }

    @Test("Standard input is not replaced") func standardInputIsKept() throws {
        let scratch = try Scratch(["D/q.md": "# q\n\n## buy\n", "x.ndjson": "{\"bad\":1}\n"])
        for target in ["--good x.ndjson", "--bad x.ndjson", "--split ."] {
            let result = try Tool.shell("\"$0\" validate --definitions D \(target) --force <x.ndjson", in: scratch.url)
            #expect(result.code == 2 && result.error.contains("standard input is read from it"), "\(result)")
            #expect(try scratch.read("x.ndjson") == "{\"bad\":1}\n")
        }
    }

    @Test("Valid records print only the summary") func goodRecordsAreSilentButForTheSummary() throws {
        let scratch = try scratch(["events.ndjson": Self.good + Self.good])
        let result = try validate("events.ndjson", in: scratch)
        #expect(result.code == 0)
        #expect(result.out == "")
        #expect(result.error == "loggen: 2 records: 2 valid; 1 with a repeated event_id\n")
        #expect(try validate("--quiet", "events.ndjson", in: scratch).error == "")
    }

    @Test("A bad record is reported with its line and its definition")
    func aBadRecordIsNamedWithItsLineAndItsDefinition() throws {
        let scratch = try scratch(["events.ndjson": Self.good + "\n" + Self.bad])
        let result = try validate("events.ndjson", in: scratch)
        #expect(result.code == 1)
        #expect(result.out == "events.ndjson:3: search.show: position: -1 is below 0 [Definitions/search.md:11:3]\n")
        #expect(
            result.error == "loggen: 2 records: 1 valid, 1 bad (1 violation); 1 with a repeated event_id\n")
    }

    @Test("Without a file, standard input is read") func standardInputIsReadIfNoFileIsNamed() throws {
        let scratch = try scratch()
        #expect(try validate(in: scratch, input: Self.good).code == 0)
        #expect(try validate("-", in: scratch, input: Self.bad).out.hasPrefix("<stdin>:1: "))
        #expect(try validate("-", in: scratch, input: "\u{FEFF}" + Self.good).code == 0)
    }

    @Test("Input without records is a failure", arguments: ["", "\n\n", " ", "[]", "\u{FEFF}"])
    func noRecordsAreAFailure(_ input: String) throws {
        let scratch = try scratch()
        let result = try validate(in: scratch, input: input)
        #expect(result.code == 1)
        #expect(result.error.contains("no records were found: nothing has been checked"))
    }

    @Test("Wrong usage exits with code 2") func wrongUseEndsWith2() throws {
        let scratch = try scratch(["events.ndjson": Self.good])
        try scratch.expect("validate events.ndjson", code: 2)
        try scratch.expect("validate --definitions nowhere events.ndjson", code: 2)
        for arguments in [
            ["missing.ndjson"], ["Definitions"], ["--limit", "-1", "events.ndjson"], ["--format", "xml"], ["-", "-"],
            ["--require-seen", "serach", "events.ndjson"],
        ] {
            let result = try Tool.run(["validate", "--definitions", "Definitions"] + arguments, in: scratch.url)
            #expect(result.code == 2, "\(arguments)")
            #expect(result.out == "")
            #expect(result.error.contains("rror"))
        }
        #expect(
            try validate("--require-seen", "serach", "events.ndjson", in: scratch).error.contains(
                "did you mean `search`?"))
    }

    @Test("With errors in the definitions, nothing is validated") func definitionsWithErrorsJudgeNothing() throws {
        let scratch = try Scratch([
            "Definitions/search.md": CommandTests.broken["Definitions/search.md"] ?? "", "events.ndjson": Self.good,
        ])
        let result = try validate("events.ndjson", in: scratch)
        #expect(result.code == 1)
        #expect(result.error.contains("Definitions/search.md:7:"))
    }

    // MARK: Inputs

    @Test("Gzip is detected by its bytes") func gzipIsKnownByItsBytes() throws {
        let scratch = try scratch(["a.ndjson": Self.good + Self.bad, "b.ndjson": Self.good])
        let gzip = { (arguments: String) in
            try Tool.shell(arguments, in: scratch.url).code
        }
        // Two consecutive members
        #expect(try gzip("gzip -k a.ndjson b.ndjson && cat a.ndjson.gz b.ndjson.gz > both") == 0)
        #expect(
            try validate("both", in: scratch).error
                == "loggen: 3 records: 2 valid, 1 bad (1 violation); 2 with a repeated event_id\n")
        for count in [2, 11, 30, 60] {
            #expect(try gzip("head -c \(count) a.ndjson.gz > cut.gz") == 0)
            let result = try validate("cut.gz", in: scratch)
            #expect(result.code == 2)
            #expect(result.error == "loggen: error: cannot read `cut.gz`: the gzip data is cut off\n")
        }
        #expect(try gzip("(head -c 30 a.ndjson.gz; echo nonsense) > damaged.gz") == 0)
        #expect(try validate("damaged.gz", in: scratch).error.contains("is damaged"))
        #expect(try gzip("(cat a.ndjson.gz; echo nonsense) > trailing.gz") == 0)
        #expect(try validate("trailing.gz", in: scratch).code == 2)
    }

    @Test("The elements of an array are records") func elementsOfAnArrayAreRecords() throws {
        let scratch = try scratch(["events.json": "[\n" + Self.good + ",\n" + Self.bad + "]\n"])
        let result = try validate("events.json", in: scratch)
        #expect(result.code == 1)
        #expect(result.out.hasPrefix("events.json:4: search.show: position: "))
        #expect(
            result.error == "loggen: 2 records: 1 valid, 1 bad (1 violation); 1 with a repeated event_id\n")
        try scratch.write("[" + Self.good, to: "cut.json")
        #expect(try validate("cut.json", in: scratch).error == "loggen: 2 records: 1 valid, 1 bad (1 violation)\n")
    }

    @Test(
        "A record that is nested too deeply is rejected early, and the next line is validated",
        arguments: [false, true])
    func deepNesting(isArray: Bool) throws {
        let scratch = try scratch()
        // The line is longer than a block of the reader, which keeps only a small part of it.
        let levels = 3_000_000
        let deep =
            #"{"position":"# + String(repeating: "[", count: levels) + String(repeating: "]", count: levels) + "}\n"
        let input = isArray ? "[" + deep + "," + Self.good + "]" : deep + Self.good
        let result = try validate(in: scratch, input: input)
        #expect(result.out.contains("the record is nested deeper than 512 levels"))
        #expect(result.error == "loggen: 2 records: 1 valid, 1 bad (1 violation)\n")
    }

    @Test("A long line is a record") func aLongLineIsARecord() throws {
        let scratch = try scratch()
        let long = Self.record("show", #","position":1,"note":"\#(String(repeating: "x", count: 5_000_000))""#)
        try scratch.write(Self.good + long + Self.good, to: "long.ndjson")
        let result = try validate("long.ndjson", in: scratch)
        #expect(
            result.out
                == "long.ndjson:2: search.show: note: the definition has no such column [Definitions/search.md:7:4]\n")
        #expect(
            result.error == "loggen: 3 records: 2 valid, 1 bad (1 violation); 2 with a repeated event_id\n")
    }

    @Test("Blank lines are counted but not kept") func blankLinesAreCountedAndNotKept() throws {
        let blanks = String(repeating: " \n", count: 700_000)
        let scratch = try scratch(["blank.ndjson": blanks + Self.bad, "blank.json": blanks + "[\(Self.bad)]"])
        #expect(try validate("blank.ndjson", in: scratch).out.hasPrefix("blank.ndjson:700001: "))
        #expect(try validate("blank.json", in: scratch).out.hasPrefix("blank.json:700001: "))
        #expect(try validate(in: scratch, input: "\u{FEFF}\u{FEFF}" + Self.good).out.contains("invalid JSON"))
    }

    @Test("Lines are counted in each file") func linesAreCountedInEachFile() throws {
        let many = String(repeating: Self.good, count: 6000)
        let scratch = try scratch(["a.ndjson": many + Self.bad, "b.ndjson": Self.bad + many, "empty.ndjson": ""])
        let result = try validate("a.ndjson", "empty.ndjson", "b.ndjson", in: scratch)
        #expect(result.out.split(separator: "\n").map { $0.prefix { $0 != " " } } == ["a.ndjson:6001:", "b.ndjson:1:"])
        let summary =
            "loggen: 12,002 records: 12,000 valid, 2 bad (2 violations); 12,001 with a repeated event_id\n"
        let note = "note: `empty.ndjson` contains no records\n"
        #expect(result.error == note + summary || result.error == summary + note)
    }

    private func shell(_ line: String, in scratch: borrowing Scratch) throws -> Tool.Result {
        let loggen = "loggen() { '\(Tool.executable.path)' validate --definitions Definitions \"$@\"; }; "
        return try Tool.launch(URL(fileURLWithPath: "/bin/bash"), ["-c", loggen + line], in: scratch.url)
    }

    @Test("The run ends if its output is closed", arguments: ["text", "json", "github"])
    func closedOutputEndsTheRun(_ format: String) throws {
        let scratch = try scratch(["bad.ndjson": Self.bad])
        // The input is endless: the test ends only if reading stops.
        let line =
            "yes \"$(cat bad.ndjson)\" | (loggen --format \(format) - 2>error; echo $? >code) | head -1; cat error code"
        let result = try shell(line, in: scratch)
        #expect(result.out.contains("stdin>") && result.out.contains("position"), "\(result.out)")
        #expect(result.out.contains("loggen: the output was closed; stopped after "), "\(result.out)")
        #expect(result.out.hasSuffix("of them bad\n1\n"), "\(result.out)")
    }

    @Test("The run ends if its output is closed while the input is idle")
    func aReaderThatGoesAwayEndsItWhileTheInputIsSilent() throws {
        let scratch = try scratch(["bad.ndjson": String(repeating: Self.bad, count: 30_000)])
        let line = """
            mkfifo input; sleep 60 >input & sleeper=$!; cat bad.ndjson >input & \
            (loggen --limit 100000 - <input 2>error; echo $? >code) | head -1 >first; kill -KILL $sleeper; cat code error
            """
        let result = try shell(line, in: scratch)
        #expect(result.out.hasPrefix("1\nloggen: the output was closed"), "\(result.out)")
    }

    @Test("With a closed output, the exit code still covers all records")
    func withoutAReaderTheVerdictIsThatOfAllRecords() throws {
        let scratch = try scratch(["good.ndjson": String(repeating: Self.good, count: 20_000), "bad.ndjson": Self.bad])
        let good = try shell("(loggen good.ndjson 2>error; echo $? >code) | true; cat code error", in: scratch)
        #expect(good.out == "0\nloggen: 20,000 records: 20,000 valid; 19,999 with a repeated event_id\n")
        let bad = try shell("(loggen good.ndjson bad.ndjson 2>error; echo $? >code) | true; cat code", in: scratch)
        #expect(bad.out == "1\n")
    }

    @Test("Requested files are complete even if the output is closed")
    func requestedFilesAreCompleteWithAClosedOutput() throws {
        let scratch = try scratch(["bad.ndjson": String(repeating: Self.bad, count: 20_000)])
        let result = try shell("loggen --limit 100000 --bad kept bad.ndjson 2>error | head -1; cat error", in: scratch)
        #expect(result.out.contains("20,000 bad"), "\(result.out)")
        #expect(try scratch.read("kept").split(separator: "\n").count == 20_000)
    }

    // MARK: Truncated files

    @Test("Data that is appended later is not read") func dataThatIsAppendedLaterIsNotRead() throws {
        let scratch = try scratch(["events.ndjson": Self.good + Self.bad.dropLast()])
        // The rest of an unfinished line still belongs to the record. An empty file stays without records.
        #expect(try shell("loggen events.ndjson", in: scratch).error.hasPrefix("loggen: 2 records: 1 valid, 1 bad"))
        let empty = try shell("touch empty; loggen empty", in: scratch)
        #expect(empty.code == 1 && empty.error.contains("no records were found"))
    }

    @Test("A pipe that ends within a record leaves a bad record") func aPipeThatEndsInARecordLeavesABadOne() throws {
        let scratch = try scratch(["good.ndjson": Self.good])
        for count in [1, 40, Self.good.utf8.count - 2] {
            let result = try shell("(cat good.ndjson; head -c \(count) good.ndjson) | loggen -", in: scratch)
            #expect(result.code == 1)
            #expect(result.out.hasPrefix("<stdin>:2: invalid JSON: "), "\(result.out)")
            #expect(result.error == "loggen: 2 records: 1 valid, 1 bad (1 violation)\n")
        }
        // One byte is not enough to detect gzip.
        for (count, code) in [(1, 1), (2, 2), (40, 2)] as [(Int, Int32)] {
            let packed = try shell("gzip <good.ndjson | head -c \(count) | loggen -", in: scratch)
            #expect(packed.code == code)
            if code == 2 {
                #expect(packed.error == "loggen: error: cannot read `standard input`: the gzip data is cut off\n")
            }
        }
        // Only the line ending is missing.
        #expect(
            try shell("(cat good.ndjson; head -c \(Self.good.utf8.count - 1) good.ndjson) | loggen -", in: scratch).code
                == 0)
    }

    // MARK: Formats

    @Test("JSON output has one object per line, and a summary") func jsonIsAnObjectALineAndASummary() throws {
        let scratch = try scratch(["events.ndjson": Self.good + Self.bad + "nonsense\n"])
        let result = try validate("--format", "json", "--coverage", "--statistics", "events.ndjson", in: scratch)
        #expect(result.code == 1)
        let objects = try result.out.split(separator: "\n").map {
            try JSONSerialization.jsonObject(with: Data($0.utf8)) as? [String: Any] ?? [:]
        }
        #expect(objects.map { $0["kind"] as? String } == ["violation", "violation", "summary"])
        #expect(objects[0]["line"] as? Int == 2)
        #expect(objects[0]["rule"] as? String == "minimum")
        #expect(objects[0]["definition"] as? String == "Definitions/search.md:11:3")
        #expect(objects[1]["rule"] as? String == "json")
        #expect(objects[2]["records"] as? Int == 3)
        let events = try #require(objects[2]["events"] as? [[String: Any]])
        #expect(events.map { $0["records"] as? Int } == [2, 0])
    }

    @Test("GitHub annotations name the record's line") func githubAnnotatesTheRecordsLine() throws {
        let scratch = try scratch(["events.ndjson": Self.bad])
        #expect(
            try validate("--format", "github", "events.ndjson", in: scratch).out
                == "::error file=events.ndjson,line=1,title=minimum::search.show: position: -1 is below 0 [Definitions/search.md:11:3]\n"
        )
    }

    @Test("Text of a record does not escape from the report") func noTextOfARecordLeavesItsReport() throws {
        let scratch = try scratch()
        let evil = "\u{1B}[2J\u{202E}\\n::error::x|<script>`_"
        let record = Self.record("show", #","position":1,"order":"\#(evil)","\#(evil)":1"#)
        for format in ["text", "markdown", "github", "json"] {
            let result = try validate("--format", format, in: scratch, input: record)
            #expect(result.code == 1)
            // U+001B is not valid in JSON, and never printed.
            #expect(!result.out.contains("\u{1B}"))
        }
        let quoted = Self.record("show", #","position":1,"order":"\#(evil.filter { $0 != "\u{1B}" })""#)
        let markdown = try validate("--format", "markdown", in: scratch, input: quoted).out
        #expect(!markdown.contains("<script>"))
        #expect(!markdown.contains("x|"))
        for format in ["text", "github", "json"] {
            let text = try validate("--format", format, in: scratch, input: quoted).out
            #expect(!text.unicodeScalars.contains("\u{202E}"))
            #expect(text.split(separator: "\n").count == (format == "json" ? 2 : 1))
        }
    }

    @Test("The limit applies to each event") func theLimitIsOfEachEvent() throws {
        let scratch = try scratch(["events.ndjson": String(repeating: Self.bad, count: 5) + "x\n"])
        let result = try validate("--limit", "2", "events.ndjson", in: scratch)
        #expect(result.out.split(separator: "\n").count == 3)
        #expect(result.error.contains("3 more violations are not shown"))
        #expect(result.error.contains("6 bad (6 violations)"))
    }

    // MARK: Coverage

    @Test("Missing required events are reported") func missingRequiredEventsAreReported() throws {
        let scratch = try scratch(["events.ndjson": Self.good])
        #expect(try validate("--require-seen", "search.show", "events.ndjson", in: scratch).code == 0)
        for selector in ["all", "search", "owner:@search-team", "search.leave"] {
            let result = try validate("--require-seen", selector, "events.ndjson", in: scratch)
            #expect(result.code == 1)
            #expect(result.out == "search.leave did not occur [Definitions/search.md:14:4]\n")
        }
        #expect(
            try validate("--require-seen", "all", in: scratch, input: Self.good + Self.record("leave", "")).code == 0)
    }

    @Test("Coverage lists events and values that did not occur") func coverageListsEventsAndValuesThatDidNotOccur()
        throws
    {
        let scratch = try scratch()
        let result = try validate(
            "--coverage", "--statistics", in: scratch,
            input: Self.record("show", #","position":1,"order":"newest""#) + Self.good)
        #expect(result.code == 0)
        #expect(
            result.out == """
                search.show: 2 records
                  position: always filled, always 1
                  order: filled in 50.0%, always "newest"; never popular
                search.leave: did not occur

                """)
    }

    @Test("Coverage states the number of valid records") func coverageStatesTheNumberOfValidRecords() throws {
        let scratch = try scratch()
        let input =
            Self.record("show", #","position":1,"order":"newest""#) + Self.record("show", #","order":"popular""#)
        let result = try validate("--coverage", "--quiet", in: scratch, input: input)
        #expect(result.code == 1)
        #expect(
            result.out.contains("search.show: 2 records, 1 of them valid\n  position: always filled\n"), "\(result.out)"
        )
        let markdown = try validate("--coverage", "--format", "markdown", in: scratch, input: input)
        #expect(markdown.out.contains("| search.show | 2, 1 of them valid |"), "\(markdown.out)")
    }

    @Test("Decimals are compared as numbers") func decimalsAreComparedAsNumbers() throws {
        let scratch = try Scratch([
            "Definitions/shop.md": "# shop\n\n## buy\n\n|column|type|\n|-|-|\n|price|decimal(10, 2)|\n"
        ])
        let input = ["9.00", "100.00", "-5", "10.50"].map {
            Self.record("buy", #","price":"\#($0)""#).replacing(#""search""#, with: #""shop""#)
        }.joined()
        let result = try validate("--statistics", in: scratch, input: input)
        #expect(result.code == 0 && result.out.contains(#"from "-5" to "100.00""#), "\(result.out)\(result.error)")
    }

    @Test("Spellings of a number are one value of the statistics") func spellingsOfANumber() throws {
        let scratch = try Scratch([
            "Definitions/shop.md":
                "# shop\n\n## buy\n\n|column|type|\n|-|-|\n|d|double|\n|i|int|\n|m|decimal(30, 2)|\n"
        ])
        let values = [
            ("1e2", "0", "9"), ("100", "-0", "9.0"), ("100.0", "0.0", "9.00"), ("0.1", "1", "9.01"),
            ("0.10", "1", "123456789012345678901230"), ("0.2", "1", "1234567890123456789012300"),
        ]
        let input = values.map {
            Self.record("buy", #","d":\#($0),"i":\#($1),"m":"\#($2)""#).replacing(#""search""#, with: #""shop""#)
        }.joined()
        let result = try validate("--statistics", in: scratch, input: input)
        let counts = result.out.split(separator: "\n").compactMap { line in
            line.split(separator: " ").firstIndex(of: "different,").map { line.split(separator: " ")[$0 - 1] }
        }
        #expect(result.code == 0 && counts == ["3", "2", "4"], "\(result.out)\(result.error)")
    }

    @Test("Spellings of a string are one value of the statistics, and integers beyond a double keep their order")
    func spellingsOfAString() throws {
        let scratch = try Scratch([
            "Definitions/shop.md":
                "# shop\n\n## buy\n\n|column|type|\n|-|-|\n|app_version|string|\n|s|string|\n|n|int64|\n"
        ])
        let values = [
            (#"1.0β"#, "日本", "-9007199254740993"), (#"1.0\u03b2"#, #"\u65e5\u672c"#, "-9007199254740992"),
            (#"1.0\u03B2"#, "zebra", "9223372036854775807"), ("1.0β", #"\/"#, "-9223372036854775808"),
        ]
        let input = values.map {
            Self.record("buy", #","app_version":"\#($0)","s":"\#($1)","n":\#($2)"#)
                .replacing(#""search""#, with: #""shop""#)
        }.joined()
        let result = try validate("--coverage", "--statistics", in: scratch, input: input)
        #expect(result.out.contains("app versions 1.0β (4)"), "\(result.out)")
        #expect(result.out.contains(#"s: always filled, 3 different, from "/" to "日本""#), "\(result.out)")
        #expect(
            result.out.contains(
                "n: always filled, 4 different, from -9223372036854775808 to 9223372036854775807"), "\(result.out)")
    }

    @Test("Undeclared columns are counted together") func undeclaredColumnsAreCountedTogether() throws {
        let scratch = try scratch()
        let input = Self.record("leave", #","foo":1,"bar":2"#) + Self.record("leave", #","baz":1"#)
        let result = try validate("--format", "markdown", in: scratch, input: input)
        #expect(
            result.out.contains("| search.leave | foo, for one | additionalProperties | 3 | &#60;stdin&#62;:1 |"),
            "\(result.out)")
        #expect(result.out.contains("| rule | violations |"))
    }

    @Test("Declared violations are counted separately") func declaredViolationsAreCountedApart() throws {
        let scratch = try scratch()
        let declared = Self.record("show", #","position":-1,"violations":["position: minimum"]"#)
        let result = try validate(in: scratch, input: declared)
        #expect(result.code == 0)
        #expect(result.error == "loggen: 1 record: 0 valid, 1 that list their own violations\n")
        #expect(try validate("--strict", in: scratch, input: declared).code == 1)
    }

    // MARK: Files of records

    @Test("Bad and valid records are written to files") func badAndGoodRecordsAreKept() throws {
        let scratch = try scratch(["events.ndjson": Self.good + Self.bad + "nonsense\n"])
        #expect(try validate("--bad", "bad.ndjson", "--good", "good.ndjson", "events.ndjson", in: scratch).code == 1)
        #expect(try scratch.read("good.ndjson") == Self.good)
        let lines = try scratch.read("bad.ndjson").split(separator: "\n")
        #expect(lines.count == 2)
        let first = try #require(try JSONSerialization.jsonObject(with: Data(lines[0].utf8)) as? [String: Any])
        #expect((first["record"] as? [String: Any])?["position"] as? Int == -1)
        #expect((first["violations"] as? [[String: Any]])?.first?["rule"] as? String == "minimum")
        let second = try #require(try JSONSerialization.jsonObject(with: Data(lines[1].utf8)) as? [String: Any])
        #expect(second["text"] as? String == "nonsense")
        #expect(second["line"] as? Int == 3)
    }

    @Test("An existing file is overwritten only with `--force`") func existingFileIsOverwrittenOnlyWithForce() throws {
        let scratch = try scratch(["events.ndjson": Self.good, "mine.ndjson": "mine\n", "empty.ndjson": ""])
        let refused = try validate("--good", "mine.ndjson", "events.ndjson", in: scratch)
        #expect(refused.code == 2)
        #expect(refused.error.contains("replace it with `--force`"))
        #expect(try scratch.read("mine.ndjson") == "mine\n")
        #expect(try validate("--good", "empty.ndjson", "events.ndjson", in: scratch).code == 0)
        #expect(try scratch.read("empty.ndjson") == Self.good)
        #expect(try validate("--good", "mine.ndjson", "--force", "events.ndjson", in: scratch).code == 0)
        #expect(try scratch.read("mine.ndjson") == Self.good)
        // `--force` does not overwrite the input: the records would be lost before they are read.
        #expect(try validate("--good", "events.ndjson", "--force", "events.ndjson", in: scratch).code == 2)
        #expect(try validate("--good", "x", "--bad", "./x", "events.ndjson", in: scratch).code == 2)
        #expect(try validate("--bad", "-", "events.ndjson", in: scratch).code == 2)
    }

    @Test("A failed run leaves no file") func aRunThatFailsLeavesNoFile() throws {
        let scratch = try scratch(["events.ndjson": Self.good, "cut.gz": "\u{1F}"])
        try scratch.write(Data([0x1F, 0x8B, 0x08]), to: "cut.gz")
        let before = try scratch.files().keys.sorted()
        #expect(
            try validate("--good", "good.ndjson", "--bad", "bad.ndjson", "events.ndjson", "cut.gz", in: scratch).code
                == 2)
        #expect(try scratch.files().keys.sorted() == before)
    }
}
