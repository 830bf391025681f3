import ArgumentParser
import Foundation
import ScenarioRunner

/// Replays scenarios.
@main
struct Trackscope: ParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "trackscope",
        abstract: "Replay what happens on screens, and print what is posted as shown and seen.",
        discussion: """
            A scenario is a JSON file with screens, their contents, and what happens when. It is replayed on a clock of its own, through the core that \
            apps use. What is posted is printed as NDJSON, in the order of time; with several files, each line names its scenario. Where a scenario says \
            what it expects, it is compared.

            Example: trackscope Tests/Scenarios/*.json --html timeline.html

            Exit codes: 0 as expected; 1 something else was posted, and what; 2 a scenario or the call is wrong.
            """
    )

    @Argument(help: ArgumentHelp("Scenarios; - is standard input.", valueName: "FILE.json"))
    var files: [String]

    @Option(help: ArgumentHelp("Draw a timeline of all scenarios into a page.", valueName: "file"))
    var html: String?

    static func main() {
        // A reader that closes the pipe early ends the output, not the process.
        signal(SIGPIPE, SIG_IGN)
        do {
            try parse().run()
        } catch let code as ExitCode {
            exit(withError: code)
        } catch {
            let code = exitCode(for: error)
            let message = Data((fullMessage(for: error) + "\n").utf8)
            (code.isSuccess ? FileHandle.standardOutput : .standardError).write(message)
            // The argument parser says 64 (EX_USAGE) where this command's contract says 2.
            exit(withError: code.isSuccess ? ExitCode.success : refusal)
        }
    }

    private static let failure = ExitCode(1)
    private static let refusal = ExitCode(2)

    func run() throws {
        var pages: [(timeline: Timeline, differences: [Scenario.Difference], isChecked: Bool)] = []
        var (isRefused, differs) = (false, false)
        for file in files {
            do {
                let bytes = try read(file)
                let name = file == "-" ? "standard input" : file
                let scenario = try Scenario(bytes, file: name)
                let result = try scenario.replay(bytes, file: name, drawsTimeline: html != nil)
                let lines = result.posted.map { $0.json(scenario: files.count > 1 ? scenario.name : nil) + "\n" }.joined()
                try write(lines)
                let differences = scenario.differences(from: result)
                if html != nil { pages.append((result.timeline, differences, scenario.isChecked)) }
                guard !differences.isEmpty else { continue }
                differs = true
                note("\(name): \"\(scenario.name)\" is not as expected (- missing, + unexpected, ~ at another time)")
                for difference in differences { note("  \(difference)") }
            } catch let error as ScenarioError {
                isRefused = true
                note("\(error)")
            } catch let error as FileProblem {
                isRefused = true
                note("\(error)")
            }
        }
        if let html {
            do {
                try Data(Timeline.page(pages).utf8).write(to: URL(fileURLWithPath: html), options: .atomic)
            } catch {
                note("error: \(html) cannot be written: \(error.localizedDescription)")
                isRefused = true
            }
        }
        if isRefused { throw Self.refusal }
        if differs { throw Self.failure }
    }

    private struct FileProblem: Error, CustomStringConvertible {
        let description: String
    }

    private func read(_ file: String) throws -> [UInt8] {
        do {
            if file == "-" { return [UInt8](try FileHandle.standardInput.readToEnd() ?? Data()) }
            return [UInt8](try Data(contentsOf: URL(fileURLWithPath: file)))
        } catch {
            throw FileProblem(description: "error: \(file) cannot be read: \(error.localizedDescription)")
        }
    }

    /// A reader that goes away, as `head` does, misses nothing that it wants.
    private func write(_ text: String) throws {
        do {
            try FileHandle.standardOutput.write(contentsOf: Data(text.utf8))
        } catch {
            guard errno == EPIPE else { throw FileProblem(description: "error: standard output cannot be written: \(error.localizedDescription)") }
        }
    }

    private func note(_ text: String) { FileHandle.standardError.write(Data((text + "\n").utf8)) }
}
