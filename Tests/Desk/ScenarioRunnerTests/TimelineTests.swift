import ContentVisibility
import Foundation
import ScenarioRunner
import Testing
import TestSupport

/// Tests of the explanations of a timeline: the reasons why each content was seen or not, and the times.
struct TimelineTests {
    static func timeline(_ text: String) throws -> Timeline {
        let bytes = Array(text.utf8)
        return try Scenario(bytes, file: "s.json").replay(bytes, file: "s.json", drawsTimeline: true).timeline
    }

    static func text(_ contents: String, _ steps: String, more: String = #"{"id": "detail"}"#, feed: String = "")
        -> String
    {
        #"{"viewport": {"width": 390, "height": 800}, "screens": [{"id": "feed"\#(feed), "#
            + #""contents": [\#(contents)]}, \#(more)], "steps": [{"at": 0, "do": "open", "screen": "feed"}, "#
            + #"\#(steps)]}"#
    }

    /// Returns each interval of a content with the label of its bar: `0–2 dwell 2 s`.
    static func bars(_ timeline: Timeline, _ content: String, on screen: String = "feed") -> [String] {
        guard let lane = timeline.lanes.first(where: { $0.content == content && $0.screen == screen }) else {
            return []
        }
        return lane.stretches.map { stretch in
            let words = timeline.description(of: stretch, in: lane)
            let label = words[0].replacingOccurrences(of: "\(content) (\(screen)): ", with: "")
            return "\(words[1].prefix { $0 != "s" }.replacingOccurrences(of: " – ", with: "–"))\(label)"
        }
    }

    static let a = #"{"id": "a", "frame": [0, 0, 390, 100]}"#

    /// The obstacles that keep a content in view from being seen. In each scenario, the obstacle occurs at 1 s. A case
    /// has the reason as its name, the steps and the bars.
    static let obstacles = TextCase.all("obstacles.txt")

    @Test("The file has obstacles") func count() { #expect(Self.obstacles.count > 15) }

    @Test("A content in view that is not seen has a reason with its start and end", arguments: obstacles)
    func reasons(obstacle: TextCase) throws {
        let steps = obstacle.parts[0]
        let more = steps.contains("selectTab") ? #", "tabs": "main""# : ""
        let timeline = try Self.timeline(
            Self.text(Self.a, steps, more: #"{"id": "detail"}, {"id": "other"\#(more)}"#, feed: more))
        let bars = ["0–1 dwell 1 of 2 s"] + obstacle.parts[1].split(separator: "\n").map(String.init)
        #expect(Self.bars(timeline, "a") == bars)
        let lane = try #require(timeline.lanes.first { $0.content == "a" })
        #expect(
            timeline.description(of: lane.stretches[0], in: lane)[2]
                == "Not seen: 1 s of the 2 s were over when \(obstacle.name).")
    }

    @Test("Unopened and closed screens, and sheets kept after the background, are described as such")
    func screens() throws {
        let timeline = try Self.timeline(
            Self.text(
                Self.a,
                #"{"at": 1, "do": "present", "screen": "detail", "style": "sheet"}, {"at": 2, "do": "background"}, "#
                    + #"{"at": 3, "do": "foreground"}, {"at": 4, "do": "dismiss"}, {"at": 5, "do": "end"}"#,
                more: #"{"id": "detail", "contents": [{"id": "b", "frame": [0, 0, 390, 100]}]}"#))
        #expect(
            Self.bars(timeline, "a") == [
                "0–1 dwell 1 of 2 s", "1–2 under the sheet detail", "2–3 background", "3–4 under the sheet detail",
                "4–5 dwell 1 of 2 s",
            ])
        #expect(
            Self.bars(timeline, "b", on: "detail") == [
                "0–1 not opened yet", "1–2 dwell 1 of 2 s", "2–3 background", "3–4 dwell 1 of 2 s", "4–5 closed",
            ])
        let lane = try #require(timeline.lanes.first { $0.content == "a" })
        let sheets = lane.stretches.filter { if case .obstacle(.sheet) = $0.standing { true } else { false } }
        #expect(
            sheets.map { timeline.description(of: $0, in: lane)[2] } == [
                "Not seen: the sheet “detail” lies over the screen; the visit goes on.",
                "Not seen: the sheet “detail” lies over the screen; under a sheet no visit begins.",
            ])
    }

    @Test(
        "A content that was seen states that it counts once, and in which period",
        arguments: ["visit", "session", "untilRestart"])
    func once(rule: String) throws {
        let timeline = try Self.timeline(
            Self.text(
                #"{"id": "a", "frame": [0, 0, 390, 100], "rule": {"once": "\#(rule)", "dwell": 1}}"#,
                #"{"at": 2, "do": "background"}, {"at": 3, "do": "foreground"}, {"at": 5, "do": "restart", "#
                    + #""screen": "feed"}, {"at": 7, "do": "end"}"#
            ))
        let words =
            [
                "visit": "seen in this visit", "session": "seen in this session",
                "untilRestart": "seen, until a restart",
            ][rule] ?? ""
        let again = rule == "visit" ? ["3–4 dwell 1 s", "4–5 \(words)"] : ["3–5 \(words)"]
        let last = rule == "session" ? ["5–7 \(words)"] : ["5–6 dwell 1 s", "6–7 \(words)"]
        // The interval in which the content was already seen continues if a restart resets nothing.
        let both = rule == "session" ? ["3–7 \(words)"] : again + last
        #expect(Self.bars(timeline, "a") == ["0–1 dwell 1 s", "1–2 \(words)", "2–3 background"] + both)
    }

    @Test(
        "Stretches begin and end where the rule is crossed, so a dwell has the length of its rule")
    func instants() throws {
        // 80 of 100 points are in view after 230 of 300 points, which takes a second.
        let timeline = try Self.timeline(
            Self.text(
                #"{"id": "a", "frame": [0, 950, 390, 100]}"#,
                #"{"at": 1, "do": "scroll", "in": "feed", "to": [0, 300], "over": 1}, {"at": 6, "do": "scroll", "#
                    + #""in": "feed", "to": [0, 0], "over": 1}"#
            ))
        #expect(
            Self.bars(timeline, "a") == [
                "0–1.517 not in view", "1.517–1.767 under 80%", "1.767–3.767 dwell 2 s",
                "3.767–6.233 seen in this visit", "6.233–6.5 under 80%",
                "6.5–7 not in view",
            ])
        let lane = try #require(timeline.lanes.first { $0.content == "a" })
        #expect(
            timeline.description(of: lane.stretches[2], in: lane) == [
                "a (feed): dwell 2 s", "1.767 – 3.767 s (2 s), visit 1",
                "Seen at 3.767 s: 80% was in view for 2 s without a break.",
                "In view: 80% to 100%. Rule: 80% for 2 s, once per visit.",
                "Shown already, at 1.517 s: once per visit.",
            ])
    }

    @Test("A content that was on two screens has a nested lane under each, with its history there")
    func twoScreens() throws {
        let timeline = try Self.timeline(
            Self.text(
                #"{"id": "box", "frame": [0, 0, 390, 300], "contents": [{"frame": [0, 0, 390, 300], "#
                    + #""contents": [{"id": "player", "frame": [0, 0, 390, 200]}]}]}"#,
                #"{"at": 3, "do": "remove", "content": "player"}, {"at": 4, "do": "push", "screen": "detail"}, "#
                    + #"{"at": 4, "do": "insert", "content": "player", "frame": [0, 0, 390, 200], "in": "detail"}, "#
                    + #"{"at": 5, "do": "end"}"#
            ))
        #expect(
            timeline.lanes.map { "\($0.depth) \($0.content ?? $0.screen)" } == [
                "0 feed", "1 box", "2 player", "0 detail", "1 player",
            ])
        #expect(Self.bars(timeline, "player") == ["0–2 dwell 2 s", "2–3 seen in this visit", "3–5 removed"])
        #expect(Self.bars(timeline, "player", on: "detail") == ["0–4 not there yet", "4–5 dwell 1 of 2 s"])
    }

    @Test("The explanation of a lane is a sentence with the reason why its event was not posted")
    func answers() throws {
        func answer(_ contents: String, _ steps: String, _ event: Timeline.Event? = nil) throws -> String {
            var timeline = try Self.timeline(Self.text(contents, steps))
            timeline.contentEvents["a"] = event.map { [$0] }
            return try timeline.answer(for: #require(timeline.lanes.first { $0.content == "a" }))
        }
        let end = #"{"at": 9, "do": "end"}"#
        #expect(try answer(Self.a, end) == "Posted: shown at 0 s, seen at 2 s.")
        #expect(try answer(#"{"id": "a", "frame": [0, 900, 390, 100]}"#, end) == "Not seen: it never came into view.")
        #expect(
            try answer(#"{"id": "a", "frame": [0, 738, 390, 100]}"#, end)
                == "Posted: shown at 0 s. Not seen: at most 62% is in view, and the rule requires 80%.")
        let covered = #"{"at": 1.4, "do": "present", "screen": "detail"}, \#(end)"#
        #expect(
            try answer(Self.a, covered)
                == "Posted: shown at 0 s. Not seen: 1.4 s of the 2 s were over when the screen was covered by "
                + "“detail” at 1.4 s."
        )
        // The event is posted when shown, so nothing is missing.
        #expect(
            try answer(Self.a, covered, Timeline.Event("home.show", trigger: "content", postedAs: .shown))
                == "Posted: shown at 0 s.")
    }

    // MARK: All scenarios

    @Test(
        "Stretches fill the lane's time, a seen log ends a full dwell, and obstacles stop counting",
        arguments: ScenarioTests.files)
    func consistent(file: String) throws {
        let bytes = [UInt8](try Data(contentsOf: ScenarioTests.folder.appendingPathComponent(file)))
        try Self.check(Scenario(bytes, file: file).replay(bytes, file: file, drawsTimeline: true))
    }

    @Test(
        "Stretches, dwells and obstacles are consistent in random scenarios", arguments: 1...Depth.cases(2, deep: 12))
    func consistentAtRandom(seed: Int) throws {
        let bytes = Array(RandomScenario.text(seed: UInt64(seed)).utf8)
        let scenario = try Scenario(bytes, file: "random")
        let result = try scenario.replay(bytes, file: "random", drawsTimeline: true)
        try Self.check(result)
        // Drawing a timeline changes nothing.
        #expect(try scenario.replay(bytes, file: "random").posted == result.posted)
    }

    static func check(_ result: Scenario.Result) throws {
        let timeline = result.timeline
        var posted = 0
        for lane in timeline.lanes {
            posted += lane.posted.count
            var time = 0.0
            for stretch in lane.stretches {
                #expect(
                    stretch.start == time && stretch.end >= stretch.start,
                    "\(lane.name): a gap or an overlap at \(time)")
                time = stretch.end
            }
            #expect(time == timeline.end, "\(lane.name): its stretches end at \(time)")
            guard let content = lane.content else { continue }
            let seen = lane.posted.filter { $0.log == .seen }.map(\.time)
            let dwells = lane.dwells.filter { $0.outcome == .seen }
            #expect(dwells.map(\.end) == seen, "\(content): a dwell that is over is a log")
            for dwell in dwells {
                #expect(
                    abs(dwell.end - dwell.start - dwell.rule.dwell) < 1e-9, "\(content): a dwell is as long as its rule"
                )
            }
            for dwell in lane.dwells where dwell.outcome != .seen {
                #expect(dwell.end - dwell.start < dwell.rule.dwell + 0.001)
            }
            // Each dwell is one interval.
            for (number, dwell) in lane.dwells.enumerated()
            where dwell.end - dwell.start > 0.001 || dwell.outcome == .seen {
                let own = lane.stretches.filter { $0.standing == .dwelling(number) }
                #expect(
                    own.count == 1 && abs((own.first?.end ?? 0) - dwell.end) < 0.001
                        && abs((own.first?.start ?? 0) - dwell.start) < 0.001)
                if dwell.outcome == .running { #expect(dwell.end == timeline.end) }
            }
            for shown in lane.posted where shown.log == .shown {
                // A visit that ends at once has no interval. Then the screen's state changes at that time, possibly to
                // another state and back.
                func isThen(_ time: Double) -> Bool { abs(time - shown.time) < 0.0015 }
                let isInVisit = lane.stretches.contains {
                    $0.visit != nil && $0.start <= shown.time + 0.02 && $0.end >= shown.time - 0.001
                }
                let own = timeline.lanes.first { $0.screen == lane.screen && $0.content == nil }
                let changes =
                    isThen(timeline.end) || timeline.steps.flatMap { [$0.start, $0.end] }.count(where: isThen) > 2
                    || own?.stretches.contains { isThen($0.start) } == true
                #expect(isInVisit || changes, "\(content): shown at \(shown.time), in no visit")
            }
            for stretch in lane.stretches {
                let shares = lane.shares(from: stretch.start, to: stretch.end)
                switch stretch.standing {
                case .underFraction: #expect(stretch.visit != nil)
                case .dwelling, .seen:
                    #expect(stretch.visit != nil || stretch.end - stretch.start < 0.001, "\(content): \(stretch)")
                    #expect(
                        shares.upperBound >= lane.rule(at: stretch.start).visibleFraction - 0.001,
                        "\(content) at \(stretch.start)")
                case .absent, .outOfView, .obstacle, .exposed: break
                }
            }
        }
        let untracked = result.posted.filter { post in
            !timeline.lanes.contains { $0.content == post.content && $0.screen == post.screen }
        }
        #expect(posted == result.posted.count && untracked.isEmpty, "each log is in a lane")
    }
}
