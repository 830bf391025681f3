import ActivityOutbox
import ActivityScope
import ActivityTracking
import Foundation
import RecipeLogs

/// A process that is answered without end: how much memory that costs it.
enum EndlessAnswer {
    /// Sends a record, prints `answered`, and after a line on standard input how much memory was needed, in KiB.
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
            // An hour: nothing here is about the timeout.
            let result = try? await HTTPUploader(url, timeout: 3600).upload(LogBatch(records: [record.json]))
            say("notice \(result.map { "\($0)" } ?? "no answer")")
        }
        say("answered")
        _ = readLine()
        say("grown \(try memory("VmHWM") - before)")
    }

    /// A value of the kernel's, in KiB.
    private static func memory(_ name: String) throws -> Int {
        let lines = try String(contentsOfFile: "/proc/self/status", encoding: .utf8).split(separator: "\n")
        return lines.first { $0.hasPrefix(name + ":") }?.split { !$0.isNumber }.first.flatMap { Int($0) } ?? 0
    }
}
