import MarkdownSyntax

/// Rules for names: duplicates, reserved names, and names with several meanings.
extension Rule {
    static let nameRules = [
        duplicateCategory, duplicateEvent, duplicateColumn, duplicateType, derivedName, frameworkName, confusable,
        reservedColumn, shadowedColumn, columnType,
    ]

    package static let duplicateCategory = Rule(
        "duplicate-category", .always, "a category is defined once",
        valid: .plain, invalid: .file("a/search.md", "# search\n") + .file("b/search.md", "# search\n"),
        checks: .run(findDuplicateCategories))

    package static let duplicateEvent = Rule(
        "duplicate-event", .always, "an event is defined once; a retired event keeps its name",
        valid: .plain, invalid: .search("# search\n\n## show\n\n## show\n"), checks: .document(findDuplicateEvents))

    package static let duplicateColumn = Rule(
        "duplicate-column", .always, "a column is defined once in an event",
        valid: .columns("| recipe_id | int64 |"), invalid: .columns("| recipe_id | int64 |", "| recipe_id | int64 |"),
        checks: .document(findDuplicateColumns))

    package static let duplicateType = Rule(
        "duplicate-type", .always, "a type is defined once",
        valid: .types("## RecipeID: int64"), invalid: .types("## RecipeID: int64\n\n## RecipeID: int64"),
        checks: .run(findDuplicateTypes))

    package static let confusable = Rule(
        "confusable", .warning, "names and values differ in more than case, normalisation, or full and half width",
        valid: .columns("| size | enum(A4, A5) |"), invalid: .columns("| size | enum(A4, Ａ4) |"),
        checks: .document(findConfusableValues), .run(findConfusableTypes))

    package static let reservedColumn = Rule(
        "reserved-column", .always, "no column has the name of a field of records or of their stores",
        valid: .columns("| recipe_id | int64 |"), invalid: .columns("| id | int64 |"),
        checks: .document(findReservedColumns))

    package static let shadowedColumn = Rule(
        "shadowed-column", .always, "no event's column has the name of a common column",
        valid: common + .columns("| recipe_id | int64 |"), invalid: common + .columns("| user_id | int64 |"),
        checks: .run(findShadowedColumns))

    private static let common = Example.file(
        "common.md", "# common\n\n| column | type |\n| --- | --- |\n| user_id | int64 |\n")

    package static let columnType = Rule(
        "column-type", .error, "one column name has one type in all events",
        valid: twoEvents("int?"), invalid: twoEvents("string"), checks: .run(findOtherColumnTypes))

    private static func twoEvents(_ type: String) -> Example {
        .search(
            "# search\n\n## show\n\n| column | type |\n| --- | --- |\n| position | int |\n\n"
                + "## hide\n\n| column | type |\n| --- | --- |\n| position | \(type) |\n")
    }
}

// MARK: Duplicates

private func findDuplicateCategories(in run: ResolvedRun, _ findings: inout Findings) {
    let categories = run.definitions.categories.filter { Name.isIdentifier($0.name) }
    findings.reportRepeated(
        "category", count: categories.count, name: { categories[$0].name }, place: { categories[$0].place },
        help: "rename one of them, or move the events into one file")
}

private func findDuplicateEvents(in document: Document, _ findings: inout Findings) {
    let events = document.events
    findings.reportRepeated(
        "event", count: events.count, name: { events[$0].name }, place: { events[$0].place },
        isRetired: { events[$0].status == .retired },
        help: "rename or delete one of them; in a table of events, an empty cell continues the event above")
}

private func findDuplicateColumns(in document: Document, _ findings: inout Findings) {
    document.forEachColumns { columns in
        findings.reportRepeated(
            "column", count: columns.count, name: { columns[$0].name }, place: { columns[$0].place },
            isRetired: { columns[$0].status == .retired }, help: "rename or delete one of them")
    }
}

private func findDuplicateTypes(in run: ResolvedRun, _ findings: inout Findings) {
    let types = run.definitions.types
    findings.reportRepeated(
        "type", count: types.count, name: { types[$0].name }, place: { types[$0].place },
        help: "rename or delete one of them")
}

extension Findings {
    fileprivate mutating func reportRepeated(
        _ what: String, count: Int, name: (Int) -> String, place: (Int) -> Place,
        isRetired: (Int) -> Bool = { _ in false }, help: String
    ) {
        var seen: [String: Int] = [:]
        for later in 0..<count {
            guard let first = seen[name(later)] else {
                seen[name(later)] = later
                continue
            }
            if isRetired(first) == isRetired(later) {
                report(
                    "the \(what) `\(name(later))` is defined twice", at: place(later),
                    .note("the first one is here", at: place(first)), .help(help))
            } else {
                report(
                    "the \(what) `\(name(later))` is retired, and its name stays reserved", at: place(later),
                    .note(isRetired(first) ? "it is retired here" : "it is defined here", at: place(first)),
                    .help("choose a new name"))
            }
        }
    }
}

// MARK: Confusable names

private func findConfusableValues(in document: Document, _ findings: inout Findings) {
    for values in document.valueLists {
        // The rule `derived-name` reports values with the same Swift name.
        Confusable.find(among: values, what: "values", except: SwiftNames.areOne) {
            findings.report($0, at: $1, notes: $2)
        }
    }
}

private func findConfusableTypes(in run: ResolvedRun, _ findings: inout Findings) {
    var folded: [String: NamedType] = [:]
    for type in run.definitions.distinctTypes {
        guard let first = folded.updateValue(type, forKey: type.name.lowercased()) else { continue }
        findings.report(
            "the types `\(first.name)` and `\(type.name)` differ only in upper and lower case", at: type.place,
            .note("`\(first.name)` is here", at: first.place),
            .help("use one of them, or choose names that look different"))
    }
}

// MARK: Columns

/// The names that columns cannot have: those of the envelope's members, and those of fields that stores of records add.
package enum ReservedColumns {
    package static let names = RecordEnvelope.names.union(["log_id", "id"])
}

private func findReservedColumns(in document: Document, _ findings: inout Findings) {
    document.forEachColumns { columns in
        for index in columns.indices where ReservedColumns.names.contains(columns[index].name) {
            let column = columns[index]
            let owner = RecordEnvelope.names.contains(column.name) ? "records have" : "stores of records add"
            findings.report(
                "`\(column.name)` is reserved: \(owner) a field with this name", at: column.place,
                .chooseAnother("target_\(column.name)", replaces: true))
        }
    }
}

private func findShadowedColumns(in run: ResolvedRun, _ findings: inout Findings) {
    let common = run.definitions.common?.columns ?? []
    let places = Dictionary(common.map { ($0.name, $0.place) }, uniquingKeysWith: { first, _ in first })
    run.definitions.forEachColumns { columns, areCommon in
        guard !areCommon else { return }
        for index in columns.indices {
            guard let shadowed = places[columns[index].name] else { continue }
            let column = columns[index]
            findings.report(
                "`\(column.name)` is a common column, which every event already has", at: column.place,
                .note("the common column is here", at: shadowed), .help("remove it here, or choose another name"))
        }
    }
}

extension Definitions {
    /// Advice to write another type into a column's cell, with the cell's `?`.
    func writing(_ type: LogValueType, insteadOf place: Place) -> Diagnostic.Note {
        .write("\(type)\(files[place.file].source.string(place.range).hasSuffix("?") ? "?" : "")")
    }
}

/// Returns whether two types are the same. Named types are compared by name, because a name has one meaning in a run.
func isSame(_ left: LogValueType, _ right: LogValueType) -> Bool {
    if case .named(let left) = left, case .named(let right) = right { return left.name.isExactly(right.name) }
    return left == right
}

private func findOtherColumnTypes(in run: ResolvedRun, _ findings: inout Findings) {
    var first: [String: (type: LogValueType, place: Place)] = [:]
    run.definitions.forEachColumns { columns, areCommon in
        guard !areCommon else { return }
        for index in columns.indices {
            let type = columns[index].type
            // An undefined type is reported once, by another rule.
            if !run.unknownTypes.isEmpty, let name = type.typeName, run.unknownTypes.contains(name) { continue }
            guard let known = first[columns[index].name] else {
                first[columns[index].name] = (type, columns[index].typePlace)
                continue
            }
            let column = columns[index]
            // A second column of this name in the event is reported as such.
            guard !isSame(known.type, type), !columns[..<index].contains(where: { $0.name == column.name }) else {
                continue
            }
            findings.report(
                "`\(column.name)` has another type in another event: a column name has one type in all events",
                at: column.typePlace, .note("the other type is here", at: known.place),
                run.definitions.writing(known.type, insteadOf: column.typePlace))
        }
    }
}
