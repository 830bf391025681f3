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
