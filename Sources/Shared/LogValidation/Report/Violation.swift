/// A rule that a record breaks, with a message.
package struct Violation: Sendable, Hashable, CustomStringConvertible {
    /// The record's line in its input, from 1.
    package var line: Int
    /// The event, such as `recipe_search.show_recipe`, or nil if the record does not name a known event.
    package var event: String?
    /// The column or field, or nil if the whole record is concerned.
    package var column: String?
    package var rule: BrokenRule
    /// The value as truncated JSON, or nil if there is none.
    package var value: String?
    /// A sentence without a full stop, such as `-1 is below 0`.
    package var message: String
    /// The source location of the rule, such as `Definitions/recipe_search.md:31:3`, if any.
    package var place: String?

    /// The violation as an item of the field `violations` of a rejected record: `column: rule`.
    package var entry: String { "\(column ?? "record"): \(rule.rawValue)" }

    /// The complete message, unescaped: `search.show: position: -1 is below 0 [Definitions/search.md:31:3]`.
    package var description: String {
        [event, column, message].compactMap { $0 }.joined(separator: ": ") + (place.map { " [\($0)]" } ?? "")
    }
}

/// The number of records of each kind.
package struct RecordCounts: Sendable, Hashable {
    package var records = 0
    package var valid = 0
    package var bad = 0
    /// The records that declare violations and are not bad otherwise.
    package var declared = 0
    /// The bad records that are not JSON.
    package var notJSON = 0
    /// The records in which a name occurs twice. Readers differ on which value counts. Here it is the last one.
    package var withDuplicates = 0
    /// The records with an `event_id` of an earlier record. ``RepeatedIDs`` documents the limit.
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

/// The number of times that one column of one event broke a rule.
package struct ViolationTally: Sendable, Hashable {
    package struct Key: Sendable, Hashable {
        package var event: String?
        /// The column, or nil for the whole record and for undeclared columns.
        package var column: String?
        package var rule: BrokenRule
    }

    package var count: Int
    /// The first violation.
    package var example: Violation
}

/// The results of a chunk.
package struct ChunkReport: Sendable {
    package struct BadRecord: Sendable {
        package var line: Int
        package var violations: [Violation]
        package var bytes: [UInt8]
        package var isJSON: Bool
    }

    package var counts = RecordCounts()
    /// The violations, up to the requested number for each event.
    package var violations: [Violation] = []
    package var tallies: [ViolationTally.Key: ViolationTally] = [:]
    package var badRecords: [BadRecord] = []
    /// The valid records as they are, each followed by a newline.
    package var goodRecords: [UInt8] = []
    /// The rows for a warehouse, by table, one per line. `RecordRouting.stream` has all rows at index 0.
    package var rows: [[UInt8]] = []
    /// The `event_id` of each record that has a UUID there, if requested.
    package var ids: [RecordID] = []
    package var lineCount = 0
}
