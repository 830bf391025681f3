import LogDefinitions
import LogOutputs
import LogTypes
import MarkdownSyntax

/// The call sites in Swift, as `tapgen usage --format json` reports them.
enum SwiftUsages {
    static func isReport(_ bytes: [UInt8]) -> Bool {
        // tapgen writes `{"events": [{"event": …, "defined_at": …` or no event at all.
        let head = bytes.prefix(4000).filter { $0 > 0x20 && $0 < 0x80 }
        guard head.starts(with: Array(#"{"events":["#.utf8)) else { return false }
        let rest = head.dropFirst(#"{"events":["#.utf8.count)
        return rest.starts(with: Array(#"],"unused":"#.utf8))
            || rest.starts(with: Array(#"{"event":"#.utf8))
                && String(decoding: head, as: UTF8.self).holds(#""places":"#)
    }

    /// Returns the files with calls. Their paths are those of the report.
    /// - Parameter model: The definitions of the generated code.
    static func consumers(_ usages: EventUsages, _ model: Model, _ tables: LoggedTables) -> [Consumer] {
        let events = model.definitions.eventsByName
        let others = Set(RecordEnvelope.allCases.map(\.name) + (model.definitions.common?.columns.map(\.name) ?? []))
        let fields = tables.fieldsByEvent
        var calls: [String: [CallSite]] = [:]
        var files: [String] = []
        for name in usages.names {
            let columns = events[name]?.columns ?? []
            // A case with associated values has its required ones. Those with a default may be left out.
            let passed = Set(
                columns.filter { $0.status != .retired && $0.platforms.contains(.ios) && $0.isRequired }.map(\.name))
            // Code for an earlier version passes that version's columns.
            let earlier = events[name] == nil ? [] : fields[name]?.subtracting(others) ?? []
            let possible = earlier.union(columns.map(\.name)).subtracting(passed)
            for place in usages[name] ?? [] {
                if calls[place.file] == nil { files.append(place.file) }
                calls[place.file, default: []].append(
                    CallSite(
                        event: name, line: place.line, column: place.column, tap: place.tap,
                        doubt: place.isCertain ? nil : .otherCase, passed: passed, possible: possible))
            }
        }
        return files.map { file in
            let sites = (calls[file] ?? []).sorted { ($0.line, $0.column ?? 0) < ($1.line, $1.column ?? 0) }
            return Consumer(kind: .call, name: file, file: file, calls: sites)
        }
    }
}
