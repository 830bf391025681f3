import LogDefinitions
import LogOutputs
import LogProject
import LogTypes
import MarkdownSyntax

/// Hovers: meanings, and the generated Swift.
extension LanguageServer {
    func hover(_ spot: Spot) -> HoverText? {
        let words = TypeWords(locale)
        func text(_ range: Range<Int>, _ parts: [String]) -> HoverText {
            HoverText(
                contents: MarkupContent(value: parts.filter { !$0.isEmpty }.joined(separator: "\n\n")),
                range: spot.span(range))
        }
        if let column = spot.typed { return text(column.typePlace.range, describe(column, spot, words)) }
        if let (type, range) = spot.namedType { return text(range, describe(type, spot, words)) }
        if let (event, category, range) = spot.event { return text(range, describe(event, category, spot, words)) }
        if let (column, _) = spot.named {
            return text(column.place.range, [column.description.asProse] + describe(column, spot, words))
        }
        if let category = spot.category, category.place.range.touches(spot.offset) {
            return text(
                category.place.range,
                [category.description, "```swift\nenum \(SwiftNames.typeName(category.name))\n```"])
        }
        guard let cell = spot.cell else { return nil }
        if cell.row == nil { return cell.kind.map { text(cell.range, [words.describe($0)]) } }
        guard cell.sort == .details, let key = cell.text(.key, in: spot.source).flatMap({ Details.Key(spelling: $0) })
        else { return nil }
        if cell.kind == .value, key == .trigger, let written = cell.text(.value, in: spot.source),
            let trigger = try? LogTrigger(parsing: written)
        {
            return text(cell.range, [words.describe(trigger)])
        }
        return text(cell.range, [words.describe(key)])
    }

    private func describe(_ column: Column, _ spot: Spot, _ words: TypeWords) -> [String] {
        let swift = spot.category.map { SwiftType.text(of: column, in: $0) } ?? SwiftType.text(of: column, in: nil)
        var parts = [
            "\(words.accepts): \(words.describe(column.type)); \(column.isRequired ? words.required : words.optional)"
        ]
        parts.append("```swift\n\(SwiftNames.escaped(SwiftNames.memberName(column.name))): \(swift)\n```")
        if let name = column.type.typeName, let type = spot.definitions.types.first(where: { $0.name.isExactly(name) }),
            !type.description.isEmpty
        {
            parts.append(type.description)
        }
        return parts
    }

    private func describe(_ type: NamedType, _ spot: Spot, _ words: TypeWords) -> [String] {
        var parts = [type.description, "\(words.accepts): \(words.describe(type.valueType))"]
        if case .enumeration(let values) = type.kind, values.contains(where: { !$0.description.isEmpty }) {
            parts.append(values.prefix(30).map { "- `\($0.value)` \($0.description.asProse)" }.joined(separator: "\n"))
        }
        parts.append("```swift\n\(type.swift ?? SwiftNames.escaped(type.name))\n```")
        parts.append(words.uses(spot.definitions.uses(of: type).count))
        return parts
    }

    private func describe(_ event: Event, _ category: Category, _ spot: Spot, _ words: TypeWords) -> [String] {
        var facts: [String] = []
        if event.status == .retired { facts.append(words.retired) }
        if let trigger = event.trigger { facts.append("\(words.due): \(words.describe(trigger))") }
        if let owner = event.details.owner?.value { facts.append("\(words.owner): \(owner.asProse)") }
        facts.append("\(words.version): \(spot.file.session.versions[category.name, event.name])")
        var parts = [event.title.asProse, event.description, facts.joined(separator: "  \n")]
        if let call = SwiftType.call(event, of: category) { parts.append("```swift\n\(call)\n```") }
        return parts
    }
}

extension String {
    /// A cell's content as a Markdown paragraph. Without line ends, it cannot begin another block.
    fileprivate var asProse: String { split(whereSeparator: \.isNewline).joined(separator: " ") }
}
