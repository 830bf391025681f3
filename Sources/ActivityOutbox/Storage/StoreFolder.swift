import ActivityTracking
import Foundation

/// What is done with a file. Tests make it fail before it is tried.
package enum FileAction: Sendable, Equatable, CaseIterable {
    case makeFolder, lock, open, read, write, mark, move, remove
}

/// The folder of a store: the one place that makes, opens, looks at, moves and removes files. SQLite opens a file
/// only after this has looked at it.
///
/// | file | is |
/// | --- | --- |
/// | `outbox.sqlite`, `-wal`, `-shm` | the store |
/// | `outbox-set-aside-….sqlite` | a store that could not be used; `….sqlite.sealed` if records are sealed |
/// | `outbox-rescue.sqlite` | what is being read from such a store, half written |
/// | `outbox-rescued.sqlite` | the same, complete: about to become the store |
/// | `outbox.denied` | the marker: the user does not agree, nothing may be stored, and what is stored is wiped |
/// | `outbox.policy` | the remote policy, and since when it holds; `-part` while it is being written |
/// | `outbox.lock` | locked by the process that delivers |
/// | `outbox.files` | locked to write (shared) and to make, move or wipe files or to keep a policy (exclusive); holds the number of wipes |
final class StoreFolder: @unchecked Sendable {
    // Safe: the locks are used on the outbox's disk queue alone; everything else is constant or in the file system.

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
    private var marker: String { file("outbox.denied") }

    /// The names that SQLite makes of one.
    static let suffixes = ["", "-wal", "-shm"]

    func check(_ action: FileAction) throws { try faults(action) }

    func make() throws {
        try check(.makeFolder)
        guard !exists(path) || isFolder(path) == false else { return }
        try FileManager.default.createDirectory(atPath: path, withIntermediateDirectories: true)
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

    /// How long to wait for a lock, in seconds. Other processes hold it for the time of a transaction.
    private static let patience: TimeInterval = 5

    /// Runs a body that writes. Meanwhile no process moves the files.
    func shared<Result>(_ body: () throws -> Result) throws -> Result { try locked(false, body) }

    /// Runs a body that makes, moves or wipes files. Meanwhile no process writes.
    func exclusive<Result>(_ body: () throws -> Result) throws -> Result { try locked(true, body) }

    private func locked<Result>(_ isExclusive: Bool, _ body: () throws -> Result) throws -> Result {
        try check(.lock)
        try files.take(isExclusive, within: Self.patience)
        defer { files.giveBack() }
        return try body()
    }

    /// How often the folder was wiped. Read it with a lock on the files, or after they were deleted under one.
    var wipes: Int64 { files.number }

    /// Takes the right to deliver; false if another process has it.
    func takeRight() throws -> Bool {
        try check(.lock)
        return try right.take(true)
    }

    func giveRightBack() { right.close() }

    /// Lets go of every file.
    func close() {
        right.close()
        files.close()
    }

    // MARK: The marker

    var isMarked: Bool { exists(marker) }

    /// Remembers that the user denies.
    func mark() throws {
        try make()
        try check(.mark)
        let descriptor = open(marker, O_WRONLY | O_CREAT | O_CLOEXEC, 0o600)
        guard descriptor >= 0 else { throw FileError("create", marker, errno) }
        Foundation.close(descriptor)
    }

    func unmark() throws {
        try check(.remove)
        guard unlink(marker) == 0 || errno == ENOENT else { throw FileError("remove", marker, errno) }
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
            let folder = open(path, O_RDONLY | O_CLOEXEC)
            guard folder >= 0 else { return }
            // The name is as safe as the bytes.
            fsync(folder)
            Foundation.close(folder)
        }
    }

    /// Removes a policy that has been judged, unless another one has taken its place since.
    func removePolicy(_ judged: [UInt8]) throws {
        try check(.remove)
        try alone { if try readPolicy() == judged { try clear(policy) } }
    }

    /// Runs a body with the exclusive lock, and holds no file afterwards that was not held before: an outbox may be
    /// suspended.
    private func alone(_ body: () throws -> Void) throws {
        let isHeld = files.isHeld
        defer { if !isHeld { files.close() } }
        try exclusive(body)
    }

    /// Removes whatever is there.
    private func clear(_ target: String) throws {
        if isFolder(target) == true { try FileManager.default.removeItem(atPath: target) } else { try remove(target) }
    }

    // MARK: Moving and removing; with the exclusive lock

    /// Removes every file that has held a record.
    func wipe() throws {
        try check(.remove)
        var failure: FileError?
        for name in try FileManager.default.contentsOfDirectory(atPath: path) where name.hasPrefix("outbox") && name.contains(".sqlite") {
            let target = file(name)
            if isFolder(target) == true {
                try? FileManager.default.removeItem(atPath: target)
            } else if unlink(target) != 0, errno != ENOENT {
                // What can be removed is removed.
                failure = FileError("remove", target, errno)
            }
        }
        if let failure { throw failure }
        files.number += 1
    }

    /// Moves the store's files to names with the time. Returns the new path of the first one.
    func setAside(at time: TimeInterval) throws -> String {
        try check(.move)
        let stamp = Int64(OutboxLimits.clamp(time, 0...1e12) * 1000)
        var target = file("outbox-set-aside-\(stamp).sqlite")
        var number = 0
        while exists(target) || exists(target + Self.sealedSuffix) {
            number += 1
            target = file("outbox-set-aside-\(stamp)-\(number).sqlite")
        }
        for suffix in Self.suffixes { try move(store + suffix, target + suffix) }
        return target
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

    /// Makes a complete rescue the store, once the damaged one is out of the way. If the process dies in between, the
    /// next one does it.
    func finishRescue() throws {
        guard exists(rescued) else { return }
        if exists(store) { try remove(rescued) } else { try move(rescued, store) }
    }

    func completeRescue() throws { try move(rescue, rescued) }

    func dropRescue() throws {
        for suffix in Self.suffixes { try remove(rescue + suffix) }
    }

    private func move(_ from: String, _ to: String) throws {
        guard rename(from, to) == 0 || errno == ENOENT else { throw FileError("move", from, errno) }
    }

    private func remove(_ target: String) throws {
        guard unlink(target) == 0 || errno == ENOENT else { throw FileError("remove", target, errno) }
    }

    // MARK: Looking

    /// Why SQLite cannot work with what is in the store's place; nil if it can.
    var obstacle: String? {
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
        var status = stat()
        // A store that has been opened once is never empty.
        return stat(store, &status) == 0 && status.st_size == 0 ? "it is empty" : nil
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
