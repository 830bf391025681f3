import MarkdownSyntax
import Testing
import TestSupport

@testable import LogDefinitions

struct LockFileTests {
    fileprivate func lock(_ text: String) -> LockFile {
        LockFile(SourceFile(path: "loggen.lock", relativePath: "loggen.lock", source: SourceText(Array(text.utf8))))
    }

    private func problems(_ lock: LockFile) -> [String] {
        lock.diagnostics.map { "\(lock.file.source.position(at: $0.place.range.lowerBound).line): \($0.message)" }
    }

    private static let noHeader =
        "the first line is not `loggen.lock 1`: this is not a lock file, or one of a newer loggen"

    @Test(
        "An unreadable lock file is reported with its line",
        arguments: [
            ("", "1: \(noHeader)"), ("{}\n", "1: \(noHeader)"), ("loggen.lock 2\nwhatever\n", "1: \(noHeader)"),
            ("loggen.lock one\n", "1: \(noHeader)"), ("loggen.lock 0\n", "1: \(noHeader)"),
            (
                "loggen.lock 1\n<<<<<<< HEAD\na.b 1-0-1 active\n=======\na.b 1-1-0 active\n>>>>>>> branch\n",
                "2: the lock file is in a merge conflict"
            ),
            ("<<<<<<< HEAD\nloggen.lock 1\n", "1: the lock file is in a merge conflict"),
            (
                "loggen.lock 1\na.b 1-0-0\n",
                "2: this is not a line of a lock file: it does not have an event, a version and a shape"
            ),
            (
                "loggen.lock 1\n\u{0}\n",
                "2: this is not a line of a lock file: it does not have an event, a version and a shape"
            ),
            ("loggen.lock 1\nab 1-0-0 active\n", "2: `ab` is not an event: events have the form `category.event`"),
            (
                "loggen.lock 1\na.b.c 1-0-0 active\n",
                "2: `a.b.c` is not an event: events have the form `category.event`"
            ),
            ("loggen.lock 1\na.b 1-0 active\n", "2: `1-0` is not a version: versions have the form `1-0-0`"),
            ("loggen.lock 1\na.b 01-0-0 active\n", "2: `01-0-0` is not a version: versions have the form `1-0-0`"),
            (
                "loggen.lock 1\na.b 99999999999999999999-0-0 active\n",
                "2: `99999999999999999999-0-0` is not a version: versions have the form `1-0-0`"
            ),
            (
                "loggen.lock 1\na.b 1-0-0 active\na.b 1-0-0 active x:bool\n",
                "3: `a.b` has two lines for the version 1-0-0; the other one is line 2"
            ),
        ]) func unreadableLockFileIsReportedWithItsLine(_ text: String, _ expected: String)
    {
        #expect(problems(lock(text)) == [expected])
    }

    @Test("A lock file that is not UTF-8 is reported") func lockFileThatIsNotUTF8IsReported() {
        let file = SourceFile(
            path: "loggen.lock", relativePath: "loggen.lock",
            source: SourceText(Array("loggen.lock 1\na".utf8) + [0xFF]))
        #expect(problems(LockFile(file)) == ["2: the lock file is not UTF-8: invalid byte at offset 15"])
    }

    @Test(
        "A version without a line is a warning, unless the event continues another one",
        arguments: [
            (["1-0-0", "1-0-1", "1-1-0", "2-0-0"], nil), (["1-0-0", "2-0-0 @renamed-from=a.c", "2-0-1"], nil),
            (["4-0-0 @renamed-from=a.c"], nil), (["1-0-1"], "the version 1-0-0"),
            (["1-0-0", "3-0-0"], "the versions between 1-0-0 and 3-0-0"),
            (["1-0-0", "1-0-2"], "the versions between 1-0-0 and 1-0-2"),
        ])
    func missingVersions(_ versions: [String], _ missing: String?) async {
        let lines = versions.map { version in
            let words = version.split(separator: " ")
            return "a.b \(words[0]) active" + words.dropFirst().map { " \($0)" }.joined() + "\n"
        }
        var history = lock("loggen.lock 1\n" + lines.joined())
        await history.checkHistory()
        #expect(history.diagnostics.allSatisfy { $0.severity == .warning })
        let message = missing.map { "\(versions.count + 1): `a.b` has no line for \($0): their records are not valid" }
        #expect(problems(history) == [message].compactMap { $0 })
    }

    @Test(
        "An unreadable shape is reported in any version",
        arguments: [
            "gone", "active x", "active x:", "active x:strin", "active x:int64??", "active x:[int64", "active X:int64",
            "active x:int(1...0)",
            "active @tigger=screen", "active ~X", "active x:int64!secret", "active  x:bool", "active x:bool x:bool",
            "active x:enum()",
            "active x:enum(%Z)", "active x:=int64", "active x:ID=", "active x:[int64;a...b]", "active x:[int64;-1...]",
            "active x:" + String(repeating: "[", count: 10_000) + "bool" + String(repeating: "]", count: 10_000),
        ]) func unreadableShapeIsReportedInAnyVersion(_ shape: String) async throws
    {
        var history = lock("loggen.lock 1\nsearch.show 1-0-0 \(shape)\nsearch.show 1-0-1 active\n")
        #expect(history.diagnostics.isEmpty)
        await history.checkHistory()
        #expect(history.diagnostics.map(\.rule) == [.lockFile])

        let latest = lock("loggen.lock 1\nsearch.show 1-0-0 \(shape)\n")
        let drift = await Drift.between(
            latest.latest, and: try await EvolutionDocuments().definitions(), scope: .everything
        ).drift
        #expect(drift.diagnostics.map(\.rule) == [.lockFile])
    }

    @Test("Earlier versions are those that the documents no longer have, the oldest first")
    func earlierVersionsAreOrdered() async throws {
        let lock = lock(
            """
            loggen.lock 1
            gone.show 1-0-0 retired
            search.show 1-0-10 active x:bool?
            search.show 1-0-9 active x:int?
            search.show 1-0-2 active +a:ID=int64!personal x:string(3) ~y
            search.show 1-0-1 active x:nothing

            """)
        let definitions = try await EvolutionDocuments(columns: ["x | bool?"]).definitions()
        let versions = await Drift.between(lock.latest, and: definitions, scope: .everything).versions
        let model = Model(definitions, versions: versions, lock: lock)
        let earlier = model.earlierVersions()
        #expect(Set(earlier.keys) == ["gone.show", "search.show"])
        #expect(earlier["search.show"]?.map(\.version.description) == ["1-0-2", "1-0-9"])
        #expect(earlier["gone.show"]?.map(\.shape.isRetired) == [true])
        let oldest = try #require(earlier["search.show"]?.first?.shape)
        #expect(
            oldest.common.map(\.privacy) == [.personal] && oldest.columns.map(\.type) == [.string(.init(maxLength: 3))])
        #expect(Model(definitions, versions: versions).earlierVersions().isEmpty)

        // The latest line is an earlier version as well if the documents differ from it.
        let changed = try await EvolutionDocuments(columns: ["x | bool?", "z | bool?"]).definitions()
        let next = await Drift.between(lock.latest, and: changed, scope: .everything).versions
        let versionsThen = Model(changed, versions: next, lock: lock).earlierVersions()["search.show"]?.map(
            \.version.description)
        #expect(versionsThen == ["1-0-2", "1-0-9", "1-0-10"])
    }

    @Test("CRLF and lines in any order are read") func lineEndsOfWindowsAndAnyOrderAreRead() async throws {
        let lock = lock("loggen.lock 1\r\nsearch.show 1-0-10 active\r\nsearch.show 1-0-2 active x:bool\r\n\r\n")
        #expect(problems(lock) == [])
        let compared = await Drift.between(
            lock.latest, and: try await EvolutionDocuments().definitions(), scope: .everything)
        #expect(compared.drift.events.isEmpty)
        #expect(compared.versions["search", "show"] == SchemaVersion(model: 1, revision: 0, addition: 10))
    }

    private func recorded(_ documents: EvolutionDocuments, in lock: LockFile) async throws -> LockFile {
        let drift = await Drift.between(lock.latest, and: try await documents.definitions(), scope: .everything).drift
        return self.lock(String(decoding: lock.recording(drift.events), as: UTF8.self))
    }

    private func text(_ lock: LockFile) -> String { lock.file.source.string(0..<lock.file.source.bytes.count) }

    @Test("Lines of earlier versions stay") func linesOfEarlierVersionsStay() async throws {
        var lock = try await recorded(.init(columns: ["a | int64"], more: "## hide\n"), in: .empty(path: "loggen.lock"))
        lock = try await recorded(
            .init(
                columns: ["a | int64", "b | Order?"], details: ["trigger | impression(80%)"],
                types: ["## Order\n\n| value |\n| --- |\n| a b |\n| 新着 |"], more: "## hide\n"), in: lock)
        #expect(
            text(lock) == """
                loggen.lock 1
                search.hide 1-0-0 active
                search.show 1-0-0 active a:int64
                search.show 1-1-0 active @trigger=impression(80%) a:int64 b:Order=enum(a%20b,新着)?

                """)
        // Another order of columns is the same version, and its line is rewritten.
        lock = try await recorded(
            .init(columns: ["b | bool", "a | int64"], more: "## ~~hide~~\n"),
            in: try await recorded(.init(columns: ["a | int64", "b | bool"]), in: .empty(path: "x")))
        #expect(text(lock) == "loggen.lock 1\nsearch.hide 1-0-0 retired\nsearch.show 1-0-0 active b:bool a:int64\n")
    }

    /// Lines as written before loggen had one notation.
    @Test("Lines with fractions are read as the same shape") func linesInFractionsAreReadAsTheSame() async throws {
        let documents = EvolutionDocuments(
            columns: ["a | double(0...1)", "b | [string(3 bytes); 0...2]", "c | enum(y, x y)"],
            details: ["trigger | impression(80%, 500ms)", "sampling | 2.5%"])
        let lock = lock(
            "loggen.lock 1\nsearch.show 2-0-0 active @trigger=impression(0.8,0.5) @sampling=0.025 a:double(0.0...1.0) b:[string(3bytes);...2] c:enum(x%20y,y)\n"
        )
        #expect(problems(lock) == [])
        let compared = await Drift.between(lock.latest, and: try await documents.definitions(), scope: .everything)
        #expect(compared.drift.events.isEmpty)
        #expect(compared.versions["search", "show"] == SchemaVersion(model: 2, revision: 0, addition: 0))
        for trigger in ["impression(,)", "impression(,2.0)", "impression", "tap(A.%E4%BF%9D%E5%AD%98)"] {
            #expect(problems(self.lock("loggen.lock 1\nsearch.show 1-0-0 active @trigger=\(trigger)\n")) == [])
        }
    }

    @Test("A retired name stays reserved after its row is deleted")
    func aRetiredNameStaysReservedWhenItsRowIsGone() async throws {
        var lock = try await recorded(
            .init(columns: ["a | int64?"], common: ["c | bool?"]), in: .empty(path: "loggen.lock"))
        lock = try await recorded(.init(columns: ["~~a~~ | int64?"], common: ["~~c~~ | bool?"]), in: lock)
        lock = try await recorded(.init(columns: ["b | int64?"]), in: lock)
        #expect(text(lock).hasSuffix("search.show 1-1-1 active b:int64? ~+c ~a\n"))
        let drift = await Drift.between(
            lock.latest,
            and: try await EvolutionDocuments(columns: ["b | int64?", "a | int64?"], common: ["c | bool?"])
                .definitions(),
            scope: .everything
        ).drift
        #expect(drift.events.flatMap(\.changes).count { $0.takesReservedName } == 2)
        // After the change is accepted, the name is an ordinary column.
        lock = try await recorded(.init(columns: ["b | int64?", "a | int64?"], common: ["c | bool?"]), in: lock)
        #expect(text(lock).hasSuffix("search.show 1-2-0 active +c:bool? b:int64? a:int64?\n"))
    }

    @Test("Shapes survive a round trip") func shapesSurviveARoundTrip() async throws {
        let all = EvolutionDocuments(
            columns: [
                "a | string(10)?", "b | string(10 bytes)", "c | [[Order; 1...3]]", "d | int(-5...)",
                "e | double(-1e-300...1.5e300)",
                "f | uint32(1...)",
                "g | float", "h | enum(x y, 50%?, 新)", "i | uuid", "j | url", "k | date", "l | timestamp",
                "m | [bool; ...4]?", "~~n~~ | bool",
                "o | ID",
            ], details: ["trigger | tap(A.b)", "sampling | 2.5%", "privacy | personal"],
            common: ["common_one | int8?", "~~common_two~~ | bool"],
            types: [
                "## Order\n\n| value |\n| --- |\n| x |",
                "## ID: uuid\n\n| key | value |\n| --- | --- |\n| swift | My.識別 |",
            ])
        let definitions = try await all.definitions()
        let bytes = ShapeNotation(definitions).shape(of: definitions.categories[0].events[0])
        let shape = try ShapeNotation.parse(bytes)
        #expect(shape.trigger == .tap(target: "A.b"))
        #expect(shape.sampling == 0.025)
        #expect(shape.reservedNames(.event) == ["n"])
        #expect(shape.reservedNames(.common) == ["common_two"])
        #expect(shape.columns.count == 14)
        #expect(shape.columns.allSatisfy { $0.privacy == .personal })
        #expect(shape.columns[7].type == .enumeration(["50%?", "x y", "新"]))
        #expect(shape.columns[13].type == .named(.init("ID", swift: "My.識別", base: .uuid)))
        #expect(
            shape.columns[2].type
                == .array(
                    .init(
                        of: .array(
                            .init(of: .named(.init("Order", base: .enumeration(["x"]))), minItems: 1, maxItems: 3)))))
        #expect(shape.columns[4].type == .number(.init(minimum: -1e-300, maximum: 1.5e300)))
    }
}

/// Tests of lines that a lock file rejects or forgets.
@Suite struct LockRefusalTests {
    private func lock(_ lines: String) -> LockFile { LockFileTests().lock("loggen.lock 1\n\(lines)") }

    @Test(
        "A retired name that is defined again is refused",
        arguments: [
            ("search.show 1-0-0 retired\n", true), ("search.show 1-0-0 active a:int64 ~b\n", true),
            ("search.show 1-0-0 active a:int64\n", false),
            ("search.show 1-0-0 active a:string b:int64\n", false),
        ])
    func redefinedRetiredNameIsRefused(_ lines: String, _ isRefused: Bool) async {
        let documents = [
            "search.md": "# search\n\n## show\n\n| column | type |\n| --- | --- |\n| a | int64 |\n| b | int64 |\n"
        ]
        let drift = await Drift.between(
            lock(lines).latest, and: await analyse(documents).definitions, scope: .everything
        ).drift
        #expect(drift.events.map(\.isRefused) == [isRefused])
    }

    @Test("An event can be forgotten") func anEventCanBeForgotten() throws {
        let lines =
            "search.hide 1-0-0 active\nsearch.show 1-0-0 active a:int64\nsearch.show 2-0-0 retired\nsearch.show_all 1-0-0 active\n"
        let file = lock(lines)
        let bytes = try #require(file.forgetting(["search.show"]))
        #expect(
            String(decoding: bytes, as: UTF8.self)
                == "loggen.lock 1\nsearch.hide 1-0-0 active\nsearch.show_all 1-0-0 active\n")
        #expect(file.forgetting(["search.sho"]) == nil)
        #expect(file.forgetting(["search"]) == nil)
    }

    @Test("Comparing many columns takes linear time") func comparingManyColumnsIsLinear() async {
        func definitions(_ count: Int, _ type: String) async -> Definitions {
            let rows = (0..<count).map { "| c\($0) | \(type) |" }.joined(separator: "\n")
            return await analyse(["search.md": "# search\n\n## show\n\n| column | type |\n| --- | --- |\n\(rows)\n"])
                .definitions
        }
        let (few, many) = (250, 4_000)
        let old = [few: await definitions(few, "int64"), many: await definitions(many, "int64")].mapValues {
            Baseline($0)
        }
        let new = [few: await definitions(few, "string"), many: await definitions(many, "string")]
        let growth = await Growth.ofSixteenTimes(few) { count in
            guard let old = old[count], let new = new[count] else { return }
            let drift = await Drift.between(old, and: new, scope: .everything).drift
            let report = DriftReport(definitions: new, baseline: old, hasVersions: true)
            #expect(report.diagnostics(of: drift).count == count)
        }
        #expect(growth < 96)
    }
}
