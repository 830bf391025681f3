#if canImport(UIKit) && !os(watchOS)
    public import ActivityTracking
    public import Combine
    public import ContentVisibility
    public import Foundation
    public import UIKit

    /// A tracker of a screen's visits. It combines the screen's appearance, the foreground state and presented screens.
    /// A screen has one tracker; each tab of a tabbed screen has its own.
    ///
    /// A UIKit screen creates the tracker, and calls `root.appear()` in `viewDidAppear(_:)` and `root.disappear()` in
    /// `viewDidDisappear(_:)`. In SwiftUI, `trackScreen(_:)` does so. The tracker observes the other conditions itself.
    @MainActor
    public final class ScreenTracker {
        /// The root of the screen, which decides whether contents are shown.
        public private(set) lazy var root = ContentRoot(
            isInForeground: !wasInBackground,
            isWindowInForeground: { [weak self] in self?.isSceneInForeground },
            cover: { [weak self] in RootVisibility.Cover(presented: self?.viewController?.presentedViewController) },
            isRefreshDue: willRefreshOnForeground,
            onVisit: { [weak self] in self?.visitDidBegin() },
            onLeave: { [weak self] in self?.visitDidEnd($0) },
            onChange: { [weak self] in self?.changes.send($0) }, clock: clock)
        private let changes = PassthroughSubject<RootVisibility, Never>()
        /// The view controller of the screen, by which the tracker finds presented screens. A hosting controller sets
        /// it after it has created its views.
        public weak var viewController: UIViewController?
        private weak var lastScene: UIWindowScene?
        private let wasInBackground: Bool
        private let willRefreshOnForeground: () -> Bool
        private let onVisit: () -> Void
        private let clock: VisibilityClock
        /// The closures return false if the view that the event belongs to is gone.
        private var ownEvents: [(name: String, registration: UUID, post: () -> Bool)] = []
        private var leaveEvents: [(key: AnyHashable, post: (VisitEngagement) -> Bool)] = []
        private let notifications: NotificationObservers

        private static let presentationDidChange = Notification.Name("ScreenTracker.presentationDidChange")

        /// - Parameters:
        ///   - viewController: The view controller of the screen, by which the tracker finds presented screens. It is
        ///     not retained.
        ///   - isInBackground: True if the app is in the background, for example because a push or a fetch launched it.
        ///     The value applies until the state of the screen's window is known.
        ///   - willRefreshOnForeground: Returns whether the screen starts a refresh when it returns. If so, call
        ///     `root.endRefresh()` after the refresh, even if it fails. While an earlier refresh runs, return true only
        ///     if the screen starts another one.
        ///   - onVisit: Called when a visit begins, before its contents are shown, to post the screen's own log.
        ///   - center: The center that posts the application's notifications.
        ///   - clock: The clock of the time for which the screen waits for a refresh.
        public init(
            _ viewController: UIViewController?, isInBackground: Bool,
            willRefreshOnForeground: @escaping () -> Bool = { false },
            onVisit: @escaping () -> Void = {}, center: NotificationCenter = .default,
            clock: VisibilityClock = .system
        ) {
            self.viewController = viewController
            wasInBackground = isInBackground
            self.willRefreshOnForeground = willRefreshOnForeground
            self.onVisit = onVisit
            self.clock = clock
            notifications = NotificationObservers(center)
            // The application's notifications apply to all windows. A window that stays in the background posts its own
            // notification later.
            observe(UIApplication.willEnterForegroundNotification) { $0.enterForegroundWithApplication() }
            // For a tracker that is created after the notification above, while the application state is still
            // background.
            observe(UIApplication.didBecomeActiveNotification) { $0.enterForegroundWithApplication() }
            observe(UIApplication.didEnterBackgroundNotification) { $0.root.enterBackground() }
            observe(UIScene.willEnterForegroundNotification, ofItsScene: true) { $0.root.enterForeground() }
            observe(UIScene.didActivateNotification, ofItsScene: true) { $0.root.enterForeground() }
            observe(UIScene.didEnterBackgroundNotification, ofItsScene: true) { $0.root.enterBackground() }
            observe(Self.presentationDidChange) { $0.root.coverMayHaveChanged() }
        }

        /// Creates a tracker that reads the background state from the shared application. App extensions have no shared
        /// application, and use the other initializer.
        @available(iOSApplicationExtension, unavailable)
        @available(tvOSApplicationExtension, unavailable)
        @available(visionOSApplicationExtension, unavailable)
        public convenience init(
            _ viewController: UIViewController?, willRefreshOnForeground: @escaping () -> Bool = { false },
            onVisit: @escaping () -> Void = {},
            center: NotificationCenter = .default, clock: VisibilityClock = .system
        ) {
            self.init(
                viewController, isInBackground: UIApplication.shared.applicationState == .background,
                willRefreshOnForeground: willRefreshOnForeground, onVisit: onVisit, center: center, clock: clock)
        }

        /// Posts an event when each visit of the screen begins, before its contents are shown. The trigger of the
        /// event's definition must be `screen` or missing. For another trigger, nothing is posted, which is reported
        /// once.
        ///
        /// If a visit is in progress, the event is also posted at once. Adding an event again replaces the earlier one.
        /// The tracker retains what `event` uses, so `event` must not use the object that retains the tracker.
        /// - Parameters:
        ///   - event: Returns the event. It is evaluated now, to read the definition, and again when the event is
        ///     posted.
        ///   - logger: The logger that posts the event.
        public func track(_ event: @autoclosure @escaping () -> some LogCategory, logger: ActivityLogger) {
            track(TrackedEvent(event())) {
                logger.post(event())
                return true
            }
        }

        /// - Parameter post: Posts the event. Returns false, and removes the event, if its view is gone.
        package func track(_ event: TrackedEvent, post: @escaping () -> Bool) {
            guard event.isDueWithVisit() else { return }
            if let index = ownEvents.firstIndex(where: { $0.name == event.name }) {
                ownEvents[index] = (event.name, UUID(), post)
            } else {
                ownEvents.append((event.name, UUID(), post))
                if root.visibility.isVisible { _ = post() }
            }
        }

        /// Posts an event when each visit of the screen ends, before its contents are left. The trigger of the event's
        /// definition is `leave`. Adding an event again replaces the earlier one.
        /// - Parameters:
        ///   - event: Returns the event for the engagement in the visit. It is evaluated now, to read the definition,
        ///     and again when the event is posted. A ``ScrollViewTracker`` of the screen reports the depth.
        ///   - logger: The logger that posts the event.
        public func track(leaving event: @escaping (VisitEngagement) -> some LogCategory, logger: ActivityLogger) {
            let tracked = TrackedEvent(event(VisitEngagement()))
            track(leaving: tracked, by: tracked.name) {
                logger.post(event($0))
                return true
            }
        }

        /// Replaces the event of a view, whose closure may return another event than before.
        /// - Parameter post: Posts the event. Returns false, and removes the event, if its view is gone.
        package func track(leaving event: TrackedEvent, by key: AnyHashable, post: @escaping (VisitEngagement) -> Bool)
        {
            event.compare(postedAs: .leave(visibleFraction: nil))
            leaveEvents.removeAll { $0.key == key }
            leaveEvents.append((key, post))
        }

        private func visitDidBegin() {
            onVisit()
            // A post may add events.
            let gone = ownEvents.filter { !$0.post() }.map(\.registration)
            ownEvents.removeAll { gone.contains($0.registration) }
        }

        private func visitDidEnd(_ engagement: VisitEngagement) {
            let gone = leaveEvents.filter { !$0.post(engagement) }.map(\.key)
            leaveEvents.removeAll { gone.contains($0.key) }
        }

        /// A Boolean value that indicates whether a view controller is presented over the screen.
        public var isPresented: Bool { viewController?.presentedViewController != nil }

        /// A publisher of the visibility. It emits when a visit begins or ends, and when a sheet opens or closes.
        public var visibilityChanges: AnyPublisher<RootVisibility, Never> { changes.eraseToAnyPublisher() }

        /// Returns the visibility publisher of a tracker, or an empty publisher for nil.
        package static func visibilityChanges(of controller: ScreenTracker?) -> AnyPublisher<RootVisibility, Never> {
            controller?.visibilityChanges ?? Empty(completeImmediately: false).eraseToAnyPublisher()
        }

        /// Notifies the app's screens that something has been presented or dismissed.
        ///
        /// Screens with a tracker call this themselves. For others, such as a share sheet, the presenting code does.
        public func presentationDidChange() { notifications.center.post(name: Self.presentationDidChange, object: nil) }

        /// Notifies the app's screens, through the default center if the tracker is nil.
        package static func presentationDidChange(over controller: ScreenTracker?) {
            guard let controller else {
                return NotificationCenter.default.post(name: presentationDidChange, object: nil)
            }
            controller.presentationDidChange()
        }

        private func observe(
            _ name: Notification.Name, ofItsScene isOfScene: Bool = false,
            _ body: @escaping @MainActor (ScreenTracker) -> Void
        ) {
            // UIKit posts these notifications on the main thread.
            notifications.add(name) { [weak self] object in
                MainActor.assumeIsolated {
                    guard let self, !isOfScene || object == self.scene.map({ ObjectIdentifier($0) }) else { return }
                    body(self)
                }
            }
        }

        private func enterForegroundWithApplication() { if isSceneInForeground != false { root.enterForeground() } }

        /// Indicates whether the screen's window is in the foreground; nil if the screen has no window yet.
        private var isSceneInForeground: Bool? {
            switch scene?.activationState {
            case .foregroundActive?, .foregroundInactive?: true
            case .background?: false
            default: nil
            }
        }

        /// The scene of the window. A covered screen has no window, and enters the background with its last window.
        private var scene: UIWindowScene? {
            if let current = viewController?.viewIfLoaded?.window?.windowScene { lastScene = current }
            return lastScene
        }
    }

    extension RootVisibility.Cover {
        /// Returns how a presented view controller covers the screen below. Alerts do not count as covers, because
        /// trackers are not notified when an alert opens or closes.
        @MainActor
        init(presented: UIViewController?) {
            // A search controller is presented during a search, and shows the screen's own contents.
            var presented = presented
            while presented is UISearchController { presented = presented?.presentedViewController }
            switch presented is UIAlertController ? nil : presented?.modalPresentationStyle {
            case nil: self = .none
            // While a cover is being dismissed, the screen below appears. A sheet that is being dismissed may stay, so
            // it still counts.
            case .fullScreen?, .overFullScreen?, .currentContext?, .overCurrentContext?:
                self = presented?.isBeingDismissed == true ? .none : .fullScreen
            default: self = .sheet
            }
        }
    }
#endif
