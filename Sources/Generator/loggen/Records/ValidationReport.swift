import CommandOptions
import JSONSyntax
import LogProject
import LogReporting
import LogValidation

enum ValidationFormat: String, CaseIterable {
    case text, json, markdown, github
}

/// Collects the reports of chunks in any order and prints them in the order of the records.
actor ValidationReport {
    private let paths: [String]
    private let format: ValidationFormat
    private let limit: Int
    private let terminal: Terminal
    private let bad: RecordFile?
    private let good: RecordFile?
    private let rows: RowDestination?
    private var waiting: [Int: (file: Int, report: ChunkReport)] = [:]
    private var nextNumber = 0
    private var file = -1
    private var line = 0
    private var printedViolations: [String?: Int] = [:]
    private var suspended: [CheckedContinuation<Void, Never>] = []
    private var ids = RepeatedIDs()

    private(set) var counts = RecordCounts()
    private(set) var tallies: [ViolationTally.Key: (tally: ViolationTally, file: Int)] = [:]
    /// The number of records in each file.
    private(set) var recordsOfFiles: [Int]

    /// - Parameters:
    ///   - bad: the path of the file for rejected records.
    ///   - good: the path of the file for accepted records.
    ///   - routing: the tables of the rows; nil without rows.
    ///   - split: the path of the folder for rows.
    init(
        paths: [String], format: ValidationFormat, limit: Int, terminal: Terminal, bad: String?, good: String?,
        isForced: Bool,
        routing: RecordRouting?, split: String?
    ) throws(FileError) {
        rows = try routing.map { routing throws(FileError) in
            try RowDestination(routing, split: split, isForced: isForced)
        }
        self.paths = paths
        self.format = format
        self.limit = limit
        self.terminal = terminal
        self.bad = try bad.map { path throws(FileError) in try RecordFile(path, isForced: isForced) }
        self.good = try good.map { path throws(FileError) in try RecordFile(path, isForced: isForced) }
        recordsOfFiles = Array(repeating: 0, count: paths.count)
    }

    func finish() throws(FileError) {
        try bad?.finish()
        try good?.finish()
        if case .folder(let folder) = rows { try folder.finish() }
    }

    func abandon() {
        bad?.abandon()
        good?.abandon()
        if case .folder(let folder) = rows { folder.abandon() }
    }

    /// Indicates whether the rest of the input cannot change the result: the output has no reader, no file is written,
    /// and a rejected record has determined the exit code.
    var isDecided: Bool { counts.bad > 0 && bad == nil && good == nil && rows == nil && terminal.isOutputAbandoned }

    /// Ends the process after `isDecided`, without awaiting tasks that read: a pipe may be silent for hours.
    func leave() -> Never {
        if !terminal.isQuiet {
            terminal.error(
                "loggen: the output was closed; stopped after \(grouped(counts.records)) records, "
                    + "\(grouped(counts.bad)) of them bad\n"
            )
        }
        endProcess(withCode: 1)
    }

    /// The maximum number of chunks after the next one to print, which bounds the memory for waiting reports.
    private static let maximumAhead = 16

    func add(_ report: ChunkReport, _ piece: RecordInput.Piece) async throws(FileError) {
        while piece.number >= nextNumber + Self.maximumAhead { await withCheckedContinuation { suspended.append($0) } }
        waiting[piece.number] = (piece.file, report)
        while let next = waiting.removeValue(forKey: nextNumber) {
            nextNumber += 1
            try say(next.report, next.file)
        }
        wake()
    }

    /// Ends the process after a file error, without awaiting tasks that read: a pipe may be silent for hours.
    func end(with problem: FileError) -> Never {
        abandon()
        terminal.error("loggen: error: \(problem)\n")
        endProcess(withCode: 2)
    }

    private func wake() {
        for continuation in suspended { continuation.resume() }
        suspended = []
    }

    private func say(_ report: ChunkReport, _ file: Int) throws(FileError) {
        if file != self.file {
            self.file = file
            line = 0
        }
        counts += report.counts
        for id in report.ids where ids.add(id) { counts.repeated += 1 }
        recordsOfFiles[file] += report.counts.records
        for (key, found) in report.tallies {
            if tallies[key] == nil {
                var first = found
                first.example.line += line
                tallies[key] = (first, file)
            } else {
                tallies[key]?.tally.count += found.count
            }
        }
        var text: [UInt8] = []
        for var violation in report.violations {
            guard printedViolations[violation.event, default: 0] < limit else { continue }
            printedViolations[violation.event, default: 0] += 1
            violation.line += line
            text += words(violation)
        }
        if !text.isEmpty {
            if format == .text {
                try terminal.out(String(decoding: text, as: UTF8.self))
            } else {
                try terminal.out(text)
            }
        }
        if let bad, !report.badRecords.isEmpty {
            try bad.write(report.badRecords.flatMap { Self.line(of: $0, path: paths[file], after: line) })
        }
        if let good, !report.goodRecords.isEmpty { try good.write(report.goodRecords) }
        try rows?.write(report.rows, terminal)
        line += report.lineCount
        terminal.progress("loggen: \(grouped(counts.records)) records, \(grouped(counts.bad)) bad")
    }

    // MARK: Formats

    private func words(_ violation: Violation) -> [UInt8] {
        let path = RecordInput.shown(paths[file])
        switch format {
        case .markdown: return []
        case .text: return Array(ShownText.line("\(path):\(violation.line): \(violation)").utf8) + [0x0A]
        case .github:
            let command = DiagnosticReports.command(
                "error", file: path, [("line", violation.line)], title: violation.rule.rawValue,
                ShownText.line(violation.description))
            return Array(command.utf8)
        case .json:
            var writer = JSONWriter()
            writer.object(inline: true) { json in
                json.member("kind", "violation")
                json.member("file", path)
                json.member("line", violation.line)
                Self.write(violation, to: &json)
            }
            return writer.document()
        }
    }

    private static func write(_ violation: Violation, to json: inout JSONWriter) {
        json.member("event", violation.event)
        json.member("column", violation.column)
        json.member("rule", violation.rule.rawValue)
        json.member("value", violation.value)
        json.member("message", violation.message)
        json.member("definition", violation.place)
    }

    /// Returns a line about a rejected record. A record that is not JSON is written as a string.
    private static func line(of record: ChunkReport.BadRecord, path: String, after line: Int) -> [UInt8] {
        var writer = JSONWriter()
        writer.object(inline: true) { json in
            json.member("file", RecordInput.shown(path))
            json.member("line", record.line + line)
            json.array("violations", of: record.violations) { write($0, to: &$1) }
            if !record.isJSON { json.member("text", String(decoding: record.bytes, as: UTF8.self)) }
        }
        var text = writer.document()
        guard record.isJSON else { return text }
        // The record is added as the last member, as the app sent it, without carriage returns.
        while text.last == 0x0A || text.last == UInt8(ascii: "}") || text.last == UInt8(ascii: " ") {
            text.removeLast()
        }
        return text + Array(",\"record\":".utf8) + record.bytes.filter { $0 != 0x0D } + Array("}\n".utf8)
    }
}
