#if canImport(UIKit)
    public import ActivityTracking
    import Logging
    public import UIKit

    #if canImport(ObjectiveC)
        import ObjectiveC
    #endif

    /// A screen whose buttons' taps are posted: `tapgen` finds its buttons, and writes what registers them.
    ///
    /// `extension UIViewController: TapTrackable {}` means all view controllers.
    @MainActor
    public protocol TapTrackable: AnyObject {}

    extension TapTrackable {
        /// Nothing in place of what the definitions say.
        public var tapEvents: [UIButton: any LogCategory] { [:] }
    }

    /// What a property holds that `tapgen` takes for a button: one, none, or several.
    @MainActor
    public protocol TapButtons {
        /// Those that are there.
        var tapButtons: [UIButton] { get }
    }

    extension UIButton: TapButtons {
        /// Itself.
        public var tapButtons: [UIButton] { [self] }
    }

    extension Optional: TapButtons where Wrapped: TapButtons {
        /// What is there, if anything.
        public var tapButtons: [UIButton] { self?.tapButtons ?? [] }
    }

    extension Array: TapButtons where Element: TapButtons {
        /// Those of all elements.
        public var tapButtons: [UIButton] { flatMap(\.tapButtons) }
    }

    /// The taps of one screen. Generated code adds its buttons whenever the screen appears; each is registered once.
    @MainActor
    public final class TapRegistration {
        private var buttons: [ObjectIdentifier: Weak<UIButton>] = [:]
        private var loggers: [() -> ActivityLogger?] = []
        private var events: [() -> [UIButton: any LogCategory]] = []
        private var reported: Set<String> = []
        private let report: (String) -> Void

        fileprivate init(report: @escaping (String) -> Void) { self.report = report }

        fileprivate func begin() {
            (loggers, events) = ([], [])
            buttons = buttons.filter { $0.value.object != nil }
        }

        /// Where the screen's taps are posted, and which events it has in place of the definitions'.
        public func screen(logger: @escaping () -> ActivityLogger?, events: @escaping () -> [UIButton: any LogCategory]) {
            loggers.append(logger)
            self.events.append(events)
        }

        /// Posts an event when one of the buttons is tapped.
        /// - Parameter event: of the button's position among those of its property; nil for nothing.
        public func add(_ buttons: some TapButtons, event: @escaping (Int) -> (any LogCategory)?) {
            for (position, button) in buttons.tapButtons.enumerated() { add(button) { event(position) } }
        }

        /// Posts an event when a button is tapped that only its own file can name.
        ///
        /// It is found by reflection (`Mirror`), where the screen has made it; where not, that is reported once, and it is looked for again when the screen appears again.
        /// - Parameters:
        ///   - name: the property's.
        ///   - screen: whose it is.
        ///   - type: the class that declares it.
        ///   - place: where it does.
        ///   - event: of the button's position among those of its property; nil for nothing.
        public func add<Screen: AnyObject>(
            private name: String, of screen: Screen, as type: Screen.Type, at place: String, event: @escaping (Int) -> (any LogCategory)?
        ) {
            var mirror: Mirror? = Mirror(reflecting: screen)
            while let current = mirror, current.subjectType != type { mirror = current.superclassMirror }
            // A lazy property and one with a wrapper are stored under names of their own.
            let labels = [name, "$__lazy_storage_$_" + name, "_" + name]
            let child = mirror?.children.first { $0.label.map(labels.contains) ?? false }
            let buttons = (child?.value as? any TapButtons)?.tapButtons ?? []
            // An optional or an array may well be empty; a lazy property is not made yet.
            if child == nil || (buttons.isEmpty && child?.label == labels[1]) {
                if reported.insert("\(type).\(name)").inserted {
                    report("\(place): `\(type).\(name)` is private and not there yet when its screen appears: its taps are not posted")
                }
            }
            for (position, button) in buttons.enumerated() { add(button) { event(position) } }
        }

        private func add(_ button: UIButton, event: @escaping () -> (any LogCategory)?) {
            guard buttons[ObjectIdentifier(button)]?.object == nil else { return }
            buttons[ObjectIdentifier(button)] = Weak(object: button)
            let action = UIAction { [weak self, weak button] _ in
                guard let self, let button else { return }
                let own = events.lazy.compactMap { $0()[button] }.first
                guard let logger = loggers.lazy.compactMap({ $0() }).first, let event = own ?? event() else { return }
                logger.post(event)
            }
            button.addAction(action, for: .touchUpInside)
        }
    }

    private struct Weak<Object: AnyObject> { weak var object: Object? }

    /// The taps of all screens that are there. It knows screens and keeps none alive; where events go is each screen's own.
    @MainActor
    public final class TapRegistry {
        /// Adds the buttons of a screen that may be one of a module's: what is generated of it.
        public typealias Screens = @MainActor (_ screen: AnyObject, _ taps: TapRegistration) -> Void

        /// The app's, with which the hook of all view controllers works.
        public static let shared = TapRegistry()

        /// Is told what developers should know of.
        public var report: (String) -> Void = { Logger(label: "ActivityTracking").warning("\($0)") }
        private var registrations: [ObjectIdentifier: (screen: Weak<AnyObject>, taps: TapRegistration)] = [:]

        /// Registers a screen. One that is registered already is looked through for buttons that were not there before.
        public func register(_ screen: AnyObject, with screens: Screens) { screens(screen, taps(of: screen)) }

        /// The taps of a screen that has appeared: those it had when it did before, to which what is there now is added.
        private func taps(of screen: AnyObject) -> TapRegistration {
            let id = ObjectIdentifier(screen)
            if let known = registrations[id], known.screen.object != nil {
                known.taps.begin()
                return known.taps
            }
            // A screen that is gone may have had the same address.
            registrations = registrations.filter { $0.value.screen.object != nil }
            let taps = TapRegistration { [weak self] in self?.report($0) }
            registrations[id] = (Weak(object: screen), taps)
            return taps
        }

        /// How many screens are registered that are there.
        package var count: Int { registrations.values.count { $0.screen.object != nil } }

        #if canImport(ObjectiveC)
            private var started: [Screens] = []

            /// Registers each view controller whenever it appears, from now on, with these and with what has been started before.
            public func start(_ screens: @escaping Screens) {
                if started.isEmpty { hookAppearance() }
                started.append(screens)
            }

            /// Has `viewDidAppear(_:)` of all view controllers tell, once for all: `UIViewController`'s own implementation is replaced by one that calls it first.
            private func hookAppearance() {
                typealias Implementation = @convention(c) (UIViewController, Selector, Bool) -> Void
                let selector = #selector(UIViewController.viewDidAppear(_:))
                guard let method = class_getInstanceMethod(UIViewController.self, selector) else { return }
                let original = unsafeBitCast(method_getImplementation(method), to: Implementation.self)
                let replacement: @convention(block) (UIViewController, Bool) -> Void = { controller, animated in
                    original(controller, selector, animated)
                    MainActor.assumeIsolated {
                        let taps = TapRegistry.shared.taps(of: controller)
                        for screens in TapRegistry.shared.started { screens(controller, taps) }
                    }
                }
                method_setImplementation(method, imp_implementationWithBlock(replacement))
            }
        #endif
    }
#endif
