import Foundation

/// A file that processes lock (`flock`), and that the system sets free when a process dies.
final class FileLock {
    private let path: String
    private var descriptor: Int32 = -1
    /// What a file that was deleted has said.
    private var lastNumber: Int64 = 0

    init(_ path: String) { self.path = path }

    deinit { close() }

    /// Takes the lock; false if another process has it.
    ///
    /// A lock file may be deleted with its folder: a lock on a file that nobody else will find is no lock, so it is made anew.
    func take(_ isExclusive: Bool) throws -> Bool {
        for _ in 0..<10 {
            if descriptor < 0 { descriptor = Foundation.open(path, O_RDWR | O_CREAT | O_CLOEXEC, 0o600) }
            guard descriptor >= 0 else { throw FileError("open", path, errno) }
            guard flock(descriptor, (isExclusive ? LOCK_EX : LOCK_SH) | LOCK_NB) == 0 else {
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
    func take(_ isExclusive: Bool, within seconds: TimeInterval) throws {
        // In steps of a millisecond: who holds it does so for as long as a transaction takes.
        let end = DispatchTime.now() + seconds
        while try !take(isExclusive) {
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

    /// A number that the file holds, 0 at first; to be read and written by who has the lock.
    var number: Int64 {
        get {
            var value: Int64 = 0
            guard descriptor >= 0, pread(descriptor, &value, 8, 0) == 8 else { return 0 }
            return value
        }
        set {
            var value = newValue
            if descriptor >= 0 { pwrite(descriptor, &value, 8, 0) }
        }
    }

    private var isInPlace: Bool {
        var status = stat()
        guard fstat(descriptor, &status) == 0 else { return false }
        return FileIdentity(status) == FileIdentity(path)
    }
}

/// Which file it is, whatever its name.
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

/// What the system said no to.
struct FileError: Error, CustomStringConvertible {
    let action: String
    let path: String
    let code: Int32

    init(_ action: String, _ path: String, _ code: Int32) {
        (self.action, self.path, self.code) = (action, path, code)
    }

    var description: String { "cannot \(action) \(path): \(String(cString: strerror(code)))" }
}
