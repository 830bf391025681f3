package import Foundation

#if canImport(CoreGraphics)
    import CoreGraphics
#endif

/// A tracker that determines which contents of a screen are shown and seen. The tracker has no clock: each update
/// passes the time. ``ImpressionTracker``, which apps use, adds the system's clock, and the scenario runner a simulated
/// one.
///
/// A content is **shown** when it comes into view while its screen is visible, once per visit of the screen. A content
/// is **seen** when enough of the content stays in view for long enough (``ImpressionRule``). Updates report frames,
/// scroll offsets and conditions of the screen. Posts are returned immediately or at ``nextWakeUp``, without polling.
/// The cost of an update depends on the contents that are in view or have changed, not on the number of contents.
///
/// Contents are identified by the app's identifiers, so cells may be reused, and rows inserted and reordered.
///
/// Times are in seconds of a monotonic clock. Lengths are in points.
package struct ContentTracker<ID: Hashable & Sendable>: Sendable {
    /// A log that is due.
    package enum Log: Sendable, Equatable {
        /// A visit has begun.
        case screen
        case shown(ID)
        case seen(ID)
        /// A content, or the screen for nil, has been left: its visit has ended, or it was removed.
        case left(ID?, VisitEngagement)
    }

    /// A log and the time at which the log became due. For a shown content, this is the time of the update. For a seen
    /// content, it is the end of the dwell.
    package struct Post: Sendable, Equatable {
        package var time: Double
        package var log: Log
    }

    private var contents: TrackedContents<ID>

    /// - Parameters:
    ///   - viewport: The size of the visible part of the screen, without bars and safe-area insets.
    ///   - rule: The default rule for contents.
    package init(viewport: CGSize, rule: ImpressionRule = ImpressionRule()) {
        contents = TrackedContents(viewport: viewport, rule: rule)
    }

    /// The visibility of the screen.
    package var root: RootVisibility { contents.tree.root }

    /// Calls `body` with each content in view, and a Boolean value: whether the screen is exposed and the visible
    /// fraction reaches that of the content's rule.
    package func forEachInView(_ body: (ID, Bool) -> Void) {
        contents.tree.forEachInView { body(contents.ids[Int($0)], contents.tree.contents[Int($0)].isOver) }
    }

    /// Returns the contents in view at a time that is not before the last update, in the order of their first
    /// insertion. Contents that are never seen are omitted.
    package func snapshot(at time: Double) -> ScreenSnapshot {
        let tree = contents.tree
        let numbers = tree.allInView().filter {
            var rule = tree.contents[Int($0)].rule
            rule.leave = nil
            return tree.contents[Int($0)].isTracked && rule != .never
        }
        .sorted { tree.contents[Int($0)].order < tree.contents[Int($1)].order }
        return ScreenSnapshot(
            visit: tree.root.isVisible ? tree.root.visit : nil,
            obstacle: ScreenObstacle(tree.root, isStarted: tree.isStarted),
            contents: numbers.map {
                ScreenSnapshot.Content(
                    name: String(describing: contents.ids[Int($0)]), progress: tree.progress(of: $0, at: time))
            })
    }

    /// Forgets contents that are gone at the next update, however few there are. Tests call it.
    package mutating func forgetEarly() { contents.tree.forgetLimit = -1 }

    /// Indicates whether tracking is started. `restarts` is the number of restarts.
    package var isStarted: Bool { contents.tree.isStarted }
    package var restarts: Int { contents.tree.restarts }

    /// A change of a content's visibility, for timelines.
    package struct Change: Sendable, Equatable {
        /// The time of the change. Contents come into view at updates, but cross their rule's fraction at any time.
        package var time: Double
        package var id: ID
        package var kind: ContentChange
    }

    /// Returns the changes since the last call, for a timeline. The first call enables recording.
    package mutating func takeChanges() -> [Change] {
        contents.tree.takeChanges().map { change in
            Change(time: change.time, id: contents.ids[Int(change.content)], kind: change.kind)
        }
    }

    /// Returns the visible fraction of a content, from 0 to 1, and whether the content has been seen.
    package func status(of id: ID) -> (fraction: Double, isSeen: Bool) { contents.status(of: id) }

    /// Returns whether a content will be posted as left when the visit ends.
    package func isEngaged(_ id: ID) -> Bool { contents.isEngaged(id) }

    /// The time at which the next content will be seen if nothing changes; nil if no dwell is running. Call
    /// ``update(at:since:post:_:)`` at this time, even if nothing has happened.
    package var nextWakeUp: Double? { contents.tree.nextWakeUp }

    /// Applies changes, and posts the logs that are due because of them or because of elapsed time.
    ///
    /// A dwell that ends at `time` ends before the changes apply.
    ///
    /// - Parameters:
    ///   - time: The current time. A time before the last update counts as the time of that update.
    ///   - sample: The time of the last update, if containers have been scrolling since. The instants at which contents
    ///     crossed their fraction are then interpolated, as for a linear motion. If a sample is given without a scroll,
    ///     dwells that end after the sample are decided by the next update.
    ///   - post: Called with each log that is due, in order of time, then of insertion.
    ///   - change: Reports changes, which count together.
    package mutating func update(
        at time: Double, since sample: Double? = nil, post: (Post) -> Void,
        _ change: (inout TrackedContents<ID>) -> Void = { _ in }
    ) {
        contents.forget()
        contents.tree.begin(at: time, since: sample)
        change(&contents)
        let ids = contents.ids
        contents.tree.end(since: sample) { due in
            switch due.kind {
            case .screen: post(Post(time: due.time, log: .screen))
            case .shown: post(Post(time: due.time, log: .shown(ids[Int(due.content)])))
            case .seen: post(Post(time: due.time, log: .seen(ids[Int(due.content)])))
            case .left:
                let id = due.content < 0 ? nil : ids[Int(due.content)]
                post(Post(time: due.time, log: .left(id, due.engagement)))
            }
        }
    }
}
