package import ContentVisibility

/// The history of each screen and content, and the reasons why contents were seen or not.
///
/// - `Timeline+ContentState.swift`: the states of contents, and the obstacles to being seen.
/// - `TimelineRecorder.swift`: records the history while a scenario is replayed.
/// - `Timeline+Descriptions.swift`: describes the history in sentences.
/// - `TimelinePage.swift` and `TimelineDrawing.swift`: draw the history on a page.
package struct Timeline: Sendable {
    /// An event that is posted for a content or a screen. It labels the lane.
    package struct Event: Sendable, Equatable {
        /// The name in the definitions: `home.see_feed_recipe`.
        package var name: String
        /// The trigger and its definition file: `impression(80%, 2s), home.md`.
        package var trigger: String
        /// The log that posts the event. The lane counts as "not posted" without this log.
        package var log: Posted.Log

        package init(_ name: String, trigger: String, postedAs log: Posted.Log) {
            self.name = name
            self.trigger = trigger
            self.log = log
        }
    }

    /// The events of contents and of screens, by identifier. A content without events is expected to be shown and seen.
    package var contentEvents: [String: [Event]] = [:]
    package var screenEvents: [String: [Event]] = [:]

    /// A period in which the state does not change. The intervals of a lane follow one another without gaps.
    package struct Interval: Sendable, Equatable {
        package var start: Double
        package var end: Double
        package var standing: ContentState
        /// The number of the visit that contains the interval, from 1; nil outside of visits, and for a state that does
        /// not depend on the screen.
        package var visit: Int?
    }

    /// A period with enough of a content in view on an exposed screen, until the dwell was completed or interrupted.
    package struct Dwell: Sendable, Equatable {
        package var start: Double
        package var end: Double
        package var rule: ImpressionRule
        package var outcome: Outcome

        package enum Outcome: Sendable, Equatable {
            case seen
            case broken(Break)
            /// The scenario ended during the dwell.
            case running
        }
    }

    /// The cause that interrupted a dwell.
    package enum Break: Sendable, Equatable {
        /// The state of the content after the dwell.
        case standing(ContentState)
        /// The tracker was restarted, and the dwell began again.
        case restart
        /// A visit ended, and the next began in the same instant.
        case newVisit
        /// The content was moved or inserted again in the same instant.
        case moved
    }

    /// The share of a content that is in view at a time.
    struct Sample: Sendable, Equatable {
        var time: Double
        var share: Double
    }

    /// The history of one screen, or of one content on one screen.
    package struct Lane: Sendable {
        package var screen: String
        /// The identifier of the content; nil for the lane of a screen.
        package var content: String?
        /// The nesting depth of the lane; 0 for a screen.
        package var depth: Int
        package var stretches: [Interval] = []
        package var dwells: [Dwell] = []
        package var posted: [Posted] = []
        /// The samples of the visible share, which changes linearly between two samples.
        var shares: [Sample] = []
        /// The content's rules, each with the time from which it applies.
        var rules: [(time: Double, rule: ImpressionRule)] = []

        package var name: String { content ?? screen }
    }

    /// A step as text.
    package struct Step: Sendable {
        package var start: Double
        /// The end of the scroll or refresh that the step begins.
        package var end: Double
        var words: String
    }

    var name = ""
    package var end = 0.0
    var background: [ClosedRange<Double>] = []
    package var steps: [Step] = []
    /// Each screen, followed by its contents. Contents follow their container.
    package var lanes: [Lane] = []
}
