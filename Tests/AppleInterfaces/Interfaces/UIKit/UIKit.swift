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

/// documentation/objectivec/nsobject: objects are equal where they are one.
extension UIResponder: Hashable {
    public nonisolated static func == (left: UIResponder, right: UIResponder) -> Bool { left === right }

    public nonisolated func hash(into hasher: inout Hasher) { hasher.combine(ObjectIdentifier(self)) }
}

/// documentation/uikit/uiviewcontroller
@MainActor open class UIViewController: UIResponder {
    public override init() {}

    /// documentation/uikit/uiviewcontroller/init(nibname:bundle:)
    public init(nibName: String?, bundle: Bundle?) {}

    /// documentation/uikit/uiviewcontroller/init(coder:)
    public required init?(coder: NSCoder) {}

    /// documentation/uikit/uiviewcontroller/viewdidload()
    open func viewDidLoad() {}

    /// documentation/uikit/uiviewcontroller/view: made, and said to be, when it is first asked for.
    // swift-format-ignore: NeverUseImplicitlyUnwrappedOptionals
    open var view: UIView! {
        if let loaded { return loaded }
        let made = UIView(frame: UIScreen.main.bounds)
        loaded = made
        viewDidLoad()
        return made
    }
    private var loaded: UIView?
    /// documentation/uikit/uiviewcontroller/viewdidappear(_:)
    open func viewDidAppear(_ animated: Bool) {}
    /// documentation/uikit/uiviewcontroller/viewdiddisappear(_:)
    open func viewDidDisappear(_ animated: Bool) {}
    /// documentation/uikit/uiviewcontroller/viewdidlayoutsubviews()
    open func viewDidLayoutSubviews() {}
    /// documentation/uikit/uiviewcontroller/tabbaritem
    open var tabBarItem: UITabBarItem?

    /// documentation/uikit/uiviewcontroller/presentedviewcontroller
    open private(set) var presentedViewController: UIViewController?
    /// documentation/uikit/uiviewcontroller/isbeingdismissed
    open internal(set) var isBeingDismissed = false
    /// In place of a transition that has begun.
    public func _beginDismissal() { isBeingDismissed = true }
    /// documentation/uikit/uiviewcontroller/transitioncoordinator
    open private(set) var transitionCoordinator: (any UIViewControllerTransitionCoordinator)?
    /// documentation/uikit/uiviewcontroller/viewifloaded
    open var viewIfLoaded: UIView? { loaded }
    /// documentation/uikit/uiviewcontroller/modalpresentationstyle
    open var modalPresentationStyle: UIModalPresentationStyle = .automatic

    /// documentation/uikit/uiviewcontroller/navigationcontroller
    open internal(set) weak var navigationController: UINavigationController?

    /// In place of `present(_:animated:completion:)`.
    public func _present(_ controller: UIViewController?) { presentedViewController = controller }
}

/// documentation/uikit/uiviewcontrollertransitioncoordinator
@MainActor public protocol UIViewControllerTransitionCoordinator: AnyObject {}

/// documentation/uikit/uisearchcontroller
@MainActor open class UISearchController: UIViewController {}

/// documentation/uikit/uiscene
@MainActor open class UIScene: UIResponder {
    /// documentation/uikit/uiscene/willenterforegroundnotification
    public nonisolated static let willEnterForegroundNotification = Notification.Name("UISceneWillEnterForegroundNotification")
    /// documentation/uikit/uiscene/didenterbackgroundnotification
    public nonisolated static let didEnterBackgroundNotification = Notification.Name("UISceneDidEnterBackgroundNotification")
}

/// documentation/uikit/uiwindowscene
@MainActor open class UIWindowScene: UIScene {}

/// documentation/uikit/uialertcontroller
@MainActor open class UIAlertController: UIViewController {}

/// documentation/uikit/uiapplication
@MainActor open class UIApplication: UIResponder {
    /// documentation/uikit/uiapplication/shared
    public static let shared = UIApplication()
    /// documentation/uikit/uiapplication/applicationstate
    open internal(set) var applicationState = State.active
    /// In place of the system, which says what state the application is in.
    public func _setState(_ state: State) { applicationState = state }
    /// documentation/uikit/uiapplication/state
    public enum State: Int, Sendable { case active, inactive, background }
    public var _tasks: [(name: String, expire: (@MainActor @Sendable () -> Void)?)] = []
    public var _ended: [UIBackgroundTaskIdentifier] = []
    /// documentation/uikit/uiapplication/willenterforegroundnotification
    public nonisolated static let willEnterForegroundNotification = Notification.Name("UIApplicationWillEnterForegroundNotification")
    /// documentation/uikit/uiapplication/didenterbackgroundnotification
    public nonisolated static let didEnterBackgroundNotification = Notification.Name("UIApplicationDidEnterBackgroundNotification")
}

extension UIApplication {
    /// documentation/uikit/uiapplication/didbecomeactivenotification
    public nonisolated static let didBecomeActiveNotification = Notification.Name("UIApplicationDidBecomeActiveNotification")
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
    /// documentation/uikit/uiaccessibilityidentification/accessibilityidentifier
    open var accessibilityIdentifier: String?
    /// documentation/uikit/uiview/window
    open var window: UIWindow? { superview?.window }
    /// documentation/uikit/uiview/superview
    open weak var superview: UIView?
    public private(set) var _subviews: [UIView] = []

    /// documentation/uikit/uiview/addsubview(_:)
    open func addSubview(_ view: UIView) {
        view.superview = self
        _subviews.append(view)
    }

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

/// documentation/uikit/uiaction
@MainActor open class UIAction {
    let handler: (UIAction) -> Void

    /// documentation/uikit/uiaction/init(title:image:identifier:discoverabilitytitle:attributes:state:handler:)
    public init(handler: @escaping (UIAction) -> Void) { self.handler = handler }
}

/// documentation/uikit/uicontrol
@MainActor open class UIControl: UIView {
    private var actions: [(action: UIAction, events: Event)] = []

    /// documentation/uikit/uicontrol/event
    public struct Event: OptionSet, Sendable {
        public let rawValue: UInt
        public init(rawValue: UInt) { self.rawValue = rawValue }
        public static let touchDown = Event(rawValue: 1 << 0)
        public static let touchUpInside = Event(rawValue: 1 << 6)
        public static let touchUpOutside = Event(rawValue: 1 << 7)
        public static let touchCancel = Event(rawValue: 1 << 8)
    }

    /// documentation/uikit/uicontrol/state-swift.struct
    public struct State: OptionSet, Sendable {
        public let rawValue: UInt
        public init(rawValue: UInt) { self.rawValue = rawValue }
        public static let normal = State([])
    }

    /// documentation/uikit/uicontrol/addaction(_:for:)
    open func addAction(_ action: UIAction, for controlEvents: Event) { actions.append((action, controlEvents)) }

    /// documentation/uikit/uicontrol/sendactions(for:)
    open func sendActions(for controlEvents: Event) {
        for (action, events) in actions where !events.isDisjoint(with: controlEvents) { action.handler(action) }
    }
}

/// documentation/uikit/uibutton
@MainActor open class UIButton: UIControl {
    /// documentation/uikit/uibutton/buttontype-swift.enum
    public enum ButtonType: Int, Sendable { case custom, system }

    public override init(frame: CGRect) { super.init(frame: frame) }

    /// documentation/uikit/uibutton/init(type:)
    public convenience init(type buttonType: ButtonType) { self.init(frame: .zero) }

    /// documentation/uikit/uiview/init(): with an empty frame.
    public convenience init() { self.init(frame: .zero) }

    /// documentation/uikit/uibutton/settitle(_:for:)
    open func setTitle(_ title: String?, for state: State) {}
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

// MARK: What the example uses beside

/// documentation/uikit/uitabbaritem
@MainActor open class UITabBarItem {
    public init(title: String?, image: UIImage?, tag: Int) {}
}

/// documentation/uikit/uiimage
@MainActor open class UIImage {}

/// documentation/uikit/uitabbarcontroller
@MainActor open class UITabBarController: UIViewController {
    /// documentation/uikit/uitabbarcontroller/viewcontrollers
    open var viewControllers: [UIViewController]?
}

/// documentation/uikit/uinavigationcontroller
@MainActor open class UINavigationController: UIViewController {
    public private(set) var viewControllers: [UIViewController] = []

    /// documentation/uikit/uinavigationcontroller/init(rootviewcontroller:)
    public init(rootViewController: UIViewController) {
        super.init()
        pushViewController(rootViewController, animated: false)
    }

    public required init?(coder: NSCoder) { nil }

    /// documentation/uikit/uinavigationcontroller/pushviewcontroller(_:animated:)
    open func pushViewController(_ viewController: UIViewController, animated: Bool) {
        viewController.navigationController = self
        viewControllers.append(viewController)
        _ = viewController.view
        viewController.viewDidAppear(animated)
    }
}

/// documentation/uikit/uiwindow
@MainActor open class UIWindow: UIView {
    open override var window: UIWindow? { self }
    /// documentation/uikit/uiwindow/windowscene
    open weak var windowScene: UIWindowScene?
    /// documentation/uikit/uiwindow/rootviewcontroller
    open var rootViewController: UIViewController?
    /// documentation/uikit/uiwindow/makekeyandvisible()
    open func makeKeyAndVisible() {}
}

/// documentation/uikit/uiscreen
@MainActor open class UIScreen {
    /// documentation/uikit/uiscreen/main
    open class var main: UIScreen { UIScreen() }
    /// documentation/uikit/uiscreen/bounds
    open var bounds: CGRect { CGRect(x: 0, y: 0, width: 390, height: 844) }
}

extension UIApplication {
    /// documentation/uikit/uiapplication/launchoptionskey
    public struct LaunchOptionsKey: Hashable, Sendable {}
    /// documentation/uikit/uiapplication/openurloptionskey
    public struct OpenURLOptionsKey: Hashable, Sendable {}
}

/// documentation/uikit/uiapplicationdelegate
@MainActor public protocol UIApplicationDelegate: AnyObject {
    init()
    func application(_ application: UIApplication, didFinishLaunchingWithOptions launchOptions: [UIApplication.LaunchOptionsKey: Any]?) -> Bool
    func application(_ app: UIApplication, open url: URL, options: [UIApplication.OpenURLOptionsKey: Any]) -> Bool
}

extension UIApplicationDelegate {
    /// documentation/uikit/uiapplicationdelegate/main()
    public static func main() {}
}

extension IndexPath {
    /// documentation/foundation/indexpath/row
    public var row: Int { self[1] }
}

/// documentation/uikit/uitableview
@MainActor open class UITableView: UIScrollView {
    /// documentation/uikit/uitableview/style-swift.enum
    public enum Style: Int { case plain, grouped, insetGrouped }

    open var rowHeight: CGFloat = 44
    open var visibleCells: [UITableViewCell] { [] }
    open func register(_ cellClass: AnyClass?, forCellReuseIdentifier identifier: String) {}
    open func dequeueReusableCell(withIdentifier identifier: String, for indexPath: IndexPath) -> UITableViewCell { UITableViewCell(frame: .zero) }
    open func indexPath(for cell: UITableViewCell) -> IndexPath? { nil }
}

/// documentation/uikit/uicontentconfiguration
public protocol UIContentConfiguration {}

/// documentation/uikit/uilistcontentconfiguration
public struct UIListContentConfiguration: UIContentConfiguration {
    public var text: String?
}

/// documentation/uikit/uitableviewcell
@MainActor open class UITableViewCell: UIView {
    open var contentConfiguration: (any UIContentConfiguration)?
    open func defaultContentConfiguration() -> UIListContentConfiguration { UIListContentConfiguration() }
}

/// documentation/uikit/uitableviewcontroller
@MainActor open class UITableViewController: UIViewController {
    // swift-format-ignore: NeverUseImplicitlyUnwrappedOptionals
    open var tableView: UITableView! = UITableView(frame: .zero)

    public init(style: UITableView.Style) { super.init() }
    public required init?(coder: NSCoder) { super.init(coder: coder) }

    open func tableView(_ tableView: UITableView, numberOfRowsInSection section: Int) -> Int { 0 }
    open func tableView(_ tableView: UITableView, cellForRowAt indexPath: IndexPath) -> UITableViewCell { UITableViewCell(frame: .zero) }
    open func tableView(_ tableView: UITableView, willDisplay cell: UITableViewCell, forRowAt indexPath: IndexPath) {}
    open func tableView(_ tableView: UITableView, didSelectRowAt indexPath: IndexPath) {}
    open func tableView(_ tableView: UITableView, didEndDisplaying cell: UITableViewCell, forRowAt indexPath: IndexPath) {}
    open func scrollViewDidScroll(_ scrollView: UIScrollView) {}
}

/// documentation/uikit/uideviceorientation
public enum UIDeviceOrientation: Int, Sendable { case unknown, portrait, portraitUpsideDown, landscapeLeft, landscapeRight, faceUp, faceDown }
