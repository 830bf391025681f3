/// The rule of the Swift output: derived names are distinct and hide nothing.
///
/// A violation is an error in every run, even without the Swift output. A project may add that output later, when apps
/// already send the names and they can no longer change.
extension Rule {
    package static let derivedName = Rule(
        "derived-name", .always, "names stay distinct when they become Swift names",
        valid: .plain, invalid: .search("# search\n\n## show_all\n\n## show__all\n"),
        checks: .document(findClashesInDocument), .run(findClashesOfTypes), .run(findClashesOfTopLevelTypesAndFiles))

    package static let frameworkName = Rule(
        "framework-name", .warning, "no type or category has the name of a type of Swift, Foundation or SwiftUI",
        valid: .types("## RecipeOrder\n\n| value |\n| --- |\n| newest |\n| popular |"),
        invalid: .types("## SortOrder\n\n| value |\n| --- |\n| newest |\n| popular |"),
        checks: .run(findFrameworkNames))
}

extension SwiftNames {
    /// Returns whether two values of an enumeration have the same case name, or are equal strings in Swift.
    static func areOne(_ left: String, _ right: String) -> Bool {
        left == right
            || caseName(forValue: left).map { ExactString($0) } == caseName(forValue: right).map { ExactString($0) }
    }
}

// MARK: Within a document

private func findClashesInDocument(_ document: Document, _ findings: inout Findings) {
    let events = document.events
    findOneName(count: events.count, name: { events[$0].name }, place: { events[$0].place }, &findings)
    for index in events.indices
    where SwiftNames.categoryMemberNames.contains(SwiftNames.memberName(events[index].name)) {
        findings.report(
            "the event `\(events[index].name)` would hide a member of the generated category type",
            at: events[index].place, .chooseAnother("show_\(events[index].name)"))
    }
    document.forEachColumns { columns in
        // Code has no retired columns.
        let active = columns.indices.filter { columns[$0].status != .retired }
        findOneName(
            count: active.count, name: { columns[active[$0]].name }, place: { columns[active[$0]].place }, &findings)
    }
    findClashesOfNestedTypes(document.enumerations.filter { $0.status != .retired }, &findings)
    for values in document.valueLists { findClashesOfCases(values, &findings) }
}

private func findOneName(count: Int, name: (Int) -> String, place: (Int) -> Place, _ findings: inout Findings) {
    var derived: [String: Int] = [:]
    for later in 0..<count {
        let member = SwiftNames.memberName(name(later))
        guard let first = derived.updateValue(later, forKey: member), name(first) != name(later) else { continue }
        findings.report(
            "`\(name(later))` and `\(name(first))` both become `\(member)` in code", at: place(later),
            .note("`\(name(first))` is here", at: place(first)), .help("rename one of them"))
    }
}

/// Reports clashes of inline enumerations: their types are nested in the category's type and named by their columns.
private func findClashesOfNestedTypes(_ columns: [Column], _ findings: inout Findings) {
    var seen: [String: Column] = [:]
    for column in columns {
        let name = SwiftNames.typeName(column.name)
        if let first = seen[name] {
            // Another column of the same name has the same type, or `column-type` reports it.
            guard first.name != column.name || first.type.element != column.type.element else { continue }
            findings.report(
                "the values of `\(column.name)` and `\(first.name)` both become a type `\(name)`", at: column.place,
                .note("`\(first.name)` is here", at: first.place), .help("declare the enumeration in `types.md`"))
            continue
        }
        seen[name] = column
        if SwiftNames.reservedNestedTypeNames.contains(name) {
            findings.report(
                "the values of `\(column.name)` become a type `\(name)`, which generated code or the runtime already has",
                at: column.place,
                .help("declare the enumeration in `types.md` under another name, or rename the column"))
        } else if SwiftNames.metatypeNames.contains(name) {
            findings.report(
                "the values of `\(column.name)` become a type `\(name)`, which Swift reads as a metatype inside "
                    + "another type", at: column.place,
                .help("declare the enumeration in `types.md` under another name, or rename the column"))
        }
    }
}

private func findClashesOfCases(_ values: [Confusable.SourceString], _ findings: inout Findings) {
    Confusable.forEachPair(among: values) { first, later, difference in
        guard first.text == later.text else { return }
        findings.report(
            "the values `\(first.text)` and `\(later.text)` differ only \(difference), and Swift strings treat them "
                + "as equal",
            at: later.place,
            notes: Confusable.notes(on: first))
    }
    var seen: [ExactString: Confusable.SourceString] = [:]
    for entry in values {
        guard let name = SwiftNames.caseName(forValue: entry.text) else { continue }
        if let first = seen[ExactString(name)], !first.text.isExactly(entry.text) {
            findings.report(
                "the values `\(entry.text)` and `\(first.text)` both become `\(name)` in code", at: entry.place,
                .note("`\(first.text)` is here", at: first.place), .help("change one of the values"))
        } else if SwiftNames.protocolMemberNames.contains(name) {
            findings.report(
                "the value `\(entry.text)` becomes `\(name)`, which the generated type already has", at: entry.place,
                .help("choose another value"))
        }
        seen[ExactString(name)] = seen[ExactString(name)] ?? entry
    }
}

// MARK: Across a run

private func findClashesOfTypes(in run: ResolvedRun, _ findings: inout Findings) {
    for type in run.definitions.distinctTypes where type.swift == nil {
        if SwiftNames.reservedTypeNames.contains(type.name) {
            findings.report(
                "`\(type.name)` is a type that generated code or the runtime already has", at: type.place,
                .chooseAnother("\(type.name)Kind"))
        } else if SwiftNames.contextualTypeNames.contains(type.name) {
            findings.report(
                "`\(type.name)` is a Swift keyword that cannot be the name of a type", at: type.place,
                .help("choose a name with a capital letter, such as `\(SwiftNames.typeName(type.name))Kind`"))
        }
    }
}

private func findFrameworkNames(in run: ResolvedRun, _ findings: inout Findings) {
    func report(_ message: String, _ name: String, at place: Place, instead: String) {
        // The rule `derived-name` reports clashes with types of generated code and of the runtime.
        guard SwiftNames.frameworkTypeNames.contains(name), !SwiftNames.reservedTypeNames.contains(name) else { return }
        findings.report(
            "\(message) Swift, Foundation or SwiftUI: an app that imports both has to write the module's name",
            at: place, .chooseAnother(instead))
    }
    for type in run.definitions.distinctTypes where type.swift == nil {
        report("`\(type.name)` is also a type of", type.name, at: type.place, instead: "\(type.name)Kind")
    }
    for category in run.definitions.categories {
        let name = SwiftNames.typeName(category.name)
        report(
            "the category `\(category.name)` becomes `\(name)`, which is also a type of", name, at: category.place,
            instead: SwiftNames.free(category.name))
    }
}

private func findClashesOfTopLevelTypesAndFiles(in run: ResolvedRun, _ findings: inout Findings) {
    let definitions = run.definitions
    var names: Set<String> = []
    var derived: [ExactString: (what: String, place: Place)] = [:]
    var fileNames: [String: (what: String, place: Place)] = [:]
    if let common = definitions.common {
        fileNames["commoncolumns"] = ("`common.md`", Place(file: common.file, range: 0..<0))
    }
    if let types = definitions.typesFile { fileNames["types"] = ("`types.md`", Place(file: types, range: 0..<0)) }
    for type in definitions.types where type.swift == nil {
        derived[ExactString(type.name)] = ("the type `\(type.name)`", type.place)
    }
    for type in definitions.types {
        // For `Kitchen.RecipeID`, a type named `Kitchen` would hide the module.
        guard let swift = type.swift, let outermost = swift.split(separator: ".").first.map(String.init) else {
            continue
        }
        derived[ExactString(outermost)] =
            derived[ExactString(outermost)] ?? ("the app's own `\(outermost)`", type.place)
    }
    // A duplicate category is reported once, by another rule.
    for category in definitions.categories
    where Name.isIdentifier(category.name) && names.insert(category.name).inserted {
        let stem = definitions.files[category.file].stem
        if SwiftNames.reservedCategoryNames.contains(category.name) {
            // An invalid file name has its own diagnostic.
            guard stem == category.name || findings.options.severity(of: .fileName) != .error else { continue }
            let message =
                category.name == "envelope"
                ? "the category `envelope` would overwrite `envelope.schema.json`, the schema of all records"
                : "a category cannot be called `\(category.name)`: `\(category.name).md` does not define a category"
            findings.report(message, at: category.place, .chooseAnother("\(category.name)_log"))
            continue
        }
        func report(_ message: String, clashingWith other: (what: String, place: Place)? = nil) {
            findings.report(
                message, at: category.place, other.map { .note("\($0.what) is here", at: $0.place) },
                .chooseAnother(SwiftNames.free(category.name)))
        }
        let swift = SwiftNames.typeName(category.name)
        if let other = derived[ExactString(swift)] {
            report(
                "the category `\(category.name)` and \(other.what) both become `\(swift)` in code", clashingWith: other)
            continue
        }
        derived[ExactString(swift)] = ("the category `\(category.name)`", category.place)
        if SwiftNames.reservedTypeNames.contains(swift) {
            report(
                "the category `\(category.name)` becomes the type `\(swift)`, which generated code or the runtime already has"
            )
            continue
        }
        // The name of the Swift file is derived from the name of the definition file, because the build plugin does not
        // read contents. Nearly always, the category and its definition file have the same name.
        let file = stem == category.name ? swift : SwiftNames.fileName(ofStem: stem)
        if let other = fileNames[file.lowercased()] {
            report(
                "the Swift files of `\(category.name)` and \(other.what) have the same name, apart from upper and lower case",
                clashingWith: other)
        } else if ownFileNames.contains(file.lowercased()) {
            report(
                "the Swift file of `\(category.name)` would be `\(file).swift`, the name of the file for `common.md` "
                    + "or `types.md`")
        }
        fileNames[file.lowercased()] = ("`\(category.name)`", category.place)
    }
    // Inline enumerations are nested types, which must not hide a type of the module.
    var checked: Set<String> = []
    definitions.forEachColumns { columns, _ in
        for index in columns.indices where columns[index].type.isEnumeration && columns[index].status != .retired {
            guard checked.insert(columns[index].name).inserted else { continue }
            let name = SwiftNames.typeName(columns[index].name)
            guard let other = derived[ExactString(name)] else { continue }
            findings.report(
                "the values of `\(columns[index].name)` and \(other.what) both become a type `\(name)`",
                at: columns[index].place, .note("\(other.what) is here", at: other.place),
                .help("use a type from `types.md`, or rename the column"))
        }
    }
}

/// The names of Swift files without a category, in lower case, because some file systems ignore case.
private let ownFileNames: Set<String> = ["commoncolumns", "types"]
