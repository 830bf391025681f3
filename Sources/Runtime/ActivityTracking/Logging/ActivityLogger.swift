public import Foundation
import Logging

/// Takes events, makes records of them, and hands these to destinations.
///
/// ``post(_:)`` may be called from any thread. It encodes the event on that thread, passes the record through the
/// processors, and hands it to every destination that wants it. It never waits for disk or network and never throws.
/// Events of one thread keep their order.
///
/// There is no shared logger: an app makes one and hands it on (``ActivityLogging``).
public final class ActivityLogger: Sendable {
    private let commonDefinition: LogDefinition
    private let encodeCommon: @Sendable (LogEncoder) -> Void
    private let processors: [any LogProcessor]
    private let destinations: [any LogDestination]
    private let report: @Sendable (Notice) -> Void
    private let state: Locked<State>

    /// Policies are handed on one after the other. Recursive, since a destination may set another policy when it hears
    /// of one.
    private let decisions = NSRecursiveLock()

    private struct State {
        var collection: CollectionPolicy
        /// Not handed on yet.
        var decided: [CollectionPolicy] = []
        var isHandingOn = false
        /// Events without a destination that have been reported.
        var unwanted: Set<String> = []

        mutating func nextDecision() -> CollectionPolicy? {
            isHandingOn = !decided.isEmpty
            return decided.isEmpty ? nil : decided.removeFirst()
        }
    }

    /// What the app's developers should know.
    public enum Notice: Sendable, Equatable, CustomStringConvertible {
        /// A value breaks its definition. The record says so and is sent.
        case violation(LogViolation)
        /// No destination wants this event. Said once for each event.
        case noDestination(category: String, event: String)

        public var description: String {
            switch self {
            case .violation(let violation): "\(violation)"
            case .noDestination(let category, let event): "\(category).\(event): no destination wants it"
            }
        }

        /// Hands a notice to swift-log: violations as errors in debug builds, for the developer who can mend them, and
        /// as debug messages in other builds; everything else as warnings.
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
    ///   - common: reads the columns that every event carries, at each post, on the thread that posts.
    ///   - processors: change or drop records, in this order. Sampling needs none: destinations that deliver are
    ///     sampled (``LogDestination/isSampled``), and others get every record. Put ``Sampling`` here to sample for all
    ///     of them.
    ///   - destinations: where records go.
    ///   - collection: what the user has agreed to. With the default, `paused`, nothing is sent.
    ///   - report: is told what developers should know, from any thread.
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

    /// A logger of definitions without common columns.
    public convenience init(
        processors: [any LogProcessor] = [], destinations: [any LogDestination], collection: CollectionPolicy = .paused,
        report: @escaping @Sendable (Notice) -> Void = Notice.log
    ) {
        self.init(
            common: { NoCommonColumns() }, processors: processors, destinations: destinations, collection: collection,
            report: report)
    }

    /// Records an event that occurs now.
    public func post(_ event: some LogCategory) { post(event, occurredAt: Date()) }

    /// Records an event that occurred at some time.
    public func post<Event: LogCategory>(_ event: Event, occurredAt: Date) {
        guard collection != .denied else { return }
        // By pointer: an array's iterator would copy the existential boxes.
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
            for index in destinations.indices where destinations[index].accepts(record) {
                isWanted = true
                guard
                    let share = destinations[index].share(of: record)
                        ?? (destinations[index].isSampled ? record.sampling : nil), share < 1
                else {
                    destinations[index].receive(record, of: event)
                    continue
                }
                let own = place ?? Sampling.place(of: record)
                place = own
                if own < share {
                    destinations[index].receive(record.sampled(at: share), of: event)
                } else {
                    destinations[index].omit(record)
                }
            }
            return isWanted
        }
        if !isWanted { reportUnwanted(record) }
    }

    private func reportUnwanted(_ record: LogRecord) {
        let (category, event) = (record.category, record.event)
        let isNew = state.withLock { $0.unwanted.insert("\(category).\(event)").inserted }
        if isNew { report(.noDestination(category: category, event: event)) }
    }

    /// What the user has agreed to. `denied` also drops what destinations have stored: what was posted before is gone,
    /// and what is posted afterwards is not recorded. Destinations hear of policies in the order in which they are set,
    /// and before setting returns.
    public var collection: CollectionPolicy {
        get { state.withLock { $0.collection } }
        set {
            decisions.lock()
            defer { decisions.unlock() }
            let isMine = state.withLock { state in
                guard state.collection != newValue else { return false }
                state.collection = newValue
                state.decided.append(newValue)
                defer { state.isHandingOn = true }
                // A policy that a destination sets while it hears of this one comes behind this one.
                return !state.isHandingOn
            }
            guard isMine else { return }
            while let next = state.withLock({ $0.nextDecision() }) {
                for destination in destinations { destination.collectionDidChange(to: next) }
            }
        }
    }

    /// Returns when every destination has made the records posted before as safe as it can.
    public func flush() async {
        await withTaskGroup(of: Void.self) { group in
            for destination in destinations { group.addTask { await destination.flush() } }
        }
    }

    /// Gives every destination at most `seconds` to deliver what is left. Do not post afterwards.
    public func shutdown(within seconds: TimeInterval) async {
        await withTaskGroup(of: Void.self) { group in
            for destination in destinations { group.addTask { await destination.shutdown(within: seconds) } }
        }
    }
}

/// Has a logger and hands it on: an app's environment, or what a screen is made with.
public protocol ActivityLogging {
    var activityLogger: ActivityLogger { get }
}
