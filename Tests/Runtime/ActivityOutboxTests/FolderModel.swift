@testable import ActivityOutbox

/// The simplest model of a folder, the processes that share it, and the facts that an outbox guarantees.
///
/// A record is a bit, a file is a number, and a log belongs to the number of a store. The model contains three facts
/// about SQLite. A log belongs to one store. The last connection to close moves the log into the store and unlinks it
/// by its name. A commit goes into the log that the connection has open, even if that file has been moved.
struct FolderModel: Hashable {
    // MARK: The folder

    /// The file at each name; 0 for a name without a file. The index of a log has the number of the log's store.
    var names = Names()
    /// The names when the folder was last synchronized, and the changes since. Kept only if power may fail.
    var synced = Names()
    var unsynced: UInt32 = 0
    /// For each file: 4 bits of records, and the store whose log it is.
    var contents: UInt64 = 0
    var owners: UInt64 = 0
    /// For each store: whether a page is damaged, whether the new file still has no content, and whether its content is
    /// on disk.
    var damaged: UInt16 = 0
    var hollow: UInt16 = 0
    var isContentSynced: UInt16 = 0
    var lastFile: UInt8 = 0
    var wipes: UInt8 = 0
    var locker: UInt8 = 0
    var deliverer: UInt8 = 0

    struct Names: Hashable {
        var store: UInt8 = 0
        var log: UInt8 = 0
        var index: UInt8 = 0
        var rescue: UInt8 = 0
        var rescued: UInt8 = 0
        var asideStore: UInt8 = 0
        var asideLog: UInt8 = 0
        var denied = false
        var wipeDue = false
    }

    // MARK: The processes

    var first = Process()
    var second = Process()
    var third = Process()

    struct Process: Hashable {
        var isAlive = false
        var state = FolderProtocol.State.done
        var job = Job.none
        var policy = Policy.none
        /// The files that the connection has open, even if they have been moved.
        var open: UInt8 = 0
        var openLog: UInt8 = 0
        var record: UInt8 = 0
        var read: UInt8 = 0
        var wipesSeen: UInt8 = 0
        var flags: Flags = []
        var replacements: UInt8 = 0
        // The upload, which runs on its own thread.
        var upload = FolderProtocol.State.done
        var isUploading = false
        var batch: UInt8 = 0
        var batchStore: UInt8 = 0
        /// The denied records when the last check before the upload began, and when the lock was acquired.
        var deniedAtLook: UInt8 = 0
        var deniedAtLock: UInt8 = 0
        /// The records that the collector has accepted and the store still contains.
        var unsettled: UInt8 = 0
        var unsettledStore: UInt8 = 0
        // The remaining actions of the process.
        var writes: UInt8 = 0
        var deliveries: UInt8 = 0
        var closes: UInt8 = 0
        var denials: UInt8 = 0
        var agreements: UInt8 = 0

        var isIdle: Bool { job == .none }
    }

    enum Job: UInt8 { case none, write, deliver, settle, obey, close }
    enum Policy: UInt8 { case none, enabled, denied }

    struct Flags: OptionSet, Hashable {
        let rawValue: UInt16
        static let isCommitted = Flags(rawValue: 1)
        static let isOlderThanAgreement = Flags(rawValue: 2)
        static let hasRetried = Flags(rawValue: 4)
        static let hasFoundDamage = Flags(rawValue: 8)
        static let mustObey = Flags(rawValue: 16)
        static let owesDenial = Flags(rawValue: 32)
        static let owesWithdrawal = Flags(rawValue: 64)
        static let isOlderThanWipe = Flags(rawValue: 128)
        static let hasLock = Flags(rawValue: 256)
        static let hasRight = Flags(rawValue: 512)
        static let isWithdrawn = Flags(rawValue: 1024)
        static let isOlderThanMark = Flags(rawValue: 2048)
    }

    // MARK: The facts

    var posted: UInt8 = 0
    var durable: UInt8 = 0
    /// The records that were posted before or during a denial, by the last decision that took effect.
    var denied: UInt8 = 0
    var isDenied = false
    /// True if the denial was obeyed. From then on, not even a power failure may lose the denial.
    var isDenialSettled = false
    var sent: UInt8 = 0
    var counted: UInt8 = 0

    // MARK: Remaining faults

    var crashes: UInt8 = 0
    var starts: UInt8 = 0
    var fullDisks: UInt8 = 0
    var failedLocks: UInt8 = 0
    var damages: UInt8 = 0
    var powerFailures: UInt8 = 0

    // MARK: Reading the model

    func records(in file: UInt8) -> UInt8 {
        file == 0 ? 0 : UInt8(truncatingIfNeeded: contents >> (4 * UInt64(file))) & 15
    }

    mutating func write(_ records: UInt8, to file: UInt8) {
        contents = contents & ~(15 << (4 * UInt64(file))) | UInt64(records) << (4 * UInt64(file))
    }

    func owner(of log: UInt8) -> UInt8 { UInt8(truncatingIfNeeded: owners >> (4 * UInt64(log))) & 15 }

    mutating func makeFile(logOf store: UInt8 = 0) -> UInt8 {
        lastFile += 1
        owners |= UInt64(store) << (4 * UInt64(lastFile))
        return lastFile
    }

    /// The records that a new connection to the current store would find.
    var visible: UInt8 {
        guard names.store != 0 else { return 0 }
        return records(in: names.store) | (owner(of: names.log) == names.store ? records(in: names.log) : 0)
    }

    /// The records in all stores, without those in logs.
    var contentsOfStores: UInt8 {
        (1...lastFile).reduce(0) { owner(of: $1) == 0 ? $0 | records(in: $1) : $0 }
    }

    var onDisk: UInt8 {
        [names.store, names.log, names.rescue, names.rescued, names.asideStore, names.asideLog].reduce(0) {
            $0 | records(in: $1)
        }
    }

    func has(_ set: UInt16, _ store: UInt8) -> Bool { store != 0 && set & 1 << store != 0 }

    subscript(process: Int) -> Process {
        get { process == 0 ? first : process == 1 ? second : third }
        set {
            switch process {
            case 0: first = newValue
            case 1: second = newValue
            default: third = newValue
            }
        }
    }

    func connections(to store: UInt8) -> Int { (0..<3).count { self[$0].isAlive && self[$0].open == store } }

    // MARK: Changing names

    /// A change of a name that a power failure may undo until the folder is synchronized.
    enum Change: UInt32 {
        case removeStore = 1
        case removeLog, removeIndex, removeRescue, removeRescued, removeAside, removeAsideLog
        case completeRescue, moveLog, moveIndex, moveStore, placeRescue
        case deny, withdraw, removeWipeDue
    }

    /// Applies a change to the names. Earlier changes may have been undone. A move has no effect if its file is missing,
    /// and a withdrawal has none without a denial.
    static func apply(_ change: Change, to names: inout Names, of store: UInt8) {
        switch change {
        case .removeStore: names.store = 0
        case .removeLog: names.log = 0
        case .removeIndex: names.index = 0
        case .removeRescue: names.rescue = 0
        case .removeRescued: names.rescued = 0
        case .removeAside: names.asideStore = 0
        case .removeAsideLog: names.asideLog = 0
        case .completeRescue: if names.rescue != 0 { (names.rescued, names.rescue) = (names.rescue, 0) }
        // The target name is free: an earlier replacement used other names.
        case .moveLog: if names.log != 0 { (names.asideLog, names.log) = (names.log, 0) }
        case .moveIndex: names.index = 0
        case .moveStore: if names.store != 0 { (names.asideStore, names.store) = (names.store, 0) }
        case .placeRescue: if names.rescued != 0 { (names.store, names.rescued) = (names.rescued, 0) }
        case .deny: names.denied = true
        case .withdraw: if names.denied { (names.wipeDue, names.denied) = (true, false) }
        case .removeWipeDue: names.wipeDue = false
        }
    }

    mutating func change(_ change: Change) {
        Self.apply(change, to: &names, of: 0)
        guard powerFailures > 0 else { return }
        // At most seven changes are kept. Before an eighth, they count as synchronized, because the file system writes
        // its journal from time to time.
        if unsynced >> 24 != 0 { syncNames() }
        unsynced = unsynced << 4 | change.rawValue
    }

    mutating func syncNames() { (synced, unsynced) = (powerFailures > 0 ? names : Names(), 0) }

    // MARK: Processes

    mutating func crash(_ process: Int) {
        var dead = Process()
        dead.writes = self[process].writes
        dead.deliveries = self[process].deliveries
        dead.closes = self[process].closes
        dead.denials = self[process].denials
        dead.agreements = self[process].agreements
        if self[process].flags.contains(.hasLock) { locker = 0 }
        if self[process].flags.contains(.hasRight) { deliverer = 0 }
        self[process] = dead
    }

    /// Starts a process, which passes the decision of its user, or none yet.
    mutating func start(_ process: Int, agrees: Bool) {
        self[process].isAlive = true
        self[process].wipesSeen = wipes
        self[process].flags = [.mustObey]
        if agrees { agree(process) }
    }

    /// Applies an agreement, which takes effect when it withdraws the denial, right after this call.
    mutating func agree(_ process: Int) {
        self[process].policy = .enabled
        self[process].flags.formUnion([.mustObey, .owesWithdrawal])
        if self[process].record != 0 { self[process].flags.insert(.isOlderThanAgreement) }
        settleMarks(process)
    }

    mutating func deny(_ process: Int, isMarked: Bool) {
        self[process].policy = .denied
        self[process].flags.insert(.mustObey)
        self[process].flags.remove(.owesWithdrawal)
        // Records in memory are dropped at once.
        if self[process].job != .write {
            counted |= self[process].record
            self[process].record = 0
        }
        guard isMarked else { return self[process].flags.formUnion(.owesDenial) }
        markDenial()
    }

    private mutating func markDenial() {
        change(.deny)
        isDenied = true
        isDenialSettled = false
        // Records that the collector already has can no longer be denied.
        denied |= posted & ~sent
    }

    mutating func settleMarks(_ process: Int) {
        if self[process].flags.contains(.owesDenial) { markDenial() }
        if self[process].flags.contains(.owesWithdrawal) {
            change(.withdraw)
            isDenied = false
            isDenialSettled = false
        }
        self[process].flags.subtract([.owesDenial, .owesWithdrawal])
    }

    /// Notes that the mark of a denial was read under the lock: the wipe applies to records that were posted before
    /// that.
    mutating func noteMark() {
        for process in 0..<3 {
            if self[process].record != 0 {
                self[process].flags.insert(.isOlderThanMark)
            } else {
                self[process].flags.remove(.isOlderThanMark)
            }
        }
    }

    /// Closes a connection. The last one moves the log into the store.
    mutating func closeConnection(_ process: Int, unlinks: Bool) {
        let (store, log) = (self[process].open, self[process].openLog)
        (self[process].open, self[process].openLog) = (0, 0)
        guard store != 0, connections(to: store) == 0 else { return }
        write(records(in: store) | records(in: log), to: store)
        write(0, to: log)
        guard unlinks else { return }
        // The log is unlinked by its name, even if another store's log has that name now.
        change(.removeLog)
        change(.removeIndex)
    }
}
