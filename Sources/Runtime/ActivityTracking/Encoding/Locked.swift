#if canImport(Darwin)
    package import os
#else
    package import Foundation
#endif

/// A value that a lock protects.
///
/// `Synchronization.Mutex` needs iOS 18, and `OSAllocatedUnfairLock` iOS 16. The lock and the value are allocated on
/// the heap, because the system's locks need a stable address.
package final class Locked<Value: Sendable>: @unchecked Sendable {
    // Safe: the memory of `value` is accessed only in `withLock`, while the lock is held.
    @usableFromInline package let value: UnsafeMutablePointer<Value>
    #if canImport(Darwin)
        @usableFromInline package let lock = UnsafeMutablePointer<os_unfair_lock>.allocate(capacity: 1)
    #else
        @usableFromInline package let lock = UnsafeMutablePointer<pthread_mutex_t>.allocate(capacity: 1)
    #endif

    package init(_ value: Value) {
        self.value = .allocate(capacity: 1)
        self.value.initialize(to: value)
        #if canImport(Darwin)
            lock.initialize(to: os_unfair_lock())
        #else
            lock.initialize(to: pthread_mutex_t())
            pthread_mutex_init(lock, nil)
        #endif
    }

    deinit {
        #if !canImport(Darwin)
            pthread_mutex_destroy(lock)
        #endif
        value.deinitialize(count: 1)
        value.deallocate()
        lock.deallocate()
    }

    @inlinable
    package func withLock<Result>(_ body: (inout Value) throws -> Result) rethrows -> Result {
        #if canImport(Darwin)
            os_unfair_lock_lock(lock)
            defer { os_unfair_lock_unlock(lock) }
        #else
            pthread_mutex_lock(lock)
            defer { pthread_mutex_unlock(lock) }
        #endif
        return try body(&value.pointee)
    }
}
