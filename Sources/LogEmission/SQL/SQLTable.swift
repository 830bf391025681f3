package import LogDefinitions

/// Which events share a table.
package enum SQLTables: String, Sendable, CaseIterable {
    /// A table for each event.
    case event
    /// A table for each category.
    case category
    /// One table.
    case wide
}

/// A table with columns of the definitions' types. It holds the good records of some events, in every version that the
/// lock file knows.
package struct SQLTable: Sendable {
    package struct Column: Sendable {
        package var name: String
        /// The member of a record that it is filled from.
        package var field: String
        package var type: LogValueType
        /// Whether every record of the table has it.
        package var isRequired: Bool
        package var description: String
        package var privacy: LogPrivacy?
        /// The versions whose records fill it, as the check names them; nil if it is all that have the field.
        var versions: [String]?
    }

    package var name: String
    package var description: String
    package var columns: [Column]
    /// The events whose records it holds, as `category.event`.
    package var events: [String]

    /// The tables of ours beside those of the definitions.
    static let raw = "raw_records"
    static let bad = "bad_records"
    static let checked = "checked_records"
    static let read = "read_records"

    // MARK: Tables of a model

    /// The tables of all events.
    package static func all(of model: Model, by grouping: SQLTables) -> [SQLTable] {
        let events = EventDescription.all(of: model)
        let facts = Facts(model.definitions)
        switch grouping {
        case .event:
            return events.map { event in
                let comment = facts.events[event.fullName]
                return SQLTable(
                    "\(event.category)__\(event.name)", comment ?? "", [event], fields: ["event_id", "schema_version", "occurred_at"], facts)
            }
        case .category:
            return model.definitions.categories.map { category in
                let name = [raw, bad, checked, read].contains(category.name) ? category.name + "_category" : category.name
                return SQLTable(
                    name, facts.text(category.title, category.description), events.filter { $0.category == category.name },
                    fields: ["event_id", "event_name", "schema_version", "occurred_at"], facts)
            }
        case .wide:
            return [
                SQLTable(
                    "records", "", events, fields: ["event_id", "event_category", "event_name", "schema_version", "occurred_at"], facts)
            ]
        }
    }

    /// What people have written about events and columns.
    private struct Facts {
        var events: [String: String] = [:]
        /// By `category.event` and column; a common column has an empty event.
        var columns: [String: LogDefinitions.Column] = [:]

        init(_ definitions: Definitions) {
            for category in definitions.categories {
                for event in category.events {
                    let name = "\(category.name).\(event.name)"
                    events[name] = text(event.title, event.description)
                    for column in event.columns { columns["\(name) \(column.name)"] = column }
                }
            }
            for column in definitions.common?.columns ?? [] { columns[" \(column.name)"] = column }
        }

        func text(_ title: String, _ description: String) -> String {
            [title, description].filter { !$0.isEmpty }.joined(separator: ": ")
        }

        func column(_ event: String, _ name: String) -> LogDefinitions.Column? { columns["\(event) \(name)"] ?? columns[" \(name)"] }
    }

    /// The values of one field whose types go into one column.
    private struct Variant {
        var field: String
        var type: LogValueType
        var description: String
        var privacy: LogPrivacy?
        var versions: [String] = []
        var requiring = 0
        var event: String
        var model: String
    }

    private init(_ name: String, _ description: String, _ events: [EventDescription], fields: [String], _ facts: Facts) {
        self.name = SQLDialect.shortened(name)
        self.description = description
        self.events = events.map(\.fullName)
        var variants: [Variant] = []
        var byField: [String: [Int]] = [:]
        var versionCount = 0
        // Today's versions first: they give a column its name.
        let versions = events.flatMap { event in event.versions.enumerated().map { (event, $0.offset, $0.element) } }.sorted { $0.1 < $1.1 }
        for (event, _, version) in versions where !version.isRetired {
            versionCount += 1
            for column in version.columns {
                let type = column.type.storage
                var index = byField[column.name, default: []].first { variants[$0].type.joined(with: type) != nil }
                if index == nil {
                    let known = facts.column(event.fullName, column.name)
                    variants.append(
                        Variant(
                            field: column.name, type: type, description: known?.description ?? "", privacy: known?.privacy, event: event.name,
                            model: String(version.text.prefix { $0 != "-" })))
                    index = variants.count - 1
                    byField[column.name, default: []].append(variants.count - 1)
                }
                guard let index else { continue }
                variants[index].type = variants[index].type.joined(with: type) ?? type
                variants[index].versions.append("\(event.fullName) \(version.text)")
                if column.isRequired { variants[index].requiring += 1 }
            }
        }
        var taken = Set(byField.keys).union(fields).union(EnvelopeColumns.all.map(\.name))
        columns = EnvelopeColumns.all.filter { fields.contains($0.name) }
        for (index, variant) in variants.enumerated() {
            let isFirst = byField[variant.field]?.first == index
            var name = variant.field
            if !isFirst {
                name += events.count == 1 ? "_v\(variant.model)" : "_\(variant.event)"
                if taken.contains(name), events.count > 1 { name += "_v\(variant.model)" }
                while !taken.insert(name).inserted { name += "_" }
            }
            columns.append(
                Column(
                    name: SQLDialect.shortened(name), field: variant.field, type: variant.type, isRequired: variant.requiring == versionCount,
                    description: variant.description, privacy: variant.privacy,
                    versions: byField[variant.field]?.count == 1 ? nil : variant.versions))
        }
    }
}

/// The columns of the fields that every record has.
private enum EnvelopeColumns {
    static let all: [SQLTable.Column] = [
        column("event_id", .uuid, "The record's own number: a record that arrives twice has it twice."), column("event_category", .string(.init())),
        column("event_name", .string(.init())), column("schema_version", .string(.init()), "The version of the event's definition."),
        column("occurred_at", .timestamp, "When the event happened."),
    ]

    private static func column(_ name: String, _ type: LogValueType, _ description: String = "") -> SQLTable.Column {
        SQLTable.Column(name: name, field: name, type: type, isRequired: true, description: description, privacy: nil, versions: nil)
    }
}

extension LogValueType {
    /// The type as a column knows it: without names, bounds and values.
    var storage: LogValueType {
        switch self {
        case .string, .url, .enumeration: .string(.init())
        case .integer(let integer): .integer(.init(bits: integer.bits, isSigned: integer.isSigned))
        case .number: .number(.init())
        case .decimal, .boolean, .date, .timestamp, .uuid: self
        case .array(let list): .array(.init(of: list.items.storage))
        case .named(let named): named.base.map(\.storage) ?? .named(.init(""))
        }
    }

    /// The narrowest type that holds the values of both, each as it is; nil if there is none. Both are `storage`.
    func joined(with other: LogValueType) -> LogValueType? {
        switch (self, other) {
        case _ where self == other: return self
        case (.integer(let one), .integer(let two)):
            let isSigned = one.isSigned || two.isSigned
            func bits(_ integer: Integer) -> Int { isSigned && !integer.isSigned ? integer.bits * 2 : integer.bits }
            return .integer(.init(bits: max(bits(one), bits(two)), isSigned: isSigned))
        case (.decimal(let one), .decimal(let two)):
            let scale = max(one.scale, two.scale)
            let precision = max(one.precision - one.scale, two.precision - two.scale) + scale
            return precision <= Decimal.maximumPrecision ? .decimal(.init(precision: precision, scale: scale)) : nil
        case (.array(let one), .array(let two)): return one.items.joined(with: two.items).map { .array(.init(of: $0)) }
        case (.string, _), (.integer, _), (.number, _), (.decimal, _), (.boolean, _), (.date, _), (.timestamp, _), (.uuid, _), (.url, _),
            (.enumeration, _), (.array, _), (.named, _):
            return nil
        }
    }
}
