import LogDefinitions
import LogValidation
import Testing
import TestSupport

/// Tests of many records: chunks, arrays, and random bytes.
struct RecordStreamTests {
    /// The results of a run over several chunks, with lines counted across all of them.
    struct Found: Equatable {
        var counts = RecordCounts()
        var violations: [Violation] = []
        var tallies: [ViolationTally.Key: Int] = [:]
        var good: [UInt8] = []
        var bad: [[UInt8]] = []
        var records: [Int] = []
        var filled: [Int] = []
        var distinct: [Int] = []
        var extremes: [[UInt8]?] = []
        var values: [Int] = []
    }

    /// Judges chunks with several judges in turn, as on several cores.
    static func judged(_ chunks: [RecordChunk], _ rules: RecordRules, judges count: Int) -> Found {
        let interest = RecordInterest(
            wantsBadRecords: true, wantsGoodRecords: true, wantsCoverage: true, wantsStatistics: true)
        var found = Found()
        var reports: [ChunkReport?] = Array(repeating: nil, count: chunks.count)
        var observations: RecordObservations?
        for worker in 0..<count {
            var judge = RecordEvaluator(rules, interest)
            for index in chunks.indices where index % count == worker { reports[index] = judge.judge(chunks[index]) }
            if observations == nil {
                observations = judge.observations
            } else {
                observations?.merge(judge.observations)
            }
        }
        var line = 0
        for report in reports.compactMap({ $0 }) {
            found.counts += report.counts
            found.violations += report.violations.map { violation in
                var moved = violation
                moved.line += line
                return moved
            }
            for (key, tally) in report.tallies { found.tallies[key, default: 0] += tally.count }
            found.good += report.goodRecords
            found.bad += report.badRecords.map(\.bytes)
            line += report.lineCount
        }
        guard let observations else { return found }
        found.records = observations.records
        found.filled = observations.columns.map(\.filled)
        found.distinct = observations.columns.map { $0.isBeyondCount ? -1 : $0.distinct }
        found.extremes = observations.columns.flatMap { [$0.smallest?.text, $0.largest?.text] }
        found.values = observations.values
        return found
    }

    static func lines(_ count: Int, seed: UInt64) -> [String] {
        var maker = DifferentialTests.Maker(random: SeededGenerator(seed: seed))
        return (0..<count).map { _ in maker.chance(5) ? "" : maker.candidate().text }
    }

    @Test("The report does not depend on the split into chunks")
    func reportDoesNotDependOnChunks() async throws {
        let rules = try await ProbeDefinitions.validator().rules
        let lines = Self.lines(800, seed: 3)
        let whole = Self.judged(
            [RecordChunk(lines: Array((lines.joined(separator: "\n") + "\n").utf8))], rules, judges: 1)
        #expect(whole.counts.valid > 50)
        #expect(whole.counts.bad > 100)
        #expect(whole.violations.count == whole.counts.violations)
        var random = SeededGenerator(seed: 4)
        for judges in 1...3 {
            var chunks: [RecordChunk] = []
            var start = 0
            while start < lines.count {
                let end = min(lines.count, start + Int.random(in: 1...90, using: &random))
                chunks.append(RecordChunk(lines: Array((lines[start..<end].joined(separator: "\n") + "\n").utf8)))
                start = end
            }
            let isSame = Self.judged(chunks, rules, judges: judges) == whole
            #expect(isSame, "\(judges) judges")
        }
    }

    @Test("The elements of an array are found wherever its bytes are split")
    func anArrayIsItsElementsWhereverItIsCut() async throws {
        let rules = try await ProbeDefinitions.validator().rules
        let lines = Self.lines(300, seed: 5).filter { $0.first == "{" && $0.last == "}" && (try? isWhole($0)) ?? false }
        let expected = Self.judged([RecordChunk(lines: Array(lines.joined(separator: "\n").utf8))], rules, judges: 1)
        let array = Array(("  [\n" + lines.joined(separator: ",\n") + "\n]\n").utf8)
        var random = SeededGenerator(seed: 6)
        for _ in 0..<3 {
            var splitter = RecordSplitter()
            var records = RecordChunks()
            var chunks: [RecordChunk] = []
            var start = 0
            while start < array.count {
                let end = min(array.count, start + Int.random(in: 1...2000, using: &random))
                array[start..<end].withUnsafeBytes { splitter.read($0, into: &records) }
                chunks += records.take()
                start = end
            }
            splitter.finish(into: &records)
            chunks += records.take()
            var found = Self.judged(chunks, rules, judges: 2)
            // The first element is on the second line.
            for index in found.violations.indices { found.violations[index].line -= 1 }
            // A failed `#expect(found == expected)` would print megabytes.
            let isSame = found == expected
            #expect(isSame)
        }
    }

    /// Returns whether brackets and quotation marks pair up. Then the string is one element, whatever other errors it
    /// has.
    private func isWhole(_ text: String) throws -> Bool {
        var (depth, isInText, isEscaped) = (0, false, false)
        for (index, byte) in text.utf8.enumerated() {
            if isInText {
                if isEscaped {
                    isEscaped = false
                } else if byte == 0x5C {
                    isEscaped = true
                } else if byte == 0x22 {
                    isInText = false
                }
                continue
            }
            if byte == 0x22 { isInText = true }
            if byte == 0x7B || byte == 0x5B { depth += 1 }
            if byte == 0x7D || byte == 0x5D { depth -= 1 }
            if depth <= 0, index < text.utf8.count - 1 { return false }
        }
        return depth == 0 && !isInText
    }

    @Test(
        "Records of a broken array are counted",
        arguments: [
            ("[]", 0, 0), (" [ ] ", 0, 0), ("[{}]", 1, 0), ("[{},]", 2, 1), ("[,{}]", 2, 1), ("[{}", 2, 1), ("[", 1, 1),
            ("[{},", 2, 1), ("[{", 1, 1),
            ("[{}] x", 2, 1), ("[{}][{}]", 2, 1), ("[{}]\n{}\n{}", 2, 1), ("[5,{}]", 2, 0), ("[{\"a\n\":1}]", 1, 1),
            ("[{\n\"a\":\n1}\n]", 1, 0),
            ("[\"]\", {}]", 2, 0),
        ])
    func aBrokenArrayIsABadRecord(_ text: String, _ records: Int, _ notJSON: Int) async throws {
        let rules = try await ProbeDefinitions.validator().rules
        var array = RecordChunks(array: Array(text.utf8))
        let counts = Self.judged(array.take(), rules, judges: 1).counts
        #expect(counts.records == records)
        #expect(counts.notJSON == notJSON)
    }

    @Test("A judge accepts any bytes") func judgeAcceptsAnyBytes() async throws {
        let rules = try await ProbeDefinitions.validator().rules
        var random = SeededGenerator(seed: 7)
        let alphabet = Array(#"{}[]",:\u0-.eEtnfr "#.utf8) + [0, 0x0A, 0x0D, 0x80, 0xC3, 0xE3, 0xF0, 0xFF]
        let records = Self.lines(200, seed: 8).map { Array($0.utf8) }
        for round in 0..<Depth.cases(50, deep: 400) {
            var bytes: [UInt8]
            if round % 2 == 0 {
                bytes = (0..<Int.random(in: 0...200, using: &random)).map { _ in
                    Bool.random(using: &random)
                        ? alphabet.randomElement(using: &random) ?? 0 : UInt8.random(in: 0...255, using: &random)
                }
            } else {
                bytes = records.randomElement(using: &random) ?? []
                for _ in 0..<Int.random(in: 1...4, using: &random) where !bytes.isEmpty {
                    let place = Int.random(in: bytes.indices, using: &random)
                    switch Int.random(in: 0...3, using: &random) {
                    case 0: bytes.remove(at: place)
                    case 1: bytes.insert(alphabet.randomElement(using: &random) ?? 0, at: place)
                    case 2: bytes.removeSubrange(place...)
                    default: bytes[place] = UInt8.random(in: 0...255, using: &random)
                    }
                }
            }
            let found = Self.judged([RecordChunk(lines: bytes)], rules, judges: 1)
            #expect(found.counts.records == found.counts.valid + found.counts.bad + found.counts.declared)
            #expect(found.bad.count == found.counts.bad)
            var array = RecordChunks(array: bytes)
            _ = Self.judged(array.take(), rules, judges: 1)
        }
    }

    @Test("A limited number of violations of an event is reported, and all are counted")
    func onlySomeViolationsOfAnEventAreToldAndAllAreCounted() async throws {
        let rules = try await ProbeDefinitions.validator().rules
        let bad = ProbeDefinitions.record("one_of_each", ["percent": "-1"])
        let other = ProbeDefinitions.record("empty", ["user_id": "null"])
        var judge = RecordEvaluator(rules, RecordInterest(limit: 2))
        let report = judge.judge(
            RecordChunk(
                lines: Array((Array(repeating: bad, count: 10) + [other, "x", "y", "z"]).joined(separator: "\n").utf8)))
        #expect(report.violations.map(\.line) == [1, 2, 11, 12, 13])
        #expect(report.counts.bad == 14)
        #expect(report.tallies.values.map(\.count).sorted() == [1, 3, 10])
    }

    @Test("Coverage and statistics include only valid records")
    func coverageAndStatisticsAreOfValidRecords() async throws {
        let rules = try await ProbeDefinitions.validator().rules
        let lines =
            (0..<200).map {
                ProbeDefinitions.record(
                    "one_of_each",
                    ["int16": "\($0 - 50)", "order": #""newest""#, "grid": #"[["popular"],["popular"]]"#])
            }
            + [
                ProbeDefinitions.record("one_of_each", ["int16": "null"]),
                ProbeDefinitions.record("one_of_each", ["int16": "500", "percent": "-1"]),
            ]
        let interest = RecordInterest(wantsCoverage: true, wantsStatistics: true)
        var judge = RecordEvaluator(rules, interest)
        _ = judge.judge(RecordChunk(lines: Array(lines.joined(separator: "\n").utf8)))
        let observations = judge.observations
        let event = try #require(rules.descriptions.firstIndex { $0.fullName == "probe.one_of_each" })
        #expect(observations.records[event] == 202)
        #expect(observations.validRecords[event] == 201)
        let slot = try #require(rules.slots.firstIndex { $0.event == event && $0.column == "int16" })
        #expect(observations.columns[slot].filled == 200)
        #expect(observations.columns[slot].smallest?.text == Array("-50".utf8))
        #expect(observations.columns[slot].largest?.text == Array("149".utf8))
        #expect(observations.columns[slot].distinct == 200)
        #expect(!observations.columns[slot].isBeyondCount)
        func seen(_ column: String) -> [String: Int] {
            let slot = rules.slots.firstIndex { $0.event == event && $0.column == column } ?? -1
            let values = rules.valueSlots.indices.filter { rules.valueSlots[$0].column == slot }
            return Dictionary(values.map { (rules.valueSlots[$0].value, observations.values[$0]) }, uniquingKeysWith: +)
        }
        #expect(seen("order") == ["newest": 200, "popular": 0, "新着": 0])
        #expect(seen("grid") == ["newest": 0, "popular": 400])
    }

    @Test(
        "Distinct values are counted up to a limit, also across two judges",
        arguments: [(0, 600), (400, 1_000), (401, nil)] as [(Int, Int?)])
    func differentValuesAreCountedUpToALimitAlsoByTwoJudges(offset: Int, distinct: Int?) async throws {
        let rules = try await ProbeDefinitions.validator().rules
        let interest = RecordInterest(wantsStatistics: true)
        func observations(from first: Int) -> RecordObservations {
            let lines = (0..<600).map { ProbeDefinitions.record("one_of_each", ["int16": "\(first + $0)"]) }
            var judge = RecordEvaluator(rules, interest)
            _ = judge.judge(RecordChunk(lines: Array((lines + lines).joined(separator: "\n").utf8)))
            return judge.observations
        }
        var all = observations(from: 0)
        all.merge(observations(from: offset))
        let event = try #require(rules.descriptions.firstIndex { $0.fullName == "probe.one_of_each" })
        let slot = try #require(rules.slots.firstIndex { $0.event == event && $0.column == "int16" })
        let column = all.columns[slot]
        #expect((column.isBeyondCount ? nil : column.distinct) == distinct)
    }
}
