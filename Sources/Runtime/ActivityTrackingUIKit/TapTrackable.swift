#if canImport(UIKit) && !os(watchOS)
    public import ActivityTracking
    public import UIKit

    /// A screen whose taps are posted: `tapgen` finds its buttons, and writes the code that registers them.
    ///
    /// `extension UIViewController: @retroactive TapTrackable {}` makes all view controllers such screens.
    @MainActor
    public protocol TapTrackable: AnyObject {}

    extension TapTrackable {
        /// No events of its own: taps post what the definitions say.
        public var tapEvents: [UIButton: any LogCategory] { [:] }
    }
#endif
