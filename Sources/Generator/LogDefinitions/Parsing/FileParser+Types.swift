import MarkdownSyntax

/// `types.md`: enumerations, named scalars, and types that the app already has.
extension FileParser {
    mutating func types(_ title: Section, _ sections: [Section]) -> [NamedType] {
        let body = body(of: title)
        if body.values != nil, let place = body.columnsPlace {
            report(
                .unknownTable, "these values belong to no type", at: place,
                .help("write the heading of a type above the table: `## ListOrder`"))
        }
        return sections.compactMap { type($0) }
    }

    private mutating func type(_ section: Section) -> NamedType? {
        let problems = diagnostics.count + skippedRows.count
        let body = self.body(of: section)
        let hasBrokenBody = diagnostics.count + skippedRows.count > problems
        // `## ListOrder`, `## RecipeID: int64`, ``## レシピID `RecipeID: int64` ``
        let parts = section.name.identifier.split(separator: ":", maxSplits: 1, omittingEmptySubsequences: false)
        let name = String(trimmed(parts.first ?? ""))
        let place = Place(
            file: file, range: source.firstRange(of: name, in: section.name.place.range) ?? section.name.place.range)
        guard TypeNotation.isTypeName(name), !TypeNotation.isBuiltIn(name) else {
            let problem =
                !TypeNotation.isBuiltIn(name)
                ? "`\(name)` is not a type name: type names begin with a letter and contain only letters, digits and "
                    + "`_`"
                : "`\(name)` is the name of a built-in type" + (name == name.lowercased() ? "" : ", in any case")
            report(
                .identifier, problem, at: place.range,
                .help("choose another name, as in `## ListOrder` or `## RecipeID: int64`"), hidden(in: name))
            return nil
        }
        brokenTypes.insert(name)
        if section.name.isRetired {
            report(
                .misplacedMark, "a type is not retired: columns can still have `\(name)`", at: place.range,
                .help("remove the mark; retire the columns, or delete the type"))
        }
        let kind: NamedType.Kind
        if parts.count == 2 {
            guard let type = scalar(String(trimmed(parts[1])), of: name, section) else { return nil }
            if body.values != nil {
                let range = source.firstRange(of: String(trimmed(parts[1])), in: section.heading.range)
                report(
                    .typeSyntax, "`\(name)` has both a scalar type and a table of values",
                    at: range ?? section.heading.range, .help("write `## \(name)`, or delete the table of values"))
                return nil
            }
            kind = .scalar(type)
        } else if let values = body.values {
            guard !values.isEmpty else { return nil }
            kind = .enumeration(values)
        } else if body.details.swift != nil {
            kind = .external
        } else if hasBrokenBody {
            return nil
        } else {
            reportUnlessLost(
                .typeSyntax, "`\(name)` has no table of values and no scalar type", at: place.range,
                .help("add a table `value | description`, or write `## \(name): int64`"))
            return nil
        }
        brokenTypes.remove(name)
        return NamedType(
            name: name, kind: kind, swift: body.details.swift?.value, description: body.description, place: place)
    }
    private mutating func scalar(_ text: String, of name: String, _ section: Section) -> LogValueType? {
        let range = source.firstRange(of: text, in: section.heading.range) ?? section.heading.range
        guard let parsed = type(text, at: range) else { return nil }
        if case .named(let unknown) = parsed.type {
            let nearest = nearestSpelling(of: unknown.name, among: TypeNotation.builtInNames)
            report(
                .unknownType, "`\(unknown.name)` is not a built-in type", at: range,
                nearest.map { .didYouMean($0, insteadOf: unknown.name) } ?? .help("write `## \(name): int64`"))
            return nil
        }
        guard !parsed.isOptional, parsed.type.isScalar else {
            report(
                .typeSyntax,
                "`\(text)` cannot be a named type: only strings, numbers, booleans, dates, UUIDs and URLs can",
                at: range,
                .help("write a list or a `?` where the type is used; write an enumeration as a table of values"))
            return nil
        }
        return parsed.type
    }
}
