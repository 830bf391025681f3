// A comment `documentation/…` is the path of the restated declaration's page on developer.apple.com.
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

/// documentation/uikit/uiviewcontroller
@MainActor open class UIViewController: UIResponder {
    /// documentation/uikit/uiviewcontroller/init(nibname:bundle:)
    public init(nibName nibNameOrNil: String?, bundle nibBundleOrNil: Bundle?) { super.init() }

    /// documentation/uikit/uiviewcontroller/init(coder:)
    public required init?(coder: NSCoder) { nil }

    /// documentation/objectivec/nsobject/init()
    public override convenience init() { self.init(nibName: nil, bundle: nil) }

    /// documentation/uikit/uiviewcontroller/title
    open var title: String?
    /// documentation/uikit/uiviewcontroller/viewdidload()
    open func viewDidLoad() {}

    /// documentation/uikit/uiviewcontroller/loadview()
    open func loadView() { view = UIView(frame: CGRect(x: 0, y: 0, width: 390, height: 844)) }

    /// documentation/uikit/uiviewcontroller/view: loaded at the first access.
    // swift-format-ignore: NeverUseImplicitlyUnwrappedOptionals
    open var view: UIView! {
        get {
            if loaded == nil {
                loadView()
                viewDidLoad()
            }
            return loaded
        }
        set { loaded = newValue }
    }
    private var loaded: UIView?
    /// documentation/uikit/uiviewcontroller/viewifloaded
    open var viewIfLoaded: UIView? { loaded }
    /// documentation/uikit/uiviewcontroller/viewwillappear(_:)
    open func viewWillAppear(_ animated: Bool) {}
    /// documentation/uikit/uiviewcontroller/viewdidappear(_:)
    open func viewDidAppear(_ animated: Bool) {}
    /// documentation/uikit/uiviewcontroller/viewwilldisappear(_:)
    open func viewWillDisappear(_ animated: Bool) {}
    /// documentation/uikit/uiviewcontroller/viewdiddisappear(_:)
    open func viewDidDisappear(_ animated: Bool) {}
    /// documentation/uikit/uiviewcontroller/viewdidlayoutsubviews()
    open func viewDidLayoutSubviews() {}
    /// documentation/uikit/uiviewcontroller/tabbaritem
    // swift-format-ignore: NeverUseImplicitlyUnwrappedOptionals
    open var tabBarItem: UITabBarItem! = UITabBarItem(title: nil, image: nil, tag: 0)

    /// documentation/uikit/uiviewcontroller/presentedviewcontroller
    open private(set) var presentedViewController: UIViewController?
    /// documentation/uikit/uiviewcontroller/isbeingdismissed
    open private(set) var isBeingDismissed = false
    /// Begins a dismissal, which a transition does in an app.
    public func _beginDismissal() { isBeingDismissed = true }
    /// documentation/uikit/uiviewcontroller/transitioncoordinator
    open var transitionCoordinator: (any UIViewControllerTransitionCoordinator)? { nil }
    /// documentation/uikit/uiviewcontroller/modalpresentationstyle
    open var modalPresentationStyle: UIModalPresentationStyle = .automatic

    /// documentation/uikit/uiviewcontroller/navigationcontroller
    open internal(set) weak var navigationController: UINavigationController?

    /// Replaces `present(_:animated:completion:)`.
    public func _present(_ controller: UIViewController?) { presentedViewController = controller }
}

/// documentation/uikit/uiviewcontrollertransitioncoordinator
@MainActor public protocol UIViewControllerTransitionCoordinator: NSObjectProtocol {}

/// documentation/uikit/uisearchcontroller
@MainActor open class UISearchController: UIViewController {}

/// documentation/uikit/uialertcontroller
@MainActor open class UIAlertController: UIViewController {}

/// documentation/uikit/uitabbaritem
@MainActor open class UITabBarItem: NSObject {
    /// documentation/uikit/uitabbaritem/init(title:image:tag:)
    public convenience init(title: String?, image: UIImage?, tag: Int) { self.init() }
    public override init() { super.init() }
}

/// documentation/uikit/uitabbarcontroller
@MainActor open class UITabBarController: UIViewController {
    /// documentation/uikit/uitabbarcontroller/viewcontrollers
    open var viewControllers: [UIViewController]?
}

/// documentation/uikit/uinavigationcontroller
@MainActor open class UINavigationController: UIViewController {
    public private(set) var viewControllers: [UIViewController] = []

    public override init(nibName nibNameOrNil: String?, bundle nibBundleOrNil: Bundle?) {
        super.init(nibName: nibNameOrNil, bundle: nibBundleOrNil)
    }

    /// documentation/uikit/uinavigationcontroller/init(rootviewcontroller:)
    public init(rootViewController: UIViewController) {
        super.init(nibName: nil, bundle: nil)
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

/// documentation/uikit/uiactivity
@MainActor open class UIActivity: NSObject {}

/// documentation/uikit/uiactivityviewcontroller
@MainActor open class UIActivityViewController: UIViewController {
    /// The items that the sheet shares.
    public let _items: [Any]

    /// documentation/uikit/uiactivityviewcontroller/init(activityitems:applicationactivities:)
    public init(activityItems: [Any], applicationActivities: [UIActivity]?) {
        _items = activityItems
        super.init(nibName: nil, bundle: nil)
    }

    public required init?(coder: NSCoder) { nil }
}
