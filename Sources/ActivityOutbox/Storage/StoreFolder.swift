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
/// | `outbox-set-aside-….sqlite` | a store that could not be used |
/// | `outbox-rescue.sqlite` | what is being read from such a store, half written |
/// | `outbox-rescued.sqlite` | the same, complete: about to become the store |
/// | `outbox.denied` | the marker: the user does not agree, nothing may be stored, and what is stored is wiped |
/// | `outbox.lock` | locked by the process that delivers |
/// | `outbox.files` | locked to write (shared) and to make, move or wipe files (exclusive); holds the number of wipes |
final class StoreFolder: @unchecked Sendable {
    // Safe: the locks are used on the outbox's disk queue alone; everything else is constant or in the file system.

    let path: String
    private let faults: @Sendable (FileAction) throws -> Void
    private let files: FileLock
    private let right: FileLock

    init(_ url: URL, faults: @escaping @Sendable (FileAction) throws -> Void) {
        path = url.path
        self.faults = faults
        files = FileLock(url.appendingPathComponent("outbox.files").path)
        right = FileLock(url.appendingPathComponent("outbox.lock").path)
    }

    private func file(_ name: String) -> String { "\(path)/\(name)" }
    var store: String { file("outbox.sqlite") }
    var rescue: String { file("outbox-rescue.sqlite") }
    private var rescued: String { file("outbox-rescued.sqlite") }
    private var marker: String { file("outbox.denied") }

    /// The names that SQLite makes of one.
    static let suffixes = ["", "-wal", "-shm"]

    func check(_ action: FileAction) throws { try faults(action) }

    func make() throws {
        try check(.makeFolder)
        guard !exists(path) || isFolder(path) == false else { return }
        try FileManager.default.createDirectory(atPath: path, withIntermediateDirectories: true)
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
        while exists(target) {
            number += 1
            target = file("outbox-set-aside-\(stamp)-\(number).sqlite")
        }
        for suffix in Self.suffixes { try move(store + suffix, target + suffix) }
        return target
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
