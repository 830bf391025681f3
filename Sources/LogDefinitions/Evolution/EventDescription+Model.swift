import LogTypes
import MarkdownSyntax

extension EventDescription {
    /// The events of definitions: today's version from the documents, older ones from the lock file.
    package static func all(of model: Model) -> [EventDescription] {
        let definitions = model.definitions
        let common = definitions.common?.columns ?? []
        let earlier = model.earlierVersions()
        var events: [EventDescription] = []
        for category in definitions.categories {
            for event in category.events {
                let columns = (common + event.columns).filter { $0.status != .retired }.map { column in
                    Column(
                        name: column.name, type: column.type, isRequired: column.isRequired, place: definitions.shown(column.place))
                }
                var description = EventDescription(
                    category: category.name, name: event.name, owner: event.details.owner?.value, place: definitions.shown(event.place),
                    versions: [
                        Version(
                            text: model.versions[category.name, event.name].description, isRetired: event.status == .retired, columns: columns,
                            retiredColumns: (common + event.columns).filter { $0.status == .retired }.map(\.name))
                    ])
                let places = Dictionary(
                    (common + event.columns).map { ($0.name, definitions.shown($0.place)) }, uniquingKeysWith: { first, _ in first })
                description.versions += (earlier[description.fullName] ?? []).map { Version($0, places: places) }
                events.append(description)
            }
        }
        return events
    }
}

extension EventDescription.Version {
    fileprivate init(_ line: LockFile.LockedShape, places: [String: String]) {
        self.init(
            text: line.version.description, isRetired: line.shape.isRetired,
            columns: (line.shape.common + line.shape.columns).map {
                EventDescription.Column(name: $0.name, type: $0.type, isRequired: $0.isRequired, place: places[$0.name])
            },
            retiredColumns: line.shape.reservedCommon + line.shape.reserved)
    }
}

extension Definitions {
    /// A place as messages show it: `Definitions/recipe_search.md:31:3`.
    fileprivate func shown(_ place: Place) -> String {
        let file = files[place.file]
        let (line, column) = file.source.position(at: place.range.lowerBound)
        return "\(file.path):\(line):\(column)"
    }
}
