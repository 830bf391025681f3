#if canImport(SwiftUI) && canImport(UIKit) && !os(watchOS)
    import ActivityTrackingUIKit
    import ContentVisibility
    import CoreGraphics
    import Foundation
    public import SwiftUI

    /// A scroll view whose contents are tracked. Such scroll views may be nested.
    ///
    /// A content is shown when it comes into view, even if the scroll view has laid it out before.
    public struct TrackableScrollView<Content: View>: View {
        private let axes: Axis.Set
        private let showsIndicators: Bool
        private let isLazy: Bool
        private let controller: ImpressionTrackingController?
        private let content: Content
        @State private var id = UUID()
        @Environment(\.impressionScope) private var outer
        @Environment(\.screenTracker) private var screen

        /// - Parameters:
        ///   - axes: The scrollable axes.
        ///   - showsIndicators: True if scroll indicators are shown.
        ///   - isLazy: True if contents are created when they are about to come into view, as in a `LazyVStack` or a
        ///     `LazyHStack`. False if all of them are laid out at once, as in SwiftUI's `ScrollView`.
        ///   - controller: The screen's controller for the outermost scroll view; nil for nested scroll views.
        ///   - content: Returns the contents.
        public init(
            _ axes: Axis.Set = .vertical, showsIndicators: Bool = true, isLazy: Bool = false,
            controller: ImpressionTrackingController? = nil, @ViewBuilder content: () -> Content
        ) {
            self.axes = axes
            self.showsIndicators = showsIndicators
            self.isLazy = isLazy
            self.controller = controller
            self.content = content()
        }

        public var body: some View {
            // A scroll view with a controller is outermost. Ignore the outer scope: a sheet inherits its presenter's
            // environment.
            let around = controller == nil ? outer ?? ImpressionScope() : ImpressionScope()
            let scope = around.inner(controller, id, screen)
            let window = "window \(id)"
            ScrollView(axes, showsIndicators: showsIndicators) {
                // A single view, because modifiers would be applied to each of several views.
                stack
                    .environment(\.impressionScope, scope)
                    .background(
                        GeometryReader { geometry in
                            let frame = geometry.frame(in: .named(window))
                            Color.clear
                                // The first offset is not a motion.
                                .onAppear {
                                    scope.controller?.tracker.update {
                                        $0.scroll(scope.container, to: frame.scrollViewOffset)
                                    }
                                    controller?.scrolled = (frame, axes == .horizontal)
                                }
                                .onNewValue(of: frame) {
                                    scope.controller?.scroll(scope.container, to: $0.scrollViewOffset)
                                    controller?.scrolled = ($0, axes == .horizontal)
                                }
                                .id(ReceiverID(scope.controller))
                        }
                    )
                    .coordinateSpace(name: id)
            }
            .coordinateSpace(name: window)
            .background(
                GeometryReader { geometry in
                    Color.clear
                        .onEach(geometry.frame(in: around.space)) { frame in
                            controller?.window = frame.size
                            scope.controller?.placeScrollView(TrackedID(id), frame, in: around.container)
                        }
                        .onDisappear { scope.controller?.removeScrollView(TrackedID(id)) }
                        .id(ReceiverID(scope.controller))
                }
            )
            .background(
                ScreenFollower(controller: controller, screen: screen).id([ReceiverID(controller), ReceiverID(screen)]))
        }

        @ViewBuilder private var stack: some View {
            switch (axes == .horizontal, isLazy) {
            case (true, false): HStack(spacing: 0) { content }
            case (true, true): LazyHStack(spacing: 0) { content }
            case (false, false): VStack(spacing: 0) { content }
            case (false, true): LazyVStack(spacing: 0) { content }
            }
        }
    }

    private struct ScreenFollower: View {
        let controller: ImpressionTrackingController?
        let screen: ScreenTracker?
        @State var view = UUID()

        var body: some View {
            Color.clear
                .onAppear { controller?.follow(screen, by: view) }
                .onDisappear { controller?.tracker.leave(by: view) }
                .onReceive(ScreenTracker.visibilityChanges(of: screen)) { controller?.tracker.follow($0, by: view) }
        }
    }

    /// The context that a scroll view provides to its contents: the controller, the container, the coordinate space,
    /// and the screen that the scroll view is in.
    @MainActor
    struct ImpressionScope {
        var controller: ImpressionTrackingController?
        var container: TrackedID?
        var space = CoordinateSpace.global
        var screen: ScreenTracker?

        func inner(_ controller: ImpressionTrackingController?, _ id: UUID, _ screen: ScreenTracker?) -> ImpressionScope
        {
            ImpressionScope(
                controller: controller ?? self.controller, container: TrackedID(id), space: .named(id), screen: screen)
        }
    }

    extension EnvironmentValues {
        var impressionScope: ImpressionScope? {
            get { self[ValueKey<ImpressionScope>.self] }
            set { self[ValueKey<ImpressionScope>.self] = newValue }
        }
    }

    extension CGRect {
        fileprivate var scrollViewOffset: CGPoint { CGPoint(x: -minX, y: -minY) }
    }
#endif
