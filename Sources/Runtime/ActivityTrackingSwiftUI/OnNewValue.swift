#if canImport(SwiftUI) && canImport(UIKit) && !os(watchOS)
    import SwiftUI

    extension View {
        /// Performs an action with the new value when a value changes.
        ///
        /// Only this function calls `onChange`. One of its forms is deprecated in all versions of visionOS, and the
        /// other is not available before iOS 17.
        func onNewValue<Value: Equatable>(of value: Value, perform: @escaping (Value) -> Void) -> some View {
            #if os(visionOS)
                onChange(of: value) { _, newValue in perform(newValue) }
            #else
                onChange(of: value, perform: perform)
            #endif
        }
    }
#endif
