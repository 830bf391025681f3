// The host draws all rows of a list, and taps a control by the text of its label.

public struct List<SelectionValue: Hashable, Content: View>: PrimitiveView {
    nonisolated(unsafe) let content: Content
    public func _evaluate(_ context: HostContext) { content._evaluate(context.child("list")) }
}

extension List where SelectionValue == Never {
    nonisolated public init(@ViewBuilder content: () -> Content) { self.content = content() }
}

public struct Section<Parent, Content, Footer> {
    nonisolated(unsafe) let header: Parent
    nonisolated(unsafe) let content: Content
}

extension Section: View, PrimitiveView where Parent: View, Content: View, Footer: View {
    public func _evaluate(_ context: HostContext) {
        header._evaluate(context.child("header"))
        content._evaluate(context.child("section"))
    }
}

extension Section where Parent: View, Content: View, Footer == EmptyView {
    nonisolated public init(@ViewBuilder content: () -> Content, @ViewBuilder header: () -> Parent) {
        self.init(header: header(), content: content())
    }
}

extension Section where Parent == EmptyView, Content: View, Footer == EmptyView {
    nonisolated public init(@ViewBuilder content: () -> Content) { self.init(header: EmptyView(), content: content()) }
}

// MARK: Navigation

public struct NavigationView<Content: View>: PrimitiveView {
    nonisolated(unsafe) let content: Content
    nonisolated public init(@ViewBuilder content: () -> Content) { self.content = content() }
    public func _evaluate(_ context: HostContext) { content._evaluate(context.child("navigation")) }
}

/// The destination of a tapped link is in the place `pushed`.
public struct NavigationLink<Label: View, Destination: View>: PrimitiveView {
    private final class Push { var isActive = false }

    nonisolated(unsafe) let destination: Destination
    nonisolated(unsafe) let label: Label

    nonisolated public init(@ViewBuilder destination: () -> Destination, @ViewBuilder label: () -> Label) {
        self.destination = destination()
        self.label = label()
    }

    public func _evaluate(_ context: HostContext) {
        context.connect(self)
        let push = context.stored("push") { Push() }
        var inner = context.child("label")
        inner.action = { [host = context.host] in
            push.isActive.toggle()
            host.setNeedsEvaluation()
        }
        label._evaluate(inner)
        guard push.isActive else { return }
        var pushed = context.child("destination")
        pushed.placeName = "pushed"
        pushed.action = nil
        destination._evaluate(pushed)
    }
}

@MainActor @preconcurrency public protocol NavigationViewStyle {}

public struct StackNavigationViewStyle: NavigationViewStyle {
    nonisolated public init() {}
}

extension NavigationViewStyle where Self == StackNavigationViewStyle {
    public static var stack: StackNavigationViewStyle { StackNavigationViewStyle() }
}

extension View {
    nonisolated public func navigationViewStyle<S: NavigationViewStyle>(_ style: S) -> some View {
        effect { context, content in content(context) }
    }

    nonisolated public func navigationTitle(_ title: Text) -> some View {
        effect { context, content in
            title._evaluate(context.child("title"))
            content(context)
        }
    }

    nonisolated public func searchable(
        text: Binding<String>, placement: SearchFieldPlacement = .automatic, prompt: Text? = nil
    ) -> some View {
        effect { context, content in
            context.host.searchField { text.wrappedValue = $0 }
            content(context)
        }
    }

    nonisolated public func lineLimit(_ number: Int?) -> some View {
        effect { context, content in content(context) }
    }

    nonisolated public func accessibilityElement(children: AccessibilityChildBehavior = .ignore) -> some View {
        effect { context, content in content(context) }
    }

    nonisolated public func tag<V: Hashable>(_ tag: V) -> some View {
        effect { context, content in
            var context = context
            if let select = context.select { context.action = { select(tag) } }
            content(context)
        }
    }
}

public struct SearchFieldPlacement: Sendable {
    public static let automatic = SearchFieldPlacement()
}

public struct AccessibilityChildBehavior: Hashable, Sendable {
    private let number: Int
    public static let ignore = AccessibilityChildBehavior(number: 0)
    public static let combine = AccessibilityChildBehavior(number: 1)
}

public struct Font: Hashable, Sendable {
    private let name: String
    public static let headline = Font(name: "headline")
    public static let caption = Font(name: "caption")
}

extension Text {
    nonisolated public func font(_ font: Font?) -> Text { self }
}

// MARK: Controls

public struct Toggle<Label: View>: PrimitiveView {
    let isOn: Binding<Bool>
    nonisolated(unsafe) let label: Label

    nonisolated public init(isOn: Binding<Bool>, @ViewBuilder label: () -> Label) {
        self.isOn = isOn
        self.label = label()
    }

    public func _evaluate(_ context: HostContext) {
        var inner = context.child("label")
        inner.action = { isOn.wrappedValue.toggle() }
        label._evaluate(inner)
    }
}

public struct Picker<Label: View, SelectionValue: Hashable, Content: View>: PrimitiveView {
    nonisolated(unsafe) let selection: Binding<SelectionValue>
    nonisolated(unsafe) let content: Content
    nonisolated(unsafe) let label: Label

    nonisolated public init(
        selection: Binding<SelectionValue>, @ViewBuilder content: () -> Content, @ViewBuilder label: () -> Label
    ) {
        self.selection = selection
        self.content = content()
        self.label = label()
    }

    public func _evaluate(_ context: HostContext) {
        label._evaluate(context.child("label"))
        var inner = context.child("choices")
        // A tag of another type selects nothing, as in SwiftUI.
        inner.select = { if let value = $0 as? SelectionValue { selection.wrappedValue = value } }
        content._evaluate(inner)
    }
}
