import ContentVisibility
import Foundation

extension Scenario {
    /// What was posted, and how it came to that.
    package struct Result: Sendable {
        package var posted: [Posted]
        /// Empty, unless a timeline was asked for.
        package var timeline: Timeline
        /// When containers were scrolling.
        var scrolls: [ClosedRange<Double>]
    }

    /// Replays the scenario on a clock of its own.
    /// - Throws: `ScenarioError` if a step cannot be done.
    package func replay(_ bytes: [UInt8], file: String, drawsTimeline: Bool = false) throws(ScenarioError) -> Result {
        do throws(Mistake) {
            var replay = Replay(self, drawsTimeline: drawsTimeline)
            return try replay.run()
        } catch {
            throw ScenarioError(error, file: file, in: bytes)
        }
    }
}

/// A running replay. It does what an app and its toolkit would do, and reports it to the trackers that an app would
/// have.
///
/// - `Replay+Steps.swift`: what each step does.
/// - `Replay+Contents.swift`: contents come, go and move.
/// - `Replay+Screens.swift`: screens come into view, are covered, and refresh.
/// - `Replay+Time.swift`: the clock, scrolls on their way, and what trackers post.
struct Replay {
    /// A content that is or was somewhere.
    struct Entry {
        var content: Scenario.Content
        var screen: Int
        /// Its rule: of each part, the nearest that is given.
        var rule: ImpressionRule
        /// The place of its definition among all screens and contents.
        let order: Int
        var isPresent = false
        /// The number of contents around it.
        var depth = 0
        var container: Int?
        /// Its place among the contents of its container.
        var place = 0
        var children: [Int] = []
    }

    /// A screen of the scenario, open or not.
    struct Screen {
        var tracker: ContentTracker<Int>
        let order: Int
        var place = Navigation.Place()
        var offset = CGPoint.zero
        /// Its containers that are scrolling, when they were sampled last, and when they will be next. Without any, the
        /// times say nothing.
        var motions: [ScrollMotion] = []
        var lastSample = 0.0
        var nextSample = 0.0
        /// When the refresh ends that was due on the return.
        var returnRefreshEnd: Double?
        /// When any other refresh ends, and whether the views are gone until then.
        var refreshEnd: Double?
        var replacesViews = false
        /// For the timeline: whether it has been in front, and what is in front of it now, if that is not itself.
        var wasInFront = false
        var front: Int?
    }

    let scenario: Scenario
    var screens: [Screen] = []
    var screenNumbers: [String: Int] = [:]
    var entries: [Entry] = []
    var numbers: [String: Int] = [:]
    var order = 0
    /// How many contents are in one another at most so far. The limit is deeper than any screen; recursion has to end
    /// somewhere.
    var deepest = 0
    static let maxDepth = 1000
    /// How far containers are scrolled.
    var offsets: [Int: CGPoint] = [:]
    var navigation: Navigation
    var isInForeground = true
    /// When something is due on a screen by itself. Other screens are not looked at.
    var agenda = DueQueue()
    /// The screens that are in a visit.
    var visible: Set<Int> = []
    var hasOpened = false
    var now = 0.0
    var posted: [(post: Posted, order: Int)] = []
    var scrolls: [ClosedRange<Double>] = []
    var recorder: Timeline.Recorder?

    init(_ scenario: Scenario, drawsTimeline: Bool) {
        self.scenario = scenario
        navigation = Navigation(scenario.screens)
        if drawsTimeline { recorder = Timeline.Recorder() }
        navigation.namesFronts = drawsTimeline
        for (number, screen) in scenario.screens.enumerated() {
            screenNumbers[screen.id] = number
            screens.append(
                Screen(tracker: ContentTracker(viewport: scenario.viewport, rule: screen.rule), order: nextOrder()))
            if drawsTimeline { _ = screens[number].tracker.takeChanges() }
            let contents = screen.contents.map { define($0, screen: number, under: screen.rule) }
            place(contents, in: nil, on: number)
        }
    }

    mutating func nextOrder() -> Int {
        order += 1
        return order
    }

    mutating func run() throws(Mistake) -> Scenario.Result {
        var hasEnded = false
        for step in scenario.steps {
            advance(to: step.time)
            if case .end = step.action { hasEnded = true }
            try perform(step)
        }
        guard hasOpened else {
            throw Mistake(
                at: scenario.stepsAt,
                message:
                    "no screen is ever opened, so nothing is shown; begin with {\"at\": 0, \"do\": \"open\", \"screen\": …}"
            )
        }
        // Without "end", whatever is on its way arrives.
        if !hasEnded { advance(to: .infinity) }
        // In order of the milliseconds that are printed, then of definition. Logs of one content keep their order.
        let sorted = posted.enumerated().sorted { left, right in
            func key(_ item: (offset: Int, element: (post: Posted, order: Int))) -> (Double, Int, Int) {
                ((item.element.post.time * 1000).rounded(), item.element.order, item.offset)
            }
            return key(left) < key(right)
        }
        let posted = sorted.map(\.element.post)
        return Scenario.Result(
            posted: posted,
            timeline: recorder?.timeline(of: scenario, until: now, posted, entries) ?? Timeline(),
            scrolls: scrolls)
    }
}
