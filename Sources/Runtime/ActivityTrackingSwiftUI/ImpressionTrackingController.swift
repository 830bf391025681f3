#if canImport(SwiftUI) && canImport(UIKit) && !os(watchOS)
    import ActivityTrackingUIKit
    public import ContentVisibility
    import CoreGraphics
    import Foundation

    /// A controller that determines which contents of a screen's scroll views are shown and seen. Each screen keeps one
    /// controller, and passes it to its outermost ``TrackableScrollView``.
    @MainActor
    public final class ImpressionTrackingController {
        let rule: ImpressionRule
        private let clock: VisibilityClock
        private weak var screen: ScreenTracker?
        private var placed: [TrackedID: (view: UUID, occurrence: Occurrence, action: (VisitEngagement) -> Void)] = [:]
        /// The contents without a view whose action will run when they are left.
        private var gone: Set<TrackedID> = []
        /// The size of the outermost scroll view, and the frame of its content in it.
        var window = CGSize.zero { didSet { reportDepth() } }
        var scrolled: (frame: CGRect, isHorizontal: Bool)? { didSet { reportDepth() } }

        /// The occurrence at which the action of a content runs.
        enum Occurrence { case shown, seen, left }

        /// Frames of outermost scroll views are in global coordinates. The viewport is larger than any scroll view,
        /// because only scroll views clip contents here.
        package private(set) lazy var tracker = ImpressionTracker<TrackedID>(
            viewport: CGSize(width: 1e9, height: 1e9), rule: rule, clock: clock,
            onShown: { [weak self] in self?.perform($0, .shown) }, onSeen: { [weak self] in self?.perform($0, .seen) },
            onLeft: { [weak self] in self?.perform($0, .left, $1) })

        /// - Parameters:
        ///   - rule: The default rule for contents.
        ///   - clock: The clock of dwell times.
        public init(rule: ImpressionRule = ImpressionRule(), clock: VisibilityClock = .system) {
            self.rule = rule
            self.clock = clock
        }

        /// Resumes tracking after ``stop()``. A new controller is started.
        public func start() { tracker.start() }

        /// Stops tracking. Contents that have been seen stay seen.
        public func stop() { tracker.stop() }

        /// Starts tracking, and resets the seen contents. Rules that count once per session are not reset.
        public func restart() { tracker.restart() }

        /// Follows the visibility of the screen that contains the outermost scroll view. Another screen begins a visit.
        func follow(_ screen: ScreenTracker?, by view: UUID) {
            if screen !== self.screen { tracker.update { $0.updateRoot { $0.hasAppeared = false } } }
            self.screen = screen
            reportDepth()
            tracker.follow(screen?.root.visibility, by: view)
        }

        private func perform(
            _ id: TrackedID, _ occurrence: Occurrence, _ engagement: VisitEngagement = VisitEngagement()
        ) {
            guard let content = placed[id] else { return }
            if occurrence == .left, gone.remove(id) != nil { placed[id] = nil }
            if content.occurrence == occurrence { content.action(engagement) }
        }

        private func reportDepth() {
            guard let (frame, isHorizontal) = scrolled else { return }
            screen?.root.setDepth(
                edge: isHorizontal ? window.width - frame.minX : window.height - frame.minY,
                length: isHorizontal ? frame.width : frame.height)
        }

        /// The place of a content, and the rule that decides when it is seen and left.
        struct Placement: Equatable {
            let frame: CGRect
            let container: TrackedID?
            let rule: ImpressionRule?
        }

        func place(
            _ id: TrackedID, _ placement: Placement, by view: UUID, when occurrence: Occurrence,
            _ action: @escaping (VisitEngagement) -> Void
        ) {
            screen?.root.coverMayHaveChanged()
            placed[id] = (view, occurrence, action)
            gone.remove(id)
            tracker.update {
                $0.place(id, frame: placement.frame, in: placement.container, rule: placement.rule)
            }
        }

        func scroll(_ container: TrackedID?, to offset: CGPoint) {
            screen?.root.coverMayHaveChanged()
            tracker.scroll(container, to: offset)
        }

        func placeScrollView(_ id: TrackedID, _ frame: CGRect, in container: TrackedID?) {
            tracker.update { $0.place(id, frame: frame, in: container, scrolls: true, isTracked: false) }
        }

        /// Removes a content unless its view was replaced: a replacement appears before the old view disappears.
        func remove(_ id: TrackedID, by view: UUID) {
            guard placed[id]?.view == view else { return }
            tracker.update { $0.remove(id) }
            if tracker.isEngaged(id) { gone.insert(id) } else { placed[id] = nil }
        }

        func removeScrollView(_ id: TrackedID) { tracker.update { $0.remove(id) } }

        /// Returns the controller. Reports a mistake if it is nil.
        static func required(_ controller: ImpressionTrackingController?) -> ImpressionTrackingController? {
            if controller == nil {
                reportMistake(
                    "A tracked content is not in a TrackableScrollView with a controller. Pass the screen's "
                        + "ImpressionTrackingController to its outermost TrackableScrollView."
                )
            }
            return controller
        }
    }

    /// The identity of a content in the app, or of a scroll view.
    package struct TrackedID: Hashable, Sendable, CustomStringConvertible {
        private let value: any Hashable & Sendable

        init(_ value: any Hashable & Sendable) { self.value = value }

        package var description: String { "\(value)" }

        package static func == (left: TrackedID, right: TrackedID) -> Bool {
            AnyHashable(left.value) == AnyHashable(right.value)
        }

        package func hash(into hasher: inout Hasher) { hasher.combine(AnyHashable(value)) }
    }
#endif
