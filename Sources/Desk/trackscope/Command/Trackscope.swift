import ArgumentParser
import Foundation
import JSONSyntax
import ScenarioRunner

@main
struct Trackscope: ParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "trackscope",
        abstract: "Replay scenarios of screens, and print the logs that are posted as shown and seen.",
        discussion: """
            A scenario is a JSON file with screens, their contents and timed steps. It is replayed on a simulated \
            clock, through the core that apps use. Posted logs are printed as NDJSON, in order of time. With several \
            files, each line names its scenario, and also its file if several scenarios have the same name. \
            Expectations of a scenario are compared. Standard error has the differences, and the reason for each \
            expected content that was not shown or seen. For a scenario without expectations in which nothing is seen, \
            it has the reason for each content.

            Example: trackscope Scenarios/*.json --html timeline.html

            The name of a page ends in .html. It overwrites a file of this name, but never a scenario.

            Exit codes: 0 as expected; 1 the printed logs are not as expected; 2 wrong usage, a mistake in a scenario, \
            or a file cannot be read or written.
            """
    )

    @Argument(help: ArgumentHelp("Scenarios; - is standard input.", valueName: "FILE.json"))
    var files: [String]

    @Option(help: ArgumentHelp("Draw a timeline of all scenarios into an HTML page.", valueName: "file"))
    var html: String?

    static func main() {
        // If the reader closes the pipe, output stops and the process continues.
        signal(SIGPIPE, SIG_IGN)
        do {
            try parse().run()
        } catch let code as ExitCode {
            exit(withError: code)
        } catch {
            let code = exitCode(for: error)
            let message = fullMessage(for: error) + "\n"
            // The argument parser exits with 64 (EX_USAGE). This command exits with 2.
            guard code.isSuccess else {
                printToStandardError(message, terminator: "")
                exit(withError: refusal)
            }
            let problem = SystemCalls.write(Array(message.utf8), to: STDOUT_FILENO)
            guard problem == 0 || problem == EPIPE else {
                printToStandardError("\(unwritable(problem))")
                exit(withError: refusal)
            }
            exit(withError: ExitCode.success)
        }
    }

    private static let failure = ExitCode(1)
    private static let refusal = ExitCode(2)

    func run() throws {
        let page: PageFile?
        do {
            page = try html.map { try PageFile($0, scenarios: files) }
        } catch {
            Self.printToStandardError("\(error)")
            throw Self.refusal
        }
        let scenarios = files.map(Input.read)
        var filesOfName: [String: Set<String>] = [:]
        for case .success(let input) in scenarios { filesOfName[input.scenario.name, default: []].insert(input.file) }

        var entries: [Timeline.Entry] = []
        var (isRefused, differs, isPrinting) = (false, false, true)
        for (file, read) in zip(files, scenarios) {
            do {
                let input = try read.get()
                let (scenario, name) = (input.scenario, input.file)
                let result = try scenario.replay(input.bytes, file: name, drawsTimeline: page != nil)
                let differences = scenario.differences(from: result)
                entries.append(
                    .replayed(result.timeline, file: name, differences: differences, isChecked: scenario.isChecked))
                if isPrinting {
                    let isShared = filesOfName[scenario.name].map { $0.count > 1 } ?? false
                    let lines = result.posted.map {
                        $0.json(scenario: files.count > 1 ? scenario.name : nil, file: isShared ? name : nil) + "\n"
                    }
                    let problem = SystemCalls.write(Array(lines.joined().utf8), to: STDOUT_FILENO)
                    isPrinting = problem == 0
                    // A reader such as `head` closes the pipe when it has enough. That is not an error.
                    if problem != 0, problem != EPIPE {
                        isRefused = true
                        Self.printToStandardError("\(Self.unwritable(problem))")
                    }
                }
                let reasons = try Self.reasons(scenario, input, result, differences)
                if !differences.isEmpty {
                    differs = true
                    Self.printToStandardError(
                        "\(name): \"\(scenario.name)\" is not as expected (- missing, + unexpected, ~ at another time)")
                } else if !reasons.isEmpty {
                    Self.printToStandardError("\(name): nothing is seen in \"\(scenario.name)\"")
                }
                for difference in differences { Self.printToStandardError("  \(difference)") }
                for reason in reasons { Self.printToStandardError("  \(reason)") }
            } catch {
                isRefused = true
                Self.printToStandardError("\(error)")
                entries.append(.refused(file: Input.name(of: file), reason: "\(error)"))
            }
        }
        if let page, !write(entries, to: page) { isRefused = true }
        if isRefused { throw Self.refusal }
        if differs { throw Self.failure }
    }

    private static let maximumReasons = 10

    /// Returns why expected contents are missing or, if nothing is expected and nothing is seen, why none is seen.
    private static func reasons(
        _ scenario: Scenario, _ input: Input, _ result: Scenario.Result, _ differences: [Scenario.Difference]
    ) throws -> [String] {
        var missing: Set<String> = []
        for case .missing(let expected) in differences { if let content = expected.content { missing.insert(content) } }
        guard scenario.isChecked ? !missing.isEmpty : !result.posted.contains(where: { $0.log == .seen }) else {
            return []
        }
        let timeline = try scenario.replay(input.bytes, file: input.file, drawsTimeline: true).timeline
        let reasons = timeline.lanes.compactMap { lane -> String? in
            guard let content = lane.content, !scenario.isChecked || missing.contains(content),
                !timeline.unposted(lane).isEmpty
            else { return nil }
            return "\(content) (\(lane.screen)): \(timeline.answer(for: lane))"
        }
        guard reasons.count > maximumReasons else { return reasons }
        return reasons.prefix(maximumReasons) + [
            "and \(reasons.count - maximumReasons) more; --html timeline.html draws them all"
        ]
    }

    private struct Input {
        var file: String
        var bytes: [UInt8]
        var scenario: Scenario

        static func name(of file: String) -> String { file == "-" ? "standard input" : file }

        static func read(_ file: String) -> Swift.Result<Input, any Error> {
            Swift.Result {
                let bytes = try SystemCalls.read(file)
                return Input(file: name(of: file), bytes: bytes, scenario: try Scenario(bytes, file: name(of: file)))
            }
        }
    }

    /// Writes the page. Returns false after printing the reason if it cannot.
    private func write(_ entries: [Timeline.Entry], to page: PageFile) -> Bool {
        let html = html ?? ""
        guard entries.contains(where: \.isReplayed) else {
            Self.printToStandardError("error: no scenario could be replayed, so \(html) is not written")
            return false
        }
        do {
            try page.write(Timeline.page(entries))
            Self.printToStandardError("wrote \(html)")
            return true
        } catch {
            Self.printToStandardError("\(error)")
            return false
        }
    }

    private static func unwritable(_ problem: Int32) -> FileError {
        FileError("standard output cannot be written: \(FileError.system(problem))")
    }

    private static func printToStandardError(_ text: String, terminator: String = "\n") {
        _ = SystemCalls.write(Array((ShownText.lines(text) + terminator).utf8), to: STDERR_FILENO)
    }
}
