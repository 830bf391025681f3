#if canImport(UIKit) && !os(watchOS)
    import Logging
    import UIKit

    #if canImport(ObjectiveC)
        import ObjectiveC
    #endif

    struct Weak<Object: AnyObject> { weak var object: Object? }

    /// The taps of all screens. Only code that `tapgen` generates calls it: an app calls that code's `TapTracking`.
    ///
    /// It keeps no screen alive. Each screen says itself where its events go.
    @MainActor
    public final class TapRegistry {
        /// Adds the buttons of a screen, if it is one of a module's screens: the generated code of the module.
        public typealias Screens = @MainActor (_ screen: AnyObject, _ taps: TapRegistration) -> Void

        /// The one registry of the app.
        public static let shared = TapRegistry()

        /// Is called with what a developer should know: a button that cannot be found yet.
        package var report: (String) -> Void = { Logger(label: "ActivityTracking").warning("\($0)") }
        private var registrations: [ObjectIdentifier: (screen: Weak<AnyObject>, taps: TapRegistration)] = [:]

        /// Registers a screen. If it is registered already, buttons that were not there before are added.
        public func register(_ screen: AnyObject, with screens: Screens) { screens(screen, taps(of: screen)) }

        /// The taps of a screen that has appeared. If it has appeared before, they are the same ones.
        private func taps(of screen: AnyObject) -> TapRegistration {
            let id = ObjectIdentifier(screen)
            if let known = registrations[id], known.screen.object != nil { return known.taps }
            // A screen that is gone may have had this address.
            registrations = registrations.filter { $0.value.screen.object != nil }
            let taps = TapRegistration { [weak self] in self?.report($0) }
            registrations[id] = (Weak(object: screen), taps)
            return taps
        }

        /// How many of the registered screens are still there.
        package var count: Int { registrations.values.count { $0.screen.object != nil } }

        #if canImport(ObjectiveC)
            private var started: [Screens] = []

            /// From now on, registers each view controller whenever it appears: with this code, and with all that has
            /// been started before.
            public func start(_ screens: @escaping Screens) {
                if started.isEmpty { hookAppearance() }
                started.append(screens)
            }

            /// Replaces `viewDidAppear(_:)` of `UIViewController`, once, by an implementation that calls the original
            /// first.
            private func hookAppearance() {
                typealias Implementation = @convention(c) (UIViewController, Selector, Bool) -> Void
                let selector = #selector(UIViewController.viewDidAppear(_:))
                guard let method = class_getInstanceMethod(UIViewController.self, selector) else { return }
                let original = unsafeBitCast(method_getImplementation(method), to: Implementation.self)
                let replacement: @convention(block) (UIViewController, Bool) -> Void = { controller, animated in
                    original(controller, selector, animated)
                    MainActor.assumeIsolated {
                        guard controller is any TapTrackable else { return }
                        let taps = TapRegistry.shared.taps(of: controller)
                        for screens in TapRegistry.shared.started { screens(controller, taps) }
                    }
                }
                method_setImplementation(method, imp_implementationWithBlock(replacement))
            }
        #endif
    }
#endif
