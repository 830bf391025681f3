import SwiftUI

/// Makes its view anew in each evaluation.
struct Live<Content: View>: View {
    @ViewBuilder let content: () -> Content
    var body: some View { content() }
}

/// What an app's model holds, with a binding to it. Generic, as Swift 6.3 crashes where it makes such a binding of a type that it knows.
@MainActor final class Held<Value> {
    var value: Value

    init(_ value: Value) { self.value = value }

    var binding: Binding<Value> { Binding(get: { @MainActor in self.value }, set: { @MainActor in self.value = $0 }) }
}
