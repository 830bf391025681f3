#if canImport(SwiftUI) && canImport(UIKit) && !os(watchOS)
    public import ActivityTracking
    public import ActivityTrackingUIKit
    import ContentVisibility
    import Foundation
    public import SwiftUI

    extension View {
        /// Makes a screen the root of the contents in it.
        /// - Parameters:
        ///   - controller: the screen's.
        ///   - isRefreshing: whether a refresh replaces what is shown, in views that stay.
        ///   - forceDisappear: true for a tab that is not selected, which gets appear events while it is being swiped in.
        public func showContentLogRoot(controller: ShowContentLogController, isRefreshing: Bool = false, forceDisappear: Bool = false) -> some View {
            modifier(ShowContentLogRoot(controller: controller, isRefreshing: isRefreshing, forceDisappear: forceDisappear))
        }

        /// Posts an event when the content is shown, once in each visit of its screen.
        /// - Parameters:
        ///   - event: what is posted.
        ///   - id: an id of the app's, for views that are recycled, or removed and inserted again; nil for others.
        ///   - onPostLog: sends something else beside it.
        public func postShowContentLog(
            _ event: @autoclosure @escaping () -> some LogCategory, id: AnyHashable? = nil,
            onPostLog: @escaping (any ActivityLogging) -> Void = { _ in }
        ) -> some View {
            modifier(PostShowContentLog(event: event, id: id, onPostLog: onPostLog))
        }
    }

    private struct ShowContentLogRoot: ViewModifier {
        let controller: ShowContentLogController
        let isRefreshing: Bool
        let forceDisappear: Bool
        @Environment(\.isFullScreenCovered) private var isCovered
        @State private var view = UUID()

        init(controller: ShowContentLogController, isRefreshing: Bool, forceDisappear: Bool) {
            self.controller = controller
            self.isRefreshing = isRefreshing
            self.forceDisappear = forceDisappear
        }

        private var isForcedToDisappear: Bool { forceDisappear || isCovered }

        private func appear() {
            controller.root.appear(isForcedToDisappear: isForcedToDisappear, isRefreshing: isRefreshing, by: view)
            controller.presentationDidChange()
        }

        func body(content: Content) -> some View {
            content
                .environment(\.showContentLogController, controller)
                .background(
                    AppearingController {
                        // A screen of SwiftUI alone has nobody who would say what it is presented by.
                        if controller.viewController == nil { controller.viewController = $0 }
                        appear()
                    }
                )
                // A new view of a screen that is there takes over before the old one disappears. For others, `onAppear` comes too early: when a person begins
                // to swipe back, who may let go again.
                .onAppear { if controller.root.visibility.conditions.hasAppeared { appear() } }
                .onDisappear {
                    controller.root.disappear(by: view)
                    controller.presentationDidChange()
                    // UIKit may still name what is on its way out.
                    Task { controller.presentationDidChange() }
                }
                .onChange(of: isRefreshing) { controller.root.setRefreshing($0) }
                .onChange(of: isForcedToDisappear) { controller.root.setForcedToDisappear($0) }
        }
    }

    private struct PostShowContentLog<Event: LogCategory>: ViewModifier {
        let event: () -> Event
        let id: AnyHashable?
        let onPostLog: (any ActivityLogging) -> Void
        @Environment(\.showContentLogController) private var controller
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
                .onReceive(ShowContentLogController.visibilityChanges(of: controller)) { _ in update(isAppearing: nil) }
        }

        private func update(isAppearing: Bool?) {
            shown.update(
                isAppearing: isAppearing, id: id, in: controller?.root, environment: environment, event: event, onPostLog: onPostLog)
        }
    }
#endif
