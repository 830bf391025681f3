import MarkdownSyntax

/// Details outside of a details table: `privacy: personal` as a line of text, or as an item of a list.
extension FileParser {
    private typealias LostDetail = (line: Int, range: Range<Int>, key: Details.Key, value: String)

    /// Reports the details that a paragraph or list holds. They set nothing.
    ///
    /// - Parameter hasDetails: whether the section has a details table.
    mutating func reportDetails(in block: Block, hasDetails: Bool, context: SectionBody.Context) {
        var found: [LostDetail] = []
        var others = 0
        for line in block.lines {
            if let detail = detail(on: line, context) {
                found.append(detail)
            } else if !source.isBlankLine(line) {
                others += 1
            }
        }
        guard let first = found.first else { return }
        let rows = found.map { "| \($0.key.rawValue) | \($0.value) |" }
        var help: Diagnostic.Note
        if hasDetails {
            help = .help("put it into the details table, as the row `\(rows[0])`")
            if rows.count > 1 { help.lines = rows }
        } else if others == 0 {
            help = writing(["| key | value |", "| --- | --- |"] + rows, inPlaceOf: block.lines)
        } else {
            help = .help("write a table, with an empty line above and below it:")
            help.lines = ["| key | value |", "| --- | --- |"] + rows
        }
        report(
            .lostDetail, "`\(shortened(source.string(first.range)))` sets nothing: details are rows of a table",
            at: first.range, notes: [help])
    }

    private func detail(on line: Int, _ context: SectionBody.Context) -> LostDetail? {
        guard let scan = source.scan(in: source.lineRange(line), skippingMarkers: true), scan.start < scan.end else {
            return nil
        }
        let text = source.string(scan.start..<min(scan.end, scan.start + 400))
        guard let sign = text.unicodeScalars.firstIndex(where: { $0 == ":" || $0 == "\u{FF1A}" }) else { return nil }
        let word = trimmedWide(text[..<sign]).filter { $0 != "*" && $0 != "`" && $0 != "_" }
        let value = String(
            withoutBackticks(
                trimmedWide(Substring(text.unicodeScalars[sign...].dropFirst())).drop { $0 == "*" || $0 == " " }))
        guard let key = Details.Key(spelling: String(word)), key.isOfTypes == (context == .type), !value.isEmpty,
            value.utf8.count <= 300,
            context != .common || key == .privacy, (try? key.read(value)) != nil
        else { return nil }
        // Any words can follow `owner:` or `since:` in a sentence.
        switch key {
        case .owner where !(value.hasPrefix("@") || !value.contains(" ")): return nil
        case .since where value.contains(" ") || !value.utf8.contains { (0x30...0x39).contains($0) }: return nil
        default: return (line, scan.start..<scan.end, key, value.split(separator: "|").joined(separator: "\\|"))
        }
    }
}
