public import Foundation

@MainActor open class UIView: UIResponder {
    open var frame: CGRect { didSet { bounds.size = frame.size } }
    open var bounds: CGRect
    open var accessibilityIdentifier: String?
    open var isUserInteractionEnabled = true
    open var window: UIWindow? { superview?.window }
    open var superview: UIView? { parent }
    private weak var parent: UIView?
    open private(set) var subviews: [UIView] = []

    public init(frame: CGRect) {
        self.frame = frame
        bounds = CGRect(origin: .zero, size: frame.size)
        super.init()
    }

    public required init?(coder: NSCoder) { nil }

    /// documentation/objectivec/nsobject/init(): with an empty frame.
    public override convenience init() { self.init(frame: .zero) }

    open func addSubview(_ view: UIView) {
        view.removeFromSuperview()
        view.parent = self
        subviews.append(view)
    }

    open func removeFromSuperview() {
        parent?.subviews.removeAll { $0 === self }
        parent = nil
    }

    open func isDescendant(of view: UIView) -> Bool { self === view || superview?.isDescendant(of: view) == true }

    /// For views in different trees, UIKit takes the coordinates of each tree for those of the window, which is seldom
    /// intended.
    open func convert(_ rect: CGRect, to view: UIView?) -> CGRect {
        let (from, to) = (origin, view?.origin ?? .zero)
        return rect.offsetBy(dx: from.x - to.x, dy: from.y - to.y)
    }

    /// The origin of the view's coordinates in the outermost view.
    private var origin: CGPoint {
        let around = superview?.origin ?? .zero
        // A window is the outermost view, independent of its position on the screen.
        let place = superview == nil && self is UIWindow ? .zero : frame.origin
        return CGPoint(x: around.x + place.x - bounds.minX, y: around.y + place.y - bounds.minY)
    }
}

@MainActor open class UIWindow: UIView {
    open override var window: UIWindow? { self }
    open weak var windowScene: UIWindowScene?
    open var rootViewController: UIViewController? {
        didSet { if let view = rootViewController?.view { addSubview(view) } }
    }
    open func makeKeyAndVisible() { rootViewController?.viewDidAppear(false) }

    public override init(frame: CGRect) { super.init(frame: frame) }
    public required init?(coder: NSCoder) { nil }

    public init(windowScene: UIWindowScene) {
        super.init(frame: CGRect(x: 0, y: 0, width: 390, height: 844))
        self.windowScene = windowScene
    }
}

@MainActor open class UIScrollView: UIView {
    open private(set) var adjustedContentInset = UIEdgeInsets(top: 0, left: 0, bottom: 0, right: 0)

    open var contentSize = CGSize.zero

    open var contentOffset: CGPoint {
        get { bounds.origin }
        set { bounds.origin = newValue }
    }

    /// Sets the insets, which bars change in an app.
    public func _setAdjustedContentInset(_ insets: UIEdgeInsets) { adjustedContentInset = insets }
}
