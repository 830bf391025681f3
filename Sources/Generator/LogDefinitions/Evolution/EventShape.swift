/// The parts of an event on which readers of its records and writers of its logs depend. Versions differ in shape.
///
/// A shape contains types from `types.md` and common columns in full, so it describes its version's records completely.
package struct EventShape: Sendable, Hashable {
    package var isRetired = false
    package var trigger: LogTrigger?
    /// The share of records that are kept, from 0 to 1; nil without sampling.
    package var sampling: Double?
    /// The common column that selects the event's sample. Nil without sampling, or if its id selects the sample.
    package var samplingKey: String?
    /// The former names of the event (`category.event`), newest first.
    package var formerNames: [String] = []
    package var common: [ColumnShape] = []
    package var columns: [ColumnShape] = []
    package var reserved: [ReservedName] = []

    package init() {}

    /// The reserved names of a scope.
    package func reservedNames(_ scope: ReservedName.Scope) -> Set<String> {
        Set(reserved.filter { $0.scope == scope }.map(\.name))
    }
}

extension EventShape {
    var valuesByType: [String: Set<String>] {
        var values: [String: Set<String>] = [:]
        for column in common + columns {
            if let name = column.type.typeName { values[name] = column.type.values }
        }
        return values
    }
}

extension Sequence<ReservedName> {
    /// The current names of renamed definitions, by their former names.
    var heirs: [String: String] {
        Dictionary(
            compactMap { name in name.heir.map { (name.name, $0) } }, uniquingKeysWith: { first, _ in first })
    }
}

/// A retired or former name. A new definition of it would give stored records two meanings under one name.
package struct ReservedName: Sendable, Hashable {
    package enum Scope: Sendable, Hashable {
        case common, event
        /// The values of a type from `types.md`.
        case values(of: String)
    }

    package var scope: Scope
    package var name: String
    /// The current name of the definition that had this name; nil for a retired column.
    package var heir: String?

    /// Returns whether both reserve the same name. The type of a value may have another name.
    func isSame(as other: ReservedName) -> Bool {
        switch (scope, other.scope) {
        case (.values, .values): name.isExactly(other.name)
        default: scope == other.scope && name == other.name
        }
    }

    /// Indicates whether a retired column has the name.
    package var isRetiredColumn: Bool {
        switch scope {
        case .common, .event: heir == nil
        case .values: false
        }
    }
}

extension LogValueType {
    /// The values of an enumeration, or of a list of them; nil for another type.
    var values: Set<String>? {
        guard case .enumeration(let enumeration)? = element.unnamed else { return nil }
        return Set(enumeration.values)
    }

    /// The type without the order of an enumeration's values, a lower bound of no items, and the sign of zero.
    package var shape: LogValueType {
        changed { type in
            if case .enumeration(let enumeration) = type {
                return .enumeration(.init(enumeration.values.sorted { $0.utf8.lexicographicallyPrecedes($1.utf8) }))
            }
            if case .number(var number) = type {
                number.minimum = number.minimum.map { $0 == 0 ? 0 : $0 }
                number.maximum = number.maximum.map { $0 == 0 ? 0 : $0 }
                return .number(number)
            }
            if case .array(var list) = type, list.minItems == 0 {
                list.minItems = nil
                return .array(list)
            }
            // An undeclared name is the name of the app's own Swift type.
            if case .named(var named) = type, named.base == nil {
                named.swift = named.swift ?? named.name
                return .named(named)
            }
            return type
        }
    }
}
