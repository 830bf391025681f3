/// The parts of an event that matter to readers of its records and writers of its logs. Versions are compared by their
/// shapes.
///
/// A shape contains types from `types.md` and common columns in full, so it describes the records of its version
/// completely.
package struct EventShape: Sendable, Hashable {
    package var isRetired = false
    package var trigger: LogTrigger?
    /// The share of records that are kept, from 0 to 1; nil without sampling.
    package var sampling: Double?
    /// The common column that selects the event's sample. Nil if the event has no sampling, or if its id selects the
    /// sample.
    package var samplingKey: String?
    package var common: [ColumnShape] = []
    package var columns: [ColumnShape] = []
    /// The names of retired columns. If such a name were defined again, stored records would contain two meanings under
    /// one name.
    package var reservedCommon: [String] = []
    package var reserved: [String] = []

    package init() {}
}

extension LogValueType {
    /// The type without irrelevant differences: the order of an enumeration's values, a lower bound of no items, the
    /// sign of zero.
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
