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
        if !parsed.indices.contains(where: { files[$0].stem == "types" && parsed[$0].content.isNothing }) {
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
        { $0.checkColumnTypes($1) },
        { $0.checkExpiry($1) },
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
        for type in types {
            if let first = seen[type.name] {
                report(
                    .duplicateType, "the type `\(type.name)` is defined twice", at: type.place,
                    notes: [.note("the first one is here", at: first.place)])
                continue
            }
            seen[type.name] = type
            if type.swift == nil, SwiftNames.reservedTypeNames.contains(type.name) {
                report(
                    .derivedName, "`\(type.name)` is a type that generated code uses already", at: type.place,
                    notes: [.help("choose another name")])
            }
        }
    }

    private static let maximumComparisons = 100_000

    private mutating func resolveTypes(in definitions: inout Definitions, appTypes: [Set<String>], brokenTypes: Set<String>) {
        let known = Set(definitions.types.map(\.name)).union(brokenTypes)
        var unknown: [String: [Place]] = [:]
        func collect(_ columns: [Column]) {
            for index in columns.indices {
                guard let name = columns[index].type.namedType, !known.contains(name) else { continue }
                unknown[name, default: []].append(columns[index].typePlace)
            }
        }
        if let common = definitions.common { collect(common.columns) }
        for category in definitions.categories {
            for event in category.events { collect(event.columns) }
        }
        let candidates = known.sorted() + TypeSyntax.builtInNames
        // Thousands of mistakes among thousands of types are no typing errors, and comparing all with all is quadratic.
        var suggestions = Self.maximumComparisons / candidates.count
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
            let help = nearest.map { "did you mean `\($0)`?" } ?? "declare it in `types.md`, as `## \(name)`"
            unknownTypes.insert(name)
            for place in places { report(.unknownType, "the type `\(name)` is not defined", at: place, notes: [.help(help)]) }
        }
    }

    // MARK: Names

    private mutating func checkCategories(_ definitions: Definitions) {
        var names: [String: Place] = [:]
        var derived: [String: (what: String, place: Place)] = [:]
        var fileNames: [String: (name: String, place: Place)] = [:]
        for type in definitions.types where type.swift == nil { derived[type.name] = ("the type `\(type.name)`", type.place) }
        for type in definitions.types {
            // Of `Kitchen.RecipeID`, a type named `Kitchen` would hide the module.
            guard let swift = type.swift, let outermost = swift.split(separator: ".").first.map(String.init) else { continue }
            derived[outermost] = derived[outermost] ?? ("the app's own `\(outermost)`", type.place)
        }
        for category in definitions.categories where Name.isIdentifier(category.name) {
            if let first = names[category.name] {
                report(
                    .duplicateCategory, "the category `\(category.name)` is defined twice", at: category.place,
                    notes: [.note("the first one is here", at: first)])
                continue
            }
            names[category.name] = category.place
            if category.name == "envelope" {
                report(
                    .derivedName, "the category `envelope` would take the place of `envelope.schema.json`, the schema of all records",
                    at: category.place, notes: [.help("choose another name")])
                continue
            }
            let swift = SwiftNames.typeName(category.name)
            if let other = derived[swift] {
                report(
                    .derivedName, "the category `\(category.name)` and \(other.what) both become `\(swift)` in code", at: category.place,
                    notes: [.note("\(other.what) is here", at: other.place)])
                continue
            }
            derived[swift] = ("the category `\(category.name)`", category.place)
            if SwiftNames.reservedTypeNames.contains(swift) {
                report(
                    .derivedName, "the category `\(category.name)` becomes the type `\(swift)`, which generated code uses already",
                    at: category.place, notes: [.help("choose another name")])
                continue
            }
            if let other = fileNames[swift.lowercased()] {
                report(
                    .derivedName, "the files of `\(category.name)` and `\(other.name)` differ only in upper and lower case", at: category.place,
                    notes: [.note("`\(other.name)` is here", at: other.place)])
            }
            fileNames[swift.lowercased()] = (category.name, category.place)
        }
        checkNestedTypes(definitions, derived: derived)
    }

    /// Enumerations written in columns are nested types: none may hide a type of the whole module.
    private mutating func checkNestedTypes(_ definitions: Definitions, derived: [String: (what: String, place: Place)]) {
        var checked: Set<String> = []
        func check(_ columns: [Column]) {
            for index in columns.indices where columns[index].type.isEnumeration && columns[index].status != .retired {
                guard checked.insert(columns[index].name).inserted else { continue }
                let name = SwiftNames.typeName(columns[index].name)
                guard let other = derived[name] else { continue }
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

    private mutating func checkColumnTypes(_ definitions: Definitions) {
        var first: [String: (type: ColumnType, place: Place)] = [:]
        for category in definitions.categories {
            for event in category.events {
                for index in event.columns.indices {
                    let type = event.columns[index].type
                    if !unknownTypes.isEmpty, let name = type.namedType, unknownTypes.contains(name) { continue }
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
            guard let expires = event.details[.expires], let date = DetailSyntax.date(expires.text), date < today,
                reported.insert(expires.place).inserted
            else { continue }
            report(
                .expired, "expired on \(date)", at: expires.place,
                notes: [.help("retire what nobody needs with `## ~~\(event.name)~~`, or move the date")])
        }
    }
}
