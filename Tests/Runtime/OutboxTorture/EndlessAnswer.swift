import ActivityOutbox
import ActivityScope
import ActivityTracking
import Foundation
import RecipeLogs

/// A process that receives an endless answer and measures the memory that it needs.
enum EndlessAnswer {
    /// Sends a record and prints `answered`. After a line on standard input, prints the growth of memory in KiB.
    static func read(from url: URL, mirrors: Bool) async throws {
        let event = RecipeSearch.clearHistory
        let record = LogRecord(event)
        let before = try memory("VmRSS")
        if mirrors {
            let scope = ScopeDestination { say("notice \($0)") }
            scope.collectionDidChange(to: .enabled)
            guard let address = URL(string: "/", relativeTo: url)?.absoluteURL else { return }
            try await scope.switchOn(address) { _ in true }
            scope.receive(record, of: event)
            await scope.shutdown(within: 3600)
        } else {
            // An hour, so that the timeout does not matter.
            let result = try? await HTTPUploader(url, timeout: 3600).upload(LogBatch(records: [record.json]))
            say("notice \(result.map { "\($0)" } ?? "no answer")")
        }
        say("answered")
        _ = readLine()
        say("grown \(try memory("VmHWM") - before)")
    }

    /// Returns a value of the kernel in KiB.
    private static func memory(_ name: String) throws -> Int {
        let lines = try String(contentsOfFile: "/proc/self/status", encoding: .utf8).split(separator: "\n")
        return lines.first { $0.hasPrefix(name + ":") }?.split { !$0.isNumber }.first.flatMap { Int($0) } ?? 0
    }
}
