import ActivityTracking
import Foundation

/// A kind of access to a file. Tests make accesses fail before they happen.
package enum FileAction: Sendable, Equatable, CaseIterable {
    case makeFolder, lock, open, look, read, write, sync, mark, move, remove
}

/// The times of a denial, in seconds of the monotonic clock.
struct Denial: Sendable {
    var given: TimeInterval
    /// The time at which the user agreed again. If the user has not, the time at which the mark was read.
    var withdrawn: TimeInterval

    /// Returns the time before which the records of a process are denied.
    /// - Parameter agreement: The time at which the user agreed in that process; nil if the user has not agreed.
    func limit(agreement: TimeInterval?) -> TimeInterval {
        // Records posted after a later agreement are not affected by the denial.
        if let agreement, agreement > given { min(agreement, withdrawn) } else { withdrawn }
    }
}

/// The folder of a store. Each method is one step: a system call, or several calls of the same kind. ``FolderProtocol``
/// defines their order.
///
/// | file | content |
/// | --- | --- |
/// | `outbox.sqlite`, `-wal`, `-shm` | the store, its log, the index of the log |
/// | `outbox-set-aside-….sqlite` | a store that could not be used; `….sqlite.sealed` if records are sealed |
/// | `outbox-rescue.sqlite` | the new store that will replace `outbox.sqlite`, incomplete and without a log |
/// | `outbox-rescued.sqlite` | the complete new store; `outbox.sqlite` is obsolete |
/// | `outbox.denied` | the mark of a denial: nothing may be stored or sent, and stored records are wiped |
/// | `outbox.wipe` | the mark of a withdrawn denial: stored records are wiped, then this file is removed |
/// | `outbox.lock` | nothing; the delivering process locks it |
/// | `outbox.files` | the number of wipes, and the times of the last wiped denial |
///
/// Every access to the store, except the reading of a batch, locks `outbox.files`.
final class StoreFolder: @unchecked Sendable {
    // Safe: the locks are used only on the outbox's disk queue. All other state is constant or in the file system. The
    // marks are read and written from any thread.

    let path: String
    private let protection: FileProtectionType
    private let faults: @Sendable (FileAction) throws -> Void
    private let files: FileLock
    private let right: FileLock
    let patience = LockPatience()
    private let users: FolderUsers
    private let user = UUID()
    /// Indicates whether the outbox has ended. Then it sends nothing, and only writes the records that it still has.
    private let hasEnded = Locked(false)

    init(
        _ url: URL, protection: FileProtectionType, users: FolderUsers = FolderUsers(),
        faults: @escaping @Sendable (FileAction) throws -> Void
    ) {
        path = url.path
        self.users = users
        self.protection = protection
        self.faults = faults
        // `appendingPathComponent` would access the disk, and an outbox may be created on the main thread.
        files = FileLock("\(path)/outbox.files")
        right = FileLock("\(path)/outbox.lock")
    }

    private func file(_ name: String) -> String { "\(path)/\(name)" }
    var store: String { file("outbox.sqlite") }
    var rescue: String { file("outbox-rescue.sqlite") }
    private var rescued: String { file("outbox-rescued.sqlite") }
    private var denied: String { file("outbox.denied") }
    private var wipeDue: String { file("outbox.wipe") }

    /// The suffixes of SQLite's files for one store. A log must never be next to the database file of another store.
    static let suffixes = ["", "-wal", "-journal", "-shm"]

    func check(_ action: FileAction) throws { try faults(action) }

    func make() throws {
        try check(.makeFolder)
        guard !exists(path) || isFolder(path) == false else { return }
        let parent = NSString(string: path).deletingLastPathComponent
        try? FileManager.default.createDirectory(atPath: parent, withIntermediateDirectories: true)
        // Other users of the device must not read records. `mkdir` also gives a stable error, in contrast to Foundation.
        guard mkdir(path, 0o700) == 0 else {
            let code = errno
            // Another process may have created the folder meanwhile.
            guard code == EEXIST, isThere else { throw FileError("make", path, code) }
            return
        }
        protect()
    }

    /// Sets the data protection and excludes the folder from backups, on Apple's systems. New files are treated like
    /// their folder. Failures are ignored, because some file systems support neither.
    func protect() {
        #if canImport(Darwin)
            var url = URL(fileURLWithPath: path, isDirectory: true)
            var values = URLResourceValues()
            values.isExcludedFromBackup = true
            try? url.setResourceValues(values)
            #if !os(macOS)
                let names = (try? FileManager.default.contentsOfDirectory(atPath: path)) ?? []
                for target in [path] + names.map(file) {
                    try? FileManager.default.setAttributes([.protectionKey: protection], ofItemAtPath: target)
                }
            #endif
        #endif
    }

    /// Removes the access of other users to an existing folder. A folder that has other files is left as it is.
    /// - Returns: The notice if other users keep their access.
    func narrow() -> Outbox.Notice? {
        var status = stat()
        guard stat(path, &status) == 0, status.st_mode & 0o077 != 0 else { return nil }
        let names = (try? FileManager.default.contentsOfDirectory(atPath: path)) ?? [""]
        if names.allSatisfy({ $0.hasPrefix("outbox") }), chmod(path, 0o700) == 0 { return nil }
        return .configuration(
            "other users may have access to the folder \(path) (mode \(String(status.st_mode & 0o777, radix: 8))): "
                + "give the outbox its own folder")
    }

    var isThere: Bool { isFolder(path) == true }

    // MARK: Locks

    /// Another outbox of this process uses the folder.
    struct InUse: Error, CustomStringConvertible {
        let path: String
        var description: String {
            "another outbox of this process uses \(path): share one outbox, or give each its own folder"
        }
    }

    /// Reserves the folder within this process.
    func enter() throws {
        guard !hasEnded.withLock({ $0 }), let folder = FileIdentity(path) else { return }
        guard users.enter(folder, user) else { throw InUse(path: path) }
    }

    /// Gives the folder up. The outbox has ended.
    func end() {
        hasEnded.withLock { $0 = true }
        users.leave(user)
    }

    func lock() throws {
        try check(.lock)
        try files.take(patience)
    }

    func unlock() { files.giveBack() }

    /// The number of wipes, known even if the lock file is deleted. Read it while holding the lock.
    var wipes: Int64 { files.number }

    /// Returns the denial whose records were wiped last. Call it while holding the lock.
    func lastDenial(clock: OutboxClock) -> Denial {
        let denial = Denial(given: files.time(1), withdrawn: files.time(2))
        // Times in the future were written before the device restarted, so the denial precedes all posts.
        return denial.withdrawn > clock.steady() ? Denial(given: -.infinity, withdrawn: -.infinity) : denial
    }

    func countWipe(of denial: Denial) {
        files.number += 1
        files.set(denial.given, 1)
        files.set(denial.withdrawn, 2)
    }

    /// Returns the number of wipes without taking the lock; 0 if the lock file does not exist. Nil if the file cannot be
    /// read, for example before the first unlock of the device.
    func peekWipes() -> Int64? {
        // With `O_NONBLOCK`, a pipe at this path does not block.
        let descriptor = open(file("outbox.files"), O_RDONLY | O_CLOEXEC | O_NONBLOCK)
        guard descriptor >= 0 else { return errno == ENOENT || errno == ENOTDIR ? 0 : nil }
        defer { Foundation.close(descriptor) }
        var value: Int64 = 0
        switch read(descriptor, &value, 8) {
        case 8: return value
        // A new file is empty, and a pipe has no content.
        case 0...: return 0
        default: return errno == EAGAIN ? 0 : nil
        }
    }

    /// - Returns: False if another process holds the right.
    func takeRight() throws -> Bool {
        try check(.lock)
        return try right.take()
    }

    func giveRightBack() { right.close() }

    func close() {
        right.close()
        files.close()
    }

    // MARK: Marks of a denial

    func isDenied() throws -> Bool { try isThere(denied) }
    func isWipeDue() throws -> Bool { try isThere(wipeDue) }

    /// Returns whether a file exists. Throws if this is unknown: an inaccessible mark must not count as missing.
    private func isThere(_ target: String) throws -> Bool {
        try check(.look)
        var status = stat()
        if lstat(target, &status) == 0 { return true }
        guard errno == ENOENT || errno == ENOTDIR else { throw FileError("examine", target, errno) }
        return false
    }

    /// Writes the mark of a denial, at a time of the monotonic clock, for all current and later processes.
    func deny(at time: TimeInterval) throws {
        try make()
        try check(.mark)
        // Another process may rename the file between `open` and `write`. The denial then needs a new file.
        for _ in 0..<Self.mostMarks {
            let descriptor = open(denied, O_RDWR | O_CREAT | O_CLOEXEC | O_NONBLOCK, 0o600)
            guard descriptor >= 0 else { throw FileError("create", denied, errno) }
            defer { Foundation.close(descriptor) }
            Self.hold(descriptor)
            // A mark without a time is valid, too: on a full disk, an empty file can be created, but not filled.
            Self.write(time, at: 0, to: descriptor)
            var status = stat()
            guard fstat(descriptor, &status) == 0, FileIdentity(denied) != FileIdentity(status) else { return }
        }
    }

    private static let mostMarks = 100

    /// Withdraws the current denial, unless the denial was given after `time`, the time of the agreement.
    func withdrawDenial(at time: TimeInterval, clock: OutboxClock) throws {
        try check(.remove)
        guard try isDenied() else { return }
        var descriptor = open(denied, O_RDWR | O_CLOEXEC | O_NONBLOCK)
        if descriptor < 0 { descriptor = open(denied, O_RDONLY | O_CLOEXEC | O_NONBLOCK) }
        // An unreadable mark is withdrawn, too.
        if descriptor >= 0 {
            defer { Foundation.close(descriptor) }
            let denial = Self.denial(descriptor, clock: clock)
            guard denial.given <= time else { return }
            if !denial.isDated { Self.write(denial.given, at: 0, to: descriptor) }
            Self.write(time, at: 8, to: descriptor)
        }
        guard rename(denied, wipeDue) == 0 || errno == ENOENT || errno == ENOTDIR else {
            throw FileError("move", denied, errno)
        }
        // If another process wrote a later denial before `rename`, its mark was moved, too, and is written again.
        let moved = open(wipeDue, O_RDONLY | O_CLOEXEC | O_NONBLOCK)
        guard moved >= 0 else { return }
        defer { Foundation.close(moved) }
        let denial = Self.denial(moved, clock: clock)
        if denial.isDated, denial.given > time { try deny(at: denial.given) }
    }

    private static func write(_ time: TimeInterval, at offset: off_t, to descriptor: Int32) {
        // Zero means an unknown time.
        var value = Int64(Outbox.Limits.clamp(time, 1e-9...1e9) * 1e9)
        pwrite(descriptor, &value, 8, offset)
    }

    /// Locks an open mark until its descriptor is closed. A write changes the file's date before its content. Without
    /// the lock, a reader could see only the date. The wait ends after 0.1 s, because the holder may be suspended.
    private static func hold(_ descriptor: Int32) {
        for _ in 0..<100 {
            // On a file system without locks, there is nothing to wait for.
            if flock(descriptor, LOCK_EX | LOCK_NB) == 0 || errno != EWOULDBLOCK && errno != EINTR { return }
            usleep(1000)
        }
    }

    /// Returns the times at which a denial was given and withdrawn, read from its mark. If the denial has not been
    /// withdrawn, the second time is the current time.
    func denial(isWithdrawn: Bool, clock: OutboxClock) -> Denial {
        let descriptor = open(isWithdrawn ? wipeDue : denied, O_RDONLY | O_CLOEXEC | O_NONBLOCK)
        guard descriptor >= 0 else {
            let now = clock.steady()
            return Denial(given: now, withdrawn: now)
        }
        defer { Foundation.close(descriptor) }
        let denial = Self.denial(descriptor, clock: clock)
        return Denial(given: denial.given, withdrawn: isWithdrawn ? denial.withdrawn : clock.steady())
    }

    /// Returns the times at which a denial was given and withdrawn, read from the open file of its mark. `isDated` is
    /// true if the file contains the first time. Otherwise the date of the file replaces it.
    private static func denial(_ descriptor: Int32, clock: OutboxClock) -> (
        given: TimeInterval, withdrawn: TimeInterval, isDated: Bool
    ) {
        hold(descriptor)
        let (now, date) = (clock.steady(), clock.wall())
        var status = stat()
        let hasDate = fstat(descriptor, &status) == 0
        var times: [Int64] = [0, 0]
        let count = read(descriptor, &times, 16)
        let isDated = count >= 8 && times[0] > 0
        var given = now
        if isDated {
            given = TimeInterval(times[0]) / 1e9
        } else if hasDate {
            // A mark without a time is as old as its file's last change.
            #if canImport(Darwin)
                let made = status.st_mtimespec
            #else
                let made = status.st_mtim
            #endif
            given = now - (date - TimeInterval(made.tv_sec) - TimeInterval(made.tv_nsec) / 1e9)
        }
        // A time in the future is from before a restart, so the denial is older than every time of this clock.
        return (given > now ? -.infinity : given, min(count == 16 ? TimeInterval(times[1]) / 1e9 : now, now), isDated)
    }

    /// Returns whether an upload may begin: no mark of a denial exists, and the batch comes from the store in place.
    func mayUpload(_ batch: OutboxBatch) -> Bool {
        let end = FolderProtocol.standard.run(.upload) { step in
            do {
                switch step {
                case .readDenied: return try isDenied() ? .yes : .no
                case .readWipeDue: return try isWipeDue() ? .yes : .no
                case .compareBatch:
                    return batch.file == FileIdentity(store) && batch.wipes == peekWipes() ? .inPlace : .moved
                default: return .failed
                }
            } catch {
                return .failed
            }
        }
        return end == .done
    }

    /// The identity and last change of the mark of a withdrawn denial. Another withdrawal changes them.
    struct Mark: Equatable {
        private let file: FileIdentity
        private let seconds: Int
        private let nanoseconds: Int

        fileprivate init?(_ path: String) {
            var status = stat()
            guard lstat(path, &status) == 0 else { return nil }
            file = FileIdentity(status)
            #if canImport(Darwin)
                let change = status.st_ctimespec
            #else
                let change = status.st_ctim
            #endif
            (seconds, nanoseconds) = (Int(change.tv_sec), Int(change.tv_nsec))
        }
    }

    var wipeDueMark: Mark? { Mark(wipeDue) }

    /// Removes the mark of a withdrawn denial, unless the mark has changed since its denial was obeyed.
    func removeWipeDue(_ obeyed: Mark?) throws {
        try check(.remove)
        if let obeyed, wipeDueMark == obeyed { try remove(wipeDue) }
    }

    /// Writes the folder's entries to the disk (`fsync`).
    func sync() throws { try sync(path) }

    private func sync(_ target: String) throws {
        try check(.sync)
        let descriptor = open(target, O_RDONLY | O_CLOEXEC | O_NONBLOCK)
        guard descriptor >= 0 else { throw FileError("open", target, errno) }
        defer { Foundation.close(descriptor) }
        // Some file systems cannot synchronize a folder.
        guard fsync(descriptor) == 0 || errno == EINVAL || errno == ENOTSUP else {
            throw FileError("synchronize", target, errno)
        }
    }

    private func clear(_ target: String) throws {
        if isFolder(target) == true { try FileManager.default.removeItem(atPath: target) } else { try remove(target) }
    }

    // MARK: Moving and removing, with the lock

    /// - Returns: False if no file is left that may contain records.
    func removeNext() throws -> Bool {
        try check(.remove)
        var failure: (any Error)?
        for name in try FileManager.default.contentsOfDirectory(atPath: path).sorted()
        where name.hasPrefix("outbox") && name.contains(".sqlite") {
            do {
                try clear(file(name))
                return true
            } catch {
                // The other files must still be removed.
                failure = failure ?? error
            }
        }
        if let failure { throw failure }
        return false
    }

    /// Returns a path to which the replaced store can be moved. If an earlier replacement stopped between two moves,
    /// returns the path of its first move.
    func nameForOldStore(at time: TimeInterval) throws -> String {
        let names = Set(
            try FileManager.default.contentsOfDirectory(atPath: path).filter { $0.hasPrefix("outbox-set-aside-") })
        for suffix in Self.suffixes.dropFirst() {
            for name in names.sorted() where name.hasSuffix(".sqlite" + suffix) {
                let main = String(name.dropLast(suffix.count))
                if !names.contains(main), !names.contains(main + Self.sealedSuffix) { return file(main) }
            }
        }
        let stamp = Int64(Outbox.Limits.clamp(time, 0...1e12) * 1000)
        var name = "outbox-set-aside-\(stamp).sqlite"
        var number = 0
        while names.contains(name) || names.contains(name + Self.sealedSuffix) {
            number += 1
            name = "outbox-set-aside-\(stamp)-\(number).sqlite"
        }
        return file(name)
    }

    /// Moves one file of the store in place to a new name.
    func moveStore(_ suffix: String, to target: String) throws {
        try check(.move)
        try move(store + suffix, target + suffix)
    }

    static let sealedSuffix = ".sealed"

    /// Encrypts the files that were set aside, each as a whole: it is unknown which parts of a damaged file are plain.
    func sealWhatIsSetAside(_ seal: ([UInt8]) throws -> [UInt8]) throws {
        for name in try FileManager.default.contentsOfDirectory(atPath: path).sorted()
        where name.hasPrefix("outbox-set-aside-") && !name.hasSuffix(Self.sealedSuffix) {
            let target = file(name)
            guard isFolder(target) == false, !isSpecial(target) else { continue }
            // These are SQLite's index of the log, and an incomplete file of a process that died here.
            if name.hasSuffix("-shm") || name.hasSuffix(Self.sealedSuffix + "-part") {
                try remove(target)
                continue
            }
            try check(.write)
            let data = try Data(contentsOf: URL(fileURLWithPath: target))
            let part = target + Self.sealedSuffix + "-part"
            try Data(try seal([UInt8](data))).write(to: URL(fileURLWithPath: part))
            try move(part, target + Self.sealedSuffix)
            try remove(target)
        }
    }

    /// Returns whether a complete new store exists that has not replaced the store in place yet.
    func hasRescued() throws -> Bool { try isThere(rescued) }

    func removeRescue() throws {
        try check(.remove)
        for suffix in Self.suffixes { try remove(rescue + suffix) }
    }

    func syncRescue() throws { try sync(rescue) }

    func completeRescue() throws {
        try check(.move)
        try move(rescue, rescued)
    }

    func placeRescue() throws {
        try check(.move)
        try move(rescued, store)
    }

    /// Removes the files of a store without content.
    func removeEmpty() throws {
        try check(.remove)
        for suffix in Self.suffixes.reversed() { try remove(store + suffix) }
    }

    private func move(_ from: String, _ to: String) throws {
        guard rename(from, to) == 0 || errno == ENOENT else { throw FileError("move", from, errno) }
    }

    private func remove(_ target: String) throws {
        guard unlink(target) == 0 || errno == ENOENT else { throw FileError("remove", target, errno) }
    }

    // MARK: Inspection

    /// Returns whether there are files of a store, but all without content: SQLite was interrupted before its first
    /// write. A store with content only in its log is not empty; `obstacle()` reports it.
    func isStoreEmpty() throws -> Bool {
        let exists = try isThere(store)
        guard size(store) ?? 0 == 0, size(store + "-wal") ?? 0 == 0, isFolder(store) != true,
            !isSpecial(store)
        else { return false }
        return exists || Self.suffixes.contains { isFolder(store + $0) == false }
    }

    /// Returns the reason for which SQLite cannot use the files of the store; nil if it can.
    func obstacle() throws -> String? {
        for suffix in Self.suffixes {
            let target = store + suffix
            guard let isFolder = isFolder(target) else { continue }
            if isFolder { return "a folder is in its place" }
            // SQLite would wait for the other end of a pipe.
            if isSpecial(target) { return "something that is not a file is in its place" }
            if access(target, R_OK | W_OK) != 0 {
                let code = errno
                // On a read-only file system, the store cannot be replaced, because its files cannot be moved either.
                return code == EROFS ? nil : "no permission: \(String(cString: strerror(code)))"
            }
        }
        // SQLite writes the first page of a store before it creates a log, and would delete a log without a first page.
        return size(store) ?? 0 == 0 && size(store + "-wal") ?? 0 > 0 ? "only its log has content" : nil
    }

    private func size(_ target: String) -> Int64? {
        var status = stat()
        return stat(target, &status) == 0 ? Int64(status.st_size) : nil
    }

    /// A Boolean value that indicates whether the store exists and opening it would not wait: neither the store nor its
    /// log is a pipe or a device.
    var mayOpen: Bool { exists(store) && !Self.suffixes.contains { isSpecial(store + $0) } }

    /// Returns whether something exists at the path that is neither a file nor a folder, such as a pipe.
    private func isSpecial(_ target: String) -> Bool {
        var status = stat()
        guard stat(target, &status) == 0 else { return false }
        return status.st_mode & S_IFMT != S_IFREG && status.st_mode & S_IFMT != S_IFDIR
    }

    private func exists(_ target: String) -> Bool { isFolder(target) != nil }

    /// Returns whether the path is a folder; nil if nothing exists there.
    private func isFolder(_ target: String) -> Bool? {
        var status = stat()
        guard lstat(target, &status) == 0 else { return nil }
        if status.st_mode & S_IFMT == S_IFLNK, stat(target, &status) != 0 { return false }
        return status.st_mode & S_IFMT == S_IFDIR
    }
}
