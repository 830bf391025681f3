import LogDefinitions
import MarkdownSyntax

/// The data that all views of one run of a template output share.
final class FactsContext: Sendable {
    let model: Model
    let manifest: OutputManifest
    /// The values that `{{option.NAME}}` prints.
    let options: [String: String]
    private let types: [ExactString: NamedType]
    /// The identifiers of the categories.
    let categories: Set<ExactString>
    /// The nested enumerations, by category and identifier.
    private let nestedEnumerations: [ExactString: [ExactString: Enumeration]]

    /// A column with `enum(…)`, and its values.
    typealias Enumeration = (column: Column, values: [String])

    var definitions: Definitions { model.definitions }

    init(_ model: Model, _ manifest: OutputManifest, _ settings: OutputSettings) {
        var (model, manifest) = (model, manifest)
        if let platform = manifest.platform { model.definitions = model.definitions.only(on: platform) }
        manifest.identifiers.reserve(
            Dictionary(
                manifest.options.map { ($0.key, settings[$0.key] ?? $0.initial) },
                uniquingKeysWith: { first, _ in first }))
        self.model = model
        self.manifest = manifest
        let identifiers = manifest.identifiers
        categories = Set(
            model.definitions.categories.map { ExactString(identifiers.identifier($0.name, .category)) })
        nestedEnumerations = manifest.nestsEnumerations ? Self.nested(model.definitions, manifest.identifiers) : [:]
        options = Dictionary(
            manifest.options.map { ($0.key, $0.text(settings[$0.key], manifest.identifiers)) },
            uniquingKeysWith: { first, _ in first })
        types = Dictionary(
            model.definitions.types.map { (ExactString($0.name), $0) }, uniquingKeysWith: { first, _ in first })
    }

    private static func nested(_ definitions: Definitions, _ identifiers: Identifiers) -> [ExactString: [ExactString:
        Enumeration]]
    {
        var nested: [ExactString: [ExactString: Enumeration]] = [:]
        for category in definitions.categories {
            let enumerations = enumerations(of: category.events.map(\.columns))
            guard !enumerations.isEmpty else { continue }
            let events = Set(
                category.events.indices.filter { category.events[$0].status != .retired }
                    .map { ExactString(identifiers.identifier(category.events[$0].name, .event)) })
            for enumeration in enumerations {
                let identifier = ExactString(identifiers.identifier(enumeration.column.name, .enumeration))
                guard events.contains(identifier) else { continue }
                nested[ExactString(category.name), default: [:]][identifier] = enumeration
            }
        }
        return nested
    }

    /// The enumerations of columns that are not retired, each once.
    static func enumerations(of lists: [[Column]]) -> [Enumeration] {
        var seen: Set<ExactString> = []
        var found: [Enumeration] = []
        for columns in lists {
            for index in columns.indices where columns[index].status != .retired && columns[index].type.isEnumeration {
                guard case .enumeration(let enumeration) = columns[index].type.element,
                    seen.insert(ExactString(columns[index].name)).inserted
                else { continue }
                found.append((columns[index], enumeration.values))
            }
        }
        return found
    }

    /// Returns the enumeration that is inside of the event with this identifier.
    func nested(_ identifier: String, in category: String) -> Enumeration? {
        nestedEnumerations[ExactString(category)]?[ExactString(identifier)]
    }

    // Views query the manifest and the model through these functions, to avoid a copy of a large value.

    func type(_ name: String) -> NamedType? { types[ExactString(name)] }

    /// Returns the identifiers of all definitions if one of them meets the condition.
    func identifiers<Definition>(
        of definitions: [Definition], _ kind: NameKind, _ name: KeyPath<Definition, String>,
        if isNeeded: (Definition) -> Bool
    ) -> Set<ExactString> {
        guard definitions.contains(where: isNeeded) else { return [] }
        return Set(definitions.map { ExactString(identifier($0[keyPath: name], kind)) })
    }

    func identifier(_ name: String, _ kind: NameKind) -> String { manifest.identifiers.identifier(name, kind) }

    func document(of place: Place) -> String { comment(model.definitions.files[place.file].relativePath) }

    func line(of place: Place) -> Int { model.line(of: place) }

    func address(of place: Place) -> String? { model.address(of: place).map(comment) }

    func comment(_ text: String) -> String { manifest.text.comment.comment(text) }

    func string(_ text: String) -> String { manifest.text.string.string(text) }
}

/// A view of the model for any language. Strings and names are escaped as `output.yml` requires.
protocol FactsView: TemplateView {
    var context: FactsContext { get }
}

extension FactsView {
    /// The fields `option.NAME`. Only the outermost view of a template has these fields.
    static func fields(of options: [TemplateOption]) -> [TemplateField] {
        options.reduce(TemplateFields<Self>()) { fields, option in
            fields.text("option.\(option.key)", "") { $0.context.options[option.key] ?? "" }
        }.descriptions
    }
}

struct LineFacts: FactsView {
    let context: FactsContext
    let line: String

    static let fields = TemplateFields<LineFacts>().optionalText("line", "the line; prints nothing if it is empty") {
        $0.line.isEmpty ? nil : $0.line
    }

    /// The lines of a string, each safe in a comment.
    static func comments(_ text: String?, _ context: FactsContext) -> [LineFacts] {
        lines(text).map { LineFacts(context: context, line: context.comment($0)) }
    }

    /// The lines of a string in a markup. The lines are not escaped if the output's language is that markup.
    static func markup(_ text: String?, _ markup: TextLanguage.Markup, _ context: FactsContext) -> [LineFacts] {
        guard context.manifest.text.comment.markup == markup else { return comments(text, context) }
        return lines(text).map { LineFacts(context: context, line: SwiftText.visible($0[...])) }
    }

    private static func lines(_ text: String?) -> [String] {
        guard let text, !text.isEmpty else { return [] }
        var lines = text.utf8.split(separator: 0x0A, omittingEmptySubsequences: false).map { String(Substring($0)) }
        while lines.last?.isEmpty ?? false { lines.removeLast() }
        return lines
    }
}

extension TemplateFields where View: FactsView {
    /// The fields of a name: in each case, as a literal, and as an identifier of the language.
    func names(_ kind: NameKind, _ name: @escaping @Sendable (View) -> String) -> Self {
        text("name", "the name in definitions and records") { $0.context.comment(name($0)) }
            .text("name.string", "the same as a literal") { $0.context.string(name($0)) }
            .cases(name)
            .text("identifier", "the name in the form that `names`, `keywords` and `reserved` of output.yml define") {
                $0.context.identifier(name($0), kind)
            }
    }

    func cases(_ name: @escaping @Sendable (View) -> String) -> Self {
        let all = NameCase.allCases.map(\.rawValue)
        return family("name(CASE)", "the name in a case: " + all.joined(separator: ", ")) { fields in
            NameCase.allCases.reduce(fields) { fields, nameCase in
                fields.text("name(\(nameCase.rawValue))", "") { NameWords.name(name($0), in: nameCase) }
            }
        }
    }

    /// The fields of a cell or of a row of a details table.
    func cell(_ field: String, _ meaning: String, _ text: @escaping @Sendable (View) -> String?) -> Self {
        optionalText(field, meaning + ", one line for a comment") { view in text(view).map { view.context.comment($0) }
        }
        .optionalText("\(field).string", "the same as a literal") { view in text(view).map { view.context.string($0) } }
    }

    /// The fields of a message for developers. Compilers limit the length of a literal, and it is read as one line.
    func message(_ field: String, _ meaning: String, _ text: @escaping @Sendable (View) -> String?) -> Self {
        let most = 2000
        @Sendable func shortened(_ text: String) -> String {
            text.unicodeScalars.count <= most
                ? text : String(String.UnicodeScalarView(text.unicodeScalars.prefix(most))) + "…"
        }
        return optionalText(field, meaning + ", one line for a comment") { view in
            text(view).map { view.context.comment($0) }
        }
        .optionalText("\(field).string", "its first \(most) characters as a literal") { view in
            text(view).map { view.context.string(shortened($0)) }
        }
    }

    /// The fields of Markdown: on one line, as a literal, by lines, and as markup.
    /// - Parameter isBlock: whether the Markdown consists of blocks; false for a cell or a heading.
    func prose(
        _ field: String, _ meaning: String, isBlock: Bool = false, _ markdown: @escaping @Sendable (View) -> String
    ) -> Self {
        @Sendable func plain(_ view: View) -> String? {
            let text = markdown(view)
            return text.isEmpty ? nil : InlineMarkdown.plainText(text)
        }
        // A string without a line end is parsed as a cell.
        @Sendable func written(_ view: View) -> String? {
            markdown(view).isEmpty ? nil : markdown(view) + (isBlock ? "\n" : "")
        }
        return cell(field, meaning, plain)
            .family(
                "\(field).lines, .markdown, .html",
                "its lines as plain text, Markdown without raw HTML, HTML without scripts"
            ) { fields in
                fields.list("\(field).lines", "", LineFacts.self) { LineFacts.comments(plain($0), $0.context) }
                    .list("\(field).markdown", "", LineFacts.self) { view in
                        LineFacts.markup(written(view).map { InlineMarkdown.safe($0) }, .markdown, view.context)
                    }
                    .list("\(field).html", "", LineFacts.self) { view in
                        LineFacts.markup(written(view).map { InlineMarkdown.html($0) }, .html, view.context)
                    }
            }
    }

    func place(_ place: @escaping @Sendable (View) -> Place) -> Self {
        text("file", "the definition file that contains it") { view in
            view.context.document(of: place(view))
        }
        .text("line", "its line in that file") { String($0.context.line(of: place($0))) }
        .optionalText("link", "the URL of that line, if loggen.yml has a `repository`") {
            $0.context.address(of: place($0))
        }
    }

    func type(_ written: @escaping @Sendable (View) -> WrittenType) -> Self {
        let texts = text(
            "type",
            "the type in the form that `types` of output.yml defines; without `types`, in the notation of tables"
        ) { view in
            written(view).text(view.context)
        }
        .text("type.bare", "the same without `optional`") { written($0).bare($0.context) }
        .optionalText("check", "the constraint on a value, in the form that `checks` of output.yml defines") {
            written($0).check($0.context)
        }
        let all = TypeFacts.Kind.allCases.map(\.name)
        return texts.family("type.KIND", "if the type is of a kind: " + all.joined(separator: ", ")) { fields in
            TypeFacts.Kind.allCases.reduce(fields) { fields, kind in
                fields.view("type.\(kind.name)", "", TypeDetail.self) { view in
                    let type = written(view)
                    return type.facts.kind == kind ? TypeDetail(context: view.context, type: type) : nil
                }
            }
        }
    }
}
