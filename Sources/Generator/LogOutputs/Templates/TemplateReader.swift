import LogDefinitions
import MarkdownSyntax

/// Reads a template and binds each tag to its field. An unknown name is an error at the tag.
///
/// The tags are those of mustache(5): `{{name}}`, `{{{name}}}`, `{{&name}}`, `{{#section}}`, `{{^inverted}}`,
/// `{{/end}}`, `{{! comment}}`. In addition, there are functions of a list's position. The three tags that print are
/// equivalent, because fields are already escaped. Partials, blocks and other delimiters are errors.
struct TemplateReader {
    private let source: SourceText
    private let file: Int
    private(set) var diagnostics: [Diagnostic] = []

    private struct Section {
        var name: String
        var range: Range<Int>
        var fields: [TemplateField] = []
        /// The view's name in dotted names; empty if it has none.
        var child = ""
        /// The depth among the open views; that of the enclosing view if the section has no view.
        var depth: Int
        var isList = false
        var isInverted = false
        /// Nil if the tag has a problem.
        var condition: OutputTemplate.Condition?
        var nodes: [OutputTemplate.Node] = []

        var tag: String { (isInverted ? "^" : "#") + name }
    }

    private static let maximumDepth = 64

    init(source: SourceText, file: Int) {
        self.source = source
        self.file = file
    }

    mutating func read(fields: [TemplateField], needsHeader: Bool) -> [OutputTemplate.Node] {
        var scopes = [Section(name: "", range: 0..<0, fields: fields, depth: 0)]
        var offset = 0
        var printed = 0
        while let open = find("{{", from: offset) {
            let isTriple = byte(open + 2) == UInt8(ascii: "{")
            guard let close = find(isTriple ? "}}}" : "}}", from: open + 2) else {
                report(
                    "the tag is not closed", at: open..<min(open + 2, source.bytes.count), help: "close it with `}}`")
                return []
            }
            offset = close + (isTriple ? 3 : 2)
            let range = open..<offset
            var content = source.string((open + (isTriple ? 3 : 2))..<close)
            let sigil = isTriple ? "{" : content.first.map { "#^/!&><$=%*".contains($0) ? String($0) : "" } ?? ""
            if !isTriple, !sigil.isEmpty { content.removeFirst() }
            // If a section's tag or a comment is alone on its line, the whole line is removed.
            let line = ["#", "^", "/", "!"].contains(sigil) ? ownLine(of: range, from: printed) : nil
            add(printed..<(line?.lowerBound ?? open), to: &scopes)
            offset = line?.upperBound ?? offset
            printed = offset
            let name = content.trimmed
            switch sigil {
            case "!": break
            case "", "{", "&":
                if name == "header" { noteHeader(in: scopes) } else { notePrinting(in: scopes) }
                if let node = variable(name, at: range, scopes) { scopes[scopes.count - 1].nodes.append(node) }
            case "#", "^":
                guard scopes.count < Self.maximumDepth else {
                    report("sections are nested deeper than \(Self.maximumDepth) levels", at: range, help: nil)
                    return []
                }
                scopes.append(section(name, at: range, scopes, isInverted: sigil == "^"))
            case "/":
                guard scopes.count > 1, let last = scopes.last else {
                    report("`{{/\(name)}}` closes a section that is not open", at: range, help: nil)
                    return []
                }
                guard last.name.isExactly(name) else {
                    report(
                        "`{{/\(name)}}` does not close a section: the innermost open one is `\(last.name)`", at: range,
                        help: "write `{{/\(last.name)}}`", other: last.range)
                    return []
                }
                scopes.removeLast()
                if let condition = last.condition {
                    scopes[scopes.count - 1].nodes.append(
                        .section(condition, isInverted: last.isInverted, last.nodes))
                }
            default:
                report(
                    "loggen's templates have no `{{\(sigil)…}}` tags", at: range,
                    help: "use variables, sections and comments")
            }
        }
        if scopes.count > 1, let last = scopes.last {
            report(
                "the section `\(last.name)` is not closed", at: last.range, help: "close it with `{{/\(last.name)}}`")
        }
        add(printed..<source.bytes.count, to: &scopes)
        if needsHeader, diagnostics.isEmpty, !headers.contains(""), headers.isEmpty || !printing.isSubset(of: headers) {
            report(
                !namesHeader
                    ? "the template does not print `{{header}}`, which tells people and tools that a file is generated"
                    : "the template prints `{{header}}`, which tells people and tools that a file is generated, "
                        + "in a section that may print nothing",
                at: 0..<0,
                help: "put `{{header}}` into a comment on the first line")
        }
        return scopes[0].nodes
    }

    private mutating func add(_ text: Range<Int>, to scopes: inout [Section]) {
        guard !text.isEmpty else { return }
        scopes[scopes.count - 1].nodes.append(.literal(Array(source.string(text).utf8)))
        if source.bytes[text].contains(where: { $0 > 0x20 }) { notePrinting(in: scopes) }
    }

    /// Returns a tag's line with its line end; nil if the line contains more than the tag and blanks.
    private func ownLine(of tag: Range<Int>, from printed: Int) -> Range<Int>? {
        func isBlank(_ offset: Int) -> Bool { byte(offset) == 0x20 || byte(offset) == 0x09 }
        var start = tag.lowerBound
        while start > printed, isBlank(start - 1) { start -= 1 }
        guard start == 0 || byte(start - 1) == 0x0A else { return nil }
        var end = tag.upperBound
        while isBlank(end) { end += 1 }
        if byte(end) == 0x0D, byte(end + 1) == 0x0A { end += 1 }
        guard end >= source.bytes.count || byte(end) == 0x0A else { return nil }
        return start..<min(end + 1, source.bytes.count)
    }

    // MARK: The header

    /// The tags of the outermost sections that print `{{header}}` (`headers`) or anything else (`printing`). The empty
    /// string represents the part outside all sections.
    private var headers: Set<String> = []
    private var printing: Set<String> = []
    private var namesHeader = false

    /// Notes a header. In nested sections and lists it does not count: there it may be missing or repeated.
    private mutating func noteHeader(in scopes: [Section]) {
        namesHeader = true
        guard scopes.count <= 2, let section = scopes.last, !section.isList else { return }
        headers.insert(scopes.count == 1 ? "" : section.tag)
    }

    private mutating func notePrinting(in scopes: [Section]) {
        printing.insert(scopes.count == 1 ? "" : scopes[1].tag)
    }

    // MARK: Names

    private struct FoundTag {
        var field: TemplateField
        var depth: Int
        var path: [Step] = []

        /// Returns the function of the view at the end of the path.
        func atEnd<Result: Sendable>(
            _ value: @escaping @Sendable (any TemplateView) -> Result, otherwise: Result
        ) -> @Sendable (any TemplateView) -> Result {
            if path.isEmpty { return value }
            return { [path] view in
                path.reduce(view as (any TemplateView)?) { view, step in view.flatMap(step)?.first }.map(value)
                    ?? otherwise
            }
        }
    }

    private typealias Step = @Sendable (any TemplateView) -> [any TemplateView]

    private func find(_ name: String, in scopes: [Section]) -> FoundTag? {
        for scope in scopes.reversed() {
            if let field = scope.fields.first(where: { $0.name.isExactly(name) }) {
                return FoundTag(field: field, depth: scope.depth)
            }
        }
        for dot in name.indices where name[dot] == "." {
            let rest = String(name[name.index(after: dot)...])
            for scope in scopes.reversed() {
                if !scope.child.isEmpty, scope.child.isExactly(name[..<dot]), let found = find(rest, in: scope.fields) {
                    return FoundTag(field: found.field, depth: scope.depth, path: found.path)
                }
                if let found = find(name, in: scope.fields) {
                    return FoundTag(field: found.field, depth: scope.depth, path: found.path)
                }
            }
        }
        return nil
    }

    private func find(_ name: String, in fields: [TemplateField]) -> (field: TemplateField, path: [Step])? {
        if let field = fields.first(where: { $0.name.isExactly(name) }) { return (field, []) }
        for dot in name.indices where name[dot] == "." {
            guard let field = fields.first(where: { $0.name.isExactly(name[..<dot]) }),
                case .views(let children, isList: false, let step) = field.value,
                let found = find(String(name[name.index(after: dot)...]), in: children.fields())
            else { continue }
            return (found.field, [step] + found.path)
        }
        return nil
    }

    private func position(_ name: String, in scopes: [Section]) -> OutputTemplate.Position? {
        scopes.contains(where: \.isList) ? OutputTemplate.Position(rawValue: name) : nil
    }

    private mutating func variable(_ name: String, at range: Range<Int>, _ scopes: [Section]) -> OutputTemplate.Node? {
        if let position = position(name, in: scopes) { return .position(position) }
        guard let found = find(name, in: scopes) else {
            reportUnknown(name, at: range, scopes)
            return nil
        }
        guard case .text(_, let value) = found.field.value else {
            report("`\(name)` does not print: it is a section", at: range, help: "write `{{#\(name)}}…{{/\(name)}}`")
            return nil
        }
        return .text(depth: found.depth, found.atEnd(value, otherwise: nil))
    }

    private mutating func section(_ name: String, at range: Range<Int>, _ scopes: [Section], isInverted: Bool)
        -> Section
    {
        let around = scopes.last?.depth ?? 0
        var section = Section(name: name, range: range, depth: around, isInverted: isInverted)
        if let position = position(name, in: scopes) {
            section.condition = .position(position)
            return section
        }
        guard let found = find(name, in: scopes) else {
            reportUnknown(name, at: range, scopes)
            return section
        }
        let depth = found.depth
        switch found.field.value {
        case .text(isOptional: false, _):
            report("`\(name)` is not a section: it always prints", at: range, help: "write `{{\(name)}}`")
        case .text(isOptional: true, let value):
            section.condition = .flag(depth: depth, found.atEnd({ value($0) != nil }, otherwise: false))
        case .flag(let value): section.condition = .flag(depth: depth, found.atEnd(value, otherwise: false))
        case .views(let children, let isList, let value):
            section.condition = .views(depth: depth, isList: isList, found.atEnd(value, otherwise: []))
            guard !isInverted else { break }
            (section.fields, section.child) = (children.fields(), children.child)
            (section.isList, section.depth) = (isList, around + 1)
        }
        return section
    }

    // MARK: Messages

    private mutating func reportUnknown(_ name: String, at range: Range<Int>, _ scopes: [Section]) {
        var known = scopes.flatMap(\.fields).map(\.name)
        if name.utf8.contains(UInt8(ascii: ".")) {
            known += scopes.flatMap { scope in
                scope.child.isEmpty ? [] : scope.fields.map { scope.child + "." + $0.name }
            }
            for case .views(let children, isList: false, _) in scopes.flatMap(\.fields).map(\.value) {
                known += children.fields().map { children.child + "." + $0.name }
            }
        }
        let owner = scopes.flatMap(\.fields).first { field in
            guard case .views(let children, _, _) = field.value else { return false }
            return children.fields().contains { $0.name == name }
        }
        report(
            "unknown field `\(name)`", at: range,
            help: owner.map { "write it inside of `{{#\($0.name)}}…{{/\($0.name)}}`" }
                ?? didYouMean(name, among: known) ?? "`loggen templates` lists the fields")
    }

    private mutating func report(_ message: String, at range: Range<Int>, help: String?, other: Range<Int>? = nil) {
        var notes: [Diagnostic.Note] = []
        if let other { notes.append(.note("it was opened here", at: Place(file: file, range: other))) }
        if let help { notes.append(.help(help)) }
        diagnostics.append(Diagnostic(.template, message, at: Place(file: file, range: range), notes: notes))
    }

    // MARK: Bytes

    private func byte(_ offset: Int) -> UInt8? {
        offset < source.bytes.count ? source.bytes[offset] : nil
    }

    private func find(_ text: StaticString, from start: Int) -> Int? {
        let count = text.utf8CodeUnitCount
        guard start + count <= source.bytes.count else { return nil }
        return source.bytes.withUnsafeBufferPointer { buffer in
            var offset = start
            while offset + count <= buffer.count {
                var matched = 0
                while matched < count, buffer[offset + matched] == text.utf8Start[matched] { matched += 1 }
                if matched == count { return offset }
                offset += 1
            }
            return nil
        }
    }
}

extension String {
    fileprivate var trimmed: String {
        var scalars = unicodeScalars[...]
        while let first = scalars.first, first.properties.isWhitespace { scalars.removeFirst() }
        while let last = scalars.last, last.properties.isWhitespace { scalars.removeLast() }
        return String(scalars)
    }
}
