import Foundation

/// The right to deliver, which one process at a time has: a file that is locked (`flock`), and so set free by the system when a process dies.
struct DeliveryLock: ~Copyable {
    private let descriptor: Int32

    /// Takes the lock; nil while somebody else has it.
    init?(_ path: String) {
        descriptor = open(path, O_RDWR | O_CREAT | O_CLOEXEC, 0o600)
        guard descriptor >= 0 else { return nil }
        guard flock(descriptor, LOCK_EX | LOCK_NB) == 0 else {
            close(descriptor)
            return nil
        }
    }

    deinit { close(descriptor) }
}
