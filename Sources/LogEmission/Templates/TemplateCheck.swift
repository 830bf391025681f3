import LogDefinitions
import MarkdownSyntax

/// Finds what a template gets wrong before it renders, where Mustache would print nothing and say nothing.
///
/// The tags are those of mustache(5): `{{name}}`, `{{{name}}}`, `{{&name}}`, `{{#section}}`, `{{^inverted}}`, `{{/end}}`, `{{! comment}}`,
/// and swift-mustache's functions of a list's position. Partials, blocks and other delimiters are refused.
struct TemplateCheck {
    private let source: SourceText
    private(set) var diagnostics: [Diagnostic] = []

    private struct Section {
        var name: String
        var range: Range<Int>
        /// What can be named inside, beside what can be named around it.
        var fields: [TemplateField]
        var isList: Bool
        var isInverted = false

        var tag: String { (isInverted ? "^" : "#") + name }
    }

    private static let positionFunctions = ["first()", "last()", "index()", "even()", "odd()"]
    private static let maximumDepth = 64

    init(source: SourceText) {
        self.source = source
    }

    mutating func run(fields: [TemplateField]) {
        var scopes = [Section(name: "", range: 0..<0, fields: fields, isList: false)]
        var offset = 0
        var printed = 0
        while let open = find("{{", from: offset) {
            let isTriple = byte(open + 2) == UInt8(ascii: "{")
            guard let close = find(isTriple ? "}}}" : "}}", from: open + 2) else {
                report("the tag is not closed", at: open..<min(open + 2, source.bytes.count), help: "close it with `}}`")
                return
            }
            notePrinting(of: printed..<open, in: scopes)
            offset = close + (isTriple ? 3 : 2)
            printed = offset
            let range = open..<offset
            var content = source.string((open + (isTriple ? 3 : 2))..<close)
            let sigil = isTriple ? "{" : content.first.map { "#^/!&><$=%*".contains($0) ? String($0) : "" } ?? ""
            if !isTriple, !sigil.isEmpty { content.removeFirst() }
            let name = content.trimmed
            switch sigil {
            case "!": break
            case "", "{", "&":
                if name == "header" { noteHeader(in: scopes) } else { notePrinting(in: scopes) }
                checkVariable(name, at: range, scopes)
            case "#", "^":
                guard scopes.count < Self.maximumDepth else {
                    report("sections are nested deeper than \(Self.maximumDepth) levels", at: range, help: nil)
                    return
                }
                scopes.append(section(name, at: range, scopes, isInverted: sigil == "^"))
            case "/":
                guard scopes.count > 1, let last = scopes.last else {
                    report("`{{/\(name)}}` closes a section that is not open", at: range, help: nil)
                    return
                }
                guard last.name == name else {
                    report(
                        "`{{/\(name)}}` closes no section: the innermost open one is `\(last.name)`", at: range,
                        help: "write `{{/\(last.name)}}`", other: last.range)
                    return
                }
                scopes.removeLast()
            default:
                report("loggen's templates have no `{{\(sigil)…}}` tags", at: range, help: "there are variables, sections and comments")
            }
        }
        if scopes.count > 1, let last = scopes.last {
            report("the section `\(last.name)` is not closed", at: last.range, help: "close it with `{{/\(last.name)}}`")
        }
        notePrinting(of: printed..<source.bytes.count, in: scopes)
        if diagnostics.isEmpty, !headers.contains(""), headers.isEmpty || !printing.isSubset(of: headers) {
            report(
                !namesHeader
                    ? "the template does not print `{{header}}`, by which loggen knows its files from others"
                    : "the template prints `{{header}}`, by which loggen knows its files from others, in a section that may print nothing", at: 0..<0,
                help: "put `{{header}}` into a comment on the first line")
        }
    }

    // MARK: The header

    /// The sections outside of all others, by their tags, that print `{{header}}`, or anything else; "" stands for what is in none.
    private var headers: Set<String> = []
    private var printing: Set<String> = []
    private var namesHeader = false

    /// The header is printed where its section is; within a further section it may not be, and within a list it stands many times.
    private mutating func noteHeader(in scopes: [Section]) {
        namesHeader = true
        guard scopes.count <= 2, let section = scopes.last, !section.isList else { return }
        headers.insert(scopes.count == 1 ? "" : section.tag)
    }

    private mutating func notePrinting(in scopes: [Section]) {
        printing.insert(scopes.count == 1 ? "" : scopes[1].tag)
    }

    private mutating func notePrinting(of text: Range<Int>, in scopes: [Section]) {
        if source.bytes[text].contains(where: { $0 > 0x20 }) { notePrinting(in: scopes) }
    }

    private func field(_ name: String, in scopes: [Section]) -> TemplateField? {
        for scope in scopes.reversed() {
            if let field = scope.fields.first(where: { $0.name == name }) { return field }
        }
        return nil
    }

    private mutating func checkVariable(_ name: String, at range: Range<Int>, _ scopes: [Section]) {
        if Self.positionFunctions.contains(name), scopes.contains(where: \.isList) { return }
        guard let field = field(name, in: scopes) else {
            reportUnknown(name, at: range, scopes)
            return
        }
        switch field.kind {
        case .text, .optionalText: break
        case .flag, .list, .view:
            report("`\(name)` does not print: it is a section", at: range, help: "write `{{#\(name)}}…{{/\(name)}}`")
        }
    }

    private mutating func section(_ name: String, at range: Range<Int>, _ scopes: [Section], isInverted: Bool) -> Section {
        var section = Section(name: name, range: range, fields: [], isList: false, isInverted: isInverted)
        if Self.positionFunctions.contains(name), scopes.contains(where: \.isList) { return section }
        guard let field = field(name, in: scopes) else {
            reportUnknown(name, at: range, scopes)
            return section
        }
        switch field.kind {
        case .text: report("`\(name)` is no section: it always prints", at: range, help: "write `{{\(name)}}`")
        case .optionalText, .flag: break
        case .list(let fields):
            section.fields = isInverted ? [] : fields
            section.isList = !isInverted
        case .view(let fields): section.fields = isInverted ? [] : fields
        }
        return section
    }

    private mutating func reportUnknown(_ name: String, at range: Range<Int>, _ scopes: [Section]) {
        let known = scopes.flatMap(\.fields).map(\.name)
        let nearest = nearestSpelling(of: name, among: known)
        report(
            "there is no field `\(name)` here", at: range,
            help: nearest.map { "did you mean `\($0)`?" } ?? "`loggen templates` lists the fields")
    }

    private mutating func report(_ message: String, at range: Range<Int>, help: String?, other: Range<Int>? = nil) {
        var notes: [Diagnostic.Note] = []
        if let other { notes.append(.note("it was opened here", at: Place(file: 0, range: other))) }
        if let help { notes.append(.help(help)) }
        diagnostics.append(Diagnostic(.template, message, at: Place(file: 0, range: range), notes: notes))
    }

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
