import JSONSyntax

/// The coverage of records, as `loggen validate --coverage --format json` reports it.
package struct RecordCoverage: Sendable {
    /// The coverage of a subject.
    package struct Finding: Sendable {
        package var file: String
        /// The number of records of the event.
        package var records: Int
        /// The number of valid records. Only these count for columns and app versions.
        package var valid: Int
        /// The number of valid records with a value in the column; nil for the event, and for a column not in the file.
        package var filled: Int?
        /// The valid records by app version, in the order of versions.
        package var appVersions: [(version: String, count: Int)]
        /// Indicates whether all app versions are listed. A file has 200 of an event at most.
        var hasAllVersions: Bool { appVersions.count < 200 }

        /// The lowest and the highest app version.
        var versions: (String, String)? {
            guard let first = appVersions.first, let last = appVersions.last else { return nil }
            return (first.version, last.version)
        }
    }

    private let file: String
    private var events: [String: Finding] = [:]
    /// The numbers of records with a value, by event and column.
    private var filled: [String: [String: Int]] = [:]

    /// Returns the last line of a file if it is a summary of `loggen validate`. Violations precede it.
    static func summary(in bytes: [UInt8]) -> ArraySlice<UInt8>? {
        let blanks: Set<UInt8> = [0x0A, 0x0D, 0x20, 0x09]
        guard let last = bytes.lastIndex(where: { !blanks.contains($0) }) else { return nil }
        let start =
            bytes[...last].lastIndex(of: 0x0A).map { $0 + 1 } ?? (ConsumerReader.startsWithByteOrderMark(bytes) ? 3 : 0)
        let head = bytes[start...last].prefix(40).filter { !blanks.contains($0) }
        return head.starts(with: Array(#"{"kind":"summary""#.utf8)) ? bytes[start...last] : nil
    }

    /// - Parameter summary: The line that `summary(in:)` returns.
    init(_ summary: ArraySlice<UInt8>, file: String) throws(JSONSyntaxError) {
        self.file = file
        let root = try JSONReader.read(Array(summary), what: "the summary")
        guard let events = root["events"]?.items else {
            throw JSONSyntaxError(
                at: root.at, message: "the summary has no coverage; run `loggen validate` with `--coverage`")
        }
        for event in events {
            guard let name = event["event"]?.text, let records = event["records"]?.count,
                let valid = event["valid"]?.count, let columns = event["columns"]?.items
            else { throw JSONSyntaxError(at: event.at, message: "an event has no `event`, `records` and `columns`") }
            var found = Finding(file: file, records: records, valid: valid, appVersions: [])
            if case .object(let members)? = event["appVersions"]?.content {
                found.appVersions = members.compactMap { member in member.value.count.map { (member.key, $0) } }
                    .sorted { Self.precedes($0.0, $1.0) }
            }
            for column in columns {
                column["column"]?.text.map { filled[name, default: [:]][$0] = column["filled"]?.count }
            }
            self.events[name] = found
        }
    }

    /// Returns the coverage of a subject. An event that the file does not contain did not occur.
    func finding(_ subject: Impact.Subject) -> Finding {
        var finding = events[subject.event] ?? Finding(file: file, records: 0, valid: 0, appVersions: [])
        finding.filled = subject.column.flatMap { filled[subject.event]?[$0] }
        return finding
    }

    /// Returns whether a version precedes another. Parts of digits are compared as numbers: 3.9 is before 3.10.
    private static func precedes(_ left: String, _ right: String) -> Bool {
        let (one, other) = (parts(left), parts(right))
        for (first, second) in zip(one, other) where first != second {
            if let first = Int(first), let second = Int(second), first != second { return first < second }
            return first < second
        }
        return one.count == other.count ? left < right : one.count < other.count
    }

    private static func parts(_ version: String) -> [Substring] { version.split { ".-+ ()".contains($0) } }
}

extension JSONValue {
    /// The value as a count; nil if it is not a whole number.
    fileprivate var count: Int? {
        if case .number(let number) = content { number.integer.map(Int.init(clamping:)) } else { nil }
    }
}
