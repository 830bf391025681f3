import ActivityTracking
import ContentVisibility
import SwiftUI

/// A view that creates its content in each evaluation.
struct Live<Content: View>: View {
    @ViewBuilder let content: () -> Content
    var body: some View { content() }
}

/// A value of an app's model with a binding to the value. The class is generic, because the compiler of Swift 6.3
/// crashes on such a binding for a concrete type.
@MainActor final class Held<Value> {
    var value: Value

    init(_ value: Value) { self.value = value }

    var binding: Binding<Value> { Binding(get: { @MainActor in self.value }, set: { @MainActor in self.value = $0 }) }
}

extension VisibilityClock {
    /// A clock that only its test advances, and on which nothing wakes.
    static func stopped(at time: Locked<Double>) -> VisibilityClock {
        VisibilityClock(now: { time.withLock { $0 } }, sleep: { _ in try? await Task.sleep(nanoseconds: .max) })
    }
}
