import Foundation
import ScenarioRunner
import TestSupport
import Testing

/// What the page says of a scenario: lanes, and the bars in them.
struct TimelineTests {
    /// A lane's label, and what is said of each bar and mark in it.
    struct Lane: Equatable {
        var label: String
        var titles: [String]
    }

    static func lanes(_ text: String) throws -> [Lane] {
        let bytes = Array(text.utf8)
        let scenario = try Scenario(bytes, file: "s.json")
        let result = try scenario.replay(bytes, file: "s.json", drawsTimeline: true)
        let page = Timeline.page([.replayed(result.timeline, file: "s.json", differences: [], isChecked: false)])
        func between(_ start: String, _ end: String, in text: String) -> [String] {
            text.components(separatedBy: start).dropFirst().compactMap { $0.components(separatedBy: end).first }
        }
        let labels = between("<foreignObject", "</foreignObject>", in: page).flatMap { between("title=\"", "\"", in: $0) }
        let drawings = page.components(separatedBy: "</foreignObject>").dropFirst().map { between("<title>", "</title>", in: $0) }
        return zip(labels, drawings).map(Lane.init)
    }

    static func text(_ contents: String, _ steps: String, more: String = #"{"id": "detail"}"#) -> String {
        #"{"viewport": {"width": 390, "height": 800}, "screens": [{"id": "feed", "contents": [\#(contents)]}, \#(more)], "steps": [{"at": 0, "do": "open", "screen": "feed"}, \#(steps)]}"#
    }

    @Test("visits that touch are two, and so are the stretches in view in them, and dwells that begin anew")
    func visits() throws {
        let lanes = try Self.lanes(
            Self.text(
                #"{"id": "a", "frame": [0, 0, 390, 100]}"#,
                #"{"at": 3, "do": "background"}, {"at": 3, "do": "foreground"}, {"at": 4, "do": "restart", "screen": "feed"}, {"at": 7, "do": "end"}"#
            ))
        #expect(
            lanes == [
                Lane(
                    label: "feed",
                    titles: [
                        "feed: visit 1, 0 – 3 s (3 s)", "feed: visit 2, 3 – 7 s (4 s)", "feed: exposed, 0 – 3 s (3 s)",
                        "feed: exposed, 3 – 7 s (4 s)",
                    ]),
                Lane(
                    label: "a",
                    titles: [
                        "a: in view, 0 – 3 s (3 s)", "a: in view, 3 – 7 s (4 s)", "a: over the fraction, 0 – 3 s (3 s)",
                        "a: over the fraction, 3 – 4 s (1 s)", "a: over the fraction, 4 – 7 s (3 s)", "0 shown a (feed)", "2 seen a (feed)",
                        "3 shown a (feed)", "6 seen a (feed)",
                    ]), Lane(label: "detail", titles: []),
            ])
    }

    @Test("a content that was on two screens has a lane under each, with what happened there")
    func twoScreens() throws {
        let lanes = try Self.lanes(
            Self.text(
                #"{"id": "box", "frame": [0, 0, 390, 300], "contents": [{"id": "player", "frame": [0, 0, 390, 200]}]}"#,
                #"{"at": 3, "do": "remove", "content": "player"}, {"at": 4, "do": "push", "screen": "detail"}, {"at": 4, "do": "insert", "content": "player", "frame": [0, 0, 390, 200], "in": "detail"}, {"at": 5, "do": "end"}"#
            ))
        #expect(lanes.map(\.label) == ["feed", "box", "player", "detail", "player"])
        #expect(
            lanes[2].titles == [
                "player: in view, 0 – 3 s (3 s)", "player: over the fraction, 0 – 3 s (3 s)", "0 shown player (feed)", "2 seen player (feed)",
            ])
        #expect(lanes[4].titles == ["player: in view, 4 – 5 s (1 s)", "player: over the fraction, 4 – 5 s (1 s)", "4 shown player (detail)"])
    }

    @Test("bars over the fraction begin and end where it was crossed, not with the samples: a dwell is as long as its rule says")
    func instants() throws {
        // 80 of 100 points are in view 230 points on, of 300 in a second.
        let lanes = try Self.lanes(
            Self.text(
                #"{"id": "a", "frame": [0, 950, 390, 100]}"#,
                #"{"at": 1, "do": "scroll", "in": "feed", "to": [0, 300], "over": 1}, {"at": 6, "do": "scroll", "in": "feed", "to": [0, 0], "over": 1}"#
            ))
        #expect(
            lanes[1].titles == [
                "a: in view, 1.517 – 6.5 s (4.983 s)", "a: over the fraction, 1.767 – 6.233 s (4.467 s)", "1.517 shown a (feed)",
                "3.767 seen a (feed)",
            ])
        let short = try Self.lanes(
            Self.text(#"{"id": "a", "frame": [0, 950, 390, 100]}"#, #"{"at": 1.0123, "do": "scroll", "in": "feed", "to": [0, 300], "over": 0.97}"#))
        #expect(short[1].titles.contains { $0.hasPrefix("a: over the fraction") && $0.hasSuffix("(2 s)") })
    }

    @Test("labels of any length are whole on hover, and are cut where they are too wide")
    func labels() throws {
        let name = String(repeating: "季節のおすすめレシピ", count: 8)
        let lanes = try Self.lanes(Self.text(#"{"id": "\#(name)", "frame": [0, 0, 390, 100]}"#, #"{"at": 3, "do": "end"}"#))
        #expect(lanes.map(\.label) == ["feed", name, "detail"])
    }

    @Test("a lane is called by the events of its content or screen, which whoever makes the page names")
    func events() throws {
        let bytes = Array(Self.text(#"{"id": "a", "frame": [0, 0, 390, 100]}"#, #"{"at": 3, "do": "end"}"#).utf8)
        var timeline = try Scenario(bytes, file: "s.json").replay(bytes, file: "s.json", drawsTimeline: true).timeline
        timeline.contentEvents["a"] = [Timeline.Event("home.see_<recipe>", trigger: "impression(80%, 2s), home.md:41", postedAs: .seen)]
        timeline.screenEvents["feed"] = [Timeline.Event("home.show", trigger: "screen, home.md:12", postedAs: .screen)]
        let page = Timeline.page([.replayed(timeline, file: "s.json", differences: [], isChecked: false)])
        for text in ["home.see_&lt;recipe&gt;", "impression(80%, 2s), home.md:41", "home.show", "screen, home.md:12"] {
            #expect(page.contains(text))
        }
    }
}
