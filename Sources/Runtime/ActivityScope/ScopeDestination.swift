public import ActivityTracking
public import Foundation
import Logging
import LogTransport

#if canImport(FoundationNetworking)
    import FoundationNetworking
#endif

/// Mirrors records to a logscope, for TestFlight and internal builds: a tester sees on a computer what the phone sends.
///
/// ```swift
/// let scope = ScopeDestination()
/// let logger = ActivityLogger(destinations: [outbox, scope], collection: .enabled)
/// …
/// try await scope.switchOn(link) { address in await ask("Show this device's logs to \(address)?") }
/// ```
///
/// It is off until ``switchOn(_:confirm:)`` has been given an address that a person confirmed, and off again after a
/// start of the app: nothing of it is stored. Off, it takes no record and has no connection.
///
/// It is a mirror and no delivery: what it cannot send is dropped, oldest first, and counted. It never waits in
/// `post`, sends one request at a time, and asks ever more slowly if nobody answers; after ten failures in a row, about
/// three minutes, it switches itself off. So does an answer of 401 or 403: the token is of another run of logscope.
/// It sends every event, whatever its definition's `sampling` says, and only while collection is `enabled`.
///
/// Every method may be called at any time, from any thread.
public final class ScopeDestination: LogDestination {
    private let reach: ScopeAddress.Reach
    private let timing: Timing
    private let report: @Sendable (Notice) -> Void
    private let state = Locked(State())

    public var isSampled: Bool { false }

    /// - Parameters:
    ///   - reach: which addresses are taken.
    ///   - report: is told what developers should know, from any thread.
    public convenience init(
        reach: ScopeAddress.Reach = .nearby, report: @escaping @Sendable (Notice) -> Void = Notice.log
    ) {
        self.init(reach: reach, timing: Timing(), report: report)
    }

    package init(reach: ScopeAddress.Reach = .nearby, timing: Timing, report: @escaping @Sendable (Notice) -> Void) {
        self.reach = reach
        self.timing = timing
        self.report = report
    }

    deinit { state.withLock { $0.turnOff() } }

    // MARK: On and off

    /// Reads an address from a link or a QR code's text (``ScopeAddress/init(_:reach:)``), has it confirmed, and mirrors
    /// records from then on. What it mirrored to before is left.
    ///
    /// - Parameters:
    ///   - link: what the app was opened with, or what a QR code says.
    ///   - confirm: asks the person with the phone whether this device's records, with all personal data in them, are to
    ///     be sent to this address. Show the address: a link may come from anybody.
    /// - Returns: whether it was confirmed.
    /// - Throws: ``ScopeAddress/Problem``. `noAddress` says that the link is about something else.
    @discardableResult
    public func switchOn(_ link: URL, confirm: @Sendable (ScopeAddress) async -> Bool) async throws(ScopeAddress
        .Problem) -> Bool
    {
        let address = try ScopeAddress(link, reach: reach)
        guard await confirm(address) else { return false }
        state.withLock { state in
            state.turnOff()
            state.mirror = Mirror(address: address)
        }
        return true
    }

    /// Sends nothing any more, and forgets the address and the records that wait.
    public func switchOff() { state.withLock { $0.turnOff() } }

    /// Whether records are mirrored: show it in the app as long as it is so.
    public var isOn: Bool { state.withLock { $0.mirror != nil } }

    /// Where records are mirrored to; nil if it is off.
    public var address: ScopeAddress? { state.withLock { $0.mirror?.address } }

    /// What has become of the records since it was switched on; after that, the last numbers.
    public struct Status: Sendable, Equatable {
        /// In memory, to be sent, or on their way.
        public var waiting = 0
        /// Taken by logscope.
        public var sent = 0
        /// Given up: more came than could be sent, it was switched off, or the user denies.
        public var dropped = 0
    }

    public var status: Status {
        state.withLock { state in
            guard let mirror = state.mirror else { return state.last }
            return Status(
                waiting: mirror.waiting.count + mirror.batch.count, sent: mirror.sent, dropped: mirror.dropped)
        }
    }

    /// What developers should know.
    public enum Notice: Sendable, Equatable, CustomStringConvertible {
        /// So many records were dropped since the last notice, the oldest first.
        case dropped(Int)
        /// Nobody answers, or not as a logscope does. It tries again. Said once until it works again.
        case away(reason: String)
        /// It has switched itself off.
        case switchedOff(reason: String)

        public var description: String {
            switch self {
            case .dropped(1): "1 record was not mirrored"
            case .dropped(let count): "\(count) records were not mirrored"
            case .away(let reason): "logscope does not take records (\(reason)); trying again"
            case .switchedOff(let reason): "mirroring to logscope is off: \(reason)"
            }
        }

        /// Hands a notice to swift-log, as info.
        public static func log(_ notice: Notice) { Logger(label: "ActivityScope").info("\(notice)") }
    }

    // MARK: Records

    public func accepts(_ record: LogRecord) -> Bool { isOn }

    public func receive<Event: LogCategory>(_ record: LogRecord, of event: Event) {
        state.withLock { state in
            guard state.policy != .denied else { return }
            state.mirror?.keep(record.json)
            sendIfIdle(&state)
        }
    }

    /// While paused, records wait in memory; after `denied` they are gone, and a request on its way is ended.
    public func collectionDidChange(to policy: CollectionPolicy) {
        state.withLock { state in
            state.policy = policy
            if policy == .denied { state.mirror?.forget() }
            sendIfIdle(&state)
        }
    }

    /// Sends what waits, unless logscope is away, for at most `seconds`, and switches off.
    public func shutdown(within seconds: TimeInterval) async {
        let sending = state.withLock { $0.mirror?.failures == 0 ? $0.mirror?.sending : nil }
        if let sending {
            let end = FirstAnswer<Void>()
            // A day is long enough for every timer, and no number breaks them.
            try? await end.wait(within: seconds.isNaN ? 0 : min(max(0, seconds), 86_400)) {
                let task = Task {
                    await sending.value
                    end.give(.success(()))
                }
                return { task.cancel() }
            }
        }
        switchOff()
    }

    // MARK: Sending

    /// Called with the lock held.
    private func sendIfIdle(_ state: inout State) {
        guard state.policy == .enabled, let mirror = state.mirror, mirror.sending == nil, !mirror.waiting.isEmpty else {
            return
        }
        let run = mirror.run
        state.mirror?.sending = Task.detached(priority: .utility) { [weak self, timing] in
            // Records of a moment go together.
            try? await Task.sleep(nanoseconds: timing.nanoseconds(timing.gathering))
            while let pause = await self?.sendSome(run) {
                try? await Task.sleep(nanoseconds: timing.nanoseconds(pause))
            }
        }
    }

    /// Sends one batch, and says how long to wait before the next, in seconds; nil if there is none.
    private func sendSome(_ run: UUID) async -> TimeInterval? {
        let next = state.withLock { state -> Mirror? in
            guard state.mirror?.run == run else { return nil }
            guard state.policy == .enabled, state.mirror?.takeBatch() == true else {
                state.mirror?.sending = nil
                return nil
            }
            return state.mirror
        }
        guard let next else { return nil }
        let (reason, isFinal) = await refusal(of: next)
        var notices: [Notice] = []
        let pause = state.withLock { state -> TimeInterval? in
            guard var mirror = state.mirror, mirror.run == run else { return nil }
            defer { if state.mirror != nil { state.mirror = mirror } }
            guard let reason else {
                mirror.taken()
                if mirror.unsaid > 0 { notices.append(.dropped(mirror.unsaid)) }
                mirror.unsaid = 0
                return 0
            }
            mirror.putBack()
            guard !isFinal, mirror.failures < timing.tries else {
                notices.append(.switchedOff(reason: reason))
                state.mirror = mirror
                state.turnOff()
                return nil
            }
            if mirror.failures == 1 { notices.append(.away(reason: reason)) }
            return min(timing.longest, timing.first * Double(1 << min(mirror.failures - 1, 20)))
        }
        for notice in notices { report(notice) }
        return pause
    }

    /// Why the batch was not taken, and whether trying again is of no use; nil if it was taken.
    private func refusal(of mirror: Mirror) async -> (reason: String?, isFinal: Bool) {
        var request = URLRequest(url: mirror.address.url, timeoutInterval: timing.timeout)
        request.httpMethod = "POST"
        request.httpShouldHandleCookies = false
        request.setValue("application/x-ndjson", forHTTPHeaderField: "Content-Type")
        request.httpBody = mirror.body
        do {
            guard let answer = try await mirror.transport.send(request) else { return ("no HTTP answer", false) }
            switch answer.head.statusCode {
            case 200..<300: return (nil, false)
            case let status: return ("HTTP \(status)", [401, 403].contains(status))
            }
        } catch {
            return (error.localizedDescription, false)
        }
    }
}

extension ScopeDestination {
    /// How long things take, in seconds. Tests have less time.
    package struct Timing: Sendable {
        /// From the first record to its request.
        package var gathering: TimeInterval = 0.02
        /// Waits after failures: the first, which doubles, and the longest.
        package var first: TimeInterval = 1
        package var longest: TimeInterval = 30
        /// How long an answer may take.
        package var timeout: TimeInterval = 10
        /// How many failures in a row switch it off.
        package var tries = 10

        package init() {}

        fileprivate func nanoseconds(_ seconds: TimeInterval) -> UInt64 { UInt64(max(0, seconds) * 1e9) }
    }

    /// What is bounded.
    package enum Limit {
        /// How many records wait at most, and how many bytes they have at most.
        package static let records = 2_000
        package static let bytes = 2 << 20
        /// How much goes into one request.
        static let batchRecords = 500
        static let batchBytes = 256 << 10
    }

    private struct State: Sendable {
        var policy = CollectionPolicy.paused
        var mirror: Mirror?
        /// Of the mirror before.
        var last = Status()

        mutating func turnOff() {
            guard var mirror else { return }
            mirror.forget()
            last = Status(waiting: 0, sent: mirror.sent, dropped: mirror.dropped)
            self.mirror = nil
        }
    }

    /// An address, and the records on their way to it.
    private struct Mirror: Sendable {
        let address: ScopeAddress
        let transport = HTTPTransport()
        /// What is sent belongs to this run: what comes back for another is of no interest.
        var run = UUID()
        var sending: Task<Void, Never>?
        var waiting = RecordQueue()
        /// What was taken for the request that is on its way.
        var batch: [[UInt8]] = []
        var failures = 0
        var sent = 0
        var dropped = 0
        var unsaid = 0

        init(address: ScopeAddress) { self.address = address }

        mutating func keep(_ json: [UInt8]) {
            waiting.append(json)
            shrink()
        }

        /// Takes what goes into one request. False if nothing waits.
        mutating func takeBatch() -> Bool {
            var bytes = 0
            while batch.count < Limit.batchRecords, let next = waiting.first,
                batch.isEmpty || bytes + next.count < Limit.batchBytes
            {
                bytes += next.count
                batch.append(next)
                waiting.removeFirst()
            }
            return !batch.isEmpty
        }

        /// A record per line.
        var body: Data {
            var lines = Data(capacity: batch.reduce(0) { $0 + $1.count + 1 })
            for record in batch {
                lines.append(contentsOf: record)
                lines.append(0x0A)
            }
            return lines
        }

        mutating func taken() {
            sent += batch.count
            (batch, failures) = ([], 0)
        }

        mutating func putBack() {
            waiting.putBack(batch)
            (batch, failures) = ([], failures + 1)
            shrink()
        }

        private mutating func shrink() {
            while waiting.count > Limit.records || waiting.bytes > Limit.bytes {
                waiting.removeFirst()
                dropped += 1
                unsaid += 1
            }
        }

        mutating func forget() {
            sending?.cancel()
            dropped += waiting.count + batch.count
            (run, sending, waiting, batch) = (UUID(), nil, RecordQueue(), [])
        }
    }

    /// Records in order. Taking the first one costs nothing however many there are.
    private struct RecordQueue: Sendable {
        private var records: [[UInt8]] = []
        private var start = 0
        private(set) var bytes = 0

        var count: Int { records.count - start }
        var isEmpty: Bool { count == 0 }
        var first: [UInt8]? { isEmpty ? nil : records[start] }

        mutating func append(_ json: [UInt8]) {
            records.append(json)
            bytes += json.count
        }

        mutating func removeFirst() {
            bytes -= records[start].count
            records[start] = []
            start += 1
            guard start * 2 > records.count else { return }
            records.removeFirst(start)
            start = 0
        }

        mutating func putBack(_ batch: [[UInt8]]) {
            records.replaceSubrange(..<start, with: batch)
            start = 0
            bytes += batch.reduce(0) { $0 + $1.count }
        }
    }
}
