import LogDefinitions
import LogTypes
import MarkdownSyntax

/// The top-level view of the templates in a folder.
struct OutputFacts: FactsView {
    /// The part of the definitions that a template is rendered for.
    enum Subject: Sendable {
        case category(Int)
        case common
        case types
        case all
    }

    let context: FactsContext
    let subject: Subject

    static let fields = TemplateFields<OutputFacts>()
        .text("header", "the generated header, which every generated file contains") { view in
            GeneratedHeader.text(from: view.context.comment(view.headerSource))
        }
        .view("category", "the category; in category.mustache", CategoryFacts.self) { view in
            if case .category(let index) = view.subject {
                CategoryFacts(context: view.context, index: index)
            } else {
                nil
            }
        }
        .list("categories", of: "category", "all categories; in all.mustache", CategoryFacts.self) { view in
            view.context.definitions.categories.indices.map { CategoryFacts(context: view.context, index: $0) }
        }
        .view("common", "the common columns, if there is a common.md", CommonFacts.self) { view in
            view.context.definitions.common.map { CommonFacts(context: view.context, common: $0) }
        }
        .list("types", of: "type", "the types of types.md", NamedFacts.self) { view in
            view.context.definitions.types.map {
                NamedFacts(context: view.context, name: $0.name, type: $0)
            }
        }

    static func fields(of kind: TemplateKind, options: [TemplateOption] = []) -> [TemplateField] {
        OutputFacts.fields(of: options)
            + fields.descriptions.filter { field in
                switch field.name {
                case "category": kind == .category
                case "categories": kind == .all || kind == .index
                default: true
                }
            }
    }

    private var headerSource: String {
        let definitions = context.definitions
        let file: Int? =
            switch subject {
            case .category(let index): definitions.categories[index].file
            case .common: definitions.common?.file
            case .types: definitions.typesFile
            case .all: nil
            }
        return file.map { definitions.files[$0].relativePath } ?? "all log definitions"
    }
}

struct CategoryFacts: FactsView {
    let context: FactsContext
    let index: Int

    private var category: Category { context.definitions.categories[index] }

    static let fields = TemplateFields<CategoryFacts>()
        .names(.category) { $0.category.name }
        .prose("title", "the display title") { $0.category.title }
        .prose("description", "the description", isBlock: true) { $0.category.description }
        .cell("owner", "the owner") { $0.category.details.owner?.value }
        .list("former-names", of: "former", "the former names", FormerNameFacts.self) { view in
            FormerNameFacts.of(
                view.category.formerNames.map(\.name), .category, except: view.context.categories, view.context)
        }
        .list("events", of: "event", "the events in the document's order, retired ones included", EventFacts.self) {
            view in
            let category = view.category
            let events = view.context.identifiers(
                of: category.events, .event, \.name, if: { !$0.formerNames.isEmpty })
            return category.events.enumerated().map { number, event in
                EventFacts(context: view.context, category: category, events: events, event: event, number: number)
            }
        }
        .list(
            "enumerations", of: "enumeration", "the types of columns with `enum(…)`, each once",
            EnumerationFacts.self
        ) { view in
            EnumerationFacts.of(view.category.events.map(\.columns), in: view.category.name, view.context)
        }
        .place { $0.category.place }
}

final class EventFacts: FactsView {
    let context: FactsContext
    let category: Category
    /// The identifiers of the category's events, if one has a former name.
    let events: Set<ExactString>
    let event: Event
    let number: Int
    /// The views of the active columns. The views are stored, because most templates list the columns several times.
    let columns: [ColumnFacts]

    init(context: FactsContext, category: Category, events: Set<ExactString>, event: Event, number: Int) {
        self.context = context
        self.category = category
        self.events = events
        self.event = event
        self.number = number
        columns = ColumnFacts.active(event.columns, in: category.name, context)
    }

    private var version: SchemaVersion { context.model.versions[category.name, event.name] }

    static let fields = TemplateFields<EventFacts>()
        .names(.event) { $0.event.name }
        .prose("title", "the display title") { $0.event.title }
        .prose("description", "the description", isBlock: true) { $0.event.description }
        .text("number", "its index in the category, from 0") { String($0.number) }
        .text("version", "the version of its shape, as in `schema_version`") { $0.version.description }
        .text("status", "`active`, `deprecated` or `retired`") { $0.event.status.rawValue }
        .flag("retired", "whether it is retired") { $0.event.status == .retired }
        .message("deprecated", "the deprecation's message") {
            $0.event.status == .deprecated ? $0.event.details.deprecated?.value ?? "" : nil
        }
        .view("trigger", "when it is due", TriggerFacts.self) { view in
            view.event.trigger.map { TriggerFacts(context: view.context, trigger: $0) }
        }
        .cell("owner", "the owner") { $0.event.details.owner?.value }
        .cell("since", "the first version of the app that sends it") { $0.event.details.since?.value }
        .cell("expires", "the last day before it should be removed") { $0.event.details.expires?.text }
        .optionalText("sampling", "the share that is kept, from 0 to 1") { view in
            view.event.details.sampling.map { "\($0.value)" }
        }
        .optionalText("sampling.percent", "the same as a percentage") { view in
            view.event.details.sampling.map { PercentageNotation.text($0.value) }
        }
        .text("platforms", "the platforms that log it, separated by commas") {
            $0.event.platforms.names.joined(separator: ", ")
        }
        .cell("privacy", "`none`, `personal` or `sensitive`, for columns without a privacy level") {
            $0.event.details.privacy?.value.rawValue
        }
        .list("former-names", of: "former", "the former names in its category", FormerNameFacts.self) { view in
            let categories = Set([view.category.name] + view.category.formerNames.map(\.name))
            let names = view.event.formerNames.map(\.name.eventNameParts).filter { categories.contains($0.category) }
            return FormerNameFacts.of(names.map(\.event), .event, except: view.events, view.context)
        }
        .flag("renamed-columns", "whether a column has a former name") { $0.columns.contains { !$0.former.isEmpty } }
        .list("columns", of: "column", "the columns, without retired ones", ColumnFacts.self) { $0.columns }
        .list(
            "enumerations", of: "enumeration",
            "the enumeration with the event's identifier, if output.yml has `nested`",
            EnumerationFacts.self
        ) { view in
            let identifier = view.context.identifier(view.event.name, .event)
            return view.context.nested(identifier, in: view.category.name).map {
                [EnumerationFacts(context: view.context, column: $0.column, values: $0.values)]
            } ?? []
        }
        .place { $0.event.place }
}

struct TriggerFacts: FactsView {
    let context: FactsContext
    let trigger: LogTrigger

    static let fields = TemplateFields<TriggerFacts>()
        .cell("notation", "the notation of tables, as `impression(80%, 2s)`") { $0.trigger.description }
        .text("kind", "`screen`, `show`, `impression`, `tap` or `leave`") { $0.trigger.kind.rawValue }
        .optionalText("visible-fraction", "the share of the area that is in view, from 0 to 1") { view in
            switch view.trigger {
            case .impression(let fraction?, _), .leave(let fraction?): "\(fraction)"
            default: nil
            }
        }
        .optionalText("dwell", "the seconds of an impression") { view in
            if case .impression(_, let dwell?) = view.trigger { "\(dwell)" } else { nil }
        }
        .cell("target", "the button of a tap") { view in
            if case .tap(let target) = view.trigger { target } else { nil }
        }
}

final class ColumnFacts: FactsView {
    let context: FactsContext
    let column: Column
    /// The former names whose identifiers neither a column nor an earlier former name has.
    let former: [FormerNameFacts]
    private let type: WrittenType

    private init(context: FactsContext, _ column: Column, _ former: [FormerNameFacts], in category: String?) {
        self.context = context
        self.column = column
        self.former = former
        type = WrittenType(of: column, in: category)
    }

    /// Returns the views of the columns that are not retired.
    /// - Parameter category: the category of the columns' event; nil for common columns.
    static func active(_ columns: [Column], in category: String?, _ context: FactsContext) -> [ColumnFacts] {
        var taken = context.identifiers(of: columns, .column, \.name, if: { !$0.formerNames.isEmpty })
        return columns.compactMap { column in
            let names = column.formerNames.map(\.name)
            let former = FormerNameFacts.of(names, .column, except: taken, context)
            taken.formUnion(names.map { ExactString(context.identifier($0, .column)) })
            return column.status == .retired ? nil : ColumnFacts(context: context, column, former, in: category)
        }
    }

    static let fields = TemplateFields<ColumnFacts>()
        .names(.column) { $0.column.name }
        .type { $0.type }
        .flag("required", "whether every record has it") { $0.column.isRequired }
        .prose("description", "the description") { $0.column.description }
        .cell("example", "the example") { $0.column.example }
        .text("platforms", "the platforms that log it, separated by commas") {
            $0.column.platforms.names.joined(separator: ", ")
        }
        .cell("privacy", "`none`, `personal` or `sensitive`") { $0.column.privacy?.rawValue }
        .cell("since", "the first version of the app that sends it") { $0.column.since }
        .message("deprecated", "the deprecation's message") { $0.column.deprecated }
        .list("former-names", of: "former", "the former names", FormerNameFacts.self) { $0.former }
        .text("former-identifier", "the identifier of the newest former name, or the current one") { view in
            view.context.identifier(view.former.first?.name ?? view.column.name, .column)
        }
        .list(
            "annotations", of: "annotation", "cells under headers that the format does not define", AnnotationFacts.self
        ) { view in
            view.column.annotationsByHeader.map { AnnotationFacts(context: view.context, annotation: $0) }
        }
        .place { $0.column.place }
}

struct AnnotationFacts: FactsView {
    let context: FactsContext
    let annotation: Column.Annotation

    static let fields = TemplateFields<AnnotationFacts>()
        .cell("header", "the table's header") { $0.annotation.header }
        .cell("text", "the cell") { $0.annotation.value }
}

struct CommonFacts: FactsView {
    let context: FactsContext
    let common: CommonColumns

    static let fields = TemplateFields<CommonFacts>()
        .prose("description", "the description", isBlock: true) { $0.common.description }
        .list("columns", of: "column", "the columns, without retired ones", ColumnFacts.self) { view in
            ColumnFacts.active(view.common.columns, in: nil, view.context)
        }
        .flag("renamed-columns", "whether a column has a former name") { view in
            ColumnFacts.active(view.common.columns, in: nil, view.context).contains { !$0.former.isEmpty }
        }
        .list(
            "enumerations", of: "enumeration", "the types of columns with `enum(…)`, each once",
            EnumerationFacts.self
        ) { view in
            EnumerationFacts.of([view.common.columns], in: nil, view.context)
        }
        .cell("sampling-key", "the common column that determines the sample") { $0.context.model.samplingKey }
}

/// The view of an enumeration that a column defines with `enum(…)`.
struct EnumerationFacts: FactsView {
    let context: FactsContext
    let column: Column
    let values: [String]

    static let fields = TemplateFields<EnumerationFacts>()
        .names(.enumeration) { $0.column.name }
        .prose("description", "the column's description") { $0.column.description }
        .list("values", of: "value", "the values", ValueFacts.self) { view in
            view.values.map { ValueFacts(context: view.context, value: $0) }
        }

    /// Returns the enumerations that are not inside of an event.
    /// - Parameter category: the category of the columns; nil for common columns.
    static func of(_ lists: [[Column]], in category: String?, _ context: FactsContext) -> [EnumerationFacts] {
        FactsContext.enumerations(of: lists).compactMap { column, values in
            if let category, context.nested(context.identifier(column.name, .enumeration), in: category) != nil {
                return nil
            }
            return EnumerationFacts(context: context, column: column, values: values)
        }
    }
}

struct ValueFacts: FactsView {
    let context: FactsContext
    let value: String
    var description = ""
    var formerNames: [FormerNameFacts] = []

    static let fields = TemplateFields<ValueFacts>()
        .cell("value", "the value in records") { $0.value }
        .cases { $0.value }
        .text("identifier", "the value in the form that `names`, `keywords` and `reserved` of output.yml define") {
            $0.context.identifier($0.value, .value)
        }
        .prose("description", "the description") { $0.description }
        .list("former-names", of: "former", "the former values", FormerNameFacts.self) { $0.formerNames }
}

/// The view of a type in `types.md`, or of a placeholder for a type of the app.
struct NamedFacts: FactsView {
    let context: FactsContext
    let name: String
    /// The type in `types.md`; nil for a type that no definition file declares.
    let type: NamedType?

    private var kind: NamedType.Kind { type?.kind ?? .external }

    static let fields = TemplateFields<NamedFacts>()
        .names(.type) { $0.name }
        .prose("description", "the description", isBlock: true) { $0.type?.description ?? "" }
        .flag("external", "whether the definitions contain only its name, because the app defines it") { view in
            if case .external = view.kind { true } else { false }
        }
        .flag("enumeration", "whether it is an enumeration") { view in
            if case .enumeration = view.kind { true } else { false }
        }
        .list("values", of: "value", "an enumeration's values", ValueFacts.self) { view in
            guard case .enumeration(let values) = view.kind else { return [] }
            let taken = view.context.identifiers(of: values, .value, \.value, if: { !$0.formerNames.isEmpty })
            return values.map { value in
                let formerNames = FormerNameFacts.of(
                    value.formerNames.map(\.name), .value, except: taken, view.context)
                return ValueFacts(
                    context: view.context, value: value.value, description: value.description, formerNames: formerNames)
            }
        }
        .flag("renamed-values", "whether a value has a former name") { view in
            if case .enumeration(let values) = view.kind { values.contains { !$0.formerNames.isEmpty } } else { false }
        }
        .view("scalar", "the base type of a scalar", ItemFacts.self) { view in
            guard case .scalar(let scalar) = view.kind else { return nil }
            return ItemFacts(
                context: view.context, type: WrittenType(facts: TypeFacts(scalar), isRequired: true, column: view.name))
        }
        .place { $0.type?.place ?? Place(file: 0, range: 0..<0) }
}

/// The view of a type that is part of another type.
struct ItemFacts: FactsView {
    let context: FactsContext
    let type: WrittenType

    static let fields = TemplateFields<ItemFacts>().type { $0.type }
}

/// The details of a type, in addition to its kind.
struct TypeDetail: FactsView {
    let context: FactsContext
    let type: WrittenType

    static let fields = TemplateFields<TypeDetail>()
        .limit("bits", "the width of an integer or a number") { $0.bits }
        .flag("signed", "whether an integer may be negative") { $0.type.facts.isSigned }
        .limit("minimum", "the minimum in the definition, if there is one") {
            $0.integer?.minimum?.description ?? $0.number?.minimum?.description
        }
        .limit("maximum", "the maximum in the definition, if there is one") {
            $0.integer?.maximum?.description ?? $0.number?.maximum?.description
        }
        .optionalText(
            "lowest", "the smallest value that an integer's bounds and width allow, unless it is the minimum of 64 bits"
        ) { view in
            view.type.facts.integer.flatMap { $0.range.lowerBound > .min ? String($0.range.lowerBound) : nil }
        }
        .optionalText("highest", "the largest value that they allow, unless it is the maximum of 64 bits") { view in
            view.type.facts.integer.flatMap { $0.range.upperBound < .max ? String($0.range.upperBound) : nil }
        }
        .limit("precision", "the number of digits of a decimal number") { $0.decimal?.precision }
        .limit("scale", "the number of digits after the point") { $0.decimal?.scale }
        .limit("maxLength", "the maximum number of Unicode scalars") { $0.text?.maxLength }
        .limit("maxBytes", "the maximum number of UTF-8 bytes") { $0.text?.maxBytes }
        .list("values", of: "value", "an enumeration's values", ValueFacts.self) { view in
            view.type.facts.values.map { ValueFacts(context: view.context, value: $0) }
        }
        .view("item", "an array's items", ItemFacts.self) { view in
            view.type.item.map { ItemFacts(context: view.context, type: $0) }
        }
        .limit("minItems", "the minimum number of items") { $0.list?.minItems }
        .limit("maxItems", "the maximum number of items") { $0.list?.maxItems }
        .view("named", "the type of types.md", NamedFacts.self) { $0.type.named($0.context) }
}

extension TemplateFields<TypeDetail> {
    fileprivate func limit<Value: CustomStringConvertible & Sendable>(
        _ name: String, _ meaning: String, _ value: @escaping @Sendable (TypeFacts) -> Value?
    ) -> Self {
        optionalText(name, meaning) { value($0.type.facts)?.description }
    }
}

struct FormerNameFacts: FactsView {
    let context: FactsContext
    let name: String
    let kind: NameKind

    static let fields = TemplateFields<FormerNameFacts>()
        .text("name", "the former name in definitions and records") { $0.context.comment($0.name) }
        .text("identifier", "the former name in the form that `names`, `keywords` and `reserved` of output.yml define")
    {
        $0.context.identifier($0.name, $0.kind)
    }

    /// Returns the views of former names whose identifiers are not current ones.
    static func of(
        _ names: [String], _ kind: NameKind, except current: Set<ExactString>, _ context: FactsContext
    ) -> [FormerNameFacts] {
        var seen: Set<ExactString> = []
        return names.compactMap { name in
            let identifier = ExactString(context.identifier(name, kind))
            guard !current.contains(identifier), seen.insert(identifier).inserted else { return nil }
            return FormerNameFacts(context: context, name: name, kind: kind)
        }
    }
}
