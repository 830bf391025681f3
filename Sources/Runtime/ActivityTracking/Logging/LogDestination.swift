public import Foundation

/// Where records go.
public protocol LogDestination: Sendable {
    /// Whether a record is for this destination.
    func accepts(_ record: LogRecord) -> Bool

    /// Whether it gets only the share of events that their definition's `sampling` says (``Sampling``). A destination
    /// that delivers says true, which is the default; one that shows every event that is posted says false.
    var isSampled: Bool { get }

    /// The share of such records that this destination wants, from 0 to 1, in place of the one that the definition
    /// says; nil for the definition's. It is asked at each post, whatever ``isSampled`` says, and returns at once. It
    /// cannot bring back what processors have dropped.
    func share(of record: LogRecord) -> Double?

    /// Is called, on the thread that posted the event, for each record that the share leaves out. The default does
    /// nothing.
    func omit(_ record: LogRecord)

    /// Takes a record on the thread that posted the event. It returns at once and never waits for disk or network.
    func receive<Event: LogCategory>(_ record: LogRecord, of event: Event)

    /// Hears what the user has agreed to: once before the first record, and then each time it changes, in order.
    func collectionDidChange(to policy: CollectionPolicy)

    /// Returns when the records received before are as safe as the destination can make them.
    func flush() async

    /// Delivers what is left for at most `seconds`, and ends.
    func shutdown(within seconds: TimeInterval) async
}

extension LogDestination {
    public func accepts(_ record: LogRecord) -> Bool { true }
    public var isSampled: Bool { true }
    public func share(of record: LogRecord) -> Double? { nil }
    public func omit(_ record: LogRecord) {}
    public func collectionDidChange(to policy: CollectionPolicy) {}
    public func flush() async {}
    public func shutdown(within seconds: TimeInterval) async { await flush() }

    /// The destination, for records of these categories only.
    public func limited(to categories: [any LogCategory.Type]) -> some LogDestination {
        let names = Set(categories.map { $0.definition.name })
        return limited { names.contains($0.category) }
    }

    /// The destination, for some records only: those of one event, say, or of an owner's categories.
    public func limited(where isWanted: @escaping @Sendable (LogRecord) -> Bool) -> some LogDestination {
        LimitedDestination(destination: self, isWanted: isWanted)
    }
}

private struct LimitedDestination<Destination: LogDestination>: LogDestination {
    let destination: Destination
    let isWanted: @Sendable (LogRecord) -> Bool

    var isSampled: Bool { destination.isSampled }

    func share(of record: LogRecord) -> Double? { destination.share(of: record) }

    func omit(_ record: LogRecord) { destination.omit(record) }

    func accepts(_ record: LogRecord) -> Bool { isWanted(record) && destination.accepts(record) }

    func receive<Event: LogCategory>(_ record: LogRecord, of event: Event) { destination.receive(record, of: event) }

    func collectionDidChange(to policy: CollectionPolicy) { destination.collectionDidChange(to: policy) }

    func flush() async { await destination.flush() }

    func shutdown(within seconds: TimeInterval) async { await destination.shutdown(within: seconds) }
}
