#if canImport(UIKit)
    public import Foundation
    public import UIKit

    /// Makes logs safe when the app goes to the background or ends: inside a background task, for which iOS gives it some seconds.
    ///
    /// An app makes one beside its outbox, and keeps it: `BackgroundWork(.shared) { await outbox.suspend() } resume: { outbox.resume() }`.
    @MainActor
    public final class BackgroundWork {
        private let notifications: NotificationObservers

        /// - Parameters:
        ///   - application: the app's.
        ///   - center: where its notifications come from.
        ///   - work: what has to be done before the app is suspended: to flush, and to close what may not stay open.
        ///   - resume: what has to be done when it returns.
        public init(
            _ application: UIApplication, center: NotificationCenter = .default, work: @escaping @Sendable () async -> Void,
            resume: @escaping @MainActor @Sendable () -> Void = {}
        ) {
            notifications = NotificationObservers(center)
            for name in [UIApplication.didEnterBackgroundNotification, UIApplication.willTerminateNotification] {
                notifications.add(name) { MainActor.assumeIsolated { Self.run(work, in: application) } }
            }
            notifications.add(UIApplication.willEnterForegroundNotification) { MainActor.assumeIsolated { resume() } }
        }

        private static func run(_ work: @escaping @Sendable () async -> Void, in application: UIApplication) {
            let task = BackgroundTask(application)
            Task {
                await work()
                task.end()
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
