import LogDefinitions

/// A column's type as facts without a language: the one place of templates that knows how the model has types.
struct TypeFacts: Sendable {
    /// As `output.yml` and a template's sections call it.
    enum Kind: String, CaseIterable, Sendable {
        case string, integer, number, decimal, boolean, date, timestamp, uuid, url
        case enumeration = "enum"
        case array, named
    }

    var kind: Kind
    /// The width of integers and numbers.
    var bits: Int?
    var isSigned = true
    /// As digits.
    var minimum: String?
    var maximum: String?
    /// Of a decimal number.
    var precision: Int?
    var scale: Int?
    var maxLength: Int?
    var maxBytes: Int?
    /// Of an enumeration.
    var values: [String] = []
    /// The type of an array's items, alone.
    var items: [TypeFacts] = []
    var minItems: Int?
    var maxItems: Int?
    /// The name of a type of `types.md`.
    var name: String?
    /// As a table writes it.
    var notation: String

    init(_ type: LogValueType) {
        notation = type.description
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

    /// What an array's items are, however deep; the type itself otherwise.
    var element: TypeFacts { items.first?.element ?? self }
}
