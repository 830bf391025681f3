/// A problem, as a value. Parsers and validators collect these, and the command shows them.
package struct Diagnostic: Sendable {
    package enum Severity: String, Sendable, CaseIterable {
        case error, warning
    }

    package struct Note: Sendable {
        package enum Kind: String, Sendable { case note, help }

        package var kind: Kind
        package var message: String
        /// The other place that the message mentions.
        package var place: Place?
        /// What the advice comes to, if it can be followed without thinking.
        package var edit: Edit?
        /// Lines to write. They are shown below the message.
        package var lines: [String] = []

        package static func help(_ message: String, _ edit: Edit? = nil) -> Note {
            Note(kind: .help, message: message, edit: edit)
        }
        /// What stands at the diagnostic's place, or a word of it, is to be another one.
        package static func didYouMean(_ text: String, insteadOf word: String? = nil) -> Note {
            .help("did you mean `\(text)`?", .replace(word, with: text))
        }
        package static func write(_ text: String) -> Note { .help("write `\(text)`", .replace(nil, with: text)) }
        /// The message, with the lines to write below it.
        package var text: String { ([message] + lines).joined(separator: "\n") }

        package static func note(_ message: String, at place: Place? = nil) -> Note {
            Note(kind: .note, message: message, place: place)
        }
    }

    package var severity: Severity
    package var rule: Rule
    package var message: String
    package var place: Place
    package var notes: [Note]

    package init(_ rule: Rule, _ message: String, at place: Place, notes: [Note] = []) {
        // A rule that is off by default gives a warning if something finds a problem by it.
        self.severity = rule.defaultSeverity ?? .warning
        self.rule = rule
        // What it quotes may go on in the next line. A message is one line, for whoever reads lines.
        self.message =
            message.utf8.contains(0x0A) ? message.split(whereSeparator: \.isNewline).joined(separator: " ") : message
        self.place = place
        self.notes = notes
    }
}
