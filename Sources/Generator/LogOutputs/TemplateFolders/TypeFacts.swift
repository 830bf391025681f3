import LogDefinitions

/// A column's type, described independently of a language. No other type in the code for templates depends on the
/// representation of types in the model.
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
    private let type: LogValueType

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

    // Properties are computed when a template names them, because few are used per column.

    private var text: LogValueType.Text? { if case .string(let text) = type { text } else { nil } }
    private var integer: LogValueType.Integer? { if case .integer(let integer) = type { integer } else { nil } }
    private var number: LogValueType.Number? { if case .number(let number) = type { number } else { nil } }
    private var list: LogValueType.List? { if case .array(let list) = type { list } else { nil } }

    /// The width of an integer or a number; nil for other types.
    var bits: Int? { integer?.bits ?? number?.bits }
    var isSigned: Bool { integer?.isSigned ?? true }
    /// The lowest and the highest value, as digits; nil without bounds.
    var minimum: String? { integer?.minimum.map { String($0) } ?? number?.minimum.map { "\($0)" } }
    var maximum: String? { integer?.maximum.map { String($0) } ?? number?.maximum.map { "\($0)" } }
    /// The bounds of an integer, as digits; nil if they are those of a signed 64-bit integer.
    var lowest: String? { integer.flatMap { $0.range.lowerBound > .min ? String($0.range.lowerBound) : nil } }
    var highest: String? { integer.flatMap { $0.range.upperBound < .max ? String($0.range.upperBound) : nil } }
    /// Returns an argument of a format, such as the scale of a decimal number, as digits. Nil for other types.
    func argument(_ name: String) -> String? {
        guard case .format(let format) = type.form else { return nil }
        return format.arguments.first { "\($0.name)" == name }.map { String($0.value) }
    }
    var maxLength: Int? { text?.maxLength }
    var maxBytes: Int? { text?.maxBytes }
    var values: [String] { if case .enumeration(let enumeration) = type { enumeration.values } else { [] } }
    /// The type of an array's items, as the only element.
    var items: [TypeFacts] { list.map { [TypeFacts($0.items)] } ?? [] }
    var minItems: Int? { list?.minItems }
    var maxItems: Int? { list?.maxItems }
    /// The name of a type from `types.md`; nil for other types.
    var name: String? { if case .named(let named) = type { named.name } else { nil } }
    /// The type in the notation of tables.
    var notation: String { type.description }

    /// The innermost item type of a nested array; for other types, the type itself.
    var element: TypeFacts { items.first?.element ?? self }
}
