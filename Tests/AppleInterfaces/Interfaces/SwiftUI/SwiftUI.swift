// What the adapters use of SwiftUI, restated from developer.apple.com/documentation/swiftui as of iOS 15: nothing newer is here, so nothing newer compiles.
// Behind each declaration is as much as the host (ViewHost.swift) needs to evaluate it.
public import Combine
public import Foundation
public import UIKit

/// documentation/swiftui/view
@MainActor @preconcurrency public protocol View {
    associatedtype Body: View
    @ViewBuilder var body: Body { get }

    func _evaluate(_ context: HostContext)
}

extension View {
    public func _evaluate(_ context: HostContext) {
        context.connect(self)
        body._evaluate(context.child("body"))
    }
}

extension Never: View {
    public var body: Never { fatalError("A view that has no body was asked for it.") }
}

/// documentation/swiftui/viewbuilder
@resultBuilder @MainActor public enum ViewBuilder {
    public static func buildBlock() -> EmptyView { EmptyView() }
    public static func buildBlock<Content: View>(_ content: Content) -> Content { content }
    public static func buildBlock<each Content: View>(_ content: repeat each Content) -> TupleView<repeat each Content> {
        TupleView(repeat each content)
    }
    public static func buildIf<Content: View>(_ content: Content?) -> Content? { content }
    public static func buildEither<First: View, Second: View>(first: First) -> _ConditionalContent<First, Second> { .first(first) }
    public static func buildEither<First: View, Second: View>(second: Second) -> _ConditionalContent<First, Second> { .second(second) }
}

/// A view without a body of its own.
@MainActor @preconcurrency public protocol PrimitiveView: View where Body == Never {}

extension PrimitiveView {
    public var body: Never { fatalError("A view that has no body was asked for it.") }
}

/// documentation/swiftui/emptyview
public struct EmptyView: PrimitiveView {
    public init() {}
    public func _evaluate(_ context: HostContext) {}
}

/// documentation/swiftui/tupleview
public struct TupleView<each Content: View>: PrimitiveView {
    let content: (repeat each Content)

    init(_ content: repeat each Content) { self.content = (repeat each content) }

    public func _evaluate(_ context: HostContext) {
        var index = 0
        for view in repeat each content {
            view._evaluate(context.child("\(index)"))
            index += 1
        }
    }
}

extension Optional: View, PrimitiveView where Wrapped: View {
    public typealias Body = Never
    public func _evaluate(_ context: HostContext) { self?._evaluate(context.child("some")) }
}

public enum _ConditionalContent<First: View, Second: View>: PrimitiveView {
    case first(First)
    case second(Second)

    public func _evaluate(_ context: HostContext) {
        switch self {
        case .first(let view): view._evaluate(context.child("first"))
        case .second(let view): view._evaluate(context.child("second"))
        }
    }
}

/// documentation/swiftui/anyview
public struct AnyView: PrimitiveView {
    private let evaluate: @MainActor (HostContext) -> Void

    public init<V: View>(_ view: V) { evaluate = { view._evaluate($0) } }

    public func _evaluate(_ context: HostContext) { evaluate(context) }
}

/// documentation/swiftui/color
public struct Color: PrimitiveView {
    let name: String
    /// documentation/swiftui/color/clear
    public nonisolated static var clear: Color { Color(name: "clear") }
    /// documentation/swiftui/color/red
    public nonisolated static var red: Color { Color(name: "red") }
    /// documentation/swiftui/color/green
    public nonisolated static var green: Color { Color(name: "green") }
    nonisolated init(name: String) { self.name = name }
    public func _evaluate(_ context: HostContext) {}
}

/// documentation/swiftui/text
public struct Text: PrimitiveView {
    let text: String
    var color = ""
    /// documentation/swiftui/text/init(verbatim:)
    public init(verbatim content: String) { text = content }
    /// documentation/swiftui/text/foregroundcolor(_:)
    public func foregroundColor(_ color: Color?) -> Text {
        var text = self
        text.color = color?.name ?? ""
        return text
    }
    public func _evaluate(_ context: HostContext) { context.host.drawn(context.placeName, color.isEmpty ? text : "\(color) \(text)") }
}

/// documentation/swiftui/rectangle
public struct Rectangle: PrimitiveView {
    public init() {}
    /// documentation/swiftui/insettableshape/strokeborder(_:linewidth:antialiased:)
    public func strokeBorder(_ content: Color, lineWidth: CGFloat = 1, antialiased: Bool = true) -> some View {
        effect { context, _ in context.host.drawn(context.placeName, "\(content.name) border") }
    }
    public func _evaluate(_ context: HostContext) {}
}

/// documentation/swiftui/timelineview
public struct TimelineView<Schedule: TimelineSchedule, Content: View>: PrimitiveView {
    /// documentation/swiftui/timelineview/context
    public struct Moment { public let date: Date }
    let content: (Moment) -> Content
    public init(_ schedule: Schedule, @ViewBuilder content: @escaping (Moment) -> Content) { self.content = content }
    public func _evaluate(_ context: HostContext) { content(Moment(date: Date()))._evaluate(context.child("timeline")) }
}

/// documentation/swiftui/timelineschedule
public protocol TimelineSchedule {}

/// documentation/swiftui/periodictimelineschedule
public struct PeriodicTimelineSchedule: TimelineSchedule {}

extension TimelineSchedule where Self == PeriodicTimelineSchedule {
    /// documentation/swiftui/timelineschedule/periodic(from:by:)
    public static func periodic(from startDate: Date, by interval: TimeInterval) -> PeriodicTimelineSchedule { PeriodicTimelineSchedule() }
}

/// documentation/swiftui/foreach
public struct ForEach<Data: RandomAccessCollection, ID: Hashable, Content: View>: PrimitiveView {
    let data: Data
    let id: KeyPath<Data.Element, ID>
    let content: (Data.Element) -> Content

    public init(_ data: Data, id: KeyPath<Data.Element, ID>, @ViewBuilder content: @escaping (Data.Element) -> Content) {
        self.data = data
        self.id = id
        self.content = content
    }

    public func _evaluate(_ context: HostContext) {
        for element in data { content(element)._evaluate(context.child("\(element[keyPath: id])")) }
    }
}

// MARK: Modifiers

/// documentation/swiftui/viewmodifier
@MainActor @preconcurrency public protocol ViewModifier {
    associatedtype Body: View
    @ViewBuilder func body(content: Content) -> Body
    typealias Content = _ViewModifier_Content<Self>
}

public struct _ViewModifier_Content<Modifier>: PrimitiveView {
    let evaluate: @MainActor (HostContext) -> Void
    public func _evaluate(_ context: HostContext) { evaluate(context) }
}

/// documentation/swiftui/modifiedcontent
public struct ModifiedContent<Content: View, Modifier: ViewModifier>: PrimitiveView {
    let content: Content
    let modifier: Modifier

    public func _evaluate(_ context: HostContext) {
        context.connect(modifier)
        let inner = _ViewModifier_Content<Modifier> { content._evaluate($0.child("content")) }
        modifier.body(content: inner)._evaluate(context.child("modifier"))
    }
}

/// A view that does something about another.
public struct _Effect<Content: View>: PrimitiveView {
    let content: Content
    let apply: @MainActor (HostContext, @MainActor (HostContext) -> Void) -> Void

    public func _evaluate(_ context: HostContext) { apply(context) { content._evaluate($0.child("content")) } }
}

extension View {
    /// documentation/swiftui/view/modifier(_:)
    public func modifier<Modifier: ViewModifier>(_ modifier: Modifier) -> ModifiedContent<Self, Modifier> {
        ModifiedContent(content: self, modifier: modifier)
    }

    func effect(_ apply: @escaping @MainActor (HostContext, @MainActor (HostContext) -> Void) -> Void) -> _Effect<Self> {
        _Effect(content: self, apply: apply)
    }

    /// documentation/swiftui/view/environment(_:_:)
    public func environment<Value>(_ keyPath: WritableKeyPath<EnvironmentValues, Value>, _ value: Value) -> some View {
        effect { context, content in
            var context = context
            context.environment[keyPath: keyPath] = value
            content(context)
        }
    }

    /// documentation/swiftui/view/onappear(perform:)
    public func onAppear(perform action: (() -> Void)? = nil) -> some View {
        effect { context, content in
            content(context)
            if let action { context.onAppear(action) }
        }
    }

    /// documentation/swiftui/view/ondisappear(perform:)
    public func onDisappear(perform action: (() -> Void)? = nil) -> some View {
        effect { context, content in
            content(context)
            if let action { context.onDisappear(action) }
        }
    }

    /// documentation/swiftui/view/onchange(of:perform:)
    public func onChange<Value: Equatable>(of value: Value, perform action: @escaping (_ newValue: Value) -> Void) -> some View {
        effect { context, content in
            context.onChange(of: value, action)
            content(context)
        }
    }

    /// documentation/swiftui/view/onreceive(_:perform:)
    public func onReceive<P: Publisher>(_ publisher: P, perform action: @escaping (P.Output) -> Void) -> some View where P.Failure == Never {
        effect { context, content in
            context.onReceive(publisher, action)
            content(context)
        }
    }

    /// documentation/swiftui/view/background(_:alignment:)
    public func background<Background: View>(_ background: Background) -> some View {
        effect { context, content in
            content(context)
            background._evaluate(context.child("background"))
        }
    }

    /// documentation/swiftui/view/overlay(_:alignment:)
    public func overlay<Overlay: View>(_ overlay: Overlay) -> some View {
        effect { context, content in
            content(context)
            overlay._evaluate(context.child("overlay"))
        }
    }

    /// documentation/swiftui/view/allowshittesting(_:)
    public func allowsHitTesting(_ enabled: Bool) -> some View { effect { context, content in content(context) } }

    /// documentation/swiftui/view/accessibilityhidden(_:)
    public func accessibilityHidden(_ hidden: Bool) -> some View { effect { context, content in content(context) } }

    /// documentation/swiftui/view/coordinatespace(name:)
    public func coordinateSpace<T: Hashable>(name: T) -> some View {
        effect { context, content in
            var context = context
            context.spaces[AnyHashable(name)] = context.frame.origin
            content(context)
        }
    }
}

// MARK: State

/// documentation/swiftui/dynamicproperty
@MainActor @preconcurrency public protocol DynamicProperty {
    func _connect(_ label: String, _ context: HostContext)
}

/// documentation/swiftui/state
@propertyWrapper public struct State<Value>: DynamicProperty {
    @MainActor final class Storage {
        var value: Value
        var didChange: () -> Void = {}

        init(_ value: Value) { self.value = value }
    }

    @MainActor final class Location { var storage: Storage? }

    private let initial: Value
    private let location: Location

    public init(wrappedValue: Value) {
        initial = wrappedValue
        location = Location()
    }

    public var wrappedValue: Value {
        get { location.storage?.value ?? initial }
        nonmutating set {
            location.storage?.value = newValue
            location.storage?.didChange()
        }
    }

    /// documentation/swiftui/state/projectedvalue
    public var projectedValue: Binding<Value> { Binding(get: { wrappedValue }, set: { wrappedValue = $0 }) }

    public func _connect(_ label: String, _ context: HostContext) {
        location.storage = context.stored(label) { Storage(initial) }
        location.storage?.didChange = { [host = context.host] in host.setNeedsEvaluation() }
    }
}

/// documentation/swiftui/environment
@propertyWrapper public struct Environment<Value>: DynamicProperty {
    @MainActor final class Location { var values: EnvironmentValues? }

    private let keyPath: KeyPath<EnvironmentValues, Value>
    private let location: Location

    public init(_ keyPath: KeyPath<EnvironmentValues, Value>) {
        self.keyPath = keyPath
        location = Location()
    }

    public var wrappedValue: Value { (location.values ?? EnvironmentValues())[keyPath: keyPath] }

    public func _connect(_ label: String, _ context: HostContext) { location.values = context.environment }
}

/// documentation/swiftui/environmentkey
public protocol EnvironmentKey {
    associatedtype Value
    static var defaultValue: Value { get }
}

/// documentation/swiftui/environmentvalues
public struct EnvironmentValues {
    private var values: [ObjectIdentifier: Any] = [:]

    public init() {}

    public subscript<Key: EnvironmentKey>(key: Key.Type) -> Key.Value {
        get { values[ObjectIdentifier(key)] as? Key.Value ?? key.defaultValue }
        set { values[ObjectIdentifier(key)] = newValue }
    }
}

// MARK: Geometry

/// documentation/swiftui/coordinatespace
public enum CoordinateSpace {
    case global
    case local
    case named(AnyHashable)

    /// documentation/swiftui/coordinatespace/named(_:)
    static func named(_ name: some Hashable) -> CoordinateSpace { .named(AnyHashable(name)) }
}

/// documentation/swiftui/geometryproxy
@MainActor public struct GeometryProxy {
    let context: HostContext

    public var size: CGSize { context.frame.size }

    public func frame(in space: CoordinateSpace) -> CGRect {
        switch space {
        case .global: return context.frame
        case .local: return CGRect(origin: .zero, size: context.frame.size)
        case .named(let name):
            let origin = context.spaces[name] ?? .zero
            return CGRect(
                x: context.frame.minX - origin.x, y: context.frame.minY - origin.y, width: context.frame.width, height: context.frame.height)
        }
    }
}

/// documentation/swiftui/geometryreader
public struct GeometryReader<Content: View>: PrimitiveView {
    let content: (GeometryProxy) -> Content

    public init(@ViewBuilder content: @escaping (GeometryProxy) -> Content) { self.content = content }

    public func _evaluate(_ context: HostContext) { content(GeometryProxy(context: context))._evaluate(context.child("geometry")) }
}

/// documentation/swiftui/axis
public enum Axis: Int8, CaseIterable, Sendable {
    case horizontal, vertical

    /// documentation/swiftui/axis/set
    public struct Set: OptionSet, Sendable {
        public let rawValue: Int8
        public init(rawValue: Int8) { self.rawValue = rawValue }
        public static let horizontal = Set(rawValue: 1)
        public static let vertical = Set(rawValue: 2)
    }
}

/// documentation/swiftui/scrollview
public struct ScrollView<Content: View>: PrimitiveView {
    let content: Content

    public init(_ axes: Axis.Set = .vertical, showsIndicators: Bool = true, @ViewBuilder content: () -> Content) { self.content = content() }

    public func _evaluate(_ context: HostContext) {
        var inner = context.child("scroll")
        let offset = context.host.offset(ofScrollView: context.placeName)
        inner.clip = context.clip.intersection(context.frame)
        inner.frame.origin = CGPoint(x: context.frame.minX - offset.x, y: context.frame.minY - offset.y)
        content._evaluate(inner)
    }
}

// MARK: Observed objects and bindings

/// documentation/swiftui/observedobject
@propertyWrapper public struct ObservedObject<ObjectType: ObservableObject>: DynamicProperty {
    public let wrappedValue: ObjectType

    public init(wrappedValue: ObjectType) { self.wrappedValue = wrappedValue }

    public func _connect(_ label: String, _ context: HostContext) {
        context.host.observe(context.path + "#" + label, wrappedValue.objectWillChange)
    }
}

/// documentation/swiftui/binding
@propertyWrapper public struct Binding<Value> {
    private let get: () -> Value
    private let set: (Value) -> Void

    public init(get: @escaping () -> Value, set: @escaping (Value) -> Void) {
        self.get = get
        self.set = set
    }

    public var wrappedValue: Value {
        get { get() }
        nonmutating set { set(newValue) }
    }

    /// documentation/swiftui/binding/projectedvalue
    public var projectedValue: Binding<Value> { self }
}

extension View {
    /// documentation/swiftui/view/fullscreencover(item:ondismiss:content:)
    ///
    /// What is behind a cover stays, as it does in a window, and has disappeared meanwhile.
    public func fullScreenCover<Item: Identifiable, Content: View>(
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

    /// documentation/swiftui/view/sheet(item:ondismiss:content:)
    public func sheet<Item: Identifiable, Content: View>(
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

/// documentation/swiftui/button
public struct Button<Label: View>: PrimitiveView {
    let action: () -> Void
    let label: Label

    public init(action: @escaping () -> Void, @ViewBuilder label: () -> Label) {
        self.action = action
        self.label = label()
    }

    public func _evaluate(_ context: HostContext) {
        guard let style = context.buttonStyle else {
            context.host.button(context.placeName, action)
            return label._evaluate(context.child("label"))
        }
        var inner = context.child("style")
        inner.buttonStyle = nil
        style(PrimitiveButtonStyleConfiguration(role: nil, label: .init(view: AnyView(label)), action: action))._evaluate(inner)
    }
}

extension Button {
    /// documentation/swiftui/button/init(role:action:label:)
    public init(role: ButtonRole?, action: @escaping () -> Void, @ViewBuilder label: () -> Label) { self.init(action: action, label: label) }
}

/// documentation/swiftui/buttonrole
public struct ButtonRole: Equatable, Sendable {}

/// documentation/swiftui/primitivebuttonstyleconfiguration
@MainActor public struct PrimitiveButtonStyleConfiguration {
    public struct Label: PrimitiveView {
        let view: AnyView
        public func _evaluate(_ context: HostContext) { view._evaluate(context) }
    }

    public let role: ButtonRole?
    public let label: Label
    let action: () -> Void

    /// documentation/swiftui/primitivebuttonstyleconfiguration/trigger()
    public func trigger() { action() }
}

/// documentation/swiftui/primitivebuttonstyle
@MainActor @preconcurrency public protocol PrimitiveButtonStyle {
    associatedtype Body: View
    typealias Configuration = PrimitiveButtonStyleConfiguration
    @ViewBuilder func makeBody(configuration: Configuration) -> Body
}

extension View {
    /// documentation/swiftui/view/buttonstyle(_:)-66fbx
    public func buttonStyle<Style: PrimitiveButtonStyle>(_ style: Style) -> some View {
        effect { context, content in
            var context = context
            context.buttonStyle = { AnyView(style.makeBody(configuration: $0)) }
            content(context)
        }
    }
}

/// documentation/swiftui/tapgesture
@MainActor public struct TapGesture {
    var action: () -> Void = {}

    public init() {}

    /// documentation/swiftui/gesture/onended(_:)
    public func onEnded(_ action: @escaping () -> Void) -> TapGesture {
        var gesture = self
        gesture.action = action
        return gesture
    }
}

extension View {
    /// documentation/swiftui/view/simultaneousgesture(_:including:)
    public func simultaneousGesture(_ gesture: TapGesture) -> some View {
        effect { context, content in
            context.host.button(context.placeName, gesture.action)
            content(context)
        }
    }
}

// MARK: What the example uses beside

/// documentation/swiftui/uihostingcontroller
@MainActor open class UIHostingController<Content: View>: UIViewController {
    /// documentation/swiftui/uihostingcontroller/rootview
    open var rootView: Content

    public init(rootView: Content) {
        self.rootView = rootView
        super.init()
    }

    public required init?(coder: NSCoder) { nil }
}

// Stacks' children lie one over the other here: places are given.

/// documentation/swiftui/vstack
public struct VStack<Content: View>: PrimitiveView {
    let content: Content
    public init(spacing: CGFloat? = nil, @ViewBuilder content: () -> Content) { self.content = content() }
    public func _evaluate(_ context: HostContext) { content._evaluate(context.child("stack")) }
}

/// documentation/swiftui/hstack
public struct HStack<Content: View>: PrimitiveView {
    let content: Content
    public init(spacing: CGFloat? = nil, @ViewBuilder content: () -> Content) { self.content = content() }
    public func _evaluate(_ context: HostContext) { content._evaluate(context.child("stack")) }
}

/// documentation/swiftui/zstack
public struct ZStack<Content: View>: PrimitiveView {
    let content: Content
    public init(@ViewBuilder content: () -> Content) { self.content = content() }
    public func _evaluate(_ context: HostContext) { content._evaluate(context.child("stack")) }
}

/// documentation/swiftui/lazyvstack
public struct LazyVStack<Content: View>: PrimitiveView {
    let content: Content
    public init(spacing: CGFloat? = nil, @ViewBuilder content: () -> Content) { self.content = content() }
    public func _evaluate(_ context: HostContext) { content._evaluate(context.child("stack")) }
}

/// documentation/swiftui/lazyhstack
public struct LazyHStack<Content: View>: PrimitiveView {
    let content: Content
    public init(spacing: CGFloat? = nil, @ViewBuilder content: () -> Content) { self.content = content() }
    public func _evaluate(_ context: HostContext) { content._evaluate(context.child("stack")) }
}

/// documentation/swiftui/scrollviewreader
public struct ScrollViewReader<Content: View>: PrimitiveView {
    let content: (ScrollViewProxy) -> Content
    public init(@ViewBuilder content: @escaping (ScrollViewProxy) -> Content) { self.content = content }
    public func _evaluate(_ context: HostContext) { content(ScrollViewProxy())._evaluate(context.child("reader")) }
}

/// documentation/swiftui/scrollviewproxy
@MainActor public struct ScrollViewProxy {
    /// documentation/swiftui/scrollviewproxy/scrollto(_:anchor:)
    public func scrollTo<ID: Hashable>(_ id: ID) {}
}

extension View {
    /// documentation/swiftui/view/frame(width:height:alignment:)
    public func frame(width: CGFloat? = nil, height: CGFloat? = nil) -> some View {
        effect { context, content in
            var context = context
            context.frame.size = CGSize(width: width ?? context.frame.width, height: height ?? context.frame.height)
            content(context)
        }
    }

    /// documentation/swiftui/view/accessibilityidentifier(_:)
    public func accessibilityIdentifier(_ identifier: String) -> some View { effect { context, content in content(context) } }

    /// documentation/swiftui/view/id(_:)
    public func id<ID: Hashable>(_ id: ID) -> some View { effect { context, content in content(context.child("\(id)")) } }
}

/// documentation/swiftui/uiviewcontrollerrepresentable
@MainActor @preconcurrency public protocol UIViewControllerRepresentable: PrimitiveView {
    associatedtype UIViewControllerType: UIViewController
    typealias Context = UIViewControllerRepresentableContext<Self>
    func makeUIViewController(context: Context) -> UIViewControllerType
    func updateUIViewController(_ uiViewController: UIViewControllerType, context: Context)
    /// documentation/swiftui/uiviewcontrollerrepresentable/dismantleuiviewcontroller(_:coordinator:)
    static func dismantleUIViewController(_ uiViewController: UIViewControllerType, coordinator: ())
}

/// documentation/swiftui/uiviewcontrollerrepresentablecontext
@MainActor public struct UIViewControllerRepresentableContext<Representable> {
    public init() {}
}

extension UIViewControllerRepresentable {
    public static func dismantleUIViewController(_ uiViewController: UIViewControllerType, coordinator: ()) {}

    public func _evaluate(_ context: HostContext) {
        context.connect(self)
        let controller = context.stored("controller") { makeUIViewController(context: Self.Context()) }
        updateUIViewController(controller, context: Self.Context())
        context.onAppear { context.host.appear(controller, level: context.level) }
        context.host.controllers[context.path] = (controller, { Self.dismantleUIViewController(controller, coordinator: ()) })
    }
}

extension View {
    /// documentation/swiftui/view/ignoressafearea(_:edges:)
    public func ignoresSafeArea() -> some View { effect { context, content in content(context) } }
}
