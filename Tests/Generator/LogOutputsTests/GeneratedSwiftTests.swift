import Foundation
import LogDefinitions
import Testing
import TestSupport

/// Compiles generated Swift, runs it, and validates its records with an independent validator.
struct GeneratedSwiftTests {
    @Test(
        "Every event survives a round trip",
        arguments: Depth.some(1, of: [GeneratedSwiftFixture.nasty, .keywords, .snapshot, .sample]))
    func everyEventRoundTrips(_ fixture: GeneratedSwiftFixture) async throws {
        let definitions = try await fixture.definitions()
        let program = fixture.program(of: definitions)
        let compiler = try SwiftCompiler()
        let generated = try fixture.compile(with: compiler, isLinked: true)
        let main = compiler.folder.appendingPathComponent("main.swift")
        try Data(program.main.utf8).write(to: main)
        let result = try compiler.run(main, linking: [fixture.module] + fixture.appModules, options: fixture.options)
        try #require(result.code == 0, "\(result.error)")

        var lines: [String: [String]] = [:]
        for line in result.out.utf8.split(separator: UInt8(ascii: "\n")) {
            let text = String(line) ?? ""
            let kind = text.prefix { $0 != " " }
            lines[String(kind), default: []].append(String(text.dropFirst(kind.count + 1)))
        }
        #expect(lines["unequal"] == nil, "events that do not equal themselves")
        let records = lines["record"] ?? []
        try #require(records.count == program.expectations.count)
        for (record, expectation) in zip(records, program.expectations) { try compare(record, with: expectation) }
        for (facts, category) in zip(lines["facts"] ?? [], definitions.categories) {
            #expect(try Self.canonical(Self.object(facts)) == Self.canonical(Self.facts(category)))
        }
        #expect(lines["facts"]?.count == definitions.categories.count)
        try validate(records, program.expectations, schemas: generated.appendingPathComponent("JSONSchema"))
    }

    /// New Xcode projects have this default.
    @Test(
        "Generated Swift is usable on any actor if the main actor is the default isolation of its module",
        arguments: Depth.some(1, of: [GeneratedSwiftFixture.nasty, .keywords, .snapshot, .sample]))
    func defaultIsolation(_ fixture: GeneratedSwiftFixture) async throws {
        var isolated = fixture
        isolated.options += ["-default-isolation", "MainActor"]
        let compiler = try SwiftCompiler()
        _ = try isolated.compile(with: compiler, isLinked: false)
        let program = fixture.program(of: try await fixture.definitions()).main
        let calls = try #require(program.range(of: "\nlog("))
        let main = compiler.folder.appendingPathComponent("main.swift")
        try Data(
            "\(program[..<calls.lowerBound])\nnonisolated func run() {\(program[calls.lowerBound...])}\nrun()\n".utf8
        )
        .write(to: main)
        let result = try compiler.check("Program", sources: [main], options: fixture.options)
        #expect(result.code == 0, "\(result.error)")
    }

    // MARK: Values

    private func compare(_ record: String, with expectation: GeneratedSwiftProgram.Expectation) throws {
        var expected = try Self.object(
            "{" + expectation.columns.map { "\(ColumnSamples.jsonLiteral($0)):\($1)" }.joined(separator: ",") + "}")
        expected["event_category"] = expectation.category
        expected["event_name"] = expectation.event
        expected["schema_version"] = "1-0-0"
        expected["occurred_at"] = "1970-01-01T00:00:01.500Z"
        if !expectation.violations.isEmpty { expected["violations"] = expectation.violations }
        var actual = try Self.object(record)
        #expect(actual.removeValue(forKey: "event_id") is String)
        #expect(try Self.canonical(actual) == Self.canonical(expected))
    }

    private static func facts(_ category: LogDefinitions.Category) -> [String: Any] {
        let events: [Any] = category.events.map { event in
            let columns: [Any] = event.activeColumns.map { column in
                ["name": column.name, "required": column.isRequired, "privacy": column.privacy?.rawValue ?? ""]
                    as [String: Any]
            }
            return [
                "name": event.name, "version": SchemaVersion.initial.description, "status": event.status.rawValue,
                "owner": event.details.owner?.value ?? "", "sampling": event.details.sampling?.value ?? -1,
                "trigger": event.trigger?.description ?? "", "columns": columns,
            ] as [String: Any]
        }
        return ["name": category.name, "owner": category.details.owner?.value ?? "", "events": events]
    }

    private static func object(_ json: String) throws -> [String: Any] {
        let object = try JSONSerialization.jsonObject(with: Data(json.utf8))
        return try #require(object as? [String: Any], "\(json)")
    }

    /// Returns one string for equal values: keys are sorted, and a number has one spelling.
    private static func canonical(_ object: [String: Any]) throws -> String {
        String(
            decoding: try JSONSerialization.data(withJSONObject: object, options: [.sortedKeys, .fragmentsAllowed]),
            as: UTF8.self)
    }

    // MARK: Schemas

    /// Validates every record with its envelope. A record with violations is valid only because it declares them.
    private func validate(_ records: [String], _ expectations: [GeneratedSwiftProgram.Expectation], schemas folder: URL)
        throws
    {
        let files = try FileManager.default.contentsOfDirectory(at: folder, includingPropertiesForKeys: nil)
        let schemas = try files.filter { $0.pathExtension == "json" }.sorted { $0.path < $1.path }.map {
            [UInt8](try Data(contentsOf: $0))
        }
        var cases: [(instance: String, isValid: Bool)] = []
        for (record, expectation) in zip(records, expectations) {
            cases.append((record, true))
            guard !expectation.violations.isEmpty else { continue }
            let end = try #require(record.range(of: ",\"violations\":[", options: .backwards))
            cases.append((record[..<end.lowerBound] + "}", !expectation.isSeenBySchema))
        }
        let outcome = try JSONSchemaValidation.run(
            schemas: schemas, cases: cases.map { .init(schema: "envelope.schema.json", instance: $0.instance) })
        #expect(outcome.problems == [])
        for (verdict, testCase) in zip(outcome.verdicts, cases) {
            #expect(verdict == testCase.isValid, "\(testCase.instance)")
        }
    }

    // MARK: Compiling alone

    struct Settings: CustomTestStringConvertible, Sendable {
        var access: String
        var options: [String]
        var testDescription: String { ([access] + options.filter { !$0.hasPrefix("-") }).joined(separator: ", ") }
    }

    /// `everyEventRoundTrips` compiles `public` with all upcoming features, and `EventCallTests` compiles `internal`.
    @Test("Generated Swift compiles without warnings for every access level")
    func compilesForEveryAccessLevelWithoutWarnings() throws {
        let compiler = try SwiftCompiler()
        try GeneratedSwiftFixture.nasty.compileAppModules(with: compiler)
        let all = [
            Settings(access: "package", options: SwiftCompiler.strictness + ["-package-name", "app"]),
            Settings(access: "internal", options: SwiftCompiler.strictness), Settings(access: "public", options: []),
            Settings(access: "package", options: ["-package-name", "app"]),
        ]
        for settings in Depth.some(1, of: all) {
            let fixture = GeneratedSwiftFixture.nasty
            let generated = try fixture.generate(access: settings.access, into: settings.access, in: compiler)
            let result = try compiler.check(
                fixture.module, sources: fixture.sources(in: generated),
                options: settings.options + ["-warnings-as-errors", "-parse-as-library"])
            #expect(result.code == 0, "\(settings.testDescription): \(result.error)")
            #expect(result.error == "", "\(settings.testDescription)")
        }
    }

    /// The compiler does not check a switch of that many cases for exhaustiveness.
    @Test("A category with 1,200 events compiles, and its events are encoded")
    func manyEvents() throws {
        let compiler = try SwiftCompiler()
        let input = compiler.folder.appendingPathComponent("Documents")
        try FileManager.default.createDirectory(at: input, withIntermediateDirectories: true)
        let count = 1200
        let events = (0..<count).map {
            "## open_\($0)\n\nOpened.\n\n| column | type | description |\n| --- | --- | --- |\n| item | int64 | It |\n\n"
        }
        try Data(("# shop\n\n" + events.joined()).utf8).write(to: input.appendingPathComponent("shop.md"))
        try #require(try Tool.run("Documents", "--only", "swift", "--quiet", in: compiler.folder).code == 0)
        let source = compiler.folder.appendingPathComponent("Generated/Swift/Shop.swift")
        let module = try compiler.module("Logs", sources: [source])
        try #require(module.code == 0, "\(module.error)")
        let main = compiler.folder.appendingPathComponent("main.swift")
        let posted = Array(stride(from: 0, to: count, by: 30)) + [count - 1]
        let calls = posted.map { "print(Shop.open\($0)(item: \($0)))" }
        try Data(("import Logs\n" + calls.joined(separator: "\n")).utf8).write(to: main)
        let result = try compiler.run(main, linking: ["Logs"])
        try #require(result.code == 0, "\(result.error)")
        let lines = result.out.split(separator: "\n").map(String.init)
        #expect(lines == posted.map { "shop.open_\($0) {\"item\":\($0)}" })
    }

    @Test("A type of the app cannot be a value, even if it is an integer")
    func appTypesCannotBeValues() throws {
        let compiler = try SwiftCompiler()
        let source = compiler.folder.appendingPathComponent("App.swift")
        try Data("@_spi(GeneratedCode) import ActivityTracking\nextension UInt: LogValue {}\n".utf8).write(to: source)
        let result = try compiler.check("App", sources: [source], options: ["-parse-as-library"])
        #expect(result.error.contains("a type of the app cannot implement LogValue"), "\(result.error)")
    }

    @Test("Retired events cannot be created, and deprecated ones cause a warning")
    func retiredEventsCannotBeMadeAndDeprecatedOnesWarn() throws {
        let compiler = try SwiftCompiler()
        let generated = try GeneratedSwiftFixture.snapshot.generate(access: "internal", into: "Generated", in: compiler)
        let use = compiler.folder.appendingPathComponent("Use.swift")
        let snippet = """
            let retired = [RecipeSearch.searchByVoice(transcript: "卵"), .tapBanner]
            let deprecated = RecipeSearch.tapResult(recipeId: RecipeID(1))
            """
        try Data(snippet.utf8).write(to: use)
        let result = try compiler.check(
            "App", sources: try GeneratedSwiftFixture.snapshot.sources(in: generated) + [use],
            options: ["-parse-as-library"])
        let said = result.error.split(separator: "\n").filter { $0.contains("Use.swift:") }
            .compactMap { $0.split(separator: ":", maxSplits: 3).last?.dropFirst() }
        #expect(result.code != 0)
        #expect(
            said == [
                "error: 'searchByVoice(transcript:)' is unavailable: `search_by_voice` is retired",
                "error: 'tapBanner' is unavailable: use `tap_result`",
                "warning: 'tapResult(recipeId:row:)' is deprecated: use `show_recipe` [#DeprecatedDeclaration]",
            ], "\(result.error)")
    }
}
