import Foundation

/// A lock between processes, held on a file with `flock`. The system releases it when the process dies.
final class FileLock {
    private let path: String
    private var descriptor: Int32 = -1
    /// The highest number of wipes in a lock file that this object has closed, which may be deleted since.
    private var lastNumber: Int64 = 0

    init(_ path: String) { self.path = path }

    deinit { close() }

    /// Takes the lock if it is free.
    ///
    /// The lock file may be deleted with its folder. A lock on a deleted file does not exclude other processes, so the
    /// file is created again.
    /// - Returns: False if another process holds the lock.
    func take() throws -> Bool {
        for _ in 0..<10 {
            if descriptor < 0 { descriptor = Foundation.open(path, O_RDWR | O_CREAT | O_CLOEXEC, 0o600) }
            guard descriptor >= 0 else { throw FileError("open", path, errno) }
            guard flock(descriptor, LOCK_EX | LOCK_NB) == 0 else {
                let code = errno
                if code == EINTR { continue }
                guard code == EWOULDBLOCK else { throw FileError("lock", path, code) }
                if isInPlace { return false }
                close()
                continue
            }
            if isInPlace {
                if number < lastNumber { number = lastNumber }
                return true
            }
            close()
        }
        return false
    }

    /// Takes the lock. Waits for another process until the patience is used up.
    func take(_ patience: LockPatience) throws {
        // `flock` has no timeout, so it is called every millisecond. The lock is held only during a transaction.
        while try !take() {
            guard patience.wait() else { throw FileError("lock", path, EWOULDBLOCK) }
        }
    }

    func giveBack() {
        if descriptor >= 0 { flock(descriptor, LOCK_UN) }
    }

    /// Releases the lock and closes its file. The lock is released first: a child process that has not begun its
    /// program yet has a copy of the descriptor, and closing this one would leave the lock to the copy.
    func close() {
        lastNumber = max(lastNumber, number)
        giveBack()
        if descriptor >= 0 { Foundation.close(descriptor) }
        descriptor = -1
    }

    /// The number of wipes that the file contains, initially 0. Read and write it only while holding the lock.
    var number: Int64 {
        get { value(0) }
        set { write(newValue, 0) }
    }

    /// Returns a time in the file, in seconds of the monotonic clock. It is valid until the device restarts.
    func time(_ index: off_t) -> TimeInterval { TimeInterval(value(index)) / 1e9 }

    func set(_ time: TimeInterval, _ index: off_t) { write(Int64(Outbox.Limits.clamp(time, 0...1e9) * 1e9), index) }

    private func value(_ index: off_t) -> Int64 {
        var value: Int64 = 0
        guard descriptor >= 0, pread(descriptor, &value, 8, 8 * index) == 8 else { return 0 }
        return value
    }

    private func write(_ newValue: Int64, _ index: off_t) {
        var value = newValue
        if descriptor >= 0 { pwrite(descriptor, &value, 8, 8 * index) }
    }

    private var isInPlace: Bool {
        var status = stat()
        guard fstat(descriptor, &status) == 0 else { return false }
        return FileIdentity(status) == FileIdentity(path)
    }
}

/// The identity of a file: its device and inode. A path may later refer to another file.
struct FileIdentity: Hashable, Sendable {
    private let device: UInt64
    private let inode: UInt64

    /// Creates the identity of the file at a path; nil if the path does not exist.
    init?(_ path: String) {
        var status = stat()
        guard stat(path, &status) == 0 else { return nil }
        self.init(status)
    }

    init(_ status: stat) {
        device = UInt64(truncatingIfNeeded: status.st_dev)
        inode = UInt64(truncatingIfNeeded: status.st_ino)
    }
}

struct FileError: Error, CustomStringConvertible {
    let action: String
    let path: String
    let code: Int32

    init(_ action: String, _ path: String, _ code: Int32) {
        (self.action, self.path, self.code) = (action, path, code)
    }

    var description: String { "cannot \(action) \(path): \(String(cString: strerror(code)))" }
}
