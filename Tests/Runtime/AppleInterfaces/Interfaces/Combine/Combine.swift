// The part of Combine that the adapters use, restated from developer.apple.com/documentation/combine and implemented as
// far as the host needs.

public protocol Publisher<Output, Failure> {
    associatedtype Output
    associatedtype Failure: Error

    /// Replaces `receive(subscriber:)`.
    func _subscribe(_ receive: @escaping (Output) -> Void) -> AnyCancellable
}

extension Publisher {
    public func eraseToAnyPublisher() -> AnyPublisher<Output, Failure> { AnyPublisher(self) }

    public func sink(receiveValue: @escaping ((Output) -> Void)) -> AnyCancellable where Failure == Never {
        _subscribe(receiveValue)
    }
}

public struct AnyPublisher<Output, Failure: Error>: Publisher {
    private let subscribe: (@escaping (Output) -> Void) -> AnyCancellable

    public init<P: Publisher<Output, Failure>>(_ publisher: P) { subscribe = { publisher._subscribe($0) } }

    public func _subscribe(_ receive: @escaping (Output) -> Void) -> AnyCancellable { subscribe(receive) }
}

public struct Empty<Output, Failure: Error>: Publisher {
    public init(completeImmediately: Bool = true) {}

    public func _subscribe(_ receive: @escaping (Output) -> Void) -> AnyCancellable { AnyCancellable {} }
}

public final class PassthroughSubject<Output, Failure: Error>: Publisher {
    private var subscribers: [Int: (Output) -> Void] = [:]
    private var last = 0

    public init() {}

    public func send(_ input: Output) {
        for (_, receive) in subscribers.sorted(by: { $0.key < $1.key }) { receive(input) }
    }

    public func _subscribe(_ receive: @escaping (Output) -> Void) -> AnyCancellable {
        last += 1
        let number = last
        subscribers[number] = receive
        return AnyCancellable { [weak self] in self?.subscribers[number] = nil }
    }
}

public protocol Cancellable {
    func cancel()
}

public final class AnyCancellable: Cancellable, Hashable {
    private var onCancel: (() -> Void)?

    public init(_ cancel: @escaping () -> Void) { onCancel = cancel }

    public func cancel() {
        onCancel?()
        onCancel = nil
    }

    public static func == (left: AnyCancellable, right: AnyCancellable) -> Bool { left === right }

    public func hash(into hasher: inout Hasher) { hasher.combine(ObjectIdentifier(self)) }

    deinit { cancel() }
}

public protocol ObservableObject: AnyObject {
    associatedtype ObjectWillChangePublisher: Publisher = ObservableObjectPublisher
    where ObjectWillChangePublisher.Failure == Never
    var objectWillChange: ObjectWillChangePublisher { get }
}

extension ObservableObject where ObjectWillChangePublisher == ObservableObjectPublisher {
    public var objectWillChange: ObservableObjectPublisher { publishers.publisher(of: self) }
}

public final class ObservableObjectPublisher: Publisher {
    public typealias Output = Void
    public typealias Failure = Never
    private let subject = PassthroughSubject<Void, Never>()

    public init() {}

    public func send() { subject.send(()) }

    public func _subscribe(_ receive: @escaping (Output) -> Void) -> AnyCancellable { subject._subscribe(receive) }
}

@propertyWrapper public struct Published<Value> {
    private var value: Value

    public init(wrappedValue: Value) { value = wrappedValue }

    @available(*, unavailable) public var wrappedValue: Value {
        get { value }
        set { value = newValue }
    }

    public static subscript<Object: ObservableObject>(
        _enclosingInstance object: Object, wrapped _: ReferenceWritableKeyPath<Object, Value>,
        storage storage: ReferenceWritableKeyPath<Object, Self>
    ) -> Value {
        get { object[keyPath: storage].value }
        set {
            (object.objectWillChange as? ObservableObjectPublisher)?.send()
            object[keyPath: storage].value = newValue
        }
    }
}

/// The publishers of living objects. The host uses one thread.
private final class Publishers {
    private var known: [ObjectIdentifier: (object: Weak, publisher: ObservableObjectPublisher)] = [:]

    private struct Weak { weak var object: AnyObject? }

    func publisher(of object: AnyObject) -> ObservableObjectPublisher {
        if let entry = known[ObjectIdentifier(object)], entry.object.object === object { return entry.publisher }
        let publisher = ObservableObjectPublisher()
        known[ObjectIdentifier(object)] = (Weak(object: object), publisher)
        return publisher
    }
}

nonisolated(unsafe) private let publishers = Publishers()
