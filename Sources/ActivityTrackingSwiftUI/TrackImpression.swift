#if canImport(SwiftUI) && canImport(UIKit) && !os(watchOS)
    import ActivityTrackingUIKit
    public import ContentVisibility
    import CoreGraphics
    import Foundation
    public import SwiftUI

    /// Tells which contents of a screen's scroll views are seen. A screen keeps one, and hands it to its outermost ``TrackableScrollView``.
    @MainActor
    public final class ImpressionTrackingController {
        private let rule: ImpressionRule
        private let clock: VisibilityClock
        private var placed: [TrackedID: (view: UUID, action: () -> Void)] = [:]
        /// Frames come in coordinates of the window, which no scroll view is larger than.
        package private(set) lazy var tracker = ImpressionTracker<TrackedID>(
            viewport: CGSize(width: 1e9, height: 1e9), rule: rule, clock: clock, onSeen: { [weak self] in self?.placed[$0]?.action() })

        /// - Parameters:
        ///   - rule: for contents that bring none.
        ///   - clock: tells the time, and waits.
        public init(rule: ImpressionRule = ImpressionRule(), clock: VisibilityClock = .system) {
            self.rule = rule
            self.clock = clock
        }

        /// Goes on to look for what is seen; controllers begin so.
        public func start() { tracker.start() }

        /// Stops looking. What has been seen is kept.
        public func stop() { tracker.stop() }

        /// Forgets what was seen, and begins again.
        public func restart() { tracker.restart() }

        fileprivate func place(
            _ id: TrackedID, _ frame: CGRect, in container: TrackedID?, _ rule: ImpressionRule?, by view: UUID, _ action: @escaping () -> Void
        ) {
            placed[id] = (view, action)
            tracker.update { $0.place(id, frame: frame, in: container, rule: rule) }
        }

        fileprivate func placeScrollView(_ id: TrackedID, _ frame: CGRect, in container: TrackedID?) {
            tracker.update { $0.place(id, frame: frame, in: container, scrolls: true, isTracked: false) }
        }

        /// A new view of a content appears before the one that it replaces disappears.
        fileprivate func remove(_ id: TrackedID, by view: UUID) {
            guard placed[id]?.view == view else { return }
            tracker.update { $0.remove(id) }
            placed[id] = nil
        }

        fileprivate func removeScrollView(_ id: TrackedID) { tracker.update { $0.remove(id) } }
    }

    /// An id of the app's, or a scroll view.
    package struct TrackedID: Hashable, Sendable {
        private let value: any Hashable & Sendable

        fileprivate init(_ value: any Hashable & Sendable) { self.value = value }

        package static func == (left: TrackedID, right: TrackedID) -> Bool { AnyHashable(left.value) == AnyHashable(right.value) }

        package func hash(into hasher: inout Hasher) { hasher.combine(AnyHashable(value)) }
    }

    /// A scroll view, and by its contents' coordinates where they are in it.
    @MainActor
    private struct ImpressionScope {
        var controller: ImpressionTrackingController?
        var container: TrackedID?
        var space = CoordinateSpace.global

        /// The scope of a scroll view in this one.
        func inner(_ controller: ImpressionTrackingController?, _ id: UUID) -> ImpressionScope {
            ImpressionScope(controller: controller ?? self.controller, container: TrackedID(id), space: .named(id))
        }
    }

    private struct ImpressionScopeKey: EnvironmentKey {
        static var defaultValue: ImpressionScope? { nil }
    }

    extension EnvironmentValues {
        fileprivate var impressionScope: ImpressionScope? {
            get { self[ImpressionScopeKey.self] }
            set { self[ImpressionScopeKey.self] = newValue }
        }
    }

    /// A scroll view in which contents can be tracked, with others in it or in another.
    public struct TrackableScrollView<Content: View>: View {
        private let axes: Axis.Set
        private let showsIndicators: Bool
        private let controller: ImpressionTrackingController?
        private let content: Content
        @State private var id = UUID()
        @Environment(\.impressionScope) private var outer
        @Environment(\.showContentLogController) private var screen

        /// - Parameters:
        ///   - axes: as SwiftUI's.
        ///   - showsIndicators: as SwiftUI's.
        ///   - controller: the screen's, in its outermost scroll view; nil in others.
        ///   - content: what scrolls.
        public init(
            _ axes: Axis.Set = .vertical, showsIndicators: Bool = true, controller: ImpressionTrackingController? = nil,
            @ViewBuilder content: () -> Content
        ) {
            self.axes = axes
            self.showsIndicators = showsIndicators
            self.controller = controller
            self.content = content()
        }

        public var body: some View {
            // A screen with a controller of its own is in nobody else's scroll view, though a sheet has its presenter's environment.
            let around = controller == nil ? outer ?? ImpressionScope() : ImpressionScope()
            let scope = around.inner(controller, id)
            let window = "window \(id)"
            ScrollView(axes, showsIndicators: showsIndicators) {
                // One view: modifiers of several would be each one's.
                stack
                    .environment(\.impressionScope, scope)
                    .background(
                        GeometryReader { geometry in
                            Color.clear.onFrame(geometry.frame(in: .named(window))) { frame in
                                scope.controller?.tracker.scroll(scope.container, to: CGPoint(x: -frame.minX, y: -frame.minY))
                            }
                        }
                    )
                    .coordinateSpace(name: id)
            }
            .coordinateSpace(name: window)
            .background(
                GeometryReader { geometry in
                    Color.clear.onFrame(geometry.frame(in: around.space)) { frame in
                        scope.controller?.placeScrollView(TrackedID(id), frame, in: around.container)
                    }
                }
            )
            .onAppear { controller?.tracker.follow(screen?.root.visibility, by: id) }
            .onDisappear {
                controller?.tracker.leave(by: id)
                scope.controller?.removeScrollView(TrackedID(id))
            }
            .onReceive(ShowContentLogController.visibilityChanges(of: screen)) { controller?.tracker.follow($0, by: id) }
        }

        /// What a scroll view makes of several views anyway.
        @ViewBuilder private var stack: some View {
            if axes == .horizontal {
                HStack(spacing: 0) { content }
            } else {
                VStack(spacing: 0) { content }
            }
        }
    }

    extension View {
        /// Does something when the content has been seen: enough of it, for long enough, once.
        ///
        /// It has to be in a ``TrackableScrollView``.
        /// - Parameters:
        ///   - id: the content's, of the app's own: cells may be reused and rows moved. A type of the app's whose conformances are the main actor's, as all are
        ///     by default in new projects, has to be `nonisolated`.
        ///   - rule: nil for the controller's; a definition's is `rule.replacing(trigger)`.
        ///   - perform: what it does.
        public func trackImpression(_ id: some Hashable & Sendable, rule: ImpressionRule? = nil, perform: @escaping () -> Void) -> some View {
            modifier(TrackImpression(id: TrackedID(id), rule: rule, perform: perform))
        }

        /// Tells a frame when it appears, and whenever it is another one.
        fileprivate func onFrame(_ frame: CGRect, perform: @escaping (CGRect) -> Void) -> some View {
            onAppear { perform(frame) }.onChange(of: frame, perform: perform)
        }
    }

    private struct TrackImpression: ViewModifier {
        let id: TrackedID
        let rule: ImpressionRule?
        let perform: () -> Void
        @Environment(\.impressionScope) private var scope
        @State private var view = UUID()
        @State private var latest = Latest()

        /// What to do, as the last evaluation says: frames may stay the same while closures change.
        @MainActor private final class Latest {
            var perform: () -> Void = {}

            nonisolated init() {}
        }

        init(id: TrackedID, rule: ImpressionRule?, perform: @escaping () -> Void) {
            self.id = id
            self.rule = rule
            self.perform = perform
        }

        func body(content: Content) -> some View {
            latest.perform = perform
            return
                content
                .background(
                    GeometryReader { geometry in
                        Color.clear
                            .onFrame(geometry.frame(in: scope?.space ?? .global)) { frame in
                                ImpressionTrackingController.required(scope?.controller)?.place(
                                    id, frame, in: scope?.container, rule, by: view, { [latest] in latest.perform() })
                            }
                            .onDisappear { scope?.controller?.remove(id, by: view) }
                            // Another content in the same view is another one.
                            .id(id)
                    }
                )
                .overlay(ImpressionOverlay(status: { [scope] in scope?.controller?.tracker.status(of: id) ?? (0, false) }))
        }
    }

    extension ImpressionTrackingController {
        /// The controller, which has to be there.
        fileprivate static func required(_ controller: ImpressionTrackingController?) -> ImpressionTrackingController? {
            assert(
                controller != nil,
                "A content that is tracked is in no TrackableScrollView with a controller. Hand the screen's ImpressionTrackingController to its outermost scroll view."
            )
            return controller
        }
    }
#endif
