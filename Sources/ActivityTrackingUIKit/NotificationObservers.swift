#if canImport(UIKit)
    import Foundation

    /// Observers that are removed with whoever holds them.
    final class NotificationObservers {
        let center: NotificationCenter
        private var observers: [any NSObjectProtocol] = []

        init(_ center: NotificationCenter) { self.center = center }

        func add(_ name: Notification.Name, _ body: @escaping @Sendable () -> Void) {
            observers.append(center.addObserver(forName: name, object: nil, queue: nil) { _ in body() })
        }

        deinit { for observer in observers { center.removeObserver(observer) } }
    }
#endif
