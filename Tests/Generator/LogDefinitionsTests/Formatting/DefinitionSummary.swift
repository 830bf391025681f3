import MarkdownSyntax

@testable import LogDefinitions

func analyse(_ documents: [String: String]) async -> Analysis {
    await Analysis.run(
        documents.sorted { $0.key < $1.key }.map {
            SourceFile(path: "Logs/\($0.key)", relativePath: $0.key, source: SourceText(Array($0.value.utf8)))
        })
}

/// The document after the first correction of its first diagnostic; nil without one.
/// - Parameter rule: The rule of the diagnostic, if not any.
func corrected(_ text: String, _ file: String = "search.md", of rule: Rule? = nil) async -> String? {
    let source = SourceText(Array(text.utf8))
    let found = await analyse([file: text]).diagnostics.first { rule == nil || $0.rule == rule }
    guard let found, let edit = found.notes.compactMap(\.edit).first, let change = found.change(edit, in: source)
    else { return nil }
    var bytes = source.bytes
    bytes.replaceSubrange(change.range, with: change.text.utf8)
    return String(decoding: bytes, as: UTF8.self)
}

func formatted(_ documents: [String: String]) async -> [String: String] {
    var result = documents
    for file in await DefinitionFormatter.format(await analyse(documents)) {
        result[String(file.path.dropFirst("Logs/".count))] = String(decoding: file.bytes, as: UTF8.self)
    }
    return result
}

func summary(of definitions: Definitions) -> [String] {
    var lines = definitions.common.map { ["common: \($0.description)"] + $0.columns.map(line) } ?? []
    for category in definitions.categories {
        lines.append(
            "# \(category.name) \(category.title): \(category.description) / \(category.notes) / \(line(category.details))"
        )
        for event in category.events {
            lines.append(
                "## \(event.name) \(event.title) \(event.status): \(event.description) / \(event.notes) / \(line(event.details))"
            )
            lines += event.columns.map(line)
        }
    }
    return lines
}

private func line(_ details: Details) -> String {
    details.texts.map { "\($0.key)=\($0.text)" }.joined(separator: ", ")
}

private func line(_ column: Column) -> String {
    let annotations = column.annotations.map { "\($0.header)=\($0.value)" }.joined(separator: ", ")
    let facts = [column.example, column.privacy?.rawValue, column.since, column.deprecated].map { $0 ?? "-" }.joined(
        separator: " ")
    return
        "\(column.name): \(column.type)\(column.isRequired ? "" : "?") \(column.status) \(facts) \(annotations) / \(column.description)"
}
