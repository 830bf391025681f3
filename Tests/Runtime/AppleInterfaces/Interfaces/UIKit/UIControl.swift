// A comment `documentation/…` is the path of the restated declaration's page on developer.apple.com.
public import Foundation

/// documentation/uikit/uimenuelement
@MainActor open class UIMenuElement: NSObject {}

/// documentation/uikit/uiactionhandler
public typealias UIActionHandler = (UIAction) -> Void

/// documentation/uikit/uiaction
@MainActor open class UIAction: UIMenuElement {
    let handler: UIActionHandler

    /// documentation/uikit/uiaction/init(title:image:identifier:discoverabilitytitle:attributes:state:handler:)
    public init(title: String = "", image: UIImage? = nil, handler: @escaping UIActionHandler) {
        self.handler = handler
    }
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
        public static let primaryActionTriggered = Event(rawValue: 1 << 13)
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
    public required init?(coder: NSCoder) { nil }

    /// documentation/uikit/uibutton/init(type:)
    public convenience init(type buttonType: ButtonType) { self.init(frame: .zero) }

    /// documentation/uikit/uibutton/settitle(_:for:)
    open func setTitle(_ title: String?, for state: State) {}
}
