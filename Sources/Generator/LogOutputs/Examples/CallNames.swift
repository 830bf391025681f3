package import LogDefinitions

/// The identifiers by which code calls the generated events of a language.
package struct CallNames: Sendable {
    package enum Language: Sendable { case kotlin, swift, typescript }

    package struct Parameter: Sendable {
        package var identifier: String
        /// The name of the column, which is also the member of the record.
        package var column: String
        package var isRequired: Bool
        /// Indicates whether the current generated code has the parameter.
        package var isCurrent: Bool
    }

    package struct Event: Sendable {
        package var identifier: String
        /// The event, as `category.event`.
        package var name: String
        package var parameters: [Parameter]
    }

    package struct Category: Sendable {
        package var identifier: String
        package var events: [Event]
    }

    package private(set) var categories: [Category] = []
    /// The parameters of the common columns; nil if the definitions have none.
    package private(set) var common: [Parameter]?

    /// - Parameter earlier: Returns the columns that earlier versions of an event had. Code that was generated from
    ///   these versions passes them.
    package init(_ model: Model, _ language: Language, earlier: (String) -> Set<String> = { _ in [] }) {
        let (output, platform): (String, Platform) =
            switch language {
            case .kotlin: ("kotlin", .android)
            case .swift: ("swift", .ios)
            case .typescript: ("typescript", .web)
            }
        let identifiers = EventCall.identifiers(
            output,
            [.category: .pascal, .event: language == .kotlin ? .pascal : .camel, .column: .camel])
        func parameters(_ columns: [Column]) -> [Parameter] {
            columns.map { column in
                Parameter(
                    identifier: identifiers.identifier(column.name, .column), column: column.name,
                    isRequired: column.isRequired,
                    isCurrent: column.status != .retired && column.platforms.contains(platform))
            }
        }
        categories = model.definitions.categories.map { category in
            let events = category.events.map { event in
                let name = "\(category.name).\(event.name)"
                let known = parameters(event.columns)
                let others = earlier(name).subtracting(known.map(\.column)).sorted().map { column in
                    Parameter(
                        identifier: identifiers.identifier(column, .column), column: column, isRequired: false,
                        isCurrent: false)
                }
                return Event(
                    identifier: identifiers.identifier(event.name, .event), name: name, parameters: known + others)
            }
            return Category(identifier: identifiers.identifier(category.name, .category), events: events)
        }
        common = model.definitions.common.map { parameters($0.columns) }
    }
}
