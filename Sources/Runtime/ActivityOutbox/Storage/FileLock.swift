import Foundation

/// A file that processes lock (`flock`). The system frees the lock when the process dies.
final class FileLock {
    private let path: String
    private var descriptor: Int32 = -1
    /// The number in a lock file that has been deleted since.
    private var lastNumber: Int64 = 0

    init(_ path: String) { self.path = path }

    deinit { close() }

    /// Whether its file is open.
    var isHeld: Bool { descriptor >= 0 }

    /// Takes the lock; false if another process has it.
    ///
    /// The lock file may be deleted with its folder. A lock on a deleted file keeps no one out, so the file is made
    /// anew.
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

    /// Takes the lock, and waits for it for some seconds at most.
    func take(within seconds: TimeInterval) throws {
        // In steps of a millisecond: another process holds it only for the time of a transaction.
        let end = DispatchTime.now() + seconds
        while try !take() {
            guard DispatchTime.now() < end else { throw FileError("lock", path, EWOULDBLOCK) }
            usleep(1000)
        }
    }

    func giveBack() {
        if descriptor >= 0 { flock(descriptor, LOCK_UN) }
    }

    func close() {
        lastNumber = max(lastNumber, number)
        if descriptor >= 0 { Foundation.close(descriptor) }
        descriptor = -1
    }

    /// The number of wipes in the file, 0 at first. Read and write it only with the lock.
    var number: Int64 {
        get { value(0) }
        set { write(newValue, 0) }
    }

    /// A time in the file, in seconds of the steady clock. Valid until the next start of the device.
    func time(_ index: off_t) -> TimeInterval { TimeInterval(value(index)) / 1e9 }

    func set(_ time: TimeInterval, _ index: off_t) { write(Int64(OutboxLimits.clamp(time, 0...1e9) * 1e9), index) }

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

/// Tells files apart by device and inode: a name may come to stand for another file.
struct FileIdentity: Equatable, Sendable {
    private let device: UInt64
    private let inode: UInt64

    /// Of the file at a path; nil if there is none.
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

/// A call of the system that failed.
struct FileError: Error, CustomStringConvertible {
    let action: String
    let path: String
    let code: Int32

    init(_ action: String, _ path: String, _ code: Int32) {
        (self.action, self.path, self.code) = (action, path, code)
    }

    var description: String { "cannot \(action) \(path): \(String(cString: strerror(code)))" }
}
