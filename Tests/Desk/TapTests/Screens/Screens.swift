public import ActivityTracking
public import ActivityTrackingUIKit
public import Foundation
public import UIKit

// Screens as apps write them. tapgen generates `TapTracking.swift`, and loggen `Shop.swift`. Both are compiled and run.

open class CartViewController: UIViewController, TapTrackable {
    public let activityLogger: ActivityLogger
    let payButton = UIButton(type: .system)
    private var removeButtons = [UIButton(), UIButton()]
    var couponButton: UIButton?
    private lazy var helpButton: UIButton = {
        let button = UIButton(type: .system)
        button.setTitle("?", for: .normal)
        return button
    }()
    private let shareButton = UIButton()
    let hiddenButton = UIButton()  // loggen:ignore
    let heading = "let fakeButton = UIButton()"

    public init(_ logger: ActivityLogger) {
        activityLogger = logger
        super.init(nibName: nil, bundle: nil)
    }

    @available(*, unavailable)
    public required init?(coder: NSCoder) { nil }

    let order = UUID()

    func payButtonTapColumns() -> (order: UUID, coupon: String?) { (order, couponButton == nil ? nil : "spring") }

    func removeButtonsTapColumns(at index: Int) -> Int { index }

    var firstRemoveButton: UIButton { removeButtons[0] }
    func dropFirstRemoveButton() { removeButtons.removeFirst() }

    // The taps of a person, callable from other modules.
    public func tapRemove(_ position: Int) { removeButtons[position].sendActions(for: .touchUpInside) }
    public func tapShare() { shareButton.sendActions(for: .touchUpInside) }
    public func tapHelp() { helpButton.sendActions(for: .touchUpInside) }
}

@propertyWrapper
struct Styled<Value> {
    var wrappedValue: Value
}

protocol Shiny {}

/// Buttons in wrappers, compositions and sparse arrays, and with similar names next to them. For newer systems only.
@available(macOS 13, iOS 16, *)
final class OddViewController: UIViewController, TapTrackable {
    let activityLogger: ActivityLogger
    private let _plain = "no button"
    private let plain = UIButton()
    @Styled private var wrapped = UIButton()
    private var shiny: [any UIButton & Shiny] = []
    let shinyToo: [any UIButton & Shiny] = []
    var holes: [UIButton?] = [nil, UIButton()]
    #if os(Linux)
        let branch = UIButton(type: .system)
    #else
        let branch = UIButton()
    #endif

    init(_ logger: ActivityLogger) {
        activityLogger = logger
        super.init(nibName: nil, bundle: nil)
    }

    @available(*, unavailable)
    required init?(coder: NSCoder) { nil }

    func holesTapColumns(at index: Int) -> Int { index }

    func tapAll() { for button in [plain, wrapped, branch] { button.sendActions(for: .touchUpInside) } }
}

/// A subclass with an additional button, and with its own event instead of a definition's.
final class GiftCartViewController: CartViewController {
    let wrapButton = UIButton()
    var tapEvents: [UIButton: any LogCategory] { [payButton: Shop.help] }
}

/// A subclass without an additional button, but with its own event.
final class PlainCartViewController: CartViewController {
    var tapEvents: [UIButton: any LogCategory] { [payButton: Shop.close] }
}

final class ListViewController<Item>: UIViewController {
    let activityLogger: ActivityLogger
    let sortButton = UIButton()

    init(_ logger: ActivityLogger) {
        activityLogger = logger
        super.init(nibName: nil, bundle: nil)
    }

    @available(*, unavailable)
    required init?(coder: NSCoder) { nil }

    func sortButtonTapColumns() -> (by: Shop.By, past: [Shop.Past]?) { (.newest, [.lowest]) }
}

protocol Tappable: TapTrackable {}

extension ListViewController: Tappable {}

enum Checkout {
    final class DoneViewController: UIViewController {
        let activityLogger: ActivityLogger
        let `default` = UIButton()
        #if Beta
            let feedbackButton = UIButton()
        #endif

        init(_ logger: ActivityLogger) {
            activityLogger = logger
            super.init(nibName: nil, bundle: nil)
        }

        @available(*, unavailable)
        required init?(coder: NSCoder) { nil }
    }
}

extension Checkout.DoneViewController: TapTrackable {}

#if os(Linux)
    final class DesktopViewController: UIViewController, TapTrackable {
        let activityLogger: ActivityLogger
        let quitButton = UIButton()

        init(_ logger: ActivityLogger) {
            activityLogger = logger
            super.init(nibName: nil, bundle: nil)
        }

        @available(*, unavailable)
        required init?(coder: NSCoder) { nil }
    }
#else
    final class ConsoleViewController: UIViewController, TapTrackable {
        let activityLogger: ActivityLogger
        let quitButton = UIButton()

        init(_ logger: ActivityLogger) {
            activityLogger = logger
            super.init(nibName: nil, bundle: nil)
        }

        @available(*, unavailable)
        required init?(coder: NSCoder) { nil }
    }
#endif

/// A view, which registers itself because it is not a view controller.
final class Badge: UIView, TapTrackable {
    let activityLogger: ActivityLogger
    let closeButton: UIButton

    init(_ logger: ActivityLogger) {
        (activityLogger, closeButton) = (logger, UIButton())
        super.init(frame: .zero)
    }

    @available(*, unavailable)
    required init?(coder: NSCoder) { nil }
}
