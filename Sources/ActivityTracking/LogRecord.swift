public import Foundation

/// An event as it is stored and sent: one flat JSON object.
///
/// Its members are `event_id`, `event_category`, `event_name`, `schema_version`, `occurred_at`, the common columns, the event's columns,
/// and `violations` where there are any.
public struct LogRecord: Sendable, Equatable {
    public let id: UUID
    /// UTF-8, without a line end in it.
    public let json: [UInt8]
    public let violations: [LogViolation]

    /// Encodes an event.
    /// - Parameters:
    ///   - event: what happened.
    ///   - common: the columns that every event carries.
    ///   - occurredAt: when; a time outside the years 0 to 9999 is written as 1970-01-01T00:00:00.000Z and noted as a violation.
    ///   - id: by which receivers drop duplicates; a version 7 UUID of that time if nil.
    ///   - report: is told of each violation.
    public init<Event: LogCategory>(
        _ event: Event, common: some LogColumns = NoCommonColumns(), occurredAt: Date = Date(), id: UUID? = nil,
        report: (LogViolation) -> Void = LogViolation.reportLoudly
    ) {
        let id = id ?? UUID(version7At: occurredAt)
        let definition = Event.definition
        (json, violations) = LogEncoder.withState(capacity: 512) { commonState in
            commonState.encode(type(of: common).definition, writesHeaders: false) { common.encode(into: $0) }
            return LogEncoder.withState(capacity: 1024) { state in
                commonState.withOutput { state.beginRecord(id: id, occurredAt: occurredAt, common: $0) }
                let number = state.encode(definition, writesHeaders: true) { event.encode(into: $0) }
                let name = number.flatMap { definition.events.indices.contains($0) ? definition.events[$0].name : nil } ?? "?"
                var violations: [LogViolation] = []
                if !(commonState.violations.isEmpty && state.violations.isEmpty) {
                    let columns = type(of: common).definition.events.first?.columns ?? []
                    let own = number.map { definition.events.indices.contains($0) ? definition.events[$0].columns : [] } ?? []
                    for (noted, columns) in [(commonState.violations, columns), (state.violations, own)] {
                        for violation in noted {
                            let column = columns.indices.contains(violation.column) ? columns[violation.column].name : violation.place
                            violations.append(
                                LogViolation(category: definition.name, event: name, column: column, rule: "\(violation.rule)"))
                        }
                    }
                }
                state.endRecord(violations: violations)
                return (state.output(), violations)
            }
        }
        self.id = id
        for violation in violations { report(violation) }
    }
}

extension UUID {
    /// RFC 9562, version 7: milliseconds since 1970, then 74 random bits.
    init(version7At date: Date) {
        let milliseconds = (date.timeIntervalSince1970 * 1000).rounded()
        let time = milliseconds >= 0 && milliseconds < 0x1p48 ? UInt64(milliseconds) : 0
        var generator = SystemRandomNumberGenerator()
        let high = generator.next()
        let low = generator.next()
        func byte(_ value: UInt64, _ shift: UInt64) -> UInt8 { UInt8(truncatingIfNeeded: value >> shift) }
        self.init(
            uuid: (
                byte(time, 40), byte(time, 32), byte(time, 24), byte(time, 16), byte(time, 8), byte(time, 0),
                0x70 | byte(high, 8) & 0x0F, byte(high, 0),
                0x80 | byte(low, 56) & 0x3F, byte(low, 48), byte(low, 40), byte(low, 32), byte(low, 24), byte(low, 16), byte(low, 8),
                byte(low, 0)
            ))
    }
}
