public import ActivityTracking
import Foundation
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
    var lines: [[String]] = Array(repeating: [], count: records.count)
    // Group by the definitions that applied when the events were posted.
    let groups = Dictionary(grouping: records.indices) { index in
        [ObjectIdentifier(records[index].definitions), ObjectIdentifier(records[index].commonDefinition)]
    }
    for indices in groups.values {
        let first = records[indices[0]]
        let chunk = RecordChunk(lines: Array(indices.map { records[$0].json }.joined(separator: [0x0A])))
        for bad in judged([chunk], by: EventDescription.all(of: [first.definitions], common: first.commonDefinition))
            .bad
        {
            let index = indices[bad.line - 1]
            lines[index] = bad.violations.map { "record \(index + 1): \($0)" }
        }
    }
    try check(lines, recordCount: records.count, "\(file):\(line)")
}

/// Expects that JSON records match the definitions from which categories were compiled.
///
/// ```swift
/// try expectValid(json: batch.records.joined(separator: "\n".utf8), of: [RecipeSearch.self], common: CommonColumns.self)
/// ```
///
/// Records are validated as by `expectValid(_:file:line:)`. A record also fails if `categories` do not contain its
/// category or event, or if its schema version differs: compiled code contains only the current version.
///
/// - Parameters:
///   - json: One JSON object per line, or an array of objects, in UTF-8. Blank lines are ignored.
///   - categories: The categories of the records.
///   - common: The columns that every record has; nil if the definitions have no `common.md`.
///   - file: The file that a failure names; by default, the caller's file.
///   - line: The line that a failure names; by default, the caller's line.
/// - Throws: `InvalidRecords`, with line numbers of `json`.
public func expectValid(
    json: some Sequence<UInt8>, of categories: [any LogCategory.Type], common: (any LogColumns.Type)? = nil,
    file: StaticString = #fileID,
    line: UInt = #line
) throws(InvalidRecords) {
    let bytes = Array(json)
    var chunks: [RecordChunk] = []
    if RecordSplitter.isArray(bytes) == true {
        var array = RecordChunks(array: bytes)
        chunks = array.take()
    } else if !bytes.isEmpty {
        chunks = [RecordChunk(lines: bytes)]
    }
    let outcome = judged(
        chunks, by: EventDescription.all(of: categories.map { $0.definition }, common: common?.definition))
    let lines = outcome.bad.map { bad in bad.violations.map { "line \(bad.line): \($0)" } }
    try check(lines, recordCount: outcome.recordCount, "\(file):\(line)")
}

private func check(_ violations: [[String]], recordCount: Int, _ place: String) throws(InvalidRecords) {
    let badCount = violations.count { !$0.isEmpty }
    guard badCount == 0, recordCount > 0 else {
        throw InvalidRecords(
            violations: Array(violations.joined()), badCount: badCount, recordCount: recordCount, place: place)
    }
}

private struct BadRecord {
    var line: Int
    var violations: [String]
}

private func judged(_ chunks: [RecordChunk], by events: [EventDescription]) -> (bad: [BadRecord], recordCount: Int) {
    var judge = RecordEvaluator(RecordRules(events), RecordInterest(wantsBadRecords: true, refusesDeclared: true))
    var bad: [BadRecord] = []
    var recordCount = 0
    for chunk in chunks {
        let report = judge.judge(chunk)
        recordCount += report.counts.records
        bad += report.badRecords.map {
            BadRecord(line: $0.line, violations: $0.violations.map(\.description) + declaredViolations(of: $0))
        }
    }
    return (bad, recordCount)
}

/// Returns the violations that the record lists and validation cannot detect, such as a replaced time or infinity.
private func declaredViolations(of record: ChunkReport.BadRecord) -> [String] {
    guard record.isJSON else { return [] }
    let object = try? JSONSerialization.jsonObject(with: Data(record.bytes)) as? [String: Any]
    let event = [RecordEnvelope.category, .event].compactMap { object?[$0.name] as? String }.joined(separator: ".")
    let named = Set(record.violations.map(\.entry))
    let entries = (object?[RecordEnvelope.violations.name] as? [String] ?? []).filter { !named.contains($0) }
    if entries.isEmpty, record.violations.isEmpty { return ["\(event): the record has `violations`"] }
    return entries.map { "\(event): \($0), from the record's `violations`" }
}
