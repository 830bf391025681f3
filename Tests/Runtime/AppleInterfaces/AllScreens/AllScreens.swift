public import ActivityTrackingUIKit
public import UIKit

// What the documentation of taps says for all view controllers: neither the class nor the protocol is the app's.
extension UIViewController: @retroactive TapTrackable {}
