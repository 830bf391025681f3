import LogDefinitions

/// A column's type as facts without a language: the one place of templates that knows how the model has types.
struct TypeFacts: Sendable {
    /// As `output.yml` and a template's sections call it.
    enum Kind: String, CaseIterable, Sendable {
        case string, integer, number, boolean, date, timestamp, uuid, url
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

    init(_ type: ColumnType) {
        notation = type.notation
        switch type {
        case .string(let maxLength, let maxBytes):
            kind = .string
            self.maxLength = maxLength
            self.maxBytes = maxBytes
        case .integer(let bits, let signed, let minimum, let maximum, _):
            kind = .integer
            self.bits = bits
            isSigned = signed
            self.minimum = minimum.map { String($0) }
            self.maximum = maximum.map { String($0) }
        case .number(let bits, let minimum, let maximum):
            kind = .number
            self.bits = bits
            self.minimum = minimum.map { "\($0)" }
            self.maximum = maximum.map { "\($0)" }
        case .boolean: kind = .boolean
        case .date: kind = .date
        case .timestamp: kind = .timestamp
        case .uuid: kind = .uuid
        case .url: kind = .url
        case .enumeration(let values):
            kind = .enumeration
            self.values = values
        case .array(let item, let minItems, let maxItems):
            kind = .array
            items = [TypeFacts(item)]
            self.minItems = minItems
            self.maxItems = maxItems
        case .named(let name):
            kind = .named
            self.name = name
        }
    }

    /// What an array's items are, however deep; the type itself otherwise.
    var element: TypeFacts { items.first?.element ?? self }
}
