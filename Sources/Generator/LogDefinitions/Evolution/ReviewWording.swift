import MarkdownSyntax

extension Review {
    /// Describes changes in the words of the documents. Types and triggers are quoted as written.
    struct Wording {
        private let before: Definitions?
        private let now: Definitions

        init(_ before: Definitions?, _ now: Definitions) {
            self.before = before
            self.now = now
        }

        // MARK: Changes of records

        func name(of subject: Change.Subject) -> Sentence {
            switch subject {
            case .event: "the event"
            case .column(let name): "the column \(code: name)"
            case .commonColumns: "the common columns"
            case .commonColumn(let name): "the common column \(code: name)"
            case .type(let name): "the type \(code: name)"
            }
        }

        /// Describes a change of an event.
        func line(_ change: Change, _ old: Event?, _ new: Event) -> Line {
            func line(_ sentence: Sentence) -> Line {
                Line(sentence: sentence, breaks: change.breaks, bump: change.bump)
            }
            switch change.subject {
            case .event:
                switch change.aspect {
                case .trigger:
                    guard let old else { return line(Sentence(marked: change.what)) }
                    return line(detail("trigger", old.details.trigger?.text, new.details.trigger?.text))
                case .sampling:
                    guard let old else { return line(Sentence(marked: change.what)) }
                    return line(detail("sampling", old.details.sampling?.text, new.details.sampling?.text))
                default: return line(Sentence(marked: change.what))
                }
            case .column(let name):
                return line(columnSentence(change, name, old?.columns, new.columns))
            default: return line(Sentence(marked: change.what))
            }
        }

        /// Describes a change of a common column or a type, as the predicate after its name.
        func line(_ change: Change) -> Line {
            let sentence: Sentence =
                switch change.subject {
                case .commonColumn(let name):
                    columnSentence(change, name, before?.common?.columns, now.common?.columns ?? [], isNamed: false)
                default: Sentence(marked: change.what)
                }
            return Line(sentence: sentence, breaks: change.breaks, bump: change.bump)
        }

        private func columnSentence(
            _ change: Change, _ name: String, _ old: [Column]?, _ new: [Column], isNamed: Bool = true
        ) -> Sentence {
            let subject: Sentence = isNamed ? "the column \(code: name) " : ""
            let former = old?.first { $0.name.isExactly(name) }
            let column = new.first { $0.name.isExactly(name) }
            if change.aspect == .type, let former, let column, let before {
                let (from, to) = (typeCellAsWritten(former, before), typeCellAsWritten(column, now))
                // Equal cells name the same type, which itself has changed. The message then omits the cells.
                if !from.isExactly(to) {
                    return "\(subject)\(predicateWithoutTypes(change)): \(code: from) → \(code: to)"
                }
            }
            if former == nil, change.aspect == .whole, let column, column.status != .retired, change.bump > .none {
                return "\(subject)\(Sentence(marked: change.what)): \(code: typeCellAsWritten(column, now))"
            }
            return subject + Sentence(marked: change.what)
        }

        private func predicateWithoutTypes(_ change: Change) -> Sentence {
            var sentence = Sentence(marked: change.what)
            if let end = sentence.pieces.lastIndex(where: { $0 == .words(" → ") }), end >= 2,
                case .words(let words) = sentence.pieces[end - 2], words.hasSuffix(": ")
            {
                sentence.pieces.removeSubrange((end - 2)...)
                sentence.pieces.append(.words(String(words.dropLast(2))))
            }
            return sentence
        }

        private func typeCellAsWritten(_ column: Column, _ definitions: Definitions) -> String {
            let text = definitions.files[column.typePlace.file].source.string(column.typePlace.range)
            return text.isEmpty ? "\(column.type)" : text
        }

        private func detail(_ name: String, _ old: String?, _ new: String?) -> Sentence {
            switch (old, new) {
            case (let old?, let new?): "\(words: name): \(code: old) → \(code: new)"
            case (nil, let new?): "now has a \(words: name): \(code: new)"
            case (let old?, nil): "no longer has a \(words: name): it was \(code: old)"
            case (nil, nil): "has another \(words: name)"
            }
        }

        // MARK: Changes of descriptions

        /// Describes changes of an event that do not affect records.
        func changes(_ old: Event, _ new: Event) -> [Line] {
            var lines = texts([
                ("title", old.title, new.title), ("description", old.description, new.description),
                ("notes", old.notes, new.notes),
            ])
            if new.status != .retired {
                let keys: [Details.Key] = [.owner, .since, .deprecated, .expires, .privacy]
                for key in new.platforms.isSuperset(of: old.platforms) ? keys + [.platforms] : keys {
                    lines += texts([(key.rawValue, old.details.text(of: key), new.details.text(of: key))])
                }
            }
            let former = Dictionary(old.columns.map { ($0.name, $0) }, uniquingKeysWith: { first, _ in first })
            for column in new.columns {
                let names = [column.name] + column.formerNames.map(\.name)
                guard let before = names.lazy.compactMap({ former[$0] }).first else { continue }
                lines += texts(before, column).map { line in
                    var line = line
                    line.sentence = "the column \(code: column.name): \(line.sentence)"
                    return line
                }
            }
            return lines
        }

        func texts(_ old: Column, _ new: Column) -> [Line] {
            var lines = texts([
                ("description", old.description, new.description), ("example", old.example ?? "", new.example ?? ""),
                ("since", old.since ?? "", new.since ?? ""), ("deprecated", old.deprecated ?? "", new.deprecated ?? ""),
            ])
            if new.platforms.isSuperset(of: old.platforms) {
                lines += texts([("platforms", written(old.platforms), written(new.platforms))])
            }
            for annotation in new.annotations {
                let before = old.annotations.first { $0.header.isExactly(annotation.header) }?.value ?? ""
                guard !before.isExactly(annotation.value) else { continue }
                lines.append(Line(sentence: "\(code: annotation.header): \(change(before, annotation.value))"))
            }
            return lines
        }

        private func written(_ platforms: Platforms) -> String {
            platforms == .all ? "" : platforms.names.joined(separator: ", ")
        }

        func texts(_ old: NamedType, _ new: NamedType) -> [Line] {
            var lines = texts([("description", old.description, new.description)])
            guard case .enumeration(let before) = old.kind, case .enumeration(let after) = new.kind else {
                return lines
            }
            let former = Dictionary(before.map { ($0.value, $0.description) }, uniquingKeysWith: { first, _ in first })
            for value in after {
                guard let description = former[value.value], !description.isExactly(value.description) else { continue }
                lines.append(
                    Line(sentence: "the value \(code: value.value): \(change(description, value.description))"))
            }
            return lines
        }

        func texts(_ old: Category, _ new: Category) -> [Line] {
            texts([
                ("title", old.title, new.title), ("description", old.description, new.description),
                ("notes", old.notes, new.notes),
            ])
        }

        private func texts(_ pairs: [(name: String, old: String, new: String)]) -> [Line] {
            pairs.compactMap { name, old, new in
                old.isExactly(new) ? nil : Line(sentence: "\(words: name): \(change(old, new))")
            }
        }

        private func change(_ old: String, _ new: String) -> Sentence {
            if old.isEmpty { return "none → \(code: new)" }
            if new.isEmpty { return "\(code: old) → none" }
            return "\(code: old) → \(code: new)"
        }
    }
}

extension Details {
    fileprivate func text(of key: Key) -> String { texts.first { $0.key == key }?.text ?? "" }
}
