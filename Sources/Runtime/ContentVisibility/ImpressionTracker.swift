public import Foundation

#if canImport(CoreGraphics)
    import CoreGraphics
#endif

/// A tracker that reports which contents of a screen are shown and seen. A screen has one.
///
/// `ScrollViewTracker` for UIKit and `ImpressionTrackingController` for SwiftUI contain one. An app with other views
/// uses it directly and reports their frames.
///
/// The tracker sleeps until the next content is seen, without polling.
@MainActor
public final class ImpressionTracker<ID: Hashable & Sendable>: SnapshotSource {
    private var tracker: ContentTracker<ID>
    private let clock: VisibilityClock
    private let onShown: (ID) -> Void
    private let onSeen: (ID) -> Void
    private let onLeft: (ID, VisitEngagement) -> Void
    private var owner: AnyHashable?
    private let wakeUp = WakeUp()
    /// The times of the last two calls of `scroll`, between which a motion is interpolated.
    private var frame = (start: -Double.infinity, end: -Double.infinity)

    /// The maximum time between two samples, in seconds, for which the motion is interpolated: six frames at 60 Hz.
    private static var longestFrame: Double { 0.1 }

    /// - Parameters:
    ///   - viewport: The size of the visible part of the screen, without bars and safe-area insets.
    ///   - rule: The default rule for contents.
    ///   - clock: The clock of dwell times.
    ///   - onShown: Called with each content that is shown, once in each visit of the screen.
    ///   - onSeen: Called with each content that is seen.
    ///   - onLeft: Called, when a visit ends, with each content that had the fraction ``ImpressionRule/leave`` in view.
    public init(
        viewport: CGSize, rule: ImpressionRule = ImpressionRule(), clock: VisibilityClock = .system,
        onShown: @escaping (ID) -> Void = { _ in },
        onSeen: @escaping (ID) -> Void = { _ in }, onLeft: @escaping (ID, VisitEngagement) -> Void = { _, _ in }
    ) {
        tracker = ContentTracker(viewport: viewport, rule: rule)
        self.clock = clock
        self.onShown = onShown
        self.onSeen = onSeen
        self.onLeft = onLeft
        register(self)
    }

    /// The visibility of the screen.
    public var root: RootVisibility { tracker.root }

    /// Applies the visibility of the screen's root. Without a root, the screen is always visible.
    public func follow(_ root: RootVisibility?) { follow(root, by: nil) }

    /// Applies the visibility of the root above the content.
    /// - Parameter view: The view that reports the root. Only the last view can end the visibility with `leave(by:)`.
    package func follow(_ root: RootVisibility?, by view: AnyHashable?) {
        owner = view ?? owner
        update { contents in
            contents.updateRoot { conditions in
                conditions = root?.conditions ?? RootVisibility.Conditions()
                conditions.hasAppeared = root?.conditions.hasAppeared ?? true
            }
        }
    }

    /// Reports that a view of the screen has disappeared. The call is ignored if another view has appeared since: a
    /// replacement appears before the old view disappears.
    package func leave(by view: AnyHashable) {
        if view == owner { update { $0.updateRoot { $0.hasAppeared = false } } }
    }

    /// Returns the visible fraction of a content, from 0 to 1, and whether it has been seen, to display in development.
    public func status(of id: ID) -> (fraction: Double, isSeen: Bool) { tracker.status(of: id) }

    /// Returns whether a content will be posted as left when the visit ends.
    package func isEngaged(_ id: ID) -> Bool { tracker.isEngaged(id) }

    /// The contents in view now.
    package var snapshot: ScreenSnapshot { tracker.snapshot(at: clock.now()) }

    /// The time at which the next content will be seen if nothing changes.
    package var nextWakeUp: Double? { tracker.nextWakeUp }

    /// Resumes tracking of seen contents after ``stop()``. A new tracker is started.
    public func start() { update { $0.start() } }

    /// Stops tracking of seen contents. Contents that have been seen stay seen; other dwells restart with ``start()``.
    public func stop() { update { $0.stop() } }

    /// Starts tracking, and resets the seen contents. Rules that count once per session are not reset.
    public func restart() { update { $0.restart() } }

    /// Scrolls a container, or the screen for nil, and applies other changes. Call it for every frame of a motion.
    public func scroll(
        _ container: ID? = nil, to offset: CGPoint, _ change: (inout TrackedContents<ID>) -> Void = { _ in }
    ) {
        let now = clock.now()
        // Containers that scroll in the same frame share the start of the motion.
        if now != frame.end { frame = (frame.end, now) }
        let sample = now - frame.start <= Self.longestFrame ? frame.start : nil
        update(at: now, since: sample) { contents in
            change(&contents)
            contents.scroll(container, to: offset)
        }
    }

    /// Applies changes, which count together.
    public func update(_ change: (inout TrackedContents<ID>) -> Void) { update(at: clock.now(), since: nil, change) }

    private func update(at time: Double, since sample: Double?, _ change: (inout TrackedContents<ID>) -> Void) {
        var posts: [ContentTracker<ID>.Log] = []
        tracker.update(at: time, since: sample, post: { posts.append($0.log) }, change)
        wakeUp.set(tracker.nextWakeUp, on: clock) { [weak self] in self?.update { _ in } }
        for post in posts {
            switch post {
            case .screen, .left(nil, _): break
            case .left(let id?, let engagement): onLeft(id, engagement)
            case .shown(let id): onShown(id)
            case .seen(let id): onSeen(id)
            }
        }
    }
}
