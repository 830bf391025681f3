package import LogDefinitions

/// Writes the Swift code that registers the taps of the screens which a target's sources declare.
package struct TapRegistration: Sendable {
    package struct Screen: Sendable {
        /// The type's full name, with dots.
        package var path: String
        /// The `#if` conditions around the type's declaration; nil without conditions.
        package var condition: String?
        /// The `@available` attributes of the type and of the types around it.
        package var availability: [String]
        package var buttons: [Button]

        package init(path: String, condition: String?, availability: [String], buttons: [Button]) {
            self.path = path
            self.availability = availability
            self.condition = condition
            self.buttons = buttons
        }
    }

    package struct Button: Sendable {
        /// The name as written, in backticks if it needs them.
        package var name: String
        package var isArray: Bool
        /// The place of the declaration, such as `Recipe.swift:12`, of a button found by reflection; otherwise nil.
        package var reflectedAt: String?
        package var condition: String?
        /// The event that a tap on the button posts: the index of a category, and the event's index in that category.
        /// Nil for a button without an event.
        package var event: (category: Int, event: Int)?

        package init(
            name: String, isArray: Bool, reflectedAt: String?, condition: String?, event: (category: Int, event: Int)?
        ) {
            self.name = name
            self.isArray = isArray
            self.reflectedAt = reflectedAt
            self.condition = condition
            self.event = event
        }
    }

    private let definitions: Definitions
    private let screens: [Screen]
    private let imports: [String]
    private let postsUndefined: Bool

    /// - Parameters:
    ///   - definitions: the definitions of the events.
    ///   - screens: the screens that have buttons.
    ///   - imports: the modules of generated categories.
    ///   - postsUndefined: whether the tap of a button without an event posts a generic event.
    package init(of definitions: Definitions, screens: [Screen], imports: [String], postsUndefined: Bool) {
        self.definitions = definitions
        self.screens = screens
        self.imports = imports
        self.postsUndefined = postsUndefined
    }

    package var text: String {
        var text = "// " + GeneratedHeader.text(from: "the sources and the definitions' `tap(…)` triggers") + "\n\n"
        // On watchOS, UIKit has no views.
        text += "#if canImport(UIKit) && !os(watchOS)\n" + importLines
        for screen in screens { text += "\n" + wrapped(declarations(of: screen), in: screen.condition) }
        text += "\n" + start + "#endif\n"
        return text
    }

    private var importLines: String {
        var modules: Set<String> = ["ActivityTracking", "ActivityTrackingUIKit", "UIKit"]
        var qualifiers: Set<String> = []
        for case let (category, event)? in screens.flatMap(\.buttons).map(\.event) {
            for column in definitions.categories[category].events[event].activeColumns {
                if SwiftColumns.needsFoundation(column.type) { modules.insert("Foundation") }
                if let qualifier = SwiftColumns.qualifier(column.type) { qualifiers.insert(qualifier) }
            }
        }
        modules.formUnion(imports)
        let lines = modules.sorted().map { "import \($0)\n" }
        return (lines + qualifiers.subtracting(modules).sorted().map { "#if canImport(\($0))\nimport \($0)\n#endif\n" })
            .joined()
    }

    private func wrapped(_ lines: String, in condition: String?) -> String {
        condition.map { "#if \($0)\n\(lines)#endif\n" } ?? lines
    }

    // MARK: A screen

    private func identifier(_ screen: Screen) -> String { screen.path.split(separator: ".").joined(separator: "_") }

    private func protocolName(_ screen: Screen) -> String { identifier(screen) + "Taps" }

    private func typeName(_ screen: Screen) -> String {
        screen.path.split(separator: ".").map { SwiftNames.escaped(String($0)) }.joined(separator: ".")
    }

    private func declarations(of screen: Screen) -> String {
        let asked = screen.buttons.filter { !columns(of: $0).isEmpty }
        var text = """
            /// The requirements for posting the taps of `\(screen.path)`.
            @MainActor
            protocol \(protocolName(screen)): ActivityTrackingUIKit.TapTrackable {
                /// The logger that posts the taps.
                var activityLogger: ActivityLogger { get }
                /// Events to post instead of those in the definitions, by button.
                var tapEvents: [UIButton: any LogCategory] { get }

            """
        for button in asked { text += wrapped(requirement(of: button), in: button.condition) }
        text += "    func registerTapsOf\(identifier(screen))(with taps: ActivityTrackingUIKit.TapRegistration)\n}\n"

        let optional = asked.filter { columns(of: $0).allSatisfy { !$0.isRequired } }
        if !optional.isEmpty {
            text += "\nextension \(protocolName(screen)) {\n"
            for button in optional {
                let empty = columns(of: button).map { _ in "nil" }.joined(separator: ", ")
                let value = columns(of: button).count == 1 ? empty : "(\(empty))"
                text += wrapped("    \(signature(of: button)) { \(value) }\n", in: button.condition)
            }
            text += "}\n"
        }

        text += """

            \(screen.availability.map { $0 + "\n" }.joined())extension \(typeName(screen)): \(protocolName(screen)) {
                func registerTapsOf\(identifier(screen))(with taps: ActivityTrackingUIKit.TapRegistration) {
                    taps.screen(as: \(typeName(screen)).self, logger: { [weak self] in self?.activityLogger }, events: { [weak self] in self?.tapEvents ?? [:] })

            """
        for button in screen.buttons { text += wrapped(registration(of: button, in: screen), in: button.condition) }
        return text + "    }\n}\n"
    }

    private func bare(_ button: Button) -> String { button.name.filter { $0 != "`" } }

    private func columns(of button: Button) -> [Column] {
        button.event.map { definitions.categories[$0.category].events[$0.event].activeColumns } ?? []
    }

    /// The signature: `func saveButtonTapColumns() -> (recipeId: RecipeID, isSaved: Bool)`
    private func signature(of button: Button) -> String {
        guard let event = button.event else { return "" }
        let category = definitions.categories[event.category]
        let types = columns(of: button).map { SwiftColumns.type($0, of: category) }
        let labels = columns(of: button).map { SwiftNames.escaped(SwiftNames.memberName($0.name)) }
        let result =
            types.count == 1 ? types[0] : "(" + zip(labels, types).map { "\($0): \($1)" }.joined(separator: ", ") + ")"
        return "func \(bare(button))TapColumns(\(button.isArray ? "at index: Int" : "")) -> \(result)"
    }

    private func requirement(of button: Button) -> String {
        guard let event = button.event else { return "" }
        let category = definitions.categories[event.category]
        let names = columns(of: button).map { "`\($0.name)`" }.joined(separator: ", ")
        return """
                /// The columns of `\(category.name).\(category.events[event.event].name)`, the event of `\(bare(button))`: \(names).
                \(signature(of: button))

            """
    }

    private func registration(of button: Button, in screen: Screen) -> String {
        let name = SwiftText.swiftLiteral("\(screen.path).\(bare(button))")
        let found =
            button.reflectedAt.map {
                "private: \(SwiftText.swiftLiteral(bare(button))), of: self, as: \(typeName(screen)).self, at: \(SwiftText.swiftLiteral($0))"
            } ?? "{ [weak self] in self?.\(button.name) }"
        guard let event = button.event else {
            let value = postsUndefined ? "ActivityTracking.GenericTap.tap(target: \(name))" : "nil"
            return "        taps.add(\(found)) { _ in \(value) }\n"
        }
        let category = definitions.categories[event.category]
        let type = SwiftNames.escaped(SwiftNames.typeName(category.name))
        let value = "\(type).\(SwiftNames.escaped(SwiftNames.memberName(category.events[event.event].name)))"
        let columns = columns(of: button)
        guard !columns.isEmpty else { return "        taps.add(\(found)) { _ in \(value) }\n" }
        let arguments = columns.map { column in
            let value = columns.count == 1 ? "" : ".\(SwiftNames.escaped(SwiftNames.memberName(column.name)))"
            return "\(SwiftNames.label(column.name)): columns\(value)"
        }.joined(separator: ", ")
        return """
                    taps.add(\(found)) { [weak self] \(button.isArray ? "index" : "_") in
                        guard let self else { return nil }
                        let columns = self.\(bare(button))TapColumns(\(button.isArray ? "at: index" : ""))
                        return \(value)(\(arguments))
                    }

            """
    }

    // MARK: The target

    private var start: String {
        let calls = screens.map { screen in
            wrapped(
                "        (screen as? any \(protocolName(screen)))?.registerTapsOf\(identifier(screen))(with: taps)\n",
                in: screen.condition)
        }
        return """
            /// Registers the taps of this module's screens.
            @MainActor
            enum TapTracking {
                #if canImport(ObjectiveC)
                    /// Registers each view controller once, when it appears. Call this function when the app starts.
                    static func start() { ActivityTrackingUIKit.TapRegistry.shared.start { add($0, $1) } }
                #endif

                /// Registers a screen whose appearance is not observed: a view, or any screen if there is no Objective-C runtime.
                static func register(_ screen: some TapTrackable) { ActivityTrackingUIKit.TapRegistry.shared.register(screen) { add($0, $1) } }

                private static func add(_ screen: AnyObject, _ taps: ActivityTrackingUIKit.TapRegistration) {
            \(calls.joined())    }
            }

            """
    }
}
