#if Scope
    import Foundation
    package import LogDefinitions
    import LogTypes
    import MarkdownSyntax

    /// The definitions that the page shows next to the records.
    package struct ScopeDefinitions: Sendable, Codable {
        package struct Column: Sendable, Codable {
            package var name: String
            package var type: String
            package var required: Bool
            package var privacy: String?
            package var description: String
            package var example: String?
            package var place: String
        }

        package struct Event: Sendable, Codable {
            package var name: String
            package var category: String
            package var event: String
            package var title: String
            package var description: String
            package var owner: String?
            package var trigger: String?
            /// The sampling rate as written.
            package var sampling: String?
            package var version: String
            package var place: String
            /// A Boolean value that indicates whether the event is on the checklist.
            package var required: Bool
            package var columns: [Column]
        }

        package var events: [Event] = []
        package var common: [Column] = []

        /// - Parameter required: the full names of the events on the checklist.
        package init(_ models: [Model], required: Set<String>) {
            for model in models {
                let definitions = model.definitions
                func place(_ place: Place) -> String {
                    let file = definitions.files[place.file]
                    return "\(file.relativePath):\(file.source.position(at: place.range.lowerBound).line)"
                }
                func column(_ column: LogDefinitions.Column) -> Column {
                    var type: [UInt8] = []
                    TypeNotation.write(column.type, .written, to: &type)
                    return Column(
                        name: column.name, type: String(decoding: type, as: UTF8.self), required: column.isRequired,
                        privacy: column.privacy.map { "\($0)" },
                        description: InlineMarkdown.plainText(column.description), example: column.example,
                        place: place(column.place))
                }
                common += (definitions.common?.columns ?? []).filter { $0.status != .retired }.map(column)
                for category in definitions.categories {
                    for event in category.events where event.status != .retired {
                        let name = "\(category.name).\(event.name)"
                        events.append(
                            Event(
                                name: name, category: category.name, event: event.name,
                                title: InlineMarkdown.plainText(event.title),
                                description: InlineMarkdown.plainText(event.description),
                                owner: event.details.owner?.value,
                                trigger: event.details.trigger?.text, sampling: event.details.sampling?.text,
                                version: model.versions[category.name, event.name].description,
                                place: place(event.place), required: required.contains(name),
                                columns: event.activeColumns.map(column)))
                    }
                }
            }
        }

        /// Returns the columns of an event, common ones first.
        func columns(of name: String?) -> [Column] {
            guard let event = events.first(where: { $0.name == name }) else { return common }
            return common + event.columns
        }
    }
#endif
