package import Foundation

#if canImport(CoreGraphics)
    import CoreGraphics
#endif

/// Decides which contents of a screen are shown and seen. It has no clock: each update says what time it is.
/// ``ImpressionTracker``, which apps use, gives it one; the scenario runner gives it another.
///
/// A content is **shown** when it comes into view while its screen is visible, once per visit of the screen. It is
/// **seen** when enough of it stays in view for long enough (``ImpressionRule``). Updates report where contents stand,
/// how far containers are scrolled, and what becomes of the screen. What is due is handed back at once, or at
/// ``nextWakeUp``. Nothing is polled. An update costs what is in view or has changed, however many contents there are.
///
/// Contents are known by the app's own ids, so cells may be reused, and rows inserted and reordered.
///
/// Times are seconds of a clock that never goes back. Lengths are points.
package struct ContentTracker<ID: Hashable & Sendable>: Sendable {
    /// What is due to be posted.
    package enum Log: Sendable, Equatable {
        /// A visit has begun.
        case screen
        case shown(ID)
        case seen(ID)
    }

    /// What is due, and since when: for a shown content the time of the frame, for a seen one the end of its dwell.
    package struct Post: Sendable, Equatable {
        package var time: Double
        package var log: Log
    }

    private var contents: TrackedContents<ID>

    /// - Parameters:
    ///   - viewport: what a person can see of the screen, without bars and safe-area insets.
    ///   - rule: for contents that have no rule of their own.
    package init(viewport: CGSize, rule: ImpressionRule = ImpressionRule()) {
        contents = TrackedContents(viewport: viewport, rule: rule)
    }

    /// The state of the screen.
    package var root: RootVisibility { contents.tree.root }

    /// Calls the body with each content in view, and whether it is over its rule's fraction on an exposed screen.
    package func forEachInView(_ body: (ID, Bool) -> Void) {
        contents.tree.forEachInView { body(contents.ids[Int($0)], contents.tree.contents[Int($0)].isOver) }
    }

    /// Whether it looks for what is seen, and how often it has been restarted.
    package var isStarted: Bool { contents.tree.isStarted }
    package var restarts: Int { contents.tree.restarts }

    /// A change of a tracked content.
    package struct Change: Sendable, Equatable {
        /// The instant that decides. A content is in view from a frame on; it may cross its fraction between two.
        package var time: Double
        package var id: ID
        package var kind: ContentChange
    }

    /// Hands over the changes since the last call, for a drawing of them. The first call begins the record.
    package mutating func takeChanges() -> [Change] {
        contents.tree.takeChanges().map { change in
            Change(time: change.time, id: contents.ids[Int(change.content)], kind: change.kind)
        }
    }

    /// The fraction of a content that is visible, from 0 to 1, and whether the content has been seen.
    package func status(of id: ID) -> (fraction: Double, isSeen: Bool) { contents.status(of: id) }

    /// When the next content will have been seen, if nothing changes; nil if no dwell runs. This is the only time at
    /// which ``update(at:since:post:_:)`` has to be called although nothing happened.
    package var nextWakeUp: Double? { contents.tree.nextWakeUp }

    /// Makes changes, and finds what is due because of them, or because time has passed.
    ///
    /// A dwell that ends at a time is over before anything else happens at that time.
    ///
    /// - Parameters:
    ///   - time: now. A time before the last update's counts as that one.
    ///   - sample: the time of the last update, if containers have been scrolling since then. The instant at which a
    ///     content crossed its fraction is then found between the two updates, as if the way was straight and even. If
    ///     a sample is given but nothing is scrolled, dwells that end after the sample wait for the next update.
    ///   - post: is called with what is due, in order of time, then of insertion.
    ///   - change: reports what happened. Its changes count together.
    package mutating func update(
        at time: Double, since sample: Double? = nil, post: (Post) -> Void,
        _ change: (inout TrackedContents<ID>) -> Void = { _ in }
    ) {
        contents.tree.begin(at: time, since: sample)
        change(&contents)
        let ids = contents.ids
        contents.tree.end(since: sample) { due in
            switch due.kind {
            case .screen: post(Post(time: due.time, log: .screen))
            case .shown: post(Post(time: due.time, log: .shown(ids[Int(due.content)])))
            case .seen: post(Post(time: due.time, log: .seen(ids[Int(due.content)])))
            }
        }
    }
}
