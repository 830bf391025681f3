/// Rules for types and the list form. The parser, or the resolution of type names, reports violations.
extension Rule {
    static let typeRules = [typeSyntax, unknownType, appType, enumValue]
    static let listRules = [listColumn]

    package static let typeSyntax = Rule(
        "type-syntax", .always, "a type has the form that the format defines",
        valid: .columns("| keyword | string(256) |"), invalid: .columns("| keyword | string(256 |"))

    package static let unknownType = Rule(
        "unknown-type", .always, "a type's name is built in or defined in `types.md`",
        valid: .columns("| keyword | string |"), invalid: .columns("| keyword | strng |"))

    package static let appType = Rule(
        "app-type", .warning, "a type used in the list form is defined in `types.md`",
        valid: .event("- recipe_id: !integer"), invalid: .event("- order: ListOrder"))

    package static let enumValue = Rule(
        "enum-value", .always, "an enumeration's values are distinct and not empty",
        valid: .types("## Order\n\n| value |\n| --- |\n| newest |\n| popular |"),
        invalid: .types("## Order\n\n| value |\n| --- |\n| newest |\n| popular |\n| newest |"))

    package static let listColumn = Rule(
        "list-column", .always, "an item of a column list is `- name: !type`",
        valid: .event("- recipe_id: !integer"), invalid: .event("- recipe_id: !integer\n- and more"))
}
