public import Foundation

/// The decision of a destination about a record.
public enum LogDecision: Sendable, Equatable {
    /// The destination receives this fraction of such records, from 0 to 1.
    case take(rate: Double)
    /// The destination receives no such record. An event that every destination drops is reported once.
    case drop
}

/// A receiver of records, such as an outbox.
public protocol LogDestination: Sendable {
    /// Returns whether the destination takes a record, and which fraction of such records. The logger calls this method
    /// for each event, so it must return at once. No fraction restores records that processors have dropped.
    ///
    /// The default takes the fraction in the definition's `sampling` (``Sampling``), for destinations that deliver.
    /// Return `.take(rate: 1)` to show or check every event.
    func decide(_ record: LogRecord) -> LogDecision

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
    public func decide(_ record: LogRecord) -> LogDecision { .take(rate: record.sampling ?? 1) }
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

    func decide(_ record: LogRecord) -> LogDecision { isWanted(record) ? destination.decide(record) : .drop }

    func receive<Event: LogCategory>(_ record: LogRecord, of event: Event) { destination.receive(record, of: event) }

    func collectionDidChange(to policy: CollectionPolicy) { destination.collectionDidChange(to: policy) }

    func flush() async { await destination.flush() }

    func shutdown(within seconds: TimeInterval) async { await destination.shutdown(within: seconds) }
}
