import JSONSyntax
package import LogDefinitions

/// Example values of columns: a column's own example, or a value derived from its type.
package enum ExampleRecord {
    /// The members of a record, each as JSON: `"recipe_id": 42`. An optional column is included if it has an example.
    /// - Parameter values: the columns' values.
    package static func members(of columns: [Column], _ values: [ExampleValue?]) -> [String] {
        var members: [String] = []
        for index in columns.indices where columns[index].status != .retired {
            guard let value = values[index] else { continue }
            var writer = JSONWriter()
            writer.object(inline: true) { writer in
                writer.key(named: columns[index].name)
                value.write(to: &writer)
            }
            members.append(String(decoding: writer.document().dropFirst().dropLast(2), as: UTF8.self))
        }
        return members
    }

    package static func values(of columns: [Column]) -> [ExampleValue?] { columns.map(value) }

    private static func value(of column: Column) -> ExampleValue? {
        if let value = column.exampleValue { return value }
        if column.isRequired { return made(of: column.type, example: column.example) }
        return nil
    }

    private static let mostItems = 100

    /// Returns a value within the type's bounds. Nil for a list that needs more than `mostItems` items, and for an
    /// enumeration without values.
    /// - Parameter example: the column's example. The example is the value of a type whose definition only the app has.
    static func made(of type: LogValueType, example: String? = nil) -> ExampleValue? {
        switch type.form {
        case .string(let limits):
            let text = "text".utf8
            return .string(
                String(
                    decoding: text.prefix(min(limits.maxLength ?? text.count, limits.maxBytes ?? text.count)),
                    as: UTF8.self))
        case .integer(let integer): return .integer(min(max(1, integer.range.lowerBound), integer.range.upperBound))
        case .number(let number):
            let lower = max(0.5, number.minimum ?? 0.5)
            return .number(min(lower, number.maximum ?? lower))
        case .boolean: return .boolean(true)
        case .format(let format): return .string(format.example)
        case .enumeration(let enumeration): return enumeration.values.first.map { .string($0) }
        case .array(let list):
            let count = min(max(1, list.minItems ?? 1), list.maxItems ?? .max)
            guard count <= mostItems, let item = made(of: list.items) else { return nil }
            return .array(Array(repeating: item, count: count))
        case .named(let named):
            guard let base = named.base else { return .string(example ?? "…") }
            return made(of: base)
        }
    }
}
