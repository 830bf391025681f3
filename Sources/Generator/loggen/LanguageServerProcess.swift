import ArgumentParser
import CommandOptions
import Foundation
import LanguageServer
import LogDefinitions
import LogProject

/// Runs the language server in a child process. If that process crashes on a document, a new one continues without the
/// document.
struct LanguageServerProcess {
    private let arguments: [String]
    private let terminal: Terminal
    private var session: EditorSession
    private var reader = MessageReader()
    private var worker: Worker
    /// The error for an editor whose messages cannot be read.
    private var refusal: [UInt8] = []
    private var hasInput = true

    /// Starts the language server.
    /// - Parameter arguments: the arguments of the child process.
    init(arguments: [String], options: CommonOptions) throws(FileError) {
        self.arguments = arguments
        terminal = options.terminal
        session = EditorSession(options: options.project)
        worker = try Worker(arguments)
    }

    /// Relays messages until the editor or the server ends. Returns the exit code.
    mutating func run() throws -> Int32 {
        while true {
            if !hasInput, worker.waiting.isEmpty { worker.closeInput() }
            let ready = worker.poll(withInput: hasInput)
            if ready.input { try readEditor() }
            if ready.isWritable { worker.write() }
            if ready.output, let code = try readWorker() { return code }
        }
    }

    private mutating func readEditor() throws {
        guard let bytes = try FileSystem.readSome(STDIN_FILENO) else {
            hasInput = false
            return
        }
        reader.append(bytes)
        var messages: [Data] = []
        do throws(MessageReader.Failure) {
            while let message = try reader.next() { messages.append(message) }
        } catch {
            // The beginning of the next message is unknown.
            refusal = LanguageServer.refusal("\(error.description): the connection is closed")
            hasInput = false
        }
        for message in messages {
            switch session.received(message) {
            case .forward: worker.waiting += MessageReader.framed(message)
            case .restart(let answers):
                worker.kill()
                worker.end()
                try send(answers)
                try startAgain()
            }
        }
    }

    /// Reads messages of the server. Returns the exit code if the server has ended; otherwise nil.
    private mutating func readWorker() throws -> Int32? {
        if let messages = try worker.read() {
            try send(messages.filter { session.sent($0) })
            return nil
        }
        let (code, path) = worker.end()
        guard let code else {
            guard let answers = session.crashed(on: path) else {
                terminal.error(
                    "loggen: error: the language server crashed, and is not restarted: no file can be excluded to avoid "
                        + "the crash\n")
                return 1
            }
            try send(answers)
            try startAgain()
            return nil
        }
        if !refusal.isEmpty { FileSystem.write(refusal, to: STDOUT_FILENO) }
        return refusal.isEmpty ? code : 1
    }

    private mutating func startAgain() throws {
        worker = try Worker(arguments + session.excluded.flatMap { ["--exclude", $0] })
        worker.waiting = session.restoration.flatMap(MessageReader.framed)
    }

    /// Sends messages. Throws an exit code if the editor has closed its end.
    private func send(_ messages: [Data]) throws {
        let bytes = messages.flatMap(MessageReader.framed)
        guard !bytes.isEmpty else { return }
        if FileSystem.write(bytes, to: STDOUT_FILENO) != 0 || terminal.isOutputAbandoned { throw ExitCode(1) }
    }
}

/// The child process with the language server.
private struct Worker {
    private let process: pid_t
    /// The parent's ends of the pipes to the child's standard input, from its standard output, and from its crash
    /// report.
    private var input: Int32
    private let output: Int32
    private let crash: Int32
    private var reader = MessageReader()
    /// The bytes that have not been written to the process yet.
    var waiting: [UInt8] = []

    init(_ arguments: [String]) throws(FileError) {
        let (stdin, stdout, crash) = (try Self.pipe(), try Self.pipe(), try Self.pipe())
        defer { for descriptor in [stdin.read, stdout.write, crash.write] { close(descriptor) } }
        (input, output, self.crash) = (stdin.write, stdout.read, crash.read)
        _ = fcntl(stdin.write, F_SETFL, O_NONBLOCK)
        process = try Subprocess.start(
            Bundle.main.executablePath ?? CommandLine.arguments[0], arguments,
            files: [
                (STDIN_FILENO, stdin.read), (STDOUT_FILENO, stdout.write),
                (CrashContext.reportDescriptor, crash.write),
            ])
    }

    /// Returns a pipe whose ends child processes do not inherit. The descriptors are at least 10, above those that a
    /// child process starts with.
    private static func pipe() throws(FileError) -> (read: Int32, write: Int32) {
        var ends: [Int32] = [0, 0]
        guard systemPipe(&ends) == 0 else { throw FileError("open", "a pipe", errno) }
        defer { for end in ends { close(end) } }
        let (read, write) = (fcntl(ends[0], F_DUPFD_CLOEXEC, 10), fcntl(ends[1], F_DUPFD_CLOEXEC, 10))
        guard read >= 0, write >= 0 else { throw FileError("open", "a pipe", errno) }
        return (read, write)
    }

    /// Waits until a stream is ready.
    func poll(withInput: Bool) -> (input: Bool, isWritable: Bool, output: Bool) {
        var files = [
            pollfd(fd: withInput ? STDIN_FILENO : -1, events: Int16(POLLIN), revents: 0),
            pollfd(fd: waiting.isEmpty ? -1 : input, events: Int16(POLLOUT), revents: 0),
            pollfd(fd: output, events: Int16(POLLIN), revents: 0),
        ]
        guard systemPoll(&files) > 0 else { return (false, false, false) }
        return (files[0].revents != 0, files[1].revents != 0, files[2].revents != 0)
    }

    /// Writes as many bytes as the pipe accepts. If the process has ended, the bytes are discarded; `read()` detects
    /// the end.
    mutating func write() {
        let count = waiting.withUnsafeBytes { systemWrite(input, $0.baseAddress, $0.count) }
        if count < 0, errno != EAGAIN, errno != EINTR { waiting = [] }
        if count > 0 { waiting.removeFirst(count) }
    }

    /// The messages that have arrived; nil at the end.
    mutating func read() throws -> [Data]? {
        guard let bytes = try FileSystem.readSome(output) else { return nil }
        reader.append(bytes)
        var messages: [Data] = []
        while let message = try reader.next() { messages.append(message) }
        return messages
    }

    mutating func closeInput() {
        if input >= 0 { close(input) }
        input = -1
    }

    func kill() { systemKill(process) }

    /// Waits for the end of the process. Returns its exit code. After a crash, the code is nil, and the path is that of
    /// the document in progress.
    @discardableResult mutating func end() -> (code: Int32?, path: String?) {
        closeInput()
        close(output)
        var status: Int32 = 0
        while waitpid(process, &status, 0) < 0, errno == EINTR {}
        let path = (try? FileSystem.readSome(crash)).flatMap { $0 }.map { String(decoding: $0, as: UTF8.self) }
        close(crash)
        return (status & 0x7F == 0 ? (status >> 8) & 0xFF : nil, path)
    }
}

private func systemKill(_ process: pid_t) { kill(process, SIGKILL) }
private func systemPipe(_ ends: UnsafeMutablePointer<Int32>) -> Int32 { pipe(ends) }
private func systemPoll(_ files: inout [pollfd]) -> Int32 { poll(&files, nfds_t(files.count), -1) }
private func systemWrite(_ descriptor: Int32, _ bytes: UnsafeRawPointer?, _ count: Int) -> Int {
    write(descriptor, bytes, count)
}
