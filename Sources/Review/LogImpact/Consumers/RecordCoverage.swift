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
        /// Indicates whether all app versions are listed.
        package var hasAllVersions: Bool

        /// The lowest and the highest app version.
        var versions: (String, String)? {
            guard let first = appVersions.first, let last = appVersions.last else { return nil }
            return (first.version, last.version)
        }
    }

    private struct Event {
        var records: Int
        var valid: Int
        var appVersions: [(version: String, count: Int)]
        var filled: [String: Int]
    }

    private let file: String
    private var events: [String: Event] = [:]

    /// The maximum number of app versions of an event in the file.
    private static let mostAppVersions = 200

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
            var found = Event(records: records, valid: valid, appVersions: [], filled: [:])
            if case .object(let members)? = event["appVersions"]?.content {
                found.appVersions = members.compactMap { member in member.value.count.map { (member.key, $0) } }
                    .sorted { Self.precedes($0.0, $1.0) }
            }
            for column in columns {
                if let name = column["column"]?.text { found.filled[name] = column["filled"]?.count }
            }
            self.events[name] = found
        }
    }

    /// Returns the coverage of a subject. An event that the file does not contain did not occur.
    func finding(_ subject: Impact.Subject) -> Finding {
        let event = events[subject.event]
        return Finding(
            file: file, records: event?.records ?? 0, valid: event?.valid ?? 0,
            filled: subject.column.flatMap { event?.filled[$0] }, appVersions: event?.appVersions ?? [],
            hasAllVersions: (event?.appVersions.count ?? 0) < Self.mostAppVersions)
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
