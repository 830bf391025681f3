#if canImport(UIKit) && !os(watchOS)
    public import ActivityTracking
    public import UIKit

    /// The taps of one screen. Only code that `tapgen` generates calls it.
    ///
    /// The buttons are added whenever the screen appears. Each button is registered once.
    @MainActor
    public final class TapRegistration {
        private var buttons: [ObjectIdentifier: Weak<UIButton>] = [:]
        private var screens:
            [(type: ObjectIdentifier, logger: () -> ActivityLogger?, events: () -> [UIButton: any LogCategory])] = []
        private var reported: Set<String> = []
        private let report: (String) -> Void

        init(report: @escaping (String) -> Void) { self.report = report }

        /// Says where the screen's taps are posted, and which events it has in place of the definitions' ones.
        /// - Parameters:
        ///   - type: the class that says so: the screen's own, or one that it inherits from.
        ///   - logger: the screen's logger; nil if the screen is gone.
        ///   - events: the screen's own events, by button.
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
        ///   - find: the property's value. It is asked now, and again when a button is tapped.
        ///   - event: the event, for the button's position in the property; nil to post nothing.
        public func add(_ find: @escaping () -> Any?, event: @escaping (Int) -> (any LogCategory)?) {
            for button in find().flatMap(Self.buttons) ?? [] {
                guard let button, buttons[ObjectIdentifier(button)]?.object == nil else { continue }
                buttons[ObjectIdentifier(button)] = Weak(object: button)
                register(button) {
                    // The array may be another one by then.
                    find().flatMap(Self.buttons)?.firstIndex { $0 === button }.flatMap(event)
                }
            }
        }

        /// Posts the event that was made when the finger came down. The screen's own action is called before that, and
        /// may remove the button or the screen.
        private func register(_ button: UIButton, event: @escaping () -> (any LogCategory)?) {
            let tap = Tap { [weak self, weak button] in
                guard let self, let button, let logger = screens.lazy.compactMap({ $0.logger() }).first else {
                    return nil
                }
                let own = screens.lazy.compactMap { $0.events()[button] }.first
                return (own ?? event()).map { (logger, $0) }
            }
            #if os(tvOS)
                // With a remote, no finger comes down.
                button.addAction(UIAction { _ in tap.post() }, for: .primaryActionTriggered)
            #else
                button.addAction(UIAction { _ in tap.begin() }, for: .touchDown)
                button.addAction(UIAction { _ in tap.cancel() }, for: [.touchCancel, .touchUpOutside])
                button.addAction(UIAction { _ in tap.post() }, for: .touchUpInside)
            #endif
        }

        /// Posts an event when a private button is tapped, which only its own file can name.
        ///
        /// Reflection (`Mirror`) finds it if the screen has made it. If not, that is reported once, and reflection
        /// tries again when the screen appears again.
        /// - Parameters:
        ///   - name: the property's name.
        ///   - screen: the screen that has the property.
        ///   - type: the class that declares it.
        ///   - place: the line of the declaration, for messages.
        ///   - event: the event, for the button's position in the property; nil to post nothing.
        public func add<Screen: AnyObject>(
            private name: String, of screen: Screen, as type: Screen.Type, at place: String,
            event: @escaping (Int) -> (any LogCategory)?
        ) {
            let find = { [weak screen] in screen.flatMap { Self.reflect(name, of: $0, as: type) } }
            if find().flatMap(Self.buttons) == nil, reported.insert("\(type).\(name)").inserted {
                report(
                    "\(place): `\(type).\(name)` is private, and was not there when its screen appeared, so its taps are not posted: leave `private` out, or make it in `viewDidLoad()`"
                )
            }
            add(find, event: event)
        }

        private static func buttons(in value: Any) -> [UIButton?]? {
            (value as? any TapButtons)?.tapButtons ?? (value as? [UIButton])
        }

        /// The value of a property; nil if it is lazy and has not been made.
        private static func reflect(_ name: String, of screen: AnyObject, as type: AnyClass) -> Any? {
            var mirror: Mirror? = Mirror(reflecting: screen)
            while let current = mirror, current.subjectType != type { mirror = current.superclassMirror }
            func child(_ label: String) -> Any? { mirror?.children.first { $0.label == label }?.value }
            if let value = child(name) { return value }
            // A lazy property is stored as an optional, under another name. A wrapped property is inside its wrapper.
            if let lazy = child("$__lazy_storage_$_" + name) { return Mirror(reflecting: lazy).children.first?.value }
            guard let wrapper = child("_" + name) else { return nil }
            return buttons(in: wrapper) == nil
                ? Mirror(reflecting: wrapper).children.lazy.map(\.value).first { buttons(in: $0) != nil } : wrapper
        }
    }

    /// One button's tap, from the moment the finger comes down.
    @MainActor
    private final class Tap {
        private let make: () -> (ActivityLogger, any LogCategory)?
        private var made: (ActivityLogger, any LogCategory)?

        init(_ make: @escaping () -> (ActivityLogger, any LogCategory)?) { self.make = make }

        func begin() { made = make() }

        func cancel() { made = nil }

        /// With VoiceOver or a keyboard, no finger has come down: the event is made now.
        func post() {
            if let (logger, event) = made ?? make() { logger.post(event) }
            made = nil
        }
    }
#endif
