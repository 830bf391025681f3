import ActivityTracking
import ContentVisibility
import Foundation
import ScenarioRunner

/// A launch, replayed: what happens and which events are posted, in order of time.
struct Plan: Sendable {
    struct Moment: Sendable {
        /// In seconds since the launch.
        var time: Double
        /// What happens; nil for what only follows from it.
        var words: String?
        var event: (any LogCategory)?
        /// The screen or content for which the event is posted; nil if somebody did something.
        var place: String?
        var turn: Launch.Turn?
    }

    private(set) var moments: [Moment]
    let timeline: Timeline
    /// What a document asks for and this session cannot do.
    let notes: [String]

    init(_ launch: Launch) throws(ScenarioError) {
        var scenario = try Scenario(launch.scenario, file: launch.file)
        scenario.setRules(launch.contents.mapValues { ImpressionRule().replacing($0.facts?.trigger) })
        let replayed = try scenario.replay(launch.scenario, file: launch.file, drawsTimeline: true)

        var posts: [Moment] = []
        for post in replayed.posted {
            let event = post.content.map { launch.contents[$0] } ?? launch.screens[post.screen]
            guard let event, Self.log(for: event.facts?.trigger) == post.log else { continue }
            posts.append(Moment(time: post.time, event: event, place: post.content ?? post.screen))
        }
        moments = launch.actions.map { action in
            let event = action.event.flatMap { Self.log(for: $0.facts?.trigger) == nil ? $0 : nil }
            return Moment(time: action.time, words: action.words, event: event, turn: action.turn)
        }
        // What is done comes before what follows from it.
        for post in posts { moments.insert(post, at: moments.firstIndex { $0.time > post.time + Self.instant } ?? moments.count) }

        var timeline = replayed.timeline
        timeline.screenEvents = launch.screens.compactMapValues(Self.named)
        timeline.contentEvents = launch.contents.compactMapValues(Self.named)
        self.timeline = timeline
        notes = Self.notes(launch)
    }

    /// From the launch to its last moment, in seconds.
    var length: Double { moments.last?.time ?? 0 }

    /// Times within a millisecond are one instant, as for scenarios.
    static let instant = 0.001

    /// Which log posts an event: its document's trigger decides. Nil is what somebody does.
    static func log(for trigger: LogTrigger?) -> Posted.Log? {
        switch trigger {
        case .screen: .screen
        case .show: .shown
        case .impression: .seen
        case .tap, nil: nil
        }
    }

    private static func named(_ event: any LogCategory) -> [Timeline.Event]? {
        log(for: event.facts?.trigger).map { [Timeline.Event(event.name, trigger: "\(event.trigger), \(event.origin)", postedAs: $0)] }
    }

    /// A screen has no area, a content no visits, and what is done is not shown. A document that asks for it is right as a document, so it is no error.
    private static func notes(_ launch: Launch) -> [String] {
        func odd(_ events: some Sequence<any LogCategory>, _ what: String, _ fits: (Posted.Log?) -> Bool) -> [String] {
            events.filter { !fits(log(for: $0.facts?.trigger)) }.map {
                "\($0.name) is `\($0.trigger)` (\($0.origin)), and stands for \(what) in this session: it is not posted"
            }
        }
        let notes =
            odd(launch.screens.values, "a screen") { $0 == .screen } + odd(launch.contents.values, "a content") { $0 == .shown || $0 == .seen }
            + odd(launch.actions.compactMap(\.event), "something that is done") { $0 == nil }
        return Set(notes).sorted()
    }
}

extension LogCategory {
    /// As the documents call it: `home.view_home`.
    var name: String { "\(Self.definition.name).\(facts?.name ?? "?")" }

    /// As the document writes it; `–` if it leaves that to the app.
    var trigger: String { facts?.trigger.map { "\($0)" } ?? "–" }

    /// The file of its category.
    var document: String { Self.definition.document }

    /// Where the document speaks of it: `home.md:10`.
    var origin: String { document + (facts?.line.map { ":\($0)" } ?? "") }
}
