#if canImport(UIKit) && !os(watchOS)
    public import Foundation
    public import UIKit

    /// Makes logs safe when the app goes to the background or ends.
    ///
    /// In the background the work is done inside a background task, for which iOS gives it some seconds. When the app ends, the process goes as soon as
    /// everybody has been told, so the work holds that up, for ``longestFarewell`` seconds at most: iOS gives about five (`applicationWillTerminate(_:)`).
    ///
    /// An app makes one beside its outbox, and keeps it: `BackgroundWork(.shared) { await outbox.suspend() } resume: { await outbox.resume() }`. What it is to do and what
    /// follows when the app returns are done one after the other, however quickly a person changes their mind.
    @MainActor
    public final class BackgroundWork {
        /// Seconds.
        public nonisolated static let longestFarewell = 3.0
        private let notifications: NotificationObservers
        private var last: Task<Void, Never>?

        /// - Parameters:
        ///   - application: the app's.
        ///   - center: where its notifications come from.
        ///   - work: what has to be done before the app is suspended: to flush, and to close what may not stay open. It must not wait for the main
        ///     actor, which waits for it when the app ends: capture the logger or the outbox, and not an object of the main actor's that has it.
        ///   - resume: what has to be done when it returns.
        public init(
            _ application: UIApplication, center: NotificationCenter = .default, work: @escaping @Sendable () async -> Void,
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
                _ = done.wait(timeout: .now() + Self.longestFarewell)
            }
        }

        private func enqueue(_ work: @escaping @Sendable () async -> Void) {
            last = Task { [last] in
                await last?.value
                await work()
            }
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
