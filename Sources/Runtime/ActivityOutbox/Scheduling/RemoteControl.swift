import ActivityTracking
import Foundation

/// The remote policy in force, and its lifetime.
struct RemoteControl: Sendable {
    /// The state of the policy that an earlier process has left in the folder.
    enum Kept: Sendable {
        /// The folder has not been read yet. The policy may still reject records in memory.
        case awaited
        /// The app has replaced the policy before it was read. The stored policy applies only to records posted before
        /// the replacement.
        case replaced
        case known
    }

    let isSampled: Bool
    private(set) var kept = Kept.awaited
    private var current: (policy: Outbox.RemotePolicy, end: TimeInterval)?

    /// - Parameter isSampled: True if events are sampled by their definition.
    init(isSampled: Bool) { self.isSampled = isSampled }

    var isInForce: Bool { current != nil }

    /// Puts a policy into force, in place of the current one.
    mutating func apply(_ policy: Outbox.RemotePolicy?, until end: TimeInterval) {
        if kept == .awaited { kept = .replaced }
        current = policy.map { ($0, end) }
    }

    /// Takes the policy of an earlier process, which is read once.
    /// - Returns: A Boolean value that indicates whether the policy is in force now.
    mutating func recall(_ policy: Outbox.RemotePolicy?, until end: TimeInterval) -> Bool {
        defer { kept = .known }
        guard kept == .awaited, let policy else { return false }
        current = (policy, end)
        return true
    }

    /// Ends the policy if its time is over.
    /// - Returns: A Boolean value that indicates whether it ended now.
    mutating func expire(at now: TimeInterval) -> Bool {
        guard let current, now >= current.end else { return false }
        self.current = nil
        return true
    }

    /// Returns the record as the policy admits it; nil if it rejects the record.
    func admit(_ record: LogRecord) -> LogRecord? {
        guard let current else { return record }
        return current.policy.admit(record, isSampled: isSampled)
    }

    /// Returns the share that the policy admits of all records of this event; nil if the policy has no entry for the
    /// event.
    func share(of record: LogRecord, at now: () -> TimeInterval) -> Double? {
        guard let current, now() < current.end else { return nil }
        return current.policy.share(of: record, isSampled: isSampled)
    }
}
