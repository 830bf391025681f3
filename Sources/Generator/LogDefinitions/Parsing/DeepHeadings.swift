import MarkdownSyntax

/// A heading of level 3 or deeper and the content under it. Such a heading begins notes.
struct DeepHeading: Sendable {
    var name: Name
    var level: Int
    var range: Range<Int>
    /// The first table or list below the heading that would define something under an event.
    var definition: Range<Int>?
    /// Whether that definition is a table of columns.
    var hasColumnTable = false
    var hasCode: Bool
    /// Whether words stand on both sides of the name.
    var isSentence: Bool
    var text: String
    var context: SectionBody.Context
}

/// Headings that somebody may have meant as an event, but that have too many `#`.
extension FileParser {
    mutating func collectDeepHeadings(_ blocks: ArraySlice<Block>, in context: SectionBody.Context) {
        for block in blocks {
            switch block.content {
            case .heading(let heading):
                deepHeadings.append(
                    DeepHeading(
                        name: Name(heading: heading, in: source, file: file), level: heading.level,
                        range: heading.range,
                        hasCode: heading.code != nil,
                        isSentence: heading.code != nil && !heading.before.allSatisfy { $0 == " " }
                            && !heading.after.allSatisfy { $0 == " " },
                        text: heading.text, context: context))
            case .table(let table): note(definition(table, block, in: context))
            case .list(let list):
                if context != .type, isColumnList(list) { note((source.lineRange(block.lines.lowerBound), false)) }
            case .other: break
            }
        }
    }

    private mutating func note(_ definition: (range: Range<Int>, isColumnTable: Bool)?) {
        guard let definition, let last = deepHeadings.indices.last,
            deepHeadings[last].definition == nil || definition.isColumnTable
        else { return }
        deepHeadings[last].definition = definition.range
        deepHeadings[last].hasColumnTable = definition.isColumnTable
    }

    private func definition(_ table: Table, _ block: Block, in context: SectionBody.Context) -> (
        range: Range<Int>, isColumnTable: Bool
    )? {
        let place = cellRange(table.header, 0) ?? block.range
        switch kind(of: table, in: context) {
        case .columns, .events: return (place, true)
        case .values: return (place, false)
        case .details:
            let key = table.rows.first?.cells.first?.text(in: source) ?? ""
            return Details.Key(spelling: String(withoutBackticks(key[...]))) == nil ? nil : (place, false)
        case .unknown, .none: return nil
        }
    }

    /// `names` are the names that a note's heading may mention.
    mutating func reportDeepHeadings(names: Set<String>) {
        for heading in deepHeadings {
            let isMeant = isMeantAsDefinition(heading, names)
            if isMeant {
                let what = heading.context == .type ? "a type" : "an event"
                let hashes = String(repeating: "#", count: heading.level)
                let identifier = Name.isIdentifier(heading.name.identifier) || heading.context == .type
                let written =
                    identifier
                    ? source.string(heading.range) : Name.suggestedIdentifier(for: heading.text) ?? "show_recipe"
                report(
                    .deepHeading,
                    "a heading with `\(hashes)` is a note and defines nothing, but this one reads like \(what)",
                    at: heading.range,
                    notes: [
                        .help("for \(what) write `## \(written)`", .replaceLine("## \(written)")),
                        .help(
                            "for a note write more than a name, as in `\(hashes) Notes on \(heading.text)`",
                            .replaceLine("\(hashes) Notes on \(heading.text)")),
                    ])
                if heading.definition != nil { diagnostics[diagnostics.count - 1].severity = .error }
            } else if let table = heading.definition, heading.hasColumnTable {
                report(
                    .misplacedTable, "a column table below a `###` heading is a note and defines nothing", at: table,
                    notes: [.help("move it above the `###` heading")])
                diagnostics[diagnostics.count - 1].severity = .warning
            }
        }
    }

    /// Whether the heading is a name alone, or a title and a name in backticks. In addition, a definition must stand
    /// below it, or its name must differ from all names that a note may mention.
    private func isMeantAsDefinition(_ heading: DeepHeading, _ names: Set<String>) -> Bool {
        let name = heading.name.identifier
        switch heading.context {
        case .common: return false
        case .type:
            let parts = name.split(separator: ":", maxSplits: 1).map { trimmed($0) }
            guard let first = parts.first, TypeNotation.isTypeName(first) else { return false }
            return heading.definition != nil || (parts.count == 2 && (try? TypeNotation.parse(String(parts[1]))) != nil)
        case .category, .event:
            if Name.isIdentifier(name) {
                return heading.definition != nil || (!heading.isSentence && !names.contains(name))
            }
            // `### Clear` above a table of columns is meant as a definition; `### History of changes` is a note.
            return heading.definition != nil && !heading.hasCode && TypeNotation.isTypeName(heading.text)
        }
    }
}
