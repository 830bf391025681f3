#if canImport(UIKit) && !os(watchOS)
    public import ActivityTracking
    import Logging
    public import UIKit

    #if canImport(ObjectiveC)
        import ObjectiveC
    #endif

    /// A screen whose buttons' taps are posted: `tapgen` finds its buttons, and writes what registers them.
    ///
    /// `extension UIViewController: @retroactive TapTrackable {}` means all view controllers.
    @MainActor
    public protocol TapTrackable: AnyObject {}

    extension TapTrackable {
        /// Nothing in place of what the definitions say.
        public var tapEvents: [UIButton: any LogCategory] { [:] }
    }

    /// What a property holds that `tapgen` takes for a button: one, none, or several.
    @MainActor
    public protocol TapButtons {
        /// In their order; nil where one is not there.
        var tapButtons: [UIButton?] { get }
    }

    extension UIButton: TapButtons {
        /// Itself.
        public var tapButtons: [UIButton?] { [self] }
    }

    extension Optional: TapButtons where Wrapped: TapButtons {
        /// What is there, or a place for it.
        public var tapButtons: [UIButton?] { self?.tapButtons ?? [nil] }
    }

    extension Array: TapButtons where Element: TapButtons {
        /// Those of all elements.
        public var tapButtons: [UIButton?] { flatMap(\.tapButtons) }
    }

    /// The taps of one screen. Generated code adds its buttons whenever the screen appears; each is registered once.
    @MainActor
    public final class TapRegistration {
        private var buttons: [ObjectIdentifier: Weak<UIButton>] = [:]
        private var screens: [(type: ObjectIdentifier, logger: () -> ActivityLogger?, events: () -> [UIButton: any LogCategory])] = []
        private var reported: Set<String> = []
        private let report: (String) -> Void

        fileprivate init(report: @escaping (String) -> Void) { self.report = report }

        /// Where the screen's taps are posted, and which events it has in place of the definitions'.
        /// - Parameters:
        ///   - type: the class that says so; a screen may be one of several.
        ///   - logger: where its taps are posted; nil if there is none.
        ///   - events: what its buttons post in place of the definitions' events.
        public func screen(
            as type: AnyClass, logger: @escaping () -> ActivityLogger?, events: @escaping () -> [UIButton: any LogCategory]
        ) {
            screens.removeAll { $0.type == ObjectIdentifier(type) }
            screens.append((ObjectIdentifier(type), logger, events))
            buttons = buttons.filter { $0.value.object != nil }
        }

        /// Posts an event when one of the buttons is tapped.
        /// - Parameters:
        ///   - find: what the property holds, now and when one is tapped.
        ///   - event: of the button's position among those of the property; nil for nothing.
        public func add(_ find: @escaping () -> Any?, event: @escaping (Int) -> (any LogCategory)?) {
            for button in find().flatMap(Self.buttons) ?? [] {
                guard let button, buttons[ObjectIdentifier(button)]?.object == nil else { continue }
                buttons[ObjectIdentifier(button)] = Weak(object: button)
                register(button) {
                    // An array may have become another one.
                    find().flatMap(Self.buttons)?.firstIndex { $0 === button }.flatMap(event)
                }
            }
        }

        /// Posts what a tap has found when the finger came down: the screen's own action, which is called first, may remove the button or the screen.
        private func register(_ button: UIButton, event: @escaping () -> (any LogCategory)?) {
            let tap = Tap { [weak self, weak button] in
                guard let self, let button, let logger = screens.lazy.compactMap({ $0.logger() }).first else { return nil }
                let own = screens.lazy.compactMap { $0.events()[button] }.first
                return (own ?? event()).map { (logger, $0) }
            }
            #if os(tvOS)
                // A remote has no finger.
                button.addAction(UIAction { _ in tap.post() }, for: .primaryActionTriggered)
            #else
                button.addAction(UIAction { _ in tap.begin() }, for: .touchDown)
                button.addAction(UIAction { _ in tap.cancel() }, for: [.touchCancel, .touchUpOutside])
                button.addAction(UIAction { _ in tap.post() }, for: .touchUpInside)
            #endif
        }

        /// Posts an event when a button is tapped that only its own file can name.
        ///
        /// It is found by reflection (`Mirror`), where the screen has made it; where not, that is reported once, and it is looked for again when the screen appears again.
        /// - Parameters:
        ///   - name: the property's.
        ///   - screen: whose it is.
        ///   - type: the class that declares it.
        ///   - place: where it does.
        ///   - event: of the button's position among those of the property; nil for nothing.
        public func add<Screen: AnyObject>(
            private name: String, of screen: Screen, as type: Screen.Type, at place: String, event: @escaping (Int) -> (any LogCategory)?
        ) {
            let find = { [weak screen] in screen.flatMap { Self.reflect(name, of: $0, as: type) } }
            if find().flatMap(Self.buttons) == nil, reported.insert("\(type).\(name)").inserted {
                report("\(place): `\(type).\(name)` is private and cannot be found when its screen appears: its taps are not posted")
            }
            add(find, event: event)
        }

        private static func buttons(in value: Any) -> [UIButton?]? { (value as? any TapButtons)?.tapButtons ?? (value as? [UIButton]) }

        /// What a property holds; nil where a lazy one has not been made.
        private static func reflect(_ name: String, of screen: AnyObject, as type: AnyClass) -> Any? {
            var mirror: Mirror? = Mirror(reflecting: screen)
            while let current = mirror, current.subjectType != type { mirror = current.superclassMirror }
            func child(_ label: String) -> Any? { mirror?.children.first { $0.label == label }?.value }
            if let value = child(name) { return value }
            // A lazy property is stored under a name of its own, as an optional; one with a wrapper within that.
            if let lazy = child("$__lazy_storage_$_" + name) { return Mirror(reflecting: lazy).children.first?.value }
            guard let wrapper = child("_" + name) else { return nil }
            return buttons(in: wrapper) == nil ? Mirror(reflecting: wrapper).children.lazy.map(\.value).first { buttons(in: $0) != nil } : wrapper
        }
    }

    /// One button's tap, from when the finger comes down.
    @MainActor
    private final class Tap {
        private let make: () -> (ActivityLogger, any LogCategory)?
        private var made: (ActivityLogger, any LogCategory)?

        init(_ make: @escaping () -> (ActivityLogger, any LogCategory)?) { self.make = make }

        func begin() { made = make() }

        func cancel() { made = nil }

        /// VoiceOver and keyboards have no finger.
        func post() {
            if let (logger, event) = made ?? make() { logger.post(event) }
            made = nil
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
            if let known = registrations[id], known.screen.object != nil { return known.taps }
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
