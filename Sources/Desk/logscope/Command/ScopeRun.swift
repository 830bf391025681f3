#if Scope
    import ArgumentParser
    import CommandOptions
    import Foundation
    import LogDefinitions
    import LogOutputs
    import LogProject
    import LogTypes

    /// Runs the command: serves a session or exports one.
    struct ScopeRun {
        private let call: Logscope
        private let terminal: Terminal

        init(_ call: Logscope) {
            self.call = call
            terminal = call.options.terminal
        }

        static func check(_ call: Logscope) throws {
            _ = try faults(of: call)
            for time in [call.untilIdle, call.firstWithin] { _ = try time.map { try ScopeNotation.duration($0) } }
        }

        private static func faults(of call: Logscope) throws -> ScopeFaults {
            var faults = ScopeFaults()
            try faults.set(["fail": call.fail, "delay": call.delay, "drop": call.drop])
            return faults
        }

        func run() async throws {
            // Records are personal data, so only the current user may read sessions and exports.
            umask(0o077)
            if let path = call.session, let output = call.export { return try await export(path, to: output) }
            try await serve()
        }

        // MARK: Exporting a session

        private func export(_ path: String, to output: String) async throws {
            let store = try ScopeStore(path: path, mustExist: true)
            defer { store.close() }
            try Self.check(output, isNoneOf: [path])
            if output == "-" { return try await store.export { try terminal.out($0) } }
            let kind = FileSystem.kind(output)
            guard kind == nil || kind == .other || call.force else {
                throw FileError("`\(output)` exists already; `--force` overwrites it")
            }
            // A device or a pipe is written, and a file is replaced when all records are written.
            let target = FileSystem.resolvedLink(output)
            let aside = kind == .other ? target : "\(target).\(getpid()).new"
            let file = Foundation.open(aside, O_WRONLY | O_CREAT | O_CLOEXEC | (kind == .other ? 0 : O_EXCL), 0o600)
            guard file >= 0 else { throw FileError("write", output, errno) }
            do {
                defer { close(file) }
                try await store.export { bytes in
                    let failure = FileSystem.write(bytes, to: file)
                    if failure != 0 { throw FileError("write", output, failure) }
                }
                if aside != target { try FileSystem.rename(aside, to: target) }
            } catch {
                if aside != target { unlink(aside) }
                throw error
            }
        }

        // MARK: A session that is open

        private func serve() async throws {
            let end = EndSignals()
            await end.listen()
            let sessions = try await Session.start(
                call.paths, options: call.options.project(), readsLock: true, terminal: terminal)
            let problems = sessions.report
            guard problems.errors == 0 else {
                try problems.show(call.options.diagnostics, on: terminal)
                throw ExitCode(1)
            }
            let models = sessions.map(\.model)
            let events = models.flatMap { EventDescription.all(of: $0) }
            let checklist =
                try call.require.isEmpty
                ? events.indices.filter { !events[$0].isRetired }
                : events.selected(by: call.require, option: "--require")
            let wanted = try events.selected(by: call.requireSeen, option: "--require-seen").map { events[$0] }

            if let report = call.report {
                let files = sessions.flatMap { session in
                    session.analysis.definitions.files.map(\.path)
                        + [session.configuration.source?.path, session.lockPath].compactMap { $0 }
                }
                try Self.check(report, isNoneOf: files + [call.session].compactMap { $0 })
            }

            let isLoopback = Self.isLoopback(call.host)
            let token = isLoopback ? nil : Self.newToken()
            let definitions = ScopeDefinitions(models, required: Set(checklist.map { events[$0].fullName }))
            let address = call.host == "localhost" ? "127.0.0.1" : call.host
            let server: HTTPServer
            do {
                server = try HTTPServer(host: address, port: call.port)
            } catch {
                throw FileError("cannot listen on \(call.host), port \(call.port): \(error.words)")
            }
            let path = try call.session ?? Self.newSessionPath()
            let store = try ScopeStore(path: path)
            defer { store.close() }
            let reader = RecordReader(events, common: EventDescription.commonColumns(of: models))
            let collector = try await Collector(store: store, reader: reader, faults: try Self.faults(of: call))
            let site = ScopeRouter(
                collector: collector,
                intake: BatchIntake(collector: collector, authorization: call.expectAuthorization),
                definitions: definitions, access: ScopeAccess(token: token, port: server.port))
            let serving = Task { try await server.run { try await site.answer($0, $1) } }

            for (number, host) in Self.browserHosts(for: address).enumerated() {
                let url = "http://\(host.contains(":") ? "[\(host)]" : host):\(server.port)/"
                let page = url + (token.map { "?token=\($0)" } ?? "")
                if page == url {
                    // One address serves both the records and the page.
                    try terminal.out("address  \(url)\n")
                } else {
                    if number == 0 { try terminal.out("records  \(url)\n") }
                    try terminal.out("page     \(page)\n")
                }
            }
            let before = await collector.state.total
            try terminal.out("session  \(path)\(before > 0 ? "  (\(before) records so far)" : "")\n")

            if let idle = call.untilIdle {
                try await wait(
                    collector, idle: ScopeNotation.duration(idle), first: ScopeNotation.duration(call.firstWithin), end)
            } else {
                if !call.options.quiet {
                    terminal.error(
                        isLoopback
                            ? "logscope: open the address in a browser and send the app's records to it; "
                                + "Ctrl-C ends logscope\n"
                            : "logscope: Ctrl-C ends logscope\n")
                }
                while await !end.hasCome { try await Task.sleep(nanoseconds: 50_000_000) }
            }
            await server.stop()
            try? await Task.sleep(nanoseconds: 100_000_000)
            serving.cancel()
            try await finish(
                ScopeReport(state: await collector.run, outcome: await collector.outcome, wanted: wanted))
        }

        /// Returns after `idle` seconds without a record, after `first` seconds without a first record, or at a signal.
        private func wait(_ collector: Collector, idle: Double, first: Double, _ end: EndSignals) async throws {
            let start = Collector.now()
            while await !end.hasCome {
                if let last = await collector.lastArrival {
                    if Collector.now() - last >= idle { return }
                } else if Collector.now() - start >= first {
                    return
                }
                try await Task.sleep(nanoseconds: 50_000_000)
            }
        }

        private func finish(_ report: ScopeReport) async throws {
            guard call.untilIdle != nil else {
                if !call.options.quiet { terminal.error("logscope: \(report.sentence)\n") }
                return
            }
            for problem in report.problems { try terminal.out("\(problem)\n") }
            if !call.options.quiet { terminal.error("logscope: \(report.sentence)\n") }
            if let path = call.report {
                try await OutputWriter.write([OutputFile(path: path, bytes: Array(report.markdown.utf8))])
            }
            if !report.passes { throw ExitCode(1) }
        }

        // MARK: Files and addresses

        /// Throws if an output would replace an input, or one of SQLite's files beside a session.
        private static func check(_ output: String, isNoneOf inputs: [String]) throws(FileError) {
            let (path, identity) = (FileSystem.resolved(output), FileSystem.identity(output))
            for input in inputs {
                let resolved = FileSystem.resolved(input)
                guard
                    ["", "-wal", "-shm"].contains(where: { (resolved + $0).isExactly(path) })
                        || identity != nil && FileSystem.identity(input) == identity
                else { continue }
                throw FileError("`\(input)` is read by this run, so it cannot be the output: name another file")
            }
        }

        private static func newSessionPath() throws(FileError) -> String {
            let folder =
                FileManager.default.urls(for: .applicationSupportDirectory, in: .userDomainMask).first
                ?? FileManager.default.temporaryDirectory
            let sessions = folder.appendingPathComponent("logscope")
            do {
                try FileManager.default.createDirectory(
                    at: sessions, withIntermediateDirectories: true, attributes: [.posixPermissions: 0o700])
            } catch {
                throw FileError("cannot create `\(sessions.path)`: \(error.localizedDescription)")
            }
            let formatter = DateFormatter()
            formatter.locale = Locale(identifier: "en_US_POSIX")
            formatter.dateFormat = "yyyy-MM-dd-HHmmss"
            let name = formatter.string(from: Date())
            return sessions.appendingPathComponent("\(name)-\(getpid()).sqlite").path
        }

        private static func newToken() -> String {
            String(format: "%016llx%016llx", UInt64.random(in: .min ... .max), UInt64.random(in: .min ... .max))
        }

        private static func isLoopback(_ host: String) -> Bool {
            host == "localhost" || host.hasPrefix("127.") || host == "::1"
        }

        private static func browserHosts(for host: String) -> [String] {
            guard host == "0.0.0.0" || host == "::" else { return [host] }
            let addresses = Host.current().addresses.filter { $0.utf8.contains(0x2E) && !$0.utf8.contains(0x3A) }
            return addresses.filter { !$0.hasPrefix("127.") } + ["127.0.0.1"]
        }
    }

    private actor EndSignals {
        private(set) var hasCome = false
        private var sources: [any DispatchSourceSignal] = []

        func listen() {
            for number in [SIGINT, SIGTERM] {
                signal(number, SIG_IGN)
                let source = DispatchSource.makeSignalSource(signal: number)
                source.setEventHandler { @Sendable [weak self] in Task { await self?.come() } }
                source.resume()
                sources.append(source)
            }
        }

        private func come() { hasCome = true }
    }
#endif
