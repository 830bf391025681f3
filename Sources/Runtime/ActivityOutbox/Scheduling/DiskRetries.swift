import Foundation

/// The retries of one kind of disk access. Writing records and delivering them are retried independently.
struct DiskRetries: Sendable {
    /// The time before which the disk is not used.
    private(set) var next: TimeInterval = 0
    private var backoff = Backoff(Backoff.disk)
    /// The failures that have been reported since the last success.
    private var reported: Set<String> = []

    /// - Returns: A Boolean value that indicates whether the reason has not been reported yet.
    mutating func fail(_ reason: String, at now: TimeInterval) -> Bool {
        next = now + backoff.fail()
        return reported.insert(reason).inserted
    }

    mutating func succeed() { self = DiskRetries() }

    func hasReported(_ reason: String) -> Bool { reported.contains(reason) }

    /// Allows the next try at once, for example after a resume: the cause of the failure may be gone.
    mutating func hurry() { next = 0 }
}
