#if canImport(SwiftUI) && canImport(UIKit) && !os(watchOS)
    public import ActivityTracking
    import ActivityTrackingUIKit
    import ContentVisibility
    import CoreGraphics
    import Foundation
    public import SwiftUI

    extension View {
        /// Posts an event when the content is shown, once in each visit of its screen.
        ///
        /// In a ``TrackableScrollView``, the content is shown when a part of it comes into view. Elsewhere, it is shown
        /// when SwiftUI reports that it appears.
        /// - Parameters:
        ///   - event: The event.
        ///   - id: The content's identity in the app, if its view may be recycled, or removed and inserted again;
        ///     otherwise nil.
        ///   - onPostLog: Called when the event is posted, to send additional logs.
        public func postShowContentLog(
            _ event: @autoclosure @escaping () -> some LogCategory, id: AnyHashable? = nil,
            onPostLog: @escaping (any ActivityLogging) -> Void = { _ in }
        ) -> some View {
            modifier(PostShowContentLog(log: ShowContentLog(event: event, id: id, onPostLog: onPostLog)))
        }
    }

    struct PostShowContentLog<Event: LogCategory>: ViewModifier {
        let log: ShowContentLog<Event>
        @Environment(\.impressionScope) var scope
        @Environment(\.screenTracker) var screen

        @ViewBuilder func body(content: Content) -> some View {
            if let scope, let controller = ImpressionTrackingController.required(scope.controller) {
                content.background(
                    GeometryReader { geometry in
                        ShownInScrollView(
                            log: log, frame: geometry.frame(in: scope.space), container: scope.container,
                            controller: controller
                        )
                        // If the view displays different content, recreate the background view.
                        .id(ReceiverID(controller, content: log.id))
                    })
            } else {
                content.background(ShownOnAppear(log: log).id(ReceiverID(screen, content: log.id)))
            }
        }
    }

    /// The event of a content that is shown.
    struct ShowContentLog<Event: LogCategory> {
        let event: () -> Event
        let id: AnyHashable?
        let onPostLog: (any ActivityLogging) -> Void
    }

    private struct ShownInScrollView<Event: LogCategory>: View {
        let log: ShowContentLog<Event>
        let frame: CGRect
        let container: TrackedID?
        let controller: ImpressionTrackingController
        @Environment(\.screenTracker) var screen
        @Environment(\.appEnvironment) var environment
        @State var view = UUID()
        @State var shown = ShownContent()
        /// A content may be shown without another evaluation.
        @State var latest = Latest<() -> Void>()

        var body: some View {
            latest.value = {
                shown.update(
                    isAppearing: true, id: log.id, in: screen?.root, environment: environment, event: log.event,
                    onPostLog: log.onPostLog)
            }
            let id = TrackedID(view)
            return Color.clear
                .onEach(ImpressionTrackingController.Placement(frame: frame, container: container, rule: .never)) {
                    [latest] in controller.place(id, $0, by: view, when: .shown) { _ in latest.value?() }
                }
                .onDisappear { controller.remove(id, by: view) }
        }
    }

    private struct ShownOnAppear<Event: LogCategory>: View {
        let log: ShowContentLog<Event>
        @Environment(\.screenTracker) var screen
        @Environment(\.appEnvironment) var environment
        @State var shown = ShownContent()

        var body: some View {
            Color.clear
                .onAppear {
                    screen?.root.coverMayHaveChanged()
                    update(isAppearing: true)
                }
                .onDisappear { update(isAppearing: false) }
                .onReceive(ScreenTracker.visibilityChanges(of: screen)) { _ in update(isAppearing: nil) }
        }

        private func update(isAppearing: Bool?) {
            shown.update(
                isAppearing: isAppearing, id: log.id, in: screen?.root, environment: environment, event: log.event,
                onPostLog: log.onPostLog)
        }
    }
#endif
