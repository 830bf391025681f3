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

    /// Each line has a scenario or a part of one, and a part of the message.
    static let mistakes: [(String, String)] =
        [
            ("⟦", "ends too early"), ("{\"name\": \"a⟦\tb\"}", "control character"),
            (scenario() + "⟦x", "unexpected content after"),
            (String(repeating: "[", count: 500) + "⟦" + String(repeating: "[", count: 99_500), "nested too deeply"),
        ]
        + cases(
            #"""
            {"name": "x"⟦ ← comma or "}"
            {"name": ⟦NaN} ← not JSON
            {"name": ⟦'x'} ← not JSON
            {"viewport": {"width": 1⟦x}} ← comma
            {"viewport": {"width": -⟦}} ← digit
            {"name": "a", ⟦"name": "b"} ← duplicate key "name"
            {"name": ⟦"a} ← no closing quotation mark
            {"name": "\⟦x"} ← unknown escape
            {"name": "\ud800⟦"} ← surrogate
            ⟦[] ← expected a scenario, an object, not an array
            ⟦{"name": "x"} ← needs "viewport"
            {"viewport": ⟦{"width": 0, "height": 5}, "screens": [], "steps": []} ← more than 0
            """#)
        + cases(
            #"""
            [{"at": 0, "do": "deepLink", "screen": "a"}, {"at": 1, "do": "open", "screen": ⟦"a"}] ← already waits for another screen to present it
            [⟦{"at": 0, "do": "push", "screen": "a"}] ← begin with "open"
            ⟦[] ← no screen is ever opened
            ⟦[{"at": 0, "do": "deepLink", "screen": "a"}], "expect": [] ← no screen is ever opened, so nothing is shown; begin with
            """#
        ) { #"{"viewport": {"width": 1, "height": 1}, "screens": [{"id": "a"}], "steps": \#($0)}"# }
        + cases(
            #"""
            ⟦"colour": "red" ← has no key "colour"; it has "name"
            "rule": {⟦"dwel": 2} ← a rule has no key "dwel"
            "rule": {"visibleFraction": ⟦1.2} ← between 0 and 1
            "rule": {"dwell": ⟦-1} ← must not be negative
            "rule": {"once": ⟦"often"} ← is not one of "visit", "session", "untilRestart"
            "expect": [{"at": 0, "log": ⟦"tapped", "content": "a"}] ← "screen", "shown", "seen"
            """#
        ) { scenario(more: ", " + $0) }
        + cases(
            #"""
            {"at": 0, "log": "shown", "content": ⟦"b"} ← unknown content "b"
            ⟦{"at": 0, "log": "shown", "screen": "feed"} ← needs "content"
            {"at": 0, "log": "screen", "screen": "feed", "content": ⟦"a"} ← a screen log has no content
            """#
        ) { scenario().dropLast() + #", "expect": [\#($0)]}"# }
        + cases(
            #"""
            ⟦"colour": 1 ← a screen has no key
            "scroll": ⟦"diagonal" ← "horizontal", "vertical", "both", "none"
            """#
        ) { scenario(screen: ", " + $0) }
        + cases(
            #"""
            ⟦{"id": "a"} ← a content needs "frame"
            {"id": ⟦"feed", "frame": [0, 0, 1, 1]} ← unique
            {"id": "b", "frame": [0, 0, 1, 1]}, {"id": ⟦"b", "frame": [0, 0, 1, 1]} ← unique
            {"id": ⟦"", "frame": [0, 0, 1, 1]} ← empty
            {"id": ⟦7, "frame": [0, 0, 1, 1]} ← expected a string, not a number
            {"id": "b", "frame": ⟦[0, 0, 1]} ← 4 numbers, not 3
            {"id": "b", "frame": ⟦[0, 0, -1, 1]} ← must not be negative
            {"id": "b", "frame": [0, 0, ⟦1e308, 1]} ← between -1000000000 and
            {"id": "b", "frame": [0, 0, ⟦1e999, 1]} ← between -1000000000 and
            {"id": "b", "frame": [0, 0, ⟦null, 1]} ← expected a number, not null
            {"id": "日本語", "frame": [0, 0, 1, 1], ⟦"x": 1} ← a content has no key "x"
            """#
        ) { scenario(contents: $0) }
        + cases(
            #"""
            {"at": 1, "do": ⟦"jump"} ← unknown step "jump"; the steps are background
            ⟦{"do": "pop"} ← needs "at"
            {"at": ⟦-1, "do": "pop"} ← must not be negative
            {"at": 5, "do": "background"}, ⟦{"at": 4, "do": "foreground"} ← steps must be in order of time: 4 comes after 5 here
            {"at": 5, "do": "end"}, ⟦{"at": 6, "do": "background"} ← after "end"
            {"at": 1, "do": "push", "screen": ⟦"a"} ← unknown screen "a"
            {"at": 1, "do": "push", "screen": "list", ⟦"over": 1} ← "push" has no key "over"
            {"at": 1, "do": "push", "screen": ⟦"feed"} ← open already
            {"at": 1, "do": "push", "screen": "list"}, {"at": 2, "do": "present", "screen": ⟦"feed"} ← open already
            ⟦{"at": 1, "do": "pop"} ← nothing to go back to
            ⟦{"at": 1, "do": "dismiss"} ← nothing is presented
            {"at": 1, "do": "selectTab", "screen": ⟦"tab"} ← not open
            {"at": 1, "do": "selectTab", "screen": ⟦"list"} ← not in "tabs"
            {"at": 1, "do": "scroll", "in": ⟦"nothing", "to": [0, 0]} ← unknown screen or content "nothing"
            {"at": 1, "do": "scroll", "in": ⟦"a", "to": [0, 0]} ← "a" does not scroll
            {"at": 1, "do": "scroll", "in": ⟦"list", "to": [0, 0]} ← "list" does not scroll
            ⟦{"at": 1, "do": "scroll", "in": "feed"} ← either "to" or "by"
            ⟦{"at": 1, "do": "scroll", "in": "feed", "to": [0, 1], "by": [0, 1]} ← either "to" or "by"
            {"at": 1, "do": "scroll", "in": "feed", "to": [0, 1], "over": ⟦1e9} ← an hour at most
            {"at": 1, "do": "remove", "content": ⟦"b"} ← unknown content "b"
            {"at": 1, "do": "remove", "content": "a"}, {"at": 2, "do": "remove", "content": ⟦"a"} ← does not exist at 2
            {"at": 1, "do": "insert", "content": ⟦"a", "frame": [0, 0, 1, 1], "in": "feed"} ← exists already
            {"at": 1, "do": "insert", "content": ⟦{"id": "a", "frame": [0, 0, 1, 1]}, "in": "feed"} ← exists already
            {"at": 1, "do": "insert", "content": {"id": "c", "frame": [0, 0, 1, 1]}, "in": ⟦"c"} ← does not exist at 1
            {"at": 1, "do": "insert", "content": ⟦{"frame": [0, 0, 1, 1]}, "in": "feed"} ← needs an "id"
            {"at": 1, "do": "insert", "content": {"id": "x", "frame": [0, 0, 9, 9], "contents": [{"id": ⟦"x", "frame": [0, 0, 1, 1]}]}, "in": "feed"} ← unique
            {"at": 1, "do": "insert", "content": {"id": "x", "frame": [0, 0, 9, 9], "contents": [{"id": "y", "frame": [0, 0, 1, 1]}, {"id": ⟦"y", "frame": [0, 0, 1, 1]}]}, "in": "feed"} ← unique
            {"at": 1, "do": "move", "content": "a", "frame": ⟦"wide"} ← [x, y, width, height], not a string
            {"at": 1, "do": "resize", "viewport": {"width": 1, "height": 1}, "frames": {⟦"b": [0, 0, 1, 1]}} ← unknown content "b"
            {"at": 1, "do": "present", "screen": "list", "style": ⟦"popover"} ← "fullScreen", "sheet"
            {"at": 1, "do": "deepLink", "screen": ⟦"feed"} ← open already
            {"at": 1, "do": "push", "screen": "list"}, {"at": 2, "do": "deepLink", "screen": ⟦"feed"} ← open already
            """#
        ) { scenario(steps: ", " + $0) }

    private static func cases(_ text: String, _ scenario: (String) -> String = { $0 }) -> [(String, String)] {
        text.split(separator: "\n").map { line in
            let parts = line.components(separatedBy: " ← ")
            return (scenario(parts[0]), parts[1])
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
