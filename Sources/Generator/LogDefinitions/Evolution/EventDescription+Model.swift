import LogTypes
import MarkdownSyntax

extension EventDescription {
    /// The events of definitions: current versions from the definition files, earlier ones from the lock file.
    /// - Parameters:
    ///   - model: the definitions and the lock file's history.
    ///   - withColumnPlaces: whether to determine the places of columns, which takes long. Only messages contain them.
    package static func all(of model: Model, withColumnPlaces: Bool = true) -> [EventDescription] {
        let definitions = model.definitions
        let common = definitions.common?.columns ?? []
        let earlier = model.earlierVersions()
        let heirsOfTypes = CurrentNames(definitions)
        var events: [EventDescription] = []
        var formerEvents: [EventDescription] = []
        for category in definitions.categories {
            for event in category.events {
                var columns: [ColumnShape] = []
                var retired: [String] = []
                columns.reserveCapacity(common.count + event.columns.count)
                for all in [common, event.columns] {
                    for index in all.indices {
                        if all[index].status == .retired {
                            retired.append(all[index].name)
                        } else {
                            let place = withColumnPlaces ? definitions.pathLineAndColumn(all[index].place) : nil
                            columns.append(
                                ColumnShape(
                                    name: all[index].name, type: all[index].type, isRequired: all[index].isRequired,
                                    place: place))
                        }
                    }
                }
                var description = EventDescription(
                    category: category.name, name: event.name, owner: event.details.owner?.value,
                    place: definitions.pathLineAndColumn(event.place),
                    versions: [
                        Version(
                            text: model.versions[category.name, event.name].description,
                            isRetired: event.status == .retired, columns: columns,
                            retiredColumns: retired)
                    ])
                let names = [description.fullName] + event.formerNames.map(\.name)
                let lines = earlier.isEmpty ? [] : names.reversed().flatMap { earlier[$0] ?? [] }
                let heirs = lines.isEmpty ? heirsOfTypes : heirsOfTypes.with([common, event.columns], lines)
                if let earlier = earlier[description.fullName] {
                    let places =
                        withColumnPlaces
                        ? Dictionary(
                            (common + event.columns).map { ($0.name, definitions.pathLineAndColumn($0.place)) },
                            uniquingKeysWith: { first, _ in first })
                        : [:]
                    description.versions += earlier.map { Version($0, places: places, heirs) }
                }
                events.append(description)
                for name in event.formerNames.map(\.name) {
                    guard let earlier = earlier[name] else { continue }
                    let parts = name.eventNameParts
                    var former = EventDescription(
                        category: parts.category, name: parts.event, owner: description.owner,
                        place: description.place,
                        versions: earlier.reversed().map { Version($0, places: [:], heirs) })
                    former.heir = description.fullName
                    formerEvents.append(former)
                }
            }
        }
        return events + formerEvents
    }

    fileprivate struct CurrentNames {
        var columnsByFormerName: [String: String] = [:]
        /// The names of the types of columns today; empty for an enumeration without a name.
        var typesByColumn: [String: String] = [:]
        var values: [String: [String: String]]

        init(_ definitions: Definitions) {
            values = definitions.formerValues.mapValues { values in
                Dictionary(values.map { ($0.former.name, $0.heir) }, uniquingKeysWith: { first, _ in first })
            }
        }

        func with(_ all: [[Column]], _ earlier: [LockFile.LockedShape]) -> CurrentNames {
            var heirs = self
            // A type that the definitions no longer have keeps the names of its last version.
            for name in earlier.flatMap(\.shape.reserved) {
                guard case .values(let type) = name.scope, values[type] == nil else { continue }
                heirs.values[type, default: [:]][name.name] = name.heir
            }
            for columns in all {
                for index in columns.indices {
                    for former in columns[index].formerNames {
                        heirs.columnsByFormerName[former.name] = columns[index].name
                    }
                    let type = columns[index].type
                    guard type.typeName != nil || type.isEnumeration else { continue }
                    heirs.typesByColumn[columns[index].name] = type.typeName ?? ""
                }
            }
            return heirs
        }
    }
}

extension EventDescription {
    /// The common columns that all models have with the same type.
    package static func commonColumns(of models: [Model]) -> [ColumnShape] {
        let all = models.map { model in
            (model.definitions.common?.columns ?? []).filter { $0.status != .retired }.map { column in
                ColumnShape(
                    name: column.name, type: column.type, isRequired: column.isRequired,
                    place: model.definitions.pathLineAndColumn(column.place))
            }
        }
        guard let first = all.first else { return [] }
        return first.filter { column in
            all.allSatisfy {
                $0.contains { $0.name == column.name && $0.type == column.type && $0.isRequired == column.isRequired }
            }
        }
    }
}

extension EventDescription.Version {
    fileprivate init(
        _ line: LockFile.LockedShape, places: [String: String], _ heirs: EventDescription.CurrentNames
    ) {
        self.init(
            text: line.version.description, isRetired: line.shape.isRetired,
            columns: (line.shape.common + line.shape.columns).map {
                var column = $0
                column.place = places[$0.name]
                return column
            },
            retiredColumns: line.shape.reserved.filter(\.isRetiredColumn).map(\.name))
        for column in columns {
            let name = heirs.columnsByFormerName[column.name] ?? column.name
            if name != column.name { self.heirs[column.name] = name }
            // A column that was deleted or is no longer an enumeration had its values by the names of the type.
            let type = heirs.typesByColumn[name] ?? column.type.typeName
            valueHeirs[column.name] = type.flatMap { heirs.values[$0] }
        }
    }
}

extension Definitions {
    fileprivate func pathLineAndColumn(_ place: Place) -> String {
        let file = files[place.file]
        let (line, column) = file.source.position(at: place.range.lowerBound)
        return "\(file.path):\(line):\(column)"
    }
}
