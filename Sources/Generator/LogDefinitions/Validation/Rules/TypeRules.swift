/// Rules for types and for columns outside of tables. The parser, or the resolution of type names, reports violations.
extension Rule {
    static let typeRules = [typeSyntax, unknownType, enumValue]
    static let listRules = [listColumn]

    package static let typeSyntax = Rule(
        "type-syntax", .always, "a type has the form that the format defines",
        valid: .columns("| keyword | string(256) |"), invalid: .columns("| keyword | string(256 |"))

    package static let unknownType = Rule(
        "unknown-type", .always, "a type's name is built in or defined in `types.md`",
        valid: .columns("| keyword | string |"), invalid: .columns("| keyword | strng |"))

    package static let enumValue = Rule(
        "enum-value", .always, "an enumeration's values are distinct and not empty",
        valid: .types("## Order\n\n| value |\n| --- |\n| newest |\n| popular |"),
        invalid: .types("## Order\n\n| value |\n| --- |\n| newest |\n| popular |\n| newest |"))

    package static let listColumn = Rule(
        "list-column", .always, "a line that looks like a column is a row of a table",
        valid: .columns("| recipe_id | int64 |"), invalid: .event("- recipe_id: int64"))
}
