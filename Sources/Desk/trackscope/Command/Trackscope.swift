import ArgumentParser
import CommandOptions
import Foundation
import LogOutputs
import LogProject
import ScenarioRunner

@main
struct Trackscope: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "trackscope",
        abstract: "Replay scenarios of screens, and print the logs that are posted as shown and seen.",
        discussion: """
            A scenario is a JSON file with screens, their contents and timed steps. It is replayed on a simulated \
            clock, through the core that apps use. Posted logs are printed as NDJSON, in order of time. With several \
            files, each line names its scenario, and also its file if several scenarios have the same name. \
            Expectations of a scenario are compared. Standard error has the differences, and why up to ten expected \
            contents were not shown or seen. For a scenario without expectations in which nothing is seen, it has the \
            reasons of up to ten contents.

            Example: trackscope Scenarios/*.json --html timeline.html

            The name of a page ends in .html. It overwrites a file of this name, but never a scenario.

            Exit codes: 0 as expected; 1 the printed logs are not as expected; 2 wrong usage, a mistake in a scenario, \
            or a file cannot be read or written.
            """,
        version: loggenVersion
    )

    @Argument(help: ArgumentHelp("Scenarios; - is standard input.", valueName: "FILE.json"))
    var files: [String]

    @Option(help: ArgumentHelp("Draw a timeline of all scenarios into an HTML page.", valueName: "file"))
    var html: String?

    static func main() async { await runToEnd() }

    func run() async throws {
        let terminal = Terminal(color: .never, isQuiet: false)
        if let html { try checkPage(html) }
        let inputs = files.map { file in Swift.Result { try Input.read(file) } }
        var filesOfName: [String: Set<String>] = [:]
        for case .success(let input) in inputs { filesOfName[input.scenario.name, default: []].insert(input.file) }

        var entries: [Timeline.Entry] = []
        var (isRefused, differs, isPrinting) = (false, false, true)
        for (file, read) in zip(files, inputs) {
            let (input, result): (Input, Scenario.Result)
            do {
                input = try read.get()
                result = try input.scenario.replay(input.bytes, file: input.file, drawsTimeline: html != nil)
            } catch {
                isRefused = true
                terminal.error("\(error is FileError ? "trackscope: error: " : "")\(error)\n")
                entries.append(.refused(file: Input.name(of: file), reason: "\(error)"))
                continue
            }
            let (scenario, name) = (input.scenario, input.file)
            let differences = scenario.differences(from: result)
            entries.append(
                .replayed(result.timeline, file: name, differences: differences, isChecked: scenario.isChecked))
            let isShared = filesOfName[scenario.name].map { $0.count > 1 } ?? false
            let lines = result.posted.flatMap {
                $0.json(scenario: files.count > 1 ? scenario.name : nil, file: isShared ? name : nil)
            }
            do {
                if isPrinting { try terminal.out(lines) }
            } catch {
                (isRefused, isPrinting) = (true, false)
                terminal.error("trackscope: error: \(error)\n")
            }
            let reasons = try reasons(scenario, input, result, differences)
            if !differences.isEmpty {
                differs = true
                terminal.error(
                    "\(name): \"\(scenario.name)\" is not as expected (- missing, + unexpected, ~ at another time)\n")
            } else if !reasons.isEmpty {
                terminal.error("\(name): nothing is seen in \"\(scenario.name)\"\n")
            }
            for line in differences.map(\.description) + reasons { terminal.error("  \(line)\n") }
        }
        if let html {
            guard entries.contains(where: \.isReplayed) else {
                throw FileError("no scenario could be replayed, so `\(html)` is not written")
            }
            try await OutputWriter.write([OutputFile(path: html, bytes: Array(Timeline.page(entries).utf8))])
            terminal.error("wrote \(html)\n")
        }
        if isRefused { throw ExitCode(2) }
        if differs { throw ExitCode(1) }
    }

    /// Throws if a page would replace a scenario, or a file that is not a page.
    private func checkPage(_ path: String) throws(FileError) {
        let identity = FileSystem.identity(path)
        let scenarios = files.map { $0 == "-" ? FileSystem.identity(of: STDIN_FILENO) : FileSystem.identity($0) }
        if identity != nil, scenarios.contains(identity) {
            throw FileError("`\(path)` is one of the scenarios: name another file, such as timeline.html")
        }
        if identity != nil, access(path, W_OK) != 0 {
            throw FileError("`\(path)` is write-protected: name another file, such as timeline.html")
        }
        if FileSystem.kind(path) == .directory {
            throw FileError("`\(path)` is a folder: name a file, such as timeline.html")
        }
        let isPage = path.hasSuffix(".html") && FileSystem.resolvedLink(path).hasSuffix(".html")
        guard isPage, [.file, nil].contains(FileSystem.kind(path)) else {
            throw FileError("`\(path)` is not a page: name a file that ends in .html, such as timeline.html")
        }
    }

    private static let maximumReasons = 10

    /// Returns why expected contents are missing or, if nothing is expected and nothing is seen, why none is seen.
    private func reasons(
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
        let rest = reasons.count - Self.maximumReasons
        guard rest > 0 else { return reasons }
        let page = html.map { "`\($0)` shows" } ?? "--html timeline.html draws"
        return reasons.prefix(Self.maximumReasons) + ["and \(rest) more; \(page) them all"]
    }

    private struct Input {
        var file: String
        var bytes: [UInt8]
        var scenario: Scenario

        static func name(of file: String) -> String { file == "-" ? "standard input" : file }

        static func read(_ file: String) throws -> Input {
            var bytes = file == "-" ? [] : try FileSystem.read(file)
            while file == "-", let more = try FileSystem.readSome(STDIN_FILENO) { bytes += more }
            return Input(file: name(of: file), bytes: bytes, scenario: try Scenario(bytes, file: name(of: file)))
        }
    }
}
