import LogDefinitions
import MarkdownSyntax

/// An inferred definition file, with its path below the output folder.
package struct InferredDocument: Sendable {
    package var path: String
    package var text: String

    var file: SourceFile { SourceFile(path: path, relativePath: path, source: SourceText(Array(text.utf8))) }
}

/// Writes a resolved draft as Markdown that `loggen format` leaves unchanged.
struct DocumentWriter {
    private(set) var findings: [Finding] = []
    private var namesOfTypes: [String] = []

    mutating func documents(of draft: Draft) async -> [InferredDocument] {
        namesOfTypes = draft.types.map(\.name)
        var documents: [InferredDocument] = []
        if !draft.common.isEmpty {
            documents.append(.init(path: "common.md", text: "# common\n" + columns(draft.common)))
        }
        if !draft.types.isEmpty {
            var text = "# types\n"
            for type in draft.types.sorted(by: { $0.name.utf8.lexicographicallyPrecedes($1.name.utf8) }) {
                text += await self.type(type)
            }
            documents.append(.init(path: "types.md", text: text))
        }
        for category in draft.categories {
            documents.append(.init(path: category.name + ".md", text: await self.category(category)))
        }
        return await formatted(documents)
    }

    private func formatted(_ documents: [InferredDocument]) async -> [InferredDocument] {
        let changed = await DefinitionFormatter.format(Analysis.run(documents.map(\.file)))
        let texts = Dictionary(
            changed.map { (ExactString($0.path), $0.bytes) }, uniquingKeysWith: { first, _ in first })
        return documents.map { document in
            guard let bytes = texts[ExactString(document.path)] else { return document }
            return InferredDocument(path: document.path, text: String(decoding: bytes, as: UTF8.self))
        }
    }

    // MARK: Sections

    private mutating func category(_ category: DraftCategory) async -> String {
        var text = heading("#", category.title, category.name)
        text += await description(category.description, of: category.name, at: category.place)
        text += details(category.details)
        for event in category.events {
            text += "\n" + heading("##", event.title, event.name, isRetired: event.isRetired)
            text += await description(event.description, of: event.name, at: event.place)
            text += details(event.details)
            text += columns(event.columns)
        }
        return text
    }

    private func heading(_ marks: String, _ title: String, _ name: String, isRetired: Bool = false) -> String {
        let title = PlainText.title(title)
        let named = isRetired ? (title.isEmpty ? "~~\(name)~~" : "~~`\(name)`~~") : (title.isEmpty ? name : "`\(name)`")
        return title.isEmpty ? "\(marks) \(named)\n" : "\(marks) \(title) \(named)\n"
    }

    private mutating func description(
        _ text: DraftText, of name: String, isType: Bool = false, at place: SourcePlace
    ) async -> String {
        guard let written = await PlainText.description(text, isOfType: isType, types: namesOfTypes) else {
            findings.warn("the description of `\(name)` is left out: Markdown cannot represent it as text", at: place)
            return ""
        }
        return written.isEmpty ? "" : "\n\(written)\n"
    }

    private func details(_ details: [DraftDetail]) -> String {
        table(["key", "value"], details.map { [$0.key.rawValue, valueCell($0.value)] })
    }

    private mutating func type(_ type: DraftType) async -> String {
        var text: String
        switch type.kind {
        case .scalar(let scalar): text = "\n## \(type.name): \(scalar)\n"
        case .enumeration, .external: text = "\n## \(type.name)\n"
        }
        text += await description(type.description, of: type.name, isType: true, at: type.place)
        if let swift = type.swift ?? (type.base == nil ? type.name : nil) {
            text += table(["key", "value"], [["swift", swift]])
        }
        if case .enumeration(let values) = type.kind {
            text += table(
                ["value", "description"], values.map { [valueCell($0.value), PlainText.cell($0.description)] })
        }
        return text
    }

    // MARK: Tables

    private func columns(_ columns: [DraftColumn]) -> String {
        guard !columns.isEmpty else { return "" }
        var header = ["column", "type", "description"]
        let optional: [(name: String, text: (DraftColumn) -> String?)] = [
            ("example", { $0.example.map { PlainText.rawCell(Self.inBackticksIfReversible($0)) } }),
            ("privacy", { $0.privacy?.rawValue }),
            ("platforms", { $0.platforms == .all ? nil : $0.platforms.names.joined(separator: ", ") }),
            ("since", { $0.since.map(oneLine) }),
            ("deprecated", { $0.deprecated.map(oneLine) }),
        ]
        let used = optional.filter { field in columns.contains { field.text($0) != nil } }
        var annotations: [ExactString] = []
        for annotation in columns.flatMap(\.annotations) where !annotations.contains(ExactString(annotation.header)) {
            annotations.append(ExactString(annotation.header))
        }
        header += used.map(\.name) + annotations.map { PlainText.rawCell($0.text) }
        let rows = columns.map { column in
            [
                column.isRetired ? "~~\(column.name)~~" : column.name, typeCell(column),
                PlainText.cell(column.description),
            ]
                + used.map { $0.text(column) ?? "" }
                + annotations.map { header in
                    column.annotations.first { ExactString($0.header) == header }.map { PlainText.rawCell($0.value) }
                        ?? ""
                }
        }
        return table(header, rows)
    }

    /// Returns a type's cell, in backticks if Markdown would interpret characters of the type's values.
    private func typeCell(_ column: DraftColumn) -> String {
        let text = column.type.description + (column.isRequired ? "" : "?")
        let hasMarks = text.utf8.contains { "*<&\\~".utf8.contains($0) } && !text.utf8.contains(UInt8(ascii: "`"))
        return PlainText.rawCell(hasMarks ? "`\(text)`" : text)
    }

    private func oneLine(_ text: String) -> String { PlainText.rawCell(PlainText.normalized(text, isOneLine: true)) }

    private static func inBackticksIfReversible(_ text: String) -> String {
        let quoted = "`\(text)`"
        return withoutBackticks(quoted[...]) == text ? quoted : text
    }

    /// Returns a value's cell. A reader removes one pair of backticks, so a value in backticks gets another pair.
    private func valueCell(_ text: String) -> String {
        let text = PlainText.normalized(text, isOneLine: true)
        let isQuoted =
            text.utf8.count > 2 && text.utf8.first == UInt8(ascii: "`") && text.utf8.last == UInt8(ascii: "`")
        return PlainText.rawCell(isQuoted ? Self.inBackticksIfReversible(text) : text)
    }

    private func table(_ header: [String], _ rows: [[String]]) -> String {
        guard !rows.isEmpty else { return "" }
        let lines = [header, header.map { _ in "---" }] + rows
        return "\n" + lines.map { "| " + $0.joined(separator: " | ") + " |\n" }.joined()
    }
}
