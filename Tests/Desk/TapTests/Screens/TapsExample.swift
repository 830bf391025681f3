import ActivityTracking
import ActivityTrackingUIKit
import Foundation
import UIKit

/// The samples of the documentation of taps.
final class OrderViewController: UIViewController, TapTrackable {
    let activityLogger: ActivityLogger
    let order: Int64
    private let cancelButton = UIButton(type: .system)
    private let termsButton = UIButton(type: .system)  // loggen:ignore

    init(order: Int64, activityLogger: ActivityLogger) {
        self.order = order
        self.activityLogger = activityLogger
        super.init(nibName: nil, bundle: nil)
    }

    @available(*, unavailable)
    required init?(coder: NSCoder) { nil }

    func cancelButtonTapColumns() -> Int64 { order }
}

extension OrderViewController {
    var tapEvents: [UIButton: any LogCategory] { isTest ? [cancelButton: Shop.help] : [:] }
    var isTest: Bool { order == 0 }
    func tapCancel() { cancelButton.sendActions(for: .touchUpInside) }
}

@MainActor
func appear(_ screen: OrderViewController) {
    TapTracking.register(screen)
}

#if canImport(ObjectiveC)
    @MainActor
    func launch() {
        TapTracking.start()
    }
#endif
