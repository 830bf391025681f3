import Foundation
import LogValidation
import Testing
import TestSupport

/// Compares the validator's verdicts on random records with those of Python's `jsonschema`. The schemas are those that
/// `loggen` generated when the version that a record names was the current one. `VALIDATION_SEED` sets the seed.
struct DifferentialTests {
    /// A record, and the reasons why the two verdicts may differ.
    struct Candidate {
        var text: String
        var explanations: Set<Explanation>
    }

    /// The known differences. The article on `loggen validate` documents the decision on each.
    enum Explanation: CaseIterable {
        /// JSON Schema does not count bytes.
        case bytes
        /// Python accepts `NaN` and `Infinity`, which RFC 8259 does not allow.
        case notANumber
    }

    struct Maker {
        var random: SeededGenerator
        /// The versions that an event may name, by `probe.grown`; other events name 1-0-0.
        var versions: [String: [String]] = [:]

        mutating func below(_ bound: Int) -> Int { Int.random(in: 0..<bound, using: &random) }
        mutating func chance(_ percent: Int) -> Bool { below(100) < percent }
        mutating func one<Element>(of elements: [Element]) -> Element { elements[below(elements.count)] }

        static let characters = [
            "a", "é", "絵", "🍳", #"\n"#, #"\u0041"#, #"\ud83c\udf73"#, #"\ud83c"#, #"\udf73"#, #"\u0000"#, #"\""#,
            #"\\"#, #"\/"#, "か\u{3099}",
            "\u{7F}",
        ]
        static let numbers = [
            "0", "-0", "1", "-1", "4", "5", "100", "101", "127", "128", "-128", "-129", "255", "256", "32767", "32768",
            "-32768", "-32769", "65535",
            "65536", "2147483647", "2147483648", "-2147483648", "-2147483649", "4294967295", "4294967296",
            "9223372036854775807",
            "9223372036854775808",
            "-9223372036854775808", "-9223372036854775809", "18446744073709551615", "18446744073709551616",
            "123456789012345678901234567890",
            "9007199254740991", "9007199254740992", "9007199254740993", "9007199254740994", "-9007199254740993",
            "-9007199254740994", "1.0", "-0.0",
            "1.5", "1e2", "1E+2", "1.28e2", "5e-1", "0.5", "0.50000000000000000001", "0.5000000000000001", "0.51",
            "-1e-300", "1e-400", "1e400",
            "-1e400",
            "1e308", "2.5e-1", "9223372036854775807.0", "9223372036854774784.0", "-9223372036854775808.0", "9.3e18",
            "0.1e1", "100.0", "1e0", "12e-1",
            "1000000000000000000000e-21",
        ]
        static let texts = [
            "newest", "popular", "新着", "oldest", "Newest", "newest ", "", "2024-02-29", "2023-02-29", "1900-02-29",
            "2000-02-29", "0000-02-29",
            "2026-04-31", "2026-12-31", "2026-13-01", "2026-00-10", "2026-01-00", #"2026-01-01\n"#, "2026-1-1",
            "2026-04-01T12:34:56.789Z",
            "2026-04-01T24:00:00.000Z", "2026-04-01T23:59:60.000Z", "2026-04-01T12:34:56Z", "2026-04-01T12:34:56.7890Z",
            "2026-04-01t12:34:56.789z",
            "2026-04-01T12:34:56.789+00:00", #"2026-04-01T12:34:56.789Z\n"#, "01890a5d-ac96-774b-bcce-b302099a8057",
            "F47AC10B-58CC-4372-A567-0E02B2C3D479",
            "01890a5d-ac96-774b-bcce-b302099a805", "01890a5d-ac96-774b-bcce-b302099a805g",
            "01890a5d_ac96-774b-bcce-b302099a8057",
            #"01890a5d-ac96-774b-bcce-b302099a8057\n"#, "https://example.com/a?b=c%20d#e", "a:", "a:#", "a:##", "a:%",
            "a:%2", "a:%zz", "1a:b",
            "a+b-c.d:e", "a_b:c",
            ":a", "https://例え.jp", "https://example.com/<", #"https://example.com\n"#, "http://[::1]/", #"a:\u0062"#,
            "0", "00", "-0", "0.5", "0.55",
            "0.555", ".5", "5.", "-1.25",
            "123", "1234", "999.99", "1000", "0.99", "01", "+1", "1e2", #"1\n"#, "1 ", "-", "--1", "1-0-0", "1-0-1",
            "2-0-0", "0-0-0", "1-00-0",
            "1.0.0", "1-0", "12-0-34", #"1-0-0\n"#,
        ]

        mutating func text() -> String {
            chance(60) ? one(of: Self.texts) : (0..<below(6)).map { _ in one(of: Self.characters) }.joined()
        }

        mutating func value(depth: Int = 0) -> String {
            switch below(depth > 3 ? 8 : 11) {
            case 0: one(of: ["true", "false", "null"])
            case 1, 2, 3: one(of: Self.numbers)
            case 4, 5, 6, 7: "\"" + text() + "\""
            case 8, 9: "[" + (0..<below(4)).map { _ in value(depth: depth + 1) }.joined(separator: ",") + "]"
            default: "{" + (0..<below(3)).map { "\"k\($0)\":" + value(depth: depth + 1) }.joined(separator: ",") + "}"
            }
        }

        /// Returns a value that a column's type accepts or almost accepts.
        mutating func value(of column: String) -> String {
            if chance(15) { return value() }
            switch column {
            case "text", "text3", "bytes4":
                return "\"" + (0..<below(6)).map { _ in one(of: Self.characters) }.joined() + "\""
            case "flag": return one(of: ["true", "false", "null"])
            case "day", "time", "key", "link", "order", "sort", "amount", "cents", "whole", "session", "event_id",
                "occurred_at":
                return "\"" + text() + "\""
            case "tags": return "[" + (0..<below(4)).map { _ in value(of: "text3") }.joined(separator: ", ") + "]"
            case "pair":
                return "["
                    + (0..<below(4)).map { _ in chance(70) ? "\(below(128))" : one(of: Self.numbers) }.joined(
                        separator: " ,") + "]"
            case "grid":
                return one(of: [
                    "[]", #"[["newest"]]"#, #"[[],["popular"],[]]"#, #"[["oldest"]]"#, #"[["newest","newest"]]"#,
                    "[[[]]]",
                ])
            default: return one(of: Self.numbers)
            }
        }

        static let columns = [
            "text", "text3", "bytes4", "int8", "int16", "int32", "int64", "uint8", "uint16", "uint32", "percent",
            "from5", "number", "fraction",
            "wide",
            "amount", "cents", "whole", "flag", "day", "time", "key", "link", "order", "tags", "pair", "grid", "sort",
            "recipe",
        ]

        mutating func candidate() -> Candidate {
            let event =
                chance(60)
                ? "one_of_each" : one(of: ["all_required", "empty", "grown", "grown", "retired_event", "unheard_of"])
            let category = chance(96) ? "probe" : one(of: ["second", "unheard_of", "Probe"])
            var version = versions["\(category).\(event)"].map { one(of: $0) } ?? "1-0-0"
            var explanations: Set<Explanation> = []
            if chance(3) { version = one(of: ["1-0-1", "1-0-0", "2-0-0", "3-1-0", "1-1-0", "x", "1-0"]) }
            var members: [(String, String)] = [
                ("event_id", #""01890a5d-ac96-774b-bcce-b302099a8057""#), ("event_category", "\"\(category)\""),
                ("event_name", "\"\(event)\""),
                ("schema_version", "\"\(version)\""), ("occurred_at", #""2026-04-01T12:34:56.789Z""#), ("user_id", "7"),
            ]
            switch event {
            case "one_of_each": for _ in 0..<(1 + below(chance(80) ? 2 : 12)) { members.append(column()) }
            case "all_required":
                members += [
                    ("sort", chance(80) ? #""newest""# : value(of: "sort")),
                    ("pair", chance(80) ? "[1]" : value(of: "pair")),
                ]
            case "grown":
                members.append(("count", chance(90) ? one(of: ["5", #""12""#]) : value()))
                if chance(30) { members.append(("note", chance(60) ? #""a""# : value())) }
            case "retired_event": if chance(70) { members.append(("reason", chance(80) ? #""old""# : value())) }
            default: break
            }
            if chance(8) {
                members.append(
                    (
                        one(of: ["never_heard_of", "gone", "old_common", "", "Text", #"te\u0078t"#, "é", "event_Id"]),
                        value()
                    ))
            }
            if chance(6) {
                members.append(
                    (
                        "violations",
                        one(of: [#"["a: b"]"#, "[]", #"[""]"#, "null", #"["a","b"]"#, #""a""#, "[1]", #"["\u0061"]"#])
                    ))
            }
            if chance(8) { members.remove(at: below(members.count)) }
            if chance(6), !members.isEmpty { members[below(members.count)].1 = value() }
            if chance(8), !members.isEmpty {
                let twice = one(of: members)
                members.insert((twice.0, chance(50) ? twice.1 : value(of: twice.0)), at: below(members.count + 1))
            }
            if chance(15) { members.shuffle(using: &random) }
            let blank = chance(90) ? "" : one(of: [" ", "\t", "\r", "  "])
            var text =
                "{" + blank + members.map { "\"\($0.0)\"\(blank):\(blank)\($0.1)" }.joined(separator: "," + blank)
                + blank + "}"
            if chance(5) { text = damaged(text) }
            if text.contains("NaN") || text.contains("Infinity") { explanations.insert(.notANumber) }
            if members.contains(where: { $0.0 == "bytes4" }) { explanations.insert(.bytes) }
            return Candidate(text: text, explanations: explanations)
        }

        private mutating func column() -> (String, String) {
            let name = one(of: Self.columns)
            return (name, value(of: name))
        }

        private mutating func damaged(_ text: String) -> String {
            var scalars = Array(text.unicodeScalars)
            let place = below(scalars.count)
            switch below(5) {
            case 0: scalars.remove(at: place)
            case 1: scalars.insert(one(of: Array(#"{}[]",:\0-.eEtn "#.unicodeScalars)), at: place)
            case 2: scalars.removeSubrange(place...)
            case 3: scalars += Array(one(of: ["x", "{}", ",", " 1", "\u{FEFF}"]).unicodeScalars)
            default:
                scalars.replaceSubrange(
                    place...place,
                    with: Array(
                        one(of: ["NaN", "Infinity", "-Infinity", "\u{0}", "\u{A0}", "1e5", "null"]).unicodeScalars))
            }
            return String(String.UnicodeScalarView(scalars))
        }
    }

    @Test("Verdicts match those of `jsonschema`") func theVerdictIsThatOfJSONSchema() async throws {
        let environment = ProcessInfo.processInfo.environment
        let count = Depth.cases(250, deep: 100_000)
        let seed = environment["VALIDATION_SEED"].flatMap { UInt64($0) } ?? 18
        let history = try await ProbeHistory()
        #expect(history.versions["probe.grown"]?.count == 4, "\(history.versions)")
        var maker = Maker(random: SeededGenerator(seed: seed), versions: history.versions)
        let values = RecordValidatorTests.valuesWithRules.map { column, value, _ in
            Candidate(
                text: ProbeDefinitions.record("one_of_each", [column: value]),
                explanations: column == "bytes4" ? [.bytes] : [])
        }
        let candidates = values + (0..<count).map { _ in maker.candidate() }
        let outcome = try JSONSchemaValidation.run(
            schemas: history.schemas, records: candidates.map(\.text), versions: history.envelopes,
            otherwise: ProbeHistory.today)
        #expect(outcome.problems.isEmpty, "\(outcome.problems)")
        var judge = RecordEvaluator(history.rules)
        var accepted = 0
        var explained: [Explanation: Int] = [:]
        var differences: [String] = []
        for (candidate, isAccepted) in zip(candidates, outcome.verdicts) {
            let report = judge.judge(RecordChunk(record: Array(candidate.text.utf8)))
            let isValid = report.counts.valid + report.counts.declared == 1
            if isAccepted { accepted += 1 }
            guard isValid != isAccepted else { continue }
            let rules = Set(report.violations.map(\.rule))
            let explanation = candidate.explanations.first { explanation in
                switch explanation {
                case .bytes: isAccepted && rules == [.maxBytes]
                case .notANumber: isAccepted && rules == [.json]
                }
            }
            if let explanation {
                explained[explanation, default: 0] += 1
            } else {
                differences.append(
                    "\(isAccepted ? "accepted" : "refused") by JSON Schema, \(report.violations.map(\.entry)): \(candidate.text)"
                )
            }
        }
        #expect(
            differences.isEmpty, "\(differences.count), seed \(seed): \(differences.prefix(5).joined(separator: "\n"))")
        // The test needs accepted and rejected records.
        #expect(accepted > count / 5)
        #expect(accepted < count * 4 / 5)
        print("\(count) records, \(accepted) accepted; explained differences: \(explained)")
    }
}
