import Foundation
import MarkdownSyntax
import Testing
import TestSupport

@testable import LogDefinitions

/// Tests of the documents in `Definitions/`, which other tests and the documentation use.
@Suite struct SampleDefinitionsTests {
    static let folder = Tool.repository.appendingPathComponent("Definitions")

    static func files() throws -> [SourceFile] {
        try FileManager.default.contentsOfDirectory(atPath: folder.path).filter {
            $0.hasSuffix(".md") && $0 != "README.md"
        }.sorted().map {
            let data = try Data(contentsOf: folder.appendingPathComponent($0))
            return SourceFile(path: "Definitions/\($0)", relativePath: $0, source: SourceText(Array(data)))
        }
    }

    @Test("The sample has no diagnostics") func theSampleHasNoProblems() async throws {
        let analysis = await Analysis.run(try Self.files())
        let problems = analysis.diagnostics.map { diagnostic in
            let file = analysis.definitions.files[diagnostic.place.file]
            return
                "\(file.relativePath):\(file.source.position(at: diagnostic.place.range.lowerBound).line): \(diagnostic.message)"
        }
        #expect(problems == [])
    }

    /// The purpose of the sample is to show every part of the format once.
    @Test("The sample uses the whole format") func theSampleUsesTheWholeFormat() async throws {
        let definitions = await Analysis.run(try Self.files()).definitions
        let events = definitions.categories.flatMap(\.events)
        let columns = events.flatMap(\.columns) + (definitions.common?.columns ?? [])
        #expect(definitions.categories.count >= 9)
        #expect((40...60).contains(events.count))
        #expect(Set(events.map(\.status)) == [.active, .deprecated, .retired])
        #expect(Set(columns.map(\.status)) == [.active, .deprecated, .retired])
        #expect(events.contains { $0.columns.isEmpty })
        #expect(events.contains { !$0.notes.isEmpty })
        #expect(events.contains { $0.description.contains("\n\n") })
        #expect(definitions.categories.contains { !$0.notes.isEmpty })

        let details = Set(
            (events.map(\.details) + definitions.categories.map(\.details)).flatMap { $0.texts.map(\.key) })
        // A former name needs earlier versions, which the sample's lock file does not have.
        #expect(details == Set(Details.Key.allCases).subtracting([.swift, .renamedFrom]))
        let triggers = Set(events.compactMap(\.trigger))
        let expected: [LogTrigger] = [
            .screen, .show, .impression(visibleFraction: nil, dwell: nil),
            .impression(visibleFraction: 0.8, dwell: nil),
            .impression(visibleFraction: nil, dwell: 2), .impression(visibleFraction: 0.8, dwell: 0.5),
        ]
        for trigger in expected { #expect(triggers.contains(trigger), "\(trigger)") }
        #expect(triggers.contains { if case .tap = $0 { true } else { false } })

        let types = Set(columns.map { $0.type.description.prefix { $0 != "(" && $0 != "[" } })
        for type in [
            "string", "int64", "int8", "int16", "int32", "uint8", "uint16", "uint32", "double", "float", "bool", "date",
            "timestamp",
            "uuid", "url", "enum",
            "ListOrder", "RecipeID", "VideoID", "",
        ] {
            #expect(types.contains(type[...]), "\(type)")
        }
        #expect(
            columns.contains {
                if case .array(let list) = $0.type { list.minItems != nil && list.maxItems != nil } else { false }
            })
        #expect(columns.contains { if case .string(let limits) = $0.type { limits.maxBytes != nil } else { false } })
        #expect(
            columns.contains { !$0.isRequired } && columns.contains { !$0.annotations.isEmpty }
                && columns.contains { $0.example != nil })
        #expect(columns.contains { $0.since != nil } && columns.contains { $0.description.contains("|") })
        #expect(Set(columns.compactMap(\.privacy)) == [.none, .personal, .sensitive])
    }
}
