import Foundation
import LogDefinitions
import LogValidation
import MarkdownSyntax
import TestSupport

/// The history of the probe's definitions. `loggen` locks each revision and generates its schemas.
struct ProbeHistory {
    /// The documents of each revision, by name, from the oldest to the current one.
    static var revisions: [[String: String]] {
        let today = [
            "probe": ProbeDefinitions.probe, "second": ProbeDefinitions.second, "common": ProbeDefinitions.common,
            "types": ProbeDefinitions.types,
        ]
        func changed(_ revision: [String: String], _ document: String, _ text: String, _ other: String) -> [String:
            String]
        {
            revision.merging([document: (revision[document] ?? "").replacing(text, with: other)]) { $1 }
        }
        // Each revision is made from the next one by undoing a change.
        var third = changed(today, "probe", "| count | int |", "| count | string(2) |\n| note | enum(a, b)? |")
        third = changed(
            third, "probe", "## ~~retired_event~~",
            "## retired_event\n\n| column | type |\n| --- | --- |\n| reason | string(3) |")
        third = changed(third, "common", "~~old_common~~", "old_common")
        var second = changed(third, "probe", "\n| note | enum(a, b)? |", "")
        second = changed(second, "types", "| popular | |\n", "")
        second = changed(second, "probe", "| percent | int(0...100)? |", "| percent | int(0...10)? |")
        var first = changed(second, "common", "\n| session | uuid? |", "")
        first = changed(first, "probe", "| ~~gone~~ | bool? |", "| gone | bool? |")
        first = changed(first, "probe", "[int8; 1...2]", "[int8]")
        return [first, second, third, today]
    }

    /// All schemas. Those of a revision have addresses below `https://example.com/NUMBER/`.
    var schemas: [[UInt8]] = []
    /// The address of the envelope's schema for each version of each event, by `probe.grown 1-0-0`.
    var envelopes: [String: String] = [:]
    /// The versions that each event has had, by `probe.grown`.
    var versions: [String: [String]] = [:]
    let rules: RecordRules

    static func envelope(_ revision: Int) -> String { "https://example.com/\(revision)/envelope.schema.json" }
    /// The address of the envelope that the current definitions generate.
    static var today: String { envelope(revisions.count - 1) }

    init() async throws {
        struct Schema: Decodable {
            struct Event: Decodable {
                var version: String?
                enum CodingKeys: String, CodingKey { case version = "x-version" }
            }
            var events: [String: Event]?
            enum CodingKeys: String, CodingKey { case events = "$defs" }
        }
        let scratch = try Scratch()
        func run(_ arguments: String...) throws {
            let result = try Tool.run(arguments, in: scratch.url)
            guard result.code == 0 else {
                throw ProbeDefinitions.Failure(description: "\(arguments): \(result.out)\(result.error)")
            }
        }
        for (number, documents) in Self.revisions.enumerated() {
            for (name, text) in documents { try scratch.write(text, to: "Definitions/\(name).md") }
            try scratch.write(
                "outputs:\n  json-schema:\n    base-url: https://example.com/\(number)/\n", to: "Definitions/loggen.yml"
            )
            try run("lock", "--accept", "Definitions")
            try run("generate", "Definitions", "--only", "json-schema", "--output", "\(number)")
            for (path, bytes) in try scratch.files(under: "\(number)") where path.hasSuffix(".schema.json") {
                schemas.append(Array(bytes))
                let name = (path.split(separator: "/").last.map(String.init) ?? path).replacing(
                    ".schema.json", with: "")
                guard documents[name] != nil, name != "types" else { continue }
                for (event, description) in try JSONDecoder().decode(Schema.self, from: bytes).events ?? [:] {
                    guard let version = description.version else { continue }
                    envelopes["\(name).\(event) \(version)"] = Self.envelope(number)
                    if versions["\(name).\(event)"]?.contains(version) != true {
                        versions["\(name).\(event)", default: []].append(version)
                    }
                }
            }
        }
        let text = try scratch.read("Definitions/loggen.lock")
        let lock = LockFile(
            SourceFile(
                path: "Definitions/loggen.lock", relativePath: LockFile.fileName, source: SourceText(Array(text.utf8))))
        let definitions = try await ProbeDefinitions.analyzed(Self.revisions[Self.revisions.count - 1])
        let drift = await Drift.between(lock.latest, and: definitions, scope: .everything)
        rules = RecordRules(EventDescription.all(of: Model(definitions, versions: drift.versions, lock: lock)))
    }
}
