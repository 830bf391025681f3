import LogDefinitions
import MarkdownSyntax

/// The definitions that the events of a document become.
extension PlanDocument {
    mutating func finish(_ draft: inout Draft, category: String?) {
        mergeRepeated()
        reportUnread()
        addDictionary()
        var untyped: PlanProperty?
        func column(_ property: PlanProperty) -> DraftColumn {
            if property.type == nil { untyped = untyped ?? property }
            var column = DraftColumn(
                name: property.name, type: property.type ?? .string(.init()), isRequired: property.isRequired ?? true,
                place: property.place)
            if let rest = property.unexpressed {
                findings.warn(
                    TypeNameParser.message(unexpressed: rest, of: property.name, column.type), at: property.place)
            }
            column.description = property.description
            column.example = property.example
            column.privacy = property.facts[.privacy].flatMap { LogPrivacy(written: $0) }
            column.platforms = property.facts[.platforms].flatMap { try? Platforms(written: $0) } ?? .all
            column.since = property.facts[.since]
            column.deprecated = property.facts[.deprecated]
            column.isRetired = property.facts.isRetired
            column.annotations = property.facts.annotations
            return column
        }
        draft.common += common.map(column)
        var repeated: [String] = []
        let shared = Dictionary(common.map { (ExactString($0.name), $0) }, uniquingKeysWith: { first, _ in first })
        let categories = categoriesByChapter()
        for event in events {
            let (name, title) = category.map { ($0, nil) } ?? categories[event.chapter] ?? (source.stem, nil)
            let index = draft.index(ofCategory: name, at: event.place)
            // A prefix of the events takes the place of the chapter's title.
            let isTitle = name != source.stem && ["", title].contains(draft.categories[index].title)
            if isTitle, let title { draft.categories[index].title = title }
            var written = DraftEvent(name: event.name, place: event.place)
            written.title = event.title
            var paragraphs = event.facts.texts + (isTitle ? [] : title.map { ["(\($0))"] } ?? [])
            written.details = event.facts.details
            written.isRetired = event.facts.isRetired
            for property in event.properties {
                let isName = ["event", "event_name", "name", "action"].contains(Names.identifier(property.name))
                if isName, property.constant == event.name || property.description.isExactly(event.name) {
                    findings.note(
                        "`\(property.name)` of `\(event.name)` is left out: it is the event's name", at: property.place)
                } else if let shared = shared[ExactString(property.name)], [nil, shared.type].contains(property.type) {
                    if !repeated.contains(property.name) { repeated.append(property.name) }
                    if !property.description.isEmpty, !shared.description.holds(property.description) {
                        paragraphs.append("\(property.name): \(property.description)")
                    }
                } else {
                    written.columns.append(column(property))
                }
            }
            written.description = DraftText(paragraphs.joined(separator: "\n\n"))
            draft.categories[index].events.append(written)
        }
        if category != nil {
            let chapters = Set(events.compactMap(\.chapter)).filter { $0 != category }
            note("left out, because the command names the category", chapters.sorted())
        }
        note("written once, in common.md, and left out of the events", repeated)
        if let untyped {
            findings.warn(
                "properties without a type become strings, such as `\(untyped.name)`: write `\(untyped.name) (int)`, or a "
                    + "column `Type`", at: untyped.place)
        }
    }

    private mutating func note(_ message: String, _ names: [String]) {
        guard !names.isEmpty else { return }
        let names = names.map { "`\($0)`" }.joined(separator: ", ")
        findings.note("\(message): \(names)", at: SourcePlace(source.path))
    }

    /// Merges events that another chapter only repeats, and those whose chapters become the same category. Items of lists
    /// with the name of a property describe it.
    private mutating func mergeRepeated() {
        let names = Set((events.flatMap(\.properties) + common + dictionary).map { Names.key($0.name) })
        let indices = Dictionary(grouping: events.indices) { ExactString(events[$0].key) }
        let categories = categoriesByChapter()
        func category(_ index: Int) -> String { categories[events[index].chapter]?.name ?? source.stem }
        var removed: Set<Int> = []
        for index in events.indices.reversed() {
            let event = events[index]
            if event.isItem, event.properties.isEmpty, names.contains(event.key) {
                var property = PlanProperty(event.name, at: event.place)
                property.facts = event.facts
                dictionary.append(property)
                removed.insert(index)
                continue
            }
            let other = indices[ExactString(event.key)]?.first { other in
                let isOther = event.properties.isEmpty && (!events[other].properties.isEmpty || event.key.holds("_"))
                return other != index && !removed.contains(other)
                    && (isOther && (other < index || !events[other].properties.isEmpty)
                        || other < index && category(other) == category(index))
            }
            guard let other else { continue }
            events[other].facts.merge(event.facts)
            events[other].add(title: event.title)
            for property in event.properties { events[other].add(property) }
            removed.insert(index)
        }
        events = events.indices.filter { !removed.contains($0) }.map { events[$0] }
    }

    private func categoriesByChapter() -> [String?: (name: String, chapter: String?)] {
        Dictionary(grouping: events, by: \.chapter).reduce(into: [:]) { categories, entry in
            guard let chapter = entry.key else { return }
            let prefixes = Set(entry.value.map { $0.key.split(separator: "_").first.map(String.init) ?? "" })
            if PlanNames.identifier(of: chapter) != nil {
                categories[chapter] = (chapter, nil)
            } else if entry.value.count > 1, prefixes.count == 1, let prefix = prefixes.first, !prefix.isEmpty {
                categories[chapter] = (prefix, chapter)
            } else {
                categories[chapter] = (source.stem, chapter)
            }
        }
    }

    private mutating func forEachProperty(_ body: (inout PlanProperty) -> Void) {
        for index in common.indices { body(&common[index]) }
        for event in events.indices {
            for index in events[event].properties.indices { body(&events[event].properties[index]) }
        }
    }

    /// Merges properties with entries without an event, and with the types of other events, except the constants there.
    private mutating func addDictionary() {
        let entries = Dictionary(
            dictionary.map { (Names.key($0.name), $0) }, uniquingKeysWith: { first, _ in first })
        var used: Set<String> = []
        var types: [String: LogValueType] = [:]
        forEachProperty { property in
            let key = Names.key(property.name)
            used.insert(key)
            if let entry = entries[key] { property.merge(entry) }
            if property.type?.element.isConstant == false { types[key] = types[key] ?? property.type }
        }
        var taken: [String] = []
        forEachProperty { property in
            guard property.type == nil, let type = types[Names.key(property.name)] else { return }
            property.type = type
            if !taken.contains(property.name) { taken.append(property.name) }
        }
        note("without a type in some events, with the type of another event", taken)
        let unused = dictionary.filter { !used.contains(Names.key($0.name)) }
        let bySection = Dictionary(grouping: unused) { section(at: $0.place.line) }
        for (_, properties) in bySection.sorted(by: { $0.key < $1.key }) {
            let names = properties.map { property in
                let texts = property.facts.texts.joined(separator: "; ")
                return "`\(property.name)`"
                    + (texts.isEmpty ? "" : " (\(PlainText.normalized(texts, isOneLine: true)))")
            }.joined(separator: ", ")
            findings.warn(
                "\(names) \(properties.count == 1 ? "is left out: no event has it" : "are left out: no event has them")",
                at: properties[0].place)
        }
    }
}

extension LogValueType {
    var isConstant: Bool {
        if case .enumeration(let enumeration) = self { enumeration.values.count == 1 } else { false }
    }
}
