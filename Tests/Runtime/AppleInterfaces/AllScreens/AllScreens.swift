public import ActivityTrackingUIKit
public import UIKit

// The documentation's declaration for all view controllers. Neither the class nor the protocol belongs to the app.
extension UIViewController: @retroactive TapTrackable {}
