/// What happened to each screen and content over time, as stretches and moments.
package struct Timeline: Sendable {
    struct Span: Sendable {
        var start: Double
        var end: Double
    }

    /// What happened to one screen, or to one content.
    struct Lane: Sendable {
        var label: String
        /// The content's screen; nil for a screen.
        var screen: String?
        /// In a visit, or in view.
        var outer: [Span] = []
        /// Exposed, or over the rule's fraction.
        var inner: [Span] = []
        var posted: [Posted] = []
    }

    var name = ""
    var end = 0.0
    var background: [Span] = []
    /// Each screen, and then its contents.
    var lanes: [Lane] = []

    /// Takes down what is so after each update.
    struct Recorder: Sendable {
        private struct State {
            var outerSince: Double?
            var innerSince: Double?
            var outer: [Span] = []
            var inner: [Span] = []

            mutating func observe(outer isOuter: Bool, inner isInner: Bool, at time: Double) {
                Self.observe(isOuter, since: &outerSince, &outer, at: time)
                Self.observe(isInner, since: &innerSince, &inner, at: time)
            }

            private static func observe(_ holds: Bool, since: inout Double?, _ spans: inout [Span], at time: Double) {
                if holds, since == nil {
                    // What goes on without a break is one stretch.
                    if let last = spans.last, last.end == time {
                        since = last.start
                        spans.removeLast()
                    } else {
                        since = time
                    }
                } else if !holds, let start = since {
                    spans.append(Span(start: start, end: time))
                    since = nil
                }
            }
        }

        private var screens: [Int: State] = [:]
        private var contents: [String: State] = [:]
        private var inView: [Int: Set<String>] = [:]
        private var app = State()

        mutating func observe(isInForeground: Bool, at time: Double) { app.observe(outer: !isInForeground, inner: false, at: time) }

        mutating func observe(screen: Int, isVisible: Bool, isExposed: Bool, at time: Double) {
            screens[screen, default: State()].observe(outer: isVisible, inner: isExposed, at: time)
        }

        mutating func observe(_ now: [(content: String, isOver: Bool)], screen: Int, at time: Double) {
            // Contents of a screen that nobody sees are in nobody's view.
            let isVisible = screens[screen]?.outerSince != nil
            let now = isVisible ? now : []
            for content in inView[screen, default: []].subtracting(now.map(\.content)) {
                contents[content, default: State()].observe(outer: false, inner: false, at: time)
            }
            for (content, isOver) in now {
                contents[content, default: State()].observe(outer: true, inner: isOver, at: time)
            }
            inView[screen] = Set(now.map(\.content))
        }

        func timeline(of scenario: Scenario, _ tracked: [(content: String, screen: Int)], until end: Double, _ posted: [Posted]) -> Timeline {
            func closed(_ state: State?) -> State {
                var state = state ?? State()
                state.observe(outer: false, inner: false, at: end)
                return state
            }
            let byContent = Dictionary(grouping: posted, by: \.content)
            let byScreen = Dictionary(grouping: tracked, by: \.screen)
            var timeline = Timeline(name: scenario.name, end: end, background: closed(app).outer)
            for (number, screen) in scenario.screens.enumerated() {
                let state = closed(screens[number])
                let logs = byContent[nil]?.filter { $0.screen == screen.id } ?? []
                timeline.lanes.append(Lane(label: screen.id, outer: state.outer, inner: state.inner, posted: logs))
                for (content, _) in byScreen[number] ?? [] {
                    let state = closed(contents[content])
                    timeline.lanes.append(
                        Lane(label: content, screen: screen.id, outer: state.outer, inner: state.inner, posted: byContent[content] ?? []))
                }
            }
            return timeline
        }
    }
}
