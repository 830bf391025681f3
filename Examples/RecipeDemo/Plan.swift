import ActivityTracking
import ContentVisibility
import Foundation
import ScenarioRunner

/// The replay of a launch: its actions and posted events, in order of time.
struct Plan: Sendable {
    struct Moment: Sendable {
        /// The time in seconds since the launch.
        var time: Double
        /// The description of an action; nil for an event that follows from visibility.
        var words: String?
        var event: (any LogCategory)?
        /// The screen or content for which the event is posted, with its engagement if it was left; nil for an action.
        var place: String?
        var turn: Launch.Turn?
    }

    private(set) var moments: [Moment]
    let timeline: Timeline
    /// Triggers of the definitions that this session cannot perform.
    let notes: [String]

    /// Triggers that this session cannot perform are valid, so they cause notes instead of errors.
    init(_ launch: Launch) throws(ScenarioError) {
        var notes: Set<String> = []
        let moments = launch.contents.compactMapValues {
            PostingMoment(ofContent: TrackedEvent($0), lost: { notes.insert($0) }, differs: { notes.insert($0) })
        }
        let screens = launch.screens.filter { _, event in TrackedEvent(event).isDueWithVisit(lost: { notes.insert($0) })
        }
        for event in launch.leftEvents.values {
            TrackedEvent(event).compare(postedAs: .leave(visibleFraction: nil), differs: { notes.insert($0) })
        }
        for case let event? in launch.actions.map(\.event) {
            TrackedEvent(event).compare(postedAs: .tap(target: ""), differs: { notes.insert($0) })
        }
        self.notes = notes.sorted()

        var scenario = try Scenario(launch.scenario, file: launch.file)
        scenario.setRules(moments.compactMapValues { if case .seen(let rule) = $0 { rule } else { nil } })
        let replayed = try scenario.replay(launch.scenario, file: launch.file, drawsTimeline: true)

        self.moments = launch.actions.map { Moment(time: $0.time, words: $0.words, event: $0.event, turn: $0.turn) }
        for post in replayed.posted {
            let ofScreen = post.engagement.map { launch.leaving[post.screen]?($0) } ?? screens[post.screen]
            guard
                let event = post.content.map({ moments[$0]?.log == post.log ? launch.contents[$0] : nil }) ?? ofScreen
            else { continue }
            // Actions come before the events that follow from them.
            let place = self.moments.firstIndex { $0.time > post.time + Self.instant } ?? self.moments.count
            let words = (post.content ?? post.screen) + (post.engagement.map { ": \($0.summary)" } ?? "")
            self.moments.insert(Moment(time: post.time, event: event, place: words), at: place)
        }

        var timeline = replayed.timeline
        timeline.screenEvents = screens.mapValues { [Self.named($0, .screen)] }
        for (id, event) in launch.leftEvents { timeline.screenEvents[id, default: []].append(Self.named(event, .left)) }
        for (id, moment) in moments {
            timeline.contentEvents[id] = launch.contents[id].map { [Self.named($0, moment.log)] }
        }
        self.timeline = timeline
    }

    /// The time of the last moment in seconds since the launch.
    var length: Double { moments.last?.time ?? 0 }

    /// Times within a millisecond are one instant, as for scenarios.
    private static let instant = 0.001

    private static func named(_ event: any LogCategory, _ log: Posted.Log) -> Timeline.Event {
        Timeline.Event(event.name, trigger: "\(event.trigger), \(event.document)", postedAs: log)
    }
}

extension PostingMoment {
    /// The name of this log in replays.
    fileprivate var log: Posted.Log {
        switch self {
        case .shown: .shown
        case .seen: .seen
        case .left: .left
        }
    }
}

extension LogCategory {
    /// The full name in the definitions: `home.view_home`.
    var name: String { "\(Self.definition.name).\(facts?.name ?? "?")" }

    /// The trigger as in the definitions; `–` if the app decides.
    var trigger: String { facts?.trigger.map { "\($0)" } ?? "–" }

    /// The definition file of the category.
    var document: String { Self.definition.document }

    /// The index among the events of the category.
    var number: Int { Self.definition.events.firstIndex { $0.name == facts?.name } ?? 0 }
}
