import MarkdownSyntax
import TestSupport
import Testing

@testable import LogDefinitions

/// Tests of the table in the specification's section "Drift": each row in both directions.
struct DriftTableTests {
    struct Effect: Sendable, Hashable, CustomStringConvertible {
        var breaks: Readers
        var bump: Bump

        init(_ breaks: Readers, _ bump: Bump) {
            self.breaks = breaks
            self.bump = bump
        }

        var description: String { "breaks \(breaks.list); \(bump)" }
    }

    /// Documents in which lines with `- ` are old and lines with `+ ` are new, and the effects of the change in both
    /// directions.
    static let cases = TextCase.all("drift.txt")

    /// The types of one column before and after a change; nil if the column does not exist.
    static let columns: [(old: String?, new: String?, forward: Effect, back: Effect)] = {
        let wider = Effect([.appCode, .warehouse], .revision)
        let other = Effect(.all, .model)
        let tighter = Effect(.oldApps, .revision)
        let looser = Effect([], .addition)
        let codeAlone = Effect(.appCode, .none)
        return [
            (nil, "int64?", Effect([], .addition), Effect([.appCode, .oldApps], .revision)),
            (nil, "int64", other, other),
            ("int64", "int64?", Effect(.warehouse, .revision), other),
            ("int8", "int16", wider, other), ("int32", "int64", wider, other), ("int32", "int", wider, other),
            ("uint8", "uint32", wider, other),
            ("uint8", "int16", wider, other), ("int8", "uint8", other, other), ("uint32", "int32", other, other),
            ("float", "double", wider, other),
            ("float(0...1)", "double(0...1)", wider, other), ("int", "int64", codeAlone, codeAlone),
            ("int32(0...100)", "int64(0...100)", wider, other), ("int64", "double", other, other),
            ("int64", "string", other, other),
            ("string", "uuid", other, other), ("date", "timestamp", other, other),
            ("enum(x, y)", "string", other, other),
            ("int64", "[int64]", other, other), ("bool", "int8", other, other), ("url", "string", other, other),
            ("string(10)", "string(20)", looser, tighter), ("string(10)", "string", looser, tighter),
            ("string(10 bytes)", "string(20 bytes)", looser, tighter),
            ("string(10 bytes)", "string(10)", looser, tighter),
            ("string(10)", "string(40 bytes)", looser, tighter), ("string(10)", "string(39 bytes)", tighter, tighter),
            ("int(0...10)", "int(0...20)", looser, tighter), ("int(5...10)", "int(0...10)", looser, tighter),
            ("int(0...10)", "int", looser, tighter),
            ("int(0...10)", "int(5...20)", tighter, tighter), ("int32(0...10)", "int32(0...)", looser, tighter),
            ("double(0...1)", "double(0...2)", looser, tighter), ("double(-1...1)", "double", looser, tighter),
            ("float(0...1)", "float(0...)", looser, tighter),
            ("[string]", "[string; 1...]", tighter, looser), ("[string; 1...3]", "[string; 1...4]", looser, tighter),
            ("[int32]", "[int64]", wider, other), ("[string(10)]", "[string(20)]", looser, tighter),
            ("[[int8]]", "[[bool]]", other, other),
            ("enum(x)", "enum(x, y)", Effect([], .addition), Effect(.all, .revision)),
            ("enum(x, y)", "enum(x, z)", Effect(.all, .revision), Effect(.all, .revision)),
            ("[enum(x)]", "[enum(x, y)]", Effect([], .addition), Effect(.all, .revision)),
            // Several changes at once take the highest bump.
            ("int32(0...10)", "int64(0...20)?", wider, other), ("int32", "int64(0...)", Effect(.all, .revision), other),
            ("string(10)", "string(20)?", Effect(.warehouse, .revision), other),
        ]
    }()

    static func effect(_ changes: [Change]) -> Effect { Effect(changes.breaks, changes.bump) }

    private func effect(from old: EvolutionDocuments, to new: EvolutionDocuments) async throws -> Effect {
        let drift = try await new.drift(from: old)
        #expect(drift.events.count <= 1)
        return Self.effect(drift.events.flatMap(\.changes))
    }

    @Test("Equal changes have one hash")
    func equalChangesHaveOneHash() {
        let change = Change(subject: .event, what: "changes", breaks: .all, bump: .model, effect: .breaks)
        var other = change
        (other.effect, other.formerName, other.remedy) = (.shifts, "a", .retire)
        #expect(change == other && change.hashValue == other.hashValue)
    }

    @Test("The file has changes") func count() { #expect(Self.cases.count > 25) }

    @Test("Changes of documents have the effect of the table", arguments: cases)
    func documentsAreJudgedByTheTable(_ testCase: TextCase) async {
        func definitions(_ sign: Character) async -> Definitions {
            var files: [String: String] = [:]
            for (path, text) in testCase.documents {
                for line in text.split(separator: "\n", omittingEmptySubsequences: false).dropLast() {
                    let isOfOneSide = line == "-" || line == "+" || line.hasPrefix("- ") || line.hasPrefix("+ ")
                    if isOfOneSide && line.first != sign { continue }
                    files[path, default: ""] += (isOfOneSide ? line.dropFirst(2) : line) + "\n"
                }
            }
            let analysis = await analyse(files)
            #expect(!analysis.hasErrors, "\(analysis.diagnostics.map(\.message))")
            return analysis.definitions
        }
        let (old, new) = (await definitions("-"), await definitions("+"))
        var effects: [String] = []
        for (before, after) in [(old, new), (new, old)] {
            let drift = await Drift.between(Baseline(before), and: after, scope: .everything).drift
            #expect(drift.events.count <= 1)
            effects.append("\(Self.effect(drift.events.flatMap(\.changes)))")
        }
        #expect(effects.joined(separator: "\n") == testCase.parts[1])
    }

    @Test("Changes of columns have the effect of the table", arguments: columns.indices)
    func columnsAreJudgedByTheTable(_ index: Int) async throws {
        let (old, new, forward, back) = Self.columns[index]
        func documents(_ type: String?) -> EvolutionDocuments { .init(columns: type.map { ["a | \($0)"] } ?? []) }
        #expect(try await effect(from: documents(old), to: documents(new)) == forward, "\(old ?? "-") → \(new ?? "-")")
        #expect(try await effect(from: documents(new), to: documents(old)) == back, "\(new ?? "-") → \(old ?? "-")")
    }

    @Test("Changes of named types and common columns have the effect of the table", arguments: columns.indices)
    func changesOfNamedTypesAndCommonColumnsCount(_ index: Int)
        async throws
    {
        let (old, new, forward, back) = Self.columns[index]
        func documents(_ type: String?) -> EvolutionDocuments {
            .init(columns: ["b | bool"], common: type.map { ["a | \($0)"] } ?? [])
        }
        #expect(try await effect(from: documents(old), to: documents(new)) == forward, "\(old ?? "-") → \(new ?? "-")")
        #expect(try await effect(from: documents(new), to: documents(old)) == back, "\(new ?? "-") → \(old ?? "-")")
        guard let old, let new, !(old + new).contains(where: { "[?e".contains($0) }) else { return }
        func named(_ type: String) -> EvolutionDocuments {
            .init(columns: ["a | [ID]", "b | ID?"], types: ["## ID: \(type)"])
        }
        #expect(try await effect(from: named(old), to: named(new)) == forward, "\(old) → \(new)")
        #expect(try await effect(from: named(new), to: named(old)) == back, "\(new) → \(old)")
    }

    /// Combines every two changes in one event: the readers of both break, and the higher bump applies.
    @Test("Two changes take the higher bump") func twoChangesTakeTheHigherBump() async throws {
        let all = Self.columns.flatMap { [($0.old, $0.new, $0.forward), ($0.new, $0.old, $0.back)] }
        func shape(_ name: String, _ type: String?) async throws -> [ColumnShape] {
            let documents = EvolutionDocuments(columns: type.map { ["\(name) | \($0)"] } ?? [])
            let definitions = try await documents.definitions()
            return try ShapeNotation.parse(ShapeNotation(definitions).shape(of: definitions.categories[0].events[0]))
                .columns
        }
        var shapes: [(a: ([ColumnShape], [ColumnShape]), b: ([ColumnShape], [ColumnShape]), effect: Effect)] = []
        for (old, new, effect) in all {
            shapes.append(
                (
                    (try await shape("a", old), try await shape("a", new)),
                    (try await shape("b", old), try await shape("b", new)), effect
                ))
        }
        for first in shapes {
            for second in shapes {
                var old = EventShape()
                var new = EventShape()
                old.columns = first.a.0 + second.b.0
                new.columns = first.a.1 + second.b.1
                let expected = Effect(
                    first.effect.breaks.union(second.effect.breaks), max(first.effect.bump, second.effect.bump))
                #expect(Self.effect(ShapeComparison.changes(from: old, to: new)) == expected)
            }
        }
    }

    // MARK: Events

    @Test("A new event breaks no readers") func newEventBreaksNoReaders() async throws {
        let drift = try await EvolutionDocuments(more: "## hide\n").drift(from: .init())
        #expect(drift.events.map(\.name) == ["search.hide"])
        #expect(drift.events.map(\.newVersion) == [.initial])
        #expect(drift.events.allSatisfy { !$0.isBreaking })
        #expect(drift.deleted == [])
    }

    @Test("Deleting an event that was not retired is refused")
    func anEventDeletedWithoutHavingBeenRetiredIsRefused() async throws {
        #expect(try await EvolutionDocuments().drift(from: .init(more: "## hide\n")).deleted == ["search.hide"])
        #expect(try await EvolutionDocuments().drift(from: .init(more: "## ~~hide~~\n")).deleted == [])
        // A rename is a deletion and an addition.
        let renamed = try await EvolutionDocuments(heading: "display").drift(from: .init())
        #expect(renamed.deleted == ["search.show"])
        #expect(renamed.events.map(\.name) == ["search.display"])
    }

    @Test("With only some files given, only their categories can lack events")
    func onlyCategoriesOfGivenFilesCanLackEvents() async throws {
        let old = Baseline(try await EvolutionDocuments(more: "## hide\n").definitions())
        let other = Definitions(files: [], categories: [])
        #expect(await Drift.between(old, and: other, scope: .givenCategories).drift.deleted == [])
        #expect(
            await Drift.between(old, and: other, scope: .everything).drift.deleted == ["search.hide", "search.show"])
    }

    @Test("Columns of a retired event have no drift") func columnsOfARetiredEventHaveNoDrift() async throws {
        let drift = try await EvolutionDocuments(columns: ["b | bool"], heading: "~~show~~").drift(
            from: .init(columns: ["a | int64"], heading: "~~show~~"))
        #expect(drift.events.isEmpty)
    }

    @Test("A retired name that is defined again takes a reserved name")
    func redefinedRetiredNameTakesAReservedName() async throws {
        let event = try await EvolutionDocuments().drift(from: .init(heading: "~~show~~"))
        #expect(event.events.flatMap(\.changes).map(\.takesReservedName) == [true])
        let column = try await EvolutionDocuments(columns: ["a | int64?"]).drift(from: .init(columns: ["~~a~~ | bool"]))
        #expect(column.events.flatMap(\.changes).map(\.takesReservedName) == [true])
        // In a record, a common column and an event's column are the same member.
        let own = try await EvolutionDocuments(columns: ["a | int64?"]).drift(from: .init(common: ["~~a~~ | bool"]))
        #expect(own.events.flatMap(\.changes).filter(\.takesReservedName).map(\.subject) == [.column("a")])
        let common = try await EvolutionDocuments(common: ["a | int64?"]).drift(from: .init(columns: ["~~a~~ | bool"]))
        #expect(common.events.flatMap(\.changes).filter(\.takesReservedName).map(\.subject) == [.commonColumn("a")])
    }

    @Test(
        "A bump increments its part and clears the following parts",
        arguments: [
            (Bump.none, "3-2-1"), (.addition, "3-2-2"), (.revision, "3-3-0"), (.model, "4-0-0"),
        ]) func bumpIncrementsItsPartAndClearsTheFollowing(_ bump: Bump, _ expected: String)
    {
        #expect(SchemaVersion(model: 3, revision: 2, addition: 1).bumped(bump).description == expected)
    }

    // MARK: Report

    @Test("A change of a list's items has the types of the document") func changesOfItems() async throws {
        let drift = try await EvolutionDocuments(columns: ["a | [int16]", "b | [int]"])
            .drift(from: .init(columns: ["a | [int8]", "b | [[int]]"]))
        #expect(
            drift.events.flatMap(\.changes).map(\.what) == [
                "becomes wider: `[int8]` → `[int16]`", "changes its type: `[[int]]` → `[int]`",
            ])
    }

    @Test("A shared change is reported once with its events") func aSharedChangeIsToldOnceWithItsEvents() async throws {
        let types = ["## Order\n\n| value |\n| --- |\n| x |"]
        let more = "## hide\n\n| column | type |\n| --- | --- |\n| a | Order |\n| b | [Order] |\n"
        let old = try await EvolutionDocuments(columns: ["a | Order"], common: ["c | int32"], types: types, more: more)
            .definitions()
        let new = try await EvolutionDocuments(
            columns: ["a | Order"], common: ["c | int64"], types: [types[0] + "\n| y |"], more: more
        ).definitions()
        let baseline = Baseline(old)
        let drift = await Drift.between(baseline, and: new, scope: .everything).drift
        let report = DriftReport(definitions: new, baseline: baseline, hasVersions: true)
        #expect(
            report.diagnostics(of: drift).map { "\(report.files[$0.place.file].path): \($0.message)" } == [
                "common.md: the common column `c` becomes wider: `int32` → `int64`, in 2 events; breaks app code and the warehouse; revision"
            ])
        #expect(
            report.notes(of: drift).map(\.message) == [
                "the type `Order` gains the value `y`; query results may change"
            ])
    }

    @Test("A change is reported at its source location") func changeIsReportedAtItsSourceLocation() async throws {
        let old = try await EvolutionDocuments(
            columns: ["a | int64", "b | int64", "c | bool?"], details: ["trigger | show"]
        ).definitions()
        let new = try await EvolutionDocuments(columns: ["a | string", "b | int64?"], details: ["trigger | screen"])
            .definitions()
        let baseline = Baseline(old)
        let drift = await Drift.between(baseline, and: new, scope: .everything).drift
        let report = DriftReport(definitions: new, baseline: baseline, hasVersions: true)
        let told = report.diagnostics(of: drift).map { diagnostic in
            let position = report.files[diagnostic.place.file].source.position(at: diagnostic.place.range.lowerBound)
            return "\(position.line):\(position.column) \(diagnostic.message)"
        }
        #expect(
            told == [
                "3:4 the column `c` of `search.show` was optional and is deleted; breaks app code and old apps; "
                    + "revision (1-0-0 → 2-0-0)",
                "7:13 `search.show` changes its trigger: `show` → `screen`; breaks the warehouse; revision (1-0-0 → "
                    + "2-0-0)",
                "11:7 the column `a` of `search.show` changes its type: `int64` → `string`; breaks app code, "
                    + "the warehouse and old apps; model (1-0-0 → 2-0-0)",
                "12:3 the column `b` of `search.show` was required and is optional; breaks the warehouse; "
                    + "revision (1-0-0 → 2-0-0)",
            ])
    }
}
