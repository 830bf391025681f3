#if canImport(UIKit) && !os(watchOS)
    public import ActivityTracking
    public import Combine
    public import ContentVisibility
    public import Foundation
    public import UIKit

    /// Follows a screen: whether it is there, in the foreground, and covered. So it knows when a visit begins and ends.
    /// A screen has one; if a screen has tabs, each tab has one.
    ///
    /// A UIKit screen makes one, and calls `root.appear()` in `viewDidAppear(_:)` and `root.disappear()` in
    /// `viewDidDisappear(_:)`. In SwiftUI, `trackScreen(_:)` does that. The tracker finds out the rest by itself.
    @MainActor
    public final class ScreenTracker {
        /// The root of the screen, which decides whether contents are shown.
        public private(set) lazy var root = ContentRoot(
            isInForeground: !wasInBackground,
            isWindowInForeground: { [weak self] in self?.isSceneInForeground },
            cover: { [weak self] in RootVisibility.Cover(presented: self?.viewController?.presentedViewController) },
            isRefreshDue: willRefreshOnForeground,
            onVisit: { [weak self] in self?.visitDidBegin() },
            onChange: { [weak self] in self?.changes.send($0) })
        private let changes = PassthroughSubject<RootVisibility, Never>()
        /// The screen's view controller, which knows what is presented over it. A hosting controller sets it after it
        /// has made its views.
        public weak var viewController: UIViewController?
        private weak var lastScene: UIWindowScene?
        private let wasInBackground: Bool
        private let willRefreshOnForeground: () -> Bool
        private let onVisit: () -> Void
        /// The screen's own events, in the order in which they were handed over.
        private var events: [(name: String, post: () -> Void)] = []
        private let notifications: NotificationObservers

        /// A screen that is presented or dismissed posts this, for the screens below.
        private static let presentationDidChange = Notification.Name("ScreenTracker.presentationDidChange")

        /// - Parameters:
        ///   - viewController: the screen's view controller, which knows what is presented over it. It is not kept
        ///     alive.
        ///   - isInBackground: whether the app is in the background now, as it is if the system launches it for a push
        ///     or a fetch. It counts until the screen's window says.
        ///   - willRefreshOnForeground: whether the screen begins to refresh itself when it returns. If so,
        ///     `root.endRefresh()` must follow, however the refresh ends.
        ///   - onVisit: is called when a visit begins, before its contents are shown: for the screen's own log.
        ///   - center: where the application's notifications come from.
        public init(
            _ viewController: UIViewController?, isInBackground: Bool,
            willRefreshOnForeground: @escaping () -> Bool = { false },
            onVisit: @escaping () -> Void = {}, center: NotificationCenter = .default
        ) {
            self.viewController = viewController
            wasInBackground = isInBackground
            self.willRefreshOnForeground = willRefreshOnForeground
            self.onVisit = onVisit
            notifications = NotificationObservers(center)
            // The application's notifications are about all windows. A window that stays in the background says so
            // itself, later.
            observe(UIApplication.willEnterForegroundNotification) { $0.enterForegroundWithApplication() }
            // For a tracker that is made after the notification above, while the application still says that it is in
            // the background.
            observe(UIApplication.didBecomeActiveNotification) { $0.enterForegroundWithApplication() }
            observe(UIApplication.didEnterBackgroundNotification) { $0.root.enterBackground() }
            observe(UIScene.willEnterForegroundNotification, ofItsScene: true) { $0.root.enterForeground() }
            observe(UIScene.didActivateNotification, ofItsScene: true) { $0.root.enterForeground() }
            observe(UIScene.didEnterBackgroundNotification, ofItsScene: true) { $0.root.enterBackground() }
            observe(Self.presentationDidChange) { $0.root.coverMayHaveChanged() }
        }

        /// Asks the shared application whether it is in the background. An app extension has no such application, and
        /// uses the other initializer.
        @available(iOSApplicationExtension, unavailable)
        @available(tvOSApplicationExtension, unavailable)
        @available(visionOSApplicationExtension, unavailable)
        public convenience init(
            _ viewController: UIViewController?, willRefreshOnForeground: @escaping () -> Bool = { false },
            onVisit: @escaping () -> Void = {},
            center: NotificationCenter = .default
        ) {
            self.init(
                viewController, isInBackground: UIApplication.shared.applicationState == .background,
                willRefreshOnForeground: willRefreshOnForeground, onVisit: onVisit, center: center)
        }

        /// Posts an event whenever a visit of the screen begins, before its contents are shown, if the event's document
        /// says `trigger | screen`, or nothing. If it says something else, nothing is posted, which is reported once.
        ///
        /// If a visit runs already, the event is posted at once, too. The same event handed over again replaces itself.
        /// - Parameters:
        ///   - event: makes the event, now to know which one it is, and again when it is posted.
        ///   - logger: posts it.
        public func track(_ event: @autoclosure @escaping () -> some LogCategory, logger: ActivityLogger) {
            track(TrackedEvent(event())) { logger.post(event()) }
        }

        package func track(_ event: TrackedEvent, post: @escaping () -> Void) {
            guard event.isDueWithVisit() else { return }
            if let index = events.firstIndex(where: { $0.name == event.name }) {
                events[index].post = post
            } else {
                events.append((event.name, post))
                if root.visibility.isVisible { post() }
            }
        }

        private func visitDidBegin() {
            onVisit()
            for event in events { event.post() }
        }

        /// Whether something is presented over the screen.
        public var isPresented: Bool { viewController?.presentedViewController != nil }

        /// Publishes whenever a visit begins or ends, and whenever a sheet comes or goes.
        public var visibilityChanges: AnyPublisher<RootVisibility, Never> { changes.eraseToAnyPublisher() }

        /// A screen's changes; none without a screen.
        package static func visibilityChanges(of controller: ScreenTracker?) -> AnyPublisher<RootVisibility, Never> {
            controller?.visibilityChanges ?? Empty(completeImmediately: false).eraseToAnyPublisher()
        }

        /// Something has been presented over a screen of the app, or dismissed.
        ///
        /// A screen that has a tracker says so itself. For anything else, such as a share sheet, whoever presents it
        /// calls this.
        public func presentationDidChange() { notifications.center.post(name: Self.presentationDidChange, object: nil) }

        /// The same, for what is presented and knows no tracker: it goes to those that listen to the default center.
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
            // UIKit posts on the main thread.
            notifications.add(name) { [weak self] object in
                MainActor.assumeIsolated {
                    guard let self, !isOfScene || object == self.scene.map({ ObjectIdentifier($0) }) else { return }
                    body(self)
                }
            }
        }

        private func enterForegroundWithApplication() { if isSceneInForeground != false { root.enterForeground() } }

        /// Whether the screen's window is in the foreground; nil if the screen is in no window yet.
        private var isSceneInForeground: Bool? {
            switch scene?.activationState {
            case .foregroundActive?, .foregroundInactive?: true
            case .background?: false
            default: nil
            }
        }

        /// The scene of the screen's window. A screen under another is in no window; it goes to the background with the
        /// window that it was in.
        private var scene: UIWindowScene? {
            if let current = viewController?.viewIfLoaded?.window?.windowScene { lastScene = current }
            return lastScene
        }
    }

    extension RootVisibility.Cover {
        /// How a presented screen covers the one below. An alert covers nothing: it says neither when it comes nor when
        /// it goes.
        @MainActor
        init(presented: UIViewController?) {
            // While a person searches, the search controller is presented. It shows the screen's own contents.
            var presented = presented
            while presented is UISearchController { presented = presented?.presentedViewController }
            switch presented is UIAlertController ? nil : presented?.modalPresentationStyle {
            case nil: self = .none
            // The screen below appears while the cover goes; a sheet may stay.
            case .fullScreen?, .overFullScreen?, .currentContext?, .overCurrentContext?:
                self = presented?.isBeingDismissed == true ? .none : .fullScreen
            default: self = .sheet
            }
        }
    }
#endif
