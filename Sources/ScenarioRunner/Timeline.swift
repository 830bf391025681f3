import ContentVisibility

/// What happened to each screen and content over time, as stretches and moments.
package struct Timeline: Sendable {
    struct Span: Sendable, Equatable {
        var start: Double
        var end: Double
    }

    /// What happened to one screen, or to one content on one screen.
    struct Lane: Sendable {
        var label: String
        /// The content's screen; nil if this is a screen's lane.
        var screen: String?
        /// When the screen was in a visit, or the content in view in one.
        var outer: [Span] = []
        /// When the screen was exposed, or the content over its rule's fraction.
        var inner: [Span] = []
        var posted: [Posted] = []
    }

    /// An event that is posted for a content, or for a screen: what its lane is called.
    package struct Event: Sendable, Equatable {
        /// As the definitions call it: `home.see_feed_recipe`.
        package var name: String
        /// What posts it, and where that is written, in words: `impression(80%, 2s), home.md:41`.
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

    var name = ""
    var end = 0.0
    var background: [Span] = []
    /// Each screen, followed by its contents.
    var lanes: [Lane] = []

    /// Records what changes, at the instants that decide.
    struct Recorder: Sendable {
        /// Stretches of time in which something holds. Two that touch stay two: between them, a visit or a dwell has
        /// ended.
        private struct Stretches {
            private var since: Double?
            private var spans: [Span] = []

            mutating func set(_ holds: Bool, at time: Double) {
                if holds, since == nil {
                    since = time
                } else if !holds, let start = since {
                    spans.append(Span(start: start, end: max(start, time)))
                    since = nil
                }
            }

            func closed(at end: Double) -> [Span] {
                var copy = self
                copy.set(false, at: end)
                return copy.spans
            }
        }

        private struct Record {
            var outer = Stretches()
            var inner = Stretches()
        }

        private struct Place: Hashable {
            var content: Int
            var screen: Int
        }

        private var screens: [Int: Record] = [:]
        private var visits: [Int: Int] = [:]
        private var contents: [Place: Record] = [:]
        private var background = Stretches()

        mutating func observe(isInForeground: Bool, at time: Double) { background.set(!isInForeground, at: time) }

        mutating func observe(_ root: RootVisibility, screen: Int, at time: Double) {
            if visits[screen] != root.visit {
                screens[screen]?.outer.set(false, at: time)
                screens[screen]?.inner.set(false, at: time)
                visits[screen] = root.visit
            }
            screens[screen, default: Record()].outer.set(root.isVisible, at: time)
            screens[screen, default: Record()].inner.set(root.isExposed, at: time)
        }

        /// A content is on a screen, in view or not.
        mutating func place(_ content: Int, on screen: Int) {
            let place = Place(content: content, screen: screen)
            if contents[place] == nil { contents[place] = Record() }
        }

        mutating func observe(_ change: ContentTracker<Int>.Change, screen: Int) {
            let place = Place(content: change.id, screen: screen)
            switch change.kind {
            case .inView: contents[place]?.outer.set(change.holds, at: change.time)
            case .overFraction: contents[place]?.inner.set(change.holds, at: change.time)
            }
        }

        /// - Parameters:
        ///   - name: the id of a content.
        ///   - order: the place of a content's definition.
        func timeline(of scenario: Scenario, until end: Double, _ posted: [Posted], name: (Int) -> String?, order: (Int) -> Int) -> Timeline {
            struct Key: Hashable {
                var content: String?
                var screen: String
            }
            let logs = Dictionary(grouping: posted) { Key(content: $0.content, screen: $0.screen) }
            let places = Dictionary(grouping: contents.keys, by: \.screen)
            var timeline = Timeline(name: scenario.name, end: end, background: background.closed(at: end))
            func lane(_ label: String, on screen: String?, _ record: Record?) -> Lane {
                Lane(
                    label: label, screen: screen, outer: record?.outer.closed(at: end) ?? [], inner: record?.inner.closed(at: end) ?? [],
                    posted: logs[screen.map { Key(content: label, screen: $0) } ?? Key(content: nil, screen: label)] ?? [])
            }
            for (number, screen) in scenario.screens.enumerated() {
                timeline.lanes.append(lane(screen.id, on: nil, screens[number]))
                for place in (places[number] ?? []).sorted(by: { order($0.content) < order($1.content) }) {
                    if let label = name(place.content) { timeline.lanes.append(lane(label, on: screen.id, contents[place])) }
                }
            }
            return timeline
        }
    }
}
