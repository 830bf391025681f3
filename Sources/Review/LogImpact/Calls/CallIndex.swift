import LogOutputs

/// The generated names of a language, by identifier.
struct CallIndex: Sendable {
    /// The meaning of a name.
    enum Target: Hashable {
        /// A category, or a module with several of them: an index in `modules`.
        case module(Int)
        /// An index in `events`.
        case event(Int)
    }

    struct Event: Sendable {
        /// The event, as `category.event`; nil for the common columns.
        var name: String?
        /// The columns by the identifiers of their parameters.
        var columns: [String: String]
        /// The columns of the current parameters, in order.
        var positions: [String]
        /// The identifiers of required parameters.
        var required: Set<String>
    }

    private(set) var events: [Event] = []
    /// The members of each category by identifier.
    private(set) var modules: [[String: Target]] = []
    /// The categories by identifier. In Kotlin, also the class of the common columns.
    private(set) var categories: [String: Target] = [:]
    /// The events by their own identifiers.
    private(set) var eventsByIdentifier: [String: [Int]] = [:]
    /// The events by the identifiers of their parameters.
    private(set) var eventsByParameter: [String: [Int]] = [:]

    static let commonName = "CommonColumns"

    init(_ names: CallNames, _ language: CallNames.Language) {
        for category in names.categories {
            var members: [String: Target] = [:]
            for event in category.events {
                let identifier = Self.bare(event.identifier)
                members[identifier] = .event(events.count)
                eventsByIdentifier[identifier, default: []].append(events.count)
                events.append(Self.event(event.name, event.parameters))
            }
            categories[Self.bare(category.identifier)] = .module(modules.count)
            modules.append(members)
        }
        if let common = names.common {
            switch language {
            case .kotlin, .swift: categories[Self.commonName] = .event(events.count)
            case .typescript:
                categories[Self.commonName] = .module(modules.count)
                modules.append(["commonColumns": .event(events.count)])
                eventsByIdentifier["commonColumns", default: []].append(events.count)
            }
            events.append(Self.event(nil, common))
        }
        for (number, event) in events.enumerated() {
            for identifier in event.columns.keys { eventsByParameter[identifier, default: []].append(number) }
        }
    }

    /// Returns an identifier without the backticks that escape a keyword of Kotlin.
    private static func bare(_ identifier: String) -> String { identifier.filter { $0 != "`" } }

    private static func event(_ name: String?, _ parameters: [CallNames.Parameter]) -> Event {
        Event(
            name: name,
            columns: Dictionary(
                parameters.map { (bare($0.identifier), $0.column) }, uniquingKeysWith: { first, _ in first }),
            positions: parameters.filter(\.isCurrent).map(\.column),
            required: Set(parameters.filter { $0.isCurrent && $0.isRequired }.map { bare($0.identifier) }))
    }
}
