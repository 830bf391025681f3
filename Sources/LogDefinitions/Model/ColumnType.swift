/// What a column may hold. Optionality belongs to the column, not to its type.
package indirect enum ColumnType: Sendable, Hashable {
    /// At most `maxLength` Unicode scalars, or at most `maxBytes` bytes of UTF-8.
    case string(maxLength: Int?, maxBytes: Int?)
    /// A width of 8, 16, 32 or 64 bits; the bounds appear where written and lie within the width.
    /// `isPlain` where the type is written without a width: `int`, which is `Int` in Swift.
    case integer(bits: Int, signed: Bool, minimum: Int64?, maximum: Int64?, isPlain: Bool = false)
    /// A width of 32 or 64 bits.
    case number(bits: Int, minimum: Double?, maximum: Double?)
    case boolean
    case date
    case timestamp
    case uuid
    case url
    case enumeration([String])
    case array(ColumnType, minItems: Int?, maxItems: Int?)
    case named(String)

    /// By scalars: an enumeration's values are what schemas list.
    package static func == (left: ColumnType, right: ColumnType) -> Bool {
        switch left {
        case .string(let maxLength, let maxBytes):
            guard case .string(let length, let bytes) = right else { return false }
            return (maxLength, maxBytes) == (length, bytes)
        case .integer(let bits, let signed, let minimum, let maximum, let isPlain):
            guard case .integer(let otherBits, let otherSigned, let otherMinimum, let otherMaximum, let otherPlain) = right else { return false }
            return (bits, signed, minimum, maximum, isPlain) == (otherBits, otherSigned, otherMinimum, otherMaximum, otherPlain)
        case .number(let bits, let minimum, let maximum):
            guard case .number(let otherBits, let otherMinimum, let otherMaximum) = right else { return false }
            return (bits, minimum, maximum) == (otherBits, otherMinimum, otherMaximum)
        case .boolean: if case .boolean = right { return true }
        case .date: if case .date = right { return true }
        case .timestamp: if case .timestamp = right { return true }
        case .uuid: if case .uuid = right { return true }
        case .url: if case .url = right { return true }
        case .enumeration(let values):
            guard case .enumeration(let others) = right else { return false }
            return values.elementsEqual(others) { $0.isExactly($1) }
        case .array(let item, let minItems, let maxItems):
            guard case .array(let otherItem, let otherMinItems, let otherMaxItems) = right else { return false }
            return item == otherItem && (minItems, maxItems) == (otherMinItems, otherMaxItems)
        case .named(let name):
            guard case .named(let other) = right else { return false }
            return name.isExactly(other)
        }
        return false
    }

    /// The name of the type from `types.md` that this type is made of, if any.
    package var namedType: String? {
        switch self {
        case .named(let name): name
        case .array(let item, _, _): item.namedType
        default: nil
        }
    }

    /// The smallest and largest value of an integer's width.
    package static func bounds(bits: Int, signed: Bool) -> (minimum: Int64, maximum: Int64) {
        if signed {
            bits == 64 ? (Int64.min, Int64.max) : (-(1 << Int64(bits - 1)), (1 << Int64(bits - 1)) - 1)
        } else {
            (0, (1 << Int64(min(bits, 62))) - 1)
        }
    }
}
