import LogDefinitions
import LogOutputs
import LogProject
import LogReporting

/// The build plugin's tool. It does the work of `loggen generate FOLDER --only swift --force --quiet`, and links only
/// the modules of loggen that this work needs.
///
/// Exit codes: 0 for success; 1 for problems found; 2 for wrong usage, or a file that cannot be read or written.
@main
struct LoggenSwift {
    private static let usage = """
        usage: loggen-swift FOLDER [--exclude FILE]… [--module NAME=FOLDER]… --output FOLDER

        The build plugin runs this tool; use `loggen` on the command line.

        """

    private var paths: [String] = []
    private var options = ProjectOptions()
    private var output: String?

    private init(_ arguments: ArraySlice<String>) throws(FileError) {
        options.isQuiet = true
        var arguments = arguments
        while let word = arguments.popFirst() {
            guard word.hasPrefix("--") else {
                paths.append(word)
                continue
            }
            guard let value = arguments.popFirst(), !value.isEmpty else {
                throw FileError("`\(word)` needs a value\n\(Self.usage)")
            }
            switch word {
            case "--exclude": options.exclude.append(value)
            case "--module":
                let parts = value.split(separator: "=", maxSplits: 1)
                guard parts.count == 2 else {
                    throw FileError("`--module \(value)` is not of the form `--module Search=Sources/Search`")
                }
                options.modules[String(parts[0])] = String(parts[1])
            case "--output": output = value
            default: throw FileError("unknown option `\(word)`\n\(Self.usage)")
            }
        }
        if paths.isEmpty || output == nil {
            throw FileError("a definition folder and `--output` are required\n\(Self.usage)")
        }
    }

    static func main() async {
        // A reader that closes the pipe early must not end the process.
        ignoreBrokenPipes()
        let arguments = CommandLine.arguments.dropFirst()
        if arguments.first == "--version" {
            print(loggenVersion)
            return
        }
        checkPluginVersion()
        let terminal = Terminal(color: .auto, isQuiet: true)
        do throws(FileError) {
            let report = try await LoggenSwift(arguments).write(terminal)
            try report.show(.text, on: terminal)
            endProcess(withCode: report.errors > 0 ? 1 : 0)
        } catch {
            terminal.error("loggen: error: \(error)\n")
            endProcess(withCode: 2)
        }
    }

    private func write(_ terminal: Terminal) async throws(FileError) -> Report {
        let sessions = try await Session.start(paths, options: options, readsLock: true, terminal: terminal)
        let (plans, report) = try await sessions.plans(
            OutputOptions(only: ["swift"], output: output), terminal: terminal)
        // Only the plugin writes to the folder.
        if let plans, report.errors == 0 { _ = try await OutputWriter.write(plans, isForced: true) }
        return report
    }
}
