#if canImport(UIKit) && !os(watchOS)
    import Foundation

    /// Observers that are removed when this object is deallocated.
    final class NotificationObservers {
        let center: NotificationCenter
        private var observers: [any NSObjectProtocol] = []

        init(_ center: NotificationCenter) { self.center = center }

        /// - Parameter body: Called with the identity of the object that posts the notification, if any.
        func add(_ name: Notification.Name, _ body: @escaping @Sendable (ObjectIdentifier?) -> Void) {
            observers.append(
                center.addObserver(forName: name, object: nil, queue: nil) {
                    body(($0.object as AnyObject?).map { ObjectIdentifier($0) })
                })
        }

        deinit { for observer in observers { center.removeObserver(observer) } }
    }
#endif
