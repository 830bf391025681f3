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
            apps use. What is posted is printed as NDJSON, in the order of time; with several files, each line names its scenario, and its file where \
            several scenarios have one name. Where a scenario says what it expects, it is compared.

            Example: trackscope Tests/Scenarios/*.json --html timeline.html

            A page overwrites what is there if its name ends in .html, or if it is a page of trackscope's; never a scenario.

            Exit codes: 0 as expected; 1 something else was posted, and what; 2 a scenario or the call is wrong, or something cannot be read or written.
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
            let message = fullMessage(for: error) + "\n"
            // The argument parser says 64 (EX_USAGE) where this command's contract says 2.
            guard code.isSuccess else {
                note(message, terminator: "")
                exit(withError: refusal)
            }
            let problem = Files.write(Array(message.utf8), to: STDOUT_FILENO)
            guard problem == 0 || problem == EPIPE else {
                note("\(unwritable(problem))")
                exit(withError: refusal)
            }
            exit(withError: ExitCode.success)
        }
    }

    private static let failure = ExitCode(1)
    private static let refusal = ExitCode(2)

    func run() throws {
        let page = html.map { PageFile($0, scenarios: files) }
        do {
            try page?.check()
        } catch {
            Self.note("\(error)")
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
                entries.append(.replayed(result.timeline, file: name, differences: differences, isChecked: scenario.isChecked))
                if isPrinting {
                    let isShared = filesOfName[scenario.name].map { $0.count > 1 } ?? false
                    let lines = result.posted.map {
                        $0.json(scenario: files.count > 1 ? scenario.name : nil, file: isShared ? name : nil) + "\n"
                    }
                    let problem = Files.write(Array(ShownText.json(lines.joined()).utf8), to: STDOUT_FILENO)
                    isPrinting = problem == 0
                    // A reader that goes away, as `head` does, misses nothing that it wants.
                    if problem != 0, problem != EPIPE {
                        isRefused = true
                        Self.note("\(Self.unwritable(problem))")
                    }
                }
                guard !differences.isEmpty else { continue }
                differs = true
                Self.note("\(name): \"\(scenario.name)\" is not as expected (- missing, + unexpected, ~ at another time)")
                for difference in differences { Self.note("  \(difference)") }
            } catch {
                isRefused = true
                Self.note("\(error)")
                entries.append(.refused(file: Input.name(of: file), reason: "\(error)"))
            }
        }
        if let page, !write(entries, to: page) { isRefused = true }
        if isRefused { throw Self.refusal }
        if differs { throw Self.failure }
    }

    /// A scenario, and the file that it was read from.
    private struct Input {
        var file: String
        var bytes: [UInt8]
        var scenario: Scenario

        static func name(of file: String) -> String { file == "-" ? "standard input" : file }

        static func read(_ file: String) -> Swift.Result<Input, any Error> {
            Swift.Result {
                let bytes = try Files.read(file)
                return Input(file: name(of: file), bytes: bytes, scenario: try Scenario(bytes, file: name(of: file)))
            }
        }
    }

    /// False where the page is not written, which is said.
    private func write(_ entries: [Timeline.Entry], to page: PageFile) -> Bool {
        let html = html ?? ""
        guard entries.contains(where: \.isReplayed) else {
            Self.note("error: no scenario could be replayed, so there is nothing to draw, and \(html) is not written")
            return false
        }
        do {
            if try page.write(Timeline.page(entries)) {
                Self.note("note: \(html) held something else than a page of trackscope's, which the page has replaced")
            }
            return true
        } catch {
            Self.note("\(error)")
            return false
        }
    }

    private static func unwritable(_ problem: Int32) -> FileProblem {
        FileProblem("standard output cannot be written: \(FileProblem.system(problem))")
    }

    /// Where even this cannot be written, there is nobody to tell.
    private static func note(_ text: String, terminator: String = "\n") {
        _ = Files.write(Array((ShownText.lines(text) + terminator).utf8), to: STDERR_FILENO)
    }
}
