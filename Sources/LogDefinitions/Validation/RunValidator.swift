/// What can be checked only across files: names unique in a run, types resolved, one type per column name.
struct RunValidator {
    let files: [SourceFile]
    let options: AnalysisOptions
    var diagnostics: [Diagnostic] = []
    /// Names of types that nothing defines, reported where they stand.
    private var unknownTypes: Set<String> = []

    init(files: [SourceFile], options: AnalysisOptions) {
        self.files = files
        self.options = options
    }

    mutating func validate(_ parsed: [ParsedFile]) async -> Definitions {
        var definitions = Definitions(files: files)
        for (file, result) in parsed.enumerated() {
            switch result.content {
            case .category(let category): definitions.categories.append(category)
            case .common(let common):
                if let first = definitions.common {
                    reportSecond("common.md", file, first.file)
                } else {
                    definitions.common = common
                }
            case .types(let types):
                if let first = definitions.typesFile {
                    reportSecond("types.md", file, first)
                } else {
                    definitions.typesFile = file
                    definitions.types = types
                }
            case .nothing: break
            }
        }
        checkTypes(definitions.types)
        // Without its `types.md` a run cannot say which names are unknown; that file's own errors stand.
        if !parsed.indices.contains(where: { files[$0].kind == .types && parsed[$0].content.isNothing }) {
            resolveTypes(
                in: &definitions, appTypes: parsed.map(\.appTypes), brokenTypes: parsed.reduce(into: []) { $0.formUnion($1.brokenTypes) })
        }
        let resolved = definitions
        let validator = self
        let found = await inParallel(sizes: [Int](repeating: 1 << 16, count: Self.checks.count)) { index in
            var copy = validator
            copy.diagnostics = []
            Self.checks[index](&copy, resolved)
            return copy.diagnostics
        }
        diagnostics += found.flatMap { $0 }
        definitions.categories.sort { $0.name.utf8.lexicographicallyPrecedes($1.name.utf8) }
        definitions.types.sort { $0.name.utf8.lexicographicallyPrecedes($1.name.utf8) }
        return definitions
    }

    /// What can be checked at once, as nothing changes the definitions any more.
    private static let checks: [@Sendable (inout RunValidator, Definitions) -> Void] = [
        { $0.checkCategories($1) },
        { $0.checkShadowing($1) },
        { $0.checkLogValueTypes($1) },
        { $0.checkExpiry($1) },
        { $0.checkExamples($1) },
    ]

    private mutating func report(_ rule: Rule, _ message: String, at place: Place, notes: [Diagnostic.Note] = []) {
        diagnostics.append(Diagnostic(rule, message, at: place, notes: notes))
    }

    private mutating func reportSecond(_ name: String, _ file: Int, _ first: Int) {
        report(
            .duplicateCategory, "a second `\(name)`: a run has one", at: Place(file: file, range: 0..<0),
            notes: [.note("the first one is `\(files[first].path)`", at: Place(file: first, range: 0..<0))])
    }

    // MARK: Types

    private mutating func checkTypes(_ types: [NamedType]) {
        var seen: [String: NamedType] = [:]
        var folded: [String: NamedType] = [:]
        for type in types {
            if let first = seen[type.name] {
                report(
                    .duplicateType, "the type `\(type.name)` is defined twice", at: type.place,
                    notes: [.note("the first one is here", at: first.place)])
                continue
            }
            seen[type.name] = type
            if let first = folded.updateValue(type, forKey: type.name.lowercased()) {
                report(
                    .confusable, "the types `\(first.name)` and `\(type.name)` differ only in upper and lower case", at: type.place,
                    notes: [.note("`\(first.name)` is here", at: first.place), .help("use one of them, or choose names that differ to the eye")])
            }
            if type.swift == nil, SwiftNames.reservedTypeNames.contains(type.name) {
                report(
                    .derivedName, "`\(type.name)` is a type that generated code or the runtime has already", at: type.place,
                    notes: [.help("choose another name, such as `\(type.name)Kind`")])
            } else if type.swift == nil, SwiftNames.contextualTypeNames.contains(type.name) {
                report(
                    .derivedName, "`\(type.name)` is a word of Swift that cannot name a type", at: type.place,
                    notes: [.help("begin it with a capital letter, and say what it is: `\(SwiftNames.typeName(type.name))Kind`")])
            }
        }
    }

    private static let maximumComparisons = 100_000

    private mutating func resolveTypes(in definitions: inout Definitions, appTypes: [Set<String>], brokenTypes: Set<String>) {
        let known = Set(definitions.types.map(\.name)).union(brokenTypes)
        var unknown: [String: [Place]] = [:]
        func collect(_ columns: [Column]) {
            for index in columns.indices {
                guard let name = columns[index].type.typeName, !known.contains(name) else { continue }
                unknown[name, default: []].append(columns[index].typePlace)
            }
        }
        if let common = definitions.common { collect(common.columns) }
        for category in definitions.categories {
            for event in category.events { collect(event.columns) }
        }
        let candidates = known.sorted() + TypeNotation.builtInNames
        // Thousands of mistakes among thousands of types are no typing errors, and comparing all with all is quadratic.
        var suggestions = Self.maximumComparisons / candidates.count
        var unfounded: [(name: String, places: [Place])] = []
        for (name, places) in unknown.sorted(by: { $0.key < $1.key }) {
            // In the list form an undefined name is the app's own type.
            if let place = places.first(where: { appTypes[$0.file].contains(name) }) {
                report(
                    .appType, "`\(name)` is not defined and stands for the app's own Swift type of that name", at: place,
                    notes: [.help("declare it in `types.md`; `loggen format` does")])
                definitions.types.append(
                    NamedType(name: name, kind: .external, swift: name, description: "", place: place, isDeclared: false))
                continue
            }
            suggestions -= 1
            let nearest = suggestions >= 0 ? nearestSpelling(of: name, among: candidates) : nil
            let help =
                nearest.map { "did you mean `\($0)`?" }
                ?? "declare it in `types.md`: `## \(name)` over a table of values, or `## \(name): int64`"
            unknownTypes.insert(name)
            if nearest == nil, definitions.typesFile == nil {
                unfounded.append((name, places))
                continue
            }
            for place in places { report(.unknownType, "the type `\(name)` is not defined", at: place, notes: [.help(help)]) }
        }
        reportMissingTypes(unfounded)
    }

    /// Without any `types.md` it is one mistake, however many columns use types.
    private mutating func reportMissingTypes(_ unfounded: [(name: String, places: [Place])]) {
        let places = unfounded.flatMap(\.places).sorted { ($0.file, $0.range.lowerBound) < ($1.file, $1.range.lowerBound) }
        guard let first = places.first, let name = unfounded.first(where: { $0.places.contains(first) })?.name else { return }
        let others = unfounded.map(\.name).filter { $0 != name }
        let also =
            others.isEmpty
            ? ""
            : ", nor \(others.count == 1 ? "is" : "are") " + others.prefix(3).map { "`\($0)`" }.joined(separator: ", ")
                + (others.count > 3 ? " and \(others.count - 3) more" : "")
        var notes = places.dropFirst().prefix(4).map { Diagnostic.Note.note("it is used here, too", at: $0) }
        if others.count > 0 { notes = places.dropFirst().prefix(4).map { .note("another use is here", at: $0) } }
        notes.append(
            .help("write a file `types.md` with `# types`, and `## \(name)` over a table of values, or `## \(name): int64`"))
        report(
            .unknownType,
            "the type `\(name)` is not defined\(also): there is no `types.md`"
                + (places.count > 1 ? " (\(places.count) columns)" : ""), at: first, notes: notes)
    }

    // MARK: Examples

    private mutating func checkExamples(_ definitions: Definitions) {
        func look(_ columns: [Column]) {
            for index in columns.indices where columns[index].example != nil && columns[index].status != .retired {
                let column = columns[index]
                guard let place = column.examplePlace, let example = column.example, let problem = column.exampleProblem else { continue }
                report(
                    .exampleValue, "the example `\(example)` is no value of `\(column.name)`: \(problem.message)", at: place,
                    notes: [.note("its type is here", at: column.typePlace), .help(problem.help)])
            }
        }
        if let common = definitions.common { look(common.columns) }
        for category in definitions.categories {
            for event in category.events { look(event.columns) }
        }
    }

    // MARK: Names

    private mutating func checkCategories(_ definitions: Definitions) {
        var names: [String: Place] = [:]
        var derived: [ExactText: (what: String, place: Place)] = [:]
        var fileNames: [String: (what: String, place: Place)] = [:]
        if let common = definitions.common { fileNames["commoncolumns"] = ("`common.md`", Place(file: common.file, range: 0..<0)) }
        if let types = definitions.typesFile { fileNames["types"] = ("`types.md`", Place(file: types, range: 0..<0)) }
        for type in definitions.types where type.swift == nil { derived[ExactText(type.name)] = ("the type `\(type.name)`", type.place) }
        for type in definitions.types {
            // Of `Kitchen.RecipeID`, a type named `Kitchen` would hide the module.
            guard let swift = type.swift, let outermost = swift.split(separator: ".").first.map(String.init) else { continue }
            derived[ExactText(outermost)] = derived[ExactText(outermost)] ?? ("the app's own `\(outermost)`", type.place)
        }
        for category in definitions.categories where Name.isIdentifier(category.name) {
            if let first = names[category.name] {
                report(
                    .duplicateCategory, "the category `\(category.name)` is defined twice", at: category.place,
                    notes: [.note("the first one is here", at: first)])
                continue
            }
            names[category.name] = category.place
            if SwiftNames.reservedCategoryNames.contains(category.name) {
                // Where the file's own name is at fault, that has been said.
                guard files[category.file].stem == category.name || severity(of: .fileName) != .error else { continue }
                let message =
                    category.name == "envelope"
                    ? "the category `envelope` would take the place of `envelope.schema.json`, the schema of all records"
                    : "a category cannot be called `\(category.name)`: `\(category.name).md` is another kind of document"
                report(.derivedName, message, at: category.place, notes: [.help("choose another name, such as `\(category.name)_log`")])
                continue
            }
            let swift = SwiftNames.typeName(category.name)
            if let other = derived[ExactText(swift)] {
                report(
                    .derivedName, "the category `\(category.name)` and \(other.what) both become `\(swift)` in code", at: category.place,
                    notes: [.note("\(other.what) is here", at: other.place)])
                continue
            }
            derived[ExactText(swift)] = ("the category `\(category.name)`", category.place)
            if SwiftNames.reservedTypeNames.contains(swift) {
                report(
                    .derivedName, "the category `\(category.name)` becomes the type `\(swift)`, which generated code or the runtime has already",
                    at: category.place, notes: [.help("choose another name, such as `\(SwiftNames.free(category.name))`")])
                continue
            }
            // The name of the Swift file comes from the document's, as the build plugin knows names alone.
            let file = SwiftNames.fileName(ofStem: files[category.file].stem)
            if let other = fileNames[file.lowercased()] {
                report(
                    .derivedName, "the Swift files of `\(category.name)` and \(other.what) have one name, upper and lower case aside",
                    at: category.place,
                    notes: [
                        .note("\(other.what) is here", at: other.place), .help("choose another name, such as `\(SwiftNames.free(category.name))`"),
                    ])
            } else if Self.ownFileNames.contains(file.lowercased()) {
                report(
                    .derivedName, "the Swift file of `\(category.name)` would be `\(file).swift`, which is the file of another kind of document",
                    at: category.place, notes: [.help("choose another name, such as `\(SwiftNames.free(category.name))`")])
            }
            fileNames[file.lowercased()] = ("`\(category.name)`", category.place)
        }
        checkNestedTypes(definitions, derived: derived)
    }

    /// The Swift files of `common.md` and `types.md`, in lower case: some file systems do not tell cases apart.
    private static let ownFileNames: Set<String> = ["commoncolumns", "types"]

    private func severity(of rule: Rule) -> Diagnostic.Severity? {
        guard let severity = options.severities[rule] else { return rule.defaultSeverity }
        return severity
    }

    /// Enumerations written in columns are nested types: none may hide a type of the whole module.
    private mutating func checkNestedTypes(_ definitions: Definitions, derived: [ExactText: (what: String, place: Place)]) {
        var checked: Set<String> = []
        func check(_ columns: [Column]) {
            for index in columns.indices where columns[index].type.isEnumeration && columns[index].status != .retired {
                guard checked.insert(columns[index].name).inserted else { continue }
                let name = SwiftNames.typeName(columns[index].name)
                guard let other = derived[ExactText(name)] else { continue }
                report(
                    .derivedName, "the values of `\(columns[index].name)` and \(other.what) both become a type `\(name)`",
                    at: columns[index].place,
                    notes: [.note("\(other.what) is here", at: other.place), .help("use a type from `types.md`, or rename the column")])
            }
        }
        if let common = definitions.common { check(common.columns) }
        for category in definitions.categories {
            for event in category.events { check(event.columns) }
        }
    }

    private mutating func checkShadowing(_ definitions: Definitions) {
        guard let common = definitions.common, !common.columns.isEmpty else { return }
        let columns = Dictionary(common.columns.map { ($0.name, $0) }, uniquingKeysWith: { first, _ in first })
        for category in definitions.categories {
            for event in category.events {
                // By index: a column is a large value, and copying each would cost more than looking it up.
                for index in event.columns.indices {
                    guard let shadowed = columns[event.columns[index].name] else { continue }
                    let column = event.columns[index]
                    report(
                        .shadowedColumn, "`\(column.name)` is a common column, which every event has already", at: column.place,
                        notes: [.note("the common column is here", at: shadowed.place), .help("remove it here, or choose another name")])
                }
            }
        }
    }

    // MARK: Column types

    private mutating func checkLogValueTypes(_ definitions: Definitions) {
        var first: [String: (type: LogValueType, place: Place)] = [:]
        for category in definitions.categories {
            for event in category.events {
                for index in event.columns.indices {
                    let type = event.columns[index].type
                    if !unknownTypes.isEmpty, let name = type.typeName, unknownTypes.contains(name) { continue }
                    guard let known = first[event.columns[index].name] else {
                        first[event.columns[index].name] = (type, event.columns[index].typePlace)
                        continue
                    }
                    guard known.type != type else { continue }
                    let column = event.columns[index]
                    report(
                        .columnType, "`\(column.name)` has another type elsewhere: one column name has one type in all events",
                        at: column.typePlace, notes: [.note("the other type is here", at: known.place)])
                }
            }
        }
    }

    private mutating func checkExpiry(_ definitions: Definitions) {
        guard let today = options.today else { return }
        var reported: Set<Place> = []
        for event in definitions.categories.lazy.flatMap(\.events) where event.status != .retired {
            guard let expires = event.details.expires, expires.value < today, reported.insert(expires.place).inserted else { continue }
            report(
                .expired, "expired on \(expires.value)", at: expires.place,
                notes: [.help("retire what nobody needs with `## ~~\(event.name)~~`, or move the date")])
        }
    }
}
