import Foundation

/// A value that one thread at a time looks at.
///
/// `Synchronization.Mutex` would need iOS 18.
package final class Locked<Value: Sendable>: @unchecked Sendable {
    // Safe: `value` is touched in `withLock` alone, by whoever holds the lock.
    private var value: Value
    private let lock = NSLock()

    package init(_ value: Value) { self.value = value }

    package func withLock<Result>(_ body: (inout Value) throws -> Result) rethrows -> Result {
        lock.lock()
        defer { lock.unlock() }
        return try body(&value)
    }
}
