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
    /// after the other, however quickly the user switches.
    @MainActor
    public final class BackgroundWork {
        /// The maximum delay of termination, in seconds.
        public nonisolated static let terminationTimeout = 3.0
        private let notifications: NotificationObservers
        private var last: Task<Void, Never>?

        /// - Parameters:
        ///   - application: The app.
        ///   - center: The center that posts the app's notifications.
        ///   - work: The work to do before the app is suspended: flush, and close files that must not stay open. At
        ///     termination, the main actor waits for the work, so it must not wait for the main actor. Capture the
        ///     logger or the outbox, not an object of the main actor that contains it.
        ///   - resume: The work to do when the app returns.
        public init(
            _ application: UIApplication, center: NotificationCenter = .default,
            work: @escaping @Sendable () async -> Void,
            resume: @escaping @Sendable () async -> Void = {}
        ) {
            notifications = NotificationObservers(center)
            notifications.add(UIApplication.didEnterBackgroundNotification) { [weak self] _ in
                MainActor.assumeIsolated {
                    let task = BackgroundTask(application)
                    self?.enqueue {
                        await work()
                        await task.end()
                    }
                }
            }
            notifications.add(UIApplication.willEnterForegroundNotification) { [weak self] _ in
                MainActor.assumeIsolated { self?.enqueue(resume) }
            }
            notifications.add(UIApplication.willTerminateNotification) { _ in
                let done = DispatchSemaphore(value: 0)
                Task.detached(priority: .userInitiated) {
                    await work()
                    done.signal()
                }
                _ = done.wait(timeout: .now() + Self.terminationTimeout)
            }
        }

        private func enqueue(_ work: @escaping @Sendable () async -> Void) {
            last = Task { [last] in
                await last?.value
                await work()
            }
        }
    }

    /// A background task that ends once: when the work is done, or when its time expires.
    @MainActor
    private final class BackgroundTask {
        private let application: UIApplication
        private var identifier = UIBackgroundTaskIdentifier.invalid

        init(_ application: UIApplication) {
            self.application = application
            identifier = application.beginBackgroundTask(withName: "ActivityTracking") { self.end() }
        }

        func end() {
            guard identifier != .invalid else { return }
            application.endBackgroundTask(identifier)
            identifier = .invalid
        }
    }
#endif
