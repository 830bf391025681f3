import LogTypes

/// The facts about each record that a run needs.
package struct RecordInterest: Sendable {
    /// The maximum number of violations of each event for which messages are created.
    package var limit: Int
    package var wantsBadRecords: Bool
    package var wantsGoodRecords: Bool
    /// Indicates whether records that declare violations are rejected. If so, their columns are checked, too.
    package var refusesDeclared: Bool

    /// Indicates whether columns and values of enumerations are counted.
    package var wantsCoverage: Bool
    /// Indicates whether values are measured.
    package var wantsStatistics: Bool
    /// Indicates whether reports contain the `event_id` of each record.
    package var wantsIDs: Bool
    /// The form of the rows in reports, or nil for none.
    package var routing: RecordRouting?

    package init(
        limit: Int = .max, wantsBadRecords: Bool = false, wantsGoodRecords: Bool = false, refusesDeclared: Bool = false,
        wantsCoverage: Bool = false, wantsStatistics: Bool = false, wantsIDs: Bool = false,
        routing: RecordRouting? = nil
    ) {
        self.routing = routing
        self.wantsIDs = wantsIDs
        self.limit = limit
        self.refusesDeclared = refusesDeclared
        self.wantsCoverage = wantsCoverage
        self.wantsStatistics = wantsStatistics
        self.wantsBadRecords = wantsBadRecords
        self.wantsGoodRecords = wantsGoodRecords
    }
}

extension RecordEvaluator {
    /// Judges all records of a chunk.
    package mutating func judge(_ chunk: RecordChunk) -> ChunkReport {
        var report = ChunkReport()
        beginRows(of: &report)
        var reported: [Int: Int] = [:]
        chunk.bytes.withUnsafeBufferPointer { bytes in
            guard let base = bytes.baseAddress else { return }
            var start = base
            let end = base + chunk.count
            var number = 0
            while start < end, let lineEnd = start.first(0x0A, before: end) {
                var verdict = judge(start, lineEnd)
                if rows != nil, verdict == .valid {
                    findUnstorable(lineEnd)
                    if !findings.isEmpty { verdict = .bad }
                }
                switch verdict {
                case .blank: break
                case .valid: report.counts.valid += 1
                case .declared: report.counts.declared += 1
                case .bad: noteBad(start, lineEnd, line: (chunk.numbers?[number] ?? number) + 1, &reported, &report)
                }
                if verdict != .blank {
                    report.counts.records += 1
                    if hasDuplicates { report.counts.withDuplicates += 1 }
                    if let id { report.ids.append(id) }
                    observe(verdict)
                    if verdict == .valid, interest.wantsGoodRecords {
                        report.goodRecords += UnsafeBufferPointer(start: start, count: lineEnd + 1 - start)
                    }
                    if rows != nil { appendRow(verdict, start, lineEnd, to: &report) }
                }
                number += 1
                start = lineEnd + 1
            }
            report.lineCount = chunk.lineCount ?? number
        }
        rowCounts = report.rows.map(\.count)
        return report
    }

    private mutating func noteBad(
        _ start: UnsafePointer<UInt8>, _ end: UnsafePointer<UInt8>, line: Int, _ reported: inout [Int: Int],
        _ report: inout ChunkReport
    ) {
        report.counts.bad += 1
        report.counts.violations += findings.count
        let isJSON = findings.first?.rule != .json
        if !isJSON { report.counts.notJSON += 1 }
        let known = reported[event, default: 0]
        reported[event] = known + findings.count
        var violations: [Violation] = []
        for (number, finding) in findings.enumerated() {
            var key = ViolationTally.Key(
                event: event < 0 ? nil : rules.descriptions[event].fullName, column: nil, rule: finding.rule)
            switch finding.subject {
            case .record, .undeclared: break
            case .field(let field): key.column = field.name
            case .column(let column): key.column = rules.slots[columns[column].slot].column
            }
            let isTold = known + number < interest.limit
            if isTold || interest.wantsBadRecords || report.tallies[key] == nil {
                let violation = violation(finding, line: line)
                if isTold { report.violations.append(violation) }
                violations.append(violation)
                if report.tallies[key] == nil { report.tallies[key] = ViolationTally(count: 0, example: violation) }
            }
            report.tallies[key]?.count += 1
        }
        guard interest.wantsBadRecords else { return }
        report.badRecords.append(
            .init(
                line: line, violations: violations, bytes: Array(UnsafeBufferPointer(start: start, count: end - start)),
                isJSON: isJSON))
    }
}
