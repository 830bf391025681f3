public import Combine

public protocol DynamicProperty {
    @MainActor func _connect(_ label: String, _ context: HostContext)
}

@propertyWrapper public struct State<Value>: DynamicProperty {
    final class Storage {
        var value: Value
        var didChange: @MainActor () -> Void = {}

        init(_ value: Value) { self.value = value }
    }

    final class Location { var storage: Storage? }

    private let initial: Value
    private let location = Location()

    public init(wrappedValue: Value) { initial = wrappedValue }

    public init(initialValue value: Value) { initial = value }

    public var wrappedValue: Value {
        get { location.storage?.value ?? initial }
        nonmutating set {
            guard let storage = location.storage else { return }
            storage.value = newValue
            MainActor.assumeIsolated { storage.didChange() }
        }
    }

    public var projectedValue: Binding<Value> { Binding(get: { wrappedValue }, set: { wrappedValue = $0 }) }

    public func _connect(_ label: String, _ context: HostContext) {
        location.storage = context.stored(label) { Storage(initial) }
        location.storage?.didChange = { [host = context.host] in host.setNeedsEvaluation() }
    }
}

// Declared as in SwiftUI. The host and its callers are on the main thread.
extension State: @unchecked Sendable where Value: Sendable {}

@propertyWrapper public struct Environment<Value>: DynamicProperty {
    final class Location { var values: EnvironmentValues? }

    private let keyPath: KeyPath<EnvironmentValues, Value>
    private let location = Location()

    public init(_ keyPath: KeyPath<EnvironmentValues, Value>) { self.keyPath = keyPath }

    public var wrappedValue: Value { (location.values ?? EnvironmentValues())[keyPath: keyPath] }

    public func _connect(_ label: String, _ context: HostContext) { location.values = context.environment }
}

// Declared as in SwiftUI. Only the host sets it.
extension Environment: @unchecked Sendable where Value: Sendable {}

public protocol EnvironmentKey {
    associatedtype Value
    static var defaultValue: Value { get }
}

public struct EnvironmentValues {
    private var values: [ObjectIdentifier: Any] = [:]

    public init() {}

    public subscript<K: EnvironmentKey>(key: K.Type) -> K.Value {
        get { values[ObjectIdentifier(key)] as? K.Value ?? key.defaultValue }
        set { values[ObjectIdentifier(key)] = newValue }
    }
}

@MainActor @preconcurrency @propertyWrapper public struct ObservedObject<ObjectType: ObservableObject>: DynamicProperty
{
    nonisolated(unsafe) private let object: ObjectType
    public var wrappedValue: ObjectType { object }

    nonisolated public init(wrappedValue: ObjectType) { object = wrappedValue }

    public func _connect(_ label: String, _ context: HostContext) {
        context.host.observe(context.path + "#" + label, wrappedValue.objectWillChange)
    }
}

@propertyWrapper public struct Binding<Value> {
    private let get: @isolated(any) @Sendable () -> Value
    private let set: @isolated(any) @Sendable (Value) -> Void

    @preconcurrency public init(
        get: @escaping @isolated(any) @Sendable () -> Value, set: @escaping @isolated(any) @Sendable (Value) -> Void
    ) {
        self.get = get
        self.set = set
    }

    public init(projectedValue: Binding<Value>) { self = projectedValue }

    public var wrappedValue: Value {
        // The host and the owners of these closures are on the main thread.
        get { unsafeBitCast(get, to: (@Sendable () -> Value).self)() }
        nonmutating set { unsafeBitCast(set, to: (@Sendable (Value) -> Void).self)(newValue) }
    }

    public var projectedValue: Binding<Value> { self }
}

// Declared as in SwiftUI. It contains sendable closures.
extension Binding: @unchecked Sendable where Value: Sendable {}
