import ActivityTracking
import LogValidation

/// The validator's verdict on a record.
package enum RecordVerdict: Sendable, Equatable {
    case accepted
    /// At least one violation.
    case rejected([RecordViolation])

    package var isRejected: Bool { self != .accepted }

    package var violations: [RecordViolation] {
        switch self {
        case .accepted: []
        case .rejected(let violations): violations
        }
    }

    var bytes: Int { violations.reduce(0) { $0 + 64 + $1.message.utf8.count + ($1.column?.utf8.count ?? 0) } }
}

/// A violated rule of a record.
package struct RecordViolation: Sendable, Equatable, CustomStringConvertible {
    /// The column or the member of the envelope; nil if the whole record is concerned.
    package var column: String?
    /// A sentence without a full stop, such as `-1 is below 0`.
    package var message: String

    package var description: String { column.map { "\($0): \(message)" } ?? message }
}

/// Validates records with the definitions from which their events were compiled.
final class CompiledValidator: Sendable {
    static let mostViolations = 20

    private struct Definitions: Hashable {
        var category: ObjectIdentifier
        var common: ObjectIdentifier
    }

    /// The rules by definitions: two loggers may have different common columns.
    private let rules = Locked<[Definitions: RecordRules]>([:])

    /// Returns the verdicts on records, in order. Records of a category share an evaluator, which is expensive.
    func verdicts(on records: [LogRecord]) -> [RecordVerdict] {
        var verdicts = [RecordVerdict](repeating: .accepted, count: records.count)
        let groups = Dictionary(grouping: records.indices) { index in
            Definitions(
                category: ObjectIdentifier(records[index].definitions),
                common: ObjectIdentifier(records[index].commonDefinition))
        }
        for (definitions, indices) in groups {
            var judge = RecordEvaluator(
                rules(definitions, of: records[indices[0]]),
                RecordInterest(wantsBadRecords: true, refusesDeclared: true))
            let report = judge.judge(
                RecordChunk(lines: Array(indices.map { records[$0].json }.joined(separator: [0x0A]))))
            for bad in report.badRecords where indices.indices.contains(bad.line - 1) {
                let index = indices[bad.line - 1]
                verdicts[index] = Self.verdict(bad.violations, on: records[index])
            }
        }
        return verdicts
    }

    private func rules(_ definitions: Definitions, of record: LogRecord) -> RecordRules {
        if let known = rules.withLock({ $0[definitions] }) { return known }
        let made = RecordRules(EventDescription.all(of: [record.definitions], common: record.commonDefinition))
        rules.withLock { $0[definitions] = made }
        return made
    }

    private static func verdict(_ found: [Violation], on record: LogRecord) -> RecordVerdict {
        var violations = found.prefix(mostViolations).map {
            RecordViolation(column: $0.column.map(ShortText.cut), message: ShortText.cut($0.message))
        }
        // The encoder detects more violations than the validator: it knows the values of generated enumerations, and
        // has replaced values that JSON cannot represent.
        let entries = Set(found.map(\.entry))
        for violation in record.violations.prefix(mostViolations) where !entries.contains(violation.entry) {
            violations.append(
                RecordViolation(column: violation.column, message: "\(violation.rule), from the record's `violations`"))
        }
        if found.count > mostViolations {
            violations.append(RecordViolation(message: "\(found.count - mostViolations) more violations"))
        }
        return .rejected(violations)
    }
}
