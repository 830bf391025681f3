import ActivityTracking
import Foundation
import Testing
import TestSupport
import VectorLogs

/// Tests of the vectors in `Tests/Generator/Vectors`: events with values, and their expected records, byte for byte.
///
/// The stages `kotlin` and `typescript` run the same files. `RECORD_VECTORS=1` records all cases again and fails, which
/// prevents recording by accident.
struct VectorTests {
    static let folder = Tool.repository.appendingPathComponent("Tests/Generator/Vectors")
    static let isRecording = ProcessInfo.processInfo.environment["RECORD_VECTORS"] != nil

    static var files: [String] {
        let names = (try? FileManager.default.contentsOfDirectory(atPath: folder.path)) ?? []
        return names.filter { $0.hasSuffix(".json") }.sorted()
    }

    static func read(_ file: String) throws -> Vectors {
        try JSONDecoder().decode(Vectors.self, from: Data(contentsOf: folder.appendingPathComponent(file)))
    }

    @Test("Records are equal to the vectors", .enabled(if: !isRecording), arguments: files)
    func recordsAreEqualToTheVectors(_ file: String) throws {
        let vectors = try Self.read(file)
        #expect(!vectors.cases.isEmpty)
        for vector in vectors.cases where vector.isFor("swift") {
            let record = try vector.record()
            // Languages that sample by the definition write the rate in every record, kept or not.
            let sampled = record.sampled(at: record.sampling ?? 1)
            #expect(String(decoding: sampled.json, as: UTF8.self) == vector.json, "\(vector.name)")
            #expect(record.violations.map(\.entry) == vector.violations, "\(vector.name)")
            #expect((Sampling().process(record) != nil) == vector.isKept, "\(vector.name)")
        }
    }

    @Test("Every event and every rule has a vector") func thereAreVectorsForEveryEventAndRule() throws {
        let all = try Self.files.flatMap { try Self.read($0).cases }
        let events = Values.definition.events.filter { $0.status != .retired }
        #expect(Set(all.map(\.event)) == Set(events.map(\.name)))
        for event in events {
            let given = all.filter { $0.event == event.name }.reduce(into: Set()) {
                $0.formUnion(($1.columns ?? [:]).keys)
            }
            #expect(given == Set(event.columns.map(\.name)), "\(event.name)")
        }
        let broken = all.flatMap { (vector: Vector) -> [String] in vector.violations ?? [] }
        let rules = Set(broken.compactMap { $0.split(separator: " ").last.map(String.init) })
        #expect(
            rules == [
                "minimum", "maximum", "maxLength", "maxBytes", "minItems", "maxItems", "pattern", "format", "type",
            ])
    }

    @Test("Records of all cases are written again", .enabled(if: isRecording)) func recording() throws {
        let encoder = JSONEncoder()
        encoder.outputFormatting = [.prettyPrinted, .sortedKeys, .withoutEscapingSlashes]
        for file in Self.files {
            var vectors = try Self.read(file)
            for index in vectors.cases.indices where vectors.cases[index].isFor("swift") {
                let record = try vectors.cases[index].record()
                vectors.cases[index].json = String(
                    decoding: record.sampled(at: record.sampling ?? 1).json, as: UTF8.self)
                vectors.cases[index].violations = record.violations.map(\.entry)
                vectors.cases[index].isKept = Sampling().process(record) != nil
            }
            try (encoder.encode(vectors) + Data("\n".utf8)).write(to: Self.folder.appendingPathComponent(file))
        }
        Issue.record("recorded \(Self.files.count) files: read them, then run without RECORD_VECTORS")
    }
}

struct Vectors: Codable {
    var about: String
    var cases: [Vector]
}

struct Vector: Codable {
    var name: String
    /// The languages that support such values; nil means all.
    var only: [String]?
    var event: String
    var columns: [String: VectorValue]?
    var common: [String: VectorValue]?
    /// Milliseconds since 1970.
    var occurredAt: String?
    var id: String?

    var json: String?
    var violations: [String]?
    var isKept: Bool?

    func isFor(_ language: String) -> Bool { only?.contains(language) ?? true }

    func record() throws -> LogRecord {
        let common = VectorColumns(values: self.common ?? ["app_version": .text("1.0")])
        return LogRecord(
            try VectorColumns(values: columns ?? [:]).event(event),
            common: CommonColumns(
                userId: try common.text("user_id"), appVersion: try #require(try common.text("app_version")),
                build: try common.one("build") { Int64($0) },
                channel: try common.one("channel", CommonColumns.Channel.init(rawValue:))),
            occurredAt: try #require(VectorColumns.date(occurredAt ?? "1775044800123")),
            id: try VectorColumns(values: ["id": .text(id ?? "0190a3f2-7c1e-7b52-9d0a-3f6f0c2b8e11")]).one(
                "id", UUID.init(uuidString:)))
    }
}

/// A value in a vector: a string, the UTF-16 units of a string (`{"utf16": [55357]}`), or a list of values.
indirect enum VectorValue: Codable {
    case text(String)
    case units([UInt16])
    case list([VectorValue])

    private struct Units: Codable { var utf16: [UInt16] }

    init(from decoder: any Decoder) throws {
        let container = try decoder.singleValueContainer()
        if let text = try? container.decode(String.self) {
            self = .text(text)
        } else if let units = try? container.decode(Units.self) {
            self = .units(units.utf16)
        } else {
            self = .list(try container.decode([VectorValue].self))
        }
    }

    func encode(to encoder: any Encoder) throws {
        var container = encoder.singleValueContainer()
        switch self {
        case .text(let text): try container.encode(text)
        case .units(let units): try container.encode(Units(utf16: units))
        case .list(let list): try container.encode(list)
        }
    }
}

struct VectorColumns {
    var values: [String: VectorValue]

    func event(_ name: String) throws -> Values {
        switch name {
        case "integers":
            return Values.integers(
                plain: try one("plain") { Int($0) }, tiny: try one("tiny") { Int8($0) },
                small: try one("small") { Int16($0) },
                medium: try one("medium") { Int32($0) }, large: try one("large") { Int64($0) },
                largeRange: try one("large_range") { Int64($0) },
                byte: try one("byte") { UInt8($0) }, port: try one("port") { UInt16($0) },
                word: try one("word") { UInt32($0) },
                count: try one("count") { UInt32($0) })
        case "numbers":
            return Values.numbers(
                double: try one("double") { Double($0) }, doubleRange: try one("double_range") { Double($0) },
                float: try one("float") { Float($0) },
                floatFrom: try one("float_from") { Float($0) }, floatTo: try one("float_to") { Float($0) },
                manyDoubles: try list("many_doubles") { Double($0) }, manyFloats: try list("many_floats") { Float($0) })
        case "decimals":
            return Values.decimals(
                price: try one("price", Self.decimal), whole: try one("whole", Self.decimal),
                fraction: try one("fraction", Self.decimal),
                most: try one("most", Self.decimal))
        case "texts": return Values.texts(text: try text("text"), short: try text("short"), bytes: try text("bytes"))
        case "times": return Values.times(day: try one("day", Self.day), moment: try one("moment", Self.date))
        case "others":
            return Values.others(
                flag: try one("flag") { Bool($0) }, key: try one("key", UUID.init(uuidString:)),
                link: try one("link", Self.link),
                mode: try one("mode", Values.Mode.init(rawValue:)))
        case "lists":
            return Values.lists(
                strings: try nested("strings", Self.text),
                grid: try nested("grid") { try Self.items($0).map { try Self.read($0) { Int($0) } } },
                larges: try list("larges") { Int64($0) }, doubles: try list("doubles") { Double($0) },
                floats: try list("floats") { Float($0) },
                decimals: try list("decimals", Self.decimal), bools: try list("bools") { Bool($0) },
                days: try list("days", Self.day),
                moments: try list("moments", Self.date), keys: try list("keys", UUID.init(uuidString:)),
                links: try list("links", Self.link),
                kinds: try nested("kinds") { try Self.read($0, Values.Kinds.init(rawValue:)) })
        case "named":
            return Values.named(
                order: try one("order", Order.init(rawValue:)),
                recipe: try one("recipe") { Int64($0).map { RecipeID($0) } },
                ratio: try one("ratio") { Float($0).map { Ratio($0) } },
                amount: try one("amount") { Self.decimal($0).map { Amount($0) } },
                code: try one("code") { Code($0) }, due: try one("due") { Self.day($0).map { Due($0) } },
                seen: try one("seen") { Self.date($0).map { Seen($0) } },
                page: try one("page") { Self.link($0).map { Page($0) } },
                orders: try list("orders", Order.init(rawValue:)),
                recipes: try nested("recipes") { try Self.read($0) { Int64($0).map { RecipeID($0) } } },
                opaque: try one("opaque") { Opaque(rawValue: $0) })
        case "bare": return Values.bare
        case "old": return (Deprecated.self as any Making.Type).old(try text("kept"), try text("going"))
        case "sampled": return Values.sampled
        default: throw VectorProblem("no event `\(name)`")
        }
    }

    /// Calls a deprecated function without a compiler warning.
    private protocol Making { static func old(_ kept: String?, _ going: String?) -> Values }

    private enum Deprecated: Making {
        @available(*, deprecated)
        static func old(_ kept: String?, _ going: String?) -> Values { .old(kept: kept, going: going) }
    }

    // MARK: Values

    func text(_ column: String) throws -> String? { try values[column].map(Self.text) }

    func one<Value>(_ column: String, _ make: (String) -> Value?) throws -> Value? {
        try text(column).map { text in
            guard let value = make(text) else { throw VectorProblem("`\(text)` is no value of `\(column)`") }
            return value
        }
    }

    func list<Value>(_ column: String, _ make: (String) -> Value?) throws -> [Value]? {
        try values[column].map { try Self.read($0, make) }
    }

    private func nested<Value>(_ column: String, _ make: (VectorValue) throws -> Value) throws -> [Value]? {
        try values[column].map { try Self.items($0).map(make) }
    }

    private static func read<Value>(_ value: VectorValue, _ make: (String) -> Value?) throws -> [Value] {
        try items(value).map { item in
            let text = try text(item)
            guard let value = make(text) else { throw VectorProblem("`\(text)` is no value") }
            return value
        }
    }

    private static func items(_ value: VectorValue) throws -> [VectorValue] {
        guard case .list(let items) = value else { throw VectorProblem("no list") }
        return items
    }

    private static func text(_ value: VectorValue) throws -> String {
        switch value {
        case .text(let text): text
        case .units(let units): String(decoding: units, as: UTF16.self)
        case .list: throw VectorProblem("no text")
        }
    }

    static func date(_ milliseconds: String) -> Date? {
        Double(milliseconds).map { Date(timeIntervalSince1970: $0 / 1000) }
    }

    private static func decimal(_ text: String) -> Decimal? {
        text == "nan" ? .nan : Decimal(string: text, locale: Locale(identifier: "en_US_POSIX"))
    }

    private static func day(_ text: String) -> LogDate? {
        let parts = text.split(separator: "-").compactMap { Int($0) }
        return parts.count == 3 ? LogDate(year: parts[0], month: parts[1], day: parts[2]) : nil
    }

    /// Returns the URL if Foundation leaves its string unchanged.
    private static func link(_ text: String) -> URL? {
        URL(string: text).flatMap { $0.absoluteString == text ? $0 : nil }
    }
}

struct VectorProblem: Error, CustomStringConvertible {
    var description: String

    init(_ description: String) { self.description = description }
}
