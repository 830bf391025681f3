import Foundation
import LogDefinitions
import LogProject
import LogTypes
import MarkdownSyntax

extension LanguageServer {
    func completions(_ cursor: CursorContext) -> [CompletionItem] {
        guard let cell = cursor.cell else { return [] }
        guard cell.row != nil else { return missingHeaders(cursor, cell) }
        switch (cell.sort, cell.kind) {
        case (.columns, .type), (.events, .type): return types(cursor)
        case (.columns, let kind?), (.events, let kind?): return values(cursor, cell, of: kind)
        case (.details, .key): return keys(cursor, cell)
        case (.details, .value):
            let key = cell.text(.key, in: cursor.source).flatMap { Details.Key(spelling: $0) }
            return key.map { values(cursor, cell, ofKey: $0) } ?? []
        case (.values, _), (.details, _), (.columns, nil), (.events, nil), (.unknown, _): return []
        }
    }

    /// - Parameter range: the range that a completion replaces; nil for the word around the cursor.
    private func items(
        _ cursor: CursorContext, _ kind: CompletionItem.Kind, _ words: [String],
        replacing range: Range<Int>? = nil, rank: Int = 0
    ) -> [CompletionItem] {
        let span = cursor.span(range ?? cursor.word)
        return words.enumerated().map { index, word in
            let number = String(index)
            return CompletionItem(
                label: word, kind: kind,
                sortText: "\(rank)" + String(repeating: "0", count: max(0, 5 - number.count)) + number,
                filterText: word, textEdit: TextEdit(range: span, newText: word))
        }
    }

    // MARK: Types

    private func types(_ cursor: CursorContext) -> [CompletionItem] {
        let types = cursor.definitions.types
        var own = items(cursor, .type, types.map(\.name))
        for (index, type) in types.enumerated() {
            switch type.kind {
            case .enumeration(let values):
                own[index].kind = .enumeration
                own[index].detail = "enum(\(values.map(\.value).joined(separator: ", ")))"
            case .scalar(let scalar): own[index].detail = scalar.description
            case .external: own[index].detail = type.swift
            }
        }
        let names =
            ["string", "string(256)", "int", "int64", "int32", "int(0...)", "double", "bool"]
            + StringFormat.all.map(\.type.description)
            + ["enum(", "int8", "int16", "uint8", "uint16", "uint32", "float"]
        return own + items(cursor, .keyword, names, rank: 1)
    }

    // MARK: Headers and cells

    private func missingHeaders(_ cursor: CursorContext, _ cell: CursorContext.Cell) -> [CompletionItem] {
        let used = Set(cell.kinds.enumerated().filter { $0.offset != cell.index }.compactMap(\.element))
        let kinds: [HeaderKind]
        if cursor.file.file.kind == .types {
            kinds = [.value, .description, .key]
        } else if used == [.key] || used == [.value] {
            kinds = [.key, .value]
        } else {
            let columns: [HeaderKind] = [
                .column, .type, .required, .description, .example, .privacy, .platforms, .since, .deprecated, .event,
            ]
            kinds = used.isEmpty ? columns + [.key, .value] : columns
        }
        return items(
            cursor, .keyword,
            kinds.filter { !used.contains($0) }.map { $0.spelling(inJapanese: cell.isJapanese) },
            replacing: cell.range.touches(cursor.offset) ? cell.range : nil)
    }

    private func values(_ cursor: CursorContext, _ cell: CursorContext.Cell, of kind: HeaderKind) -> [CompletionItem] {
        switch kind {
        case .required, .optional:
            return items(cursor, .value, cell.isJapanese ? ["必須", "任意"] : ["yes", "no"], replacing: cell.range)
        case .privacy: return values(cursor, cell, ofKey: .privacy)
        case .platforms: return values(cursor, cell, ofKey: .platforms)
        case .since: return values(cursor, cell, ofKey: .since)
        case .deprecated: return values(cursor, cell, ofKey: .deprecated)
        case .example:
            guard let type = cell.text(.type, in: cursor.source) else { return [] }
            return items(
                cursor, .member, cursor.definitions.enumerationValues(of: type), replacing: cell.range)
        case .column:
            // A column name has one type across all events, so a known name also completes its type.
            var seen: Set<String> = []
            var names: [(name: String, type: String)] = []
            cursor.definitions.forEachColumns { columns, areCommon in
                guard !areCommon else { return }
                for column in columns
                where column.status == .active && seen.insert(column.name).inserted && !column.place.touches(cursor) {
                    names.append((column.name, column.type.description))
                }
            }
            names.sort { $0.name < $1.name }
            var items = items(cursor, .field, names.map(\.name), replacing: cell.range)
            for index in items.indices { items[index].detail = names[index].type }
            return items
        case .type, .description, .event, .key, .value, .formerName: return []
        }
    }

    // MARK: Details

    private func keys(_ cursor: CursorContext, _ cell: CursorContext.Cell) -> [CompletionItem] {
        let areOfTypes = cursor.file.file.kind == .types
        let used = cursor.keysInOtherRows
        let keys = Details.Key.allCases.filter { $0.isOfTypes == areOfTypes && !used.contains($0) }
        return items(
            cursor, .property,
            keys.map { (cell.isJapanese ? $0.japanese : nil) ?? $0.rawValue }, replacing: cell.range)
    }

    private func values(_ cursor: CursorContext, _ cell: CursorContext.Cell, ofKey key: Details.Key) -> [CompletionItem]
    {
        func all(_ words: [String]) -> [CompletionItem] { items(cursor, .value, words, replacing: cell.range) }
        switch key {
        case .trigger:
            let before = cursor.source.string(cell.range.lowerBound..<max(cell.range.lowerBound, cursor.offset))
            guard before.hasPrefix("tap(") else {
                let examples = LogTrigger.Kind.allCases.filter { $0 != .tap }.flatMap { kind in
                    kind.example == kind.rawValue ? [kind.rawValue] : [kind.rawValue, kind.example]
                }
                return all(examples + ["tap("])
            }
            return items(
                cursor, .member, tapTargets(cursor), replacing: cursor.source.dottedWord(around: cursor.offset))
        case .privacy: return all(LogPrivacy.allCases.map(\.rawValue))
        case .platforms: return items(cursor, .value, Platform.allCases.map(\.rawValue))
        case .owner, .since, .expires: return all(cursor.definitions.valuesMostFrequentFirst(key))
        case .sampling: return all(["1%", "10%", "50%", "100%"])
        case .deprecated:
            let events = cursor.category?.events.filter { $0.status == .active } ?? []
            return items(cursor, .event, events.map { "use \($0.name)" }, replacing: cell.range)
        case .renamedFrom, .swift: return []
        }
    }

    private func tapTargets(_ cursor: CursorContext) -> [String] {
        var targets: Set<String> = []
        for category in cursor.definitions.categories {
            for case .tap(let target)? in category.events.lazy.map(\.trigger) { targets.insert(target) }
        }
        let configuration = cursor.file.session.configuration
        targets.formUnion(
            ButtonNames.found(in: configuration.sources, buttons: ["UIButton"] + configuration.taps.buttons))
        return targets.sorted()
    }
}

/// A textual search for the names of buttons. Only `tapgen` parses Swift.
private enum ButtonNames {
    static func found(in sources: [String], buttons: [String]) -> Set<String> {
        guard !sources.isEmpty, let files = try? Sources.find(sources, .swift) else { return [] }
        var names: Set<String> = []
        for file in files.prefix(5_000) {
            guard let bytes = try? FileSystem.read(file.path) else { continue }
            var type: Substring?
            for line in String(decoding: bytes, as: UTF8.self).split(separator: "\n") {
                let words = line.split { !($0.isLetter || $0.isNumber || $0 == "_") }
                for keyword in ["class", "struct", "extension", "actor"] {
                    if let index = words.firstIndex(where: { $0 == keyword }), index + 1 < words.count,
                        words[index + 1] != "func",
                        words[index + 1] != "var"
                    {
                        type = words[index + 1]
                    }
                }
                guard let type, let index = words.firstIndex(where: { $0 == "let" || $0 == "var" }),
                    index + 1 < words.count,
                    words[(index + 1)...].contains(where: { buttons.contains(String($0)) })
                else { continue }
                names.insert("\(type).\(words[index + 1])")
            }
        }
        return names
    }
}

extension CursorContext {
    fileprivate var keysInOtherRows: Set<Details.Key> {
        let line = source.lineIndex(at: offset)
        for block in MarkdownDocument(source).blocks where block.lines.contains(line) {
            guard case .table(let table) = block.content, let index = cell?.kinds.firstIndex(of: .key) else {
                return []
            }
            return Set(
                table.rows.filter { $0.line != line && $0.cells.count > index }.compactMap {
                    Details.Key(spelling: String(withoutBackticks($0.cells[index].text(in: source)[...])))
                })
        }
        return []
    }
}

extension Place {
    fileprivate func touches(_ cursor: CursorContext) -> Bool {
        file == cursor.file.index && range.touches(cursor.offset)
    }
}

extension Definitions {
    fileprivate func valuesMostFrequentFirst(_ key: Details.Key) -> [String] {
        var counts: [String: Int] = [:]
        for category in categories {
            for details in [category.details] + category.events.map(\.details) {
                for (other, text) in details.texts where other == key { counts[text, default: 0] += 1 }
            }
        }
        return counts.sorted { ($1.value, $0.key) < ($0.value, $1.key) }.map(\.key)
    }

    fileprivate func enumerationValues(of type: String) -> [String] {
        guard let parsed = try? TypeNotation.parse(type).type.element else { return [] }
        if case .enumeration(let enumeration) = parsed { return enumeration.values }
        guard case .named(let named) = parsed,
            case .enumeration(let values)? = types.first(where: { $0.name.isExactly(named.name) })?.kind
        else {
            return parsed == .boolean ? ["true", "false"] : []
        }
        return values.map(\.value)
    }
}
