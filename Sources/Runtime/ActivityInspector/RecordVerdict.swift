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

    /// The size of the violations in bytes.
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
    /// The maximum number of violations that are kept of a record.
    static let mostViolations = 20

    private struct Definitions: Hashable {
        var category: ObjectIdentifier
        var common: ObjectIdentifier
    }

    /// The rules by definitions. Two loggers may have different common columns.
    private let validators = Locked<[Definitions: RecordValidator]>([:])

    func verdict(on record: LogRecord) -> RecordVerdict {
        let found = validator(of: record).violations(of: record.json)
        var violations = found.prefix(Self.mostViolations).map {
            RecordViolation(column: $0.column.map(ShortText.cut), message: ShortText.cut($0.message))
        }
        // The encoder also knows the values of generated enumerations, and the values that it has replaced.
        let entries = Set(found.map(\.entry))
        for violation in record.violations.prefix(Self.mostViolations) where !entries.contains(violation.entry) {
            violations.append(
                RecordViolation(column: violation.column, message: "\(violation.rule), from the record's `violations`"))
        }
        if found.count > Self.mostViolations {
            violations.append(RecordViolation(message: "\(found.count - Self.mostViolations) more violations"))
        }
        return violations.isEmpty ? .accepted : .rejected(violations)
    }

    private func validator(of record: LogRecord) -> RecordValidator {
        let key = Definitions(
            category: ObjectIdentifier(record.definitions), common: ObjectIdentifier(record.commonDefinition))
        if let known = validators.withLock({ $0[key] }) { return known }
        let made = RecordValidator(
            EventDescription.all(of: [record.definitions], common: record.commonDefinition), refusesDeclared: true)
        validators.withLock { $0[key] = made }
        return made
    }
}
