/// Texts of a document that people take for one another.
extension Confusable {
    typealias Written = (text: String, place: Place)

    /// Reports texts with characters that nobody sees, and texts that look like an earlier one.
    static func find(
        among texts: [Written], what: String, except areOne: (String, String) -> Bool = { _, _ in false },
        report: (_ message: String, _ place: Place, _ notes: [Diagnostic.Note]) -> Void
    ) {
        for entry in texts {
            guard let hidden = hiddenAtAnEnd(of: entry.text) else { continue }
            report(
                "`\(entry.text)` holds \(ScalarNames.described(hidden)), which nobody sees", entry.place,
                [.help("remove it")])
        }
        forEachPair(among: texts) { first, later, difference in
            guard !areOne(first.text, later.text) else { return }
            report(
                "the \(what) `\(first.text)` and `\(later.text)` differ only \(difference)", later.place,
                notes(on: first))
        }
    }

    /// Texts that fold to the same as one before them, with it and with what sets them apart.
    static func forEachPair(
        among texts: [Written], _ look: (_ first: Written, _ later: Written, _ difference: String) -> Void
    ) {
        var seen: [String: Written] = [:]
        for entry in texts {
            guard let first = seen.updateValue(entry, forKey: folded(entry.text)),
                let difference = difference(first.text, entry.text)
            else {
                continue
            }
            look(first, entry, difference)
        }
    }

    static func notes(on first: Written) -> [Diagnostic.Note] {
        [
            .note("`\(first.text)` is here", at: first.place),
            .help("write both the same way, or choose words that look different"),
        ]
    }

    /// A blank at an end that only programs see, or a character that has no width anywhere; joiners, which emoji need,
    /// are none.
    private static func hiddenAtAnEnd(of text: String) -> Unicode.Scalar? {
        if text.utf8.allSatisfy({ $0 < 0x80 }) { return nil }
        let scalars = text.unicodeScalars
        let blanks: [Unicode.Scalar] = ["\u{A0}", "\u{3000}", "\u{202F}", "\u{205F}"]
        return [scalars.first, scalars.last].compactMap { $0 }.first { blanks.contains($0) }
            ?? scalars.first { ["\u{200B}", "\u{2060}", "\u{FEFF}", "\u{AD}", "\u{200E}", "\u{200F}"].contains($0) }
    }
}
