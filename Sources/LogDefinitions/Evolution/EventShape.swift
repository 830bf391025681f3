/// What of an event matters to those who read its records or write its logs: what two versions are compared by.
///
/// Types from `types.md` and common columns are resolved, so that a shape says all by itself what records of its version look like.
package struct EventShape: Sendable, Hashable {
    package var isRetired = false
    /// As the lock file writes them; `ShapeNotation` says how.
    package var trigger: ExactText?
    package var sampling: ExactText?
    package var common: [ColumnShape] = []
    package var columns: [ColumnShape] = []
    /// Names of columns that were retired: defining them anew would mix two meanings under one name.
    package var reservedCommon: [String] = []
    package var reserved: [String] = []

    package init() {}
}

package struct ColumnShape: Sendable, Hashable {
    package var name: String
    package var type: ShapeType
    package var isRequired: Bool
    package var privacy: String?

    package init(name: String, type: ShapeType, isRequired: Bool, privacy: String? = nil) {
        self.name = name
        self.type = type
        self.isRequired = isRequired
        self.privacy = privacy
    }
}

/// A column's type with the types from `types.md` that it is made of.
package indirect enum ShapeType: Sendable, Hashable {
    /// Anything but an array or a name; an enumeration's values are in bytewise order, since their order means nothing.
    case plain(ColumnType)
    case array(ShapeType, minItems: Int?, maxItems: Int?)
    /// `swift` is the existing Swift type that stands for it, if any.
    case named(String, swift: ExactText?, ShapeType)
    /// The app's own type, of which only the name is known.
    case app

    /// The type without names on its outside.
    package var underlying: ShapeType {
        if case .named(_, _, let type) = self { type.underlying } else { self }
    }
}
