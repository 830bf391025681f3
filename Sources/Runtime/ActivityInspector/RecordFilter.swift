import ActivityTracking
import Foundation

/// A filter of records. Nil and empty values accept all records.
package struct RecordFilter: Sendable, Equatable {
    package var category: String?
    package var owner: String?
    package var onlyRejected = false
    /// Words that all occur in the event's name or in a value, in any case.
    package var text = ""

    package init(
        category: String? = nil, owner: String? = nil, onlyRejected: Bool = false, text: String = ""
    ) {
        self.category = category
        self.owner = owner
        self.onlyRejected = onlyRejected
        self.text = text
    }

    package func accepts(_ entry: InspectedRecord) -> Bool {
        if let category, entry.record.category != category { return false }
        if let owner, entry.owner != owner { return false }
        if onlyRejected, entry.verdict?.isRejected != true { return false }
        let words = text.lowercased().split(whereSeparator: \.isWhitespace)
        guard !words.isEmpty else { return true }
        // Bytes are searched, because a search for characters takes several times as long.
        let values = entry.record.members.map { ShortText.string($0.json) ?? $0.json }
        let bytes = Data(([entry.fullName] + values).joined(separator: "\n").lowercased().utf8)
        return words.allSatisfy { bytes.range(of: Data($0.utf8)) != nil }
    }
}

extension InspectorState {
    /// Returns the kept records that a filter accepts, the newest first.
    package func records(_ filter: RecordFilter) -> [InspectedRecord] { records.filter(filter.accepts) }

    /// The categories of the definitions, in order.
    package var categories: [String] {
        var names: Set<String> = []
        return definitions.map(\.name).filter { names.insert($0).inserted }
    }

    /// The owners of events, in alphabetical order.
    package var owners: [String] {
        Set(definitions.flatMap { definition in definition.events.compactMap { $0.owner ?? definition.owner } })
            .sorted()
    }
}
