import JSONSyntax
package import LogDefinitions
import MarkdownSyntax

/// Formats diagnostics for terminals: place, message, the source line with a caret, and notes.
///
/// The caret is aligned with the place for characters of any width (`DisplayWidth`).
package struct DiagnosticText: Sendable {
    private let files: [SourceFile]
    private let usesColor: Bool

    /// The maximum number of bytes of a source line before the place, and after it: two lines of 80 columns each.
    private static let maximumWidth = 160

    package init(files: [SourceFile], usesColor: Bool) {
        self.files = files
        self.usesColor = usesColor
    }

    package func render(_ diagnostic: Diagnostic) -> String {
        render(diagnostic, inFull: true)
    }

    package func line(_ diagnostic: Diagnostic) -> String {
        render(diagnostic, inFull: false)
    }

    private func render(_ diagnostic: Diagnostic, inFull: Bool) -> String {
        var text = ""
        let color = diagnostic.severity == .error ? "\u{1B}[1;31m" : "\u{1B}[1;35m"
        text += styled(location(diagnostic.place) + ": ", "\u{1B}[1m")
        text += styled(diagnostic.severity.rawValue + ": ", color)
        text += styled(ShownText.line(diagnostic.message) + " [\(diagnostic.rule.name)]", "\u{1B}[1m") + "\n"
        guard inFull else { return text }
        text += excerpt(diagnostic.place, color)
        for note in diagnostic.notes {
            let kind = styled(note.kind.rawValue + ": ", "\u{1B}[1;36m")
            if let place = note.place {
                text += "\(location(place)): \(kind)\(ShownText.line(note.message))\n"
            } else {
                text += "\(kind)\(ShownText.line(note.message))\n"
            }
            for line in note.lines { text += "    \(ShownText.line(line))\n" }
        }
        return text
    }

    private func styled(_ text: String, _ style: String) -> String {
        usesColor ? style + text + "\u{1B}[0m" : text
    }

    private func location(_ place: Place) -> String {
        let file = files[place.file]
        guard file.exists else { return ShownText.line(file.path) }
        let position = file.source.position(at: place.range.lowerBound)
        return "\(ShownText.line(file.path)):\(position.line):\(position.column)"
    }

    private func excerpt(_ place: Place, _ color: String) -> String {
        let source = files[place.file].source
        guard place.range.lowerBound <= source.bytes.count, !source.bytes.isEmpty else { return "" }
        let line = source.lineRange(source.lineIndex(at: place.range.lowerBound))
        let start = min(place.range.lowerBound, line.upperBound)
        let end = max(start, min(place.range.upperBound, line.upperBound))
        var first = line.lowerBound
        if start - first > Self.maximumWidth { first = startOfScalar(start - Self.maximumWidth / 2, in: source) }
        let last = startOfScalar(
            min(line.upperBound, max(end, first) + Self.maximumWidth, first + 4 * Self.maximumWidth), in: source)
        let before = ShownText.line(source.string(first..<max(first, min(start, last))))
        let under = ShownText.line(source.string(min(start, last)..<min(end, last)))
        let after = ShownText.line(source.string(min(end, last)..<last))
        let ellipsis = first > line.lowerBound ? "…" : ""
        let indent = String(repeating: " ", count: DisplayWidth.of(ellipsis + before))
        let caret = "^" + String(repeating: "~", count: max(0, DisplayWidth.of(under) - 1))
        return
            "    \(ellipsis)\(before)\(under)\(after)\(last < line.upperBound ? "…" : "")\n    \(indent)\(styled(caret, color))\n"
    }

    private func startOfScalar(_ offset: Int, in source: SourceText) -> Int {
        var offset = offset
        while offset > 0, offset < source.bytes.count, source.bytes[offset] & 0xC0 == 0x80 { offset -= 1 }
        return offset
    }
}
