import MarkdownSyntax

/// A file in the canonical form of `loggen format`.
package struct FormattedFile: Sendable, Equatable {
    package var path: String
    package var bytes: [UInt8]
}

/// `loggen format`: writes definitions in canonical form. The command keeps the meaning of the definitions and the line
/// ends. A second run of the command changes nothing.
///
/// Tables are aligned by display width. Tables in notes are not changed, because the model contains notes as written. A
/// table with a row that has too many cells is not changed either: only the author may delete the extra cells.
package enum DefinitionFormatter {
    /// Returns the files that differ from their canonical form, in the order of `definitions.files`.
    package static func format(_ analysis: Analysis) async -> [FormattedFile] {
        let files = analysis.definitions.files
        let texts = await inParallel(sizes: files.map(\.source.bytes.count)) { DocumentFormatter.format(files[$0]) }
        return zip(files, texts).compactMap { file, text in
            guard text != file.source.bytes else { return nil }
            let mark: [UInt8] = file.source.byteOrderMarkLength > 0 ? [0xEF, 0xBB, 0xBF] : []
            return FormattedFile(path: file.path, bytes: mark + text)
        }
    }
}
