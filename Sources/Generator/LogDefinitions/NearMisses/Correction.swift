import MarkdownSyntax

/// Reads proposed corrections back. The corrected file has fewer mistakes and all definitions of the file as it is, or
/// the correction is not proposed. As each correction removes a mistake, no sequence of corrections is a cycle.
struct CorrectionCheck {
    let file: SourceFile
    /// Parses a file like this one.
    let parse: (SourceFile) -> ParsedFile
    private let current: ParsedFile
    private let names: [String: Int]
    /// The bytes that may still be read. Beyond them, a help keeps its word and has no edit.
    private var budget = 4 << 20

    init(_ file: SourceFile, _ current: ParsedFile, parse: @escaping (SourceFile) -> ParsedFile) {
        (self.file, self.current, self.parse) = (file, current, parse)
        names = current.content.definedNames
    }

    /// The diagnostics without the corrections that do not read back.
    mutating func checked() -> [Diagnostic] {
        var diagnostics = current.diagnostics
        for index in diagnostics.indices {
            let count = diagnostics[index].notes.count
            diagnostics[index].notes = diagnostics[index].notes.compactMap { note in
                guard let edit = note.edit else { return note }
                let effect = effect(of: edit, of: current.diagnostics[index])
                guard effect != .correction else { return note }
                var note = note
                note.edit = nil
                // The text of the help repeats an edit that writes lines. Another word is right in spite of another
                // mistake.
                if case .replace = edit, effect == .otherMistake { return note }
                return edit.writes ? nil : note
            }
            let notes = diagnostics[index].notes
            if notes.count < count, !notes.contains(where: { $0.kind == .help }) {
                diagnostics[index].notes.append(
                    .help("correct it by hand: a change of this place alone leaves another mistake"))
            }
        }
        return diagnostics
    }

    private enum Effect {
        case correction
        /// The corrected file has all definitions, and no fewer mistakes.
        case otherMistake
        case loss
    }

    private mutating func effect(of edit: Diagnostic.Edit, of diagnostic: Diagnostic) -> Effect {
        guard budget > 0 else { return .otherMistake }
        guard let change = diagnostic.change(edit, in: file.source) else { return .loss }
        if case .replace = edit {
        } else if Self.words(change.text) < Self.words(file.source.string(change.range)) {
            return .loss
        }
        var bytes = file.source.bytes
        bytes.replaceSubrange(change.range, with: change.text.utf8)
        budget -= bytes.count
        let corrected = parse(
            SourceFile(path: file.path, relativePath: file.relativePath, source: SourceText(bytes)))
        var (now, then) = (names, corrected.content.definedNames)
        if case .replace = edit { (now, then) = (Self.kinds(now), Self.kinds(then)) }
        guard Self.isIncluded(now, in: then) else { return .loss }
        return Self.isLess(corrected.diagnostics, current.diagnostics) ? .correction : .otherMistake
    }

    private static func isIncluded(_ some: [String: Int], in others: [String: Int]) -> Bool {
        some.allSatisfy { others[$0.key] ?? 0 >= $0.value }
    }

    /// The numbers of definitions by kind. Another spelling may change a name.
    private static func kinds(_ names: [String: Int]) -> [String: Int] {
        names.reduce(into: [:]) { $0[String($1.key.prefix { $0 != ":" }), default: 0] += $1.value }
    }

    private static func isLess(_ some: [Diagnostic], _ others: [Diagnostic]) -> Bool {
        let errors = [some, others].map { $0.count { $0.severity == .error } }
        return errors[0] == errors[1] ? some.count < others.count : errors[0] < errors[1]
    }

    /// The number of words outside of tags and of rows of long vowel marks.
    private static func words(_ text: String) -> Int {
        var isTag = false
        return text.split { character in
            if character == "<" { isTag = true }
            defer { if character == ">" { isTag = false } }
            return isTag || !(character.isLetter || character.isNumber || character == "_")
        }.count { word in !word.allSatisfy { $0 == "ー" } }
    }
}

extension Diagnostic.Edit {
    /// A Boolean value that indicates whether the edit writes text that its help shows.
    fileprivate var writes: Bool {
        switch self {
        case .replace, .replacePlace, .replaceLine, .replaceUnderline, .appendLine: true
        case .beginWith, .insertLine, .escapePipes, .deleteLines, .deleteBlankLinesAbove: false
        }
    }
}

extension FileContent {
    /// The names of events, columns, types, values and details, with their numbers. A retired name counts twice. A
    /// correction may move a column to another event.
    fileprivate var definedNames: [String: Int] {
        var names: [String: Int] = [:]
        func add(_ kind: String, _ name: String, isRetired: Bool = false) {
            names["\(kind): \(name)", default: 0] += 1
            if isRetired { names["retired \(kind): \(name)", default: 0] += 1 }
        }
        func add(_ columns: [Column]) {
            for column in columns { add("column", column.name, isRetired: column.status == .retired) }
        }
        switch self {
        case .category(let category):
            for detail in category.details.texts { add("detail", detail.key.rawValue) }
            for event in category.events {
                add("event", event.name, isRetired: event.status == .retired)
                add(event.columns)
                for detail in event.details.texts { add("detail", detail.key.rawValue) }
            }
        case .common(let common): add(common.columns)
        case .types(let types):
            for type in types {
                add("type", type.name)
                if case .enumeration(let values) = type.kind { for value in values { add("value", value.value) } }
            }
        case .nothing: break
        }
        return names
    }
}
