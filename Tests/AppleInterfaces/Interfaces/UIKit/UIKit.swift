// What the adapters use of UIKit, restated from developer.apple.com/documentation/uikit as of iOS 15, and as much behind it as the host needs.
public import Foundation

/// documentation/uikit/uimodalpresentationstyle
public enum UIModalPresentationStyle: Int, Sendable {
    case automatic = -2
    case none = -1
    case fullScreen = 0
    case pageSheet = 1
    case formSheet = 2
    case currentContext = 3
    case custom = 4
    case overFullScreen = 5
    case overCurrentContext = 6
    case popover = 7
}

/// documentation/uikit/uiresponder
@MainActor open class UIResponder {
    public init() {}
}

/// documentation/uikit/uiviewcontroller
@MainActor open class UIViewController: UIResponder {
    /// documentation/uikit/uiviewcontroller/presentedviewcontroller
    open private(set) var presentedViewController: UIViewController?
    /// documentation/uikit/uiviewcontroller/modalpresentationstyle
    open var modalPresentationStyle: UIModalPresentationStyle = .automatic

    /// In place of `present(_:animated:completion:)`.
    public func _present(_ controller: UIViewController?) { presentedViewController = controller }
}

/// documentation/uikit/uiapplication
@MainActor open class UIApplication: UIResponder {
    /// documentation/uikit/uiapplication/willenterforegroundnotification
    public nonisolated static let willEnterForegroundNotification = Notification.Name("UIApplicationWillEnterForegroundNotification")
    /// documentation/uikit/uiapplication/didenterbackgroundnotification
    public nonisolated static let didEnterBackgroundNotification = Notification.Name("UIApplicationDidEnterBackgroundNotification")
}
