#if canImport(UIKit) && !os(watchOS)
    import Logging
    import UIKit

    #if canImport(ObjectiveC)
        import ObjectiveC
    #endif

    struct Weak<Object: AnyObject> { weak var object: Object? }

    /// A registry of the taps of all screens. Only code that `tapgen` generates uses it; apps call `TapTracking` in
    /// that code.
    ///
    /// The registry does not retain screens.
    @MainActor
    public final class TapRegistry {
        /// A function, generated for a module, that adds the buttons of a screen if the screen is in the module.
        public typealias Screens = @MainActor (_ screen: AnyObject, _ taps: TapRegistration) -> Void

        /// The registry of the app.
        public static let shared = TapRegistry()

        /// Called with a message for developers if a button cannot be found yet.
        package var report: (String) -> Void = { Logger(label: "ActivityTracking").warning("\($0)") }
        private var registrations: [ObjectIdentifier: (screen: Weak<AnyObject>, taps: TapRegistration)] = [:]

        /// Registers a screen. For a registered screen, it adds new buttons.
        public func register(_ screen: AnyObject, with screens: Screens) { screens(screen, registration(of: screen)) }

        private func registration(of screen: AnyObject) -> TapRegistration {
            let id = ObjectIdentifier(screen)
            if let known = registrations[id], known.screen.object != nil { return known.taps }
            // Remove deallocated screens, whose address may be reused.
            registrations = registrations.filter { $0.value.screen.object != nil }
            let taps = TapRegistration { [weak self] in self?.report($0) }
            registrations[id] = (Weak(object: screen), taps)
            return taps
        }

        /// The number of registered screens that still exist.
        package var count: Int { registrations.values.count { $0.screen.object != nil } }

        #if canImport(ObjectiveC)
            private var started: [Screens] = []

            /// Registers view controllers at each appearance from now on, with this function and those of earlier
            /// calls.
            public func start(_ screens: @escaping Screens) {
                if started.isEmpty { hookAppearance() }
                started.append(screens)
            }

            /// Replaces `viewDidAppear(_:)` of `UIViewController` once. The replacement calls the original first.
            private func hookAppearance() {
                typealias Implementation = @convention(c) (UIViewController, Selector, Bool) -> Void
                let selector = #selector(UIViewController.viewDidAppear(_:))
                guard let method = class_getInstanceMethod(UIViewController.self, selector) else { return }
                let original = unsafeBitCast(method_getImplementation(method), to: Implementation.self)
                let replacement: @convention(block) (UIViewController, Bool) -> Void = { controller, animated in
                    original(controller, selector, animated)
                    MainActor.assumeIsolated {
                        guard controller is any TapTrackable else { return }
                        let taps = TapRegistry.shared.registration(of: controller)
                        for screens in TapRegistry.shared.started { screens(controller, taps) }
                    }
                }
                method_setImplementation(method, imp_implementationWithBlock(replacement))
            }
        #endif
    }
#endif
