#if canImport(SwiftUI) && canImport(UIKit) && !os(watchOS)
    public import ContentVisibility
    import CoreGraphics
    import Foundation

    /// Tells which contents of a screen's scroll views are seen. A screen keeps one, and hands it to its outermost
    /// ``TrackableScrollView``. Contents say `trackImpression(_:rule:perform:)`.
    @MainActor
    public final class ImpressionTrackingController {
        let rule: ImpressionRule
        private let clock: VisibilityClock
        private var placed: [TrackedID: (view: UUID, action: () -> Void)] = [:]
        /// Frames have the window's coordinates. No scroll view is larger than this viewport.
        package private(set) lazy var tracker = ImpressionTracker<TrackedID>(
            viewport: CGSize(width: 1e9, height: 1e9), rule: rule, clock: clock,
            onSeen: { [weak self] in self?.placed[$0]?.action() })

        /// - Parameters:
        ///   - rule: for contents that have no rule of their own.
        ///   - clock: tells the time, and waits.
        public init(rule: ImpressionRule = ImpressionRule(), clock: VisibilityClock = .system) {
            self.rule = rule
            self.clock = clock
        }

        /// Looks for what is seen again, after ``stop()``. A new controller looks at once.
        public func start() { tracker.start() }

        /// Stops looking for what is seen. What has been seen stays seen.
        public func stop() { tracker.stop() }

        /// Forgets what was seen, except under rules that count once per session, and starts.
        public func restart() { tracker.restart() }

        func place(
            _ id: TrackedID, _ frame: CGRect, in container: TrackedID?, _ rule: ImpressionRule?, by view: UUID,
            _ action: @escaping () -> Void
        ) {
            placed[id] = (view, action)
            tracker.update { $0.place(id, frame: frame, in: container, rule: rule) }
        }

        func placeScrollView(_ id: TrackedID, _ frame: CGRect, in container: TrackedID?) {
            tracker.update { $0.place(id, frame: frame, in: container, scrolls: true, isTracked: false) }
        }

        /// Removes a content, if this is its view: a new view of it appears before the one that it replaces disappears.
        func remove(_ id: TrackedID, by view: UUID) {
            guard placed[id]?.view == view else { return }
            tracker.update { $0.remove(id) }
            placed[id] = nil
        }

        func removeScrollView(_ id: TrackedID) { tracker.update { $0.remove(id) } }

        /// The controller, or the report that it is missing.
        static func required(_ controller: ImpressionTrackingController?) -> ImpressionTrackingController? {
            if controller == nil {
                reportMistake(
                    "A content that is tracked is in no TrackableScrollView with a controller. Hand the screen's ImpressionTrackingController to its outermost TrackableScrollView."
                )
            }
            return controller
        }
    }

    /// An id of the app's own, or the id of a scroll view.
    package struct TrackedID: Hashable, Sendable {
        private let value: any Hashable & Sendable

        init(_ value: any Hashable & Sendable) { self.value = value }

        package static func == (left: TrackedID, right: TrackedID) -> Bool {
            AnyHashable(left.value) == AnyHashable(right.value)
        }

        package func hash(into hasher: inout Hasher) { hasher.combine(AnyHashable(value)) }
    }
#endif
