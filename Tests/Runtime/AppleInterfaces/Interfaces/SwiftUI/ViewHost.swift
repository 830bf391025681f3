import Combine
public import Foundation
public import UIKit

/// Evaluates views without a screen: bodies, state, environment, appearances, changes, publishers, and given frames.
///
/// A view is identified by its path through the tree. Every evaluation walks the whole tree. Views that are no longer
/// in the tree have disappeared.
@MainActor
public final class ViewHost {
    private struct Effects {
        var appeared: [String: () -> Void] = [:]
        var order: [String] = []
        var disappeared: [String: () -> Void] = [:]
        var changes: [() -> Void] = []
        var paths: Set<String> = []
        var drawings: [String: [String]] = [:]
        var taps: [String: [() -> Void]] = [:]
        var search: ((String) -> Void)?
        /// The paths of views that are not in the tree now and keep their state.
        var kept: [String] = []
    }

    private let root: AnyView
    /// The size of the window.
    public var size: CGSize { didSet { evaluate() } }
    /// The height that layout would give each element of a `ForEach`, one below the other; nil if they have places.
    let rowHeight: CGFloat?
    private var storage: [String: AnyObject] = [:]
    private var values: [String: Any] = [:]
    private var subscriptions: [String: AnyCancellable] = [:]
    private var handlers: [String: Any] = [:]
    /// The last explicit identity in a place, and the number of changes. A description may not tell identities apart.
    private var identities: [String: (id: AnyHashable, changes: Int)] = [:]
    private var appeared: Set<String> = []
    private var disappearances: [(path: String, action: () -> Void)] = []
    private var offsets: [String: CGPoint] = [:]
    private var effects = Effects()
    private var isEvaluating = false
    private var needsEvaluation = false

    public init(
        size: CGSize, rowHeight: CGFloat? = nil, isShown: Bool = true, @ViewBuilder _ root: () -> some View
    ) {
        self.size = size
        self.rowHeight = rowHeight
        self.isShown = isShown
        self.root = AnyView(root())
        evaluate()
    }

    func offset(ofScrollView name: String) -> CGPoint { offsets[name] ?? .zero }

    public func scroll(_ name: String, to offset: CGPoint) {
        offsets[name] = offset
        evaluate()
    }

    /// Shows or hides the screen. A screen that is covered by another keeps its state.
    public var isShown = true {
        didSet {
            guard isShown != oldValue else { return }
            if isShown {
                evaluate()
            } else {
                appeared = []
                let actions = disappearances
                disappearances = []
                for (_, action) in actions { action() }
            }
        }
    }

    public func setNeedsEvaluation() {
        needsEvaluation = true
        if !isEvaluating { evaluate() }
    }

    public func evaluate() {
        guard isShown else { return }
        isEvaluating = true
        repeat {
            needsEvaluation = false
            pass()
        } while needsEvaluation
        isEvaluating = false
    }

    private func pass() {
        effects = Effects()
        let window = CGRect(origin: .zero, size: size)
        root._evaluate(
            HostContext(
                host: self, path: "", environment: EnvironmentValues(), frame: window, clip: window, spaces: [:],
                placeName: ""))
        let effects = effects
        let gone = disappearances.filter { !effects.paths.contains($0.path) }
        for path in appeared.subtracting(effects.paths) {
            appeared.remove(path)
        }
        for table in [storage.keys.map { $0 }, values.keys.map { $0 }, subscriptions.keys.map { $0 }] {
            for key in table where !effects.paths.contains(String(key.prefix { $0 != "#" })) {
                if !effects.kept.contains(where: { key.hasPrefix($0) }) {
                    storage[key] = nil
                    controllers.removeValue(forKey: String(key.prefix { $0 != "#" }))?.dismantle()
                }
                values[key] = nil
                subscriptions[key] = nil
                handlers[key] = nil
            }
        }
        disappearances = effects.order.compactMap { path in effects.disappeared[path].map { (path, $0) } }
        for path in effects.order where !appeared.contains(path) {
            appeared.insert(path)
            effects.appeared[path]?()
        }
        tellControllers()
        // As in SwiftUI, appearances are reported before disappearances.
        for (_, action) in gone { action() }
        for change in effects.changes { change() }
    }

    private struct Box<Value> { var value: Value }

    fileprivate func note(_ path: String) {
        if effects.paths.insert(path).inserted { effects.order.append(path) }
    }

    fileprivate func onAppear(_ path: String, _ action: @escaping () -> Void) {
        note(path)
        effects.appeared[path] = action
    }

    fileprivate func onDisappear(_ path: String, _ action: @escaping () -> Void) {
        note(path)
        effects.disappeared[path] = action
    }

    fileprivate func onChange<Value: Equatable>(_ path: String, of value: Value, _ action: @escaping (Value) -> Void) {
        note(path)
        let key = path + "#change"
        // The value is in a box of its type: a cast would confuse nil values of hashable types.
        if let before = (values[key] as? Box<Value>)?.value, before != value {
            effects.changes.append { action(value) }
        }
        values[key] = Box(value: value)
    }

    fileprivate func onReceive<P: Publisher>(_ path: String, _ publisher: P, _ action: @escaping (P.Output) -> Void) {
        note(path)
        let key = path + "#receive"
        handlers[key] = action
        guard subscriptions[key] == nil else { return }
        subscriptions[key] = publisher._subscribe { [weak self] output in
            MainActor.assumeIsolated { (self?.handlers[key] as? (P.Output) -> Void)?(output) }
        }
    }

    /// Observes an object that is about to change. `settle()` then evaluates again.
    func observe<P: Publisher>(_ key: String, _ publisher: P) {
        guard subscriptions[key] == nil else { return }
        subscriptions[key] = publisher._subscribe { [weak self] _ in
            MainActor.assumeIsolated { self?.needsEvaluation = true }
        }
    }

    /// Evaluates if objects have changed, like the run loop.
    public func settle() { if needsEvaluation { evaluate() } }

    /// The controllers of representable views, and the actions that dismantle them, by the path of the view.
    public internal(set) var controllers: [String: (controller: UIViewController, dismantle: () -> Void)] = [:]

    /// Makes UIKit present a controller over everything, such as a share sheet, or dismiss it if nil.
    public func presentElsewhere(_ controller: UIViewController?) {
        for known in controllers.values { known.controller._present(controller) }
    }

    /// Indicates whether presentations take time. If so, they end with ``endTransitions()``. Then controllers appear,
    /// and until then nothing else can be presented.
    public var hasTransitions = false
    private var isInTransition = false
    /// The presentations that were requested during a transition. UIKit only warns about them.
    private var refused: Set<String> = []
    private var newControllers: [(controller: UIViewController, level: Int)] = []
    private var appearing: [UIViewController] = []
    /// The completions of dismissals.
    private var ending: [() -> Void] = []

    /// Begins another transition of UIKit.
    public func beginTransition() { isInTransition = true }

    /// Cancels a transition, as when a person begins a swipe back and lets go. The views have appeared and disappeared
    /// by then, but no controller has been notified.
    public func cancelTransition() {
        isInTransition = false
        appearing = []
        isShown = false
    }

    public func endTransitions() {
        isInTransition = false
        let (controllers, dismissals) = (appearing, ending)
        (appearing, ending) = ([], [])
        for dismissal in dismissals { dismissal() }
        for controller in controllers { controller.viewDidAppear(true) }
        settle()
    }

    /// Notes that the view of a controller exists. Presenting controllers are notified before presented ones.
    func appear(_ controller: UIViewController, level: Int) { newControllers.append((controller, level)) }

    private func tellControllers() {
        let controllers = newControllers.sorted { $0.level < $1.level }.map(\.controller)
        newControllers = []
        if isInTransition {
            appearing += controllers
        } else {
            for controller in controllers { controller.viewDidAppear(false) }
        }
    }

    /// Notes whether an item is presented. `onDismiss` runs when it no longer is.
    ///
    /// - Returns: True if the item is visible.
    func presents(_ key: String, _ isPresented: Bool, onDismiss: (() -> Void)?) -> Bool {
        note(String(key.prefix { $0 != "#" }))
        let before = values[key] as? Bool == true
        if isPresented, !before {
            if isInTransition { refused.insert(key) }
            isInTransition = hasTransitions
        }
        if before, !isPresented {
            if refused.remove(key) == nil {
                isInTransition = hasTransitions
                if let onDismiss { hasTransitions ? ending.append(onDismiss) : effects.changes.append(onDismiss) }
            }
        }
        values[key] = isPresented
        return !refused.contains(key)
    }

    /// Adds an action for taps in a place, from the inside out.
    func button(_ name: String, _ action: @escaping () -> Void) { effects.taps[name, default: []].append(action) }

    func drawn(_ name: String, _ what: String) { effects.drawings[name, default: []].append(what) }

    /// Returns what the last evaluation of the views drew in the `Place` with this name, for example `red border`.
    public func drawings(in name: String) -> [String] { effects.drawings[name] ?? [] }

    /// Taps the views in a place.
    public func tap(_ name: String) {
        for action in effects.taps[name] ?? [] { action() }
    }

    /// Taps the control whose label has this text.
    public func tap(text: String) { tap("text: " + text) }

    func searchField(_ setText: @escaping (String) -> Void) { effects.search = setText }

    /// Enters a text into the search field.
    public func search(for text: String) { effects.search?(text) }

    /// Returns a name for an explicit identity in a place, which changes with the identity.
    fileprivate func name(of id: AnyHashable, at path: String) -> String {
        let known = identities[path]
        let changes = known.map { $0.id == id ? $0.changes : $0.changes + 1 } ?? 0
        identities[path] = (id, changes)
        return "id \(changes)"
    }

    func keep(_ path: String) { effects.kept.append(path + "/") }

    fileprivate func stored<Object: AnyObject>(_ key: String, _ make: () -> Object) -> Object {
        if let known = storage[key] as? Object { return known }
        let made = make()
        storage[key] = made
        return made
    }
}

/// The context of an evaluation.
@MainActor public struct HostContext {
    public let host: ViewHost
    fileprivate(set) var path: String
    public internal(set) var environment: EnvironmentValues
    /// The frame in the window.
    public internal(set) var frame: CGRect
    /// The part of the window in which the content is visible.
    var clip: CGRect
    var spaces: [AnyHashable: CGPoint]
    /// The innermost place.
    var placeName: String
    /// The number of enclosing presentations.
    var level = 0
    var buttonStyle: (@MainActor (PrimitiveButtonStyleConfiguration) -> AnyView)?
    /// The action of the surrounding control, and the selection of a choice in the surrounding picker.
    var action: (@MainActor () -> Void)?
    var select: (@MainActor (Any) -> Void)?

    func child(_ name: String) -> HostContext {
        var child = self
        child.path += "/" + name
        return child
    }

    func identified(by id: AnyHashable) -> HostContext { child(host.name(of: id, at: path)) }

    func presented(_ name: String) -> HostContext {
        var context = child(name)
        context.level += 1
        return context
    }

    func connect(_ value: Any) {
        host.note(path)
        for child in Mirror(reflecting: value).children {
            (child.value as? any DynamicProperty)?._connect(child.label ?? "?", self)
        }
    }

    func stored<Object: AnyObject>(_ label: String, _ make: () -> Object) -> Object {
        host.stored(path + "#" + label, make)
    }

    func onAppear(_ action: @escaping () -> Void) { host.onAppear(path + "/+", action) }
    func onDisappear(_ action: @escaping () -> Void) { host.onDisappear(path + "/-", action) }
    func onChange<Value: Equatable>(of value: Value, _ action: @escaping (Value) -> Void) {
        host.onChange(path + "/=", of: value, action)
    }
    func onReceive<P: Publisher>(_ publisher: P, _ action: @escaping (P.Output) -> Void) {
        host.onReceive(path + "/<", publisher, action)
    }
}

/// A view with the frame that layout would give it, relative to its container. A lazy place has a view only while a
/// part of it is in view.
public struct Place<Content: View>: PrimitiveView {
    let name: String
    let place: CGRect
    let isLazy: Bool
    let content: Content

    public init(_ name: String, _ frame: CGRect, isLazy: Bool = false, @ViewBuilder content: () -> Content) {
        self.name = name
        place = frame
        self.isLazy = isLazy
        self.content = content()
    }

    public func _evaluate(_ context: HostContext) {
        var inner = context.child(name)
        inner.placeName = name
        inner.frame = CGRect(
            x: context.frame.minX + place.minX, y: context.frame.minY + place.minY, width: place.width,
            height: place.height)
        let visible = inner.frame.intersection(context.clip)
        // Lazy stacks keep the state of the views that they have created.
        guard !isLazy || (!visible.isNull && visible.width > 0 && visible.height > 0) else {
            return context.host.keep(inner.path)
        }
        content._evaluate(inner)
    }
}
