import Foundation
import Testing
import TestSupport

@testable import LogReporting
import LogProject

/// Tests of diffs, which git must be able to apply.
struct UnifiedDiffTests {
    private func diff(_ old: String, _ new: String) -> String {
        String(
            decoding: UnifiedDiff(from: Array(old.utf8), to: Array(new.utf8)).text(from: "a/x", to: "b/x"),
            as: UTF8.self)
    }

    @Test("A change is between three lines of context") func changeIsBetweenThreeLinesOfContext() {
        let old = (1...20).map { "\($0)\n" }
        var new = old
        new[9] = "ten\n"
        #expect(
            diff(old.joined(), new.joined()) == """
                --- a/x
                +++ b/x
                @@ -7,7 +7,7 @@
                 7
                 8
                 9
                -10
                +ten
                 11
                 12
                 13

                """)
    }

    @Test("Equal strings have no diff") func equalStringsHaveNoDiff() {
        #expect(diff("a\n", "a\n") == "")
        #expect(diff("", "") == "")
    }

    @Test("A missing line ending at the end is noted") func missingLineEndingAtTheEndIsNoted() {
        #expect(diff("a", "a\n") == "--- a/x\n+++ b/x\n@@ -1 +1 @@\n-a\n\\ No newline at end of file\n+a\n")
    }

    @Test("Changed lines are counted") func linesAreCounted() {
        let diff = UnifiedDiff(from: Array("a\nb\nc\n".utf8), to: Array("a\nx\ny\nc\n".utf8))
        #expect(diff.added == 2)
        #expect(diff.removed == 1)
        #expect(diff.firstLine == 2)
    }

    @Test("Git creates the new text from the old text and the diff") func gitMakesTheNewTextFromTheOldOne() throws {
        let scratch = try Scratch()
        var random = SeededGenerator(seed: 7)
        var patch: [UInt8] = []
        var expected: [String: Data] = [:]
        for number in 0..<300 {
            // Few distinct lines make many equal ones.
            func lines(_ count: Int, _ random: inout SeededGenerator) -> [String] {
                (0..<count).map { _ in "line \(random.below(12))\n" }
            }
            let old = lines(random.below(40), &random)
            var new = old
            for _ in 0..<random.below(5) where !new.isEmpty {
                let place = random.below(new.count)
                switch random.below(3) {
                case 0: new.remove(at: place)
                case 1: new.insert(contentsOf: lines(random.below(4), &random), at: place)
                default: new[place] = "changed \(random.below(3))\n"
                }
            }
            var (before, after) = (old.joined(), new.joined())
            if random.chance(20) { before = String(before.dropLast()) }
            if random.chance(20) { after = String(after.dropLast()) }
            // Git marks new and deleted files differently from empty ones.
            guard !before.isEmpty, !after.isEmpty else { continue }
            try scratch.write(before, to: "\(number)")
            expected["\(number)"] = Data(after.utf8)
            patch += UnifiedDiff(from: Array(before.utf8), to: Array(after.utf8)).text(
                from: "a/\(number)", to: "b/\(number)")
        }
        try scratch.write(Data(patch), to: "patch")
        let applied = try Tool.command(["git", "apply", "--unidiff-zero", "patch"], in: scratch.url)
        #expect(applied.code == 0, "\(applied.error)")
        try scratch.remove("patch")
        #expect(try scratch.files() == expected)
    }

    /// A hundred thousand lines of two kinds, and as many lines that are all different.
    @Test("Difficult input takes little time") func hardTextsTakeLittleTime() {
        let seconds = Growth.cost {
            let repeated = (0..<100_000).map { "\($0 % 7 == 0 ? "}" : "    x")\n" }.joined()
            let shuffled = (0..<100_000).map { "\($0 % 5 == 0 ? "}" : "    x")\n" }.joined()
            _ = UnifiedDiff(from: Array(repeated.utf8), to: Array(shuffled.utf8))
            let different = (0..<100_000).map { "\($0)\n" }
            _ = UnifiedDiff(from: Array(different.joined().utf8), to: Array(different.reversed().joined().utf8))
        }
        #expect(seconds < 20, "a quadratic difference takes hours")
    }
}
