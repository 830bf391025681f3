#if canImport(SwiftUI) && canImport(UIKit) && !os(watchOS)
    public import ActivityTracking
    public import ActivityTrackingUIKit
    import ContentVisibility
    import Foundation
    public import SwiftUI

    extension View {
        /// Makes a view the root of a screen: contents in it are shown and seen in the screen's visits.
        /// - Parameters:
        ///   - tracker: the screen's tracker.
        ///   - isRefreshing: whether a refresh replaces the contents now, in views that stay.
        ///   - forceDisappear: whether the screen is a tab that is not selected. Such a tab gets appear events while it
        ///     is swiped in.
        public func trackScreen(_ tracker: ScreenTracker, isRefreshing: Bool = false, forceDisappear: Bool = false)
            -> some View
        {
            modifier(
                TrackScreen(tracker: tracker, event: nil, isRefreshing: isRefreshing, forceDisappear: forceDisappear))
        }

        /// Makes a view the root of a screen that posts an event whenever a visit of it begins, before its contents are
        /// shown, if the event's document says `trigger | screen`, or nothing.
        /// - Parameters:
        ///   - tracker: the screen's tracker.
        ///   - event: makes the event, when the screen appears to know which one it is, and again when it is posted.
        ///   - isRefreshing: whether a refresh replaces the contents now, in views that stay.
        ///   - forceDisappear: whether the screen is a tab that is not selected.
        public func trackScreen(
            _ tracker: ScreenTracker, _ event: @autoclosure @escaping () -> some LogCategory,
            isRefreshing: Bool = false, forceDisappear: Bool = false
        ) -> some View {
            modifier(
                TrackScreen(
                    tracker: tracker, event: VisitEvent(event), isRefreshing: isRefreshing,
                    forceDisappear: forceDisappear))
        }
    }

    /// A screen's own event, of any category.
    private struct VisitEvent {
        let tracked: () -> TrackedEvent
        let post: (ActivityLogger) -> Void

        init(_ event: @escaping () -> some LogCategory) {
            tracked = { TrackedEvent(event()) }
            post = { $0.post(event()) }
        }
    }

    private struct TrackScreen: ViewModifier {
        let tracker: ScreenTracker
        let event: VisitEvent?
        let isRefreshing: Bool
        let forceDisappear: Bool
        @Environment(\.isFullScreenCovered) private var isCovered
        @Environment(\.appEnvironment) private var environment
        @State private var view = UUID()
        @State private var latest = Latest()

        /// The event of the last evaluation: a visit may begin without another one.
        @MainActor private final class Latest {
            var event: VisitEvent?

            nonisolated init() {}
        }

        init(tracker: ScreenTracker, event: VisitEvent?, isRefreshing: Bool, forceDisappear: Bool) {
            self.tracker = tracker
            self.event = event
            self.isRefreshing = isRefreshing
            self.forceDisappear = forceDisappear
        }

        private var isForcedToDisappear: Bool { forceDisappear || isCovered }

        private func appear() {
            if let event, let logger = AppEnvironmentReader.logger(of: environment) {
                tracker.track(event.tracked()) { [latest] in latest.event?.post(logger) }
            }
            tracker.root.appear(isForcedToDisappear: isForcedToDisappear, isRefreshing: isRefreshing, by: view)
            tracker.presentationDidChange()
        }

        func body(content: Content) -> some View {
            latest.event = event
            return
                content
                .environment(\.screenTracker, tracker)
                .background(
                    AppearingController {
                        // In an app of SwiftUI alone, nobody else knows the screen's view controller.
                        if tracker.viewController == nil { tracker.viewController = $0 }
                        appear()
                    }
                )
                // A new view of a screen that is there takes over before the old one disappears. For other screens
                // `onAppear` comes too early: when a person begins to swipe back, and may still let go.
                .onAppear { if tracker.root.visibility.conditions.hasAppeared { appear() } }
                .onDisappear {
                    tracker.root.disappear(by: view)
                    tracker.presentationDidChange()
                    // UIKit may still name what is about to go.
                    Task { tracker.presentationDidChange() }
                }
                .onChange(of: isRefreshing) { tracker.root.setRefreshing($0) }
                .onChange(of: isForcedToDisappear) { tracker.root.setForcedToDisappear($0) }
        }
    }
#endif
