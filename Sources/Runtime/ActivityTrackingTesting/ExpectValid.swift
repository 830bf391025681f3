public import ActivityTracking
import LogTypes
import LogValidation

/// An error for records that violate their definitions, or for an empty list of records.
public struct InvalidRecords: Error, Equatable, CustomStringConvertible {
    /// One line per violation: `record 2: recipe_search.show_recipe: position: -1 is below 0 [recipe_search.md]`.
    public let violations: [String]
    /// The number of records with violations.
    public let badCount: Int
    /// The number of validated records.
    public let recordCount: Int
    /// The source location of the expectation: `AppTests/SearchTests.swift:12`.
    public let place: String

    private static let mostPrintedViolations = 20

    public var description: String {
        if recordCount == 0 { return "\(place): no records: nothing has been checked" }
        var lines =
            ["\(place): \(badCount) of \(recordCount) records break their definitions"]
            + violations.prefix(Self.mostPrintedViolations)
        if violations.count > Self.mostPrintedViolations {
            lines.append("and \(violations.count - Self.mostPrintedViolations) more violations")
        }
        return lines.joined(separator: "\n")
    }
}

/// Expects that records match the definitions from which their events were compiled.
///
/// ```swift
/// try expectValid(logs.records)
/// ```
///
/// The validator is that of `loggen validate`, and independent of the code that encoded the records. An empty list of
/// records fails. A record that lists `violations` also fails, even if a processor has added them.
///
/// Only the compiler knows the values of enumerations that loggen generates, so any string is accepted for them here.
///
/// - Parameters:
///   - records: The records of a `RecordingDestination`.
///   - file: The file that a failure names; by default, the caller's file.
///   - line: The line that a failure names; by default, the caller's line.
/// - Throws: `InvalidRecords`, whose description has a line for each violation. XCTest and Swift Testing show it.
public func expectValid(_ records: [LogRecord], file: StaticString = #fileID, line: UInt = #line) throws(InvalidRecords)
{
    var violations: [[String]] = Array(repeating: [], count: records.count)
    // Group by the definitions that applied when the events were posted.
    let groups = Dictionary(grouping: records.indices) { index in
        [ObjectIdentifier(records[index].definitions), ObjectIdentifier(records[index].commonDefinition)]
    }
    for indices in groups.values {
        let first = records[indices[0]]
        var judge = RecordEvaluator(
            RecordRules(EventDescription.all(of: [first.definitions], common: first.commonDefinition)),
            RecordInterest(wantsBadRecords: true, refusesDeclared: true))
        let chunk = RecordChunk(lines: Array(indices.map { records[$0].json }.joined(separator: [0x0A])))
        for bad in judge.judge(chunk).badRecords {
            let index = indices[bad.line - 1]
            let record = records[index]
            // Validation cannot detect some violations that the record lists, such as a replaced time or infinity.
            let found = Set(bad.violations.map(\.entry))
            let declared = record.violations.map(\.entry).filter { !found.contains($0) }
                .map { "\(record.category).\(record.event): \($0), from the record's `violations`" }
            violations[index] = (bad.violations.map(\.description) + declared).map { "record \(index + 1): \($0)" }
        }
    }
    let badCount = violations.count { !$0.isEmpty }
    guard badCount == 0, !records.isEmpty else {
        throw InvalidRecords(
            violations: Array(violations.joined()), badCount: badCount, recordCount: records.count,
            place: "\(file):\(line)")
    }
}
