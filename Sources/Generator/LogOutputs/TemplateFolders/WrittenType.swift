import LogDefinitions
import MarkdownSyntax

/// A type with the context that determines how it is written.
struct WrittenType: Sendable {
    var facts: TypeFacts
    var isRequired: Bool
    /// The name of the column that has the type. An enumeration is named after its column.
    var column: String
    /// The category of the column's event; nil for common columns and for types of `types.md`.
    var category: String?

    var item: WrittenType? {
        facts.items.map { WrittenType(facts: $0, isRequired: true, column: column, category: category) }
    }

    /// The type of this name in `types.md`, or the app's type if no file declares it; nil for a type without a name.
    func named(_ context: FactsContext) -> NamedFacts? {
        facts.name.map { NamedFacts(context: context, name: $0, type: context.type($0)) }
    }

    func text(_ context: FactsContext) -> String {
        let bare = bare(context)
        guard !isRequired, let optional = context.manifest.types?.optional else { return bare }
        return optional.before + bare + optional.after
    }

    /// Returns the condition that a value has to meet, or nil if `output.yml` has no entry for it.
    func check(_ context: FactsContext) -> String? {
        context.manifest.checks?.templates[facts.kind]?.text(TypeDetail(context: context, type: self))
    }

    func bare(_ context: FactsContext) -> String {
        context.manifest.types?.text(of: self, context) ?? context.comment(facts.type.description)
    }
}

extension WrittenType {
    init(of column: Column, in category: String? = nil) {
        self.init(
            facts: TypeFacts(column.type), isRequired: column.isRequired, column: column.name, category: category)
    }
}

/// The templates in `output.yml` for the conditions that values have to meet.
struct CheckMap: Sendable {
    var templates: [TypeFacts.Kind: OutputTemplate] = [:]
    /// The range of the value of `checks` in `output.yml`, in bytes.
    var range = 0..<0
}

/// The types in `output.yml`.
struct TypeMap: Sendable {
    enum Entry: Sendable {
        case text(String)
        /// The types of integers or numbers by width, separately for unsigned integers.
        case widths(signed: [Int: String], unsigned: [Int: String])
        /// The template of enumerations, arrays or named types.
        case template(OutputTemplate)
    }

    var entries: [TypeFacts.Kind: Entry] = [:]
    var optional: (before: String, after: String)?
    /// The range of the value of `types` in `output.yml`, in bytes.
    var range = 0..<0

    func text(of type: WrittenType, _ context: FactsContext) -> String {
        switch entries[type.facts.kind] {
        case .text(let text): text
        case .widths(let signed, let unsigned):
            type.facts.bits.flatMap { (type.facts.isSigned ? signed : unsigned)[$0] } ?? ""
        case .template(let template):
            switch type.facts.kind {
            case .array: template.text(ArrayTypeFacts(context: context, item: type.item?.bare(context) ?? ""))
            case .named: type.named(context).map { template.text($0) } ?? ""
            default: template.text(EnumTypeFacts(context: context, name: type.column, category: type.category))
            }
        case nil: ""
        }
    }
}

struct EnumTypeFacts: FactsView {
    let context: FactsContext
    let name: String
    let category: String?

    static let fields = TemplateFields<EnumTypeFacts>()
        .names(.enumeration) { $0.name }
        .view("column", "the column of the enumeration", NameFacts.self) {
            NameFacts(context: $0.context, name: $0.name)
        }
        .view("nested", "the category, if the enumeration is inside of an event", NestingFacts.self) { view in
            let identifier = view.context.identifier(view.name, .enumeration)
            guard let category = view.category, view.context.nested(identifier, in: category) != nil else { return nil }
            return NestingFacts(context: view.context, category: category, event: identifier)
        }
}

/// The view of the category and the event that an enumeration is inside of.
struct NestingFacts: FactsView {
    let context: FactsContext
    let category: String
    let event: String

    static let fields = TemplateFields<NestingFacts>().names(.category) { $0.category }
        .text("event", "the identifier of the event") { $0.event }
}

struct NameFacts: FactsView {
    let context: FactsContext
    let name: String

    static let fields = TemplateFields<NameFacts>().names(.column) { $0.name }
}

struct ArrayTypeFacts: FactsView {
    let context: FactsContext
    let item: String

    static let fields = TemplateFields<ArrayTypeFacts>().text("item", "the items' type") { $0.item }
}
