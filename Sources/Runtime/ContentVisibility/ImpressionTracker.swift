public import Foundation

#if canImport(CoreGraphics)
    import CoreGraphics
#endif

/// Tells which contents of a screen are shown and seen, as it happens. A screen has one.
///
/// Tables, collections and other scroll views of UIKit have `ScrollViewTracker`, and SwiftUI has
/// `ImpressionTrackingController`: both hold one of these. An app with other views reports their frames itself.
///
/// It asks a clock for the time, and sleeps until the next content has been seen. Nothing is polled.
@MainActor
public final class ImpressionTracker<ID: Hashable & Sendable> {
    private var tracker: ContentTracker<ID>
    private let clock: VisibilityClock
    private let onShown: (ID) -> Void
    private let onSeen: (ID) -> Void
    private var streams: [Int: AsyncStream<ID>.Continuation] = [:]
    private var lastStream = 0
    private var owner: AnyHashable?
    private var wakeUp: (time: Double, task: Task<Void, Never>)?
    /// The last two times at which something scrolled.
    private var frame = (start: -Double.infinity, end: -Double.infinity)

    /// If two samples lie further apart, in seconds, nothing is known of the way between them: six frames at 60 Hz.
    private static var longestFrame: Double { 0.1 }

    /// - Parameters:
    ///   - viewport: what a person can see, without bars and safe-area insets.
    ///   - rule: for contents that have no rule of their own.
    ///   - clock: tells the time, and waits.
    ///   - onShown: is called with each content that is shown, once in each visit of the screen.
    ///   - onSeen: is called with each content that has been seen.
    public init(
        viewport: CGSize, rule: ImpressionRule = ImpressionRule(), clock: VisibilityClock = .system,
        onShown: @escaping (ID) -> Void = { _ in },
        onSeen: @escaping (ID) -> Void = { _ in }
    ) {
        tracker = ContentTracker(viewport: viewport, rule: rule)
        self.clock = clock
        self.onShown = onShown
        self.onSeen = onSeen
    }

    deinit {
        wakeUp?.task.cancel()
        for stream in streams.values { stream.finish() }
    }

    /// The contents that are seen from now on. Every call makes a stream of its own, which ends with the tracker.
    public var seen: AsyncStream<ID> {
        lastStream += 1
        let number = lastStream
        return AsyncStream { continuation in
            streams[number] = continuation
            continuation.onTermination = { [weak self] _ in Task { @MainActor in self?.streams[number] = nil } }
        }
    }

    /// Whether the screen is in a visit, and whether its contents can be seen.
    public var root: RootVisibility { tracker.root }

    /// Takes over whether the screen can be seen from its root. Without a root, the screen counts as visible.
    public func follow(_ root: RootVisibility?) { follow(root, by: nil) }

    /// - Parameter view: the view that says so. A view that leaves later says nothing about another one.
    package func follow(_ root: RootVisibility?, by view: AnyHashable?) {
        owner = view ?? owner
        update { contents in
            contents.updateRoot { conditions in
                conditions = root?.conditions ?? RootVisibility.Conditions()
                conditions.hasAppeared = root?.conditions.hasAppeared ?? true
            }
        }
    }

    /// The screen has gone, if this view was the last to say that it was there: a new view appears before the view that
    /// it replaces disappears.
    package func leave(by view: AnyHashable) {
        if view == owner { update { $0.updateRoot { $0.hasAppeared = false } } }
    }

    /// The fraction of a content that is visible, from 0 to 1, and whether the content has been seen: for showing it
    /// during development.
    public func status(of id: ID) -> (fraction: Double, isSeen: Bool) { tracker.status(of: id) }

    /// When the next content will have been seen, if nothing changes.
    package var nextWakeUp: Double? { tracker.nextWakeUp }

    /// Looks for what is seen again, after ``stop()``. A new tracker looks at once.
    public func start() { update { $0.start() } }

    /// Stops looking for what is seen. What has been seen stays seen; dwells begin anew with ``start()``.
    public func stop() { update { $0.stop() } }

    /// Forgets what was seen, except under rules that count once per session, and starts.
    public func restart() { update { $0.restart() } }

    /// Scrolls a container, or the screen (nil), to where it is now, and makes other changes with it. Call it for every
    /// frame that moves.
    public func scroll(
        _ container: ID? = nil, to offset: CGPoint, _ change: (inout TrackedContents<ID>) -> Void = { _ in }
    ) {
        let now = clock.now()
        // Containers that move in one frame share its beginning.
        if now != frame.end { frame = (frame.end, now) }
        let sample = now - frame.start <= Self.longestFrame ? frame.start : nil
        update(at: now, since: sample) { contents in
            change(&contents)
            contents.scroll(container, to: offset)
        }
    }

    /// Makes changes. All of them count together.
    public func update(_ change: (inout TrackedContents<ID>) -> Void) { update(at: clock.now(), since: nil, change) }

    private func update(at time: Double, since sample: Double?, _ change: (inout TrackedContents<ID>) -> Void) {
        var posts: [ContentTracker<ID>.Log] = []
        tracker.update(at: time, since: sample, post: { posts.append($0.log) }, change)
        sleep()
        for post in posts {
            switch post {
            case .screen: break
            case .shown(let id): onShown(id)
            case .seen(let id):
                onSeen(id)
                for stream in streams.values { stream.yield(id) }
            }
        }
    }

    /// Sleeps until the next dwell is over, unless it does already.
    private func sleep() {
        let next = tracker.nextWakeUp
        if next == wakeUp?.time { return }
        wakeUp?.task.cancel()
        wakeUp = next.map { time in
            let (clock, seconds) = (clock, max(0, time - clock.now()))
            let task = Task { @MainActor [weak self] in
                await clock.sleep(seconds)
                guard !Task.isCancelled, let self else { return }
                wakeUp = nil
                update { _ in }
            }
            return (time, task)
        }
    }
}
