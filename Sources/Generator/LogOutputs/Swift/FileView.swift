import LogDefinitions
import MarkdownSyntax

/// The view of one definition file: a category, the common columns or the types.
struct FileView: TemplateView {
    let model: Model
    let file: Int
    /// The index in `definitions.categories`; nil for another kind of file.
    let category: Int?
    let access: String
    fileprivate let shared: Shared

    fileprivate struct Shared {
        let earlierVersions: [String: [LockFile.LockedShape]]
        let declaredTypeNames: Set<String>
        /// Each category by its current and former names.
        var categoriesByModule: [String?: [String: String]] = [:]

        init(_ model: Model) {
            let definitions = model.definitions
            earlierVersions = definitions.hasFormerNames ? model.earlierVersions() : [:]
            declaredTypeNames = Set(
                definitions.types.map(\.name) + definitions.categories.map { SwiftNames.typeName($0.name) })
            for category in definitions.categories {
                for name in [category.name] + category.formerNames.map(\.name) {
                    categoriesByModule[definitions.files[category.file].module, default: [:]][name] = category.name
                }
            }
        }
    }

    var definitions: Definitions { model.definitions }
    fileprivate var accessModifier: String { access == "internal" ? "" : access + " " }
    fileprivate var formerNames: SwiftFormerNames { SwiftFormerNames(access: accessModifier) }

    static func all(of model: Model, access: String) -> [FileView] {
        let shared = Shared(model)
        let categories = Dictionary(
            model.definitions.categories.enumerated().map { ($1.file, $0) }, uniquingKeysWith: { first, _ in first })
        return model.definitions.files.indices.map {
            FileView(model: model, file: $0, category: categories[$0], access: access, shared: shared)
        }
    }

    static let fields = TemplateFields<FileView>()
        .text("header", "the generated header, which every generated file contains") {
            GeneratedHeader.text(from: $0.definitions.files[$0.file].relativePath)
        }
        .text("file", "the definition file's name without its ending") { $0.definitions.files[$0.file].stem }
        .text("access", "Swift's access level, followed by a blank unless it is internal") {
            $0.accessModifier
        }
        .text(
            "swift-spi",
            "the attribute that hides a declaration from apps, and a blank; empty unless the access level is public"
        ) {
            $0.access == "public" ? FileView.spi : ""
        }
        .optionalText("swift-imports", "the imports that the declarations need, whole lines", { $0.imports })
        .view("category", "the category, in a category's file", CategoryView.self) { view in
            view.category.map { CategoryView(category: view.definitions.categories[$0], file: view) }
        }
        .view("common", "the common columns, in `common.md`", CommonView.self) { view in
            guard let common = view.definitions.common, common.file == view.file else { return nil }
            return CommonView(common: common, file: view)
        }
        .list("types", "the types of `types.md` that are to be generated", TypeView.self) { view in
            guard view.definitions.typesFile == view.file else { return [] }
            return view.definitions.types.compactMap {
                TypeView($0, indent: "", formerNames: view.formerNames)
            }
        }

    private var imports: String? {
        var needsFoundation = false
        var names: Set<String> = []
        // `MyModule.RecipeID` may also be a nested type. Only the compiler knows whether `MyModule` is a module.
        var qualifiers: Set<String> = []
        forEachDeclaredType { type in
            if SwiftColumns.needsFoundation(type) { needsFoundation = true }
            if let qualifier = SwiftColumns.qualifier(type) { qualifiers.insert(qualifier) }
            if case .named(let named) = type.element, named.swift == nil { names.insert(named.name) }
        }
        var lines: [String] = []
        if needsFoundation { lines.append(importForDeclarations("Foundation")) }
        if definitions.typesFile != file {
            lines.append(importForDeclarations("ActivityTracking", Self.spi))
        } else if definitions.types.contains(where: { TypeView($0, indent: "") != nil }) {
            // A package type may conform to a protocol of a module that its file imports without an access level. The
            // compiler warns if the import has a wider access level than needed.
            let showsDates = definitions.types.contains { $0.swift == nil && $0.kind.isDate }
            lines.append(
                access == "package" && !showsDates
                    ? Self.spi + "import ActivityTracking" : importForDeclarations("ActivityTracking", Self.spi))
        }
        if let module = definitions.typesFile.flatMap({ definitions.files[$0].module }),
            module != definitions.files[file].module
        {
            // The declaration is imported by name. After an import of the whole module, the name would be ambiguous if
            // another module has a type of the same name, such as Foundation's `SortOrder`.
            for type in definitions.types where names.contains(type.name) {
                let keyword = if case .enumeration = type.kind { "enum" } else { "struct" }
                lines.append(importForDeclarations("\(keyword) \(module).\(SwiftNames.escaped(type.name))"))
            }
        }
        lines += qualifiers.sorted().map { "#if canImport(\($0))\n\(importForDeclarations($0))\n#endif" }
        return lines.isEmpty ? nil : lines.joined(separator: "\n")
    }

    /// Apps' code completion does not offer functions of this SPI group.
    private static let spi = "@_spi(GeneratedCode) "

    private func importForDeclarations(_ module: String, _ spi: String = "") -> String {
        switch access {
        case "public": "\(spi)public import \(module)"
        // If imports are public by default, an import without a modifier conflicts with a package import.
        case "package":
            "#if hasFeature(InternalImportsByDefault)\n\(spi)package import \(module)\n#else\n\(spi)import \(module)\n#endif"
        default: "\(spi)import \(module)"
        }
    }

    /// Calls the closure with each declared type, including types of retired events.
    private func forEachDeclaredType(_ body: (LogValueType) -> Void) {
        if let category {
            for event in definitions.categories[category].events {
                for index in event.columns.indices where event.columns[index].status != .retired {
                    body(event.columns[index].type)
                }
            }
        } else if let common = definitions.common, common.file == file {
            for column in common.columns where column.status != .retired { body(column.type) }
        } else if definitions.typesFile == file {
            for type in definitions.types where type.swift == nil {
                if case .scalar(let scalar) = type.kind { body(scalar) }
            }
        }
    }
}

extension TemplateFields {
    /// Adds an optional field of one line. An empty string counts as missing.
    fileprivate func line(_ name: String, _ meaning: String, _ text: @escaping @Sendable (View) -> String) -> Self {
        optionalText(name, meaning + ", on one line") { view in
            let text = text(view)
            return text.isEmpty ? nil : SwiftText.line(text)
        }
    }
}

extension NamedType.Kind {
    fileprivate var isDate: Bool {
        if case .scalar(.date) = self { true } else { false }
    }
}

struct CategoryView: TemplateView {
    let category: Category
    let file: FileView
    private let events: [EventView]

    init(category: Category, file: FileView) {
        self.category = category
        self.file = file
        events = category.events.indices.map { number in
            let event = category.events[number]
            return EventView(event, version: file.model.versions[category.name, event.name], number: number)
        }
    }

    static let fields = TemplateFields<CategoryView>()
        .text("name", "the identifier, as in `event_category`") { $0.category.name }
        .line("title", "the display title") { $0.category.title }
        .line("description", "the description") { $0.category.description }
        .line("owner", "the owner") { $0.category.details.owner?.value ?? "" }
        .text("swift-name", "the type's name in Swift") { SwiftNames.escaped(SwiftNames.typeName($0.category.name)) }
        .text("swift-documentation", "a documentation comment, whole lines") { view in
            SwiftText.documentation(
                view.category.description.isEmpty ? view.category.title : view.category.description, indent: "")
        }
        .text("swift-facts", "the literal that the runtime's LogDefinition reads, whole lines") { $0.facts }
        .text("swift-former-names", "unavailable declarations under former names of the type, whole lines") {
            $0.formerTypesAndCalls
        }
        .text("swift-cases", "the cases of all events with their documentation, whole lines") { view in
            var lines = ""
            for event in view.events {
                if !lines.isEmpty { lines += "\n" }
                lines += event.documentation
                lines += event.declaration
            }
            return lines + view.ownFormerCalls
        }
        .text("swift-encodings", "the cases of the switch that encodes all events, whole lines") { view in
            view.encodings
        }
        .list("events", "the events in the document's order, retired ones included", EventView.self) { $0.events }
        .list("enumerations", "the types of columns with `enum(…)`", TypeView.self) { view in
            TypeView.nested(view.category.events.map(\.columns))
        }

    private var swiftName: String { SwiftNames.escaped(SwiftNames.typeName(category.name)) }

    /// - Parameter type: returns the type for the calls of a former category; nil for none.
    private func formerCalls(in type: (String) -> String?, qualifier: String = "") -> [String: String] {
        var calls: [String: String] = [:]
        guard category.events.contains(where: \.hasFormerNames) else { return calls }
        func call(_ event: String, _ columns: [String]) -> [String] { ([event] + columns).map(SwiftNames.memberName) }
        // Former names of the category may give the same call twice, or a current one.
        var declared: [String: Set<[String]>] = [:]
        if qualifier.isEmpty {
            declared[category.name] = Set(events.map { call($0.event.name, $0.active.map(\.name)) })
        }
        for event in events where event.event.status != .retired {
            var newer: [[String]: SwiftFormerNames.Signature] = [:]
            for signature in SwiftFormerNames.signatures(
                of: event.event, event.active, in: category.name, file.shared.earlierVersions)
            {
                let former = signature.event.eventNameParts
                guard let type = type(former.category),
                    declared[type, default: []].insert(call(former.event, signature.columns)).inserted
                else { continue }
                let text = file.formerNames.event(
                    signature, newer: newer.updateValue(signature, forKey: [type, former.event]), of: event.event,
                    event.active, type: swiftName, qualifier: qualifier, category: category)
                calls[type, default: ""] += "\n" + text
            }
        }
        return calls
    }

    private var ownFormerCalls: String {
        let names = Set([category.name] + category.formerNames.map(\.name))
        let calls = formerCalls { names.contains($0) ? category.name : nil }[category.name] ?? ""
        return calls.isEmpty ? "" : "\n" + calls.dropLast()
    }

    private var formerTypesAndCalls: String {
        var text = ""
        var declared: Set<String> = []
        for name in category.formerNames.map({ SwiftNames.typeName($0.name) })
        where !file.shared.declaredTypeNames.contains(name) && declared.insert(name).inserted {
            text += file.formerNames.type(SwiftNames.escaped(name), renamed: swiftName) + "\n"
        }
        let types = file.shared.categoriesByModule[file.definitions.files[category.file].module] ?? [:]
        let calls = formerCalls(in: { types[$0] == category.name ? nil : types[$0] }, qualifier: swiftName + ".")
        for (type, calls) in calls.sorted(by: { $0.key < $1.key }) {
            text += "extension \(SwiftNames.escaped(SwiftNames.typeName(type))) {" + calls + "}\n\n"
        }
        return text
    }

    /// The compiler does not check a `switch` over more than 600 to 700 cases for exhaustiveness.
    private static let maximumCases = 500

    /// The functions that encode events, `maximumCases` at most: the `default` of each `switch` calls the next one.
    private var encodings: String {
        let all = events.map(\.encoding)
        guard all.count > Self.maximumCases else { return all.joined(separator: "\n") }
        var text = ""
        for start in stride(from: 0, to: all.count, by: Self.maximumCases) {
            let end = min(start + Self.maximumCases, all.count)
            text += all[start..<end].joined(separator: "\n")
            guard end < all.count else { break }
            // No event has a name that begins with an underscore.
            text += """

                        default: _encode\(end)(into: encoder)
                        }
                    }

                    @_optimize(none)
                    private func _encode\(end)(into encoder: LogEncoder) {
                        switch self {

                """
        }
        return text + "\n        default: break"
    }

    private var facts: String {
        var lines = "        " + Facts.encoded(category.name)
        let source = file.model.definitions.files[category.file]
        // The path is omitted if it follows from the category's name.
        let document = source.relativePath == category.name + ".md" ? "" : Facts.encoded(source.relativePath)
        let owner = category.details.owner.map { Facts.encoded($0.value) } ?? ""
        lines += document.isEmpty ? (owner.isEmpty ? "" : "|" + owner) : "|\(owner)||\(document)"
        for index in events.indices {
            lines += "\n        "
            lines += Facts.event(events[index].event, events[index].version)
            let active = events[index].active
            for column in active.indices {
                lines += "\n        "
                SwiftColumns.addFact(active[column], to: &lines)
            }
        }
        return lines
    }
}

struct EventView: TemplateView {
    let event: Event
    let version: SchemaVersion
    let number: Int
    /// The columns that are not retired, and the names of their parameters.
    let active: [Column]
    private let parameterNames: [String]

    init(_ event: Event, version: SchemaVersion, number: Int) {
        self.event = event
        self.version = version
        self.number = number
        active = event.activeColumns
        parameterNames = active.indices.map { [active] in SwiftNames.memberName(active[$0].name) }
    }

    static let fields = TemplateFields<EventView>()
        .text("name", "the identifier, as in `event_name`") { $0.event.name }
        .line("title", "the display title") { $0.event.title }
        .line("description", "the description") { $0.event.description }
        .text("version", "the version of its shape, as in `schema_version`") { $0.version.description }
        .text("status", "`active`, `deprecated` or `retired`") { $0.event.status.rawValue }
        .flag("retired", "whether it is retired") { $0.event.status == .retired }
        .optionalText(
            "deprecated", "the deprecation's message, on one line",
            { view in
                view.event.status == .deprecated ? SwiftText.line(view.event.details.deprecated?.value ?? "") : nil
            }
        )
        .list("columns", "the columns, without retired ones", ColumnView.self) { $0.active.map(ColumnView.init) }
        .text("swift-name", "the case's name in Swift") { $0.name }
        .text("swift-documentation", "a documentation comment, whole lines") { $0.documentation }
        .text("swift-case", "the case's declaration with its availability, whole lines") { $0.declaration }
        .text("swift-encoding", "the case of the switch that encodes it, whole lines") { $0.encoding }

    private var name: String { SwiftNames.escaped(SwiftNames.memberName(event.name)) }

    var documentation: String {
        let text = event.description.isEmpty ? event.title : event.description
        var lines = SwiftText.documentation(text, indent: "    ")
        func isDescribed(_ index: Int) -> Bool { !active[index].description.isEmpty || active[index].deprecated != nil }
        guard active.indices.contains(where: isDescribed) else { return lines }
        if !lines.isEmpty { lines += "    ///\n" }
        lines += "    /// - Parameters:\n"
        for index in active.indices where isDescribed(index) {
            lines += "    ///   - "
            lines += parameterNames[index]
            lines += ":"
            if !active[index].description.isEmpty {
                lines += " "
                lines += SwiftText.line(active[index].description)
            }
            if let deprecated = active[index].deprecated { lines += " (deprecated: \(SwiftText.line(deprecated)))" }
            lines += "\n"
        }
        return lines
    }

    var declaration: String {
        var text = ""
        switch event.status {
        case .active: break
        case .deprecated:
            let message = event.details.deprecated?.value ?? ""
            text = "    @available(*, deprecated, message: \(SwiftText.swiftLiteral(message)))\n"
        case .retired:
            let message = event.details.deprecated?.value ?? "`\(event.name)` is retired"
            text = "    @available(*, unavailable, message: \(SwiftText.swiftLiteral(message)))\n"
        }
        text += "    case " + name
        guard !active.isEmpty else { return text }
        for index in active.indices {
            text += index == 0 ? "(" : ", "
            text += SwiftNames.escaped(parameterNames[index])
            text += ": "
            text += SwiftColumns.type(active[index])
            if !active[index].isRequired { text += " = nil" }
        }
        text += ")"
        return text
    }

    var encoding: String {
        guard !active.isEmpty, event.status != .retired else {
            return "        case .\(name): encoder.event(\(number))"
        }
        var text = "        case ."
        text += name
        let values = active.indices.map { "v" + String($0) }
        for index in active.indices {
            text += index == 0 ? "(let " : ", let "
            text += values[index]
        }
        text += "):\n            encoder.event("
        text += String(number)
        text += ")"
        for index in active.indices { SwiftColumns.addCall(active[index], values[index], to: &text) }
        return text
    }
}

struct ColumnView: TemplateView {
    let column: Column

    static let fields = TemplateFields<ColumnView>()
        .text("name", "the identifier, as in records") { $0.column.name }
        .text("type", "the type in the notation of tables, on one line") { SwiftText.line($0.column.type.description) }
        .flag("required", "whether every record has it") { $0.column.isRequired }
        .line("description", "the description") { $0.column.description }
        .optionalText(
            "example", "the example, a string literal in double quotes", { $0.column.example.map(SwiftText.literal) }
        )
        .optionalText("privacy", "`none`, `personal` or `sensitive`", { $0.column.privacy?.rawValue })
        .optionalText(
            "deprecated", "the deprecation's message, on one line", { $0.column.deprecated.map(SwiftText.line) }
        )
        .text("swift-name", "the parameter's or property's name in Swift") {
            SwiftNames.escaped(SwiftNames.memberName($0.column.name))
        }
        .text("swift-local-name", "the parameter's name in an initializer's body") { SwiftColumns.localName($0.column) }
        .text("swift-type", "its type in Swift") { SwiftColumns.type($0.column) }
        .text("swift-documentation", "a documentation comment, whole lines") { view in
            SwiftText.documentation(SwiftText.line(view.column.description), indent: "    ")
        }
}

/// The view of the structure with the common columns, which the app fills in.
struct CommonView: TemplateView {
    let common: CommonColumns
    let file: FileView

    static let fields = TemplateFields<CommonView>()
        .line("description", "the description") { $0.common.description }
        .list("columns", "the columns, without retired ones", ColumnView.self) { $0.active.map(ColumnView.init) }
        .list("enumerations", "the types of columns with `enum(…)`", TypeView.self) { TypeView.nested([$0.active]) }
        .text("swift-documentation", "a documentation comment, whole lines") { view in
            SwiftText.documentation(
                view.common.description.isEmpty ? "The columns that every event carries." : view.common.description,
                indent: "")
        }
        .text("swift-parameters", "the initializer's parameters") { view in
            view.active.map(SwiftColumns.initializerParameter).joined(separator: ", ")
        }
        .text("swift-facts", "the literal that the runtime's LogDefinition reads, whole lines") { view in
            let first = "        common" + (view.file.model.samplingKey.map { "||" + $0 } ?? "")
            return view.active.reduce(into: first + "\n        .common") { lines, column in
                lines += "\n        "
                SwiftColumns.addFact(column, to: &lines)
            }
        }
        .text("swift-former-names", "unavailable declarations under former names of columns, whole lines") { view in
            view.file.formerNames.common(view.active)
        }
        .text("swift-encoding", "the calls that encode the columns") { view in
            view.active.reduce(into: "") { text, column in
                SwiftColumns.addCall(
                    column, "self." + SwiftNames.escaped(SwiftNames.memberName(column.name)), to: &text)
            }
        }

    private var active: [Column] { common.columns.filter { $0.status != .retired } }
}

/// The view of a generated type: an enumeration, or a scalar with a name.
struct TypeView: TemplateView {
    let name: String
    let description: String
    var values: [NamedType.EnumValue] = []
    var scalar: String?
    var notation = ""
    let indent: String
    /// Writes former values; nil for types without any.
    var formerNames: SwiftFormerNames?

    static let fields = TemplateFields<TypeView>()
        .text("name", "the type's name") { $0.name }
        .line("description", "the description") { $0.description }
        .flag("enumeration", "whether it is an enumeration") { $0.scalar == nil }
        .list("values", "an enumeration's values", ValueView.self) { view in
            view.values.map { ValueView(value: $0, indent: view.indent + "    ") }
        }
        .optionalText(
            "scalar", "the base type of a scalar, in the notation of tables", { $0.scalar == nil ? nil : $0.notation }
        )
        .text("swift-name", "the type's name in Swift") { SwiftNames.escaped($0.name) }
        .text("swift-former-names", "unavailable declarations under former values, whole lines") { view in
            view.formerNames?.values(view.values, of: SwiftNames.escaped(view.name), indent: view.indent + "    ") ?? ""
        }
        .optionalText("swift-raw-type", "a scalar's raw type in Swift", { $0.scalar })
        .text("swift-documentation", "a documentation comment, whole lines") {
            SwiftText.documentation($0.description, indent: $0.indent)
        }

    /// Returns nil if the app already has the type.
    init?(_ type: NamedType, indent: String, formerNames: SwiftFormerNames? = nil) {
        guard type.swift == nil else { return nil }
        name = type.name
        description = type.description
        self.indent = indent
        switch type.kind {
        case .enumeration(let values):
            self.values = values
            self.formerNames = formerNames
        case .scalar(let scalar):
            self.scalar = SwiftColumns.scalar(scalar)
            notation = scalar.description
        case .external: return nil
        }
    }

    private init(_ enumeration: FactsContext.Enumeration) {
        name = SwiftNames.typeName(enumeration.column.name)
        description = SwiftText.line(enumeration.column.description)
        indent = "    "
        values = enumeration.values.map {
            NamedType.EnumValue(value: $0, description: "", place: enumeration.column.typePlace)
        }
    }

    /// Returns the enumerations that columns define, without duplicates.
    static func nested(_ lists: [[Column]]) -> [TypeView] {
        FactsContext.enumerations(of: lists).map(TypeView.init)
    }
}

struct ValueView: TemplateView {
    let value: NamedType.EnumValue
    let indent: String

    static let fields = TemplateFields<ValueView>()
        .text("value", "the value, a string literal in double quotes") { SwiftText.literal($0.value.value) }
        .line("description", "the description") { $0.value.description }
        .text("swift-documentation", "a documentation comment, whole lines") { view in
            SwiftText.documentation(SwiftText.line(view.value.description), indent: view.indent)
        }
        .text("swift-case", "the case's declaration") { view in
            let name = SwiftNames.caseName(forValue: view.value.value) ?? view.value.value
            let literal = name == view.value.value ? "" : " = " + SwiftText.swiftLiteral(view.value.value)
            return "\(view.indent)case \(SwiftNames.escaped(name))\(literal)"
        }
}
