import LogDefinitions
import LogProject
import LogTypes
import MarkdownSyntax

extension LanguageServer {
    func symbols(_ file: OpenFile) -> [DocumentSymbol] {
        let definitions = file.definitions
        let sections = Sections(of: file.source)
        if definitions.typesFile == file.index {
            return definitions.types.filter { $0.isDeclared }.sorted {
                $0.place.range.lowerBound < $1.place.range.lowerBound
            }.map {
                symbol($0, file, sections)
            }
        }
        if let common = definitions.common, common.file == file.index { return common.columns.map { symbol($0, file) } }
        guard let category = definitions.categories.first(where: { $0.file == file.index }) else { return [] }
        let events = category.events.map { event in
            symbol(
                event.name, detail: event.title, .event, event.place.range,
                until: sections.end(after: event.place.range.lowerBound), file,
                isDeprecated: event.status != .active, children: event.columns.map { symbol($0, file) })
        }
        return [
            symbol(
                category.name, detail: category.title, .namespace, category.place.range, until: file.source.bytes.count,
                file, children: events)
        ]
    }

    /// Returns the symbols as a list, for clients without support for trees.
    func flatSymbols(_ file: OpenFile) -> [SymbolInformation] {
        func flat(_ symbol: DocumentSymbol, in container: String?) -> [SymbolInformation] {
            let location = Location(uri: workspace.uri(file.index, in: file.folder), range: symbol.range)
            return [
                SymbolInformation(name: symbol.name, kind: symbol.kind, location: location, containerName: container)
            ]
                + symbol.children.flatMap { flat($0, in: symbol.name) }
        }
        return symbols(file).flatMap { flat($0, in: nil) }
    }

    private func symbol(_ column: Column, _ file: OpenFile) -> DocumentSymbol {
        symbol(
            column.name, detail: column.type.description + (column.isRequired ? "" : "?"), .field, column.place.range,
            until: file.source.lineRange(file.source.lineIndex(at: column.place.range.lowerBound)).upperBound, file,
            isDeprecated: column.status != .active)
    }

    private func symbol(_ type: NamedType, _ file: OpenFile, _ sections: Sections) -> DocumentSymbol {
        let end = sections.end(after: type.place.range.lowerBound)
        switch type.kind {
        case .enumeration(let values):
            return symbol(
                type.name, detail: nil, .enumeration, type.place.range, until: end, file,
                children: values.map {
                    symbol(
                        $0.value, detail: nil, .enumMember, $0.place.range,
                        until: file.source.lineRange(file.source.lineIndex(at: $0.place.range.lowerBound)).upperBound,
                        file)
                })
        case .scalar(let scalar):
            return symbol(type.name, detail: scalar.description, .structure, type.place.range, until: end, file)
        case .external: return symbol(type.name, detail: type.swift, .structure, type.place.range, until: end, file)
        }
    }

    /// Returns a symbol that begins at the start of its line.
    private func symbol(
        _ name: String, detail: String?, _ kind: DocumentSymbol.Kind, _ place: Range<Int>, until end: Int,
        _ file: OpenFile,
        isDeprecated: Bool = false, children: [DocumentSymbol] = []
    ) -> DocumentSymbol {
        let start = file.source.lineStarts[file.source.lineIndex(at: place.lowerBound)]
        return DocumentSymbol(
            // The protocol forbids empty and blank names.
            name: name.isEmpty ? "?" : name, detail: detail.flatMap { $0.isEmpty ? nil : $0 }, kind: kind,
            tags: isDeprecated ? [1] : nil,
            range: file.positions.span(start..<max(end, place.upperBound)), selectionRange: file.positions.span(place),
            children: children)
    }

    /// The maximum number of symbols in a response. With more results, users refine the query.
    private static let mostSymbols = 1_000

    func symbols(matching query: String) -> [SymbolInformation] {
        let letters = Array(query.lowercased().unicodeScalars)
        var found: [SymbolInformation] = []
        for folder in workspace.folders {
            let definitions = folder.session.analysis.definitions
            func add(
                _ name: String, _ title: String, _ kind: DocumentSymbol.Kind, _ place: Place, in container: String?
            ) {
                guard found.count < Self.mostSymbols, Self.matches(name + " " + title, letters) else { return }
                found.append(
                    SymbolInformation(
                        name: name, kind: kind, location: location(place, in: folder), containerName: container))
            }
            for type in definitions.types where type.isDeclared {
                if case .enumeration = type.kind {
                    add(type.name, "", .enumeration, type.place, in: "types")
                } else {
                    add(type.name, "", .structure, type.place, in: "types")
                }
            }
            for category in definitions.categories {
                add(category.name, category.title, .namespace, category.place, in: nil)
                for event in category.events {
                    add("\(category.name).\(event.name)", event.title, .event, event.place, in: category.name)
                }
            }
        }
        return found
    }

    /// Returns whether a string contains the letters in their order, which is how editors match.
    private static func matches(_ text: String, _ letters: [Unicode.Scalar]) -> Bool {
        var rest = letters[...]
        for scalar in text.lowercased().unicodeScalars where scalar == rest.first { rest.removeFirst() }
        return rest.isEmpty
    }
}

/// The ends of a file's sections, computed in one pass.
private struct Sections {
    private let source: SourceText
    /// The headings in order. A section ends at the next heading of level 1 or 2, or at the end of the file.
    private let headings: [(lines: ClosedRange<Int>, end: Int)]

    init(of source: SourceText) {
        self.source = source
        var headings: [(lines: ClosedRange<Int>, end: Int)] = []
        var end = source.bytes.count
        for block in MarkdownDocument(source).blocks.reversed() {
            guard case .heading(let heading) = block.content else { continue }
            headings.append((block.lines, end))
            if heading.level <= 2 { end = source.lineStarts[block.lines.lowerBound] }
        }
        self.headings = headings.reversed()
    }

    /// Returns the end of the section whose heading is at an offset. A definition in a table row ends with its line.
    func end(after offset: Int) -> Int {
        let line = source.lineIndex(at: offset)
        var (low, high) = (0, headings.count)
        while low < high {
            let middle = (low + high) / 2
            if headings[middle].lines.upperBound < line { low = middle + 1 } else { high = middle }
        }
        guard low < headings.count, headings[low].lines.contains(line) else { return source.lineRange(line).upperBound }
        return headings[low].end
    }
}
