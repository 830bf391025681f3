import ContentVisibility
import Foundation

extension Scenario {
    /// The posted logs, and the timeline that explains them.
    package struct Result: Sendable {
        package var posted: [Posted]
        /// The timeline; empty unless `drawsTimeline` is true.
        package var timeline: Timeline
        /// The periods in which containers were scrolling.
        var scrolls: [ClosedRange<Double>]
    }

    /// Replays the scenario on a simulated clock.
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

/// A running replay. It simulates an app and its toolkit, and reports events to the trackers that an app would have.
///
/// - `Replay+Steps.swift`: the steps.
/// - `Replay+Contents.swift`: contents that are inserted, removed and moved.
/// - `Replay+Screens.swift`: screens that come into view, are covered, or refresh.
/// - `Replay+Time.swift`: the clock, running scrolls, and the logs that trackers post.
struct Replay {
    /// A content that is or was on a screen.
    struct Entry {
        var content: Scenario.Content
        var screen: Int
        /// The resolved rule. For each property, the nearest rule that sets it wins.
        var rule: ImpressionRule
        /// The position of the content's definition among the definitions of all screens and contents.
        let order: Int
        var isPresent = false
        /// The number of contents that contain this content.
        var depth = 0
        var container: Int?
        /// The index among the children of its container.
        var place = 0
        var children: [Int] = []
    }

    /// A screen of the scenario, open or not.
    struct Screen {
        var tracker: ContentTracker<Int>
        let order: Int
        var place = Navigation.Place()
        /// The scroll offsets of the screen (nil) and of its containers. A screen that closes loses them.
        var offsets: [Int?: CGPoint] = [:]
        /// The length of the screen's scrolled contents; nil if it must be measured again.
        var length: Double?
        /// The motions of scrolling containers. Without them, the times of the last and next samples are undefined.
        var motions: [ScrollMotion] = []
        var lastSample = 0.0
        var nextSample = 0.0
        /// The refreshes that were due on the return to the foreground or to a tab, and the times at which they end.
        var returnRefreshes = PendingRefreshes()
        var returnRefreshEnds: [Double] = []
        /// The end of any other refresh. `replacesViews` is true if the views are gone until then.
        var refreshEnd: Double?
        var replacesViews = false
        /// Indicates whether the screen has been in front, for the timeline. `front` is the screen in front of it.
        var wasInFront = false
        var front: Int?
    }

    let scenario: Scenario
    var viewport: CGSize
    /// The number of later steps that insert each content. A content that no later step inserts is removed for good.
    var insertions: [String: Int] = [:]
    var screens: [Screen] = []
    var screenNumbers: [String: Int] = [:]
    var entries: [Entry] = []
    var numbers: [String: Int] = [:]
    var order = 0
    /// The deepest nesting so far. `maxDepth` bounds the recursion, and is deeper than the contents of any real screen.
    var deepest = 0
    static let maxDepth = 1000
    var navigation: Navigation
    var isInForeground = true
    /// The times at which screens have work due. Other screens cost nothing.
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
        viewport = scenario.viewport
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
        for case .insert(let id, let content, _, _) in scenario.steps.map(\.action) { count(id, content, 1) }
    }

    /// Adds to the number of insertions of a content and the contents in it.
    mutating func count(_ id: Scenario.Named, _ content: Scenario.Content?, _ change: Int) {
        for id in content?.identifiers ?? [id.id] { insertions[id, default: 0] += change }
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
                    "no screen is ever opened, so nothing is shown; begin with "
                    + #"{"at": 0, "do": "open", "screen": …}"#
            )
        }
        // Without an "end" step, running scrolls, dwells and refreshes finish.
        if !hasEnded { advance(to: .infinity) }
        // Logs are in order of the printed milliseconds, then of definition. Logs of one content keep their order.
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
