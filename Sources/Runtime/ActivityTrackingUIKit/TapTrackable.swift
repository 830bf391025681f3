#if canImport(UIKit) && !os(watchOS)
    public import ActivityTracking
    public import UIKit

    /// A screen whose taps are posted. `tapgen` finds its buttons, and generates the code that registers them.
    ///
    /// To include all view controllers, write `extension UIViewController: @retroactive TapTrackable {}`.
    @MainActor
    public protocol TapTrackable: AnyObject {}

    extension TapTrackable {
        /// The events that override the definitions, by button. Empty by default.
        public var tapEvents: [UIButton: any LogCategory] { [:] }
    }
#endif
