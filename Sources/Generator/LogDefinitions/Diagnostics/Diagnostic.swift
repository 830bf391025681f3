/// A problem in a file, such as a definition file or the configuration. Commands print diagnostics.
package struct Diagnostic: Sendable {
    package enum Severity: String, Sendable, CaseIterable {
        case error, warning
    }

    package struct Note: Sendable {
        package enum Kind: String, Sendable { case note, help }

        package var kind: Kind
        package var message: String
        /// The other place that the message mentions, if any.
        package var place: Place?
        /// The edit that applies the advice. Nil if a person has to decide.
        package var edit: Edit?
        /// Lines that the user can copy into the definition file. The lines are shown below the message.
        package var lines: [String] = []

        package static func help(_ message: String, _ edit: Edit? = nil) -> Note {
            Note(kind: .help, message: message, edit: edit)
        }
        /// A suggestion to replace the text at the diagnostic's place, or one word of it.
        package static func didYouMean(_ text: String, insteadOf word: String? = nil) -> Note {
            .help("did you mean `\(text)`?", .replace(word, with: text))
        }
        package static func write(_ text: String) -> Note { .help("write `\(text)`", .replace(nil, with: text)) }
        static func chooseAnother(_ name: String, replaces: Bool = false) -> Note {
            .help("choose another name, such as `\(name)`", replaces ? .replace(nil, with: name) : nil)
        }
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

    package init(_ rule: Rule, _ message: String, at place: Place, _ notes: Note?...) {
        self.init(rule, message, at: place, notes: notes.compactMap { $0 })
    }

    package init(_ rule: Rule, _ message: String, at place: Place, notes: [Note]) {
        // Diagnostics of a rule that is off by default are warnings.
        self.severity = rule.defaultSeverity ?? .warning
        self.rule = rule
        // Quoted text may contain line breaks. A message is a single line, for tools that read lines.
        self.message =
            message.utf8.contains(0x0A) ? message.split(whereSeparator: \.isNewline).joined(separator: " ") : message
        self.place = place
        self.notes = notes
    }
}
