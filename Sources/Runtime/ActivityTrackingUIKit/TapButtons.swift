#if canImport(UIKit) && !os(watchOS)
    import UIKit

    /// The value of a property that `tapgen` recognizes as a button: one button, an optional, or an array.
    @MainActor
    protocol TapButtons {
        /// The buttons in order, with nil for each missing button.
        var tapButtons: [UIButton?] { get }
    }

    extension UIButton: TapButtons {
        var tapButtons: [UIButton?] { [self] }
    }

    extension Optional: TapButtons where Wrapped: TapButtons {
        /// The buttons of the wrapped value, or a single nil.
        var tapButtons: [UIButton?] { self?.tapButtons ?? [nil] }
    }

    extension Array: TapButtons where Element: TapButtons {
        var tapButtons: [UIButton?] { flatMap(\.tapButtons) }
    }
#endif
