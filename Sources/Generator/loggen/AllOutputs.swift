import ArgumentParser
import CommandOptions
import LogCatalogue
import LogOutputs
import LogProject
import LogWarehouse

extension OutputRegistry {
    /// The built-in outputs of `loggen`.
    static let all = OutputRegistry([swift, jsonSchema, catalogue, sql, iglu, dbt, privacyManifest])
}

extension CommonOptions {
    var project: ProjectOptions { project(.all) }

    func start(_ paths: [String], on terminal: Terminal) async throws(FileError) -> [Session] {
        try await Session.start(paths, options: project, readsLock: true, terminal: terminal)
    }

    /// Reads definitions for a command that prints only its result to standard output.
    /// - Throws: an exit code, after the report, if the definitions have errors.
    func sessions(_ paths: [String]) async throws -> [Session] {
        let sessions = try await start(paths, on: terminal)
        let report = sessions.report
        if diagnostics == .text || report.errors > 0 { try report.show(diagnostics, on: terminal) }
        if report.errors > 0 { throw ExitCode(1) }
        return sessions
    }
}
