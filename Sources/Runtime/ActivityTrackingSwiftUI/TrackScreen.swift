#if canImport(SwiftUI) && canImport(UIKit) && !os(watchOS)
    public import ActivityTracking
    public import ActivityTrackingUIKit
    public import ContentVisibility
    import Foundation
    public import SwiftUI

    extension View {
        /// Makes a view the root of a screen. Contents in the view are shown and seen in the visits of the screen.
        /// - Parameters:
        ///   - tracker: The tracker of the screen. Keep it in a state property, because another one is another screen.
        ///   - isRefreshing: True if a refresh is replacing contents in views that stay.
        ///   - forceDisappear: True if the screen is a tab that is not selected. Such a tab receives appear events
        ///     while the user swipes it in.
        public func trackScreen(_ tracker: ScreenTracker, isRefreshing: Bool = false, forceDisappear: Bool = false)
            -> some View
        {
            modifier(
                TrackScreen(tracker: tracker, event: nil, isRefreshing: isRefreshing, forceDisappear: forceDisappear))
        }

        /// Makes a view the root of a screen, and posts an event when each visit of the screen begins, before its
        /// contents are shown. The trigger of the event's definition must be `screen` or missing.
        /// - Parameters:
        ///   - tracker: The tracker of the screen. Keep it in a state property, because another one is another screen.
        ///   - event: Returns the event. It is evaluated with the view, to read the definition, and again when the
        ///     event is posted.
        ///   - isRefreshing: True if a refresh is replacing contents in views that stay.
        ///   - forceDisappear: True if the screen is a tab that is not selected.
        public func trackScreen(
            _ tracker: ScreenTracker, _ event: @autoclosure @escaping () -> some LogCategory,
            isRefreshing: Bool = false, forceDisappear: Bool = false
        ) -> some View {
            modifier(
                TrackScreen(
                    tracker: tracker, event: VisitEvent { _ in event() }, isRefreshing: isRefreshing,
                    forceDisappear: forceDisappear))
        }

        /// Posts an event when each visit of the screen ends, before its contents are left. The trigger of the event's
        /// definition is `leave`. Add it below `trackScreen(_:)`.
        /// - Parameters:
        ///   - tracker: The tracker of the screen.
        ///   - event: Returns the event for the engagement in the visit. It is evaluated with the view, to read the
        ///     definition, and again when the event is posted.
        public func trackLeaving(_ tracker: ScreenTracker, _ event: @escaping (VisitEngagement) -> some LogCategory)
            -> some View
        {
            modifier(TrackLeaving(tracker: tracker, event: VisitEvent(event)))
        }
    }

    private struct TrackLeaving: ViewModifier {
        let tracker: ScreenTracker
        let event: VisitEvent
        @Environment(\.appEnvironment) var environment
        @State var view = UUID()
        /// SwiftUI releases it with the view. A view that is out of sight, such as under a pushed one, keeps it.
        @State var latest = Latest<(tracker: ScreenTracker, post: (VisitEngagement) -> Void)>()

        func body(content: Content) -> some View {
            latest.value = (
                tracker,
                { [environment, event] engagement in
                    if let logger = AppEnvironmentReader.logger(of: environment) { event.post(logger, engagement) }
                }
            )
            tracker.track(leaving: event.tracked(), by: view) { [weak latest, weak tracker] in
                guard let value = latest?.value, value.tracker === tracker else { return false }
                value.post($0)
                return true
            }
            // The screen may disappear later in the turn in which the view does.
            return content.onDisappear { [latest] in Task { withExtendedLifetime(latest) {} } }
        }
    }

    private struct VisitEvent {
        let tracked: () -> TrackedEvent
        let post: (ActivityLogger, VisitEngagement) -> Void

        init(_ event: @escaping (VisitEngagement) -> some LogCategory) {
            tracked = { TrackedEvent(event(VisitEngagement())) }
            post = { $0.post(event($1)) }
        }
    }

    private struct TrackScreen: ViewModifier {
        let tracker: ScreenTracker
        let event: VisitEvent?
        let isRefreshing: Bool
        let forceDisappear: Bool
        @Environment(\.impressionScope) var scope

        func body(content: Content) -> some View {
            content
                .environment(\.screenTracker, tracker)
                // A sheet inherits the environment of its presenter, but is not in the presenter's scroll view.
                .environment(\.impressionScope, scope?.screen === tracker ? scope : nil)
                .background(
                    ScreenPresence(
                        tracker: tracker, event: event, isRefreshing: isRefreshing, forceDisappear: forceDisappear
                    )
                    .id(ReceiverID(tracker)))
        }
    }

    private struct ScreenPresence: View {
        let tracker: ScreenTracker
        let event: VisitEvent?
        let isRefreshing: Bool
        let forceDisappear: Bool
        @Environment(\.isFullScreenCovered) var isCovered
        @Environment(\.appEnvironment) var environment
        @State var view = UUID()
        /// A visit may begin without another evaluation.
        @State var latest = Latest<(event: VisitEvent?, environment: (any ActivityLogging)?)>()

        private var isForcedToDisappear: Bool { forceDisappear || isCovered }

        private func track() {
            guard let tracked = latest.value?.event?.tracked() else { return }
            tracker.track(tracked) { [weak latest] in
                guard let (event, environment) = latest?.value, let event, event.tracked().name == tracked.name
                else { return false }
                if let logger = AppEnvironmentReader.logger(of: environment) { event.post(logger, VisitEngagement()) }
                return true
            }
        }

        private func appear() {
            track()
            tracker.root.appear(isForcedToDisappear: isForcedToDisappear, isRefreshing: isRefreshing, by: view)
            tracker.presentationDidChange()
        }

        var body: some View {
            latest.value = (event, environment)
            return AppearingController {
                // In an app without UIKit code, no other code sets the view controller. If a view is replaced, the old
                // view's controller still exists when the new view appears.
                if tracker.viewController == nil || tracker.viewController is AppearingController.Controller {
                    tracker.viewController = $0
                }
                appear()
            }
            // When a new view replaces a view of a visible screen, the new view appears before the old one disappears.
            // For other screens, `onAppear` is too early: it is called at the start of an interactive pop, which the
            // user may cancel.
            .onAppear { if tracker.root.visibility.conditions.hasAppeared { appear() } }
            .onDisappear {
                tracker.root.disappear(by: view)
                tracker.presentationDidChange()
                // UIKit may still return the view controller that is being dismissed.
                Task { tracker.presentationDidChange() }
            }
            .onNewValue(of: isRefreshing) { tracker.root.setRefreshing($0) }
            .onNewValue(of: isForcedToDisappear) { tracker.root.setForcedToDisappear($0) }
            .onNewValue(of: event?.tracked().name) { _ in track() }
        }
    }
#endif
