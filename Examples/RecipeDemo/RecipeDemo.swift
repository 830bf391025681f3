import ActivityTracking
import ArgumentParser
import Foundation
import ScenarioRunner

/// The sample app's session, without a screen.
@main
struct RecipeDemo: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "recipe-demo",
        abstract: "The sample app's session without a screen: from definitions to delivered records.",
        discussion: """
            loggen has generated Swift from the files in Definitions. A scripted session of two launches uses the \
            core that decides what is shown and seen. Its events are posted, stored and delivered over HTTP to a \
            collector on this machine. Meanwhile the network fails, and the app is killed and restarted. At the end, the \
            received records are compared with the posted ones.

            The trigger in the definition file decides when an event is posted. Change a trigger in Definitions, such \
            as impression(80%, 2s) to impression(50%, 2s) or to show, run loggen Definitions/, and run the demo again.

            DIR gets received.ndjson, all records in order of arrival, and timeline.html, which shows why each was \
            posted. A run overwrites only the files of a previous run.

            Exit codes: 0 no record was lost; 1 a record was lost; 2 wrong usage, a file cannot be written, or the app \
            cannot run.
            """)

    @Option(help: ArgumentHelp("The folder for received.ndjson and timeline.html.", valueName: "dir"))
    var output = "recipe-demo"

    @Option(
        help: ArgumentHelp(
            "The speed relative to a person, from 1 to 50. The delays of the outbox are shortened, too.",
            valueName: "times"))
    var speed = 10.0

    @Option(
        help: ArgumentHelp(
            "Another collector that receives each record before it is acknowledged, such as logscope.",
            valueName: "url"))
    var collector: String?

    @Flag(
        help: ArgumentHelp(
            "Remove the app's store between its launches, so that tests can check the report of the loss.",
            visibility: .hidden))
    var loses = false

    static func main() async {
        signal(SIGPIPE, SIG_IGN)
        let arguments = Array(CommandLine.arguments.dropFirst())
        do {
            if arguments.first == App.configuration.commandName {
                try await App.parse(Array(arguments.dropFirst())).run()
            } else {
                try parse(arguments).run()
            }
        } catch let code as ExitCode {
            exit(withError: code)
        } catch let problem as Problem {
            _ = SystemCalls.write(Array("error: \(problem)\n".utf8), to: STDERR_FILENO)
            exit(withError: refusal)
        } catch {
            let isSuccess = exitCode(for: error).isSuccess
            let problem = SystemCalls.write(
                Array((fullMessage(for: error) + "\n").utf8), to: isSuccess ? STDOUT_FILENO : STDERR_FILENO)
            // The argument parser exits with 64 (EX_USAGE). This command exits with 2.
            exit(withError: isSuccess && (problem == 0 || problem == EPIPE) ? ExitCode.success : refusal)
        }
    }

    private static let failure = ExitCode(1)
    private static let refusal = ExitCode(2)

    func validate() throws {
        guard (1...50).contains(speed) else { throw ValidationError("--speed must be between 1 and 50") }
        if let collector, URL(string: collector)?.host == nil {
            throw ValidationError("--collector is not an address: \(collector)")
        }
    }

    func run() throws {
        guard fcntl(STDOUT_FILENO, F_GETFD) >= 0 else { throw Problem("standard output is closed") }
        let folder = try OutputFolder(output)
        let plans = try Session.launches.map { try Plan($0) }
        let terminal = Terminal()
        for note in Set(plans.flatMap(\.notes)).sorted() { terminal.print(("note: \(note)", .bad)) }

        let world = try World(terminal, speed: speed, next: collector.flatMap { URL(string: $0) })
        // The app and the collector must also end after an error.
        defer { world.end() }
        var comparison = Comparison()
        // The start is early enough that every event has happened before it arrives.
        let pause = 5.0
        var start = Date().timeIntervalSince1970 - plans.reduce(0) { $0 + $1.length + pause }
        for (number, plan) in plans.enumerated() {
            comparison.lives.append(try world.live(number, plan, start: start))
            start += plan.length + pause
            if loses { world.loseStore() }
        }
        world.end()
        comparison.received = world.received
        comparison.left = world.left
        terminal.print(("", .plain))
        comparison.print(on: terminal, events: Self.events)

        let page = Timeline.page(
            zip(Session.launches, plans).map {
                .replayed($1.timeline, file: $0.file, differences: [], isChecked: false)
            })
        let unwritten = Swift.Result<Void, any Error> {
            try folder.write(received: comparison.received, timeline: page)
        }
        if case .success = unwritten {
            terminal.print(("", .plain))
            terminal.print(
                ("\(output)/received.ndjson  ", .strong),
                ("all records in order of arrival, duplicates included", .plain))
            terminal.print(("\(output)/timeline.html    ", .strong), ("why each was posted", .plain))
        }
        if comparison.isWhole {
            try unwritten.get()
            if let problem = terminal.problem { throw Problem("standard output cannot be written: \(problem)") }
        } else {
            if case .failure(let problem) = unwritten {
                _ = SystemCalls.write(Array("error: \(problem)\n".utf8), to: STDERR_FILENO)
            }
            throw Self.failure
        }
    }

    /// All events that the session may post, in the order of the definitions.
    private static var events: [any LogCategory] {
        var names: Set<String> = []
        let all = Session.launches.flatMap {
            Array($0.screens.values) + Array($0.leftEvents.values) + Array($0.contents.values)
                + $0.actions.compactMap(\.event)
        }
        return all.filter { names.insert($0.name).inserted }.sorted {
            ($0.document, $0.number) < ($1.document, $1.number)
        }
    }
}
