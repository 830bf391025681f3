public import Foundation
import Logging

/// A logger that encodes events as records and passes them to destinations.
///
/// ``post(_:)`` may be called from any thread. It encodes the event, runs the processors, and passes the record to
/// every destination that accepts it, all on the calling thread. It never waits for the disk or the network and never
/// throws. The events of a thread stay in order.
///
/// There is no shared logger: an app creates one and passes it on (``ActivityLogging``).
public final class ActivityLogger: Sendable {
    private let commonDefinition: LogDefinition
    private let encodeCommon: @Sendable (LogEncoder) -> Void
    private let processors: [any LogProcessor]
    private let destinations: [any LogDestination]
    private let report: @Sendable (Notice) -> Void
    private let state: Locked<State>

    /// The lock of decisions. Recursive, because a destination may set another policy in `collectionDidChange(to:)`.
    private let decisions = NSRecursiveLock()

    private struct State {
        var collection: CollectionPolicy
        var pendingPolicies: [CollectionPolicy] = []
        var isHandingOn = false
        var reportedUnwanted: Set<String> = []

        mutating func nextDecision() -> CollectionPolicy? {
            isHandingOn = !pendingPolicies.isEmpty
            return pendingPolicies.isEmpty ? nil : pendingPolicies.removeFirst()
        }
    }

    /// A problem that the app's developers should know about.
    public enum Notice: Sendable, Equatable, CustomStringConvertible {
        /// A value violates its definition. The record lists the violation and is sent.
        case violation(LogViolation)
        /// No destination accepts the event. Reported once per event.
        case noDestination(category: String, event: String)

        public var description: String {
            switch self {
            case .violation(let violation): "\(violation)"
            case .noDestination(let category, let event): "\(category).\(event): no destination accepts it"
            }
        }

        /// Logs a notice through swift-log. Violations are errors in debug builds, where a developer can fix them, and
        /// debug messages in other builds. Other notices are warnings.
        public static func log(_ notice: Notice) {
            let logger = Logger(label: "ActivityTracking")
            switch notice {
            case .violation:
                #if DEBUG
                    logger.error("\(notice)")
                #else
                    logger.debug("\(notice)")
                #endif
            case .noDestination: logger.warning("\(notice)")
            }
        }
    }

    /// - Parameters:
    ///   - common: Returns the columns that every event carries. It is called for each event, on the posting thread.
    ///   - processors: The processors that change or drop records, in this order. Destinations that deliver are sampled
    ///     without a processor (``LogDestination/decide(_:)``). Add ``Sampling`` to sample for all destinations.
    ///   - destinations: The destinations of records.
    ///   - collection: The user's consent. With the default, `paused`, nothing is sent.
    ///   - report: Receives notices for developers, on any thread.
    public init<Common: LogColumns>(
        common: @escaping @Sendable () -> Common, processors: [any LogProcessor] = [],
        destinations: [any LogDestination],
        collection: CollectionPolicy = .paused, report: @escaping @Sendable (Notice) -> Void = Notice.log
    ) {
        commonDefinition = Common.definition
        encodeCommon = { common().encode(into: $0) }
        self.processors = processors
        self.destinations = destinations
        self.report = report
        state = Locked(State(collection: collection))
        for destination in destinations { destination.collectionDidChange(to: collection) }
    }

    /// Creates a logger for definitions without common columns.
    public convenience init(
        processors: [any LogProcessor] = [], destinations: [any LogDestination], collection: CollectionPolicy = .paused,
        report: @escaping @Sendable (Notice) -> Void = Notice.log
    ) {
        self.init(
            common: { NoCommonColumns() }, processors: processors, destinations: destinations, collection: collection,
            report: report)
    }

    /// Posts an event that occurs now.
    public func post(_ event: some LogCategory) { post(event, occurredAt: Date()) }

    /// Posts an event that occurred at the given time.
    public func post<Event: LogCategory>(_ event: Event, occurredAt: Date) {
        guard collection != .denied else { return }
        // Unsafe buffers avoid the copies of existential boxes that an array's iterator makes.
        let processed = processors.withUnsafeBufferPointer { processors -> LogRecord? in
            var record = LogRecord(
                Event.definition, { event.encode(into: $0) }, common: commonDefinition, encodeCommon,
                occurredAt: occurredAt,
                id: UUID(version7At: occurredAt))
            for violation in record.violations { report(.violation(violation)) }
            for index in processors.indices {
                guard let processed = processors[index].process(record) else { return nil }
                record = processed
            }
            return record
        }
        guard let record = processed else { return }
        let isWanted = destinations.withUnsafeBufferPointer { destinations in
            var isWanted = false
            var place: Double?
            for index in destinations.indices {
                guard case .take(let rate) = destinations[index].decide(record) else { continue }
                isWanted = true
                guard rate < 1 else {
                    destinations[index].receive(record, of: event)
                    continue
                }
                let own = place ?? record.samplingPlace
                place = own
                if own < rate { destinations[index].receive(record.sampled(at: rate), of: event) }
            }
            return isWanted
        }
        if !isWanted { reportUnwanted(record) }
    }

    private func reportUnwanted(_ record: LogRecord) {
        let (category, event) = (record.category, record.event)
        let isNew = state.withLock { $0.reportedUnwanted.insert("\(category).\(event)").inserted }
        if isNew { report(.noDestination(category: category, event: event)) }
    }

    /// The user's consent. `denied` also deletes the records that destinations have stored, and nothing is recorded
    /// from then on. Destinations receive policies in the order in which they are set, before the setter returns.
    public var collection: CollectionPolicy {
        get { state.withLock { $0.collection } }
        set {
            decisions.lock()
            defer { decisions.unlock() }
            let isMine = state.withLock { state in
                guard state.collection != newValue else { return false }
                state.collection = newValue
                state.pendingPolicies.append(newValue)
                defer { state.isHandingOn = true }
                // A policy that a destination sets while it receives this one is queued, to keep the order.
                return !state.isHandingOn
            }
            guard isMine else { return }
            while let next = state.withLock({ $0.nextDecision() }) {
                for destination in destinations { destination.collectionDidChange(to: next) }
            }
        }
    }

    /// Waits until every destination has made all records posted so far as safe as it can.
    public func flush() async {
        await withTaskGroup(of: Void.self) { group in
            for destination in destinations { group.addTask { await destination.flush() } }
        }
    }

    /// Gives every destination at most `seconds` to deliver the remaining records. Do not post events afterwards.
    public func shutdown(within seconds: TimeInterval) async {
        await withTaskGroup(of: Void.self) { group in
            for destination in destinations { group.addTask { await destination.shutdown(within: seconds) } }
        }
    }
}

/// A type that provides a logger: an app's environment, or the dependencies of a screen.
public protocol ActivityLogging {
    var activityLogger: ActivityLogger { get }
}
