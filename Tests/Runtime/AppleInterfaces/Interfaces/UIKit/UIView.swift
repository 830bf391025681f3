// A comment `documentation/…` is the path of the restated declaration's page on developer.apple.com.
public import Foundation

/// documentation/uikit/uiview
@MainActor open class UIView: UIResponder {
    /// documentation/uikit/uiview/frame
    open var frame: CGRect { didSet { bounds.size = frame.size } }
    /// documentation/uikit/uiview/bounds
    open var bounds: CGRect
    /// documentation/uikit/uiaccessibilityidentification/accessibilityidentifier
    open var accessibilityIdentifier: String?
    /// documentation/uikit/uiview/isuserinteractionenabled
    open var isUserInteractionEnabled = true
    /// documentation/uikit/uiview/window
    open var window: UIWindow? { superview?.window }
    /// documentation/uikit/uiview/superview
    open var superview: UIView? { parent }
    private weak var parent: UIView?
    /// documentation/uikit/uiview/subviews
    open private(set) var subviews: [UIView] = []

    /// documentation/uikit/uiview/init(frame:)
    public init(frame: CGRect) {
        self.frame = frame
        bounds = CGRect(origin: .zero, size: frame.size)
        super.init()
    }

    /// documentation/uikit/uiview/init(coder:)
    public required init?(coder: NSCoder) { nil }

    /// documentation/objectivec/nsobject/init(): with an empty frame.
    public override convenience init() { self.init(frame: .zero) }

    /// documentation/uikit/uiview/addsubview(_:)
    open func addSubview(_ view: UIView) {
        view.removeFromSuperview()
        view.parent = self
        subviews.append(view)
    }

    /// documentation/uikit/uiview/removefromsuperview()
    open func removeFromSuperview() {
        parent?.subviews.removeAll { $0 === self }
        parent = nil
    }

    /// documentation/uikit/uiview/isdescendant(of:)
    open func isDescendant(of view: UIView) -> Bool { self === view || superview?.isDescendant(of: view) == true }

    /// documentation/uikit/uiview/convert(_:to:)-2s8h5
    ///
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

/// documentation/uikit/uiwindow
@MainActor open class UIWindow: UIView {
    open override var window: UIWindow? { self }
    /// documentation/uikit/uiwindow/windowscene
    open weak var windowScene: UIWindowScene?
    /// documentation/uikit/uiwindow/rootviewcontroller
    open var rootViewController: UIViewController? {
        didSet { if let view = rootViewController?.view { addSubview(view) } }
    }
    /// documentation/uikit/uiwindow/makekeyandvisible()
    open func makeKeyAndVisible() { rootViewController?.viewDidAppear(false) }

    public override init(frame: CGRect) { super.init(frame: frame) }
    public required init?(coder: NSCoder) { nil }

    /// documentation/uikit/uiwindow/init(windowscene:)
    public init(windowScene: UIWindowScene) {
        super.init(frame: CGRect(x: 0, y: 0, width: 390, height: 844))
        self.windowScene = windowScene
    }
}

/// documentation/uikit/uiscrollview
@MainActor open class UIScrollView: UIView {
    /// documentation/uikit/uiscrollview/adjustedcontentinset
    open private(set) var adjustedContentInset = UIEdgeInsets(top: 0, left: 0, bottom: 0, right: 0)

    /// documentation/uikit/uiscrollview/contentsize
    open var contentSize = CGSize.zero

    /// documentation/uikit/uiscrollview/contentoffset
    open var contentOffset: CGPoint {
        get { bounds.origin }
        set { bounds.origin = newValue }
    }

    /// Sets the insets, which bars change in an app.
    public func _setAdjustedContentInset(_ insets: UIEdgeInsets) { adjustedContentInset = insets }
}
