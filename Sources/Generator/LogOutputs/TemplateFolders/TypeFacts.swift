import JSONSyntax
import LogDefinitions

/// A column's type, described independently of a language.
struct TypeFacts: Sendable {
    enum Kind: Hashable, CaseIterable, Sendable {
        case string, integer, number, boolean, format(name: String), enumeration, array, named

        static let allCases: [Kind] =
            [.string, .integer, .number, .boolean] + StringFormat.all.map { .format(name: $0.name) }
            + [.enumeration, .array, .named]

        /// The name in `output.yml` and in a template's sections.
        var name: String {
            switch self {
            case .string: "string"
            case .integer: "integer"
            case .number: "number"
            case .boolean: "boolean"
            case .format(let name): name
            case .enumeration: "enum"
            case .array: "array"
            case .named: "named"
            }
        }

        init?(name: String) {
            guard let kind = Kind.allCases.first(where: { $0.name == name }) else { return nil }
            self = kind
        }
    }

    let kind: Kind
    let type: LogValueType

    init(_ type: LogValueType) {
        self.type = type
        kind =
            switch type.form {
            case .string: .string
            case .integer: .integer
            case .number: .number
            case .boolean: .boolean
            case .format(let format): .format(name: format.name)
            case .enumeration: .enumeration
            case .array: .array
            case .named: .named
            }
    }

    /// The bounds and arguments of the type, by their names in dumps; nil for a missing bound.
    var limits: [(name: StaticString, value: (any JSONWritable)?)] {
        switch type.form {
        case .string(let text): [("maxLength", text.maxLength), ("maxBytes", text.maxBytes)]
        case .integer(let integer):
            [
                ("bits", integer.bits), ("signed", integer.isSigned), ("minimum", integer.minimum),
                ("maximum", integer.maximum),
            ]
        case .number(let number): [("bits", number.bits), ("minimum", number.minimum), ("maximum", number.maximum)]
        case .format(let format): format.arguments.map { ($0.name, $0.value) }
        case .array(let list): [("minItems", list.minItems), ("maxItems", list.maxItems)]
        case .boolean, .enumeration, .named: []
        }
    }

    var text: LogValueType.Text? { if case .string(let text) = type { text } else { nil } }
    var integer: LogValueType.Integer? { if case .integer(let integer) = type { integer } else { nil } }
    var number: LogValueType.Number? { if case .number(let number) = type { number } else { nil } }
    var decimal: LogValueType.Decimal? { if case .decimal(let decimal) = type { decimal } else { nil } }
    var list: LogValueType.List? { if case .array(let list) = type { list } else { nil } }
    /// The width of an integer or a number; nil for other types.
    var bits: Int? { integer?.bits ?? number?.bits }
    var isSigned: Bool { integer?.isSigned ?? true }
    var values: [String] { if case .enumeration(let enumeration) = type { enumeration.values } else { [] } }
    var items: TypeFacts? { list.map { TypeFacts($0.items) } }
    /// The name of a type from `types.md`; nil for other types.
    var name: String? { if case .named(let named) = type { named.name } else { nil } }
}
