#if canImport(UIKit) && !os(watchOS)
    public import Foundation
    public import UIKit

    /// Work that saves logs when the app enters the background or terminates.
    ///
    /// In the background, the work runs in a background task, for which iOS gives some seconds. At termination, the
    /// process ends when the notification's observers return. Therefore the work delays termination, for
    /// ``terminationTimeout`` seconds at most; iOS allows about five (`applicationWillTerminate(_:)`).
    ///
    /// An app creates one together with its outbox, and keeps it: `BackgroundWork(.shared) { await outbox.suspend() }
    /// resume: { await outbox.resume() }`. On switches between background and foreground, `work` and `resume` run one
    /// after the other, however quickly the user switches. An app extension, which has no application, calls
    /// `ProcessInfo.performExpiringWork(_:expire:)`.
    @MainActor
    public final class BackgroundWork {
        /// The maximum time in seconds for which termination, or the end of an expired background task, waits for work.
        public nonisolated static let terminationTimeout = 3.0
        private let notifications: NotificationObservers
        private var last: Task<Void, Never>?

        /// - Parameters:
        ///   - application: Returns the app. It is evaluated in the background only, because SwiftUI creates an `App`
        ///     before the application exists.
        ///   - center: The center that posts the app's notifications.
        ///   - work: The work to do before the app is suspended: flush, and close files that must not stay open. At
        ///     termination, the main actor waits for the work, so it must not wait for the main actor. Capture the
        ///     logger or the outbox, not an object of the main actor that contains it.
        ///   - expire: The work to do when the time of the background task expires before `work` has ended: let `work`
        ///     end, such as `await outbox.suspend()` for a delivery. It runs at the same time as `work`. The main actor
        ///     waits for both, for ``terminationTimeout`` seconds at most, before the background task ends.
        ///   - resume: The work to do when the app returns.
        public init(
            _ application: @autoclosure @escaping @MainActor @Sendable () -> UIApplication,
            center: NotificationCenter = .default,
            work: @escaping @Sendable () async -> Void,
            expire: @escaping @Sendable () async -> Void = {},
            resume: @escaping @Sendable () async -> Void = {}
        ) {
            notifications = NotificationObservers(center)
            notifications.add(UIApplication.didEnterBackgroundNotification) { [weak self] _ in
                MainActor.assumeIsolated {
                    let isDone = DispatchSemaphore(value: 0)
                    let task = BackgroundTask(application()) {
                        let deadline = DispatchTime.now() + Self.terminationTimeout
                        waitForEnd(of: expire, until: deadline)
                        _ = isDone.wait(timeout: deadline)
                    }
                    self?.enqueue {
                        await work()
                        isDone.signal()
                        await task.end()
                    }
                }
            }
            notifications.add(UIApplication.willEnterForegroundNotification) { [weak self] _ in
                MainActor.assumeIsolated { self?.enqueue(resume) }
            }
            notifications.add(UIApplication.willTerminateNotification) { _ in
                waitForEnd(of: work, until: .now() + Self.terminationTimeout)
            }
        }

        private func enqueue(_ work: @escaping @Sendable () async -> Void) {
            last = Task { [last] in
                await last?.value
                await work()
            }
        }
    }

    extension ProcessInfo {
        /// Runs work that iOS does not interrupt by a suspension, such as `await outbox.suspend()`, before an app
        /// extension ends.
        /// - Parameters:
        ///   - work: The work to do before the process is suspended.
        ///   - expire: The work to do when iOS asks `work` to end, or does not let it begin: let `work` end, such as
        ///     `await outbox.suspend()` for a delivery. It runs at the same time as `work`.
        public func performExpiringWork(
            _ work: @escaping @Sendable () async -> Void, expire: @escaping @Sendable () async -> Void = {}
        ) {
            performExpiringActivity(withReason: "ActivityTracking") { hasExpired in
                if hasExpired {
                    waitForEnd(of: expire, until: .now() + BackgroundWork.terminationTimeout)
                } else {
                    // The activity lasts until the block returns.
                    waitForEnd(of: work, until: .distantFuture)
                }
            }
        }
    }

    /// Runs work outside of the main actor, and blocks the thread until the work ends.
    private func waitForEnd(of work: @escaping @Sendable () async -> Void, until deadline: DispatchTime) {
        let isDone = DispatchSemaphore(value: 0)
        Task.detached(priority: .userInitiated) {
            await work()
            isDone.signal()
        }
        _ = isDone.wait(timeout: deadline)
    }

    /// A background task that ends once: when the work is done, or when its time expires.
    @MainActor
    private final class BackgroundTask {
        private let application: UIApplication
        private var identifier = UIBackgroundTaskIdentifier.invalid

        init(_ application: UIApplication, onExpiration: @escaping @MainActor @Sendable () -> Void) {
            self.application = application
            identifier = application.beginBackgroundTask(withName: "ActivityTracking") {
                onExpiration()
                self.end()
            }
        }

        func end() {
            guard identifier != .invalid else { return }
            application.endBackgroundTask(identifier)
            identifier = .invalid
        }
    }
#endif
