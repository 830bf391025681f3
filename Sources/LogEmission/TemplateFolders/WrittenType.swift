import LogDefinitions
import MarkdownSyntax

/// A type at a place where it is to be written.
struct WrittenType: Sendable {
    var facts: TypeFacts
    var isRequired: Bool
    /// The column that has it, whose name an enumeration takes.
    var column: String

    /// An array's items.
    var item: WrittenType? { facts.items.first.map { WrittenType(facts: $0, isRequired: true, column: column) } }

    /// The type of `types.md`; one that no document declares is the app's.
    func named(_ context: FactsContext) -> NamedFacts? {
        facts.name.map { NamedFacts(context: context, name: $0, type: context.type($0)) }
    }

    func text(_ context: FactsContext) -> String {
        let bare = bare(context)
        guard !isRequired, let optional = context.manifest.types?.optional else { return bare }
        return optional.before + bare + optional.after
    }

    func bare(_ context: FactsContext) -> String {
        context.manifest.types?.text(of: self, context) ?? context.comment(facts.notation)
    }
}

/// How `output.yml` writes types.
struct TypeMap: Sendable {
    enum Entry: Sendable {
        case text(String)
        /// Of integers and numbers: by width, the unsigned ones apart.
        case widths(signed: [Int: String], unsigned: [Int: String])
        /// Of enumerations, arrays and named types: a template.
        case template(OutputTemplate)
    }

    var entries: [TypeFacts.Kind: Entry] = [:]
    var optional: (before: String, after: String)?
    /// Where it stands.
    var range = 0..<0

    func text(of type: WrittenType, _ context: FactsContext) -> String {
        switch entries[type.facts.kind] {
        case .text(let text): text
        case .widths(let signed, let unsigned):
            (type.facts.isSigned ? signed : unsigned)[type.facts.bits ?? 64] ?? ""
        case .template(let template):
            switch type.facts.kind {
            case .array: template.text(ArrayTypeFacts(context: context, item: type.item?.bare(context) ?? ""))
            case .named: type.named(context).map { template.text($0) } ?? ""
            default: template.text(EnumTypeFacts(context: context, name: type.column))
            }
        case nil: ""
        }
    }
}

/// What the template of `types.enum` sees.
struct EnumTypeFacts: FactsView {
    let context: FactsContext
    let name: String

    static let fields = TemplateFields<EnumTypeFacts>()
        .names(.enumeration) { $0.name }
        .view("column", "the column that brings it along", NameFacts.self) { NameFacts(context: $0.context, name: $0.name) }
}

struct NameFacts: FactsView {
    let context: FactsContext
    let name: String

    static let fields = TemplateFields<NameFacts>().names(.column) { $0.name }
}

/// What the template of `types.array` sees.
struct ArrayTypeFacts: FactsView {
    let context: FactsContext
    let item: String

    static let fields = TemplateFields<ArrayTypeFacts>().text("item", "the items' type") { $0.item }
}
