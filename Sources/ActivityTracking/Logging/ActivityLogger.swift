public import Foundation
import Logging

/// Takes events and brings their records on their way.
///
/// `post` may be called from any thread; it encodes the event there, passes it through the processors, and hands it to every destination that
/// wants it. It never waits for disk or network and never throws. Events of one thread keep their order.
///
/// There is no shared logger: an app makes one and hands it on, through ``ActivityLogging``.
public final class ActivityLogger: Sendable {
    private let commonDefinition: LogDefinition
    private let encodeCommon: @Sendable (LogEncoder) -> Void
    private let processors: [any LogProcessor]
    private let destinations: [any LogDestination]
    private let report: @Sendable (Notice) -> Void
    private let state: Locked<State>

    /// Decisions are handed on one after the other. Recursive, as a destination may decide in its turn.
    private let decisions = NSRecursiveLock()

    private struct State {
        var collection: CollectionPolicy
        /// Not handed on yet.
        var decided: [CollectionPolicy] = []
        var isHandingOn = false
        /// Events that nobody wanted, and that have been reported.
        var unwanted: Set<String> = []

        mutating func nextDecision() -> CollectionPolicy? {
            isHandingOn = !decided.isEmpty
            return decided.isEmpty ? nil : decided.removeFirst()
        }
    }

    /// What the app's developers should know of.
    public enum Notice: Sendable, Equatable, CustomStringConvertible {
        /// A value breaks its definition; the record says so and goes on.
        case violation(LogViolation)
        /// No destination wants these events; said once of each event.
        case noDestination(category: String, event: String)

        public var description: String {
            switch self {
            case .violation(let violation): "\(violation)"
            case .noDestination(let category, let event): "\(category).\(event): no destination wants it"
            }
        }

        /// Through swift-log: violations as errors in debug builds, where somebody can mend them, and as debug messages in others.
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
    ///   - processors: in the order in which records pass them. Sampling is not among them: destinations that deliver are sampled
    ///     (``LogDestination/isSampled``), others get all that is posted, unless ``Sampling`` is put here.
    ///   - destinations: where records go.
    ///   - collection: what the user has agreed to. Nothing is sent until that is said: the default is `paused`.
    ///   - report: is told what developers should know of, from any thread.
    public init<Common: LogColumns>(
        common: @escaping @Sendable () -> Common, processors: [any LogProcessor] = [], destinations: [any LogDestination],
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
        self.init(common: { NoCommonColumns() }, processors: processors, destinations: destinations, collection: collection, report: report)
    }

    /// Records an event that occurs now.
    public func post(_ event: some LogCategory) { post(event, occurredAt: Date()) }

    /// Records an event that occurred at some time.
    public func post<Event: LogCategory>(_ event: Event, occurredAt: Date) {
        guard collection != .denied else { return }
        // Through pointers: an array's iterator would copy the boxes.
        let processed = processors.withUnsafeBufferPointer { processors -> LogRecord? in
            var record = LogRecord(
                Event.definition, { event.encode(into: $0) }, common: commonDefinition, encodeCommon, occurredAt: occurredAt,
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
            var isKept: Bool?
            for index in destinations.indices where destinations[index].accepts(record) {
                isWanted = true
                if record.sampling != nil, destinations[index].isSampled {
                    let keeps = isKept ?? Sampling.keeps(record)
                    isKept = keeps
                    guard keeps else { continue }
                }
                destinations[index].receive(record, of: event)
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

    /// What the user has agreed to. `denied` also drops what destinations have stored: what was posted before it is set is gone, what is posted afterwards is not recorded.
    /// Destinations hear of decisions in the order in which they are set, and have heard of them when setting returns.
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
                // A destination that decides while it hears of a decision: its own comes behind that one.
                return !state.isHandingOn
            }
            guard isMine else { return }
            while let next = state.withLock({ $0.nextDecision() }) {
                for destination in destinations { destination.collectionDidChange(to: next) }
            }
        }
    }

    /// Returns when every destination has made safe what was posted before.
    public func flush() async {
        await withTaskGroup(of: Void.self) { group in
            for destination in destinations { group.addTask { await destination.flush() } }
        }
    }

    /// Gives destinations at most `seconds` to deliver what is left. Do not post afterwards.
    public func shutdown(within seconds: TimeInterval) async {
        await withTaskGroup(of: Void.self) { group in
            for destination in destinations { group.addTask { await destination.shutdown(within: seconds) } }
        }
    }
}

/// What hands the logger on: the app's environment, and whatever a screen is made with.
public protocol ActivityLogging {
    var activityLogger: ActivityLogger { get }
}
