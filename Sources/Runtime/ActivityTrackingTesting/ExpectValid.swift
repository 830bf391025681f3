public import ActivityTracking
import Foundation
import LogTypes
import LogValidation

/// Records that break their definitions, or no records at all.
public struct InvalidRecords: Error, Equatable, CustomStringConvertible {
    /// A line for each violation: `record 2: recipe_search.show_recipe: position: -1 is below 0 [recipe_search.md]`.
    public let violations: [String]
    /// How many records have some.
    public let badCount: Int
    /// How many records were judged.
    public let recordCount: Int
    /// Where the records were expected to be valid: `AppTests/SearchTests.swift:12`.
    public let place: String

    /// How many violations are printed.
    private static let mostPrinted = 20

    public var description: String {
        if recordCount == 0 { return "\(place): there are no records: nothing has been checked" }
        var lines =
            ["\(place): \(badCount) of \(recordCount) records break their definitions"]
            + violations.prefix(Self.mostPrinted)
        if violations.count > Self.mostPrinted {
            lines.append("and \(violations.count - Self.mostPrinted) more violations")
        }
        return lines.joined(separator: "\n")
    }
}

/// Expects that records keep the definitions that their events were compiled from.
///
/// ```swift
/// try expectValid(logs.records)
/// ```
///
/// The judge is that of `loggen validate`, and knows nothing of the code that wrote the records. These fail, too: no
/// records at all; and a record that says of itself that it has `violations`, even if a processor has put them there.
///
/// The values of an enumeration that loggen generates are known to the compiler alone. Here they may be any text.
///
/// - Parameters:
///   - records: those of a `RecordingDestination`.
///   - file: what a failure names; by default, the file of the call.
///   - line: its line.
/// - Throws: `InvalidRecords`, which prints a line for each violation. XCTest and Swift Testing show it.
public func expectValid(_ records: [LogRecord], file: StaticString = #fileID, line: UInt = #line) throws(InvalidRecords)
{
    var lines: [[String]] = Array(repeating: [], count: records.count)
    // By the definitions that were there when the event was posted.
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

/// Expects that records in JSON keep the definitions that categories were compiled from.
///
/// ```swift
/// try expectValid(json: batch.records.joined(separator: "\n".utf8), of: [RecipeSearch.self], common: CommonColumns.self)
/// ```
///
/// As with `LogRecord`s; and a record fails if it is of a category or an event that `categories` do not have, or of
/// another version than theirs: compiled code has only today's.
///
/// - Parameters:
///   - json: a JSON object on each line, or an array of objects, in UTF-8; blank lines are no records.
///   - categories: those that the records may be of.
///   - common: the columns that every record has; nil if the definitions have no `common.md`.
///   - file: what a failure names; by default, the file of the call.
///   - line: its line.
/// - Throws: `InvalidRecords`, whose lines name the line of `json`.
public func expectValid(
    json: some Sequence<UInt8>, of categories: [any LogCategory.Type], common: (any LogColumns.Type)? = nil,
    file: StaticString = #fileID,
    line: UInt = #line
) throws(InvalidRecords) {
    let bytes = Array(json)
    var chunks: [RecordChunk] = []
    if ArrayReader.isArray(bytes) == true {
        var reader = ArrayReader()
        bytes.withUnsafeBytes { reader.read($0) }
        chunks = [reader.finish()].compactMap { $0 }
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

/// The records that break something, in their order.
private func judged(_ chunks: [RecordChunk], by events: [EventDescription]) -> (bad: [BadRecord], recordCount: Int) {
    var judge = RecordJudge(RecordRules(events), RecordInterest(wantsBadRecords: true, refusesDeclared: true))
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

/// What a record says of itself that the judge has not named. It cannot see that a time has been replaced, or that `null`
/// stands for a number that JSON does not have.
private func declaredViolations(of record: ChunkReport.BadRecord) -> [String] {
    guard record.isJSON else { return [] }
    let object = try? JSONSerialization.jsonObject(with: Data(record.bytes)) as? [String: Any]
    let event = [RecordEnvelope.category, .event].compactMap { object?[$0.name] as? String }.joined(separator: ".")
    let named = Set(record.violations.map(\.entry))
    let entries = (object?[RecordEnvelope.violations.name] as? [String] ?? []).filter { !named.contains($0) }
    if entries.isEmpty, record.violations.isEmpty { return ["\(event): the record has `violations`"] }
    return entries.map { "\(event): \($0), as the record says" }
}

extension EventDescription {
    /// The events of compiled definitions, in the only version that they know. A place is a document by its path in the
    /// folder of the definitions.
    fileprivate static func all(of categories: [LogDefinition], common: LogDefinition?) -> [EventDescription] {
        func columns(_ event: LogDefinition.Event, in definition: LogDefinition) -> [Column] {
            event.columns.map {
                Column(name: $0.name, type: $0.type, isRequired: $0.isRequired, place: definition.document)
            }
        }
        let commonColumns = common.flatMap { common in common.events.first.map { columns($0, in: common) } } ?? []
        return categories.flatMap { category in
            category.events.map { event in
                EventDescription(
                    category: category.name, name: event.name, owner: event.owner, place: category.document,
                    versions: [
                        Version(
                            text: event.schemaVersion, isRetired: event.status == .retired,
                            columns: commonColumns + columns(event, in: category))
                    ])
            }
        }
    }
}
