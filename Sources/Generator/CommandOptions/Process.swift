package import ArgumentParser
import LogDefinitions
import LogProject

/// A command as a process. Exit codes: 0 for success, 1 for problems found, 2 for wrong usage or a file error.
extension AsyncParsableCommand {
    package static func runToEnd() async {
        // A reader that closes the pipe early must not end the process.
        ignoreBrokenPipes()
        do {
            let arguments = Array(CommandLine.arguments.dropFirst())
            try checkEmpty(arguments)
            try checkHelp(arguments)
            var command = try parsed(arguments)
            if var asynchronous = command as? any AsyncParsableCommand {
                try await asynchronous.run()
            } else {
                try command.run()
            }
        } catch let problem as FileError {
            Terminal(color: .never, isQuiet: false).error(
                "\(configuration.commandName ?? "error"): error: \(problem)\n")
            endProcess(withCode: 2)
        } catch let code as ExitCode {
            endProcess(withCode: code.rawValue)
        } catch {
            let code = exitCode(for: error)
            var message = fullMessage(for: error) + "\n"
            let terminal = Terminal(color: .never, isQuiet: false)
            // The argument parser uses 64 (EX_USAGE), but the contract of these commands is 2.
            guard code.isSuccess else {
                // All errors of a command begin with its name.
                if message.hasPrefix("Error: ") {
                    message = "\(configuration.commandName ?? "error"): error: " + message.dropFirst(7)
                }
                terminal.error(message)
                endProcess(withCode: 2)
            }
            do throws(FileError) {
                try terminal.out(message)
            } catch {
                terminal.error("\(configuration.commandName ?? "error"): error: \(error)\n")
                endProcess(withCode: 2)
            }
            endProcess(withCode: 0)
        }
    }

    /// Parses the arguments with the named or default subcommand alone, because the parser of all commands takes longer
    /// than a run on a small project. Only the latter can explain a mistake, and knows the help.
    private static func parsed(_ arguments: [String]) throws -> any ParsableCommand {
        guard let first = arguments.first, !first.hasPrefix("-"), first != "help" else { return try parseAsRoot() }
        let named = configuration.subcommands.first { $0._commandName == first }
        let own = named == nil ? arguments : Array(arguments.dropFirst())
        if let subcommand = named ?? configuration.defaultSubcommand,
            let command = try? subcommand.parseAsRoot(own), type(of: command) == subcommand
        {
            return command
        }
        return try parseAsRoot()
    }

    /// Throws an error for an empty argument, which is mostly an unset variable of a script.
    private static func checkEmpty(_ arguments: [String]) throws {
        guard let index = arguments.firstIndex(where: { $0.isEmpty || $0.hasPrefix("-") && $0.hasSuffix("=") }) else {
            return
        }
        let option = arguments[index].isEmpty ? arguments[..<index].last ?? "" : String(arguments[index].dropLast())
        throw ValidationError(option.hasPrefix("-") ? "The value of `\(option)` is empty." : "An argument is empty.")
    }

    /// Throws an error for `help` with an unknown command, for which the argument parser shows the general help.
    private static func checkHelp(_ arguments: [String]) throws {
        guard arguments.first == "help", let name = arguments.dropFirst().first(where: { !$0.hasPrefix("-") }) else {
            return
        }
        let known = configuration.subcommands.map { $0._commandName }
        guard !known.contains(name), name != "help" else { return }
        let nearest = nearestSpelling(of: name, among: known)
        throw ValidationError(
            "Unknown command `\(name)`"
                + (nearest.map { ": did you mean `\($0)`?" } ?? "; the commands are \(known.joined(separator: ", "))."))
    }
}
