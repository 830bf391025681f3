import LogDefinitions
import MarkdownSyntax

/// A type at the place where it will be written.
struct WrittenType: Sendable {
    var facts: TypeFacts
    var isRequired: Bool
    /// The column that has the type. An enumeration takes the column's name.
    var column: String

    /// The type of an array's items.
    var item: WrittenType? { facts.items.first.map { WrittenType(facts: $0, isRequired: true, column: column) } }

    /// The type from `types.md`. If no document declares it, it is the app's own.
    func named(_ context: FactsContext) -> NamedFacts? {
        facts.name.map { NamedFacts(context: context, name: $0, type: context.type($0)) }
    }

    func text(_ context: FactsContext) -> String {
        let bare = bare(context)
        guard !isRequired, let optional = context.manifest.types?.optional else { return bare }
        return optional.before + bare + optional.after
    }

    /// What a value must keep to; nil if `output.yml` has no word for it.
    func check(_ context: FactsContext) -> String? {
        context.manifest.checks?.templates[facts.kind]?.text(TypeDetail(context: context, type: self))
    }

    func bare(_ context: FactsContext) -> String {
        context.manifest.types?.text(of: self, context) ?? context.comment(facts.notation)
    }
}

/// How `output.yml` writes what a value must keep to.
struct CheckMap: Sendable {
    var templates: [TypeFacts.Kind: OutputTemplate] = [:]
    /// Its place in `output.yml`.
    var range = 0..<0
}

/// How `output.yml` writes types.
struct TypeMap: Sendable {
    enum Entry: Sendable {
        case text(String)
        /// For integers and numbers: a type per width, with the unsigned ones apart.
        case widths(signed: [Int: String], unsigned: [Int: String])
        /// For enumerations, arrays and named types: a template.
        case template(OutputTemplate)
    }

    var entries: [TypeFacts.Kind: Entry] = [:]
    var optional: (before: String, after: String)?
    /// Its place in `output.yml`.
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

/// The view for the template of `types.enum`.
final class EnumTypeFacts: FactsView {
    let context: FactsContext
    let name: String

    init(context: FactsContext, name: String) {
        self.context = context
        self.name = name
    }

    static let fields = TemplateFields<EnumTypeFacts>()
        .names(.enumeration) { $0.name }
        .view("column", "the column that brings it along", NameFacts.self) {
            NameFacts(context: $0.context, name: $0.name)
        }
}

final class NameFacts: FactsView {
    let context: FactsContext
    let name: String

    init(context: FactsContext, name: String) {
        self.context = context
        self.name = name
    }

    static let fields = TemplateFields<NameFacts>().names(.column) { $0.name }
}

/// The view for the template of `types.array`.
final class ArrayTypeFacts: FactsView {
    let context: FactsContext
    let item: String

    init(context: FactsContext, item: String) {
        self.context = context
        self.item = item
    }

    static let fields = TemplateFields<ArrayTypeFacts>().text("item", "the items' type") { $0.item }
}
