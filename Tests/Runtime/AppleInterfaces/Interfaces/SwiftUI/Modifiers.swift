public import Combine
public import Foundation

@MainActor @preconcurrency public protocol ViewModifier {
    associatedtype Body: View
    @ViewBuilder func body(content: Content) -> Body
    typealias Content = _ViewModifier_Content<Self>
}

public struct _ViewModifier_Content<Modifier: ViewModifier>: PrimitiveView {
    let evaluate: @MainActor (HostContext) -> Void
    public func _evaluate(_ context: HostContext) { evaluate(context) }
}

public struct ModifiedContent<Content, Modifier> {
    public var content: Content
    public var modifier: Modifier

    nonisolated public init(content: Content, modifier: Modifier) {
        self.content = content
        self.modifier = modifier
    }
}

extension ModifiedContent: View, PrimitiveView where Content: View, Modifier: ViewModifier {
    public func _evaluate(_ context: HostContext) {
        context.connect(modifier)
        let inner = _ViewModifier_Content<Modifier> { content._evaluate($0.child("content")) }
        modifier.body(content: inner)._evaluate(context.child("modifier"))
    }
}

/// A view that applies an effect to another view.
public struct _Effect<Content: View>: PrimitiveView {
    nonisolated(unsafe) let content: Content
    nonisolated(unsafe) let apply: @MainActor (HostContext, @MainActor (HostContext) -> Void) -> Void

    nonisolated init(
        content: Content, apply: @escaping @MainActor (HostContext, @MainActor (HostContext) -> Void) -> Void
    ) {
        self.content = content
        self.apply = apply
    }

    public func _evaluate(_ context: HostContext) { apply(context) { content._evaluate($0.child("content")) } }
}

extension View {
    nonisolated public func modifier<T>(_ modifier: T) -> ModifiedContent<Self, T> {
        ModifiedContent(content: self, modifier: modifier)
    }

    nonisolated func effect(_ apply: @escaping @MainActor (HostContext, @MainActor (HostContext) -> Void) -> Void)
        -> _Effect<Self>
    {
        _Effect(content: self, apply: apply)
    }

    nonisolated public func environment<V>(_ keyPath: WritableKeyPath<EnvironmentValues, V>, _ value: V) -> some View {
        effect { context, content in
            var context = context
            context.environment[keyPath: keyPath] = value
            content(context)
        }
    }

    nonisolated public func onAppear(perform action: (() -> Void)? = nil) -> some View {
        effect { context, content in
            content(context)
            if let action { context.onAppear(action) }
        }
    }

    nonisolated public func onDisappear(perform action: (() -> Void)? = nil) -> some View {
        effect { context, content in
            content(context)
            if let action { context.onDisappear(action) }
        }
    }

    nonisolated public func onChange<V: Equatable>(of value: V, perform action: @escaping (_ newValue: V) -> Void)
        -> some View
    {
        effect { context, content in
            context.onChange(of: value, action)
            content(context)
        }
    }

    nonisolated public func onReceive<P: Publisher>(_ publisher: P, perform action: @escaping (P.Output) -> Void)
        -> some View
    where P.Failure == Never {
        effect { context, content in
            context.onReceive(publisher, action)
            content(context)
        }
    }

    nonisolated public func background<Background: View>(_ background: Background) -> some View {
        effect { context, content in
            content(context)
            background._evaluate(context.child("background"))
        }
    }

    nonisolated public func overlay<Overlay: View>(_ overlay: Overlay) -> some View {
        effect { context, content in
            content(context)
            overlay._evaluate(context.child("overlay"))
        }
    }

    nonisolated public func allowsHitTesting(_ enabled: Bool) -> some View {
        effect { context, content in content(context) }
    }

    nonisolated public func accessibilityHidden(_ hidden: Bool) -> some View {
        effect { context, content in content(context) }
    }

    nonisolated public func coordinateSpace<T: Hashable>(name: T) -> some View {
        effect { context, content in
            var context = context
            context.spaces[AnyHashable(name)] = context.frame.origin
            content(context)
        }
    }

    nonisolated public func frame(width: CGFloat? = nil, height: CGFloat? = nil) -> some View {
        effect { context, content in
            var context = context
            context.frame.size = CGSize(width: width ?? context.frame.width, height: height ?? context.frame.height)
            content(context)
        }
    }

    nonisolated public func accessibilityIdentifier(_ identifier: String) -> some View {
        effect { context, content in content(context) }
    }

    nonisolated public func id<ID: Hashable>(_ id: ID) -> some View {
        effect { context, content in content(context.identified(by: id)) }
    }

    nonisolated public func ignoresSafeArea() -> some View { effect { context, content in content(context) } }

    /// The view below a cover stays, as in a window, but disappears while it is covered.
    nonisolated public func fullScreenCover<Item: Identifiable, Content: View>(
        item: Binding<Item?>, onDismiss: (() -> Void)? = nil, @ViewBuilder content: @escaping (Item) -> Content
    ) -> some View {
        effect { context, view in
            let isShown = context.host.presents(context.path + "#cover", item.wrappedValue != nil, onDismiss: onDismiss)
            if let item = item.wrappedValue, isShown {
                context.host.keep(context.path + "/content")
                content(item)._evaluate(context.presented("cover \(item.id)"))
            } else {
                view(context)
            }
        }
    }

    nonisolated public func sheet<Item: Identifiable, Content: View>(
        item: Binding<Item?>, onDismiss: (() -> Void)? = nil, @ViewBuilder content: @escaping (Item) -> Content
    ) -> some View {
        effect { context, view in
            let isShown = context.host.presents(context.path + "#sheet", item.wrappedValue != nil, onDismiss: onDismiss)
            view(context)
            if let item = item.wrappedValue, isShown { content(item)._evaluate(context.presented("sheet \(item.id)")) }
        }
    }
}

// MARK: Controls

public struct Button<Label: View>: PrimitiveView {
    let action: @MainActor () -> Void
    let label: Label

    @preconcurrency public init(action: @escaping @MainActor () -> Void, @ViewBuilder label: () -> Label) {
        self.action = action
        self.label = label()
    }

    public func _evaluate(_ context: HostContext) {
        guard let style = context.buttonStyle else {
            context.host.button(context.placeName, action)
            var inner = context.child("label")
            inner.action = action
            return label._evaluate(inner)
        }
        var inner = context.child("style")
        inner.buttonStyle = nil
        style(PrimitiveButtonStyleConfiguration(role: nil, label: .init(view: AnyView(label)), action: action))
            ._evaluate(inner)
    }
}

extension Button {
    @preconcurrency public init(
        role: ButtonRole?, action: @escaping @MainActor () -> Void, @ViewBuilder label: () -> Label
    ) {
        self.init(action: action, label: label)
    }
}

public struct ButtonRole: Equatable, Sendable {}

public struct PrimitiveButtonStyleConfiguration {
    public struct Label: PrimitiveView {
        let view: AnyView
        public func _evaluate(_ context: HostContext) { view._evaluate(context) }
    }

    public let role: ButtonRole?
    public let label: Label
    let action: @MainActor () -> Void

    public func trigger() { MainActor.assumeIsolated { action() } }
}

@MainActor @preconcurrency public protocol PrimitiveButtonStyle {
    associatedtype Body: View
    typealias Configuration = PrimitiveButtonStyleConfiguration
    @ViewBuilder func makeBody(configuration: Configuration) -> Body
}

extension View {
    nonisolated public func buttonStyle<S: PrimitiveButtonStyle>(_ style: S) -> some View {
        effect { context, content in
            var context = context
            context.buttonStyle = { AnyView(style.makeBody(configuration: $0)) }
            content(context)
        }
    }
}

@MainActor @preconcurrency public protocol Gesture<Value> {
    associatedtype Value
    var _action: () -> Void { get }
}

public struct TapGesture: Gesture {
    public typealias Value = Void
    nonisolated public init(count: Int = 1) {}
    public var _action: () -> Void { {} }
}

public struct _EndedGesture<Content: Gesture>: Gesture {
    public typealias Value = Content.Value
    nonisolated(unsafe) public let _action: () -> Void
    nonisolated init(_ action: @escaping () -> Void) { _action = action }
}

extension Gesture where Value == Void {
    nonisolated public func onEnded(_ action: @escaping (Value) -> Void) -> _EndedGesture<Self> {
        _EndedGesture { action(()) }
    }
}

extension View {
    nonisolated public func simultaneousGesture<T: Gesture>(_ gesture: T) -> some View {
        effect { context, content in
            context.host.button(context.placeName, gesture._action)
            content(context)
        }
    }
}
