package import ArgumentParser

#if canImport(Darwin)
    import Darwin
#elseif canImport(Glibc)
    import Glibc
#elseif canImport(Musl)
    import Musl
#endif

/// A command as a process. Exit codes: 0 nothing wrong, 1 problems found, 2 used wrongly or a file could not be read or written.
extension AsyncParsableCommand {
    /// Reads the arguments, runs the command, and ends the process.
    package static func runToEnd() async {
        // A reader that closes the pipe early ends the output, not the process.
        signal(SIGPIPE, SIG_IGN)
        do {
            var command = try parseAsRoot()
            if var asynchronous = command as? any AsyncParsableCommand {
                try await asynchronous.run()
            } else {
                try command.run()
            }
        } catch let problem as FileProblem {
            FileSystem.write(Array("\(configuration.commandName ?? "error"): error: \(problem)\n".utf8), to: STDERR_FILENO)
            endProcess(withCode: 2)
        } catch let code as ExitCode {
            endProcess(withCode: code.rawValue)
        } catch {
            let code = exitCode(for: error)
            let message = fullMessage(for: error) + "\n"
            FileSystem.write(Array(message.utf8), to: code.isSuccess ? STDOUT_FILENO : STDERR_FILENO)
            // The argument parser says 64 (EX_USAGE) where these commands' contract says 2.
            endProcess(withCode: code.isSuccess ? 0 : 2)
        }
    }
}

/// Ends a run that went well with all it holds still in memory: to give that back piece by piece would take a twentieth of the run.
package func endProcess<Held>(holding held: Held) -> Never {
    withExtendedLifetime(held) { endProcess(withCode: 0) }
}

private func endProcess(withCode code: Int32) -> Never {
    #if canImport(Darwin)
        Darwin.exit(code)
    #elseif canImport(Glibc)
        Glibc.exit(code)
    #else
        Musl.exit(code)
    #endif
}
