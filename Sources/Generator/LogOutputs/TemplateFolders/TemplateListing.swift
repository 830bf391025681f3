import LogDefinitions
import MarkdownSyntax

/// The output of `loggen templates`.
package enum TemplateListing {
    package static func text(of registry: OutputRegistry) -> String {
        var text = "Outputs: " + registry.names.joined(separator: ", ")
        text +=
            "; if loggen.yml names none: " + registry.unaskedNames.joined(separator: ", ")
            + "\n\nBuilt-in templates:\n\n"
        for template in registry.ourTemplates {
            text += template.files.map { "  \($0.relativePath)\n" }.joined()
        }
        text +=
            "\nFields of \(registry.replaceableNames.map { $0 + ", " }.joined())NAME.EXT.mustache, "
            + "with the contents of sections indented:\n\n"
        var seen: Set<String> = []
        text += listing(FlatTemplateOutput.fields, indent: "  ", &seen)
        text += "\nA folder NAME with output.yml and templates is an output. The templates:\n\n"
        text += table(TemplateKind.allCases.map { ($0.rawValue + TemplateFolder.templateEnding, $0.meaning) })
        text += "\nKeys of output.yml:\n\n"
        text += table(OutputManifest.keys.map { ($0.name, $0.meaning) })
        text +=
            "\nLanguages of text.string and text.comment: " + TextLanguage.all.map(\.name).joined(separator: ", ")
            + "\n"
        text += "\nFields of an output's templates:\n\n"
        seen = []
        text += listing(OutputFacts.fields.descriptions, indent: "  ", &seen)
        text += """

            `option.NAME` prints the value in loggen.yml of an option that `options` of output.yml declares.

            Inside a list: `first()`, `last()`, `even()`, `odd()` are sections, `index()` prints. A name before a dot
            selects a view: `category.name` is the category's even if another `name` is nearer.

            """
        return text
    }

    private static func table(_ rows: [(String, String)]) -> String {
        let width = rows.map(\.0.count).max() ?? 0
        return rows.map { "  " + $0 + String(repeating: " ", count: width - $0.count) + "  " + $1 + "\n" }.joined()
    }

    private static func listing(_ fields: [TemplateField], indent: String, _ seen: inout Set<String>) -> String {
        var rows: [(name: String, meaning: String, field: TemplateField)] = []
        for field in fields where field.family == nil || rows.last?.name != field.family?.name {
            rows.append((field.family?.name ?? field.name, field.family?.meaning ?? field.meaning, field))
        }
        let width = rows.map(\.name.count).max() ?? 0
        var text = ""
        for row in rows {
            text += indent + row.name + String(repeating: " ", count: width - row.name.count) + "  " + row.meaning
            guard let children = row.field.children else {
                text += "\n"
                continue
            }
            let isNew = seen.insert(children.type).inserted
            text += isNew ? "\n" : "; fields as above\n"
            if isNew { text += listing(children.fields(), indent: indent + "    ", &seen) }
        }
        return text
    }
}
