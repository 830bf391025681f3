import Foundation
import JSONSyntax
import LogValidation
import Testing
import TestSupport

/// Compares the reader with Python's `json` on mutated records. `VALIDATION_SEED` sets the seed.
struct JSONAgreementTests {
    private struct Mutator {
        var random: SeededGenerator
        var corpus: [[UInt8]]

        /// Pieces of JSON that parsers often get wrong: edge cases of RFC 8259, and extensions of other parsers.
        static let pieces: [[UInt8]] =
            [
                "{", "}", "[", "]", ",", ":", "\"", "\\", "0", "-", "-0", "+1", "01", ".5", "1.", "1e", "1e+", "1E5",
                "1e400", "-1e-400", "0x10",
                "1_000",
                "123456789012345678901234567890", "NaN", "Infinity", "-Infinity", "nan", "null", "true", "false", "nul",
                "True", "None", "undefined",
                "\\u0000", "\\ud83c", "\\udf73", "\\ud83c\\udf73", "\\uD83C\\uD83C", "\\u12g4", "\\u00", "\\x41", "\\'",
                "\\/", "\\a", "'a'", "//",
                "/* */",
                "\u{0}", "\u{1F}", "\u{7F}", "\u{85}", "\u{A0}", "\u{FEFF}", "\u{2028}", "絵", "🍳", " ", "\t", "\r",
                "\u{B}", "\u{C}", "[]", "{}",
                "[[]]",
                "[1,]", "[,1]", "{\"a\":1,}", "{\"a\":1,\"a\":2}", ",\"a\":1", "\"a\"", "{a:1}", "{1:1}", "{} {}",
                "[1 2]", "-", "--1", "1-", "1.e5",
                "00",
                "-01", "1.5.5", "1e5e5", "１", "−1",
            ].map { Array($0.utf8) } + [
                [0x80], [0xC0, 0x80], [0xC3], [0xE0, 0x80, 0x80], [0xED, 0xA0, 0x80],
                [0xED, 0xA0, 0xBC, 0xED, 0xBD, 0xB3], [0xF4, 0x90, 0x80, 0x80],
                [0xFF],
                [0xFE, 0xFF], [0xF0, 0x9F, 0x8D], [0xE3, 0x81], [0xF8, 0x88, 0x80, 0x80, 0x80], [0xEF, 0xBF, 0xBF],
                [0xEF, 0xBB, 0xBF],
            ]

        mutating func below(_ bound: Int) -> Int { Int.random(in: 0..<max(1, bound), using: &random) }

        mutating func line() -> [UInt8] {
            var line = corpus[below(corpus.count)]
            for _ in 0..<(below(8) == 0 ? 0 : 1 + below(3)) { mutate(&line) }
            for index in line.indices where line[index] == 0x0A { line[index] = 0x0D }
            return line
        }

        private mutating func mutate(_ line: inout [UInt8]) {
            let place = below(line.count + 1)
            let end = min(line.count, place + 1 + below(8))
            switch below(14) {
            case 0, 1, 2: line.insert(contentsOf: Self.pieces[below(Self.pieces.count)], at: place)
            case 3, 4: line.replaceSubrange(place..<end, with: Self.pieces[below(Self.pieces.count)])
            case 5: line.removeSubrange(place..<end)
            case 6: line.removeSubrange(place...)
            case 7: if place < line.count { line[place] ^= 1 << UInt8(below(8)) }
            case 8: if place < line.count { line[place] = UInt8(below(256)) }
            case 9: line.insert(contentsOf: line[place..<end], at: below(line.count + 1))
            case 10:
                let other = corpus[below(corpus.count)]
                line.replaceSubrange(place..., with: other[below(other.count)...])
            default: insert(below(2) == 0 ? Self.pieces[below(Self.pieces.count)] : nested(), asValueIn: &line)
            }
        }

        /// Inserts a value after one of the names, and a new name before the value that was there.
        private mutating func insert(_ value: [UInt8], asValueIn line: inout [UInt8]) {
            let colons = line.indices.filter { line[$0] == UInt8(ascii: ":") }
            guard !colons.isEmpty else { return }
            line.insert(contentsOf: value + Array(",\"x\":".utf8), at: colons[below(colons.count)] + 1)
        }

        private mutating func nested() -> [UInt8] {
            let count = below(4) > 0 ? below(6) : 505 + below(12)
            let closing = below(10) == 0 ? max(0, count - 1) : count
            let isList = below(2) == 0
            let inner = below(2) == 0 ? "1" : isList ? "" : "{}"
            return Array(
                (String(repeating: isList ? "[" : "{\"a\":", count: count) + inner
                    + String(repeating: isList ? "]" : "}", count: closing)).utf8)
        }
    }

    /// Records, most of them damaged.
    private static func lines() -> [[UInt8]] {
        let environment = ProcessInfo.processInfo.environment
        let count = Depth.cases(500, deep: 50_000)
        var maker = DifferentialTests.Maker(
            random: SeededGenerator(seed: environment["VALIDATION_SEED"].flatMap { UInt64($0) } ?? 18))
        let valid = (0..<400).map { _ in maker.candidate().text } + ["[]", "5", "\"a\"", "null", "{}", "-1.5e+3", ""]
        let nested = [510, 511, 512, 513].map {
            ProbeDefinitions.record(
                "one_of_each", ["nobody": String(repeating: "[", count: $0) + "1" + String(repeating: "]", count: $0)])
        }
        var mutator = Mutator(random: maker.random, corpus: (valid + nested).map { Array($0.utf8) })
        return (0..<count).map { _ in mutator.line() }
    }

    /// Returns `b` for a blank line, `j` for JSON, otherwise `x`.
    private static func verdict(on line: [UInt8], of judge: inout RecordEvaluator) -> UInt8 {
        let counts = judge.judge(RecordChunk(lines: line)).counts
        return counts.records == 0 ? UInt8(ascii: "b") : counts.notJSON == 0 ? UInt8(ascii: "j") : UInt8(ascii: "x")
    }

    @Test("The reader accepts the lines that Python accepts as JSON") func readerAcceptsTheSameJSONLinesAsPython()
        async throws
    {
        let lines = Self.lines()
        let count = lines.count
        let scratch = try Scratch()
        try scratch.write(Data(lines.flatMap { $0 + [0x0A] }), to: "lines")
        let script = Tool.repository.appendingPathComponent("Tests/Oracles/json_lines.py").path
        let python = try Tool.command(["python3", script, "lines"], in: scratch.url)
        let verdicts = Array(python.out.utf8.dropLast())
        try #require(python.code == 0 && verdicts.count == count, "\(python.error)")

        var judge = RecordEvaluator(try await ProbeDefinitions.validator().rules, RecordInterest(limit: 0))
        var counts: [UInt8: Int] = [:]
        var differences: [String] = []
        for (line, verdict) in zip(lines, verdicts) {
            counts[verdict, default: 0] += 1
            let own = Self.verdict(on: line, of: &judge)
            // `NaN` and values that are nested deeper than 512 levels are not JSON here.
            let expected = verdict == UInt8(ascii: "n") || verdict == UInt8(ascii: "d") ? UInt8(ascii: "x") : verdict
            if own != expected {
                differences.append(
                    "\(UnicodeScalar(verdict)), read as \(UnicodeScalar(own)): \(String(decoding: line, as: UTF8.self))"
                )
            }
        }
        #expect(differences.isEmpty, "\(differences.count): \(differences.prefix(5).joined(separator: "\n"))")
        // The test needs lines of every kind.
        let least = count / Depth.limit(5000, deep: 1000)
        for letter in "jxnd".utf8 { #expect(counts[letter, default: 0] > least, "\(UnicodeScalar(letter))") }
        print(
            "\(count) lines: "
                + counts.sorted { $0.key < $1.key }.map { "\(UnicodeScalar($0.key)) \($0.value)" }.joined(
                    separator: ", "))
    }
    /// A document that only one of the two readers accepts, on purpose.
    private enum Difference: CaseIterable {
        /// The generator's reader rejects a duplicate key, because most readers of records silently keep one of the
        /// members.
        case keyTwice
        /// The generator's reader rejects half of a surrogate pair, because a Swift string cannot represent it.
        case loneSurrogate
        /// The generator's reader accepts 500 levels, and the judge 512.
        case depth
        /// The generator's reader skips a byte-order mark. The judge rejects it, because the splitter removes it from a
        /// stream of records.
        case byteOrderMark

        init?(_ mistake: JSONSyntaxError) {
            if mistake.message.hasPrefix("duplicate key ") {
                self = .keyTwice
            } else if mistake.message == "half of a surrogate pair is not a character" {
                self = .loneSurrogate
            } else if mistake.message.hasPrefix("this is nested too deeply") {
                self = .depth
            } else {
                return nil
            }
        }
    }

    @Test("The generator's reader and judge's scanner accept the same documents, except listed ones")
    func bothReadersAgree() async throws {
        var judge = RecordEvaluator(try await ProbeDefinitions.validator().rules, RecordInterest(limit: 0))
        let lines = Self.lines()
        let mark: [UInt8] = [0xEF, 0xBB, 0xBF]
        var accepted = 0
        var differences: [Difference: Int] = [:]
        var unexpected: [String] = []
        for line in lines + lines.prefix(500).map({ mark + $0 }) {
            let isJSON = Self.verdict(on: line, of: &judge) == UInt8(ascii: "j")
            var isRead = true
            var difference: Difference?
            do throws(JSONSyntaxError) {
                _ = try JSONReader.read(line, what: "the record")
                if line.starts(with: mark) {
                    let isRest = Self.verdict(on: Array(line.dropFirst(3)), of: &judge) == UInt8(ascii: "j")
                    difference = isRest ? .byteOrderMark : nil
                }
            } catch {
                isRead = false
                difference = Difference(error)
            }
            if isRead, isJSON { accepted += 1 }
            guard isRead != isJSON else { continue }
            if let difference {
                differences[difference, default: 0] += 1
            } else {
                unexpected.append(String(decoding: line, as: UTF8.self))
            }
        }
        #expect(unexpected.isEmpty, "\(unexpected.count): \(unexpected.prefix(5).joined(separator: "\n"))")
        // The test is only meaningful with accepted and rejected documents.
        #expect(accepted > lines.count / 10 && accepted < lines.count * 9 / 10)
        for difference in Difference.allCases {
            #expect(differences[difference, default: 0] > 0, "\(difference)")
        }
    }
}
