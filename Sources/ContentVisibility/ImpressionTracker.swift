import Dispatch
public import Foundation

#if canImport(CoreGraphics)
    import CoreGraphics
#endif

/// Tells which contents of a table, a collection or another scroll view are seen, as it happens.
///
/// It holds a ``ContentTracker``, asks a clock for the time, and has itself woken once for whatever is due next. One per screen.
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
    /// From the last but one time that something scrolled to the last.
    private var frame = (start: -Double.infinity, end: -Double.infinity)

    /// Between samples that lie further apart, in seconds, nothing is known of the way: six frames at 60 Hz.
    private static var longestFrame: Double { 0.1 }

    /// - Parameters:
    ///   - viewport: what a person can see: without bars and safe-area insets.
    ///   - rule: for contents that bring none.
    ///   - clock: tells the time, and waits.
    ///   - onShown: is told each content that is shown, once in each visit of the screen.
    ///   - onSeen: is told each content that has been seen.
    public init(
        viewport: CGSize, rule: ImpressionRule = ImpressionRule(), clock: VisibilityClock = .system, onShown: @escaping (ID) -> Void = { _ in },
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

    /// What is seen from now on. Every call makes a stream of its own, which ends with the tracker.
    public var seen: AsyncStream<ID> {
        lastStream += 1
        let number = lastStream
        return AsyncStream { continuation in
            streams[number] = continuation
            continuation.onTermination = { [weak self] _ in Task { @MainActor in self?.streams[number] = nil } }
        }
    }

    /// Whether the screen can be seen.
    public var root: RootVisibility { tracker.root }

    /// The screen is as its root says; without a root, it is there.
    /// - Parameters:
    ///   - root: the screen's, or nil.
    ///   - view: who says so; another view that goes later says nothing of this one.
    public func follow(_ root: RootVisibility?, by view: AnyHashable? = nil) {
        owner = view ?? owner
        update { contents in
            contents.updateRoot { conditions in
                conditions = root?.conditions ?? RootVisibility.Conditions()
                conditions.hasAppeared = root?.conditions.hasAppeared ?? true
            }
        }
    }

    /// The screen has gone, if this view is the last that said it was there: a new view appears before the one that it replaces disappears.
    public func leave(by view: AnyHashable? = nil) {
        if view == owner || view == nil { update { $0.updateRoot { $0.hasAppeared = false } } }
    }

    /// How much of what could be visible of a content is, from 0 to 1, and whether it has been seen; for showing it while developing.
    public func status(of id: ID) -> (fraction: Double, isSeen: Bool) { tracker.status(of: id) }

    /// When the next content will have been seen, if nothing changes.
    package var nextWakeUp: Double? { tracker.nextWakeUp }

    /// Goes on to look; trackers begin so.
    public func start() { update { $0.start() } }

    /// Stops looking. What has been seen is kept; dwells begin anew with ``start()``.
    public func stop() { update { $0.stop() } }

    /// Forgets what was seen, except what counts once per session, and begins again.
    public func restart() { update { $0.restart() } }

    /// Scrolls a container, or the screen itself, as far as it is now, and makes other changes with it. Called for every frame in which it moves.
    public func scroll(_ container: ID? = nil, to offset: CGPoint, _ change: (inout TrackedContents<ID>) -> Void = { _ in }) {
        let now = clock.now()
        // Containers that move in one frame share its beginning.
        if now != frame.end { frame = (frame.end, now) }
        let sample = now - frame.start <= Self.longestFrame ? frame.start : nil
        update(at: now, since: sample) { contents in
            change(&contents)
            contents.scroll(container, to: offset)
        }
    }

    /// Makes changes, all at once.
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

    /// Has itself woken when the next dwell is over, unless that is arranged already.
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

/// A clock that never goes back, and can be waited for.
public struct VisibilityClock: Sendable {
    /// Seconds since some moment.
    public var now: @Sendable () -> Double
    /// Returns after so many seconds, or when the task is cancelled.
    public var sleep: @Sendable (Double) async -> Void

    public init(now: @escaping @Sendable () -> Double, sleep: @escaping @Sendable (Double) async -> Void) {
        self.now = now
        self.sleep = sleep
    }

    /// The system's.
    public static let system = VisibilityClock(
        now: { Double(DispatchTime.now().uptimeNanoseconds) / 1e9 },
        sleep: { seconds in try? await Task.sleep(nanoseconds: UInt64(max(0, min(seconds, 1e9)) * 1e9)) })
}
