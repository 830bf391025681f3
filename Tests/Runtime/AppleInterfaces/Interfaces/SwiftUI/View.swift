// The part of SwiftUI that the adapters and the example use, restated from developer.apple.com/documentation/swiftui as
// of iOS 15, so newer APIs do not compile. Isolation follows the newest SDK. Views, modifier types and styles are
// isolated to the main actor. The functions of `View` and the initializers of views, property wrappers, keys and
// builders are nonisolated. The implementations contain only what the host (ViewHost.swift) needs for evaluation.
// Properties that an initializer stores for the main actor are `nonisolated(unsafe)`, because only the host reads them,
// on the main thread.
public import Foundation

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

@resultBuilder public struct ViewBuilder {
    public static func buildExpression<Content: View>(_ content: Content) -> Content { content }
    public static func buildBlock() -> EmptyView { EmptyView() }
    public static func buildBlock<Content: View>(_ content: Content) -> Content { content }
    public static func buildBlock<each Content: View>(_ content: repeat each Content) -> TupleView<
        (repeat each Content)
    > {
        TupleView((repeat each content)) { context in
            var index = 0
            for view in repeat each content {
                view._evaluate(context.child("\(index)"))
                index += 1
            }
        }
    }
    public static func buildIf<Content: View>(_ content: Content?) -> Content? { content }
    public static func buildEither<TrueContent: View, FalseContent: View>(first: TrueContent) -> _ConditionalContent<
        TrueContent, FalseContent
    > {
        _ConditionalContent(storage: .trueContent(first))
    }
    public static func buildEither<TrueContent: View, FalseContent: View>(second: FalseContent) -> _ConditionalContent<
        TrueContent, FalseContent
    > {
        _ConditionalContent(storage: .falseContent(second))
    }
    public static func buildLimitedAvailability<Content: View>(_ content: Content) -> AnyView { AnyView(content) }
}

/// A view without a body.
@MainActor @preconcurrency public protocol PrimitiveView: View where Body == Never {}

extension PrimitiveView {
    public var body: Never { fatalError("A view that has no body was asked for it.") }
}

public struct EmptyView: PrimitiveView {
    nonisolated public init() {}
    public func _evaluate(_ context: HostContext) {}
}

public struct TupleView<T>: PrimitiveView {
    nonisolated(unsafe) public var value: T
    nonisolated(unsafe) let evaluate: @MainActor (HostContext) -> Void

    nonisolated init(_ value: T, evaluate: @escaping @MainActor (HostContext) -> Void) {
        self.value = value
        self.evaluate = evaluate
    }

    public func _evaluate(_ context: HostContext) { evaluate(context) }
}

extension Optional: View, PrimitiveView where Wrapped: View {
    public typealias Body = Never
    public func _evaluate(_ context: HostContext) { self?._evaluate(context.child("some")) }
}

public struct _ConditionalContent<TrueContent: View, FalseContent: View>: PrimitiveView {
    enum Storage {
        case trueContent(TrueContent)
        case falseContent(FalseContent)
    }

    let storage: Storage

    nonisolated init(storage: Storage) { self.storage = storage }

    public func _evaluate(_ context: HostContext) {
        switch storage {
        case .trueContent(let view): view._evaluate(context.child("first"))
        case .falseContent(let view): view._evaluate(context.child("second"))
        }
    }
}

public struct AnyView: PrimitiveView {
    nonisolated(unsafe) private let evaluate: @MainActor (HostContext) -> Void

    nonisolated public init<V: View>(_ view: V) { evaluate = { view._evaluate($0) } }

    public func _evaluate(_ context: HostContext) { evaluate(context) }
}

public struct Color: PrimitiveView, Sendable {
    let name: String
    nonisolated public static let clear = Color(name: "clear")
    nonisolated public static let red = Color(name: "red")
    nonisolated public static let green = Color(name: "green")
    nonisolated public static let secondary = Color(name: "secondary")
    nonisolated init(name: String) { self.name = name }
    public func _evaluate(_ context: HostContext) {}
}

public struct Text: PrimitiveView, Sendable {
    let text: String
    let color: String
    nonisolated public init(verbatim content: String) { self.init(content, color: "") }
    nonisolated init(_ text: String, color: String) { (self.text, self.color) = (text, color) }
    nonisolated public func foregroundColor(_ color: Color?) -> Text { Text(text, color: color?.name ?? "") }
    public func _evaluate(_ context: HostContext) {
        if let action = context.action { context.host.button("text: \(text)", action) }
        context.host.drawn(context.placeName, color.isEmpty ? text : "\(color) \(text)")
    }
}

public struct Rectangle: PrimitiveView, Sendable {
    nonisolated public init() {}
    nonisolated public func strokeBorder(_ content: Color, lineWidth: CGFloat = 1, antialiased: Bool = true)
        -> some View
    {
        effect { context, _ in context.host.drawn(context.placeName, "\(content.name) border") }
    }
    public func _evaluate(_ context: HostContext) {}
}

public struct TimelineView<Schedule: TimelineSchedule, Content: View>: PrimitiveView {
    public struct Context { public let date: Date }
    nonisolated(unsafe) let content: (Context) -> Content
    nonisolated public init(_ schedule: Schedule, @ViewBuilder content: @escaping (Context) -> Content) {
        self.content = content
    }
    public func _evaluate(_ context: HostContext) {
        content(Context(date: Date()))._evaluate(context.child("timeline"))
    }
}

public protocol TimelineSchedule {}

public struct PeriodicTimelineSchedule: TimelineSchedule, Sendable {}

extension TimelineSchedule where Self == PeriodicTimelineSchedule {
    public static func periodic(from startDate: Date, by interval: TimeInterval) -> PeriodicTimelineSchedule {
        PeriodicTimelineSchedule()
    }
}

public struct ForEach<Data: RandomAccessCollection, ID: Hashable, Content> {
    let data: Data
    let id: KeyPath<Data.Element, ID>
    let content: (Data.Element) -> Content
}

extension ForEach: View, PrimitiveView where Content: View {
    nonisolated public init(
        _ data: Data, id: KeyPath<Data.Element, ID>, @ViewBuilder content: @escaping (Data.Element) -> Content
    ) {
        self.init(data: data, id: id, content: content)
    }

    public func _evaluate(_ context: HostContext) {
        for (row, element) in data.enumerated() {
            var inner = context.child("\(element[keyPath: id])")
            if let height = context.host.rowHeight {
                inner.frame.origin.y += height * CGFloat(row)
                inner.frame.size.height = height
            }
            content(element)._evaluate(inner)
        }
    }
}

// The children of stacks overlap here, because tests give their places.

public struct HorizontalAlignment: Sendable {
    nonisolated public static let leading = HorizontalAlignment()
    nonisolated public static let center = HorizontalAlignment()
}

public struct VerticalAlignment: Sendable {
    nonisolated public static let center = VerticalAlignment()
}

public struct VStack<Content: View>: PrimitiveView {
    nonisolated(unsafe) let content: Content
    nonisolated public init(
        alignment: HorizontalAlignment = .center, spacing: CGFloat? = nil, @ViewBuilder content: () -> Content
    ) {
        self.content = content()
    }
    public func _evaluate(_ context: HostContext) { content._evaluate(context.child("stack")) }
}

public struct HStack<Content: View>: PrimitiveView {
    nonisolated(unsafe) let content: Content
    nonisolated public init(
        alignment: VerticalAlignment = .center, spacing: CGFloat? = nil, @ViewBuilder content: () -> Content
    ) {
        self.content = content()
    }
    public func _evaluate(_ context: HostContext) { content._evaluate(context.child("stack")) }
}

public struct ZStack<Content: View>: PrimitiveView {
    nonisolated(unsafe) let content: Content
    nonisolated public init(@ViewBuilder content: () -> Content) { self.content = content() }
    public func _evaluate(_ context: HostContext) { content._evaluate(context.child("stack")) }
}

public typealias LazyVStack<Content: View> = VStack<Content>
public typealias LazyHStack<Content: View> = HStack<Content>

// MARK: Geometry

public enum CoordinateSpace {
    case global
    case local
    case named(AnyHashable)

    static func named(_ name: some Hashable) -> CoordinateSpace { .named(AnyHashable(name)) }
}

public struct GeometryProxy {
    let window: CGRect
    let spaces: [AnyHashable: CGPoint]

    public var size: CGSize { window.size }

    public func frame(in coordinateSpace: CoordinateSpace) -> CGRect {
        switch coordinateSpace {
        case .global: return window
        case .local: return CGRect(origin: .zero, size: window.size)
        case .named(let name):
            let origin = spaces[name] ?? .zero
            return CGRect(
                x: window.minX - origin.x, y: window.minY - origin.y, width: window.width, height: window.height)
        }
    }
}

public struct GeometryReader<Content: View>: PrimitiveView {
    nonisolated(unsafe) public var content: (GeometryProxy) -> Content

    nonisolated public init(@ViewBuilder content: @escaping (GeometryProxy) -> Content) { self.content = content }

    public func _evaluate(_ context: HostContext) {
        content(GeometryProxy(window: context.frame, spaces: context.spaces))._evaluate(context.child("geometry"))
    }
}

public enum Axis: Int8, CaseIterable, Sendable {
    case horizontal, vertical

    public struct Set: OptionSet, Sendable {
        public let rawValue: Int8
        public init(rawValue: Int8) { self.rawValue = rawValue }
        public static let horizontal = Set(rawValue: 1)
        public static let vertical = Set(rawValue: 2)
    }
}

public struct ScrollView<Content: View>: PrimitiveView {
    nonisolated(unsafe) public var content: Content

    nonisolated public init(
        _ axes: Axis.Set = .vertical, showsIndicators: Bool = true, @ViewBuilder content: () -> Content
    ) {
        self.content = content()
    }

    public func _evaluate(_ context: HostContext) {
        var inner = context.child("scroll")
        let offset = context.host.offset(ofScrollView: context.placeName)
        inner.clip = context.clip.intersection(context.frame)
        inner.frame.origin = CGPoint(x: context.frame.minX - offset.x, y: context.frame.minY - offset.y)
        content._evaluate(inner)
    }
}

public struct ScrollViewReader<Content: View>: PrimitiveView {
    nonisolated(unsafe) public var content: (ScrollViewProxy) -> Content
    nonisolated public init(@ViewBuilder content: @escaping (ScrollViewProxy) -> Content) { self.content = content }
    public func _evaluate(_ context: HostContext) { content(ScrollViewProxy())._evaluate(context.child("reader")) }
}

public struct ScrollViewProxy {
    public func scrollTo<ID: Hashable>(_ id: ID) {}
}
