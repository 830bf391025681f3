public import Foundation

/// A receiver of records, such as an outbox.
public protocol LogDestination: Sendable {
    /// Returns whether the destination accepts a record.
    func accepts(_ record: LogRecord) -> Bool

    /// A Boolean value that indicates whether the destination receives only the fraction of records in their
    /// definition's `sampling` (``Sampling``). The default is true, for destinations that deliver. Return false to show
    /// or check every event.
    var isSampled: Bool { get }

    /// Returns the fraction of such records that the destination wants, from 0 to 1, in place of the definition's; nil
    /// for the definition's. The logger calls this method for each event, regardless of ``isSampled``, so the method
    /// must return at once. No fraction restores records that processors have dropped.
    func share(of record: LogRecord) -> Double?

    /// Called on the posting thread for each record that sampling omits. The default does nothing.
    func omit(_ record: LogRecord)

    /// Receives a record on the posting thread. It must return at once, without waiting for the disk or the network.
    func receive<Event: LogCategory>(_ record: LogRecord, of event: Event)

    /// Called with the user's consent: once before the first record, then at each change, in order.
    func collectionDidChange(to policy: CollectionPolicy)

    /// Waits until the records received so far are as safe as the destination can make them.
    func flush() async

    /// Delivers the remaining records for at most `seconds`, then ends.
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

    /// Returns this destination, limited to records of some categories.
    public func limited(to categories: [any LogCategory.Type]) -> some LogDestination {
        let names = Set(categories.map { $0.definition.name })
        return limited { names.contains($0.category) }
    }

    /// Returns this destination, limited to records that satisfy a condition, such as those of an event or an owner.
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
