#if canImport(UIKit) && !os(watchOS)
    public import Combine
    public import ContentVisibility
    public import Foundation
    public import UIKit

    /// Reports a screen's life to its root: one per screen, and one per tab where a screen has tabs.
    ///
    /// A UIKit screen makes one, and calls `root.appear()` in `viewDidAppear(_:)` and `root.disappear()` in `viewDidDisappear(_:)`. In SwiftUI, `showContentLogRoot(controller:)` does that.
    @MainActor
    public final class ShowContentLogController {
        /// What decides whether the screen's contents are shown.
        public private(set) lazy var root = ContentRoot(
            isInForeground: !wasInBackground,
            isWindowInForeground: { [weak self] in self?.isSceneInForeground },
            cover: { [weak self] in RootVisibility.Cover(presented: self?.viewController?.presentedViewController) },
            isRefreshDue: willRefreshOnForeground,
            onVisit: onVisit,
            onChange: { [weak self] in self?.changes.send($0) })
        private let changes = PassthroughSubject<RootVisibility, Never>()
        /// The screen's, of which it is asked what it presents; a hosting controller sets it after it has made its views.
        public weak var viewController: UIViewController?
        private weak var lastScene: UIWindowScene?
        private let wasInBackground: Bool
        private let willRefreshOnForeground: () -> Bool
        private let onVisit: () -> Void
        private let notifications: NotificationObservers

        /// Screens that are presented or dismissed say so, for those below.
        private static let presentationDidChange = Notification.Name("ShowContentLogController.presentationDidChange")

        /// - Parameters:
        ///   - viewController: the screen's, of which it is asked what it presents. It is not kept alive.
        ///   - isInBackground: whether the app is now, for a screen whose window does not tell, as it is when the system launches it for something else than a person.
        ///   - willRefreshOnForeground: whether the screen begins to refresh itself on its return. If so, `root.endRefresh()` has to follow, however the refresh ends.
        ///   - onVisit: is called when a visit begins, before its contents are shown: for the screen's own log.
        ///   - center: where the application's notifications come from.
        public init(
            _ viewController: UIViewController?, isInBackground: Bool, willRefreshOnForeground: @escaping () -> Bool = { false },
            onVisit: @escaping () -> Void = {}, center: NotificationCenter = .default
        ) {
            self.viewController = viewController
            wasInBackground = isInBackground
            self.willRefreshOnForeground = willRefreshOnForeground
            self.onVisit = onVisit
            notifications = NotificationObservers(center)
            // The application's notifications are about all windows. One that stays in the background comes later, and says so itself.
            observe(UIApplication.willEnterForegroundNotification) { $0.enterForegroundWithApplication() }
            // For a controller that is made after the first, and before the application says that it is in the background no more.
            observe(UIApplication.didBecomeActiveNotification) { $0.enterForegroundWithApplication() }
            observe(UIApplication.didEnterBackgroundNotification) { $0.root.enterBackground() }
            observe(UIScene.willEnterForegroundNotification, ofItsScene: true) { $0.root.enterForeground() }
            observe(UIScene.didActivateNotification, ofItsScene: true) { $0.root.enterForeground() }
            observe(UIScene.didEnterBackgroundNotification, ofItsScene: true) { $0.root.enterBackground() }
            observe(Self.presentationDidChange) { $0.root.coverMayHaveChanged() }
        }

        /// Asks the shared application whether it is in the background. An app extension has none, and says it itself.
        @available(iOSApplicationExtension, unavailable)
        @available(tvOSApplicationExtension, unavailable)
        @available(visionOSApplicationExtension, unavailable)
        public convenience init(
            _ viewController: UIViewController?, willRefreshOnForeground: @escaping () -> Bool = { false }, onVisit: @escaping () -> Void = {},
            center: NotificationCenter = .default
        ) {
            self.init(
                viewController, isInBackground: UIApplication.shared.applicationState == .background,
                willRefreshOnForeground: willRefreshOnForeground, onVisit: onVisit, center: center)
        }

        /// Whether something is presented over the screen.
        public var isPresented: Bool { viewController?.presentedViewController != nil }

        /// Each visit's beginning and end, and each sheet's that comes or goes.
        public var visibilityChanges: AnyPublisher<RootVisibility, Never> { changes.eraseToAnyPublisher() }

        /// A screen's changes, or none where there is no screen.
        public static func visibilityChanges(of controller: ShowContentLogController?) -> AnyPublisher<RootVisibility, Never> {
            controller?.visibilityChanges ?? Empty(completeImmediately: false).eraseToAnyPublisher()
        }

        /// Something has been presented over a screen of the app, or dismissed. Screens with a root of their own say so themselves; for others, such as a share sheet,
        /// whoever presents them says it.
        public func presentationDidChange() { notifications.center.post(name: Self.presentationDidChange, object: nil) }

        /// The same, from what is presented and knows no controller: to those that listen to the default center.
        package static func presentationDidChange(over controller: ShowContentLogController?) {
            guard let controller else { return NotificationCenter.default.post(name: presentationDidChange, object: nil) }
            controller.presentationDidChange()
        }

        private func observe(
            _ name: Notification.Name, ofItsScene isOfScene: Bool = false, _ body: @escaping @MainActor (ShowContentLogController) -> Void
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

        /// Whether the screen's window is in the foreground; nil for a screen that is in none yet.
        private var isSceneInForeground: Bool? {
            switch scene?.activationState {
            case .foregroundActive?, .foregroundInactive?: true
            case .background?: false
            default: nil
            }
        }

        /// The window's. A screen under another is in no window, and goes to the background with the one that it was in.
        private var scene: UIWindowScene? {
            if let current = viewController?.viewIfLoaded?.window?.windowScene { lastScene = current }
            return lastScene
        }
    }

    extension RootVisibility.Cover {
        /// What a presented screen is to the one below. An alert is none: it says neither when it comes nor when it goes.
        @MainActor
        init(presented: UIViewController?) {
            // While a person searches, the search controller is presented, and shows the screen's own contents.
            var presented = presented
            while presented is UISearchController { presented = presented?.presentedViewController }
            switch presented is UIAlertController ? nil : presented?.modalPresentationStyle {
            case nil: self = .none
            // What is below appears while it goes; a sheet may still stay.
            case .fullScreen?, .overFullScreen?, .currentContext?, .overCurrentContext?:
                self = presented?.isBeingDismissed == true ? .none : .fullScreen
            default: self = .sheet
            }
        }
    }
#endif
