#if canImport(UIKit)
    public import Foundation
    public import UIKit

    /// Makes logs safe when the app goes to the background or ends.
    ///
    /// In the background the work is done inside a background task, for which iOS gives it some seconds. When the app ends, the process goes as soon as
    /// everybody has been told, so the work holds that up, for ``longestFarewell`` seconds at most: iOS gives about five (`applicationWillTerminate(_:)`).
    ///
    /// An app makes one beside its outbox, and keeps it: `BackgroundWork(.shared) { await outbox.suspend() } resume: { outbox.resume() }`.
    @MainActor
    public final class BackgroundWork {
        /// Seconds.
        public nonisolated static let longestFarewell = 3.0
        private let notifications: NotificationObservers

        /// - Parameters:
        ///   - application: the app's.
        ///   - center: where its notifications come from.
        ///   - work: what has to be done before the app is suspended: to flush, and to close what may not stay open. It must not wait for the main
        ///     actor, which waits for it when the app ends.
        ///   - resume: what has to be done when it returns.
        public init(
            _ application: UIApplication, center: NotificationCenter = .default, work: @escaping @Sendable () async -> Void,
            resume: @escaping @MainActor @Sendable () -> Void = {}
        ) {
            notifications = NotificationObservers(center)
            notifications.add(UIApplication.didEnterBackgroundNotification) {
                MainActor.assumeIsolated {
                    let task = BackgroundTask(application)
                    Task {
                        await work()
                        task.end()
                    }
                }
            }
            notifications.add(UIApplication.willTerminateNotification) {
                let done = DispatchSemaphore(value: 0)
                Task.detached(priority: .userInitiated) {
                    await work()
                    done.signal()
                }
                _ = done.wait(timeout: .now() + Self.longestFarewell)
            }
            notifications.add(UIApplication.willEnterForegroundNotification) { MainActor.assumeIsolated { resume() } }
        }
    }

    /// A background task, which is ended once: when the work is done, or when the system wants no more of it.
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
