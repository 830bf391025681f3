#if canImport(SwiftUI) && canImport(UIKit) && !os(watchOS)
    import ActivityTrackingUIKit
    import ContentVisibility
    import CoreGraphics
    import Foundation
    public import SwiftUI

    /// A scroll view whose contents are tracked. Such scroll views may be nested.
    public struct TrackableScrollView<Content: View>: View {
        private let axes: Axis.Set
        private let showsIndicators: Bool
        private let controller: ImpressionTrackingController?
        private let content: Content
        @State private var id = UUID()
        @Environment(\.impressionScope) private var outer
        @Environment(\.screenTracker) private var screen

        /// - Parameters:
        ///   - axes: The scrollable axes.
        ///   - showsIndicators: True if scroll indicators are shown.
        ///   - controller: The screen's controller for the outermost scroll view; nil for nested scroll views.
        ///   - content: Returns the contents.
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
            // A scroll view with a controller is outermost. Ignore the outer scope: a sheet inherits its presenter's
            // environment.
            let around = controller == nil ? outer ?? ImpressionScope() : ImpressionScope()
            let scope = around.inner(controller, id)
            let window = "window \(id)"
            ScrollView(axes, showsIndicators: showsIndicators) {
                // A single view, because modifiers would be applied to each of several views.
                stack
                    .environment(\.impressionScope, scope)
                    .background(
                        GeometryReader { geometry in
                            Color.clear.onFrame(geometry.frame(in: .named(window))) { frame in
                                scope.controller?.tracker.scroll(
                                    scope.container, to: CGPoint(x: -frame.minX, y: -frame.minY))
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
            .onReceive(ScreenTracker.visibilityChanges(of: screen)) { controller?.tracker.follow($0, by: id) }
        }

        /// A stack that arranges the contents along the scrollable axis, like SwiftUI's `ScrollView`.
        @ViewBuilder private var stack: some View {
            if axes == .horizontal {
                HStack(spacing: 0) { content }
            } else {
                VStack(spacing: 0) { content }
            }
        }
    }

    /// The context that a scroll view provides to its contents: the controller, the container and the coordinate space.
    @MainActor
    struct ImpressionScope {
        var controller: ImpressionTrackingController?
        var container: TrackedID?
        var space = CoordinateSpace.global

        /// Returns the scope of a scroll view in this scope.
        func inner(_ controller: ImpressionTrackingController?, _ id: UUID) -> ImpressionScope {
            ImpressionScope(controller: controller ?? self.controller, container: TrackedID(id), space: .named(id))
        }
    }

    struct ImpressionScopeKey: EnvironmentKey {
        static var defaultValue: ImpressionScope? { nil }
    }

    extension EnvironmentValues {
        var impressionScope: ImpressionScope? {
            get { self[ImpressionScopeKey.self] }
            set { self[ImpressionScopeKey.self] = newValue }
        }
    }

    extension View {
        /// Performs an action with a frame when the view appears, and when the frame changes.
        func onFrame(_ frame: CGRect, perform: @escaping (CGRect) -> Void) -> some View {
            onAppear { perform(frame) }.onChange(of: frame, perform: perform)
        }
    }
#endif
