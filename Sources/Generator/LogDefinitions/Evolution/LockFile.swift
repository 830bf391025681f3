import MarkdownSyntax

/// `loggen.lock`. The first line contains the format's version. Each further line contains one version of an event. The
/// lines are in bytewise order.
///
///     loggen.lock 1
///     recipe_search.show_recipe 1-0-0 active recipe_id:int64
///     recipe_search.show_recipe 1-0-1 active recipe_id:int64 position:int(0...)?
///
/// The words after the version are the shape (`ShapeNotation`). Lines of earlier versions stay, so that old records are
/// validated against the version that produced them. Lines of retired events stay, so that their names are not reused.
package struct LockFile: Sendable {
    package static let fileName = "loggen.lock"
    private static let header = "loggen.lock 1"

    private struct Line: Sendable {
        var number: Int
        /// The event, as `category.event`.
        var event: String
        var version: SchemaVersion
        /// The range of the shape, in bytes.
        var shape: Range<Int>
        var isLatest = true

        var key: String { Self.key(event, version) }

        static func key(_ event: String, _ version: SchemaVersion) -> String { "\(event) \(version)" }
    }

    package let file: SourceFile
    /// The file's problems. Their places have the file index 0.
    package private(set) var diagnostics: [Diagnostic] = []
    package private(set) var latest = Baseline(files: [], entries: [:], text: [])
    private var lines: [Line] = []

    /// Returns a lock file without events.
    package static func empty(path: String) -> LockFile {
        LockFile(SourceFile(path: path, relativePath: fileName, source: SourceText(Array((header + "\n").utf8))))
    }

    package init(_ file: SourceFile) {
        self.file = file
        read()
    }

    // MARK: Reading

    private mutating func report(
        _ message: String, _ range: Range<Int>, help: String = "restore the file from git, or correct the line"
    ) {
        diagnostics.append(Diagnostic(.lockFile, message, at: Place(file: 0, range: range), .help(help)))
    }

    private mutating func read() {
        let source = file.source
        if let offset = source.firstInvalidUTF8 {
            return report("the lock file is not UTF-8: invalid byte at offset \(offset)", offset..<(offset + 1))
        }
        let first = source.lineRange(0)
        // In a merge conflict, other diagnostics would only repeat the problem.
        if let number = source.lineStarts.indices.first(where: {
            Self.isConflictMark(source.bytes, source.lineStarts[$0])
        }) {
            return report(
                "the lock file is in a merge conflict", source.lineRange(number),
                help:
                    "remove the conflict markers and keep the lines of both branches; if both have one version of an "
                    + "event, keep the line of the branch with releases; then run `loggen lock`"
            )
        }
        guard source.string(first) == Self.header else {
            return report(
                "the first line is not `\(Self.header)`: this is not a lock file, or one of a newer loggen", first,
                help: "restore the file from git, or update loggen; to start over, remove it and run `loggen lock`")
        }
        readLines()
    }

    private static func isConflictMark(_ bytes: [UInt8], _ start: Int) -> Bool {
        guard start + 7 <= bytes.count else { return false }
        switch bytes[start] {
        case UInt8(ascii: "<"), UInt8(ascii: "="), UInt8(ascii: ">"), UInt8(ascii: "|"):
            return bytes[start..<(start + 7)].allSatisfy { $0 == bytes[start] }
        default: return false
        }
    }

    private mutating func readLines() {
        let source = file.source
        var entries: [String: Baseline.Entry] = [:]
        entries.reserveCapacity(source.lineStarts.count)
        // The line numbers by version, for the few events with more than one line.
        var numbers: [String: [SchemaVersion: Int]] = [:]
        lines.reserveCapacity(source.lineStarts.count)
        for number in source.lineStarts.indices.dropFirst() {
            let range = source.lineRange(number)
            if range.isEmpty { continue }
            guard let words = Self.firstWords(source.bytes, range) else {
                report("this is not a line of a lock file: it does not have an event, a version and a shape", range)
                continue
            }
            let name = source.string(words.name)
            guard name.isEventName else {
                report("`\(name)` is not an event: events have the form `category.event`", words.name)
                continue
            }
            guard let version = SchemaVersion(source.string(words.version)) else {
                report(
                    "`\(source.string(words.version))` is not a version: versions have the form `1-0-0`", words.version)
                continue
            }
            var line = Line(number: number, event: name, version: version, shape: words.shape)
            if let known = entries[name] {
                numbers[name, default: [:]][known.version] = lines[known.line].number
                if let twin = numbers[name]?[version] {
                    report(
                        "`\(name)` has two lines for the version \(version); the other one is line \(twin + 1)",
                        words.name,
                        help:
                            "two branches added the same version: keep the line of the branch merged first, then run "
                            + "`loggen lock`"
                    )
                    continue
                }
                numbers[name]?[version] = number
                if known.version > version { line.isLatest = false } else { lines[known.line].isLatest = false }
            }
            if line.isLatest {
                entries[name] = Baseline.Entry(
                    version: version, shape: words.shape, place: Place(file: 0, range: words.name), line: lines.count)
            }
            lines.append(line)
        }
        latest = Baseline(files: [file], entries: entries, text: source.bytes)
        for line in lines where !line.isLatest {
            latest.earlier[line.event, default: []].append((line.version, line.shape))
        }
        for event in latest.earlier.keys { latest.earlier[event]?.sort { $0.version < $1.version } }
    }

    private static func firstWords(_ bytes: [UInt8], _ range: Range<Int>) -> (
        name: Range<Int>, version: Range<Int>, shape: Range<Int>
    )? {
        bytes.withUnsafeBufferPointer { buffer in
            guard let first = buffer[range].firstIndex(of: 0x20) else { return nil }
            guard let second = buffer[(first + 1)..<range.upperBound].firstIndex(of: 0x20) else { return nil }
            return (range.lowerBound..<first, (first + 1)..<second, (second + 1)..<range.upperBound)
        }
    }

    /// The content of one line of the file.
    package struct LockedShape: Sendable {
        /// The event, as `category.event`.
        package var event: String
        package var version: SchemaVersion
        package var shape: EventShape

        package var category: String { event.eventNameParts.category }
        /// The event's name in its category.
        package var name: String { event.eventNameParts.event }
    }

    /// Returns the shapes for selected events (`category.event`) and versions, in the file's order. Unreadable lines
    /// are skipped; `checkHistory()` reports them.
    func shapes(where isWanted: (String, SchemaVersion) -> Bool) -> [LockedShape] {
        lines.compactMap { line in
            guard isWanted(line.event, line.version),
                let shape = try? ShapeNotation.parse(file.source.bytes[line.shape])
            else { return nil }
            return LockedShape(event: line.event, version: line.version, shape: shape)
        }
    }

    /// A line of an earlier lock file that this one has lost.
    package struct LostLine: Sendable {
        /// The event, as `category.event`.
        package var event: String
        package var version: String
        package var text: String
        /// Indicates whether this file has another shape for the version.
        package var isReplaced: Bool
    }

    /// Returns the lines of an earlier lock file with more information: a version that is missing here, another shape
    /// of a version, or a retirement or reserved name of the newest version.
    package func linesLost(since earlier: LockFile) -> [LostLine] {
        guard file.source.bytes != earlier.file.source.bytes else { return [] }
        let mine = Dictionary(lines.map { ($0.key, $0) }, uniquingKeysWith: { first, _ in first })
        var lost: [LostLine] = []
        for line in earlier.lines {
            let now = mine[line.key].map { file.source.bytes[$0.shape] }
            let before = earlier.file.source.bytes[line.shape]
            if let now, now == before { continue }
            let lostLine = LostLine(
                event: line.event, version: "\(line.version)",
                text: earlier.file.source.string(earlier.file.source.lineRange(line.number)), isReplaced: now != nil)
            guard let now, let shape = try? ShapeNotation.parse(now), let old = try? ShapeNotation.parse(before) else {
                lost.append(lostLine)
                continue
            }
            // `loggen lock` rewrites the newest line for changes without a new version, and keeps the reserved names.
            let isKept =
                line.isLatest
                ? ShapeComparison.changes(from: old, to: shape).bump == .none
                    && old.isRetired == shape.isRetired
                    && Set(old.formerNames).isSubset(of: shape.formerNames)
                    && old.reserved.allSatisfy { name in shape.reserved.contains { $0.isSame(as: name) } }
                : old == shape
            if !isKept { lost.append(lostLine) }
        }
        return lost
    }

    /// Reports the lines that the file has lost since a release.
    package mutating func reportLines(lostSince release: LockFile, named tag: String) {
        guard diagnostics.isEmpty, release.diagnostics.isEmpty else { return }
        let lost = linesLost(since: release)
        guard lost.count <= 20 else {
            return report(
                "the file lacks \(lost.count) lines of the release `\(tag)`, whose records keep their meaning", 0..<0,
                help: "put the lines of the release's lock file back, then run `loggen lock`")
        }
        for line in lost {
            let loss = line.isReplaced ? "has another shape for the version" : "has no line for the version"
            let way = line.isReplaced ? "put the line back in place of that one" : "put the line back"
            let place = latest.entries[line.event]?.place.range ?? 0..<0
            report(
                "`\(line.event)` \(loss) \(line.version) of the release `\(tag)`, whose records keep their meaning",
                place,
                help: "\(way), then run `loggen lock`: `\(line.text)`")
        }
    }

    /// Parses the shapes of versions before the latest, and reports the unreadable ones and the missing ones. All other
    /// functions skip unreadable shapes of these versions without a diagnostic.
    package mutating func checkHistory() async {
        guard diagnostics.isEmpty else { return }
        let earlier = lines.filter { !$0.isLatest }
        let bytes = file.source.bytes
        let problems = await inParallel(sizes: earlier.map(\.shape.count)) { index -> String? in
            do throws(ShapeNotation.Failure) {
                _ = try ShapeNotation.parse(bytes[earlier[index].shape])
                return nil
            } catch {
                return error.message
            }
        }
        for (line, problem) in zip(earlier, problems) {
            if let problem { report(problem, file.source.lineRange(line.number)) }
        }
        reportMissingVersions()
    }

    /// Reports versions without a line. A renamed event continues the versions of its former name.
    private mutating func reportMissingVersions() {
        for (event, entry) in latest.entries.sorted(by: { $0.value.line < $1.value.line }) {
            var before: SchemaVersion?
            for (version, shape) in (latest.earlier[event] ?? []) + [(entry.version, entry.shape)] {
                defer { before = version }
                let next = before.map { before in [Bump.addition, .revision, .model].map(before.bumped) } ?? [.initial]
                guard !next.contains(version), let shape = try? ShapeNotation.parse(file.source.bytes[shape]),
                    shape.formerNames.isEmpty
                else { continue }
                let missing = before.map { "the versions between \($0) and \(version)" } ?? "the version \(next[0])"
                report(
                    "`\(event)` has no line for \(missing): their records are not valid", entry.place.range,
                    help: "restore the lines of the event from git")
                diagnostics[diagnostics.count - 1].severity = .warning
            }
        }
    }

    // MARK: Writing

    /// Returns the file without the lines of the given events (`category.event`); nil if the file has no such lines.
    /// The names of these events and of their retired columns can be used again. Use this function only for events that
    /// no released version has sent.
    package func forgetting(_ events: Set<String>) -> [UInt8]? {
        let kept = lines.filter { !events.contains($0.event) }
        guard kept.count < lines.count else { return nil }
        return Self.bytes(of: kept.map { Array(file.source.bytes[file.source.lineRange($0.number)]) })
    }

    /// Returns the file with new lines for events. A new line replaces an existing one of the same event and version.
    package func recording(_ events: some Sequence<EventDrift>) -> [UInt8] {
        var new: [String: [UInt8]] = [:]
        for event in events {
            let key = Line.key(event.name, event.newVersion)
            new[key] = Array(key.utf8) + [0x20] + event.recordedShape
        }
        let source = file.source
        let all =
            lines.filter { new[$0.key] == nil }.map { Array(source.bytes[source.lineRange($0.number)]) }
            + new.values
        return Self.bytes(of: all)
    }

    private static func bytes(of lines: [[UInt8]]) -> [UInt8] {
        let all = lines.sorted { left, right in
            left.withUnsafeBufferPointer { left in
                right.withUnsafeBufferPointer { right in left.lexicographicallyPrecedes(right) }
            }
        }
        var bytes = Array((header + "\n").utf8)
        for line in all {
            bytes += line
            bytes.append(0x0A)
        }
        return bytes
    }
}

extension SchemaVersion {
    /// Parses a version such as `1-0-0`; nil for any other string.
    init?(_ text: String) {
        let parts = text.split(separator: "-", omittingEmptySubsequences: false)
        let numbers = parts.compactMap { part -> Int? in
            guard let first = part.utf8.first, part.utf8.allSatisfy({ (0x30...0x39).contains($0) }),
                first != 0x30 || part.utf8.count == 1
            else {
                return nil
            }
            // The limit prevents an overflow when a number is incremented.
            return Int(part).flatMap { $0 < 1_000_000_000 ? $0 : nil }
        }
        guard parts.count == 3, numbers.count == 3, numbers[0] > 0 else { return nil }
        self.init(model: numbers[0], revision: numbers[1], addition: numbers[2])
    }
}
