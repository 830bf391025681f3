import LogDefinitions
import MarkdownSyntax

/// The strings of definitions on which no record depends, such as titles and descriptions.
struct DefinitionTexts {
    struct Entry {
        /// The event as `category.event`, or the shared definition in words.
        var name: String
        var place: Place
        /// The strings by name. The names are unique.
        var texts: [(name: String, text: String)]
        var isEvent = false
    }

    private(set) var entries: [Entry] = []

    /// - Parameter isConcerned: whether the strings of a file count.
    init(_ definitions: Definitions, where isConcerned: (Int) -> Bool = { _ in true }) {
        for column in definitions.common?.columns ?? [] where isConcerned(column.place.file) {
            entries.append(
                Entry(name: "the common column `\(column.name)`", place: column.place, texts: column.texts))
        }
        for type in definitions.types where isConcerned(type.place.file) {
            entries.append(
                Entry(name: "the type `\(type.name)`", place: type.place, texts: type.texts))
        }
        for category in definitions.categories where isConcerned(category.file) {
            let texts = [("title", category.title), ("description", category.description), ("notes", category.notes)]
            entries.append(Entry(name: "the category `\(category.name)`", place: category.place, texts: texts))
            for event in category.events {
                let name = "\(category.name).\(event.name)"
                entries.append(Entry(name: name, place: event.place, texts: event.texts, isEvent: true))
            }
        }
    }

    /// Returns a line for each definition whose strings differ from earlier ones.
    /// - Parameter formerNames: the former names of renamed events.
    func changes(since former: DefinitionTexts, formerNames: [String: String]) -> [(entry: Entry, line: String)] {
        let before = Dictionary(former.entries.map { ($0.name, $0) }, uniquingKeysWith: { first, _ in first })
        return entries.compactMap { entry in
            guard let old = before[formerNames[entry.name] ?? entry.name] else { return nil }
            let texts = Dictionary(old.texts, uniquingKeysWith: { first, _ in first })
            // New and deleted columns and values are findings.
            let names = entry.texts.filter { name, text in texts[name].map { !$0.isExactly(text) } ?? false }.map(
                \.name)
            return names.isEmpty ? nil : (entry, "other texts: " + names.joined(separator: ", "))
        }
    }
}

extension Event {
    fileprivate var texts: [(name: String, text: String)] {
        let keys: [Details.Key] =
            status == .retired ? [] : [.owner, .since, .deprecated, .expires, .privacy, .platforms]
        return [("title", title), ("description", description), ("notes", notes)]
            + keys.map { key in (key.rawValue, details.texts.first { $0.key == key }?.text ?? "") }
            + columns.flatMap { column in column.texts.map { ("\($0.name) of `\(column.name)`", $0.text) } }
    }
}

extension Column {
    fileprivate var texts: [(name: String, text: String)] {
        [
            ("description", description), ("example", example ?? ""), ("since", since ?? ""),
            ("deprecated", deprecated ?? ""), ("platforms", platforms.names.joined(separator: ", ")),
        ] + annotations.map { ($0.header.asCode, $0.value) }
    }
}

extension NamedType {
    fileprivate var texts: [(name: String, text: String)] {
        guard case .enumeration(let values) = kind else { return [("description", description)] }
        return [("description", description)] + values.map { ("description of \($0.value.asCode)", $0.description) }
    }
}
