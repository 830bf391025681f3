/// Combines the definitions of all files: checks for one `common.md` and one `types.md`, and resolves type names.
struct DefinitionResolver {
    let files: [SourceFile]
    let typesFolder: String?
    var diagnostics: [Diagnostic] = []
    private var unknownTypes: Set<String> = []

    init(files: [SourceFile], typesFolder: String? = nil) {
        self.files = files
        self.typesFolder = typesFolder
    }

    mutating func resolve(_ parsed: [ParsedFile]) -> ResolvedRun {
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
        definitions.typesPath = typesPath(definitions)
        // Without a usable `types.md`, unknown names cannot be determined. Only the errors of that file are reported.
        if !parsed.indices.contains(where: { files[$0].kind == .types && parsed[$0].content.isNothing }) {
            resolveTypes(
                in: &definitions, brokenTypes: parsed.reduce(into: []) { $0.formUnion($1.brokenTypes) })
        }
        return ResolvedRun(definitions: definitions, unknownTypes: unknownTypes)
    }

    private mutating func report(_ rule: Rule, _ message: String, at place: Place, _ notes: Diagnostic.Note?...) {
        diagnostics.append(Diagnostic(rule, message, at: place, notes: notes.compactMap { $0 }))
    }

    private mutating func reportSecond(_ name: String, _ file: Int, _ first: Int) {
        report(
            .duplicateCategory, "a second `\(name)`: a run reads only one", at: Place(file: file, range: 0..<0),
            .note("the first one is `\(files[first].path)`", at: Place(file: first, range: 0..<0)),
            .help("move its content into the first one, and delete it"))
    }

    // MARK: Types

    /// Returns the path of `types.md`. A new file is next to `common.md`, because all modules can import that module.
    private func typesPath(_ definitions: Definitions) -> String {
        if let file = definitions.typesFile { return files[file].path }
        let neighbor = definitions.common.map { (files[$0.file].path, dropped: "common.md".utf8.count) }
        if neighbor == nil, let typesFolder { return typesFolder == "." ? "types.md" : typesFolder + "/types.md" }
        let (path, dropped) = neighbor ?? files.first.map { ($0.path, $0.relativePath.utf8.count) } ?? ("", 0)
        return String(decoding: path.utf8.dropLast(dropped), as: UTF8.self) + "types.md"
    }

    /// The built-in types, without their aliases.
    static let builtIn: String = {
        let others = [
            "string", "int", "int8", "int16", "int32", "int64", "uint8", "uint16", "uint32", "double", "float",
            "bool",
        ]
        let names = others + StringFormat.all.map(\.type.description) + ["enum(a, b)"]
        return names.map { "`\($0)`" }.joined(separator: ", ") + " and lists such as `[string]`"
    }()

    private static let typesByForeignWord: [String: (type: String, remark: String)] = {
        let money = ("decimal(10, 2)", ": 10 digits, 2 of them after the point")
        let share = ("double(0...1)", ", with an example such as `0.5`")
        return ["money": money, "currency": money, "percent": share, "percentage": share, "ratio": share]
    }()

    private static let maximumComparisons = 100_000

    private mutating func resolveTypes(
        in definitions: inout Definitions, brokenTypes: Set<String>
    ) {
        let known = Set(definitions.types.map(\.name)).union(brokenTypes)
        var unknown: [String: [Place]] = [:]
        func collect(_ columns: [Column]) {
            for index in columns.indices {
                guard let name = columns[index].type.typeName, !known.contains(name) else { continue }
                unknown[name, default: []].append(columns[index].typePlace)
            }
        }
        definitions.forEachColumns { columns, _ in collect(columns) }
        let candidates = known.sorted() + TypeNotation.builtInNames
        // Each unknown name is compared with each candidate. Because this takes quadratic time, the number of
        // comparisons is limited. Thousands of unknown names are not typing errors and need no suggestions.
        var suggestions = Self.maximumComparisons / candidates.count
        var unfounded: [(name: String, places: [Place])] = []
        for (name, places) in unknown.sorted(by: { $0.key < $1.key }) {
            suggestions -= 1
            let nearest =
                (suggestions >= 0 ? nearestSpelling(of: name, among: candidates) : nil)
                ?? TypeNotation.correction(of: name)
            let declare = "`## \(name)` above a table of values, or `## \(name): int64`"
            let help: Diagnostic.Note =
                if let nearest {
                    .didYouMean(nearest, insteadOf: name)
                } else if let usual = Self.typesByForeignWord[name.lowercased()] {
                    .help(
                        "write `\(usual.type)`\(usual.remark); or declare it in `\(definitions.typesPath)`: "
                            + "`## \(name): \(usual.type)`")
                } else if name.utf8.contains(where: { (0x41...0x5A).contains($0) }) {
                    .help("declare it in `\(definitions.typesPath)`: \(declare)")
                } else {
                    .help(
                        "the built-in types are \(Self.builtIn); declare other types in `\(definitions.typesPath)`: "
                            + declare)
                }
            unknownTypes.insert(name)
            if nearest == nil, definitions.typesFile == nil, name.utf8.contains(where: { (0x41...0x5A).contains($0) }) {
                unfounded.append((name, places))
                continue
            }
            for place in places { report(.unknownType, "the type `\(name)` is not defined", at: place, help) }
        }
        reportMissingTypesFileOnce(unfounded, path: definitions.typesPath)
    }

    private mutating func reportMissingTypesFileOnce(_ unfounded: [(name: String, places: [Place])], path: String) {
        let places = unfounded.flatMap(\.places).sorted {
            ($0.file, $0.range.lowerBound) < ($1.file, $1.range.lowerBound)
        }
        guard let first = places.first, let name = unfounded.first(where: { $0.places.contains(first) })?.name else {
            return
        }
        let others = unfounded.map(\.name).filter { $0 != name }
        let also =
            others.isEmpty
            ? ""
            : ", nor \(others.count == 1 ? "is" : "are") " + others.prefix(3).map { "`\($0)`" }.joined(separator: ", ")
                + (others.count > 3 ? " and \(others.count - 3) more" : "")
        let use = others.isEmpty ? "it is used here, too" : "another use is here"
        let help =
            "create the file `\(path)` with `# types`, then `## \(name)` above a table of values, or `## "
            + "\(name): int64`"
        let notes = places.dropFirst().prefix(4).map { Diagnostic.Note.note(use, at: $0) } + [.help(help)]
        let message =
            "the type `\(name)` is not defined\(also): there is no `types.md`"
            + (places.count > 1 ? " (\(places.count) columns)" : "")
        diagnostics.append(Diagnostic(.unknownType, message, at: first, notes: notes))
    }
}
