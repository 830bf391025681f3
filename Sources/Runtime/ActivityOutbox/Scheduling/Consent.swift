import ActivityTracking

/// The user's decision, and the work of the disk that follows from it.
///
/// - A decision clears no debt. Only an obey job does, if no further decision came while it ran.
/// - A wipe that is owed stays owed after an agreement: records from before the denial are not sent.
struct Consent: Sendable {
    /// Work that the disk owes. A case includes the earlier ones.
    enum OwedWrite: Sendable, Comparable {
        case none
        /// Look for a mark of a denial and withdraw it: at the start, and after an agreement.
        case obedience
        /// Wipe the stored records. This is owed even while files are closed.
        case wipe
    }

    private(set) var policy = CollectionPolicy.paused
    private(set) var debt = OwedWrite.obedience
    /// The number of decisions.
    private(set) var changes = 0
    /// The value of `changes` when the last obey job began.
    private var changesObeyed = 0
    /// The number of records that the collector has accepted and a wipe will count as denied.
    private var acceptedAndDenied = 0

    mutating func set(_ new: CollectionPolicy) {
        policy = new
        changes += 1
        // An agreement removes the mark of any process. The wipe of that mark comes first.
        debt = max(debt, new == .denied ? .wipe : .obedience)
    }

    mutating func beginObeying() { changesObeyed = changes }

    /// Clears the debt, unless another decision came after ``beginObeying()``.
    mutating func finishObeying() {
        if changesObeyed == changes { debt = .none }
    }

    // MARK: Counts

    /// Notes records that the collector has accepted and the store still has.
    mutating func noteAccepted(_ count: Int) { acceptedAndDenied += count }

    /// Returns the number of records that a wipe has dropped. Accepted records are not among them.
    mutating func countWiped(_ count: Int) -> Int {
        defer { acceptedAndDenied = 0 }
        return max(0, count - acceptedAndDenied)
    }
}
