package import LogDefinitions
import LogOutputs

/// The rule by which events share a table.
package enum SQLTables: String, Sendable, CaseIterable {
    case event
    case category
    case wide
}

/// A table with typed columns for the accepted records of some events, in all versions that the lock file contains.
package struct SQLTable: Sendable {
    /// A column of a table. A column is an object, because many tables share their first columns and access them often.
    package final class Column: Sendable, Equatable {
        package let name: String
        /// The record's member that fills the column.
        package let field: String
        package let type: LogValueType
        /// Indicates whether every record of the table has a value.
        package let isRequired: Bool
        /// The description; nil if the definitions no longer contain the column.
        package let description: String?
        package let privacy: LogPrivacy?
        /// The versions whose records fill the column, as `category.event 1-0-0`; nil for all versions with the field.
        package let versions: [String]?

        init(
            name: String, field: String, type: LogValueType, isRequired: Bool, description: String?,
            privacy: LogPrivacy?, versions: [String]? = nil
        ) {
            (self.name, self.field, self.type, self.isRequired) = (name, field, type, isRequired)
            (self.description, self.privacy, self.versions) = (description, privacy, versions)
        }

        func required(_ isRequired: Bool) -> Column {
            Column(
                name: name, field: field, type: type, isRequired: isRequired, description: description,
                privacy: privacy, versions: versions)
        }

        package static func == (one: Column, other: Column) -> Bool {
            if one === other { return true }
            return one.name == other.name && one.field == other.field && one.type == other.type
                && one.isRequired == other.isRequired
                && one.description == other.description && one.privacy == other.privacy
                && one.versions == other.versions
        }
    }

    package var name: String
    package var description: String
    package var columns: [Column]
    /// The events whose records the table contains, as `category.event`. The former names of events are included.
    package var events: [String]
    /// The events of the definitions, without the former names.
    package let currentEvents: [String]
    /// The names of the table in earlier models, newest first.
    package var formerNames: [String] = []
    /// The former names of the table's events and columns.
    package var renames: [Rename] = []

    /// A column or an event of the table that had another name.
    package struct Rename: Sendable, Hashable {
        /// The current event, as `category.event`.
        package var event: String
        package var part: Part

        package enum Part: Sendable, Hashable {
            /// The event itself, with its former name as `category.event`.
            case event(from: String)
            case column(from: String, to: String)
            case value(column: String, from: String, to: String)
        }
    }

    /// The first column with each name or field.
    func columns(by key: KeyPath<Column, String>) -> [String: Column] {
        Dictionary(columns.map { ($0[keyPath: key], $0) }, uniquingKeysWith: { first, _ in first })
    }

    /// The views that a former name needs: of the table, or of one of its columns. The view of a table that has only
    /// renamed columns has `_formerly` after its name. A view has all current columns, and the former ones.
    var formerViews: [(name: String, columns: [(current: String, former: String)])] {
        var names: Set<String> = Set(columns.map(\.name))
        var formerColumns: [(current: String, former: String)] = []
        let byField = renames.isEmpty ? [:] : columns(by: \.field)
        for case .column(let from, let to) in renames.map(\.part) {
            guard let column = byField[to], names.insert(SQLDialect.shortened(from)).inserted else { continue }
            formerColumns.append((column.name, from))
        }
        let views = formerNames.isEmpty && !formerColumns.isEmpty ? [name + "_formerly"] : formerNames
        return views.map { ($0, formerColumns) }
    }

    /// The table of rejected records.
    package static let bad = "bad_records"
    /// A temporary table of PostgreSQL's load.
    static let read = "read_records"

    static let badRecords = SQLTable(
        bad,
        [("record", .string(.init()), true)]
            + RecordEnvelope.allCases.filter { $0.namesDefinition || $0 == .violations }.map {
                ($0.name, $0.type, false)
            })

    private init(_ name: String, _ columns: [(name: String, type: LogValueType, isRequired: Bool)]) {
        (self.name, description, events, currentEvents) = (name, "", [], [])
        self.columns = columns.map { name, type, isRequired in
            Column(name: name, field: name, type: type.storage, isRequired: isRequired, description: nil, privacy: nil)
        }
    }

    static func name(_ category: String, _ event: String) -> String { "\(category)__\(event)" }

    static func name(ofCategory category: String) -> String {
        [bad, read].contains(category) ? category + "_category" : category
    }

    /// Returns the name of an event's own table.
    /// - Parameter event: the event as `category.event`.
    package static func name(ofEvent event: String) -> String {
        let parts = event.split(separator: ".", maxSplits: 1).map(String.init)
        return parts.count == 2 ? name(parts[0], parts[1]) : event
    }

    /// A name that two tables share. Names are compared case-insensitively, as most warehouses do.
    struct Collision {
        var name: String
        var first: Int
        var second: Int
    }

    /// - Parameter rest: returns the name of the table's default partition, if it has one.
    static func collisions(of names: [String], rest: (String) -> String?) -> [Collision] {
        var owners: [String: Int] = [:]
        var collisions: [Collision] = []
        for (number, name) in names.enumerated() {
            for name in [name, rest(name)].compactMap({ $0 }).map(SQLDialect.shortened) {
                guard let other = owners.updateValue(number, forKey: name.lowercased()) else { continue }
                // Tables of the same name also share their default partition's name.
                if collisions.contains(where: { $0.first == other && $0.second == number }) { continue }
                collisions.append(Collision(name: name, first: other, second: number))
            }
        }
        return collisions
    }

    // MARK: Tables of a model

    /// Returns the tables of all events.
    /// - Parameter events: the model's events, if the caller has them already.
    package static func all(of model: Model, _ events: [EventDescription]? = nil, by grouping: SQLTables) -> [SQLTable]
    {
        let events = events ?? EventDescription.all(of: model, withColumnPlaces: false)
        let facts = Descriptions(model)
        let formerEvents = Dictionary(grouping: events.filter { $0.heir != nil }, by: { $0.heir ?? "" })
        switch grouping {
        case .event:
            return events.filter { $0.heir == nil }.map { event in
                var table = SQLTable(
                    name(event.category, event.name), facts.comment(event.fullName),
                    [event] + (formerEvents[event.fullName] ?? []), without: [.category, .event], facts)
                table.formerNames = facts.formerNames(event.fullName).map { SQLDialect.shortened(name(ofEvent: $0)) }
                return table
            }
        case .category:
            let current = Dictionary(grouping: events.filter { $0.heir == nil }, by: \.category)
            return model.definitions.categories.map { category in
                let own = current[category.name] ?? []
                var table = SQLTable(
                    name(ofCategory: category.name), facts.text(category.title, category.description),
                    own + own.flatMap { formerEvents[$0.fullName] ?? [] }, without: [.category], facts)
                table.formerNames = category.formerNames.map {
                    SQLDialect.shortened(name(ofCategory: $0.name))
                }
                return table
            }
        case .wide:
            return [SQLTable("records", "", events, without: [], facts)]
        }
    }

    private struct Descriptions {
        private let definitions: Definitions
        /// The indices of events, by `category.event`.
        private var events: [String: (category: Int, event: Int)] = [:]
        /// The former values by type, in the order of the definitions.
        private let formerValues: [String: [(former: FormerName, heir: String)]]
        /// The former names of events in the lock file, as `category.event`.
        private let lockedFormerEvents: Set<String>?

        init(_ model: Model) {
            definitions = model.definitions
            lockedFormerEvents = model.lock == nil || !definitions.hasFormerNames ? nil : Set(model.removedEvents())
            formerValues = definitions.formerValues
            for (category, value) in definitions.categories.enumerated() {
                for event in value.events.indices {
                    events["\(value.name).\(value.events[event].name)"] = (category, event)
                }
            }
        }

        func comment(_ event: String) -> String {
            guard let (category, index) = events[event] else { return "" }
            return text(
                definitions.categories[category].events[index].title,
                definitions.categories[category].events[index].description)
        }

        func formerNames(_ event: String) -> [String] {
            guard let (category, index) = events[event] else { return [] }
            return definitions.categories[category].events[index].formerNames.map(\.name).filter {
                lockedFormerEvents?.contains($0) ?? true
            }
        }

        func renames(_ event: String) -> [Rename] {
            guard let (category, index) = events[event] else { return [] }
            let common = definitions.common?.columns ?? []
            let columns = [common, definitions.categories[category].events[index].columns]
            var renames = formerNames(event).map { Rename(event: event, part: .event(from: $0)) }
            for columns in columns {
                for index in columns.indices {
                    let name = columns[index].name
                    renames += columns[index].formerNames.map {
                        Rename(event: event, part: .column(from: $0.name, to: name))
                    }
                    guard !formerValues.isEmpty, let type = columns[index].type.typeName else { continue }
                    renames += (formerValues[type] ?? []).map {
                        Rename(event: event, part: .value(column: name, from: $0.former.name, to: $0.heir))
                    }
                }
            }
            return renames
        }

        func text(_ title: String, _ description: String) -> String {
            title.isEmpty ? description : description.isEmpty ? title : "\(title): \(description)"
        }

        func columns(_ event: String) -> [String: (description: String, privacy: LogPrivacy?)] {
            var found: [String: (description: String, privacy: LogPrivacy?)] = [:]
            let own = events[event].map { definitions.categories[$0.category].events[$0.event].columns } ?? []
            for columns in [definitions.common?.columns ?? [], own] {
                // Columns are accessed by index, because a column is a large value.
                for index in columns.indices {
                    found[columns[index].name] = (columns[index].description, columns[index].privacy)
                }
            }
            return found
        }
    }

    private struct Variant {
        var field: String
        var type: LogValueType
        var description: String?
        var privacy: LogPrivacy?
        var versions: [String] = []
        var requiring = 0
        var event: String
        /// The first number (MODEL) of the event's oldest version that has the type. The number is part of the column's
        /// name, which later versions do not change.
        var model: String
    }

    /// - Parameter names: the members of the envelope that are constant in the table and omitted.
    private init(
        _ name: String, _ description: String, _ events: [EventDescription], without names: [RecordEnvelope],
        _ facts: Descriptions
    ) {
        let envelope = RecordEnvelope.columns.filter { column in !names.contains { $0.name == column.name } }
        self.name = SQLDialect.shortened(name)
        self.description = description
        self.events = events.map(\.fullName)
        currentEvents = events.filter { $0.heir == nil }.map(\.fullName)
        renames = events.filter { $0.heir == nil }.flatMap { facts.renames($0.fullName) }
        var variants: [Variant] = []
        var byField: [String: [Int]] = [:]
        var versionCount = 0
        // The order determines column names: current versions first, then newer before older. A column that is missing
        // in current versions keeps its name.
        let current = Dictionary(
            events.filter { $0.heir == nil }.map { ($0.fullName, $0) }, uniquingKeysWith: { first, _ in first })
        let versions = events.flatMap { event in
            let count = event.heir.flatMap { current[$0]?.versions.count } ?? 0
            let order: [Int] = [0] + (1..<event.versions.count).reversed()
            return order.indices.map { (event, count + $0, event.versions[order[$0]]) }
        }.sorted { $0.1 < $1.1 }
        for (versionEvent, age, version) in versions where !version.isRetired {
            versionCount += 1
            let versionName = "\(versionEvent.fullName) \(version.text)"
            let event = versionEvent.heir.flatMap { current[$0] } ?? versionEvent
            let model = String(version.text.prefix { $0 != "-" })
            lazy var described = facts.columns(event.fullName)
            lazy var now = Set(event.versions[0].columns.map(\.name))
            for column in version.columns {
                let type = column.type.storage
                let field = version.heirs[column.name] ?? column.name
                var index = byField[field, default: []].first { variants[$0].type.joined(with: type) != nil }
                if index == nil {
                    // An earlier column of the same name and another type has no description: the definition describes
                    // the current column.
                    let isReplaced = age > 0 && now.contains(field)
                    let known = described[field]
                    variants.append(
                        Variant(
                            field: field, type: type, description: isReplaced ? nil : known?.description,
                            privacy: known?.privacy,
                            event: event.name, model: model)
                    )
                    index = variants.count - 1
                    byField[field, default: []].append(variants.count - 1)
                }
                guard let index else { continue }
                variants[index].type = variants[index].type.joined(with: type) ?? type
                variants[index].versions.append(versionName)
                if variants[index].event == event.name { variants[index].model = model }
                if column.isRequired { variants[index].requiring += 1 }
            }
        }
        // Nearly always, each field has one type and its own name.
        var taken = byField.count == variants.count ? [] : Set(byField.keys).union(RecordEnvelope.columns.map(\.name))
        columns = envelope
        for (index, variant) in variants.enumerated() {
            let isFirst = byField[variant.field]?.first == index
            var name = variant.field
            if !isFirst {
                name += current.count == 1 ? "_v\(variant.model)" : "_\(variant.event)"
                if taken.contains(name), current.count > 1 { name += "_v\(variant.model)" }
                while !taken.insert(name).inserted { name += "_" }
            }
            columns.append(
                Column(
                    name: SQLDialect.shortened(name), field: variant.field, type: variant.type,
                    isRequired: variant.requiring == versionCount,
                    description: variant.description, privacy: variant.privacy,
                    versions: byField[variant.field]?.count == 1 ? nil : variant.versions))
        }
    }
}

extension RecordEnvelope {
    /// `violations` is a column only of the table of rejected records.
    fileprivate static let columns: [SQLTable.Column] = allCases.filter { $0 != .violations }.map { field in
        SQLTable.Column(
            name: field.name, field: field.name, type: field.type.storage, isRequired: field.isRequired,
            description: field.columnSummary, privacy: nil)
    }
}

extension LogValueType {
    private static let text = LogValueType.string(.init())
    private static let double = LogValueType.number(.init())

    /// The type of a column for the values: without names, bounds and enumeration values.
    var storage: LogValueType {
        switch form {
        case .string, .enumeration: Self.text
        case .format(let format): format.hasWarehouseType ? self : Self.text
        case .integer(let integer): .integer(.init(bits: integer.bits, isSigned: integer.isSigned))
        case .number: Self.double
        case .boolean: self
        case .array(let list): .array(.init(of: list.items.storage))
        case .named(let named): named.base.map(\.storage) ?? .named(.init(""))
        }
    }

    /// Returns the narrowest type that stores the values of both types unchanged, or nil. Both are `storage` types.
    package func joined(with other: LogValueType) -> LogValueType? {
        switch (form, other.form) {
        case _ where self == other: return self
        case (.integer(let one), .integer(let two)):
            let isSigned = one.isSigned || two.isSigned
            func bits(_ integer: Integer) -> Int { isSigned && !integer.isSigned ? integer.bits * 2 : integer.bits }
            return .integer(.init(bits: max(bits(one), bits(two)), isSigned: isSigned))
        case (.format(let one), .format(let two)): return one.joined(with: two)?.type
        case (.array(let one), .array(let two)): return one.items.joined(with: two.items).map { .array(.init(of: $0)) }
        case (.string, _), (.integer, _), (.number, _), (.boolean, _), (.format, _), (.enumeration, _),
            (.array, _), (.named, _):
            return nil
        }
    }
}
