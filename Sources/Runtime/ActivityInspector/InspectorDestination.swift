public import ActivityTracking
import Foundation

/// A destination that keeps the latest records in memory, for a view inside the app (``ActivityInspectorView``).
///
/// ```swift
/// let inspector = InspectorDestination([RecipeSearch.self, Home.self], isOn: isInternalBuild)
/// let logger = ActivityLogger(destinations: [outbox, inspector], collection: .enabled)
/// ```
///
/// The inspector receives every event, regardless of sampling. `post` only appends the record to a list. A task in the
/// background then validates the records, with the rules of `loggen validate` and the definitions from which the events
/// were compiled.
///
/// Nothing leaves the device: the module opens no connection and no file. Records are deleted when consent is denied,
/// and when the process ends.
///
/// All methods may be called at any time, from any thread.
public final class InspectorDestination: LogDestination {
    /// The limits of memory.
    public struct Limits: Sendable, Equatable {
        /// The maximum number of records, at least 1. The default is 500.
        public var records: Int
        /// The maximum size of the records and their violations, in bytes. The default is a mebibyte. A record that
        /// exceeds it by itself is counted, but not kept.
        public var bytes: Int

        public init(records: Int = 500, bytes: Int = 1 << 20) {
            self.records = records
            self.bytes = bytes
        }
    }

    /// A Boolean value that indicates whether the inspector was switched on when it was created. An inspector that is
    /// off accepts no records and allocates no memory for them.
    public let isOn: Bool

    private let state: Locked<InspectorState>
    private let validator = CompiledValidator()

    /// The time before a validation, so that records that are posted together are validated together.
    private static let gatheringNanoseconds: UInt64 = 50_000_000
    private static let batchCount = 100

    /// Creates an inspector.
    /// - Parameters:
    ///   - categories: The categories of the checklist. Without them, the checklist contains only the categories of
    ///     posted events.
    ///   - isOn: True if the inspector keeps records. By default, it does in debug builds of this package only. Xcode
    ///     and SwiftPM build packages for debugging together with the app's debug configuration. Pass true for
    ///     internal builds in the release configuration, such as TestFlight.
    ///   - limits: The limits of memory. When one is exceeded, the oldest records are dropped.
    public init(_ categories: [any LogCategory.Type] = [], isOn: Bool? = nil, limits: Limits = Limits()) {
        #if DEBUG
            self.isOn = isOn ?? true
        #else
            self.isOn = isOn ?? false
        #endif
        state = Locked(InspectorState(limits, definitions: self.isOn ? categories.map { $0.definition } : []))
    }

    /// Removes all records, and sets the counts of the checklist to zero.
    public func clear() { state.withLock { $0.clear() } }

    /// The current records and counts.
    package var snapshot: InspectorState { state.withLock { $0 } }

    // MARK: Records

    public func decide(_ record: LogRecord) -> LogDecision { isOn ? .take(rate: 1) : .drop }

    public func receive<Event: LogCategory>(_ record: LogRecord, of event: Event) {
        let isIdle = state.withLock { $0.receive(record) }
        guard isIdle else { return }
        Task.detached(priority: .utility) { [weak self] in
            try? await Task.sleep(nanoseconds: Self.gatheringNanoseconds)
            while let self, validateSome(isLast: { $0.isValidating = false }) { await Task.yield() }
        }
    }

    /// Deletes the records when consent is denied.
    public func collectionDidChange(to policy: CollectionPolicy) { state.withLock { $0.setPolicy(policy) } }

    /// Waits until the records received so far have been validated.
    public func flush() async {
        while validateSome() || state.withLock({ $0.inFlight > 0 }) { try? await Task.sleep(nanoseconds: 1_000_000) }
    }

    /// Validates waiting records. Returns false if there were none, after calling `isLast` with the lock.
    private func validateSome(isLast: (inout InspectorState) -> Void = { _ in }) -> Bool {
        let waiting = state.withLock { state in
            let waiting = state.waiting(Self.batchCount)
            state.inFlight += waiting.count
            if waiting.isEmpty { isLast(&state) }
            return waiting
        }
        guard !waiting.isEmpty else { return false }
        let verdicts = validator.verdicts(on: waiting.map(\.record))
        state.withLock { state in
            for (entry, verdict) in zip(waiting, verdicts) { state.set(verdict, of: entry.number) }
            state.inFlight -= waiting.count
        }
        return true
    }
}
