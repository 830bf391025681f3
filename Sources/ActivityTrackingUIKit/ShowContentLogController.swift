#if canImport(UIKit)
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
            cover: { [weak self] in RootVisibility.Cover(presented: self?.viewController?.presentedViewController) },
            isRefreshDue: willRefreshOnForeground,
            onChange: { [weak self] in self?.changes.send($0) })
        private let changes = PassthroughSubject<RootVisibility, Never>()
        /// The screen's, of which it is asked what it presents; a hosting controller sets it after it has made its views.
        public weak var viewController: UIViewController?
        private let willRefreshOnForeground: () -> Bool
        private let notifications: NotificationObservers

        /// Screens that are presented or dismissed say so, for those below.
        private static let presentationDidChange = Notification.Name("ShowContentLogController.presentationDidChange")

        /// - Parameters:
        ///   - viewController: the screen's, of which it is asked what it presents. It is not kept alive.
        ///   - willRefreshOnForeground: whether the screen begins to refresh itself on its return. If so, `root.endRefresh()` has to follow, however the refresh ends.
        ///   - center: where the application's notifications come from.
        public init(
            _ viewController: UIViewController?, willRefreshOnForeground: @escaping () -> Bool = { false }, center: NotificationCenter = .default
        ) {
            self.viewController = viewController
            self.willRefreshOnForeground = willRefreshOnForeground
            notifications = NotificationObservers(center)
            observe(UIApplication.willEnterForegroundNotification) { $0.root.enterForeground() }
            observe(UIApplication.didEnterBackgroundNotification) { $0.root.enterBackground() }
            observe(Self.presentationDidChange) { $0.root.coverMayHaveChanged() }
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

        private func observe(_ name: Notification.Name, _ body: @escaping @MainActor (ShowContentLogController) -> Void) {
            // UIKit posts on the main thread.
            notifications.add(name) { [weak self] in MainActor.assumeIsolated { _ = self.map(body) } }
        }
    }

    extension RootVisibility.Cover {
        /// What a presented screen is to the one below. An alert is none: it says neither when it comes nor when it goes.
        @MainActor
        init(presented: UIViewController?) {
            switch presented is UIAlertController ? nil : presented?.modalPresentationStyle {
            case nil: self = .none
            case .fullScreen, .overFullScreen, .currentContext, .overCurrentContext: self = .fullScreen
            default: self = .sheet
            }
        }
    }
#endif
