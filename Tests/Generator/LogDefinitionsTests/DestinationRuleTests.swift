import Foundation
import MarkdownSyntax
import TestSupport
import Testing

@testable import LogDefinitions

/// Tests of each vendor's limits on both sides of the limit, and of the documentation's destinations.
struct DestinationRuleTests {
    /// Returns `rule message` for each finding of the rules for destinations.
    static func findings(_ destination: Destination, _ documents: [String: String], nameLength: Int = 64) async
        -> [String]
    {
        await diagnostics([destination], documents, nameLength: nameLength).map { "\($0.rule) \($0.message)" }
    }

    static func diagnostics(_ destinations: [Destination], _ documents: [String: String], nameLength: Int = 64) async
        -> [Diagnostic]
    {
        var options = AnalysisOptions()
        options.nameLength = nameLength
        options.destinations = destinations
        for rule in [Rule.destinationName, .destinationSize, .destinationValue] { options.severities[rule] = .warning }
        options.severities[.frameworkName] = .some(nil)
        let files = documents.map { name, text in
            SourceFile(path: name, relativePath: name, source: SourceText(Array(text.utf8)))
        }
        let found = await Analysis.run(files, options: options).diagnostics
        #expect(found.allSatisfy { $0.rule.name.hasPrefix("destination-") }, "\(found.map(\.message))")
        return found
    }

    static func event(_ rows: [String], category: String = "search", details: String = "") -> [String: String] {
        [
            "\(category).md": "# \(category)\n\n## show\n\n\(details)| column | type |\n| --- | --- |\n"
                + rows.map { "| \($0) |\n" }.joined()
        ]
    }

    static func events(_ count: Int) -> String {
        "# search\n\n" + (0..<count).map { "## show\($0)\n\n" }.joined()
    }

    static func letters(_ count: Int) -> String { String(repeating: "a", count: count) }

    @Test("Firebase ignores events whose name has more than 40 characters", arguments: [39, 40, 41])
    func eventNames(length: Int) async {
        let document = ["ab.md": "# ab\n\n## \(Self.letters(length - 3))\n"]
        let found = await Self.findings(.firebase, document)
        #expect(found.map { $0.hasPrefix("destination-name ") } == (length > 40 ? [true] : []))
        #expect(await Self.findings(.amplitude, document).isEmpty)
    }

    @Test("Firebase replaces parameters whose name has more than 40 characters", arguments: [39, 40, 41])
    func parameterNames(length: Int) async {
        let found = await Self.findings(.firebase, Self.event(["\(Self.letters(length)) | int"]))
        #expect(found.map { $0.hasPrefix("destination-name ") } == (length > 40 ? [true] : []))
    }

    @Test("Firebase's reserved names and prefixes are reported as the names that reach Firebase")
    func reservedNames() async throws {
        #expect(Destination.firebase.reservedEvents.count == 32)
        for name in Destination.firebase.reservedEvents where name.contains("_") {
            let parts = name.split(separator: "_", maxSplits: 1)
            let found = await Self.findings(.firebase, ["\(parts[0]).md": "# \(parts[0])\n\n## \(parts[1])\n"])
            #expect(found.count == 1 && found.allSatisfy { $0.contains("`\(name)`, which is reserved") }, "\(found)")
        }
        for prefix in ["firebase", "google", "ga"] {
            let found = await Self.findings(.firebase, ["\(prefix).md": "# \(prefix)\n\n## show\n"])
            #expect(found.count == 1 && found.allSatisfy { $0.contains("`\(prefix)_`") }, "\(found)")
            let column = await Self.findings(.firebase, Self.event(["\(prefix)_id | int"]))
            #expect(column.count == 1 && column.allSatisfy { $0.contains("`\(prefix)_id`") }, "\(column)")
        }
        // The name of an event alone is not what reaches Firebase, and a column may have an event's name.
        #expect(await Self.findings(.firebase, ["x.md": "# x\n\n## app_update\n"]).isEmpty)
        #expect(await Self.findings(.firebase, Self.event(["error | int"])).isEmpty)
    }

    @Test("Firebase drops parameters after the 25th, with those of the envelope", arguments: [24, 25, 26])
    func parameters(count: Int) async {
        // `schema_version` and `violations`; `sampling_rate` only if the event is sampled.
        for (details, envelope) in [("", 2), ("| key | value |\n| --- | --- |\n| sampling | 10% |\n\n", 3)] {
            let rows = (0..<(count - envelope - 1)).map { "c\($0) | int" }
            let common = [
                "common.md": "# common\n\n| column | type |\n| --- | --- |\n| user | int |\n| ~~old~~ | int |\n"
            ]
            let found = await Self.findings(
                .firebase, Self.event(rows, details: details).merging(common) { $1 })
            #expect(found.map { $0.hasPrefix("destination-size ") } == (count > 25 ? [true] : []), "\(found)")
        }
    }

    @Test("Strings longer than a vendor's limit are reported at their type", arguments: [-1, 0, 1])
    func strings(more: Int) async throws {
        for (destination, limit) in [(Destination.firebase, 100), (.amplitude, 1024)] {
            let length = limit + more
            for type in [
                "string(\(length))", "string(\(length) bytes)", "enum(short, \(Self.letters(length)))",
            ] {
                let found = await Self.diagnostics([destination], Self.event(["name | \(type)"]))
                #expect(found.map(\.rule.name) == (more > 0 ? ["destination-value"] : []), "\(type)")
                for diagnostic in found {
                    let source = SourceText(Array((Self.event(["name | \(type)"])["search.md"] ?? "").utf8))
                    #expect(source.string(diagnostic.place.range) == type)
                }
            }
        }
    }

    @Test(
        "Types without a maximum length are reported, and short ones are not",
        arguments: [
            ("string", [true, true, true]), ("url", [true, true, true]), ("uuid", [false, false, false]),
            ("timestamp", [false, false, false]), ("date", [false, false, false]), ("int", [false, false, false]),
            ("double", [false, false, false]), ("decimal(38, 2)", [false, false, false]),
            ("bool", [false, false, false]), ("[int]", [true, false, true]), ("[int; ...9]", [true, false, false]),
            ("[[int; ...9]]", [true, false, true]), ("[string; ...9]", [true, true, true]),
            ("[string(9); ...9]", [true, false, false]), ("[string(9); ...9223372036854775807]", [true, false, true]),
            ("string(1000000)", [true, true, true]),
        ])
    func types(type: String, areReported: [Bool]) async {
        for (destination, isReported) in zip(Destination.all, areReported) {
            let found = await Self.findings(destination, Self.event(["name | \(type)"]))
            #expect(
                found.map { $0.hasPrefix("destination-value ") } == (isReported ? [true] : []), "\(destination.name)")
        }
    }

    @Test("A type in `types.md` is reported once, and not for vendors that receive only lists of it")
    func namedTypes() async {
        let types = ["types.md": "# types\n\n## Title: string(101)\n\n## Unused: string\n"]
        let single = Self.event(["a | Title", "b | Title?", "~~c~~ | Title"]).merging(types) { $1 }
        #expect(await Self.diagnostics([.firebase], single).map(\.place.file) == [1])
        let lists = await Self.findings(.firebase, Self.event(["a | [Title; ...2]"]).merging(types) { $1 })
        #expect(lists.count == 1 && lists.allSatisfy { $0.contains("`a` is a list") })
    }

    @Test("Vendors keep a limited number of events", arguments: [-1, 0, 1])
    func eventCount(more: Int) async {
        for (destination, limit) in [(Destination.firebase, 500), (.amplitude, 2000)] {
            let retired = "## ~~gone~~\n\n"
            let found = await Self.findings(destination, ["search.md": Self.events(limit + more) + retired])
            #expect(found.map { $0.hasPrefix("destination-size ") } == (more > 0 ? [true] : []), "\(found)")
        }
    }

    @Test("The events of a platform count, not those of all")
    func eventsOfPlatforms() async {
        func document(_ platform: String) -> String {
            "# \(platform)\n\n| key | value |\n| --- | --- |\n| platforms | \(platform) |\n\n"
                + (0..<300).map { "## show\($0)\n\n" }.joined()
        }
        #expect(
            await Self.findings(.firebase, ["ios.md": document("ios"), "android.md": document("android")]).isEmpty)
    }

    @Test(
        "Two events with one resulting name are reported if an app sends both",
        arguments: [("ios", "android", 0), ("ios", "ios, android", 1), ("ios", "ios", 1), ("web", "android", 0)])
    func equalNames(one: String, other: String, count: Int) async {
        func document(_ category: String, _ event: String, _ platforms: String) -> String {
            "# \(category)\n\n| key | value |\n| --- | --- |\n| platforms | \(platforms) |\n\n## \(event)\n\n"
        }
        let found = await Self.findings(
            .firebase, ["a.md": document("a", "b_c", one), "a_b.md": document("a_b", "c", other)])
        #expect(found.count { $0.contains("two events reach Firebase as `a_b_c`") } == count, "\(found)")
        #expect(found.count == count, "\(found)")
    }

    @Test("Amplitude indexes 2000 different parameters", arguments: [1999, 2000, 2001])
    func distinctParameters(count: Int) async {
        // Three belong to the envelope, and both events have the same columns.
        let rows = (0..<(count - 3)).map { "| c\($0) | int |\n" }.joined()
        let table = "| column | type |\n| --- | --- |\n\(rows)\n"
        let found = await Self.findings(.amplitude, ["search.md": "# search\n\n## show\n\n\(table)## hide\n\n\(table)"])
        #expect(found.map { $0.hasPrefix("destination-size ") } == (count > 2000 ? [true] : []), "\(found)")
    }

    @Test("Segment rejects events above 32 KB", arguments: [32767, 32768, 32769])
    func eventBytes(bytes: Int) async {
        // {"schema_version":…,"a":"…","b":"…"} with a version of at most 24 bytes.
        let (envelope, columns) = (2 + 14 + 4 + 24, 2 * (1 + 4 + 2))
        let rest = bytes - envelope - columns
        let rows = ["a | string(\(rest / 2) bytes)", "b | string(\(rest - rest / 2) bytes)"]
        let found = await Self.findings(.segment, Self.event(rows))
        #expect(found.map { $0.hasPrefix("destination-size ") } == (bytes > 32768 ? [true] : []), "\(found)")
        // A single column above the limit is reported at the column alone.
        let large = await Self.findings(.segment, Self.event(rows + ["c | string(\(bytes - 1) bytes)"]))
        #expect(large.contains { $0.hasPrefix("destination-value ") } == (bytes - 1 + 2 > 32768))
    }

    @Test("Segment drops properties after 10,000", arguments: [9_999, 10_000, 10_001])
    func manyProperties(count: Int) async {
        let found = await Self.findings(.segment, Self.event((0..<(count - 2)).map { "c\($0) | bool" }))
        // So many columns also exceed the bytes.
        #expect(found.contains { $0.contains("\(count) parameters") } == (count > 10_000), "\(found)")
    }

    @Test("Without destinations, the rules find nothing")
    func noDestinations() async {
        let found = await Self.diagnostics(
            [], ["app.md": "# app\n\n## update\n\n| column | type |\n| --- | --- |\n| a | string |\n"])
        #expect(found.isEmpty)
    }

    @Test("The article contains every limit of a vendor") func article() throws {
        let article = try Tool.text(of: "Sources/Runtime/ActivityTracking/Documentation.docc/VendorDestinations.md")
        for vendor in Destination.all {
            let row = try #require(
                article.split(separator: "\n").first { $0.hasPrefix("| \(vendor.title) |") }, "\(vendor.name)")
            let limits = [
                vendor.eventName, vendor.parameterName, vendor.string, vendor.parameters, vendor.events,
                vendor.allParameters, vendor.eventBytes,
            ].compactMap { $0 }
            #expect(!limits.isEmpty)
            for limit in limits {
                #expect(row.contains("\(limit.maximum) "), "\(vendor.name): \(limit.maximum) \(limit.unit)")
                #expect(limit.source.hasPrefix("https://"))
            }
        }
    }

    @Test("The documentation's destinations send the names and parameters that the rules count")
    func adapters() throws {
        let folder = Tool.repository.appendingPathComponent("Tests/Runtime/AppleInterfaces/DestinationTests")
        for vendor in Destination.all {
            let title = vendor.name.prefix(1).uppercased() + vendor.name.dropFirst()
            let source = try String(
                contentsOf: folder.appendingPathComponent("\(title)DestinationExample.swift"), encoding: .utf8)
            #expect(source.contains("\"\(Destination.eventName("\\(record.category)", "\\(record.event)"))\""))
            let parameters = Set(source.matches(of: /(?:parameters|properties)\["(\w+)"\] =/).map { String($0.1) })
            #expect(parameters == Set(Destination.envelope.map(\.name)), "\(vendor.name)")
        }
    }
}
