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
