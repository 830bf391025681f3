import ActivityTracking
import ArgumentParser
import Foundation
import LoopbackCollector

/// The surroundings of the app: the network, the collector, the disk, and the kill.
final class World {
    /// The state of the app's process.
    private struct Running: Sendable {
        var process: Int32?
        var isInterrupted = false
        /// True after the end, when an interrupt has nothing to clean up.
        var isOver = false
        var left = 0
    }

    private let terminal: Terminal
    private let speed: Double
    private let network: Network
    private let collector: Collector
    private let store: URL
    private let running = Locked(Running())
    private let signals: [any DispatchSourceSignal]

    /// - Parameter next: a collector that also receives the accepted records.
    init(_ terminal: Terminal, speed: Double, next: URL?) throws(Problem) {
        self.terminal = terminal
        self.speed = speed
        let network = Network(terminal)
        self.network = network
        do { collector = try Collector(next: next) { network.answer($0) } } catch {
            throw Problem(
                "the collector cannot listen on 127.0.0.1: "
                    + "\(Problem.system((error as? POSIXError)?.code.rawValue ?? errno))"
            )
        }
        store = FileManager.default.temporaryDirectory.appendingPathComponent("recipe-demo-\(UUID().uuidString)")
        signals = [SIGINT, SIGTERM, SIGHUP].map { number in
            signal(number, SIG_IGN)
            return DispatchSource.makeSignalSource(signal: number, queue: .global())
        }
        for (source, number) in zip(signals, [SIGINT, SIGTERM, SIGHUP]) {
            source.setEventHandler { [running, store] in Self.interrupt(number, running, store) }
            source.resume()
        }
    }

    /// Kills the app, and then ends this process with the signal.
    private static func interrupt(_ number: Int32, _ running: Locked<Running>, _ store: URL) {
        let (process, isOver) = running.withLock {
            $0.isInterrupted = !$0.isOver
            return ($0.process, $0.isOver)
        }
        if isOver { return }
        if let process { kill(process, SIGKILL) }
        try? FileManager.default.removeItem(at: store)
        // Standard error is used because a pipe on standard output may be closed.
        _ = SystemCalls.write(Array("\nrecipe-demo: interrupted; nothing is written\n".utf8), to: STDERR_FILENO)
        signal(number, SIG_DFL)
        // The parent process may have blocked the signal.
        var this = sigset_t()
        sigemptyset(&this)
        sigaddset(&this, number)
        pthread_sigmask(SIG_UNBLOCK, &this, nil)
        kill(getpid(), number)
    }

    /// The records that the collector has accepted, in order of arrival.
    var received: [String] { network.received }

    /// The number of records that the app left on disk when it ended.
    var left: Int { running.withLock { $0.left } }

    func loseStore() { try? FileManager.default.removeItem(at: store) }

    /// Disables interrupts, because the remaining work is short and must be completed.
    func end() {
        running.withLock { $0.isOver = true }
        collector.stop()
        loseStore()
    }

    // MARK: A launch

    /// Runs the app until it ends or is killed. Returns its reported records.
    /// - Parameter start: the start of the launch in seconds since 1970.
    func live(_ number: Int, _ plan: Plan, start: Double) throws -> Life {
        let (process, input, output) = (Process(), Pipe(), Pipe())
        process.executableURL = Bundle.main.executableURL
        process.arguments = [
            App.configuration.commandName ?? "", "--launch", "\(number)", "--store", store.path, "--collector",
            collector.url.absoluteString,
            "--start", "\(start)", "--speed", "\(speed)",
        ]
        process.standardInput = input
        process.standardOutput = output
        do { try process.run() } catch { throw Problem("the app cannot be started: \(error.localizedDescription)") }
        running.withLock { $0.process = process.processIdentifier }
        defer { running.withLock { $0.process = nil } }

        var life = Life()
        var progress = Progress(plan, terminal)
        var lines = Lines(output.fileHandleForReading.fileDescriptor)
        let name = Session.launches[number].file.split(separator: ".").first.map(String.init) ?? ""
        if number > 0 { terminal.print(("", .plain)) }
        terminal.print((name.split(separator: "-").joined(separator: " "), .strong))
        network.appStarts()
        var isKilled = false
        var hasEnded = false
        while let line = try lines.next() {
            switch App.Word(line) {
            case .found(let count): if count > 0 { progress.say("\(Self.records(count)) found on disk", .good) }
            case .posted(let moment, let id) where plan.moments.indices.contains(moment):
                if let event = plan.moments[moment].event { life.posted.append((id.text, event.name)) }
            case .kept(let id): life.kept.append(id.text)
            case .durable(let count): life.durable = max(life.durable, count)
            case .reached(let moment) where plan.moments.indices.contains(moment):
                progress.reach(moment)
                switch plan.moments[moment].turn {
                case .networkGoes: network.goes()
                case .networkReturns: network.returns()
                case .kill:
                    // The network fails with the answer of the next batch. On a busy machine, that may still be
                    // pending.
                    for _ in 0..<150 where !network.isAway { Thread.sleep(forTimeInterval: 0.1) }
                    isKilled = true
                    kill(process.processIdentifier, SIGKILL)
                case .background, nil: break
                }
                if plan.moments[moment].turn != nil {
                    _ = SystemCalls.write(Array("go\n".utf8), to: input.fileHandleForWriting.fileDescriptor)
                }
            case .left(let count):
                hasEnded = true
                running.withLock { $0.left = count }
            case .notice(let text): progress.say("outbox: \(text)", .bad)
            case .posted, .reached, nil: throw Problem("unexpected line of the app: \(line)")
            }
        }
        process.waitUntilExit()
        // An interrupt ends this process.
        while running.withLock({ $0.isInterrupted }) { Thread.sleep(forTimeInterval: 1) }
        guard isKilled || hasEnded else {
            throw Problem(
                "the app ended unexpectedly, "
                    + "with \(process.terminationReason == .exit ? "exit code" : "signal") \(process.terminationStatus)"
            )
        }
        return life
    }

    static func records(_ count: Int) -> String { count == 1 ? "1 record" : "\(count) records" }
}

/// The lines that a process writes, as they arrive.
private struct Lines {
    private let descriptor: Int32
    private var bytes: [UInt8] = []

    /// The timeout for the next line, in milliseconds.
    private static let patience: Int32 = 60_000

    init(_ descriptor: Int32) { self.descriptor = descriptor }

    /// Returns the next complete line; nil at the end. A line that a kill has cut is dropped.
    mutating func next() throws(Problem) -> Substring? {
        while true {
            if let end = bytes.firstIndex(of: 0x0A) {
                defer { bytes.removeFirst(end + 1) }
                return Substring(decoding: bytes[..<end], as: UTF8.self)
            }
            var poll = pollfd(fd: descriptor, events: Int16(POLLIN), revents: 0)
            let ready = Foundation.poll(&poll, 1, Self.patience)
            if ready < 0, errno == EINTR { continue }
            guard ready > 0 else { throw Problem("the app printed no line for a minute") }
            let piece = [UInt8](unsafeUninitializedCapacity: 1 << 16) {
                $1 = max(0, read(descriptor, $0.baseAddress, $0.count))
            }
            if piece.isEmpty { return nil }
            bytes += piece
        }
    }
}

extension UUID {
    /// The form used in `event_id`.
    var text: String { uuidString.lowercased() }
}
