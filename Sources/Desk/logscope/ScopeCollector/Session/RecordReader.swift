#if Scope
    import Foundation
    import LogTypes
    import LogValidation

    /// Validates records as `loggen validate` does, and extracts the fields that the list shows.
    actor RecordReader {
        /// The maximum number of bytes of a record.
        static let longestRecord = 1 << 20
        /// The columns that identify sessions and devices. The first one that a record contains is used.
        static let sessionColumns = ["session_id", "session"]
        static let deviceColumns = ["device_id", "device", "device_model"]
        static let mostViolations = 50
        private static let longestName = 200

        private var judge: RecordEvaluator
        private let known: Set<String>
        private static let envelope: [RecordEnvelope] = [.category, .event, .eventID, .version, .violations]
        private static let members = Set(envelope.map(\.name) + sessionColumns + deviceColumns)

        /// - Parameter common: the columns of all events, with which records of unknown events are validated.
        init(_ events: [EventDescription], common: [ColumnShape] = []) {
            judge = RecordEvaluator(
                RecordRules(events, common: common),
                RecordInterest(limit: 0, wantsBadRecords: true, refusesDeclared: true))
            known = Set(events.map(\.fullName))
        }

        /// Parses and validates records.
        /// - Parameters:
        ///   - lines: whole lines; blank lines are ignored.
        ///   - time: in milliseconds since 1970.
        func read(_ lines: [[UInt8]], at time: Int64) -> [ReceivedRecord] {
            let report = judge.judge(RecordChunk(lines: Array(lines.joined(separator: [0x0A]))))
            var found: [Int: [ScopeViolation]] = [:]
            for bad in report.badRecords {
                var violations = bad.violations.prefix(Self.mostViolations).map {
                    ScopeViolation(
                        column: $0.column, rule: $0.rule.rawValue, message: $0.message, value: $0.value, place: $0.place
                    )
                }
                if bad.violations.count > Self.mostViolations {
                    violations.append(
                        ScopeViolation(
                            rule: "more", message: "\(bad.violations.count - Self.mostViolations) more violations"))
                }
                found[bad.line] = violations
            }
            return lines.enumerated().map { number, line in
                var record = ScopeRecord(at: time)
                let members = RecordMembers(Self.members, of: line)
                func text(_ name: String) -> String? { members[name].map(Self.short) }
                record.category = text(RecordEnvelope.category.name)
                record.event = text(RecordEnvelope.event.name)
                record.id = text(RecordEnvelope.eventID.name)
                record.version = text(RecordEnvelope.version.name)
                record.session = Self.sessionColumns.lazy.compactMap(text).first
                record.device = Self.deviceColumns.lazy.compactMap(text).first
                record.known = record.name.map(known.contains) ?? false
                var violations = found[number + 1] ?? []
                if found[number + 1]?.isEmpty == true {
                    violations = Self.declaredViolations(members.strings(in: RecordEnvelope.violations.name))
                }
                return ReceivedRecord(record: record, violations: violations, raw: line)
            }
        }

        private static func declaredViolations(_ entries: [String]) -> [ScopeViolation] {
            let violations = entries.prefix(mostViolations).map { entry in
                let sides = entry.components(separatedBy: ": ")
                return ScopeViolation(
                    column: sides.count == 2 ? String(sides[0].prefix(longestName)) : nil,
                    rule: String((sides.last ?? entry).prefix(longestName)),
                    message: "reported by the app: \(entry.prefix(longestName))")
            }
            return violations.isEmpty
                ? [ScopeViolation(rule: "violations", message: "the app reports violations of the record")]
                : violations
        }

        private static func short(_ text: String) -> String {
            text.utf8.count <= longestName ? text : String(text.unicodeScalars.prefix(longestName)) + "…"
        }
    }
#endif
