extension Confusable {
    typealias SourceString = (text: String, place: Place)

    /// Reports strings with invisible characters, and strings that look like an earlier one.
    static func find(
        among texts: [SourceString], what: String, except areOne: (String, String) -> Bool = { _, _ in false },
        report: (_ message: String, _ place: Place, _ notes: [Diagnostic.Note]) -> Void
    ) {
        for entry in texts {
            guard let hidden = edgeSpaceOrZeroWidth(of: entry.text) else { continue }
            report(
                "`\(entry.text)` contains \(ScalarNames.described(hidden)), which is invisible", entry.place,
                [.help("remove it")])
        }
        forEachPair(among: texts) { first, later, difference in
            guard !areOne(first.text, later.text) else { return }
            report(
                "the \(what) `\(first.text)` and `\(later.text)` differ only \(difference)", later.place,
                notes(on: first))
        }
    }

    /// Calls the closure with each string that has the same folding as an earlier one, and with their difference.
    static func forEachPair(
        among texts: [SourceString],
        _ look: (_ first: SourceString, _ later: SourceString, _ difference: String) -> Void
    ) {
        var seen: [String: SourceString] = [:]
        for entry in texts {
            guard let first = seen.updateValue(entry, forKey: folded(entry.text)),
                let difference = difference(first.text, entry.text)
            else {
                continue
            }
            look(first, entry, difference)
        }
    }

    static func notes(on first: SourceString) -> [Diagnostic.Note] {
        [
            .note("`\(first.text)` is here", at: first.place),
            .help("write both the same way, or choose words that look different"),
        ]
    }

    /// Returns a wide blank at an end, or a zero-width scalar. Joiners are allowed, because emoji need them.
    private static func edgeSpaceOrZeroWidth(of text: String) -> Unicode.Scalar? {
        if text.utf8.allSatisfy({ $0 < 0x80 }) { return nil }
        let scalars = text.unicodeScalars
        let blanks: [Unicode.Scalar] = ["\u{A0}", "\u{3000}", "\u{202F}", "\u{205F}"]
        return [scalars.first, scalars.last].compactMap { $0 }.first { blanks.contains($0) }
            ?? scalars.first { ["\u{200B}", "\u{2060}", "\u{FEFF}", "\u{AD}", "\u{200E}", "\u{200F}"].contains($0) }
    }
}
