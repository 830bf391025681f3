/// The places in a target's sources that create events.
struct EventUsage: Sendable {
    /// A name of an event of the definitions, as Swift spells it.
    struct Event: Sendable {
        /// The name of the category's type.
        var category: String
        var name: String
        /// The parameters: the label of each, its former labels, and whether it is required.
        var parameters: [(label: String, former: Set<String>, isRequired: Bool)]
    }

    struct Place: Sendable {
        var place: TapScreens.Place
        /// A Boolean value that indicates whether the sources prove that the place creates this event. Otherwise, the
        /// place may name a case of another type.
        var isCertain: Bool
        /// A Boolean value that indicates whether the place names a parameter by a former label.
        var hasFormerLabel: Bool
    }

    /// The places of each event, in order of files and offsets.
    private(set) var places: [[Place]]

    /// - Parameters:
    ///   - events: the events to search for.
    ///   - files: the declarations of each file, and the cases that it names.
    init(of events: [Event], in files: [(facts: SourceFacts, uses: EventUses)]) {
        let index = TypeIndex(files.map(\.facts))
        let categories = Set(events.map(\.category))
        let functions = Dictionary(grouping: files.flatMap(\.uses.functions), by: \.name)
        places = events.map { _ in [] }
        let byName = Dictionary(grouping: events.indices, by: { events[$0].name })

        for (number, file) in files.enumerated() {
            /// Returns the category that a type's name refers to at an offset; nil for the name of another type.
            func category(_ name: String, _ scope: [String], _ offset: Int? = nil) -> String? {
                if name == "Self" || name == "self" {
                    return scope.isEmpty ? nil : category(scope.joined(separator: "."), [])
                }
                let alias = file.uses.localAliases.last { $0.name == name && offset.map($0.range.contains) ?? false }
                return index.resolve(alias?.meant ?? name, from: scope).names.lazy.compactMap { name in
                    if categories.contains(name) { return name }
                    // The name may be qualified by its module.
                    let parts = name.split(separator: ".").map(String.init)
                    return parts.count == 2 && index.types[name] == nil && index.types[parts[0]] == nil
                        && categories.contains(parts[1])
                        ? parts[1] : nil
                }.first
            }
            /// Returns whether a name is known to refer to a type that is not a category.
            func isOther(_ name: String, _ scope: [String]) -> Bool {
                index.resolve(name, from: scope).names.contains {
                    index.types[$0].map { $0.kind != .protocol } ?? Self.nonCategoryTypes.contains($0)
                }
            }
            for use in file.uses.uses {
                let candidates = byName[use.name] ?? []
                func add(_ event: Int, isCertain: Bool) {
                    places[event].append(
                        Place(
                            place: TapScreens.Place(file: number, offset: use.offset), isCertain: isCertain,
                            hasFormerLabel: use.labels?.contains { label in
                                label.map { label in events[event].parameters.contains { $0.former.contains(label) } }
                                    ?? false
                            } ?? false))
                }
                if let base = use.base {
                    guard let known = category(base, use.scope, use.offset) else { continue }
                    for event in candidates where events[event].category == known { add(event, isCertain: true) }
                    continue
                }
                let fitting = candidates.filter { Self.fits(use.labels, events[$0].parameters) }
                switch Self.meaning(use, functions, { category($0, $1, use.offset) }, isOther) {
                case .category(let known):
                    for event in fitting where events[event].category == known { add(event, isCertain: true) }
                case .other: break
                case .unknown: for event in fitting { add(event, isCertain: false) }
                }
            }
        }
    }

    private enum Meaning { case category(String), other, unknown }

    private static let nonCategoryTypes: Set<String> = [
        "Bool", "Int", "Double", "Float", "CGFloat", "String", "Character", "Date", "Data", "URL", "UUID", "Error",
        "Notification.Name",
    ]

    private static func meaning(
        _ use: EventUses.Use, _ functions: [String: [EventUses.Function]], _ category: (String, [String]) -> String?,
        _ isOther: (String, [String]) -> Bool
    ) -> Meaning {
        func meaning(of type: String, _ scope: [String], _ generics: Set<String> = []) -> Meaning {
            if generics.contains(type) { return .unknown }
            if let known = category(type, scope) { return .category(known) }
            return isOther(type, scope) ? .other : .unknown
        }
        switch use.context {
        case .unknown: return .unknown
        case .type(let type): return meaning(of: type, use.scope)
        case .argument(let name, let label, let position, let hasReceiver):
            guard let known = functions[name] else { return .unknown }
            // A method of another value may be declared in another module, so it may be none of the known functions.
            var isUnknown = hasReceiver
            var isFound = false
            for function in known {
                let parameter =
                    label.map { label in function.parameters.first { $0.label == label } }
                    ?? (function.parameters.indices.contains(position) ? function.parameters[position] : nil)
                guard let parameter, parameter.label == label else { continue }
                isFound = true
                switch parameter.type.map({ meaning(of: $0, function.scope, function.generics) }) ?? .unknown {
                case .category(let known): return .category(known)
                case .unknown: isUnknown = true
                case .other: break
                }
            }
            return isUnknown || !isFound ? .unknown : .other
        }
    }

    /// Returns whether arguments fit a case. A case that is not called fits, because it may be passed as a function.
    private static func fits(
        _ labels: [String?]?, _ parameters: [(label: String, former: Set<String>, isRequired: Bool)]
    ) -> Bool {
        guard let labels else { return true }
        var rest = labels[...]
        for parameter in parameters {
            if let label = rest.first ?? nil, label == parameter.label || parameter.former.contains(label) {
                rest.removeFirst()
            } else if parameter.isRequired {
                return false
            }
        }
        return rest.isEmpty
    }
}
