/// The order of system calls on a folder that processes share, as a table of states.
///
/// A run begins at an ``Entry`` and ends at an ``End``. Each state has one step, and the step's outcome determines the
/// next state. `StoreKeeper` performs the steps on the disk. Tests perform them on a model of a disk, with two
/// processes in every interleaving.
///
/// Rules that the table keeps:
///
/// - Every access to the store, except the reading of a batch, holds one exclusive lock. At most one process writes,
///   checkpoints, opens or moves files at a time. SQLite 3.7.0 to 3.51.2 can lose commits if two connections write and
///   checkpoint at the same moment (fixed in 3.51.3); the lock excludes that.
/// - The marks of a denial are read under the lock, immediately before the access.
/// - Records in memory while another process wipes the store are denied, too.
/// - A new store replaces another only when it is complete, synchronized and has no log. Once `outbox-rescued.sqlite`
///   exists, the store next to it is obsolete, and every process first finishes the replacement.
/// - An upload begins only if no mark of a denial exists and the batch comes from the store in place.
struct FolderProtocol: Sendable {
    /// A system call, or several of the same kind with nothing in between.
    enum Step: Sendable, Hashable, CaseIterable {
        // Locks.
        case lockRight, lock, unlock
        // Marks of a denial.
        case settleMarks, readDenied, readWipeDue, removeWipeDue
        // Wipe.
        case closeForWipe, removeNext, countWipe, syncWipe
        // The open store and the one in place.
        case compareStore, releaseStore, lookAtStore, removeEmpty, sealAside, open
        // The job.
        case needsStore, isCommitted, isPostedBeforeWipe, commit, mayRetry, readBatch
        // Replace a store.
        case readRescued, mayReplace, readDamaged, readVanished, discardRescue, writeRescue, syncRescue, completeRescue,
            syncCompletion
        case moveLog, moveJournal, moveIndex, moveStore, syncMoves, placeRescue
        // Close.
        case checkpoint, close, closeUnlocked
        // Upload.
        case compareBatch
    }

    enum Outcome: Sendable, Hashable, CaseIterable {
        case done
        /// The file exists, or the condition is true.
        case yes
        /// The file does not exist, or the condition is false.
        case no
        /// Another process holds the lock.
        case busy
        /// The call failed. The disk may be full.
        case failed
        /// The content is not that of a valid store.
        case damaged
        /// The connection may be stale. A new one may work.
        case broken
        /// The open store is the one in place.
        case inPlace
        /// Another store has replaced the open one, or the store was wiped.
        case moved
        /// The files of the open store were deleted without a wipe.
        case gone
        /// The store in place has no content.
        case empty
    }

    enum Entry: Sendable, Hashable, CaseIterable {
        /// Obeys the marks, then runs a job on the store.
        case use
        /// Takes the right to deliver, then runs a job on the store.
        case deliver
        /// Writes the decisions of this process, and obeys the marks.
        case obey
        case close
        /// Checks the marks and the store immediately before an upload begins.
        case upload

        var state: State {
            switch self {
            case .use: .lock
            case .deliver: .lockRight
            case .obey: .settleMarks
            case .close: .lockToClose
            case .upload: .readDeniedBeforeUpload
            }
        }
    }

    enum State: UInt8, Sendable, Hashable, CaseIterable {
        case lockRight, settleMarks, findDenied, findWipeDue
        case lock, readDenied, readWipeDue
        case closeForWipe, removeNext, countWipe, syncWipe, removeWipeDue, readDeniedAgain
        case needsStore, readRescued, compareStore, releaseMoved, lookAtStore, removeEmpty, sealAside, open
        case isCommitted, isPostedBeforeWipe, commit, compareAfterCommit
        case mayRetry, releaseBroken
        case mayReplace, releaseDamaged, readDamaged, readVanished
        case discardRescue, writeRescue, syncRescue, completeRescue, syncCompletion
        case releaseBeforeMoves, moveLog, moveJournal, moveIndex, moveStore, syncMoves, placeRescue
        case unlock, unlockDenied, unlockFailed, readBatch
        case lockToClose, compareToClose, checkpoint, close, releaseToClose, closeUnlocked
        case readDeniedBeforeUpload, readWipeDueBeforeUpload, compareBatch, readDeniedLast
        // The ends.
        case done, denied, elsewhere, failed
    }

    enum End: Sendable, Hashable {
        case done
        /// The user denies consent. The store is wiped, nothing was written, and nothing may be sent.
        case denied
        /// Another process delivers.
        case elsewhere
        case failed
    }

    struct Row: Sendable {
        var step: Step
        var next: [Outcome: State]

        init(_ step: Step, _ next: [Outcome: State]) { (self.step, self.next) = (step, next) }
    }

    /// The rows are variable, so that tests can break one and check that the model detects it.
    var rows: [State: Row]

    static let ends: [State: End] = [.done: .done, .denied: .denied, .elsewhere: .elsewhere, .failed: .failed]

    /// Performs steps from an entry to an end. An outcome that the row does not list is treated as `failed`.
    func run(_ entry: Entry, perform: (Step) -> Outcome) -> End {
        var state = entry.state
        while let row = rows[state] {
            state = Self.next(row, after: perform(row.step))
        }
        return Self.ends[state] ?? .failed
    }

    static func next(_ row: Row, after outcome: Outcome) -> State { row.next[outcome] ?? row.next[.failed] ?? .failed }

    static let standard = FolderProtocol(rows: [
        // Deliver: one process at a time.
        .lockRight: Row(.lockRight, [.done: .lock, .busy: .elsewhere, .failed: .failed]),

        // Obey. A denial is on disk before its wipe begins. An agreement renames the mark of the denial.
        .settleMarks: Row(.settleMarks, [.done: .findDenied, .failed: .failed]),
        .findDenied: Row(.readDenied, [.yes: .lock, .no: .findWipeDue, .failed: .failed]),
        .findWipeDue: Row(.readWipeDue, [.yes: .lock, .no: .done, .failed: .failed]),

        // Every access takes the lock, reads the marks, and finishes a replacement that another process began.
        .lock: Row(.lock, [.done: .readDenied, .failed: .failed]),
        .readDenied: Row(.readDenied, [.yes: .closeForWipe, .no: .readWipeDue, .failed: .unlockFailed]),
        .readWipeDue: Row(.readWipeDue, [.yes: .closeForWipe, .no: .needsStore, .failed: .unlockFailed]),

        // Wipe.
        .closeForWipe: Row(.closeForWipe, [.done: .removeNext, .failed: .unlockFailed]),
        .removeNext: Row(.removeNext, [.done: .removeNext, .no: .countWipe, .failed: .unlockFailed]),
        .countWipe: Row(.countWipe, [.done: .syncWipe, .failed: .unlockFailed]),
        .syncWipe: Row(.syncWipe, [.done: .removeWipeDue, .failed: .unlockFailed]),
        // Only the obeyed mark is removed. If a denial is withdrawn during its wipe, its new mark causes another wipe.
        .removeWipeDue: Row(.removeWipeDue, [.done: .readDeniedAgain, .failed: .unlockFailed]),
        .readDeniedAgain: Row(.readDenied, [.yes: .unlockDenied, .no: .readWipeDue, .failed: .unlockFailed]),

        // The store in place.
        .needsStore: Row(.needsStore, [.yes: .readRescued, .no: .unlock]),
        .readRescued: Row(.readRescued, [.yes: .releaseBeforeMoves, .no: .compareStore, .failed: .unlockFailed]),
        .compareStore: Row(
            .compareStore,
            [
                .inPlace: .isCommitted, .moved: .releaseMoved, .gone: .readVanished, .no: .lookAtStore,
                .failed: .unlockFailed,
            ]),
        .releaseMoved: Row(.releaseStore, [.done: .lookAtStore]),
        .lookAtStore: Row(
            .lookAtStore, [.done: .sealAside, .empty: .removeEmpty, .damaged: .mayReplace, .failed: .unlockFailed]),
        .removeEmpty: Row(.removeEmpty, [.done: .sealAside, .failed: .unlockFailed]),
        .sealAside: Row(.sealAside, [.done: .open, .failed: .unlockFailed]),
        .open: Row(.open, [.done: .isCommitted, .damaged: .mayReplace, .failed: .unlockFailed]),

        // The job. Written records are durable only if a new process would find the store.
        .isCommitted: Row(.isCommitted, [.yes: .unlock, .no: .isPostedBeforeWipe]),
        .isPostedBeforeWipe: Row(.isPostedBeforeWipe, [.yes: .unlockDenied, .no: .commit]),
        .commit: Row(
            .commit, [.done: .compareAfterCommit, .damaged: .mayReplace, .broken: .mayRetry, .failed: .unlockFailed]),
        .compareAfterCommit: Row(
            .compareStore, [.inPlace: .unlock, .moved: .unlockFailed, .gone: .readVanished, .failed: .unlockFailed]),
        .mayRetry: Row(.mayRetry, [.yes: .releaseBroken, .no: .unlockFailed]),
        .releaseBroken: Row(.releaseStore, [.done: .lookAtStore]),

        // Replace. The new store is completed first. Then the files of the old one are moved, beginning with the log.
        .mayReplace: Row(.mayReplace, [.yes: .releaseDamaged, .no: .unlockFailed]),
        .releaseDamaged: Row(.releaseStore, [.done: .readDamaged]),
        .readDamaged: Row(.readDamaged, [.done: .discardRescue, .failed: .unlockFailed]),
        .readVanished: Row(.readVanished, [.done: .discardRescue, .failed: .unlockFailed]),
        .discardRescue: Row(.discardRescue, [.done: .writeRescue, .failed: .unlockFailed]),
        .writeRescue: Row(.writeRescue, [.done: .syncRescue, .failed: .unlockFailed]),
        .syncRescue: Row(.syncRescue, [.done: .completeRescue, .failed: .unlockFailed]),
        .completeRescue: Row(.completeRescue, [.done: .syncCompletion, .failed: .unlockFailed]),
        .syncCompletion: Row(.syncCompletion, [.done: .releaseBeforeMoves, .failed: .unlockFailed]),
        .releaseBeforeMoves: Row(.releaseStore, [.done: .moveLog]),
        .moveLog: Row(.moveLog, [.done: .moveJournal, .failed: .unlockFailed]),
        .moveJournal: Row(.moveJournal, [.done: .moveIndex, .failed: .unlockFailed]),
        .moveIndex: Row(.moveIndex, [.done: .moveStore, .failed: .unlockFailed]),
        .moveStore: Row(.moveStore, [.done: .syncMoves, .failed: .unlockFailed]),
        .syncMoves: Row(.syncMoves, [.done: .placeRescue, .failed: .unlockFailed]),
        .placeRescue: Row(.placeRescue, [.done: .lookAtStore, .failed: .unlockFailed]),

        .unlock: Row(.unlock, [.done: .readBatch]),
        .unlockDenied: Row(.unlock, [.done: .denied]),
        .unlockFailed: Row(.unlock, [.done: .failed]),

        // A batch is read without the lock, and checked before it is sent. A failed read is repeated with the lock.
        .readBatch: Row(.readBatch, [.done: .done, .damaged: .lock, .failed: .failed]),

        // Close. SQLite unlinks the log by its name, so only the store in place is closed normally, under the lock.
        .lockToClose: Row(.lock, [.done: .compareToClose, .failed: .closeUnlocked]),
        .compareToClose: Row(.compareStore, [.inPlace: .checkpoint, .no: .unlock, .failed: .releaseToClose]),
        .checkpoint: Row(.checkpoint, [.done: .close, .failed: .releaseToClose]),
        .close: Row(.close, [.done: .unlock]),
        .releaseToClose: Row(.releaseStore, [.done: .unlock]),
        .closeUnlocked: Row(.closeUnlocked, [.done: .done]),

        // The check before an upload. A withdrawal renames the mark of a denial, so the marks are read in the direction
        // of the rename. The last read finds a new denial.
        .readDeniedBeforeUpload: Row(.readDenied, [.yes: .denied, .no: .readWipeDueBeforeUpload, .failed: .failed]),
        .readWipeDueBeforeUpload: Row(.readWipeDue, [.yes: .denied, .no: .compareBatch, .failed: .failed]),
        .compareBatch: Row(.compareBatch, [.inPlace: .readDeniedLast, .moved: .denied, .failed: .failed]),
        .readDeniedLast: Row(.readDenied, [.yes: .denied, .no: .done, .failed: .failed]),
    ])
}
