/// The parts of an event that matter to people who read its records or write its logs. Two versions are compared by
/// their shapes.
///
/// A shape contains types from `types.md` and common columns in full. So the shape alone says what the records of its
/// version look like.
package struct EventShape: Sendable, Hashable {
    package var isRetired = false
    package var trigger: LogTrigger?
    /// From 0 to 1.
    package var sampling: Double?
    /// The common column that the event's sample is taken by. Nil without a sample, or if it is taken by the event's id.
    package var samplingKey: String?
    package var common: [ColumnShape] = []
    package var columns: [ColumnShape] = []
    /// Names of retired columns. A new definition of such a name would mix two meanings under one name.
    package var reservedCommon: [String] = []
    package var reserved: [String] = []

    package init() {}
}

package struct ColumnShape: Sendable, Hashable {
    package var name: String
    package var type: LogValueType
    package var isRequired: Bool
    package var privacy: LogPrivacy?

    package init(name: String, type: LogValueType, isRequired: Bool, privacy: LogPrivacy? = nil) {
        self.name = name
        self.type = type
        self.isRequired = isRequired
        self.privacy = privacy
    }
}

extension LogValueType {
    /// The type without the parts that make no difference to anyone: the order of an enumeration's values, a lower
    /// bound of no items, a zero's sign.
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
            // If no document declares a name, it is the name of the app's own Swift type.
            if case .named(var named) = type, named.base == nil {
                named.swift = named.swift ?? named.name
                return .named(named)
            }
            return type
        }
    }
}
