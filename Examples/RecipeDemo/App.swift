import ActivityOutbox
import ActivityTracking
import ArgumentParser
import Foundation

/// The app, in a separate process that can be killed. It posts the events of one launch.
///
/// It reports each action as a line on standard output. When the demo has to act first, the app waits for a line on
/// standard input. At the end of standard input the demo is gone, so the app deletes its store and exits.
struct App: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "app", abstract: "A launch of the app, which the demo starts.", shouldDisplay: false)

    @Option var launch: Int
    @Option var store: String
    @Option var collector: String
    /// The start of the launch in seconds since 1970.
    @Option var start: Double
    @Option var speed: Double

    /// A line of the app's report.
    enum Word: Sendable {
        /// The number of records on disk when the app starts.
        case found(Int)
        /// A posted event: the index of its moment, and its identifier.
        case posted(Int, UUID)
        /// A posted event that is in the sample.
        case kept(UUID)
        /// The number of kept records that a new process would find on disk.
        case durable(Int)
        /// The index of a moment of the plan that is over.
        case reached(Int)
        /// The number of records on disk when the app ends.
        case left(Int)
        case notice(String)

        init?(_ line: Substring) {
            let parts = line.split(separator: " ", maxSplits: 1).map(String.init)
            guard parts.count == 2 else { return nil }
            let words = parts[1].split(separator: " ").map(String.init)
            switch parts[0] {
            case "found": self.init(Int(parts[1])) { .found($0) }
            case "posted":
                guard words.count == 2, let number = Int(words[0]), let id = UUID(uuidString: words[1]) else {
                    return nil
                }
                self = .posted(number, id)
            case "kept": self.init(UUID(uuidString: parts[1])) { .kept($0) }
            case "durable": self.init(Int(parts[1])) { .durable($0) }
            case "reached": self.init(Int(parts[1])) { .reached($0) }
            case "left": self.init(Int(parts[1])) { .left($0) }
            case "notice": self = .notice(parts[1])
            default: return nil
            }
        }

        private init?<Value>(_ value: Value?, _ word: (Value) -> Word) {
            guard let value else { return nil }
            self = word(value)
        }

        var line: String {
            switch self {
            case .found(let count): "found \(count)"
            case .posted(let number, let id): "posted \(number) \(id)"
            case .kept(let id): "kept \(id)"
            case .durable(let count): "durable \(count)"
            case .reached(let number): "reached \(number)"
            case .left(let count): "left \(count)"
            case .notice(let text): "notice \(text.split(whereSeparator: \.isNewline).joined(separator: " "))"
            }
        }

        /// Writes without a buffer, because a killed process would lose it.
        func say() { _ = SystemCalls.write(Array((line + "\n").utf8), to: STDOUT_FILENO) }
    }

    func run() async throws {
        // The demo handles Ctrl-C and ends the app.
        signal(SIGINT, SIG_IGN)
        for number in [SIGTERM, SIGHUP] { signal(number, SIG_DFL) }
        guard let url = URL(string: collector), Session.launches.indices.contains(launch) else {
            throw ValidationError("only the demo starts `app`")
        }
        let plan = try Plan(Session.launches[launch])
        let folder = URL(fileURLWithPath: store)
        var turns = Self.turns { try? FileManager.default.removeItem(at: folder) }.makeAsyncIterator()

        let outbox = Self.outbox(folder, url, speed: speed)
        // The outbox loads the records of the previous process.
        await outbox.flush()
        Word.found(await outbox.status().stored).say()

        let isOnline = Locked(Session.launches[launch].isOnline)
        let session = UUID()
        let kept = Journal(isSampled: true) { Word.kept($0).say() }
        let number = Locked(0)
        let posted = Journal(isSampled: false) { id in Word.posted(number.withLock { $0 }, id).say() }
        // These destinations follow the outbox, so it has every record that they report.
        let logger = ActivityLogger(
            common: { Session.columns(session: session, isOnline: isOnline.withLock { $0 }) },
            destinations: [outbox, kept, posted],
            collection: .enabled)

        let durability = Task {
            var last = 0
            while !Task.isCancelled {
                last = await Self.makeDurable(outbox, kept, last)
                try? await Task.sleep(nanoseconds: 50_000_000)
            }
        }
        var clock = Clock(speed: speed)
        for (index, moment) in plan.moments.enumerated() {
            try await clock.wait(until: moment.time)
            number.withLock { $0 = index }
            if let event = moment.event {
                logger.post(event, occurredAt: Date(timeIntervalSince1970: start + moment.time))
            }
            switch moment.turn {
            case nil: Word.reached(index).say()
            case .background:
                Word.reached(index).say()
                await outbox.deliver()
            case .networkGoes, .networkReturns:
                isOnline.withLock { $0 = moment.turn?.isOnline ?? $0 }
                Word.reached(index).say()
                _ = await turns.next()
            case .kill:
                // The kill must show that durable records survive, so all records should be durable. The wait is
                // limited to 5 s, in case the disk cannot be written.
                for _ in 0..<50 where await Self.makeDurable(outbox, kept, 0) < kept.count {
                    try await Task.sleep(nanoseconds: 100_000_000)
                }
                Word.reached(index).say()
                while await turns.next() != nil {}
            }
            if moment.turn != nil { clock.goOn(from: moment.time) }
        }
        durability.cancel()
        _ = await Self.makeDurable(outbox, kept, 0)
        await logger.shutdown(within: 20)
        Word.left(await outbox.status().stored).say()
    }

    /// Returns the lines of standard input. The process exits at their end.
    private static func turns(atEnd: @escaping @Sendable () -> Void) -> AsyncStream<String> {
        let (stream, continuation) = AsyncStream.makeStream(of: String.self)
        Thread.detachNewThread {
            while let line = readLine() { continuation.yield(line) }
            atEnd()
            _exit(0)
        }
        return stream
    }

    /// Returns an outbox as apps have it, with intervals divided by the speed.
    private static func outbox(_ folder: URL, _ url: URL, speed: Double) -> Outbox {
        var configuration = Outbox.Configuration(folder: folder)
        configuration.batchRecords = 20
        configuration.deliveryInterval /= speed
        configuration.firstRetry /= speed
        configuration.longestRetry /= speed
        let outbox = Outbox(configuration, uploader: HTTPUploader(url, timeout: 5)) { notice in
            // Failed deliveries are expected in the demo.
            if case .deliveryFailed = notice { return }
            Word.notice("\(notice)").say()
        }
        outbox.collectionDidChange(to: .enabled)
        return outbox
    }

    /// Reports the number of durable records if it has increased. Returns that number.
    private static func makeDurable(_ outbox: Outbox, _ kept: Journal, _ before: Int) async -> Int {
        let count = kept.count
        guard count > before, await outbox.makeDurable() else { return before }
        Word.durable(count).say()
        return count
    }

    /// Reports the records that it receives.
    private final class Journal: LogDestination {
        private let isSampled: Bool
        private let say: @Sendable (UUID) -> Void
        private let seen = Locked(0)

        init(isSampled: Bool, _ say: @escaping @Sendable (UUID) -> Void) {
            self.isSampled = isSampled
            self.say = say
        }

        /// The number of received records.
        var count: Int { seen.withLock { $0 } }

        func decide(_ record: LogRecord) -> LogDecision { .take(rate: isSampled ? record.sampling ?? 1 : 1) }

        func receive<Event: LogCategory>(_ record: LogRecord, of event: Event) {
            seen.withLock {
                say(record.id)
                $0 += 1
            }
        }
    }

    /// The time of the session, which runs faster than real time.
    private struct Clock {
        let speed: Double
        /// The real time in seconds at which the session's time was zero.
        private var zero: Double

        init(speed: Double) {
            self.speed = speed
            zero = Self.now
        }

        private static var now: Double { Double(DispatchTime.now().uptimeNanoseconds) / 1e9 }

        func wait(until time: Double) async throws {
            let left = zero + time / speed - Self.now
            if left > 0 { try await Task.sleep(nanoseconds: UInt64(left * 1e9)) }
        }

        /// Continues the clock after a wait.
        mutating func goOn(from time: Double) { zero = max(zero, Self.now - time / speed) }
    }
}

extension Launch.Turn {
    /// A Boolean value that indicates whether there is a network afterwards; nil if the turn does not change it.
    var isOnline: Bool? {
        switch self {
        case .networkGoes: false
        case .networkReturns: true
        case .background, .kill: nil
        }
    }
}
