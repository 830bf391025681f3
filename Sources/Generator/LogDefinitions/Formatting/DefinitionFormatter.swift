import MarkdownSyntax

/// A file in the canonical form of `loggen format`.
package struct FormattedFile: Sendable, Equatable {
    package var path: String
    package var bytes: [UInt8]
    /// Indicates whether the file does not exist yet.
    package var isNew: Bool
}

/// `loggen format`: writes definitions in canonical form. The command keeps the meaning of the definitions and the line
/// ends. A second run of the command changes nothing.
///
/// Tables are aligned by display width. Tables in notes are not changed, because the model contains notes as written. A
/// table with a row that has too many cells is not changed either: the extra cells have no column, and only the author
/// may delete them. Lists of columns (the format of cookpad/daifuku) become tables if the file has no errors and a
/// table can express their whole content. Types that only lists name are declared in `types.md`, because a table may
/// name only declared types.
package enum DefinitionFormatter {
    /// Returns the files that differ from their canonical form, in the order of `definitions.files`. A new `types.md`
    /// is last.
    /// - Parameter mayDeclare: whether `types.md` may be changed.
    package static func format(_ analysis: Analysis, mayDeclare: Bool = true) async -> [FormattedFile] {
        let definitions = analysis.definitions
        // A declaration with an error is not known, so its type would be declared twice.
        let isBroken = analysis.diagnostics.contains {
            $0.severity == .error && $0.place.file == definitions.typesFile
        }
        let declares = mayDeclare && !isBroken
        let columns = listedColumns(of: analysis, declaresTypes: declares)
        let files = definitions.files
        let texts = await inParallel(sizes: files.map(\.source.bytes.count)) { index in
            DocumentFormatter.format(files[index], columns: columns[index])
        }

        var formatted: [FormattedFile] = []
        let undeclared = declares ? definitions.types.filter { !$0.isDeclared } : []
        for (index, (file, text)) in zip(files, texts).enumerated() {
            var text = text
            if index == definitions.typesFile { append(declarations(of: undeclared), to: &text) }
            guard text != file.source.bytes else { continue }
            if file.source.byteOrderMarkLength > 0 { text.insert(contentsOf: [0xEF, 0xBB, 0xBF], at: 0) }
            formatted.append(FormattedFile(path: file.path, bytes: text, isNew: false))
        }
        if definitions.typesFile == nil, !undeclared.isEmpty {
            let text = "# types\n" + declarations(of: undeclared)
            formatted.append(FormattedFile(path: definitions.typesPath, bytes: Array(text.utf8), isNew: true))
        }
        return formatted
    }

    /// Returns the files that still contain a list of columns after formatting. `hasErrors` indicates whether the
    /// file's errors are the reason.
    package static func filesWithLists(_ formatted: [FormattedFile], of analysis: Analysis) -> [(
        path: String, hasErrors: Bool
    )] {
        let changed = Dictionary(
            formatted.map { (ExactString($0.path), $0.bytes) }, uniquingKeysWith: { first, _ in first })
        return analysis.definitions.files.indices.compactMap { index in
            let file = analysis.definitions.files[index]
            let source = changed[ExactString(file.path)].map { SourceText($0) } ?? file.source
            guard source.occurrences(of: [0x3A], limit: 1).count > 0, source.firstInvalidUTF8 == nil else {
                return nil
            }
            let problems = analysis.diagnostics.filter { $0.place.file == index }
            let isList = MarkdownDocument(source).hasColumnList
            guard isList || problems.contains(where: { $0.rule == .listColumn }) else { return nil }
            return (file.path, problems.contains { $0.severity == .error })
        }
    }

    /// Returns one file in canonical form; nil without changes. A file's lists of columns are not changed if they
    /// contain types that `types.md` does not declare.
    package static func format(_ index: Int, of analysis: Analysis) -> [UInt8]? {
        let file = analysis.definitions.files[index]
        let columns = listedColumns(of: analysis, declaresTypes: false)[index]
        let text = DocumentFormatter.format(file, columns: columns)
        return text == file.source.bytes ? nil : text
    }

    /// The columns of the lists that may become tables, by file. Empty for a file with an error. A table may name only
    /// declared types.
    private static func listedColumns(of analysis: Analysis, declaresTypes: Bool) -> [[Column]] {
        let definitions = analysis.definitions
        var columns = [[Column]](repeating: [], count: definitions.files.count)
        if let common = definitions.common { columns[common.file] = common.columns }
        for category in definitions.categories {
            columns[category.file] += category.events.flatMap(\.columns)
        }
        // A second list is an error. After a conversion it would no longer be reported, and its columns would be lost.
        for diagnostic in analysis.diagnostics where diagnostic.severity == .error || diagnostic.rule == .secondTable {
            if columns.indices.contains(diagnostic.place.file) { columns[diagnostic.place.file] = [] }
        }
        let undeclared = declaresTypes ? [] : Set(definitions.types.filter { !$0.isDeclared }.map(\.name))
        return columns.map { columns in
            columns.contains { $0.type.typeName.map(undeclared.contains) ?? false } ? [] : columns
        }
    }

    private static func declarations(of types: [NamedType]) -> String {
        types.map { type in
            let swift = type.swift ?? type.name
            let width = max(5, swift.utf8.count)
            let rows = [("key", "value"), ("-----", String(repeating: "-", count: width)), ("swift", swift)].map {
                key, value in
                "| \(key)\(String(repeating: " ", count: 5 - key.utf8.count)) | \(value)\(String(repeating: " ", count: width - value.utf8.count)) |\n"
            }
            return "\n## \(type.name)\n\n" + rows.joined()
        }.joined()
    }

    private static func append(_ declarations: String, to text: inout [UInt8]) {
        guard !declarations.isEmpty else { return }
        let isCRLF = text.suffix(2) == [0x0D, 0x0A]
        var added = isCRLF ? declarations.utf8.flatMap { $0 == 0x0A ? [0x0D, 0x0A] : [$0] } : Array(declarations.utf8)
        let source = SourceText(text)
        let blocks = MarkdownDocument(source).blocks
        guard let last = blocks.last, last.mayBeOpen else {
            text += added
            return
        }
        // An unclosed fence or comment at the end would contain appended declarations. The declarations are inserted
        // before the first type's heading instead, because all blocks above a heading are closed.
        let lineEnd = isCRLF ? 2 : 1
        added = Array(added.dropFirst(lineEnd)) + Array(added.prefix(lineEnd))
        text.insert(
            contentsOf: added, at: source.lineStarts[(blocks.first(where: \.isTypeHeading) ?? last).lines.lowerBound])
    }
}

extension Block {
    fileprivate var mayBeOpen: Bool {
        switch content {
        case .other(.code), .other(.html): true
        default: false
        }
    }

    fileprivate var isTypeHeading: Bool {
        if case .heading(let heading) = content { heading.level == 2 } else { false }
    }
}
