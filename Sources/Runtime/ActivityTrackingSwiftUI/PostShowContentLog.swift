#if canImport(SwiftUI) && canImport(UIKit) && !os(watchOS)
    public import ActivityTracking
    import ActivityTrackingUIKit
    import ContentVisibility
    public import SwiftUI

    extension View {
        /// Posts an event when the content is shown, once in each visit of its screen.
        /// - Parameters:
        ///   - event: The event.
        ///   - id: The content's identity in the app, if its view may be recycled, or removed and inserted again;
        ///     otherwise nil.
        ///   - onPostLog: Called when the event is posted, to send additional logs.
        public func postShowContentLog(
            _ event: @autoclosure @escaping () -> some LogCategory, id: AnyHashable? = nil,
            onPostLog: @escaping (any ActivityLogging) -> Void = { _ in }
        ) -> some View {
            modifier(PostShowContentLog(event: event, id: id, onPostLog: onPostLog))
        }
    }

    struct PostShowContentLog<Event: LogCategory>: ViewModifier {
        let event: () -> Event
        let id: AnyHashable?
        let onPostLog: (any ActivityLogging) -> Void
        @Environment(\.screenTracker) private var screen
        @Environment(\.appEnvironment) private var environment
        @State private var shown = ShownContent()

        init(event: @escaping () -> Event, id: AnyHashable?, onPostLog: @escaping (any ActivityLogging) -> Void) {
            self.event = event
            self.id = id
            self.onPostLog = onPostLog
        }

        func body(content: Content) -> some View {
            content
                .onAppear { update(isAppearing: true) }
                .onDisappear { update(isAppearing: false) }
                .onChange(of: id) { _ in update(isAppearing: nil) }
                .onReceive(ScreenTracker.visibilityChanges(of: screen)) { _ in update(isAppearing: nil) }
        }

        private func update(isAppearing: Bool?) {
            shown.update(
                isAppearing: isAppearing, id: id, in: screen?.root, environment: environment, event: event,
                onPostLog: onPostLog)
        }
    }
#endif
