import MarkdownSyntax

/// The events to compare definitions with: the latest versions in a lock file, or those of other definitions.
package struct Baseline: Sendable {
    package struct Entry: Sendable {
        package var version: SchemaVersion
        /// The range of the shape in `text`, in bytes.
        var shape: Range<Int>
        /// The file index is relative to `files`.
        package var place: Place

        /// The index of the entry's line in the lock file, counted from 0.
        var line = 0
    }

    package var files: [SourceFile]
    /// The key is `category.event`.
    package internal(set) var entries: [String: Entry]
    let text: [UInt8]
    /// The shapes of versions before the latest, by `category.event`, oldest first. Few events have any.
    var earlier: [String: [(version: SchemaVersion, shape: Range<Int>)]] = [:]
    /// The platforms of events and columns; empty in a lock file, which does not contain them.
    var platforms: [String: EventPlatforms] = [:]

    init(files: [SourceFile], entries: [String: Entry], text: [UInt8]) {
        self.files = files
        self.entries = entries
        self.text = text
    }

    /// Creates a baseline from earlier definitions.
    package init(_ definitions: Definitions) {
        let notation = ShapeNotation(definitions)
        var text: [UInt8] = []
        var entries: [String: Entry] = [:]
        var platforms: [String: EventPlatforms] = [:]
        for category in definitions.categories {
            for event in category.events {
                let start = text.count
                text += notation.shape(of: event)
                let name = "\(category.name).\(event.name)"
                entries[name] = Entry(version: .initial, shape: start..<text.count, place: event.place)
                if event.status != .retired { platforms[name] = EventPlatforms(of: event, definitions.common) }
            }
        }
        self.init(files: definitions.files, entries: entries, text: text)
        self.platforms = platforms
    }

    /// The entry with the highest version among those with these names, if any.
    func newest(of events: [String]) -> (name: String, entry: Entry)? {
        events.compactMap { name in entries[name].map { (name, $0) } }.max { $0.1.version < $1.1.version }
    }

    package func isRetired(_ event: String) -> Bool {
        entries[event].map { text[$0.shape].starts(with: "retired".utf8) } ?? false
    }

    /// The entries of an event's former names that its own entry does not cover: those without a recorded heir, and
    /// those with a version that is not older, because another branch has changed them.
    /// - Parameter own: the event's own entry, if any.
    func uncovered(
        _ former: [String], by own: Entry?, _ heirs: [String: String]
    ) -> [(name: String, entry: Entry)] {
        former.compactMap { name in
            guard let entry = entries[name],
                heirs[name] == nil || own.map({ entry.version >= $0.version }) ?? false
            else { return nil }
            return (name, entry)
        }
    }

    /// The current names of renamed events, by the former names. The newest version decides.
    func heirs() -> [String: String] {
        let mark = Array("@renamed-from=".utf8)
        guard !SourceText(text).occurrences(of: mark, limit: 1).isEmpty else { return [:] }
        var claims: [(version: SchemaVersion, event: String, former: [String])] = []
        for (event, entry) in entries {
            for (version, range) in (earlier[event] ?? []) + [(entry.version, entry.shape)] {
                let hasNames = range.contains { text[$0] == mark[0] && text[$0..<range.upperBound].starts(with: mark) }
                guard hasNames, let shape = try? ShapeNotation.parse(text[range]) else { continue }
                claims.append((version, event, shape.formerNames))
            }
        }
        var heirs: [String: String] = [:]
        for (_, event, former) in claims.sorted(by: { ($0.version, $0.event) < ($1.version, $1.event) }) {
            for name in former where name != event { heirs[name] = event }
            // The name has returned to its heir.
            if let heir = heirs[event], former.contains(heir) { heirs[event] = nil }
        }
        return heirs
    }

    /// The shapes of an event's versions under these names, oldest first. Unreadable lines are skipped.
    package func earlierShapes(of events: [String]) -> [(version: SchemaVersion, shape: EventShape)] {
        let ranges = events.flatMap { event in
            (earlier[event] ?? []) + (entries[event].map { [($0.version, $0.shape)] } ?? [])
        }
        return ranges.compactMap { version, range in
            (try? ShapeNotation.parse(text[range])).map { (version, $0) }
        }.sorted { $0.0 < $1.0 }
    }

    func shape(_ entry: Entry) throws(ShapeNotation.Failure) -> EventShape {
        try ShapeNotation.parse(text[entry.shape])
    }
}
