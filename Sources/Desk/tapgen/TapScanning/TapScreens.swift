import LogDefinitions

/// The types of a target that conform to `TapTrackable`, in any declaration. Their buttons' taps are tracked.
struct TapScreens: Sendable {
    struct Screen: Sendable {
        /// The type's full name, dotted.
        var path: String
        var place: Place
        /// A Boolean value that indicates whether other files can name the type.
        var isVisible: Bool
        /// A Boolean value that indicates whether the conformance to `TapTrackable` is conditional.
        var isConditional: Bool
        /// The `#if` conditions of each declaration.
        var conditions: [[String]]
        /// The `#if` conditions of each conformance that the type declares itself.
        var conformances: [[String]]
        /// The `@available` attributes of the type and its enclosing types.
        var availability: [String]
        /// The place of private `tapEvents`, which generated code cannot read.
        var privateTapEvents: Place?
        var buttons: [Button]
    }

    struct Button: Sendable {
        /// The name as written, in backticks if it needs them.
        var name: String
        var place: Place
        var isArray: Bool
        /// Indicates whether only code in the button's file can name it. Generated code then finds it by reflection.
        var isPrivate: Bool
        var isLazy: Bool
        var conditions: [String]
    }

    struct Place: Sendable, Hashable {
        var file: Int
        var offset: Int
    }

    /// The result of the search for the button in a trigger `tap(Type.member)`.
    enum Target: Sendable {
        /// A screen's button; several if it is declared under several `#if`s.
        case buttons(screen: Int, [Int])
        case noType(similar: String?)
        case ambiguous([(path: String, place: Place)])
        /// The type does not conform. `superclass`, of another module, may conform; nil if all superclasses are known.
        case notTracked(path: String, place: Place, superclass: String?)
        case noMember(path: String, place: Place, similar: String?)
        case notAButton(path: String, reason: String, place: Place)
        case inherited(from: String)
    }

    /// The screens in order of name: types with buttons, and types that declare `tapEvents` for inherited buttons.
    let screens: [Screen]
    private let index: TypeIndex
    private let tracked: Set<String>

    /// - Parameters:
    ///   - buttonTypes: subclasses of `UIButton`. A property of such a type is a button, too.
    ///   - screenTypes: classes of other modules that conform.
    init(_ files: [SourceFacts], buttonTypes: [String] = [], screenTypes: [String] = []) {
        let index = TypeIndex(files)
        let buttonTypes = Set(buttonTypes).union(["UIButton"])
        self.index = index
        func conforms(_ path: String) -> Bool {
            index.lineage(of: path).contains { name in
                name.split(separator: ".").last == "TapTrackable"
                    || screenTypes.contains { Self.isSame($0, name, declared: index.types[name] != nil) }
            }
        }
        tracked = Set(index.types.keys.filter { index.types[$0]?.kind == .class && conforms($0) })
        screens = tracked.sorted().compactMap { path in
            index.types[path].flatMap { Self.screen(path, $0, index, buttonTypes, conforms: conforms) }
        }
    }

    /// Returns the screen of a conforming type; nil if it has neither buttons nor `tapEvents`.
    private static func screen(
        _ path: String, _ type: TypeIndex.DeclaredType, _ index: TypeIndex, _ buttonTypes: Set<String>,
        conforms: (String) -> Bool
    ) -> Screen? {
        let classes = type.declarations.filter { $0.declaration.kind == .class }
        let buttons = classes.flatMap { file, declaration in
            declaration.members.compactMap { member -> Button? in
                guard member.exclusion == nil, let shape = member.type,
                    let isArray = isButton(shape, in: declaration.path, index, buttonTypes)
                else { return nil }
                return Button(
                    name: member.name, place: Place(file: file, offset: member.offset), isArray: isArray,
                    isPrivate: member.isPrivate,
                    isLazy: member.isLazy, conditions: declaration.conditions + member.conditions)
            }
        }
        guard let first = classes.first,
            !buttons.isEmpty || type.declarations.contains(where: \.declaration.hasTapEvents)
        else { return nil }
        let names = path.split(separator: ".")
        let around = names.indices.compactMap {
            index.types[names[...$0].joined(separator: ".")]?.declarations.map(\.declaration)
        }
        let conforming = type.declarations.map(\.declaration).filter { declaration in
            let scope = declaration.kind == .extension ? declaration.path : Array(declaration.path.dropLast())
            return declaration.inherited.contains {
                index.resolve($0, from: scope).names.contains { $0 != path && conforms($0) }
            }
        }
        return Screen(
            path: path, place: Place(file: first.file, offset: first.declaration.offset),
            isVisible: around.joined().allSatisfy { $0.kind == .extension || $0.isVisible },
            isConditional: conforming.contains { $0.isConditional }, conditions: classes.map(\.declaration.conditions),
            conformances: conforming.map(\.conditions),
            availability: around.flatMap { $0.first { $0.kind != .extension }?.availability ?? [] },
            privateTapEvents: type.declarations.lazy.compactMap { file, declaration in
                declaration.privateTapEvents.map { Place(file: file, offset: $0) }
            }.first,
            buttons: buttons)
    }

    /// Returns whether two names are the same. A type of another module may be listed without its module's name.
    private static func isSame(_ listed: String, _ name: String, declared isDeclared: Bool) -> Bool {
        if listed == name { return true }
        guard !isDeclared, listed.contains(".") != name.contains(".") else { return false }
        return listed.split(separator: ".").last == name.split(separator: ".").last
    }

    /// Returns whether a property of this type holds an array of buttons; nil if it does not hold buttons.
    private static func isButton(
        _ shape: SourceFacts.TypeShape, in scope: [String], _ index: TypeIndex, _ buttonTypes: Set<String>
    ) -> Bool? {
        for name in shape.names {
            let meant = index.resolve(name, from: scope)
            let isButton = meant.names.contains { name in
                let isDeclared = index.types[name] != nil
                return buttonTypes.contains {
                    $0 == "UIButton" ? name == $0 && !isDeclared : isSame($0, name, declared: isDeclared)
                }
            }
            guard isButton else { continue }
            return meant.isArray && shape.isArray ? nil : meant.isArray || shape.isArray
        }
        return nil
    }

    /// Finds the button that `Type.member` names. The type is given by its full name or by the end of its full name.
    func find(_ target: String) -> Target {
        let parts = target.split(separator: ".").map(String.init)
        guard let member = parts.last, parts.count > 1 else { return .noType(similar: nil) }
        let name = parts.dropLast().joined(separator: ".")
        let classes = index.types.filter { $0.value.kind == .class }.map(\.key)
        let path: String
        if classes.contains(name) {
            path = name
        } else {
            var found = classes.filter { $0.hasSuffix("." + name) }
            let foundTracked = found.filter { tracked.contains($0) }
            if foundTracked.count == 1 { found = foundTracked }
            guard found.count < 2 else {
                return .ambiguous(found.sorted().compactMap { path in place(ofType: path).map { (path, $0) } })
            }
            guard let only = found.first else { return .noType(similar: nearest(name, among: tracked)) }
            path = only
        }
        guard let place = place(ofType: path) else { return .noType(similar: nil) }
        guard tracked.contains(path) else {
            return .notTracked(path: path, place: place, superclass: index.foreignSuperclass(of: path))
        }
        if let screen = screens.firstIndex(where: { $0.path == path }) {
            let buttons = screens[screen].buttons.indices.filter {
                Self.bare(screens[screen].buttons[$0].name) == member
            }
            if !buttons.isEmpty { return .buttons(screen: screen, buttons) }
        }
        for declared in index.types[path]?.declarations ?? [] {
            if let other = declared.declaration.members.first(where: { Self.bare($0.name) == member }) {
                let reason = other.exclusion?.rawValue ?? "its type is `\(other.type?.text ?? "?")`"
                return .notAButton(path: path, reason: reason, place: Place(file: declared.file, offset: other.offset))
            }
        }
        let ancestors = index.lineage(of: path).dropFirst()
        if let ancestor = screens.first(where: { screen in
            ancestors.contains(screen.path) && screen.buttons.contains { Self.bare($0.name) == member }
        }) {
            return .inherited(from: ancestor.path)
        }
        let names = screens.first { $0.path == path }?.buttons.map { Self.bare($0.name) } ?? []
        return .noMember(path: path, place: place, similar: nearest(member, among: names))
    }

    private func place(ofType path: String) -> Place? {
        index.types[path]?.declarations.first { $0.declaration.kind == .class }.map {
            Place(file: $0.file, offset: $0.declaration.offset)
        }
    }

    private func nearest(_ name: String, among names: some Sequence<String>) -> String? {
        nearestSpelling(of: name, among: names.sorted())
    }

    /// Returns an identifier without backticks.
    static func bare(_ name: String) -> String { name.filter { $0 != "`" } }
}
