#if canImport(UIKit) && !os(watchOS)
    public import Foundation
    public import UIKit

    /// Makes logs safe when the app goes to the background or ends.
    ///
    /// In the background, the work is done inside a background task, for which iOS gives some seconds. When the app
    /// ends, its process goes as soon as everybody has been told. So the work holds up the end, for
    /// ``terminationTimeout`` seconds at most: iOS gives about five (`applicationWillTerminate(_:)`).
    ///
    /// An app makes one beside its outbox, and keeps it: `BackgroundWork(.shared) { await outbox.suspend() } resume: {
    /// await outbox.resume() }`. The work and what follows on the return are done one after the other, however quickly
    /// a person changes their mind.
    @MainActor
    public final class BackgroundWork {
        /// How long the end of the app waits for the work at most, in seconds.
        public nonisolated static let terminationTimeout = 3.0
        private let notifications: NotificationObservers
        private var last: Task<Void, Never>?

        /// - Parameters:
        ///   - application: the app.
        ///   - center: where its notifications come from.
        ///   - work: what must be done before the app is suspended: to flush, and to close what may not stay open. It
        ///     must not wait for the main actor, which waits for it when the app ends. So capture the logger or the
        ///     outbox, not an object of the main actor that has it.
        ///   - resume: what must be done when the app returns.
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

    /// A background task. It ends once: when the work is done, or when its time is over.
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
