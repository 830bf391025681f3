import LogDefinitions
import MarkdownSyntax

/// An output that is defined by a folder with `output.yml` and templates.
struct TemplateFolderOutput: Output {
    let name: String
    let isMadeUnasked: Bool
    private let manifest: OutputManifest
    private let manifestFile: SourceFile
    private let templates: [TemplateKind: OutputTemplate]
    /// Indicates whether the templates name `identifier`. Other fields cannot clash.
    private let namesIdentifiers: Bool

    var folderName: String { name }
    var options: [OutputOption] {
        manifest.options.map { option in OutputOption(option.key, problem: { option.problem(with: $0) }) }
    }

    /// The output is nil if there are problems. The places of problems contain the indices of the folder's files.
    static func read(_ folder: TemplateFolder, isOurs: Bool) -> (output: TemplateFolderOutput?, problems: [Diagnostic])
    {
        var problems: [Diagnostic] = []
        var manifest: OutputManifest?
        var manifestFile: SourceFile?
        var templates: [TemplateKind: OutputTemplate] = [:]
        // Templates may name options even if `output.yml` has other problems.
        var options: [TemplateOption] = []
        if let index = folder.files.firstIndex(where: { TemplateFolder.name(of: $0) == OutputManifest.fileName }) {
            var reader = OutputManifestReader(folder.files[index], file: index)
            manifest = reader.read()
            manifestFile = folder.files[index]
            options = reader.manifest.options
            problems += reader.settings.diagnostics
        }
        for (index, file) in folder.files.enumerated() {
            let name = TemplateFolder.name(of: file)
            if name == OutputManifest.fileName { continue }
            let stem = String(name.dropLast(TemplateFolder.templateEnding.count))
            guard let kind = TemplateKind(rawValue: stem) else {
                let known = TemplateKind.allCases.map { $0.rawValue + TemplateFolder.templateEnding }
                problems.append(
                    Diagnostic(
                        .template, "an output's folder has no template `\(name)`", at: Place(file: index, range: 0..<0),
                        notes: [.help(didYouMean(name, among: known) ?? choice(of: known))]))
                continue
            }
            let (template, found) = OutputTemplate.read(
                file, index: index, fields: OutputFacts.fields(of: kind, options: options))
            templates[kind] = template
            problems += found
        }
        if problems.isEmpty, templates.isEmpty, let file = folder.files.indices.first {
            problems.append(
                Diagnostic(
                    .template, "the output has no template", at: Place(file: file, range: 0..<0),
                    notes: [
                        .help(
                            "put `category.mustache` next to `\(OutputManifest.fileName)`, or `common`, `types`, `all`, `index`"
                        )
                    ]))
        }
        guard let manifest, let manifestFile, problems.isEmpty else { return (nil, problems) }
        let output = TemplateFolderOutput(
            name: folder.name, isMadeUnasked: !isOurs, manifest: manifest, manifestFile: manifestFile,
            templates: templates,
            namesIdentifiers: folder.files.contains {
                !$0.source.occurrences(of: Array("identifier".utf8), limit: 1).isEmpty
            })
        return (output, [])
    }

    // MARK: Files

    func files(of model: Model, settings: OutputSettings) -> [OutputPart] {
        let context = FactsContext(model, manifest, settings)
        return subjects(of: context.definitions).compactMap { kind, subject, document in
            guard let template = templates[kind] else { return nil }
            let view = OutputFacts(context: context, subject: subject)
            return OutputPart(path: path(kind, view), document: document) {
                let bytes = template.render(view)
                return bytes.isEmpty ? nil : bytes
            }
        }
    }

    private func subjects(of definitions: Definitions) -> [(TemplateKind, OutputFacts.Subject, document: Int?)] {
        var subjects: [(TemplateKind, OutputFacts.Subject, document: Int?)] = definitions.categories.enumerated().map {
            index, category in
            (.category, .category(index), category.file)
        }
        if let common = definitions.common { subjects.append((.common, .common, common.file)) }
        if let file = definitions.typesFile { subjects.append((.types, .types, file)) }
        return subjects + [(.all, .all, nil), (.index, .all, nil)]
    }

    private func path(_ kind: TemplateKind, _ view: OutputFacts) -> String {
        (manifest.paths[kind]?.text(view) ?? kind.rawValue) + "." + manifest.fileExtension
    }

    // MARK: Problems

    /// Returns problems with paths from `file`, types without an entry, and names that become equal in the language.
    func problems(of model: Model, settings: OutputSettings) -> OutputProblems {
        var problems = OutputProblems(files: model.definitions.files + [manifestFile])
        let context = FactsContext(Model(model.definitions), manifest, settings)
        let definitions = context.definitions
        var paths: [String: (path: String, place: Place)] = [:]
        for (kind, subject, document) in subjects(of: definitions) where templates[kind] != nil {
            let path = path(kind, OutputFacts(context: context, subject: subject))
            let inManifest = Place(file: definitions.files.count, range: manifest.pathRange)
            let place =
                switch subject {
                case .category(let index): definitions.categories[index].place
                default: document.map { Place(file: $0, range: 0..<0) } ?? inManifest
                }
            if let problem = FileName.problem(with: path) {
                problems.diagnostics.append(
                    Diagnostic(
                        .template, "the output `\(name)` cannot write `\(path)`: \(problem)", at: inManifest,
                        notes: [
                            .note("it is generated for this", at: place),
                            .help("change `file` in `\(OutputManifest.fileName)` so that the path is valid"),
                        ]))
            } else if let other = paths.updateValue((path, place), forKey: Confusable.folded(path)) {
                problems.diagnostics.append(
                    Diagnostic(
                        .template,
                        other.path.isExactly(path)
                            ? "the output `\(name)` would write `\(path)` twice"
                            : "the output `\(name)` would write `\(path)` and `\(other.path)`, "
                                + "which are the same file if the disk ignores case",
                        at: place,
                        notes: [
                            .note("the other file is generated for this", at: other.place),
                            .help(
                                "make the paths differ with `file` in `\(OutputManifest.fileName)`, or rename one of "
                                    + "the definitions"
                            ),
                        ]))
            }
        }
        problems.diagnostics += unmappedTypes(in: definitions)
        problems.diagnostics += limitViolations(in: context)
        guard namesIdentifiers else { return problems }
        var clashes = NameClashes(
            output: name, identifiers: context.manifest.identifiers, nestsEnumerations: manifest.nestsEnumerations)
        problems.diagnostics += clashes.find(in: definitions)
        return problems
    }

    private func limitViolations(in context: FactsContext) -> [Diagnostic] {
        guard manifest.limits.values != nil || manifest.limits.parameters != nil else { return [] }
        var diagnostics: [Diagnostic] = []
        let elsewhere = manifest.platform == nil ? "" : ", or exclude it from this platform with `platforms`"
        func values(_ type: LogValueType) -> Int {
            if case .array(let list) = type { return values(list.items) }
            return if case .enumeration(let enumeration) = type { enumeration.values.count } else { 0 }
        }
        func check(_ values: Int, of what: @autoclosure () -> String, at place: Place, help: String) {
            guard let most = manifest.limits.values, values > most else { return }
            diagnostics.append(
                Diagnostic(
                    .template, "\(what()) has \(values) values, and the output `\(name)` can write at most \(most)",
                    at: place,
                    notes: [.help(help)]))
        }
        func check(_ columns: [Column], of what: @autoclosure () -> String) {
            for index in columns.indices {
                check(
                    values(columns[index].type), of: "the column `\(columns[index].name)`",
                    at: columns[index].typePlace, help: "make it a `string`" + elsewhere)
            }
            // Each column counts as at most two parameters, plus one parameter per 32 columns.
            guard let most = manifest.limits.parameters, 3 * columns.count > most else { return }
            var types: [String] = []
            var first: Int?
            for index in columns.indices {
                types.append(WrittenType(of: columns[index]).text(context))
                if first == nil, manifest.limits.parameters(types) > most { first = index }
            }
            guard let first else { return }
            let wide =
                manifest.limits.wide.isEmpty
                ? "" : "; " + manifest.limits.wide.map(\.text).sorted().joined(separator: " and ") + " count twice"
            diagnostics.append(
                Diagnostic(
                    .template,
                    "\(what()) would take \(manifest.limits.parameters(types)) parameters in the output `\(name)`, "
                        + "whose language allows \(most)",
                    at: columns[first].place,
                    notes: [
                        .help(
                            "this column exceeds the limit\(wide): split the event in two, or replace some columns "
                                + "with a list"
                                + elsewhere)
                    ]))
        }
        for type in context.definitions.types {
            if case .enumeration(let values) = type.kind {
                check(
                    values.count, of: "the type `\(type.name)`", at: type.place,
                    help: "make its columns a `string`, and remove the type")
            }
        }
        for category in context.definitions.categories {
            for event in category.events where event.status != .retired {
                check(event.activeColumns, of: "the event `\(category.name).\(event.name)`")
            }
        }
        if let common = context.definitions.common {
            check(common.columns.filter { $0.status != .retired }, of: "`common.md`")
        }
        return diagnostics
    }

    private func unmappedTypes(in definitions: Definitions) -> [Diagnostic] {
        let maps = [
            manifest.types.map { (key: "types", kinds: Set($0.entries.keys), range: $0.range) },
            manifest.checks.map { (key: "checks", kinds: Set($0.templates.keys), range: $0.range) },
        ]
        return maps.compactMap { $0 }.flatMap { unmappedTypes(in: definitions, $0.key, $0.kinds, $0.range) }
    }

    private func unmappedTypes(
        in definitions: Definitions, _ key: String, _ kinds: Set<TypeFacts.Kind>, _ range: Range<Int>
    ) -> [Diagnostic] {
        var told = kinds
        guard told.count < TypeFacts.Kind.allCases.count else { return [] }
        var diagnostics: [Diagnostic] = []
        func look(_ type: LogValueType, at place: Place) {
            var facts: TypeFacts? = TypeFacts(type)
            while let current = facts {
                facts = current.items
                guard told.insert(current.kind).inserted else { continue }
                diagnostics.append(
                    Diagnostic(
                        .template, "the output `\(name)` has no template for the type `\(current.type.description)`",
                        at: place,
                        notes: [
                            .note("its `\(key)` are here", at: Place(file: definitions.files.count, range: range)),
                            .help("add a template for the key `\(current.kind.name)` to `\(key)`"),
                        ]))
            }
        }
        for type in definitions.types { if case .scalar(let scalar) = type.kind { look(scalar, at: type.place) } }
        definitions.forEachColumns { columns, _ in
            for index in columns.indices where columns[index].status != .retired {
                look(columns[index].type, at: columns[index].typePlace)
            }
        }
        return diagnostics
    }
}
