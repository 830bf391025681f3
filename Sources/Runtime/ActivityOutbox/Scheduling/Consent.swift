import ActivityTracking

/// The user's decision, and the work of the disk that follows from it.
///
/// - Only an `obey` job (``OutboxMachine/Job``) clears the debt, and only if no further decision came while the job
///   ran.
/// - A wipe that is owed stays owed after an agreement: records from before the denial are not sent.
struct Consent: Sendable {
    /// Work that the disk still has to do for the user's decisions. Each case includes the work of the cases before it.
    enum OwedWrite: Sendable, Comparable {
        case none
        /// Write the decisions that are not on disk yet, and obey a mark of a denial in the folder. This is owed at the
        /// start and after every decision.
        case obedience
        /// Wipe the stored records. This is owed even while files are closed.
        case wipe
    }

    private(set) var policy = CollectionPolicy.paused
    /// The work that the disk still has to do.
    private(set) var debt = OwedWrite.obedience
    /// The number of decisions.
    private(set) var changes = 0
    /// The value of `changes` when the last `obey` job began.
    private var changesObeyed = 0
    /// The number of accepted records that the store still contains. A wipe would count them as denied.
    private var acceptedAndDenied = 0

    mutating func set(_ new: CollectionPolicy) {
        policy = new
        changes += 1
        // An agreement withdraws a denial of any process. A wipe that is still owed for it comes first.
        debt = max(debt, new == .denied ? .wipe : .obedience)
    }

    mutating func beginObeying() { changesObeyed = changes }

    /// Clears the debt, unless another decision came after ``beginObeying()``.
    mutating func finishObeying() {
        if changesObeyed == changes { debt = .none }
    }

    // MARK: Counts

    /// Records the number of records that the collector has accepted, but that the store still contains.
    mutating func noteAccepted(_ count: Int) { acceptedAndDenied += count }

    /// Returns the number of records that a wipe has lost, and resets the number of accepted records.
    /// - Parameter count: The number of records that the wipe has deleted. The collector may have some of them.
    mutating func countWiped(_ count: Int) -> Int {
        defer { acceptedAndDenied = 0 }
        return max(0, count - acceptedAndDenied)
    }
}
