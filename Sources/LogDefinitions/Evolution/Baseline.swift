import MarkdownSyntax

/// The events that definitions are compared with: the latest of each in a lock file, or those of other definitions.
package struct Baseline: Sendable {
    package struct Entry: Sendable {
        package var version: SchemaVersion
        /// Bytes of `text`.
        var shape: Range<Int>
        /// Counts from the first of `files`.
        package var place: Place

        /// Which of the lock file's lines, counted from 0, has it.
        var line = 0

        init(version: SchemaVersion, shape: Range<Int>, place: Place, line: Int = 0) {
            self.version = version
            self.shape = shape
            self.place = place
            self.line = line
        }
    }

    package var files: [SourceFile]
    /// By `category.event`.
    package internal(set) var entries: [String: Entry]
    let text: [UInt8]

    init(files: [SourceFile], entries: [String: Entry], text: [UInt8]) {
        self.files = files
        self.entries = entries
        self.text = text
    }

    /// Definitions as they were.
    package init(_ definitions: Definitions) {
        let notation = ShapeNotation(definitions)
        var text: [UInt8] = []
        var entries: [String: Entry] = [:]
        for category in definitions.categories {
            for event in category.events {
                let start = text.count
                text += notation.shape(of: event)
                entries["\(category.name).\(event.name)"] = Entry(
                    version: .initial, shape: start..<text.count, place: event.place)
            }
        }
        self.init(files: definitions.files, entries: entries, text: text)
    }

    func shape(_ entry: Entry) throws(ShapeNotation.Failure) -> EventShape {
        try ShapeNotation.parse(text[entry.shape])
    }
}
