package import MarkdownSyntax

struct ParsedFile: Sendable {
    var content: FileContent
    var diagnostics: [Diagnostic]
    var brokenTypes: Set<String> = []
}

enum FileContent: Sendable {
    case category(Category)
    case common(CommonColumns)
    case types([NamedType])
    /// The file has no usable definition; the diagnostics give the reason.
    case nothing

    var isNothing: Bool { if case .nothing = self { true } else { false } }
}

/// Reads one definition file. Headings divide the file into sections, and sections contain tables.
struct FileParser {
    let file: Int
    let sourceFile: SourceFile
    let options: AnalysisOptions
    /// The types of `types.md` by name, for the files that use them.
    let types: [String: LogValueType]
    /// A Boolean value that indicates whether a line above the first heading was intended as the title.
    let hasLostTitle: Bool
    var diagnostics: [Diagnostic] = []
    var typeCache: [ExactString: TypeNotation.Parsed] = [:]
    /// The starts of paragraphs that hyphens make headings. They are not checked as names.
    private var underlined: Set<Int> = []
    /// Diagnostics about missing content below headings. A lost line there explains and replaces them.
    private var missing: [Diagnostic] = []
    /// The names of types that `types.md` defines with mistakes. Uses of such a type are not reported.
    var brokenTypes: Set<String> = []
    /// The lines that CommonMark reads as rows of a table although their author did not mean rows.
    var skippedRows: Set<Int> = []
    /// The rows that a pipe in a code span splits, by line.
    var splitRows: [Int: Range<Int>] = [:]

    var source: SourceText { sourceFile.source }

    typealias Section = DocumentOutline.Section

    /// Reads a definition file in three steps. `DocumentOutline` assigns roles to blocks. The parser reads the blocks
    /// with a role. `LostLineSearch` searches the other lines for text that was intended as a definition.
    static func parse(file: Int, sourceFile: SourceFile, options: AnalysisOptions, types: [String: LogValueType] = [:])
        -> ParsedFile
    {
        func parsed(_ sourceFile: SourceFile) -> ParsedFile {
            read(file: file, sourceFile: sourceFile, options: options, types: types)
        }
        var parsedFile = parsed(sourceFile)
        if parsedFile.diagnostics.contains(where: { $0.notes.contains { $0.edit != nil } }) {
            parsedFile.checkCorrections(of: sourceFile, parse: parsed)
        }
        return parsedFile
    }

    private static func read(file: Int, sourceFile: SourceFile, options: AnalysisOptions, types: [String: LogValueType])
        -> ParsedFile
    {
        if let offset = sourceFile.source.firstInvalidUTF8 {
            let end = min(offset + 1, sourceFile.source.bytes.count)
            let diagnostic = Diagnostic(
                .invalidUTF8,
                "the file is not UTF-8: invalid byte at offset \(offset + sourceFile.source.byteOrderMarkLength)",
                at: Place(file: file, range: offset..<end), .help("save the file as UTF-8"))
            return ParsedFile(content: .nothing, diagnostics: [diagnostic])
        }
        let document = MarkdownDocument(sourceFile.source)
        let outline = DocumentOutline(of: document, kind: sourceFile.kind, file: file)
        let search = LostLineSearch(document: document, outline: outline, kind: sourceFile.kind, types: types)
        if let conflict = search.mergeConflict(file: file) {
            return ParsedFile(content: .nothing, diagnostics: [conflict])
        }
        let openBlock = search.openBlock(file: file)
        let title = search.title?.diagnostic(in: sourceFile.source, file: file)
        let outside = [openBlock, title].compactMap { $0 }
        if sourceFile.kind == .category, outside.isEmpty, outline.definesNothing {
            let diagnostic = Diagnostic.noDefinitions(
                in: [sourceFile], at: Place(file: file, range: outline.firstHeading))
            return ParsedFile(content: .nothing, diagnostics: [diagnostic])
        }
        var parser = FileParser(
            file: file, sourceFile: sourceFile, options: options, types: types,
            hasLostTitle: title != nil)
        parser.diagnostics = outside
        let content = parser.content(of: outline)
        if !content.isNothing {
            // HTML that is not closed contains everything below it.
            let end = openBlock.map { $0.place.range.lowerBound } ?? .max
            let lost = search.lines(skippedRows: parser.skippedRows).filter { $0.first.range.lowerBound < end }
            parser.report(lost, in: outline)
            if search.hasStrayDefinitions {
                for index in parser.diagnostics.indices where parser.diagnostics[index].rule == .strayText {
                    parser.diagnostics[index].severity = .error
                }
            }
            parser.diagnostics += search.deepHeadings(file: file, naming: content.eventAndColumnNames)
            parser.reportSplitRows()
        }
        return ParsedFile(content: content, diagnostics: parser.diagnostics, brokenTypes: parser.brokenTypes)
    }

    mutating func report(_ rule: Rule, _ message: String, at range: Range<Int>, _ notes: Diagnostic.Note?...) {
        report(rule, message, at: range, notes: notes.compactMap { $0 })
    }

    mutating func report(_ rule: Rule, _ message: String, at range: Range<Int>, notes: [Diagnostic.Note]) {
        diagnostics.append(Diagnostic(rule, message, at: Place(file: file, range: range), notes: notes))
    }

    /// Reports content that is missing below a heading, unless a lost line there explains it.
    mutating func reportUnlessLost(_ rule: Rule, _ message: String, at range: Range<Int>, _ note: Diagnostic.Note) {
        missing.append(Diagnostic(rule, message, at: Place(file: file, range: range), note))
    }

    /// Reports lost lines. Their consequences are not reported: content that is missing in the same section, and a table
    /// that belongs to a lost heading above it.
    private mutating func report(_ lost: [LostLines], in outline: DocumentOutline) {
        guard !lost.isEmpty else {
            diagnostics += missing
            return
        }
        let starts = outline.sections.map(\.heading.range.lowerBound)
        // The number of the section, from 1, and 0 for the title's.
        func section(of place: Int) -> Int {
            var (low, high) = (0, starts.count)
            while low < high {
                let middle = (low + high) / 2
                if starts[middle] <= place { low = middle + 1 } else { high = middle }
            }
            return low
        }
        let lostSections = Set(lost.map { section(of: $0.first.range.lowerBound) })
        diagnostics += missing.filter { !lostSections.contains(section(of: $0.place.range.lowerBound)) }
        let headings = Dictionary(
            lost.filter { $0.first.isHeading && !$0.first.isUncertain }.map {
                (section(of: $0.first.range.lowerBound), $0.first.range.lowerBound)
            }, uniquingKeysWith: min)
        diagnostics.removeAll { diagnostic in
            let place = diagnostic.place.range.lowerBound
            return [.secondTable, .misplacedTable, .unknownTable].contains(diagnostic.rule)
                && headings[section(of: place)].map { $0 < place } ?? false
        }
        var lost = lost
        // A list of columns begins each section of a document of another tool.
        let lists = lost.filter { $0.first.kind == .column && isItem($0.first) }
        if outline.sections.count > 1, sourceFile.kind == .category,
            Set(lists.map { section(of: $0.first.range.lowerBound) }).isSuperset(of: 1...outline.sections.count)
        {
            report(
                .listColumn, "the columns of this document are lists, and define nothing: columns are rows of a table",
                at: lists[0].first.range,
                .help(
                    "to write the definitions as tables, run `loggen infer --from markdown \(sourceFile.path) "
                        + "--output FOLDER`"))
            lost.removeAll { $0.first.kind == .column }
        }
        diagnostics += lost.map { $0.diagnostic(in: source, file: file) }
    }

    private func isItem(_ line: LostLine) -> Bool {
        source.bytes[source.lineRange(line.line)].first { $0 != 0x20 }.map {
            $0 == 0x2A || $0 == 0x2B || $0 == 0x2D || isDigit($0)
        }
            ?? false
    }

    // MARK: Titles

    private mutating func content(of outline: DocumentOutline) -> FileContent {
        reportTitleProblems(of: outline)
        guard let title = outline.title else {
            suggestExclusion()
            return .nothing
        }
        if reportSpecialFile(title, outline.sections) { return .nothing }
        checkTitle(title.name)
        suggestExclusion()
        reportUnderlined(outline.sections)
        switch sourceFile.kind {
        case .common: return .common(common(title, outline.sections))
        case .types: return .types(types(title, outline.sections))
        case .category: return .category(category(title, outline.sections))
        }
    }

    /// Reports paragraphs that hyphens, meant as a rule, make headings, in a file whose headings begin with `##`.
    private mutating func reportUnderlined(_ sections: [Section]) {
        func hasMarks(_ section: Section) -> Bool {
            let line = source.lineRange(source.lineIndex(at: section.heading.range.lowerBound))
            return source.bytes[line].first { $0 != 0x20 } == UInt8(ascii: "#")
        }
        guard sections.contains(where: hasMarks) else { return }
        for section in sections where !hasMarks(section) {
            underlined.insert(section.heading.range.lowerBound)
            report(
                .brokenHeading, "the hyphens below this paragraph make it a heading", at: section.heading.range,
                .help("insert an empty line above the hyphens, or write `## ` before a heading"))
        }
    }

    private mutating func reportTitleProblems(of outline: DocumentOutline) {
        for title in outline.extraTitles {
            let first = title.first.map {
                Diagnostic.Note.note("the first one is here", at: Place(file: file, range: $0))
            }
            let help = Diagnostic.Note.help("begin an event with `##`, and move another category to its own file")
            report(.extraTitle, "a second `#` heading: a file defines one category", at: title.range, first, help)
        }
        if let missing = outline.missingTitle, !hasLostTitle {
            let message =
                missing.firstHeading == nil
                ? "the file has no `#` heading"
                : "the first heading is not a `#` heading: a file begins with its category"
            report(.missingTitle, message, at: missing.firstHeading ?? 0..<0, titleHelp)
        }
        if source.string(source.lineRange(0)) == "+++" {
            report(
                .strayText, "`+++` begins TOML front matter, which is not read: GitHub shows it as text",
                at: source.lineRange(0), .help("delete it, or write it as YAML between two lines `---`"))
            diagnostics[diagnostics.count - 1].severity = .error
        } else if let stray = outline.stray, let block = stray.blocks.first {
            report(
                .strayText, "content before the first heading does not belong to a definition",
                at: source.lineRange(block.lines.lowerBound), .help("move it below the heading"))
        }
    }

    private var titleHelp: Diagnostic.Note {
        let stem = sourceFile.stem
        if Name.isIdentifier(stem) { return .help("begin the file with `# \(stem)`", .beginWith("# \(stem)")) }
        let name = Name.suggestedIdentifier(for: stem) ?? "recipe_search"
        return .help("begin the file with `# \(name)`, and call it `\(name).md`")
    }

    private mutating func checkTitle(_ name: Name) {
        let stem = sourceFile.stem
        var name = name
        let isValid = checkIdentifier(&name, what: sourceFile.kind == .category ? "category" : "file")
        guard isValid, name.identifier != stem else { return }
        // A heading that is not an identifier would be another mistake, so the advice does not propose it.
        let heading = Name.isIdentifier(stem) ? ", or the heading to `\(stem)`" : ""
        report(
            .fileName, "the heading `\(name.identifier)` differs from the file's name, `\(stem)`", at: name.place.range,
            .help(
                "rename the file to `\(name.identifier).md`\(heading)",
                heading.isEmpty ? nil : .replace(nil, with: stem)))
    }

    /// Adds advice to the first diagnostic about the title: to exclude the file. The advice is only for files whose
    /// name cannot be the name of a category, because such a file might not be a definition file.
    private mutating func suggestExclusion() {
        guard sourceFile.kind == .category, !Name.isIdentifier(sourceFile.stem),
            let title = diagnostics.firstIndex(where: { $0.rule.isAboutTitles })
        else {
            return
        }
        diagnostics[title].notes.append(
            .help(
                "if this is not a definition, exclude it: with `--exclude`, with `exclude:` in Package.swift, or with "
                    + "a narrower folder as `definitions:` in loggen.yml"
            ))
    }

    // MARK: Names

    /// Checks that a name is an identifier, and that a marker of retirement in it (`~~` or `[obsolete]`) has an effect.
    /// The correction of an event's or a column's name, if any, replaces it, so that the definition is checked, too.
    ///
    /// - Returns: whether the name is an identifier, or has become one.
    mutating func checkIdentifier(_ name: inout Name, what: String) -> Bool {
        guard Name.isIdentifier(name.identifier) else {
            if underlined.contains(name.place.range.lowerBound) { return false }
            let names = Name.severalNames(in: name.identifier)
            guard names.isEmpty else {
                report(
                    .identifier, "`\(name.identifier)` contains \(names.count) names", at: name.place.range,
                    .help("define each \(what) on its own: " + names.map { "`\($0)`" }.joined(separator: ", "))
                )
                return false
            }
            let message =
                name.identifier.isEmpty
                ? "the \(what) has no name"
                : "`\(name.identifier)` is not an identifier: identifiers begin with a lowercase letter and contain "
                    + "only `a-z`, `0-9` and `_`"
            let canRetire = what == "event" || what == "column"
            let retired = (canRetire ? Name.retired(in: name.identifier) : nil).map { name -> Diagnostic.Note in
                .help("to retire it, write `~~\(name)~~`", .replace(nil, with: "~~\(name)~~"))
            }
            let suggestion =
                (what == "event" ? Name.markedName(in: name.identifier) : nil).map {
                    Diagnostic.Note.help("put the name in backticks: \($0)")
                }
                ?? retired
                // GitHub shows `~show~` struck through, too.
                ?? (name.identifier.hasPrefix("~") && name.identifier.hasSuffix("~")
                    && Name.isIdentifier(String(name.identifier.dropFirst().dropLast()))
                    ? Diagnostic.Note.write("~\(name.identifier)~") : nil)
                ?? Name.correction(of: name.identifier).map { .write($0) }
                ?? (what != "column" ? Name.codeName(in: name.identifier) : nil).map {
                    .help("put the name in backticks: \($0)", .replace(nil, with: $0))
                }
            let isNamed = what == "category" && Name.isIdentifier(sourceFile.stem)
            let example = isNamed ? sourceFile.stem : "\(what)_name"
            let help =
                what == "column" || name.identifier.isEmpty || !name.title.isEmpty
                ? "write a name such as `\(example)`"
                : "add an identifier in backticks after the title: \(name.identifier) `\(example)`"
            report(.identifier, message, at: name.place.range, suggestion ?? .help(help), hidden(in: name.identifier))
            guard what == "event" || what == "column", let correction = Name.correction(of: name.identifier) else {
                return false
            }
            name.identifier = correction
            return true
        }
        if what == "event", let (mark, meant) = name.misplacedMark, holds(mark, inLineOf: name) {
            report(
                .misplacedMark, "`\(mark)` in the title does not retire `\(name.identifier)`", at: name.place.range,
                .help("to retire it, write \(meant)"))
        }
        if what == "event" {
            reportStruckHTML(name)
            reportOtherName(name)
        }
        if name.identifier.utf8.count > options.nameLength {
            report(
                .nameLength,
                "`\(name.identifier)` has \(name.identifier.utf8.count) characters; names have at most \(options.nameLength)",
                at: name.place.range, .help("choose a shorter name"))
        }
        return true
    }

    private mutating func reportOtherName(_ name: Name) {
        guard let other = name.otherName else { return }
        report(
            .twoNames, "the heading has two names, `\(name.identifier)` and `\(other)`", at: name.place.range,
            .help(
                "put only the event's name in backticks, after a title that is not a name: "
                    + "## A title `\(name.identifier)`"))
    }

    /// Reports a heading that HTML strikes through. HTML does not retire an event.
    private mutating func reportStruckHTML(_ name: Name) {
        guard !name.isRetired else { return }
        let range = source.lineRange(source.lineIndex(at: name.place.range.lowerBound))
        guard source.bytes[range].contains(UInt8(ascii: "<")) else { return }
        let line = source.string(range).lowercased()
        guard let tag = ["del", "s", "strike"].first(where: { line.holds("<\($0)>") && line.holds("</\($0)>") }),
            line.hasPrefix("#")
        else {
            return
        }
        let title = name.title.isEmpty ? name.identifier : "\(name.title) `\(name.identifier)`"
        report(
            .misplacedMark, "`<\(tag)>` does not retire `\(name.identifier)`", at: name.place.range,
            .help(
                "to retire it, write `## ~~\(title)~~`",
                .replacePlace(Place(file: file, range: range), with: "## ~~\(title)~~")))
    }

    /// Returns whether the line of a name contains a marker of retirement without a backslash before it.
    private func holds(_ mark: String, inLineOf name: Name) -> Bool {
        let line = source.lineRange(source.lineIndex(at: name.place.range.lowerBound))
        let lower = source.bytes[line].map { $0 >= 0x41 && $0 <= 0x5A ? $0 | 0x20 : $0 }
        return lower.indices.contains { index in
            lower[index...].starts(with: mark.utf8) && (index == 0 || lower[index - 1] != UInt8(ascii: "\\"))
        }
    }

    // MARK: Files

    /// Reports a file with the content of `types.md` or `common.md` under another name. Without this check, the
    /// sections of the file would be read as events.
    private mutating func reportSpecialFile(_ title: Section, _ sections: [Section]) -> Bool {
        guard sourceFile.kind == .category, options.severity(of: .fileName) != nil else { return false }
        let name: String
        switch title.name.identifier.lowercased() {
        case "types",
            "type" where sections.contains { Self.isOfType($0.name.identifier) }:
            name = "types"
        case "common" where sections.isEmpty: name = "common"
        default: return false
        }
        report(
            .fileName,
            "this file has the content of `\(name).md`, but its name is "
                + "`\(sourceFile.relativePath.split(separator: "/").last ?? "")`", at: title.name.place.range,
            .help(
                "rename the file to `\(name).md`"
                    + (title.name.identifier == name ? "" : ", and the heading to `\(name)`")))
        // Columns may name these types.
        for section in sections { brokenTypes.insert(String(trimmed(section.name.identifier.prefix { $0 != ":" }))) }
        return true
    }

    /// Returns whether a heading has the form of a type's heading: `ListOrder`, `RecipeID: int64`.
    private static func isOfType(_ name: String) -> Bool {
        let first = trimmed(name.prefix { $0 != ":" })
        return TypeNotation.isTypeName(first) && first.utf8.contains { (0x41...0x5A).contains($0) }
    }

    private mutating func common(_ title: Section, _ sections: [Section]) -> CommonColumns {
        let body = body(of: title)
        for section in sections {
            report(
                .misplacedTable, "`common.md` cannot define events: its columns are below the `#` heading",
                at: section.heading.range, .help("move the event to its category's file"))
        }
        var columns = body.columns
        if let privacy = body.details.privacy?.value {
            for index in columns.indices where columns[index].privacy == nil { columns[index].privacy = privacy }
        }
        return CommonColumns(file: file, description: body.description, columns: columns, details: body.details)
    }

    private mutating func category(_ title: Section, _ sections: [Section]) -> Category {
        let body = body(of: title)
        let formerNames =
            body.details.renamedFrom.map { self.formerNames($0.text, of: .category, at: $0.place.range) } ?? []
        var events = body.events
        for section in sections {
            var name = section.name
            let isReadable = checkIdentifier(&name, what: "event")
            let eventBody = self.body(of: section)
            guard isReadable else { continue }
            let event = Event(
                name: name.identifier, title: name.title, description: eventBody.description, notes: eventBody.notes,
                details: eventBody.details, status: name.isRetired ? .retired : .active, place: name.place,
                columns: eventBody.columns)
            events.append(event)
        }
        for index in events.indices {
            events[index] = finished(
                withFormerNames(events[index], of: title.name.identifier, formerly: formerNames),
                inheriting: body.details)
        }
        return Category(
            file: file, name: title.name.identifier, title: title.name.title, description: body.description,
            notes: body.notes,
            details: body.details, formerNames: formerNames, place: title.name.place, events: events)
    }

    /// Returns the event with inherited details. An active event becomes deprecated if its details have `deprecated`.
    /// Columns without a privacy get the privacy of the details.
    private func finished(_ event: Event, inheriting details: Details) -> Event {
        var event = event
        event.details = event.details.inheriting(details)
        if event.status == .active, event.details.deprecated != nil { event.status = .deprecated }
        if let privacy = event.details.privacy?.value {
            for index in event.columns.indices where event.columns[index].privacy == nil {
                event.columns[index].privacy = privacy
            }
        }
        return event
    }
}

extension SourceText {
    /// The identifier in the file's first `#` heading. Nil if there is no such heading, and if the file is not UTF-8.
    package var titleName: String? {
        guard firstInvalidUTF8 == nil else { return nil }
        for case .heading(let heading) in MarkdownDocument(self).blocks.lazy.map(\.content) where heading.level == 1 {
            return Name(heading: heading, in: self, file: 0).identifier
        }
        return nil
    }

    /// The Markdown of blocks as written, with one empty line between blocks.
    func markdown(of blocks: some Sequence<Block>) -> String {
        var parts: [String] = []
        for block in blocks {
            // An indented code block needs its indentation.
            let isCode = if case .other(.code) = block.content { true } else { false }
            var text = string(
                (isCode ? lineStarts[block.lines.lowerBound] : block.range.lowerBound)..<block.range.upperBound)
            if text.utf8.contains(0x0D) { text = text.replacingLineEnds() }
            while let last = text.utf8.last, last == 0x20 || last == 0x09 || last == 0x0A {
                text.unicodeScalars.removeLast()
            }
            parts.append(text)
        }
        return parts.joined(separator: "\n\n")
    }
}

extension String {
    /// Replaces CRLF and CR with LF.
    fileprivate func replacingLineEnds() -> String {
        var scalars = String.UnicodeScalarView()
        var previousIsReturn = false
        for scalar in unicodeScalars {
            if scalar == "\r" {
                scalars.append("\n")
            } else if !(scalar == "\n" && previousIsReturn) {
                scalars.append(scalar)
            }
            previousIsReturn = scalar == "\r"
        }
        return String(scalars)
    }
}

extension FileContent {
    /// The names of the category, its events and their columns. Notes often have such a name as their heading. Such a
    /// heading is not reported as a misplaced definition unless a definition follows it.
    fileprivate var eventAndColumnNames: Set<String> {
        guard case .category(let category) = self else { return [] }
        return Set(category.events.flatMap { event in [event.name] + event.columns.map(\.name) } + [category.name])
    }
}

extension Rule {
    /// A Boolean value that indicates whether violations of this rule concern the title. If a Markdown file is not a
    /// definition file, the title nearly always breaks such a rule.
    fileprivate var isAboutTitles: Bool {
        switch self {
        case .missingTitle, .identifier: true
        default: false
        }
    }
}

extension Diagnostic {
    /// The error about files that are documents of another kind, such as a tracking plan.
    static func noDefinitions(in files: [SourceFile], at place: Place) -> Diagnostic {
        let file = files[0]
        let folder =
            file.path.hasSuffix("/" + file.relativePath) ? file.path.dropLast(file.relativePath.count + 1) : "."
        let source = files.count == 1 ? file.path : String(folder)
        let what = files.count == 1 ? "this file defines nothing" : "none of the \(files.count) files defines anything"
        return Diagnostic(
            .noDefinitions, "\(what): no heading has an identifier, and no table has the headers of columns", at: place,
            .help(
                "to write definitions from a tracking plan, run `loggen infer --from markdown \(source) --output "
                    + "FOLDER`"),
            .help(
                "to exclude a document, use `--exclude`, `exclude:` in Package.swift, or a narrower folder as "
                    + "`definitions:` in loggen.yml"))
    }
}
