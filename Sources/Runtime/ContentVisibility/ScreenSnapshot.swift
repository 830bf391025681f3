/// The contents in view of a screen at an instant, for a display during development.
package struct ScreenSnapshot: Sendable {
    package struct Content: Sendable {
        /// The description of the content's identifier.
        package var name: String
        package var progress: ImpressionProgress
    }

    /// The number of the visit that is in progress; nil outside of visits.
    package var visit: Int?
    /// The obstacle that keeps all contents from being seen; nil if they can be seen.
    package var obstacle: ScreenObstacle?
    package var contents: [Content]

    /// Returns snapshots of the screens with contents in view: unobstructed screens first, and of these the newest.
    @MainActor package static var all: [ScreenSnapshot] {
        let all = trackers.reversed().compactMap { $0.tracker?.snapshot }.filter { !$0.contents.isEmpty }
        return all.filter { $0.obstacle == nil } + all.filter { $0.obstacle != nil }
    }
}

/// A screen's tracker, without the type of its identifiers.
@MainActor protocol SnapshotSource: AnyObject {
    var snapshot: ScreenSnapshot { get }
}

struct WeakTracker { weak var tracker: (any SnapshotSource)? }

/// The trackers in the app, in the order of their creation. They are not retained.
@MainActor private(set) var trackers: [WeakTracker] = []
@MainActor private var nextCleanup = 16

/// Adds a new tracker. Snapshots cost time only here and when they are taken, not in updates of trackers.
@MainActor func register(_ tracker: any SnapshotSource) {
    if trackers.count >= nextCleanup {
        trackers.removeAll { $0.tracker == nil }
        nextCleanup = max(16, 2 * trackers.count)
    }
    trackers.append(WeakTracker(tracker: tracker))
}
