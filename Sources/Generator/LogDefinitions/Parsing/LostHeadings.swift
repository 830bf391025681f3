import MarkdownSyntax

/// Lines that look like headings but are not.
extension FileParser {
    /// Reports a line that begins like a heading but is not one, if there is such a line.
    mutating func reportHeading(among scans: Scans, isText: Bool = false) -> Bool {
        guard let (line, scan) = scans.first(where: { $0.scan.marks > 0 && isLostHeading($0.scan, isText: isText) })
        else { return false }
        reportHeading(line, scan, level: max(2, scan.marks))
        return true
    }

    /// In a paragraph, two marks are enough. In code and quotes, the line must also name an event.
    func isLostHeading(_ scan: LineScan, isText: Bool) -> Bool {
        guard scan.marks <= 6, scan.afterMarks < scan.end else { return false }
        if isText { return scan.marks > 1 || (scan.hasWideMark && scan.hasAnyBlankAfterMarks) }
        return scan.marks == 2 && scan.hasBlankAfterMarks && identifier(in: scan) != nil
    }

    /// The identifier that a line would have if it were a heading.
    func identifier(in scan: LineScan) -> String? {
        let range = scan.afterMarks..<scan.end
        let name = Name(cell: source.string(range), range: range, in: source, file: file, allowsTitle: true).identifier
        let typeName = trimmed(name.prefix { $0 != ":" })
        return Name.isIdentifier(name) || (sourceFile.kind == .types && TypeNotation.isTypeName(typeName)) ? name : nil
    }

    mutating func reportHeading(_ line: Int, _ scan: LineScan, level: Int) {
        let text = source.string(scan.start..<scan.end)
        let content = source.string(scan.afterMarks..<scan.end)
        let hashes = String(repeating: "#", count: level)
        let why: String
        if scan.isEscaped {
            why = "the backslash before it makes it text"
        } else if scan.hasWideMark {
            why = "it begins with " + described(text.unicodeScalars.first { $0 != "#" })
        } else if let invisible = scan.invisible {
            why = "before it stands " + described(source.string(invisible).unicodeScalars.first)
        } else if isAfterTag(scan, on: line) {
            why = "HTML stands before it on its line"
        } else if scan.hasBlankAfterMarks {
            why = "it is indented by four columns or more, or stands in another block"
        } else if scan.hasAnyBlankAfterMarks {
            why = "behind the `#` stands " + described(text.unicodeScalars.first { $0 != "#" }) + ", not a blank"
        } else {
            why = "a blank is missing behind the `#`"
        }
        var help = [
            Diagnostic.Note.help(
                "write `\(hashes) \(content)` at the beginning of a line", .replaceLine("\(hashes) \(content)"))
        ]
        if level == 2, identifier(in: scan) == nil {
            let suggested = Name.suggestedIdentifier(for: content)
            help = [
                suggested.map { .help("for an event write `## \($0)`", .replaceLine("## \($0)")) }
                    ?? .help("for an event write title and identifier, as in ``## Show `show_recipe` ``"),
                .help("for a note write `### \(content)`", .replaceLine("### \(content)")),
            ]
        }
        report(.brokenHeading, "`\(shortened(text))` is not a heading: \(why)", at: scan.start..<scan.end, notes: help)
    }

    /// Whether HTML stands before a look on its line.
    private func isAfterTag(_ scan: LineScan, on line: Int) -> Bool {
        let before = source.bytes[source.lineRange(line).lowerBound..<scan.start]
        return before.contains(UInt8(ascii: ">")) && before.first { $0 != 0x20 && $0 != 0x09 } == UInt8(ascii: "<")
    }

    func described(_ scalar: Unicode.Scalar?) -> String { scalar.map(ScalarNames.described) ?? "another character" }

    /// Messages shorten long lines, because the excerpt shows them in full.
    func shortened(_ text: String) -> String {
        let scalars = text.unicodeScalars
        return scalars.count <= 60 ? text : String(String.UnicodeScalarView(scalars.prefix(57))) + "…"
    }
}
