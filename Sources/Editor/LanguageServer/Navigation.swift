import LogDefinitions
import LogProject
import LogTypes
import MarkdownSyntax

extension LanguageServer {
    func definitions(_ cursor: CursorContext) -> [Location] {
        if let (type, _) = cursor.namedType { return [location(type.place, in: cursor.file.folder)] }
        if let (event, _, _) = cursor.event { return [location(event.place, in: cursor.file.folder)] }
        return []
    }

    func references(_ cursor: CursorContext, withDeclaration: Bool) -> [Location] {
        let places: [Place]
        if let (type, _) = cursor.namedType {
            places = (withDeclaration ? [type.place] : []) + cursor.definitions.uses(of: type)
        } else if let (event, category, _) = cursor.event {
            places = (withDeclaration ? [event.place] : []) + cursor.definitions.mentions(of: event, category)
        } else if let (column, _) = cursor.named {
            // A column name has one type and one meaning across all events.
            places = cursor.definitions.columns(named: column.name).filter { withDeclaration || $0 != column.place }
        } else {
            places = []
        }
        return places.sorted { ($0.file, $0.range.lowerBound) < ($1.file, $1.range.lowerBound) }.map {
            location($0, in: cursor.file.folder)
        }
    }

    func prepareRename(_ cursor: CursorContext?) throws(ResponseError) -> PreparedRename? {
        guard let cursor else { return nil }
        if let (type, range) = cursor.namedType {
            return PreparedRename(range: cursor.span(range), placeholder: type.name)
        }
        if let (event, _, range) = cursor.event {
            return PreparedRename(range: cursor.span(range), placeholder: event.name)
        }
        if let (column, _) = cursor.named {
            return PreparedRename(range: cursor.span(column.place.range), placeholder: column.name)
        }
        throw .refused("only events, columns and types of `types.md` can be renamed")
    }

    func rename(_ cursor: CursorContext?, to name: String) async throws(ResponseError) -> WorkspaceEdit? {
        guard let cursor else { return nil }
        let replacements =
            if let (type, _) = cursor.namedType {
                try Self.renaming(type, to: name, in: cursor.definitions)
            } else {
                try Self.renamingLogged(cursor, to: name)
            }
        if let problem = await cursor.file.session.firstNewErrorMessage(after: replacements) {
            throw .refused(problem)
        }
        let edits = Dictionary(grouping: replacements, by: \.file).sorted { $0.key < $1.key }
        return edit(
            edits.map { file, replacements in
                let positions = workspace.positions(file, in: cursor.file.folder)
                return (
                    workspace.uri(file, in: cursor.file.folder),
                    replacements.map {
                        TextEdit(range: positions.span($0.replacement.range), newText: $0.replacement.text)
                    }
                )
            })
    }

    private typealias Replacements = [(file: Int, replacement: SourceText.Replacement)]

    private static func renaming(_ type: NamedType, to name: String, in definitions: Definitions)
        throws(ResponseError) -> Replacements
    {
        guard TypeNotation.isTypeName(name) else {
            throw .refused(
                "`\(name)` is not a type name: type names begin with a letter and contain only letters, digits and `_`")
        }
        guard !TypeNotation.isBuiltIn(name) else { throw .refused("`\(name)` is a built-in type") }
        guard !definitions.types.contains(where: { $0.name.isExactly(name) && !$0.name.isExactly(type.name) }) else {
            throw .refused("the type `\(name)` already exists")
        }
        let places = Set([type.place] + definitions.uses(of: type)).sorted {
            ($0.file, $0.range.lowerBound) < ($1.file, $1.range.lowerBound)
        }
        return places.map { ($0.file, ($0.range, name)) }
    }

    /// If the lock file contains the name, the replacements also write it as a former name. A former name that becomes
    /// the current one is removed.
    private static func renamingLogged(_ cursor: CursorContext, to name: String) throws(ResponseError) -> Replacements {
        guard Name.isIdentifier(name) else {
            throw .refused(
                "`\(name)` is not an identifier: identifiers begin with a lowercase letter and contain only `a-z`, `0-9` "
                    + "and `_`")
        }
        let lock = cursor.file.folder.session.lock?.latest
        if let (event, category, _) = cursor.event {
            let source = cursor.definitions.files[event.place.file].source
            var replacements: Replacements = [(event.place.file, (event.place.range, name))]
            for mention in cursor.definitions.mentions(of: event, category) {
                let isQualified = cursor.definitions.files[mention.file].source.string(mention.range).contains(".")
                replacements.append((mention.file, (mention.range, isQualified ? "\(category.name).\(name)" : name)))
            }
            let isKnown = ([category.name] + category.formerNames.map(\.name)).contains {
                lock?.entries["\($0).\(event.name)"] != nil
            }
            let isReturn = event.formerNames.contains { $0.name == "\(category.name).\(name)" }
            if isKnown || isReturn {
                let former = source.adding(
                    formerName: isKnown ? event.name : nil, to: event, removing: [name, "\(category.name).\(name)"])
                guard let former else {
                    throw .refused("the event is a row of a table: write its former name by hand, in its own section")
                }
                replacements.append((event.place.file, former))
            }
            return replacements
        } else if let (column, event) = cursor.named {
            let source = cursor.definitions.files[column.place.file].source
            let category = cursor.definitions.categories.first { $0.file == column.place.file }
            // Records have the column under each name of its event; a common column, in those of all events.
            let events =
                event.map { ["\(category?.name ?? "").\($0.name)"] + $0.formerNames.map(\.name) }
                ?? lock.map { Array($0.entries.keys) } ?? []
            let isKnown =
                lock?.earlierShapes(of: events).contains { _, shape in
                    (shape.columns + shape.common).contains { $0.name == column.name }
                } ?? false
            guard isKnown || column.formerNames.contains(where: { $0.name == name }) else {
                return [(column.place.file, (column.place.range, name))]
            }
            guard
                let row = source.adding(
                    formerName: isKnown ? column.name : nil, toRowAt: column.place.range, newName: name)
            else { throw .refused("write the columns as a table, which has a column for former names") }
            return [(column.place.file, row)]
        } else {
            throw .refused("only events, columns and types of `types.md` can be renamed")
        }
    }

    /// Returns an edit of documents in the form that the client supports.
    func edit(_ changes: [(uri: String, edits: [TextEdit])], others: [WorkspaceEdit.Operation] = []) -> WorkspaceEdit {
        guard client.workspace?.workspaceEdit?.documentChanges == true || !others.isEmpty else {
            return WorkspaceEdit(changes: Dictionary(changes.map { ($0.uri, $0.edits) }, uniquingKeysWith: +))
        }
        return WorkspaceEdit(
            documentChanges: others
                + changes.map {
                    .edits(
                        .init(
                            textDocument: .init(uri: $0.uri, version: workspace.document($0.uri)?.version),
                            edits: $0.edits))
                })
    }

    func canChangeFiles(_ operation: String) -> Bool {
        let edits = client.workspace?.workspaceEdit
        return edits?.documentChanges == true && edits?.resourceOperations?.contains(operation) == true
    }
}

extension Session {
    fileprivate func firstNewErrorMessage(after edits: [(file: Int, replacement: SourceText.Replacement)]) async
        -> String?
    {
        var files = analysis.definitions.files
        for (file, edit) in edits.sorted(by: { $0.replacement.range.lowerBound > $1.replacement.range.lowerBound }) {
            var bytes = files[file].source.bytes
            bytes.replaceSubrange(edit.range, with: edit.text.utf8)
            files[file] = SourceFile(
                path: files[file].path, relativePath: files[file].relativePath, module: files[file].module,
                source: SourceText(bytes))
        }
        // The session's diagnostics depend on the lock file, which has the old names.
        func errors(in files: [SourceFile]) async -> [Diagnostic] {
            await Analysis.run(files, options: configuration.analysis).diagnostics.filter { $0.severity == .error }
        }
        let (old, new) = (await errors(in: analysis.definitions.files), await errors(in: files))
        let known = Set(old.map { ExactString($0.message) })
        // An old error may have the former name in its message, so errors are counted.
        return new.first { error in
            !known.contains(ExactString(error.message))
                && new.count(where: { $0.rule == error.rule }) > old.count(where: { $0.rule == error.rule })
        }?.message
    }
}

extension Definitions {
    func uses(of type: NamedType) -> [Place] {
        var places: [Place] = []
        forEachColumns { columns, _ in
            for column in columns where column.type.typeName.map({ $0.isExactly(type.name) }) ?? false {
                let source = files[column.typePlace.file].source
                var rest = column.typePlace.range
                // A type contains its name once. The name may also be part of a longer word.
                while let range = source.firstRange(of: type.name, in: rest) {
                    if source.word(around: range.lowerBound) == range {
                        places.append(Place(file: column.typePlace.file, range: range))
                        break
                    }
                    rest = range.upperBound..<rest.upperBound
                }
            }
        }
        return places
    }

    /// Returns the mentions of an event: `category.event` anywhere, and its name in deprecations of its category.
    func mentions(of event: Event, _ category: Category) -> [Place] {
        var places: [Place] = []
        let whole = Array("\(category.name).\(event.name)".utf8)
        for (index, file) in files.enumerated() {
            for offset in file.source.occurrences(of: whole) {
                let range = offset..<(offset + whole.count)
                // A full stop after the name ends a sentence.
                var word = file.source.dottedWord(around: offset)
                while word.upperBound > range.upperBound, file.source.bytes[word.upperBound - 1] == UInt8(ascii: ".") {
                    word = word.lowerBound..<(word.upperBound - 1)
                }
                if word == range { places.append(Place(file: index, range: range)) }
            }
        }
        let source = files[category.file].source
        let name = Array(event.name.utf8)
        for cell in source.deprecationCells {
            for offset in source.occurrences(of: name, in: cell) {
                let range = offset..<(offset + name.count)
                // `category.event` was found above.
                let isQualified = offset > cell.lowerBound && source.bytes[offset - 1] == UInt8(ascii: ".")
                if source.word(around: offset) == range, !isQualified {
                    places.append(Place(file: category.file, range: range))
                }
            }
        }
        return places
    }

    func columns(named name: String) -> [Place] {
        var places: [Place] = []
        forEachColumns { columns, _ in places += columns.filter { $0.name.isExactly(name) }.map(\.place) }
        return places
    }
}

extension SourceText {
    fileprivate var deprecationCells: [Range<Int>] {
        MarkdownDocument(self).blocks.flatMap { block -> [Range<Int>] in
            guard case .table(let table) = block.content else { return [] }
            let kinds = table.header.cells.map { HeaderKind($0.text(in: self)) }
            if kinds.count == 2, let key = kinds.firstIndex(of: .key), let value = kinds.firstIndex(of: .value) {
                return table.rows.filter { $0.cells.count == 2 }.compactMap { row in
                    let spelling = String(withoutBackticks(row.cells[key].text(in: self)[...]))
                    return Details.Key(spelling: spelling) == .deprecated ? row.cells[value].range : nil
                }
            }
            guard let column = kinds.firstIndex(of: .deprecated) else { return [] }
            return table.rows.compactMap { $0.cells.indices.contains(column) ? $0.cells[column].range : nil }
        }
    }
}
