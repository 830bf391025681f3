package import ContentVisibility

/// What happened to each screen and content over time, and why a content counted or did not.
///
/// - `Timeline+Standing.swift`: the reasons why something does not count.
/// - `TimelineRecorder.swift`: how they are found while a scenario is replayed.
/// - `Timeline+Words.swift`: how they are said.
/// - `TimelinePage.swift`: a page of it.
package struct Timeline: Sendable {
    /// An event that is posted for a content, or for a screen: what its lane is called.
    package struct Event: Sendable, Equatable {
        /// As the definitions call it: `home.see_feed_recipe`.
        package var name: String
        /// What posts it, and where that is written, in words: `impression(80%, 2s), home.md`.
        package var trigger: String
        /// The log with which it is posted. Its lane counts as "not posted" if this log is not.
        package var log: Posted.Log

        package init(_ name: String, trigger: String, postedAs log: Posted.Log) {
            self.name = name
            self.trigger = trigger
            self.log = log
        }
    }

    /// The events of contents and of screens, by their ids. A content without any is expected to be shown and seen.
    package var contentEvents: [String: [Event]] = [:]
    package var screenEvents: [String: [Event]] = [:]

    /// A stretch of time in which the same holds. The stretches of a lane follow one another without gaps.
    package struct Stretch: Sendable, Equatable {
        package var start: Double
        package var end: Double
        package var standing: Standing
        /// The visit in which it lies, counted from 1; nil if it lies in none, or if that makes no difference.
        package var visit: Int?
    }

    /// A stretch in which enough of a content was in view on an exposed screen, until the dwell was over or broke.
    package struct Dwell: Sendable, Equatable {
        package var start: Double
        package var end: Double
        package var rule: ImpressionRule
        package var outcome: Outcome

        package enum Outcome: Sendable, Equatable {
            case seen
            case broken(Break)
            /// The scenario ended first.
            case running
        }
    }

    /// What broke a dwell.
    package enum Break: Sendable, Equatable {
        /// What held from then on.
        case standing(Standing)
        /// The tracker was restarted, and the dwell began anew.
        case restart
        /// A visit ended, and the next began in the same instant.
        case newVisit
        /// It was moved or put there anew in the same instant.
        case moved
    }

    /// How much of a content was in view at a time.
    struct Sample: Sendable, Equatable {
        var time: Double
        var share: Double
    }

    /// What happened to one screen, or to one content on one screen.
    package struct Lane: Sendable {
        package var screen: String
        /// nil if this is a screen's own lane.
        package var content: String?
        /// How many lanes it lies in: 0 is a screen.
        package var depth: Int
        package var stretches: [Stretch] = []
        package var dwells: [Dwell] = []
        package var posted: [Posted] = []
        /// Between two samples, the share changes evenly.
        var shares: [Sample] = []
        /// Its rule from a time on.
        var rules: [(time: Double, rule: ImpressionRule)] = []

        package var name: String { content ?? screen }
    }

    /// A step, in words.
    package struct Step: Sendable {
        package var start: Double
        /// When what it begins ends: a scroll, a refresh.
        package var end: Double
        var words: String
    }

    var name = ""
    package var end = 0.0
    var background: [ClosedRange<Double>] = []
    package var steps: [Step] = []
    /// Each screen, followed by its contents. What lies in a content follows it.
    package var lanes: [Lane] = []
}
