#if canImport(UIKit) && !os(watchOS)
    import UIKit

    /// The value of a property that `tapgen` takes for a button: one button, none, or several.
    @MainActor
    protocol TapButtons {
        /// The buttons in order; nil in place of one that is not there.
        var tapButtons: [UIButton?] { get }
    }

    extension UIButton: TapButtons {
        /// The button itself.
        var tapButtons: [UIButton?] { [self] }
    }

    extension Optional: TapButtons where Wrapped: TapButtons {
        /// What is there, or nil in its place.
        var tapButtons: [UIButton?] { self?.tapButtons ?? [nil] }
    }

    extension Array: TapButtons where Element: TapButtons {
        /// The buttons of all elements.
        var tapButtons: [UIButton?] { flatMap(\.tapButtons) }
    }
#endif
