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
    public var _tasks: [(name: String, expire: (@MainActor @Sendable () -> Void)?)] = []
    public var _ended: [UIBackgroundTaskIdentifier] = []
    /// documentation/uikit/uiapplication/willenterforegroundnotification
    public nonisolated static let willEnterForegroundNotification = Notification.Name("UIApplicationWillEnterForegroundNotification")
    /// documentation/uikit/uiapplication/didenterbackgroundnotification
    public nonisolated static let didEnterBackgroundNotification = Notification.Name("UIApplicationDidEnterBackgroundNotification")
}

extension UIApplication {
    /// documentation/uikit/uiapplication/willterminatenotification
    public nonisolated static let willTerminateNotification = Notification.Name("UIApplicationWillTerminateNotification")

    /// documentation/uikit/uiapplication/beginbackgroundtask(withname:expirationhandler:)
    public func beginBackgroundTask(
        withName name: String?, expirationHandler: (@MainActor @Sendable () -> Void)? = nil
    ) -> UIBackgroundTaskIdentifier {
        _tasks.append((name ?? "", expirationHandler))
        return UIBackgroundTaskIdentifier(rawValue: _tasks.count)
    }

    /// documentation/uikit/uiapplication/endbackgroundtask(_:)
    public func endBackgroundTask(_ identifier: UIBackgroundTaskIdentifier) { _ended.append(identifier) }
}

/// documentation/uikit/uibackgroundtaskidentifier
public struct UIBackgroundTaskIdentifier: RawRepresentable, Hashable, Sendable {
    public let rawValue: Int
    public init(rawValue: Int) { self.rawValue = rawValue }
    /// documentation/uikit/uibackgroundtaskidentifier/invalid
    public static let invalid = UIBackgroundTaskIdentifier(rawValue: 0)
}

/// documentation/uikit/uiedgeinsets
public struct UIEdgeInsets: Sendable {
    public var top, left, bottom, right: CGFloat

    public init(top: CGFloat, left: CGFloat, bottom: CGFloat, right: CGFloat) {
        self.top = top
        self.left = left
        self.bottom = bottom
        self.right = right
    }
}

extension CGRect {
    /// documentation/corefoundation/cgrect/inset(by:)
    public func inset(by insets: UIEdgeInsets) -> CGRect {
        CGRect(x: minX + insets.left, y: minY + insets.top, width: width - insets.left - insets.right, height: height - insets.top - insets.bottom)
    }
}

/// documentation/uikit/uiview
@MainActor open class UIView: UIResponder {
    /// documentation/uikit/uiview/frame
    open var frame: CGRect
    /// documentation/uikit/uiview/bounds
    open var bounds: CGRect
    /// documentation/uikit/uiview/superview
    open weak var superview: UIView?

    public init(frame: CGRect) {
        self.frame = frame
        bounds = CGRect(origin: .zero, size: frame.size)
    }

    /// documentation/uikit/uiview/convert(_:to:)-2s8h5: among a view and those around it.
    open func convert(_ rect: CGRect, to view: UIView?) -> CGRect {
        var rect = rect
        var current: UIView? = self
        while let child = current, child !== view {
            rect = rect.offsetBy(dx: child.frame.minX - child.bounds.minX, dy: child.frame.minY - child.bounds.minY)
            current = child.superview
        }
        return rect
    }
}

/// documentation/uikit/uiscrollview
@MainActor open class UIScrollView: UIView {
    /// documentation/uikit/uiscrollview/adjustedcontentinset
    open internal(set) var adjustedContentInset = UIEdgeInsets(top: 0, left: 0, bottom: 0, right: 0)

    /// documentation/uikit/uiscrollview/contentoffset
    open var contentOffset: CGPoint {
        get { bounds.origin }
        set { bounds.origin = newValue }
    }

    /// In place of bars that come and go.
    public func _setAdjustedContentInset(_ insets: UIEdgeInsets) { adjustedContentInset = insets }
}
