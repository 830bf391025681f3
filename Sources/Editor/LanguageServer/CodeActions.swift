import LogDefinitions
import LogProject
import LogTypes
import MarkdownSyntax

/// Quick fixes for diagnostics, as edits.
extension LanguageServer {
    /// Users do not read a longer menu, and editors send the request without a user's command.
    private static let mostDiagnosticsWithFixes = 100

    private struct SharedByDiagnostics {
        let report: Report
        let declared: Set<String>
        let isJapanese: Bool
        let acceptable: AcceptableChanges?
    }

    private struct AcceptableChanges {
        let lock: LockFile
        let changedEventsByPlace: [Place: [EventDrift]]
        let changedEventCount: Int
        let editAcceptingAll: WorkspaceEdit
    }

    func actions(_ uri: String, _ span: Span) -> [CodeAction] {
        for folder in workspace.folders {
            let report = Report(of: folder.session)
            // Symbolic links are resolved once per file, not per diagnostic. The file alone excludes most diagnostics.
            // The places in a file that is read from disk, such as `loggen.yml`, are not those of an unsaved document.
            let document = workspace.document(uri)?.source.bytes
            let files = Set(
                report.files.indices.filter {
                    workspace.isSame(uri, as: $0, of: report.files, in: folder)
                        && document ?? report.files[$0].source.bytes == report.files[$0].source.bytes
                })
            let found = report.diagnostics.enumerated().filter { _, diagnostic in
                guard files.contains(diagnostic.place.file) else { return false }
                return location(diagnostic.place, in: folder, report.files).range.overlaps(span)
            }.prefix(Self.mostDiagnosticsWithFixes)
            guard !found.isEmpty else { continue }
            let rules = Set(found.map(\.element.rule.name))
            let definitions = folder.session.analysis.definitions
            let common = SharedByDiagnostics(
                report: report, declared: Set(definitions.types.map(\.name)),
                isJapanese: (definitions.typesFile.map { definitions.files[$0] } ?? definitions.files.first)?.source
                    .hasJapaneseHeaders ?? false,
                acceptable: rules.contains(Rule.breakingChange.name) ? acceptable(folder) : nil)
            return found.flatMap { index, diagnostic in
                actions(diagnostic, isLinted: index < report.linted, common, folder)
            }
        }
        return []
    }

    private func actions(
        _ diagnostic: Diagnostic, isLinted: Bool, _ common: SharedByDiagnostics, _ folder: Workspace.Folder
    )
        -> [CodeAction]
    {
        let report = common.report
        let place = location(diagnostic.place, in: folder, report.files)
        let said = published(diagnostic, place, source: isLinted ? "loggen" : "loggen check") {
            location($0, in: folder, report.files)
        }
        func action(_ title: String, _ edit: WorkspaceEdit, isPreferred: Bool = false) -> CodeAction {
            CodeAction(title: title, diagnostics: [said], isPreferred: isPreferred ? true : nil, edit: edit)
        }
        let file = report.files[diagnostic.place.file]
        let positions =
            diagnostic.place.file < folder.places.count
            ? workspace.positions(diagnostic.place.file, in: folder)
            : TextPositions(source: file.source, encoding: workspace.encoding)
        var actions: [CodeAction] = []
        for note in diagnostic.notes {
            guard let advised = note.edit, let change = diagnostic.change(advised, in: file.source) else { continue }
            let edit = edit([(place.uri, [TextEdit(range: positions.span(change.range), newText: change.text)])])
            let title = advised.title(of: diagnostic.rule) ?? note.message.asTitle
            actions.append(action(title, edit, isPreferred: actions.isEmpty && note.message.hasPrefix("did you mean")))
        }
        switch diagnostic.rule {
        case .unknownType:
            let word = file.source.string(diagnostic.place.range)
            guard let name = Self.undeclaredTypeName(in: word, known: common.declared) else { break }
            for (what, declaration) in [("as an enumeration", TypeDeclaration.enumeration), ("as a string", .text)] {
                guard let edit = declare(name, declaration, isJapanese: common.isJapanese, in: folder) else { continue }
                actions.append(action("Declare `\(name)` in `types.md` \(what)", edit))
            }
        case .fileName:
            guard let category = file.source.titleName, canChangeFiles("rename") else { break }
            let target = String(place.uri[...(place.uri.lastIndex(of: "/") ?? place.uri.startIndex)]) + category + ".md"
            actions.append(
                action(
                    "Rename the file to `\(category).md`",
                    WorkspaceEdit(documentChanges: [.rename(from: place.uri, to: target)])))
        case .expired:
            let events = folder.session.analysis.definitions.categories.filter { $0.file == diagnostic.place.file }
                .flatMap(\.events)
            for event in events where event.details.expires?.place == diagnostic.place && event.status != .retired {
                let retired = TextEdit(range: positions.span(event.place.range), newText: "~~\(event.name)~~")
                actions.append(action("Retire `\(event.name)`", edit([(place.uri, [retired])])))
            }
        case .deletedEvent:
            let ways = restoreEventAsRetired(diagnostic, folder) + restoreCategoryAsRetired(diagnostic, folder)
            actions += ways.map { action($0.title, $0.edit, isPreferred: true) }
        case .breakingChange: actions += accept(diagnostic, common.acceptable).map { action($0.title, $0.edit) }
        default: break
        }
        return actions
    }

    // MARK: Types

    private enum TypeDeclaration { case enumeration, text }

    /// Returns the first undeclared type name in a string. A built-in name in another case is a misspelling.
    private static func undeclaredTypeName(in text: String, known declared: Set<String>) -> String? {
        let words = text.split { !($0.isASCII && ($0.isLetter || $0.isNumber || $0 == "_")) }.map(String.init)
        return words.first {
            TypeNotation.isTypeName($0) && !TypeNotation.isBuiltIn($0.lowercased()) && !declared.contains($0)
        }
    }

    /// Returns an edit that declares a type; nil if `types.md` has errors, or is missing and cannot be created.
    private func declare(_ name: String, _ declaration: TypeDeclaration, isJapanese: Bool, in folder: Workspace.Folder)
        -> WorkspaceEdit?
    {
        let analysis = folder.session.analysis
        let definitions = analysis.definitions
        // A declaration with an error is not known, so its type would be declared twice.
        guard !analysis.diagnostics.contains(where: { $0.severity == .error && $0.place.file == definitions.typesFile })
        else { return nil }
        let source = definitions.typesFile.map { definitions.files[$0].source }
        let section: String
        switch declaration {
        case .enumeration:
            section =
                isJapanese
                ? "## \(name)\n\n| 値 | 説明 |\n| --- | --- |\n| first_value | |\n| second_value | |\n"
                : "## \(name)\n\n| value | description |\n| --- | --- |\n| first_value | |\n| second_value | |\n"
        case .text: section = "## \(name): string\n"
        }
        guard let index = definitions.typesFile, let source else {
            guard canChangeFiles("create") else { return nil }
            let uri = Workspace.uri(definitions.typesPath)
            return creation(of: uri, "# types\n\n" + section)
        }
        let isEnded = source.bytes.last == 0x0A || source.bytes.isEmpty
        let text = (isEnded ? "\n" : "\n\n") + section
        let end = workspace.positions(index, in: folder).position(source.bytes.count)
        let lines =
            source.lineEnd == "\r\n"
            ? text.split(separator: "\n", omittingEmptySubsequences: false).joined(separator: "\r\n") : text
        return insertion(of: lines, at: end, workspace.uri(index, in: folder))
    }

    private func creation(of uri: String, _ text: String) -> WorkspaceEdit {
        insertion(of: text, at: Position(line: 0, character: 0), uri, others: [.create(uri: uri)])
    }

    private func insertion(
        of text: String, at position: Position, _ uri: String, others: [WorkspaceEdit.Operation] = []
    ) -> WorkspaceEdit {
        edit([(uri, [TextEdit(range: Span(start: position, end: position), newText: text)])], others: others)
    }

    // MARK: The lock file

    private typealias Fix = (title: String, edit: WorkspaceEdit)

    /// Returns the acceptable changes; nil if the lock file has changed since it was read, as an edit would undo that.
    private func acceptable(_ folder: Workspace.Folder) -> AcceptableChanges? {
        guard let lock = folder.session.lock, let drift = folder.session.drift else { return nil }
        let text = (try? FileSystem.read(lock.file.path)).map { SourceText($0).bytes }
        let isChanged =
            workspace.document(workspace.uri(of: lock.file.path)).map { $0.source.bytes != lock.file.source.bytes }
            ?? false
        guard text == lock.file.source.bytes, !isChanged else { return nil }
        let report = DriftReport(
            definitions: folder.session.analysis.definitions, baseline: lock.latest, hasVersions: true)
        let events = drift.events.filter { !$0.isRefused }
        var byPlace: [Place: [EventDrift]] = [:]
        for event in events {
            var alone = Drift()
            alone.events = [event]
            for place in Set(report.diagnostics(of: alone).map(\.place)) { byPlace[place, default: []].append(event) }
        }
        return AcceptableChanges(
            lock: lock, changedEventsByPlace: byPlace, changedEventCount: events.count,
            editAcceptingAll: editOfChangedLines(lock, events))
    }

    /// Returns quick fixes that accept the changes at a diagnostic, and all changes, as `loggen lock --accept` does.
    private func accept(_ diagnostic: Diagnostic, _ acceptable: AcceptableChanges?) -> [Fix] {
        guard let acceptable else { return [] }
        var ways: [Fix] = []
        let concerned = acceptable.changedEventsByPlace[diagnostic.place, default: []]
        if !concerned.isEmpty {
            let what = concerned.count == 1 ? "`\(concerned[0].name)`" : "these \(concerned.count) events"
            let edit = editOfChangedLines(acceptable.lock, concerned)
            ways.append(("Accept the change of \(what) in `\(LockFile.fileName)`", edit))
        }
        if acceptable.changedEventCount > concerned.count {
            ways.append(("Accept all changes in `\(LockFile.fileName)`", acceptable.editAcceptingAll))
        }
        return ways
    }

    private func editOfChangedLines(_ lock: LockFile, _ events: [EventDrift]) -> WorkspaceEdit {
        let (old, new) = (lock.file.source.bytes, lock.recording(events))
        var start = zip(old, new).prefix { $0 == $1 }.count
        while start > 0, old[start - 1] != 0x0A { start -= 1 }
        var end = zip(old[start...].reversed(), new[start...].reversed()).prefix { $0 == $1 }.count
        while end > 0, old.count - end > start, old[old.count - end - 1] != 0x0A { end -= 1 }
        let positions = TextPositions(source: lock.file.source, encoding: workspace.encoding)
        let text = TextEdit(
            range: positions.span(start..<(old.count - end)),
            newText: String(decoding: new[start..<(new.count - end)], as: UTF8.self))
        return edit([(workspace.uri(of: lock.file.path), [text])])
    }

    private func restoreEventAsRetired(_ diagnostic: Diagnostic, _ folder: Workspace.Folder) -> [Fix] {
        let definitions = folder.session.analysis.definitions
        guard let category = definitions.categories.first(where: { $0.place == diagnostic.place }) else { return [] }
        return (folder.session.drift?.deleted ?? []).compactMap { name in
            let parts = name.split(separator: ".")
            guard parts.count == 2, category.name.isExactly(parts[0]), diagnostic.message.hasPrefix("`\(name)` ") else {
                return nil
            }
            let source = definitions.files[category.file].source
            let end = workspace.positions(category.file, in: folder).position(source.bytes.count)
            let text =
                (source.bytes.last == 0x0A ? "" : source.lineEnd) + source.lineEnd + "## ~~\(parts[1])~~"
                + source.lineEnd
            return ("Retire `\(name)`", insertion(of: text, at: end, workspace.uri(category.file, in: folder)))
        }
    }

    private func restoreCategoryAsRetired(_ diagnostic: Diagnostic, _ folder: Workspace.Folder) -> [Fix] {
        let session = folder.session
        guard canChangeFiles("create"), diagnostic.place.file >= session.analysis.definitions.files.count else {
            return []
        }
        let deleted = (session.drift?.deleted ?? []).map { $0.split(separator: ".") }.filter { $0.count == 2 }
        guard let category = deleted.first(where: { diagnostic.message.hasPrefix("`\($0[0]).\($0[1])` ") })?[0],
            !session.analysis.definitions.categories.contains(where: { $0.name.isExactly(category) })
        else { return [] }
        let path = joined(session.folders.first ?? folder.place, "\(category).md")
        let uri = Workspace.uri(path)
        guard FileSystem.kind(path) == nil, workspace.document(uri) == nil else { return [] }
        let events = deleted.filter { $0[0].utf8.elementsEqual(category.utf8) }.map { $0[1] }.sorted {
            $0.utf8.lexicographicallyPrecedes($1.utf8)
        }
        let text = "# \(category)\n" + events.map { "\n## ~~\($0)~~\n" }.joined()
        let what = events.count == 1 ? "its event" : "its \(events.count) events"
        return [("Create `\(category).md` with \(what) as retired", creation(of: uri, text))]
    }
}

extension Diagnostic.Edit {
    /// Returns the title of a quick fix; nil if the note's message can be the title.
    fileprivate func title(of rule: Rule) -> String? {
        switch (rule, self) {
        case (.fileName, .replace(nil, let text)): "Change the heading to `\(text)`"
        case (.requiredContradiction, .replacePlace(_, let text)): "Change the type to `\(text)`"
        case (.reservedColumn, .replace(nil, let text)), (.reservedWord, .replace(nil, let text)):
            "Change the name to `\(text)`"
        case (_, .deleteLines): "Delete the line"
        case (_, .insertLine("", _)): "Insert an empty line above it"
        case (.brokenTable, .replaceLine(let text)): "Replace the line with `\(text)`"
        default: nil
        }
    }
}

extension Span {
    fileprivate func overlaps(_ other: Span) -> Bool { !(end < other.start || other.end < start) }
}

extension Position: Comparable {
    static func < (left: Position, right: Position) -> Bool {
        (left.line, left.character) < (right.line, right.character)
    }
}

extension String {
    fileprivate var asTitle: String { prefix(1).uppercased() + dropFirst() }
}
