import LogDefinitions
import LogOutputs
import LogProject
import LogTypes
import MarkdownSyntax

/// Hovers: meanings, and the generated Swift.
extension LanguageServer {
    func hover(_ cursor: CursorContext) -> HoverText? {
        let words = TypeDescriptions(locale)
        func text(_ range: Range<Int>, _ parts: [String]) -> HoverText {
            HoverText(
                contents: MarkupContent(value: parts.filter { !$0.isEmpty }.joined(separator: "\n\n")),
                range: cursor.span(range))
        }
        if let column = cursor.typed { return text(column.typePlace.range, describe(column, cursor, words)) }
        if let (type, range) = cursor.namedType { return text(range, describe(type, cursor, words)) }
        if let (event, category, range) = cursor.event { return text(range, describe(event, category, cursor, words)) }
        if let (column, _) = cursor.named {
            return text(column.place.range, [column.description.asProse] + describe(column, cursor, words))
        }
        if let category = cursor.category, category.place.range.touches(cursor.offset) {
            return text(
                category.place.range,
                [category.description, "```swift\nenum \(SwiftNames.typeName(category.name))\n```"])
        }
        guard let cell = cursor.cell else { return nil }
        if cell.row == nil { return cell.kind.map { text(cell.range, [words.describe($0)]) } }
        guard cell.sort == .details, let key = cell.text(.key, in: cursor.source).flatMap({ Details.Key(spelling: $0) })
        else { return nil }
        if cell.kind == .value, key == .trigger, let written = cell.text(.value, in: cursor.source),
            let trigger = try? LogTrigger(parsing: written)
        {
            return text(cell.range, [words.describe(trigger)])
        }
        return text(cell.range, [words.describe(key)])
    }

    private func describe(_ column: Column, _ cursor: CursorContext, _ words: TypeDescriptions) -> [String] {
        let swift = cursor.category.map { SwiftType.text(of: column, in: $0) } ?? SwiftType.text(of: column, in: nil)
        var parts = [
            "\(words.accepts): \(words.describe(column.type)); \(column.isRequired ? words.required : words.optional)"
        ]
        parts.append("```swift\n\(SwiftNames.escaped(SwiftNames.memberName(column.name))): \(swift)\n```")
        if let name = column.type.typeName,
            let type = cursor.definitions.types.first(where: { $0.name.isExactly(name) }),
            !type.description.isEmpty
        {
            parts.append(type.description)
        }
        return parts
    }

    private func describe(_ type: NamedType, _ cursor: CursorContext, _ words: TypeDescriptions) -> [String] {
        var parts = [type.description, "\(words.accepts): \(words.describe(type.valueType))"]
        if case .enumeration(let values) = type.kind, values.contains(where: { !$0.description.isEmpty }) {
            parts.append(values.prefix(30).map { "- `\($0.value)` \($0.description.asProse)" }.joined(separator: "\n"))
        }
        parts.append("```swift\n\(type.swift ?? SwiftNames.escaped(type.name))\n```")
        parts.append(words.uses(cursor.definitions.uses(of: type).count))
        return parts
    }

    private func describe(_ event: Event, _ category: Category, _ cursor: CursorContext, _ words: TypeDescriptions)
        -> [String]
    {
        var facts: [String] = []
        if event.status == .retired { facts.append(words.retired) }
        if let trigger = event.trigger { facts.append("\(words.due): \(words.describe(trigger))") }
        if let owner = event.details.owner?.value { facts.append("\(words.owner): \(owner.asProse)") }
        facts.append("\(words.version): \(cursor.file.session.versions[category.name, event.name])")
        var parts = [event.title.asProse, event.description, facts.joined(separator: "  \n")]
        if let call = SwiftType.call(event, of: category) { parts.append("```swift\n\(call)\n```") }
        return parts
    }
}

extension String {
    /// The content of a cell or heading as one Markdown paragraph. A line end in it could begin another block.
    fileprivate var asProse: String { split(whereSeparator: \.isNewline).joined(separator: " ") }
}
