#if canImport(UIKit) && !os(watchOS)
    import Foundation

    /// Observers that go when whoever holds them goes.
    final class NotificationObservers {
        let center: NotificationCenter
        private var observers: [any NSObjectProtocol] = []

        init(_ center: NotificationCenter) { self.center = center }

        /// - Parameter body: is called with the object that posts.
        func add(_ name: Notification.Name, _ body: @escaping @Sendable (ObjectIdentifier?) -> Void) {
            observers.append(
                center.addObserver(forName: name, object: nil, queue: nil) {
                    body(($0.object as AnyObject?).map { ObjectIdentifier($0) })
                })
        }

        deinit { for observer in observers { center.removeObserver(observer) } }
    }
#endif
