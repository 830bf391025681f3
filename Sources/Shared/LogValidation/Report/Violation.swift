/// What a record breaks, in words.
package struct Violation: Sendable, Hashable, CustomStringConvertible {
    /// The record's line in its input, from 1.
    package var line: Int
    /// `recipe_search.show_recipe`; nil if the record names no event that is known.
    package var event: String?
    /// The column or field; nil if it is about the whole record.
    package var column: String?
    package var rule: BrokenRule
    /// The value as JSON, cut; nil if there is none.
    package var value: String?
    /// A sentence without its end: `-1 is below 0`.
    package var message: String
    /// Where the definition says so: `Definitions/recipe_search.md:31:3`.
    package var place: String?

    /// As the runtime lists it in `violations`.
    package var entry: String { "\(column ?? "record"): \(rule.rawValue)" }

    /// `recipe_search.show_recipe: position: -1 is below 0 [Definitions/recipe_search.md:31:3]`. Nothing in it is escaped.
    package var description: String {
        [event, column, message].compactMap { $0 }.joined(separator: ": ") + (place.map { " [\($0)]" } ?? "")
    }
}

/// How many records there were of each kind.
package struct RecordCounts: Sendable, Hashable {
    package var records = 0
    package var valid = 0
    package var bad = 0
    /// Records that say of themselves that they have violations, and are not bad otherwise.
    package var declared = 0
    /// Of the bad ones, those that are no JSON.
    package var notJSON = 0
    /// Records with a name that stands twice. Readers differ on which value counts; here the last one does.
    package var withDuplicates = 0
    /// Records whose `event_id` another record has had before (`RepeatedIDs`).
    package var repeated = 0
    package var violations = 0

    package init() {}

    package static func += (left: inout RecordCounts, right: RecordCounts) {
        left.records += right.records
        left.valid += right.valid
        left.bad += right.bad
        left.declared += right.declared
        left.notJSON += right.notJSON
        left.withDuplicates += right.withDuplicates
        left.repeated += right.repeated
        left.violations += right.violations
    }
}

/// How often a rule was broken by one column of one event.
package struct ViolationTally: Sendable, Hashable {
    package struct Key: Sendable, Hashable {
        package var event: String?
        /// Nil for the whole record, and for columns that are not declared.
        package var column: String?
        package var rule: BrokenRule
    }

    package var count: Int
    /// The first one.
    package var example: Violation
}

/// What the records of a chunk were found to be.
package struct ChunkReport: Sendable {
    package struct BadRecord: Sendable {
        package var line: Int
        package var violations: [Violation]
        package var bytes: [UInt8]
        package var isJSON: Bool
    }

    package var counts = RecordCounts()
    /// Of each event, as many as were asked for.
    package var violations: [Violation] = []
    package var tallies: [ViolationTally.Key: ViolationTally] = [:]
    package var badRecords: [BadRecord] = []
    /// The valid records as they are, a newline behind each.
    package var goodRecords: [UInt8] = []
    /// Rows, a line each, by the number of their table; in a stream, all of them at 0.
    package var rows: [[UInt8]] = []
    /// The `event_id` of each record that has a UUID there, if they were asked for.
    package var ids: [RecordID] = []
    package var lineCount = 0
}
