#if canImport(SwiftUI) && canImport(UIKit) && !os(watchOS)
    import SwiftUI

    extension View {
        /// Only this function calls `onChange`. One of its forms is deprecated in all versions of visionOS, and the
        /// other is not available before iOS 17.
        func onNewValue<Value: Equatable>(of value: Value, perform: @escaping (Value) -> Void) -> some View {
            #if os(visionOS)
                onChange(of: value) { _, newValue in perform(newValue) }
            #else
                onChange(of: value, perform: perform)
            #endif
        }

        /// Performs an action with a value when the view appears, and when the value changes.
        func onEach<Value: Equatable>(_ value: Value, perform: @escaping (Value) -> Void) -> some View {
            onAppear { perform(value) }.onNewValue(of: value, perform: perform)
        }
    }

    /// A value of the last evaluation of a view, for actions between evaluations.
    @MainActor final class Latest<Value> {
        var value: Value?

        nonisolated init() {}
    }

    /// The identity of a view that reports to a tracker or a controller. If the receiver is replaced, SwiftUI recreates
    /// the view, which reports to the new one.
    ///
    /// It retains the receiver. Otherwise, a new receiver could have the address of the previous one.
    struct ReceiverID: Hashable {
        let receiver: AnyObject?
        let content: AnyHashable?

        /// - Parameter content: The identity of the content that the view reports, if any.
        init(_ receiver: AnyObject?, content: AnyHashable? = nil) {
            self.receiver = receiver
            self.content = content
        }

        static func == (left: ReceiverID, right: ReceiverID) -> Bool {
            left.receiver === right.receiver && left.content == right.content
        }

        func hash(into hasher: inout Hasher) {
            hasher.combine(receiver.map { ObjectIdentifier($0) })
            hasher.combine(content)
        }
    }
#endif
