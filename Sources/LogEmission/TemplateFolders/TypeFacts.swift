import LogDefinitions

/// A column's type as facts that fit any language. Of all template code, only this part knows how the model stores
/// types.
struct TypeFacts: Sendable {
    /// The name in `output.yml` and in a template's sections.
    enum Kind: String, CaseIterable, Sendable {
        case string, integer, number, decimal, boolean, date, timestamp, uuid, url
        case enumeration = "enum"
        case array, named
    }

    var kind: Kind
    /// The width of an integer or a number.
    var bits: Int?
    var isSigned = true
    /// The lowest and the highest value, as digits.
    var minimum: String?
    var maximum: String?
    /// The range of an integer's bounds and width, as digits, if 64 signed bits hold more.
    var lowest: String?
    var highest: String?
    /// For a decimal number: how many digits it has in all, and how many after the point.
    var precision: Int?
    var scale: Int?
    var maxLength: Int?
    var maxBytes: Int?
    /// The values of an enumeration.
    var values: [String] = []
    /// The type of an array's items, as the only element.
    var items: [TypeFacts] = []
    var minItems: Int?
    var maxItems: Int?
    /// The name of a type from `types.md`.
    var name: String?
    private let type: LogValueType
    /// The type as a table writes it.
    var notation: String { type.description }

    init(_ type: LogValueType) {
        self.type = type
        switch type {
        case .string(let limits):
            kind = .string
            maxLength = limits.maxLength
            maxBytes = limits.maxBytes
        case .integer(let integer):
            kind = .integer
            bits = integer.bits
            isSigned = integer.isSigned
            minimum = integer.minimum.map { String($0) }
            maximum = integer.maximum.map { String($0) }
            let range = integer.range
            if range.lowerBound > .min { lowest = String(range.lowerBound) }
            if range.upperBound < .max { highest = String(range.upperBound) }
        case .number(let number):
            kind = .number
            bits = number.bits
            minimum = number.minimum.map { "\($0)" }
            maximum = number.maximum.map { "\($0)" }
        case .decimal(let decimal):
            kind = .decimal
            precision = decimal.precision
            scale = decimal.scale
        case .boolean: kind = .boolean
        case .date: kind = .date
        case .timestamp: kind = .timestamp
        case .uuid: kind = .uuid
        case .url: kind = .url
        case .enumeration(let enumeration):
            kind = .enumeration
            values = enumeration.values
        case .array(let list):
            kind = .array
            items = [TypeFacts(list.items)]
            minItems = list.minItems
            maxItems = list.maxItems
        case .named(let named):
            kind = .named
            name = named.name
        }
    }

    /// The innermost item type of an array, however deep; for other types, the type itself.
    var element: TypeFacts { items.first?.element ?? self }
}
