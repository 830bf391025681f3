#if Scope
    import Foundation
    import LogDefinitions
    import LogTypes
    import MarkdownSyntax

    /// The definitions that the page shows next to the records.
    struct ScopeDefinitions: Sendable, Encodable {
        struct Column: Sendable, Encodable {
            var name: String
            var type: String
            var required: Bool
            var privacy: String?
            var description: String
            var example: String?
            var place: String
        }

        struct Event: Sendable, Encodable {
            var name: String
            var category: String
            var event: String
            var title: String
            var description: String
            var owner: String?
            var trigger: String?
            /// The sampling rate as written.
            var sampling: String?
            var version: String
            var place: String
            /// A Boolean value that indicates whether the event is on the checklist.
            var required: Bool
            var columns: [Column]
        }

        var events: [Event] = []
        var common: [Column] = []

        /// - Parameter required: the full names of the events on the checklist.
        init(_ models: [Model], required: Set<String>) {
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
