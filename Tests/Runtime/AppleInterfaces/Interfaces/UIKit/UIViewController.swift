public import Foundation

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

@MainActor open class UIViewController: UIResponder {
    public init(nibName nibNameOrNil: String?, bundle nibBundleOrNil: Bundle?) { super.init() }

    public required init?(coder: NSCoder) { nil }

    public override convenience init() { self.init(nibName: nil, bundle: nil) }

    open var title: String?
    open func viewDidLoad() {}

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
    open var viewIfLoaded: UIView? { loaded }
    open func viewWillAppear(_ animated: Bool) {}
    open func viewDidAppear(_ animated: Bool) {}
    open func viewWillDisappear(_ animated: Bool) {}
    open func viewDidDisappear(_ animated: Bool) {}
    open func viewDidLayoutSubviews() {}
    // swift-format-ignore: NeverUseImplicitlyUnwrappedOptionals
    open var tabBarItem: UITabBarItem! = UITabBarItem(title: nil, image: nil, tag: 0)

    open private(set) var presentedViewController: UIViewController?
    open private(set) var isBeingDismissed = false
    /// Begins a dismissal, which a transition does in an app.
    public func _beginDismissal() { isBeingDismissed = true }
    open var transitionCoordinator: (any UIViewControllerTransitionCoordinator)? { nil }
    open var modalPresentationStyle: UIModalPresentationStyle = .automatic

    open internal(set) weak var navigationController: UINavigationController?

    /// Replaces `present(_:animated:completion:)`.
    public func _present(_ controller: UIViewController?) { presentedViewController = controller }
}

@MainActor public protocol UIViewControllerTransitionCoordinator: NSObjectProtocol {}

@MainActor open class UISearchController: UIViewController {}

@MainActor open class UIAlertController: UIViewController {}

@MainActor open class UITabBarItem: NSObject {
    public convenience init(title: String?, image: UIImage?, tag: Int) { self.init() }
    public override init() { super.init() }
}

@MainActor open class UITabBarController: UIViewController {
    open var viewControllers: [UIViewController]?
}

@MainActor open class UINavigationController: UIViewController {
    public private(set) var viewControllers: [UIViewController] = []

    public override init(nibName nibNameOrNil: String?, bundle nibBundleOrNil: Bundle?) {
        super.init(nibName: nibNameOrNil, bundle: nibBundleOrNil)
    }

    public init(rootViewController: UIViewController) {
        super.init(nibName: nil, bundle: nil)
        pushViewController(rootViewController, animated: false)
    }

    public required init?(coder: NSCoder) { nil }

    open func pushViewController(_ viewController: UIViewController, animated: Bool) {
        viewController.navigationController = self
        viewControllers.append(viewController)
        _ = viewController.view
        viewController.viewDidAppear(animated)
    }
}

@MainActor open class UIActivity: NSObject {}

@MainActor open class UIActivityViewController: UIViewController {
    /// The items that the sheet shares.
    public let _items: [Any]

    public init(activityItems: [Any], applicationActivities: [UIActivity]?) {
        _items = activityItems
        super.init(nibName: nil, bundle: nil)
    }

    public required init?(coder: NSCoder) { nil }
}
