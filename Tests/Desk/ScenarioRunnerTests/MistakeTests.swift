import Foundation
import ScenarioRunner
import Testing
import TestSupport

struct MistakeTests {
    /// Returns a scenario in which ⟦ marks the place of the mistake.
    static func scenario(
        contents: String = #"{"id": "a", "frame": [0, 0, 390, 100]}"#, screen: String = "", steps: String = "",
        more: String = ""
    )
        -> String
    {
        """
        {"name": "it", "viewport": {"width": 390, "height": 800}\(more),
         "screens": [
          {"id": "feed"\(screen), "contents": [\(contents)]},
          {"id": "list", "scroll": "none"},
          {"id": "tab", "tabs": "bar"}],
         "steps": [
          {"at": 0, "do": "open", "screen": "feed"}\(steps)]}
        """
    }

    /// Scenarios, and a part of the message for each.
    static let mistakes: [(String, String)] =
        [
            ("⟦", "ends too early"), ("{\"name\": \"a⟦\tb\"}", "control character"),
            (scenario() + "⟦x", "unexpected content after"),
            (String(repeating: "[", count: 500) + "⟦" + String(repeating: "[", count: 99_500), "nested too deeply"),
        ]
        + TextCase.all("mistakes.txt").flatMap { place in
            place.parts[0].split(separator: "\n").map { line in
                let parts = line.components(separatedBy: " ← ")
                return (scenario(parts[0], in: place.name), parts[1])
            }
        }

    /// Returns a scenario with a part of `Cases/mistakes.txt`, whose headings name the part's place.
    private static func scenario(_ part: String, in place: String) -> String {
        switch place {
        case "steps":
            #"{"viewport": {"width": 1, "height": 1}, "screens": [{"id": "a"}], "steps": \#(part)}"#
        case "member": scenario(more: ", " + part)
        case "expectation": scenario().dropLast() + #", "expect": [\#(part)]}"#
        case "screen": scenario(screen: ", " + part)
        case "content": scenario(contents: part)
        case "step": scenario(steps: ", " + part)
        default: part
        }
    }

    /// Runs work with the stack size of the command. A test's own thread may have only half a megabyte, as on a Mac. A
    /// debug build needs more than that for 500 nested arrays, and more than one megabyte for 1,000 nested contents.
    static func onTheCommandsStack<Value: Sendable>(_ work: @escaping @Sendable () -> Value) async -> Value {
        await withCheckedContinuation { continuation in
            let thread = Thread { continuation.resume(returning: work()) }
            thread.stackSize = 8 << 20
            thread.start()
        }
    }

    static func error(_ text: String) -> ScenarioError? {
        let bytes = Array(text.utf8)
        do {
            _ = try Scenario(bytes, file: "s.json").replay(bytes, file: "s.json")
            return nil
        } catch {
            return error
        }
    }

    @Test("The file has mistakes") func count() { #expect(Self.mistakes.count > 70) }

    @Test("A mistake is reported with its place and a fix", arguments: mistakes)
    func mistake(marked: String, message: String) async throws {
        let at = try #require(marked.range(of: "⟦"))
        let before = marked[..<at.lowerBound].split(separator: "\n", omittingEmptySubsequences: false)
        let text = marked.replacingOccurrences(of: "⟦", with: "")
        let error = try #require(await Self.onTheCommandsStack { Self.error(text) })
        #expect(error.message.contains(message), "\(error)")
        let column = (before.last?.unicodeScalars.count ?? 0) + 1
        #expect(error.line == before.count && error.column == column, "\(error)")
    }

    @Test(
        "A thousand nested contents can be inserted and removed, and more are rejected",
        arguments: [1000, 1001, 20_000])
    func deepContents(count: Int) async {
        let inserted = (1..<count).map {
            #", {"at":1,"do":"insert","content":{"id":"c\#($0)","frame":[0,0,9,9]},"in":"c\#($0 - 1)"}"#
        }
        let scenario = Self.scenario(
            contents: #"{"id": "c0", "frame": [0, 0, 9, 9], "scroll": "both"}"#,
            steps: inserted.joined(separator: "\n")
                + #", {"at": 2, "do": "remove", "content": "c0"}, {"at": 3, "do": "insert", "content": "c0", "frame": [0, 0, 5, 5], "in": "feed"}"#
        )
        let error = await Self.onTheCommandsStack { Self.error(scenario) }
        #expect((error == nil) == (count == 1000))
        if let error { #expect(error.line == 7 + 999 && error.message.contains("1000 levels"), "\(error)") }
    }

    @Test("Bytes that are not UTF-8 are rejected with their place")
    func notUTF8() {
        let bytes = Array("{\"name\":\n \"a".utf8) + [0xFF] + Array("\"}".utf8)
        #expect(throws: ScenarioError.self) { try Scenario(bytes, file: "s.json") }
        do {
            _ = try Scenario(bytes, file: "s.json")
        } catch { #expect("\(error)" == "s.json:2:4: error: this is not UTF-8") }
    }

    @Test("A byte order mark does not count as a column")
    func byteOrderMark() {
        #expect(Self.error("\u{FEFF}{x")?.description.hasPrefix("s.json:1:2: error: expected a key") == true)
        #expect(Self.error("\u{FEFF}" + Self.scenario()) == nil)
    }

    @Test("A scenario with 100,000 contents is valid")
    func manyContents() throws {
        let contents = (0..<100_000).map { #"{"id":"\#($0)","frame":[0,\#($0 * 10),390,10]}"# }.joined(separator: ",")
        let bytes = Array(
            #"{"viewport":{"width":390,"height":800},"screens":[{"id":"feed","contents":[\#(contents)]}],"steps":[{"at":0,"do":"open","screen":"feed"}]}"#
                .utf8)
        let result = try Scenario(bytes, file: "many").replay(bytes, file: "many")
        #expect(result.posted.count == 160)
    }

    @Test("A damaged scenario is either replayed or rejected with a place", arguments: 1...Depth.cases(1, deep: 3))
    func damaged(seed: Int) throws {
        var dice = SeededGenerator(seed: UInt64(seed))
        let originals = try ScenarioTests.files.map {
            [UInt8](try Data(contentsOf: ScenarioTests.folder.appendingPathComponent($0)))
        }
        let words = [
            "0", "-1", "1e9", "0.5", "null", "true", "[]", "{}", "\"\"", "\"feed\"", "\"top\"", ",", ":", "\"do\"",
            "\"at\"", "NaN", "\\u0000", "é",
        ].map { Array($0.utf8) }
        var (replayed, refused) = (0, 0)
        for _ in 0..<400 {
            var bytes = originals.randomElement(using: &dice) ?? []
            for _ in 0..<Int.random(in: 1...3, using: &dice) {
                let at = Int.random(in: 0..<bytes.count, using: &dice)
                switch Int.random(in: 0..<4, using: &dice) {
                case 0: bytes[at] = UInt8.random(in: 0x20...0x7E, using: &dice)
                case 1: bytes.removeSubrange(at..<min(bytes.count, at + Int.random(in: 1...12, using: &dice)))
                case 2: bytes.insert(contentsOf: words.randomElement(using: &dice) ?? [], at: at)
                default:
                    // Changes a digit.
                    guard let digit = bytes[at...].firstIndex(where: { (0x30...0x39).contains($0) }) else { continue }
                    bytes[digit] = UInt8.random(in: 0x30...0x39, using: &dice)
                }
                if bytes.isEmpty { bytes = [0x7B] }
            }
            do {
                let scenario = try Scenario(bytes, file: "damaged")
                let result = try scenario.replay(bytes, file: "damaged", drawsTimeline: true)
                _ = scenario.differences(from: result)
                _ = Timeline.page([.replayed(result.timeline, file: "damaged", differences: [], isChecked: false)])
                let times = result.posted.map { ($0.time * 1000).rounded() }
                #expect(times == times.sorted())
                replayed += 1
            } catch {
                #expect(error.line >= 1 && error.column >= 1 && !error.message.isEmpty)
                refused += 1
            }
        }
        #expect(replayed > 20 && refused > 20)
    }
}
