public import Foundation

/// Where records go.
public protocol LogDestination: Sendable {
    /// Whether a record is for this destination.
    func accepts(_ record: LogRecord) -> Bool

    /// Whether events come thinned out as their definition's `sampling` says (``Sampling``): true where they are delivered, false where all that is posted is
    /// to be seen. True unless a destination says otherwise.
    var isSampled: Bool { get }

    /// Takes a record on the thread that posted the event; it returns at once, whatever disk and network do.
    func receive<Event: LogCategory>(_ record: LogRecord, of event: Event)

    /// The user has decided otherwise; called once before the first record, too, and in the order of the decisions.
    func collectionDidChange(to policy: CollectionPolicy)

    /// Returns when what was received before is as safe as the destination can make it.
    func flush() async

    /// Gives what is left at most `seconds` to be delivered, and ends.
    func shutdown(within seconds: TimeInterval) async
}

extension LogDestination {
    public func accepts(_ record: LogRecord) -> Bool { true }
    public var isSampled: Bool { true }
    public func collectionDidChange(to policy: CollectionPolicy) {}
    public func flush() async {}
    public func shutdown(within seconds: TimeInterval) async { await flush() }

    /// The destination for records of these categories alone.
    public func limited(to categories: [any LogCategory.Type]) -> some LogDestination {
        let names = Set(categories.map { $0.definition.name })
        return limited { names.contains($0.category) }
    }

    /// The destination for some records alone: of one event, of an owner's categories.
    public func limited(where isWanted: @escaping @Sendable (LogRecord) -> Bool) -> some LogDestination {
        LimitedDestination(destination: self, isWanted: isWanted)
    }
}

private struct LimitedDestination<Destination: LogDestination>: LogDestination {
    let destination: Destination
    let isWanted: @Sendable (LogRecord) -> Bool

    var isSampled: Bool { destination.isSampled }

    func accepts(_ record: LogRecord) -> Bool { isWanted(record) && destination.accepts(record) }

    func receive<Event: LogCategory>(_ record: LogRecord, of event: Event) { destination.receive(record, of: event) }

    func collectionDidChange(to policy: CollectionPolicy) { destination.collectionDidChange(to: policy) }

    func flush() async { await destination.flush() }

    func shutdown(within seconds: TimeInterval) async { await destination.shutdown(within: seconds) }
}
