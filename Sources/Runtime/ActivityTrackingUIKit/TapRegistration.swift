#if canImport(UIKit) && !os(watchOS)
    public import ActivityTracking
    public import UIKit

    /// The registered taps of one screen. Only code that `tapgen` generates uses it.
    ///
    /// Buttons are added at each appearance of the screen. Each button is registered once.
    @MainActor
    public final class TapRegistration {
        private var buttons: [ObjectIdentifier: Weak<UIButton>] = [:]
        private var screens:
            [(type: ObjectIdentifier, logger: () -> ActivityLogger?, events: () -> [UIButton: any LogCategory])] = []
        private var reported: Set<String> = []
        private let report: (String) -> Void

        init(report: @escaping (String) -> Void) { self.report = report }

        /// Sets the logger of the screen's taps, and the events that override the definitions.
        /// - Parameters:
        ///   - type: The class that provides the logger and the events: the screen's class or a superclass.
        ///   - logger: Returns the screen's logger; nil if the screen was deallocated.
        ///   - events: Returns the screen's own events by button.
        public func screen(
            as type: AnyClass, logger: @escaping () -> ActivityLogger?,
            events: @escaping () -> [UIButton: any LogCategory]
        ) {
            screens.removeAll { $0.type == ObjectIdentifier(type) }
            screens.append((ObjectIdentifier(type), logger, events))
            buttons = buttons.filter { $0.value.object != nil }
        }

        /// Posts an event when one of the buttons is tapped.
        /// - Parameters:
        ///   - find: Returns the value of the property. It is called now, and again at each tap.
        ///   - event: Returns the event for the button's position in the property; nil to post nothing.
        public func add(_ find: @escaping () -> Any?, event: @escaping (Int) -> (any LogCategory)?) {
            for button in find().flatMap(Self.buttons) ?? [] {
                guard let button, buttons[ObjectIdentifier(button)]?.object == nil else { continue }
                buttons[ObjectIdentifier(button)] = Weak(object: button)
                register(button) {
                    // The array may have changed since.
                    find().flatMap(Self.buttons)?.firstIndex { $0 === button }.flatMap(event)
                }
            }
        }

        /// Registers a button. The screen's own action runs before touch-up, and may remove the button or the screen.
        private func register(_ button: UIButton, event: @escaping () -> (any LogCategory)?) {
            let tap = Tap { [weak self, weak button] in
                guard let self, let button, let logger = screens.lazy.compactMap({ $0.logger() }).first else {
                    return nil
                }
                let own = screens.lazy.compactMap { $0.events()[button] }.first
                return (own ?? event()).map { (logger, $0) }
            }
            #if os(tvOS)
                // A remote control has no touch-down.
                button.addAction(UIAction { _ in tap.post() }, for: .primaryActionTriggered)
            #else
                button.addAction(UIAction { _ in tap.begin() }, for: .touchDown)
                button.addAction(UIAction { _ in tap.cancel() }, for: [.touchCancel, .touchUpOutside])
                button.addAction(UIAction { _ in tap.post() }, for: .touchUpInside)
            #endif
        }

        /// Posts an event when a private button is tapped. Code in other files cannot access its property.
        ///
        /// Reflection (`Mirror`) finds the button if the screen has created it. Otherwise that is reported once, and
        /// reflection tries again at the next appearance of the screen.
        /// - Parameters:
        ///   - name: The name of the property.
        ///   - screen: The screen that has the property.
        ///   - type: The class that declares the property.
        ///   - place: The source location of the declaration, for messages.
        ///   - event: Returns the event for the button's position in the property; nil to post nothing.
        public func add<Screen: AnyObject>(
            private name: String, of screen: Screen, as type: Screen.Type, at place: String,
            event: @escaping (Int) -> (any LogCategory)?
        ) {
            let find = { [weak screen] in screen.flatMap { Self.reflect(name, of: $0, as: type) } }
            if find().flatMap(Self.buttons) == nil, reported.insert("\(type).\(name)").inserted {
                report(
                    "\(place): `\(type).\(name)` is private and did not exist when its screen appeared, so its taps "
                        + "are not posted: remove `private`, or create it in `viewDidLoad()`"
                )
            }
            add(find, event: event)
        }

        private static func buttons(in value: Any) -> [UIButton?]? {
            (value as? any TapButtons)?.tapButtons ?? (value as? [UIButton])
        }

        /// Returns the value of a property; nil if it is a lazy property without a value.
        private static func reflect(_ name: String, of screen: AnyObject, as type: AnyClass) -> Any? {
            var mirror: Mirror? = Mirror(reflecting: screen)
            while let current = mirror, current.subjectType != type { mirror = current.superclassMirror }
            func child(_ label: String) -> Any? { mirror?.children.first { $0.label == label }?.value }
            if let value = child(name) { return value }
            // A lazy property is stored as an optional with another name. A wrapped property is stored in its wrapper.
            if let lazy = child("$__lazy_storage_$_" + name) { return Mirror(reflecting: lazy).children.first?.value }
            guard let wrapper = child("_" + name) else { return nil }
            return buttons(in: wrapper) == nil
                ? Mirror(reflecting: wrapper).children.lazy.map(\.value).first { buttons(in: $0) != nil } : wrapper
        }
    }

    @MainActor
    private final class Tap {
        private let make: () -> (ActivityLogger, any LogCategory)?
        private var made: (ActivityLogger, any LogCategory)?

        init(_ make: @escaping () -> (ActivityLogger, any LogCategory)?) { self.make = make }

        func begin() { made = make() }

        func cancel() { made = nil }

        /// Posts the event of the touch-down. Without one, as with VoiceOver or a keyboard, it is created now.
        func post() {
            if let (logger, event) = made ?? make() { logger.post(event) }
            made = nil
        }
    }
#endif
