/// Which events a target's sources make, and where.
package struct EventUsage: Sendable {
    /// An event of the definitions, as Swift knows it.
    package struct Event: Sendable {
        /// The category's type.
        package var category: String
        package var name: String
        /// The parameters' labels, and whether each has to be given.
        package var parameters: [(label: String, isRequired: Bool)]

        package init(category: String, name: String, parameters: [(label: String, isRequired: Bool)]) {
            self.category = category
            self.name = name
            self.parameters = parameters
        }
    }

    package struct Place: Sendable {
        package var place: TapScreens.Place
        /// Whether the sources tell that it is this event; where not, another type's case of the same name is possible.
        package var isCertain: Bool
    }

    /// The places of each event, in the order of files and offsets.
    package private(set) var places: [[Place]]

    /// - Parameters:
    ///   - events: what is looked for.
    ///   - files: what each file declares, and what it uses.
    package init(of events: [Event], in files: [(facts: SourceFacts, uses: EventUses)]) {
        let index = TypeIndex(files.map(\.facts))
        let categories = Set(events.map(\.category))
        let functions = Dictionary(grouping: files.flatMap(\.uses.functions), by: \.name)
        places = events.map { _ in [] }
        let byName = Dictionary(grouping: events.indices, by: { events[$0].name })

        for (number, file) in files.enumerated() {
            /// What a type's name means, if that is a category.
            func category(_ name: String, _ scope: [String]) -> String? {
                if name == "Self" || name == "self" { return scope.isEmpty ? nil : category(scope.joined(separator: "."), []) }
                let meant = file.uses.localAliases[name] ?? name
                return index.resolve(meant, from: scope).names.lazy.compactMap { name in
                    // Behind the module's name, too.
                    categories.contains(name)
                        ? name
                        : name.split(separator: ".").last.map(String.init).flatMap {
                            categories.contains($0) && name.split(separator: ".").count == 2 ? $0 : nil
                        }
                }.first
            }
            for use in file.uses.uses {
                let candidates = byName[use.name] ?? []
                func add(_ event: Int, isCertain: Bool) {
                    places[event].append(Place(place: TapScreens.Place(file: number, offset: use.offset), isCertain: isCertain))
                }
                if let base = use.base {
                    guard let known = category(base, use.scope) else { continue }
                    for event in candidates where events[event].category == known { add(event, isCertain: true) }
                    continue
                }
                let fitting = candidates.filter { Self.fits(use.labels, events[$0].parameters) }
                switch Self.meaning(use, functions, category) {
                case .category(let known): for event in fitting where events[event].category == known { add(event, isCertain: true) }
                case .other: break
                case .unknown: for event in fitting { add(event, isCertain: false) }
                }
            }
        }
    }

    private enum Meaning { case category(String), other, unknown }

    private static func meaning(
        _ use: EventUses.Use, _ functions: [String: [EventUses.Function]], _ category: (String, [String]) -> String?
    ) -> Meaning {
        func meaning(of type: String, _ scope: [String]) -> Meaning {
            if let known = category(type, scope) { return .category(known) }
            // A protocol's, or a generic parameter's.
            return type == "LogCategory" || type.count == 1 ? .unknown : .other
        }
        switch use.context {
        case .unknown: return .unknown
        case .type(let type): return meaning(of: type, use.scope)
        case .argument(let name, let label, let position):
            guard let known = functions[name] else { return .unknown }
            var isUnknown = false
            for function in known {
                let labelled = label.flatMap { label in function.parameters.first { $0.label == label } }
                guard let parameter = labelled ?? (function.parameters.indices.contains(position) ? function.parameters[position] : nil) else {
                    continue
                }
                switch parameter.type.map({ meaning(of: $0, function.scope) }) ?? .unknown {
                case .category(let known): return .category(known)
                case .unknown: isUnknown = true
                case .other: break
                }
            }
            return isUnknown ? .unknown : .other
        }
    }

    /// Whether arguments with these labels can be a case's: in order, and none missing that has to be given. A case that is not called may be handed on as a function.
    private static func fits(_ labels: [String?]?, _ parameters: [(label: String, isRequired: Bool)]) -> Bool {
        guard let labels else { return true }
        var rest = labels[...]
        for parameter in parameters {
            if rest.first == .some(parameter.label) {
                rest.removeFirst()
            } else if parameter.isRequired {
                return false
            }
        }
        return rest.isEmpty
    }
}
