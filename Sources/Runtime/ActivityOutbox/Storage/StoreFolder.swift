import ActivityTracking
import Foundation

/// What is done with a file. Tests make it fail before it is tried.
package enum FileAction: Sendable, Equatable, CaseIterable {
    case makeFolder, lock, open, look, read, write, sync, mark, move, remove
}

/// A denial, in seconds of the steady clock.
struct Denial: Sendable {
    var given: TimeInterval
    /// When the user agreed again, or when the mark was read.
    var withdrawn: TimeInterval

    /// Records that a process has posted earlier are denied.
    /// - Parameter agreement: when the user agreed in that process; nil if the user has not.
    func limit(agreement: TimeInterval?) -> TimeInterval {
        // Who agrees after the denial is not affected by it.
        if let agreement, agreement > given { min(agreement, withdrawn) } else { withdrawn }
    }
}

/// The folder of a store: each method is a system call, or a few that nothing comes between. ``FolderProtocol`` has their
/// order.
///
/// | file | is |
/// | --- | --- |
/// | `outbox.sqlite`, `-wal`, `-shm` | the store, its log, the index of the log |
/// | `outbox-set-aside-….sqlite` | a store that could not be used; `….sqlite.sealed` if records are sealed |
/// | `outbox-rescue.sqlite` | the store that is to replace it, incomplete; it has no log |
/// | `outbox-rescued.sqlite` | the same, complete: the store next to it is old |
/// | `outbox.denied` | the user denies: nothing may be stored or sent, and stored records are wiped |
/// | `outbox.wipe` | a denial that the user has withdrawn since: stored records are wiped, then this file is removed |
/// | `outbox.policy` | the remote policy, and since when it holds; `-part` while it is being written |
/// | `outbox.lock` | locked by the process that delivers |
/// | `outbox.files` | locked for every access to the store and for a change of the policy; holds the number of wipes, and the times of the denial that was wiped last |
final class StoreFolder: @unchecked Sendable {
    // Safe: the locks are used on the outbox's disk queue alone; everything else is constant or in the file system.
    // The marks are read and written from any thread.

    let path: String
    private let protection: FileProtectionType
    private let faults: @Sendable (FileAction) throws -> Void
    private let files: FileLock
    private let right: FileLock

    init(_ url: URL, protection: FileProtectionType, faults: @escaping @Sendable (FileAction) throws -> Void) {
        path = url.path
        self.protection = protection
        self.faults = faults
        // Not by `appendingPathComponent`, which looks at the disk: an outbox may be made on the main thread.
        files = FileLock("\(path)/outbox.files")
        right = FileLock("\(path)/outbox.lock")
    }

    private func file(_ name: String) -> String { "\(path)/\(name)" }
    var store: String { file("outbox.sqlite") }
    var rescue: String { file("outbox-rescue.sqlite") }
    private var rescued: String { file("outbox-rescued.sqlite") }
    private var policy: String { file("outbox.policy") }
    private var denied: String { file("outbox.denied") }
    private var wipeDue: String { file("outbox.wipe") }

    /// The names that SQLite makes of one. A log must never stand next to a store that is not its own.
    static let suffixes = ["", "-wal", "-journal", "-shm"]

    func check(_ action: FileAction) throws { try faults(action) }

    func make() throws {
        try check(.makeFolder)
        guard !exists(path) || isFolder(path) == false else { return }
        do { try FileManager.default.createDirectory(atPath: path, withIntermediateDirectories: true) } catch {
            // Foundation's description of the same failure differs from time to time.
            guard mkdir(path, 0o777) == 0 else { throw FileError("make", path, errno) }
        }
        protect()
    }

    /// Sets what Apple's systems know of files: when they may be read, and that backups leave them out. New files are
    /// as their folder. A file system that knows neither is no reason not to store.
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

    var isThere: Bool { isFolder(path) == true }

    // MARK: Locks

    /// How long to wait for the lock, in seconds. Other processes hold it for the time of a transaction.
    private static let patience: TimeInterval = 5

    func lock() throws {
        try check(.lock)
        try files.take(within: Self.patience)
    }

    func unlock() { files.giveBack() }

    /// The number of wipes. Read it with the lock, or after the lock file was deleted under one.
    var wipes: Int64 { files.number }

    /// The denial that was wiped last. Read it with the lock.
    var lastDenial: Denial { Denial(given: files.time(1), withdrawn: files.time(2)) }

    func countWipe(of denial: Denial) {
        files.number += 1
        files.set(denial.given, 1)
        files.set(denial.withdrawn, 2)
    }

    /// The number of wipes, without the lock and without making the file.
    func peekWipes() -> Int64 {
        let descriptor = open(file("outbox.files"), O_RDONLY | O_CLOEXEC)
        guard descriptor >= 0 else { return 0 }
        defer { Foundation.close(descriptor) }
        var value: Int64 = 0
        return read(descriptor, &value, 8) == 8 ? value : 0
    }

    /// Takes the right to deliver; false if another process has it.
    func takeRight() throws -> Bool {
        try check(.lock)
        return try right.take()
    }

    func giveRightBack() { right.close() }

    /// Lets go of every file.
    func close() {
        right.close()
        files.close()
    }

    // MARK: Marks of a denial

    func isDenied() throws -> Bool { try isThere(denied) }
    func isWipeDue() throws -> Bool { try isThere(wipeDue) }

    /// Whether a file exists. Throws if that cannot be found out: a mark that cannot be read may be there.
    private func isThere(_ target: String) throws -> Bool {
        try check(.look)
        var status = stat()
        if lstat(target, &status) == 0 { return true }
        guard errno == ENOENT || errno == ENOTDIR else { throw FileError("examine", target, errno) }
        return false
    }

    /// Marks a denial at a time of the steady clock. It holds for every process, and for later ones.
    func deny(at time: TimeInterval) throws {
        try make()
        try check(.mark)
        // A withdrawal in another process may move the file between `open` and `write`. The denial then needs a new file.
        for _ in 0..<Self.mostMarks {
            let descriptor = open(denied, O_WRONLY | O_CREAT | O_CLOEXEC, 0o600)
            guard descriptor >= 0 else { throw FileError("create", denied, errno) }
            defer { Foundation.close(descriptor) }
            Self.hold(descriptor)
            // The mark counts without its time, too: a full disk has no room for content.
            Self.write(time, at: 0, to: descriptor)
            var status = stat()
            guard fstat(descriptor, &status) == 0, FileIdentity(denied) != FileIdentity(status) else { return }
        }
    }

    private static let mostMarks = 100

    /// Withdraws the denial that is there, unless it was given after the agreement.
    func withdrawDenial(at time: TimeInterval, clock: OutboxClock) throws {
        try check(.remove)
        guard try isDenied() else { return }
        var descriptor = open(denied, O_RDWR | O_CLOEXEC | O_NONBLOCK)
        if descriptor < 0 { descriptor = open(denied, O_RDONLY | O_CLOEXEC | O_NONBLOCK) }
        // A mark that cannot be read is withdrawn all the same.
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
        // A later denial of another process may have come before `rename`, and was moved with the file.
        let moved = open(wipeDue, O_RDONLY | O_CLOEXEC | O_NONBLOCK)
        guard moved >= 0 else { return }
        defer { Foundation.close(moved) }
        let denial = Self.denial(moved, clock: clock)
        if denial.isDated, denial.given > time { try deny(at: denial.given) }
    }

    private static func write(_ time: TimeInterval, at offset: off_t, to descriptor: Int32) {
        // Zero stands for an unknown time.
        var value = Int64(OutboxLimits.clamp(time, 1e-9...1e9) * 1e9)
        pwrite(descriptor, &value, 8, offset)
    }

    /// Locks an open mark until its descriptor is closed. A write changes the file's date before its content: without the
    /// lock, a reader could see the new date and no time. The wait ends after 0.1 s, because the holder may be suspended.
    private static func hold(_ descriptor: Int32) {
        for _ in 0..<100 {
            // A file system without locks has nothing to wait for.
            if flock(descriptor, LOCK_EX | LOCK_NB) == 0 || errno != EWOULDBLOCK && errno != EINTR { return }
            usleep(1000)
        }
    }

    /// When a denial was given and when it was withdrawn, as its mark has it.
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

    /// The times of the mark that is open, and whether the first one is written in it.
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
            // A mark without a time is as old as its file.
            #if canImport(Darwin)
                let made = status.st_mtimespec
            #else
                let made = status.st_mtim
            #endif
            given = now - (date - TimeInterval(made.tv_sec) - TimeInterval(made.tv_nsec) / 1e9)
        }
        // A time that is yet to come is of an earlier start of the device.
        return (given > now ? -.infinity : given, min(count == 16 ? TimeInterval(times[1]) / 1e9 : now, now), isDated)
    }

    /// The last look before an upload begins: no mark of a denial, and the batch is of the store in place.
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

    /// The file of a withdrawn denial, and its last change: another withdrawal makes another file, or changes this one.
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

    /// Removes the mark of the withdrawn denial that has been obeyed.
    func removeWipeDue(_ obeyed: Mark?) throws {
        try check(.remove)
        if let obeyed, wipeDueMark == obeyed { try remove(wipeDue) }
    }

    /// Synchronizes the names in the folder with the disk.
    func sync() throws { try sync(path) }

    private func sync(_ target: String) throws {
        try check(.sync)
        let descriptor = open(target, O_RDONLY | O_CLOEXEC)
        guard descriptor >= 0 else { throw FileError("open", target, errno) }
        defer { Foundation.close(descriptor) }
        // Some file systems cannot synchronize a folder.
        guard fsync(descriptor) == 0 || errno == EINVAL || errno == ENOTSUP else {
            throw FileError("synchronize", target, errno)
        }
    }

    // MARK: The remote policy

    /// The file of the policy; nil if there is none, and empty if what is in its place is no file that can be read.
    func readPolicy() throws -> [UInt8]? {
        try check(.read)
        // A pipe in its place must not be waited for.
        let descriptor = open(policy, O_RDONLY | O_CLOEXEC | O_NONBLOCK)
        guard descriptor >= 0 else {
            switch errno {
            case ENOENT, ENOTDIR: return nil
            // A circle of links, another user's file, a socket.
            case ELOOP, EACCES, ENXIO, EOPNOTSUPP: return []
            default: throw FileError("read", policy, errno)
            }
        }
        defer { Foundation.close(descriptor) }
        var bytes = [UInt8](repeating: 0, count: 2 * Outbox.RemotePolicy.mostBytes)
        let count = read(descriptor, &bytes, bytes.count)
        // A folder in its place is no policy.
        guard count >= 0 || errno == EISDIR else { throw FileError("read", policy, errno) }
        return Array(bytes.prefix(max(0, count)))
    }

    /// Keeps a policy, in place of the one before, or none. A process that dies meanwhile leaves the one before.
    func write(policy bytes: [UInt8]?) throws {
        guard let bytes else {
            try check(.remove)
            return isThere ? try alone { try clear(policy) } : ()
        }
        try make()
        try check(.write)
        try alone {
            let part = policy + "-part"
            // A process may have died while it wrote.
            try clear(part)
            let descriptor = open(part, O_WRONLY | O_CREAT | O_EXCL | O_CLOEXEC, 0o600)
            guard descriptor >= 0 else { throw FileError("create", part, errno) }
            let written = Foundation.write(descriptor, bytes, bytes.count)
            let code = written == bytes.count && fsync(descriptor) == 0 ? 0 : (written < 0 ? errno : ENOSPC)
            Foundation.close(descriptor)
            guard code == 0 else {
                try? remove(part)
                throw FileError("write", part, code)
            }
            if isFolder(policy) == true { try clear(policy) }
            guard rename(part, policy) == 0 else { throw FileError("move", part, errno) }
            // The name is as safe as the bytes.
            try? sync()
        }
    }

    /// Removes a policy that has been judged, unless another one has taken its place since.
    func removePolicy(_ judged: [UInt8]) throws {
        try check(.remove)
        try alone { if try readPolicy() == judged { try clear(policy) } }
    }

    /// Runs a body with the lock, and holds no file afterwards that was not held before: an outbox may be suspended.
    private func alone(_ body: () throws -> Void) throws {
        let isHeld = files.isHeld
        defer { if isHeld { unlock() } else { files.close() } }
        try lock()
        try body()
    }

    /// Removes whatever is there.
    private func clear(_ target: String) throws {
        if isFolder(target) == true { try FileManager.default.removeItem(atPath: target) } else { try remove(target) }
    }

    // MARK: Moving and removing; with the lock

    /// Removes one file that has held a record; false if there is none left.
    func removeNext() throws -> Bool {
        try check(.remove)
        var failure: (any Error)?
        for name in try FileManager.default.contentsOfDirectory(atPath: path).sorted()
        where name.hasPrefix("outbox") && name.contains(".sqlite") {
            do {
                try clear(file(name))
                return true
            } catch {
                // The other files are removed all the same.
                failure = failure ?? error
            }
        }
        if let failure { throw failure }
        return false
    }

    /// The name for the store that is replaced: that of a replacement that ended between two moves, or a new one.
    func nameForOldStore(at time: TimeInterval) throws -> String {
        let names = Set(
            try FileManager.default.contentsOfDirectory(atPath: path).filter { $0.hasPrefix("outbox-set-aside-") })
        for suffix in Self.suffixes.dropFirst() {
            for name in names.sorted() where name.hasSuffix(".sqlite" + suffix) {
                let main = String(name.dropLast(suffix.count))
                if !names.contains(main), !names.contains(main + Self.sealedSuffix) { return file(main) }
            }
        }
        let stamp = Int64(OutboxLimits.clamp(time, 0...1e12) * 1000)
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

    /// Seals each file that was set aside as a whole: what is damaged does not say what in it is plain.
    func sealWhatIsSetAside(_ seal: ([UInt8]) throws -> [UInt8]) throws {
        for name in try FileManager.default.contentsOfDirectory(atPath: path).sorted()
        where name.hasPrefix("outbox-set-aside-") && !name.hasSuffix(Self.sealedSuffix) {
            let target = file(name)
            guard isFolder(target) == false else { continue }
            // SQLite's index of the log, and what a process left that died here.
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

    /// Whether a complete new store waits to replace the one in place.
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

    /// Removes a store without content, and its names.
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

    // MARK: Looking

    /// Whether there are files of a store without content: SQLite was interrupted before it wrote any. A log with
    /// content is an obstacle, not empty.
    func isStoreEmpty() throws -> Bool {
        let exists = try isThere(store)
        guard size(store) ?? 0 == 0, size(store + "-wal") ?? 0 == 0, isFolder(store) != true else { return false }
        return exists || Self.suffixes.contains { isFolder(store + $0) == false }
    }

    /// Why SQLite cannot work with the files in the store's place; nil if it can.
    func obstacle() throws -> String? {
        for suffix in Self.suffixes {
            let target = store + suffix
            guard let isFolder = isFolder(target) else { continue }
            if isFolder { return "a folder is in its place" }
            if access(target, R_OK | W_OK) != 0 {
                let code = errno
                // On a read-only file system nothing can be moved either.
                return code == EROFS ? nil : "no permission: \(String(cString: strerror(code)))"
            }
        }
        // SQLite writes the first page of a store before it makes a log, and deletes a log that it finds without one.
        return size(store) ?? 0 == 0 && size(store + "-wal") ?? 0 > 0 ? "only its log has content" : nil
    }

    /// The size of a file in bytes; nil if there is none.
    private func size(_ target: String) -> Int64? {
        var status = stat()
        return stat(target, &status) == 0 ? Int64(status.st_size) : nil
    }

    private func exists(_ target: String) -> Bool { isFolder(target) != nil }

    /// nil if there is nothing.
    private func isFolder(_ target: String) -> Bool? {
        var status = stat()
        guard lstat(target, &status) == 0 else { return nil }
        if status.st_mode & S_IFMT == S_IFLNK, stat(target, &status) != 0 { return false }
        return status.st_mode & S_IFMT == S_IFDIR
    }
}
