extension EventDescription {
    /// Returns the events of compiled definitions, with their only version. The place of an event is the path of its
    /// definition file relative to the definition folder.
    package static func all(of categories: [LogDefinition], common: LogDefinition?) -> [EventDescription] {
        func columns(_ event: LogDefinition.Event, in definition: LogDefinition) -> [ColumnShape] {
            event.columns.map {
                ColumnShape(name: $0.name, type: $0.type, isRequired: $0.isRequired, place: definition.document)
            }
        }
        let commonColumns = common.flatMap { common in common.events.first.map { columns($0, in: common) } } ?? []
        return categories.flatMap { category in
            category.events.map { event in
                EventDescription(
                    category: category.name, name: event.name, owner: event.owner, place: category.document,
                    versions: [
                        Version(
                            text: event.schemaVersion, isRetired: event.status == .retired,
                            columns: commonColumns + columns(event, in: category))
                    ])
            }
        }
    }
}
