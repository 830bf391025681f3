import MarkdownSyntax
import Testing
import TestSupport

@testable import LogDefinitions
@testable import LogOutputs

/// Tests with random edits of random definitions.
struct EvolutionSchemaTests {
    // MARK: Definitions

    static let enumValues = ["a", "b c", "新着", "50%", "d"]

    static func scalar(_ random: inout SeededGenerator) -> LogValueType {
        func bound(_ random: inout SeededGenerator, _ values: [Int64]) -> Int64? {
            random.chance(40) ? nil : values[random.below(values.count)]
        }
        switch random.below(10) {
        case 0: return .string(.init(maxLength: random.chance(40) ? nil : 1 + random.below(6)))
        case 1: return .string(.init(maxBytes: 1 + random.below(12)))
        case 2, 3:
            let (bits, signed) = [(8, true), (16, true), (32, true), (64, true), (8, false), (16, false), (32, false)][
                random.below(7)]
            return .integer(
                .init(
                    bits: bits, isSigned: signed, minimum: bound(&random, signed ? [-5, 0, 1] : [0, 1, 3]),
                    maximum: bound(&random, [3, 7, 100]),
                    isPlain: bits == 64 && random.chance(50)))
        case 4:
            return .number(
                .init(
                    bits: random.chance(50) ? 32 : 64, minimum: bound(&random, [-1, 0]).map { Double($0) },
                    maximum: bound(&random, [1, 2]).map { Double($0) }))
        case 5: return .boolean
        case 9: return .decimal(.init(precision: 3 + random.below(3), scale: random.below(3)))
        case 6: return [.date, .timestamp, .uuid, .url][random.below(4)]
        default: return .enumeration(.init(Array(enumValues.shuffled(using: &random).prefix(1 + random.below(3)))))
        }
    }

    static func type(_ random: inout SeededGenerator) -> LogValueType {
        switch random.below(6) {
        case 0:
            .array(
                .init(
                    of: scalar(&random), minItems: random.chance(50) ? nil : random.below(3),
                    maxItems: random.chance(50) ? nil : 2 + random.below(3))
            )
        case 1: .named(.init(["Order", "ID"][random.below(2)]))
        default: scalar(&random)
        }
    }

    static func column(_ name: String, _ random: inout SeededGenerator) -> Column {
        var column = Column(name, type(&random), required: random.chance(50))
        if random.chance(20) { column.privacy = [LogPrivacy.none, .personal, .sensitive][random.below(3)] }
        if random.chance(10) { column.status = .retired }
        return column
    }

    static func columns(_ names: [String], _ random: inout SeededGenerator) -> [Column] {
        names.shuffled(using: &random).prefix(random.below(names.count + 1)).map { column($0, &random) }
    }

    static func namedTypes(_ random: inout SeededGenerator) -> [NamedType] {
        let values = enumValues.shuffled(using: &random).prefix(1 + random.below(4)).map { ($0, "") }
        var id = scalar(&random)
        if case .enumeration = id { id = .uuid }
        return [
            NamedType("ID", .scalar(id), swift: random.chance(20) ? "Mine.ID" : nil), .enumeration("Order", values),
        ]
    }

    static func definitions(_ random: inout SeededGenerator) -> Definitions {
        var events = (0..<4).map {
            Event(
                "event_\($0)", status: random.chance(15) ? .retired : .active,
                columns: columns(["a", "b", "c", "d"], &random))
        }
        for index in events.indices where random.chance(30) {
            try? events[index].details.set(.trigger, to: random.chance(50) ? "screen" : "impression(50%)", at: .unknown)
        }
        return Definitions(
            [Category("search", events: events)], common: columns(["x", "y"], &random), types: namedTypes(&random))
    }

    /// Returns the definitions after one or more changes at random places, such as people make.
    static func edited(_ definitions: Definitions, _ random: inout SeededGenerator) -> Definitions {
        var definitions = definitions
        for _ in 0...random.below(3) {
            let index = random.below(4)
            switch random.below(8) {
            case 0: definitions.common?.columns = columns(["x", "y", "z"], &random)
            case 1: definitions.types = namedTypes(&random)
            case 2: definitions.categories[0].events[index].status = random.chance(50) ? .retired : .active
            case 3: try? definitions.categories[0].events[index].details.set(.trigger, to: "show", at: .unknown)
            case 4:
                let names = Set(definitions.categories[0].events[index].columns.map(\.name))
                for name in ["a", "e", "f"] where !names.contains(name) && random.chance(50) {
                    definitions.categories[0].events[index].columns.append(column(name, &random))
                }
            default:
                var columns = definitions.categories[0].events[index].columns
                guard !columns.isEmpty else { continue }
                let place = random.below(columns.count)
                switch random.below(5) {
                case 0: columns.remove(at: place)
                case 1: columns[place].isRequired.toggle()
                case 2: columns[place].status = random.chance(50) ? .retired : .active
                case 3: columns.shuffle(using: &random)
                default: columns[place].type = neighbour(of: columns[place].type, &random)
                }
                definitions.categories[0].events[index].columns = columns
            }
        }
        return definitions.resolved()
    }

    static func neighbour(of type: LogValueType, _ random: inout SeededGenerator) -> LogValueType {
        switch type {
        case .string(let limits):
            if let length = limits.maxLength {
                return random.chance(30)
                    ? .string(.init(maxBytes: length * 4))
                    : .string(.init(maxLength: max(1, length + random.below(5) - 2)))
            }
            guard let bytes = limits.maxBytes else { return Self.type(&random) }
            return random.chance(30)
                ? .string(.init(maxLength: bytes)) : .string(.init(maxBytes: max(1, bytes + random.below(5) - 2)))
        case .integer(let integer) where integer.bits < 64 && random.chance(70):
            return .integer(
                .init(
                    bits: integer.bits * 2, isSigned: integer.isSigned || integer.bits == 32 || random.chance(50),
                    minimum: random.chance(30) ? nil : integer.minimum,
                    maximum: random.chance(30) ? nil : integer.maximum.map { $0 + 1 }))
        case .decimal(let decimal) where random.chance(70):
            return .decimal(
                .init(
                    precision: decimal.precision + random.below(2), scale: max(0, decimal.scale + random.below(3) - 1)))
        case .enumeration(let list) where random.chance(70):
            let values = list.values
            return .enumeration(
                .init(
                    random.chance(50)
                        ? Array(Set(values + ["new"])).sorted() : Array(values.prefix(max(1, values.count - 1)))))
        case .array(var list):
            if random.chance(50) { list.items = neighbour(of: list.items, &random) }
            list.maxItems = list.maxItems.map { $0 + random.below(3) }
            return .array(list)
        default: return Self.type(&random)
        }
    }

    // MARK: Records

    /// Returns a value near the bounds of a type, which its schema accepts or rejects.
    static func json(_ type: LogValueType, _ types: [NamedType], _ random: inout SeededGenerator) -> String {
        switch type {
        case .string(let limits):
            "\""
                + String(
                    repeating: "x",
                    count: random.chance(60) ? limits.maxLength ?? limits.maxBytes ?? 9 : random.below(6)) + "\""
        case .integer(let integer): "\([integer.range.lowerBound, integer.range.upperBound, 3][random.below(3)])"
        case .number(let number): "\([number.minimum ?? -1e9, number.maximum ?? 1e9, 1][random.below(3)])"
        case .decimal(let decimal):
            "\""
                + ["0", "1.5", "12", "123.4", "-12.34", "1234", String(repeating: "9", count: decimal.precision)][
                    random.below(7)] + "\""
        case .boolean: random.chance(50) ? "true" : "false"
        case .date: "\"2026-11-21\""
        case .timestamp: "\"2026-11-21T01:02:03.004Z\""
        case .uuid: "\"0190a3f2-7c1e-7b52-9d0a-3f6f0c2b8e11\""
        case .url: "\"https://example.com/a\""
        case .enumeration(let list): "\"\(list.values[random.below(list.values.count)])\""
        case .array(let list):
            "["
                + (0..<(random.chance(50) ? list.minItems ?? 0 : list.maxItems ?? 5)).map { _ in
                    json(list.items, types, &random)
                }.joined(
                    separator: ",") + "]"
        case .named(let named):
            switch types.first(where: { $0.name == named.name })?.kind {
            case .scalar(let scalar): json(scalar, types, &random)
            case .enumeration(let values): "\"\(values[random.below(values.count)].value)\""
            default: "1"
            }
        }
    }

    static func record(_ event: Event, _ definitions: Definitions, _ random: inout SeededGenerator) -> String {
        var members = [
            #""event_id":"0190a3f2-7c1e-7b52-9d0a-3f6f0c2b8e11""#, #""event_category":"search""#,
            #""event_name":"\#(event.name)""#,
            #""schema_version":"1-0-0""#, #""occurred_at":"2026-11-21T01:02:03.004Z""#,
        ]
        for column in (definitions.common?.columns ?? []) + event.columns where column.status != .retired {
            if !column.isRequired, random.chance(40) { continue }
            members.append(
                "\"\(column.name)\":"
                    + (!column.isRequired && random.chance(20) ? "null" : json(column.type, definitions.types, &random))
            )
        }
        return "{" + members.joined(separator: ",") + "}"
    }

    // MARK: Properties

    private static func lock(_ bytes: [UInt8]) -> LockFile {
        LockFile(SourceFile(path: "loggen.lock", relativePath: "loggen.lock", source: SourceText(bytes)))
    }

    @Test("Recorded definitions have no drift", arguments: 0..<Depth.cases(1, deep: 8))
    func recordedDefinitionsHaveNoDrift(_ seed: Int) async throws {
        var random = SeededGenerator(seed: UInt64(seed))
        for _ in 0..<25 {
            var definitions = Self.definitions(&random)
            var lock = LockFile.empty(path: "loggen.lock")
            for _ in 0..<4 {
                let compared = await Drift.between(lock.latest, and: definitions, scope: .everything)
                let bytes = lock.recording(compared.drift.events)
                lock = Self.lock(bytes)
                #expect(lock.diagnostics.isEmpty)
                await lock.checkHistory()
                #expect(lock.diagnostics.isEmpty)
                let again = await Drift.between(lock.latest, and: definitions, scope: .everything)
                #expect(
                    again.drift.events.isEmpty && again.drift.diagnostics.isEmpty,
                    "seed \(seed): \(again.drift.events.map(\.changes))")
                // Code and schemas had the recorded versions before the change was accepted.
                #expect(again.versions == compared.versions)
                #expect(lock.recording([]) == bytes)
                definitions = Self.edited(definitions, &random)
            }
        }
    }

    @Test("A harmless change rejects no record that was valid") func harmlessChangeRejectsNoValidRecord() async throws {
        struct Expectation {
            var seed: UInt64
            var event: String
            var changes: [Change]
        }
        var schemas: [[UInt8]] = []
        var cases: [JSONSchemaValidation.Case] = []
        var expectations: [Expectation] = []
        let seeds = Depth.cases(10, deep: 120)
        for seed in 0..<UInt64(seeds) {
            var random = SeededGenerator(seed: seed)
            let old = Self.definitions(&random)
            let new = Self.edited(old, &random)
            let drift = await Drift.between(Baseline(old), and: new, scope: .everything).drift
            // One process validates the schemas of all runs, so each run has a separate address.
            schemas += JSONSchemaEmitter(old, baseURL: "https://old.example/\(seed)/").all()
            schemas += JSONSchemaEmitter(new, baseURL: "https://new.example/\(seed)/").all()
            for event in old.categories[0].events {
                let changes = drift.events.first { $0.name == "search.\(event.name)" }?.changes ?? []
                guard changes.breaks.isDisjoint(with: [.oldApps]), event.status != .retired else { continue }
                for _ in 0..<4 {
                    let record = Self.record(event, old, &random)
                    cases.append(.init(schema: "https://old.example/\(seed)/envelope.schema.json", instance: record))
                    cases.append(.init(schema: "https://new.example/\(seed)/envelope.schema.json", instance: record))
                    expectations.append(Expectation(seed: seed, event: event.name, changes: changes))
                }
            }
        }
        let outcome = try JSONSchemaValidation.run(schemas: schemas, cases: cases)
        #expect(outcome.problems == [])
        var valid = 0
        var changed = 0
        for (index, expectation) in expectations.enumerated() where outcome.verdicts[2 * index] {
            valid += 1
            if !expectation.changes.isEmpty { changed += 1 }
            #expect(
                outcome.verdicts[2 * index + 1],
                "seed \(expectation.seed), \(expectation.event): \(expectation.changes.map(\.what)); \(cases[2 * index].instance)"
            )
        }
        // The test needs many valid records and changes.
        #expect(valid > 5 * seeds / 2)
        #expect(changed > seeds / 2)
    }
}

extension SeededGenerator {
    mutating func below(_ bound: Int) -> Int { Int.random(in: 0..<bound, using: &self) }

    mutating func chance(_ percent: Int) -> Bool { below(100) < percent }
}
