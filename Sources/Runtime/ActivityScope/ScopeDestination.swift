public import ActivityTracking
public import Foundation
import Logging
import LogTransport

#if canImport(FoundationNetworking)
    import FoundationNetworking
#endif

/// A destination that mirrors records to a logscope, for TestFlight and internal builds: a tester watches on a computer
/// what the phone logs.
///
/// ```swift
/// let scope = ScopeDestination()
/// let logger = ActivityLogger(destinations: [outbox, scope], collection: .enabled)
/// …
/// try await scope.switchOn(link) { address in await ask("Show this device's logs to \(address)?") }
/// ```
///
/// The destination is off until ``switchOn(_:confirm:)`` receives an address that a person confirms. The address is not
/// stored, so the destination is off again after a launch. While it is off, it accepts no records and opens no
/// connection.
///
/// A mirror does not guarantee delivery. If records arrive faster than they can be sent, the oldest are dropped and
/// counted. `post` never waits for the mirror. The destination sends one request at a time, with a backoff after
/// failures. It switches itself off after ten failures in a row, about three minutes. A response of 401, 403, 407 or
/// 431 also switches it off, because the token belongs to another run of logscope. The destination receives every event,
/// regardless of the definition's `sampling`, and sends only while collection is `enabled`.
///
/// All methods may be called at any time, from any thread.
public final class ScopeDestination: LogDestination {
    private let reach: ScopeAddress.Reach
    private let timing: Timing
    private let report: @Sendable (Notice) -> Void
    private let state = Locked(State())

    /// - Parameters:
    ///   - reach: The addresses that are accepted.
    ///   - report: Receives notices for developers, on any thread.
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

    /// Reads an address from a link or the content of a QR code (``ScopeAddress/init(_:reach:)``), asks for
    /// confirmation, and mirrors records from then on. A previous mirror ends.
    ///
    /// - Parameters:
    ///   - link: The link that opened the app, or the content of a QR code.
    ///   - confirm: Asks the user whether to send this device's records, with all personal data in them, to this
    ///     address. Show the address, because anyone can write a link.
    /// - Returns: True if the user confirmed.
    /// - Throws: ``ScopeAddress/Problem``. `noAddress` means that the link has another purpose.
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

    /// Stops sending, and discards the address and the waiting records.
    public func switchOff() { state.withLock { $0.turnOff() } }

    /// A Boolean value that indicates whether records are mirrored. Show it in the app while it is true.
    public var isOn: Bool { state.withLock { $0.mirror != nil } }

    /// The address to which records are mirrored; nil if the destination is off.
    public var address: ScopeAddress? { state.withLock { $0.mirror?.address } }

    /// The numbers of records by state since the destination was switched on. While it is off, the last numbers.
    public struct Status: Sendable, Equatable {
        /// Records in memory or in flight.
        public var waiting = 0
        /// Records that logscope has accepted.
        public var sent = 0
        /// Records that were dropped: the limit was exceeded, the destination was switched off, or consent was denied.
        public var dropped = 0
    }

    public var status: Status {
        state.withLock { state in
            guard let mirror = state.mirror else { return state.lastStatus }
            return Status(
                waiting: mirror.waiting.count + mirror.batchInFlight.count, sent: mirror.sent, dropped: mirror.dropped)
        }
    }

    /// A state that the app's developers should know about.
    public enum Notice: Sendable, Equatable, CustomStringConvertible {
        /// The number of records dropped since the last notice, the oldest first.
        case dropped(Int)
        /// A response is missing, or is not that of a logscope. Requests are retried. Reported once until one succeeds.
        case away(reason: String)
        /// The destination has switched itself off.
        case switchedOff(reason: String)

        public var description: String {
            switch self {
            case .dropped(1): "1 record was not mirrored"
            case .dropped(let count): "\(count) records were not mirrored"
            case .away(let reason): "logscope does not accept records (\(reason)); retrying"
            case .switchedOff(let reason): "mirroring to logscope is off: \(reason)"
            }
        }

        /// Logs a notice through swift-log, at level info.
        public static func log(_ notice: Notice) { Logger(label: "ActivityScope").info("\(notice)") }
    }

    // MARK: Records

    public func decide(_ record: LogRecord) -> LogDecision { isOn ? .take(rate: 1) : .drop }

    public func receive<Event: LogCategory>(_ record: LogRecord, of event: Event) {
        state.withLock { state in
            guard state.policy != .denied else { return }
            state.mirror?.keep(record.json)
            sendIfIdle(&state)
        }
    }

    /// Applies a policy. While paused, records wait in memory. `denied` discards them and cancels the request.
    public func collectionDidChange(to policy: CollectionPolicy) {
        state.withLock { state in
            state.policy = policy
            if policy == .denied { state.mirror?.forget() }
            sendIfIdle(&state)
        }
    }

    /// Sends the waiting records for at most `seconds`, unless the last request failed. Then switches off.
    public func shutdown(within seconds: TimeInterval) async {
        let sending = state.withLock { $0.mirror?.failures == 0 ? $0.mirror?.sending : nil }
        if let sending {
            let end = FirstAnswer<Void>()
            // Any number is safe for the timers: NaN counts as 0, and the maximum is a day.
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

    private func sendIfIdle(_ state: inout State) {
        guard state.policy == .enabled, let mirror = state.mirror, mirror.sending == nil, !mirror.waiting.isEmpty else {
            return
        }
        let run = mirror.run
        state.mirror?.sending = Task.detached(priority: .utility) { [weak self, timing] in
            // Gather records that are posted together into one request.
            try? await Task.sleep(nanoseconds: timing.nanoseconds(timing.gathering))
            while let pause = await self?.sendSome(run) {
                try? await Task.sleep(nanoseconds: timing.nanoseconds(pause))
            }
        }
    }

    /// Sends one batch. Returns the pause before the next batch, in seconds; nil if sending has ended.
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
        let (reason, isFinal) = await sendBatch(of: next)
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

    private func sendBatch(of mirror: Mirror) async -> (failure: String?, isFinal: Bool) {
        var request = URLRequest(url: mirror.address.url, timeoutInterval: timing.timeout)
        request.httpMethod = "POST"
        request.httpShouldHandleCookies = false
        request.setValue("application/x-ndjson", forHTTPHeaderField: "Content-Type")
        request.httpBody = mirror.requestBody
        do {
            guard let answer = try await mirror.transport.send(request) else { return ("no HTTP answer", false) }
            let meaning = StatusMeaning(status: answer.head.statusCode)
            return meaning == .accepted ? (nil, false) : ("HTTP \(answer.head.statusCode)", meaning == .headers)
        } catch {
            return (error.localizedDescription, false)
        }
    }
}

extension ScopeDestination {
    /// Durations in seconds. Tests use shorter ones.
    package struct Timing: Sendable {
        /// The delay between the first record and its request.
        package var gathering: TimeInterval = 0.02
        /// The first pause after a failure, which doubles with each further failure, and the longest pause.
        package var first: TimeInterval = 1
        package var longest: TimeInterval = 30
        /// The timeout of a request.
        package var timeout: TimeInterval = 10
        /// The number of consecutive failures after which the destination switches off.
        package var tries = 10

        package init() {}

        fileprivate func nanoseconds(_ seconds: TimeInterval) -> UInt64 { UInt64(max(0, seconds) * 1e9) }
    }

    /// The limits of memory and requests.
    package enum Limit {
        /// The maximum number of waiting records, and their maximum size in bytes.
        package static let records = 2_000
        package static let bytes = 2 << 20
        /// The maximum number of records in a request, and their maximum size in bytes.
        static let batchRecords = 500
        static let batchBytes = 256 << 10
        /// The size of the longest record that logscope accepts, in bytes.
        static let recordBytes = 1 << 20
    }

    private struct State: Sendable {
        var policy = CollectionPolicy.paused
        var mirror: Mirror?
        var lastStatus = Status()

        mutating func turnOff() {
            guard var mirror else { return }
            mirror.forget()
            lastStatus = Status(waiting: 0, sent: mirror.sent, dropped: mirror.dropped)
            self.mirror = nil
        }
    }

    private struct Mirror: Sendable {
        let address: ScopeAddress
        let transport = HTTPTransport()
        /// Results of requests from other runs are ignored.
        var run = UUID()
        var sending: Task<Void, Never>?
        var waiting: [[UInt8]] = []
        private var waitingBytes = 0
        var batchInFlight: [[UInt8]] = []
        var failures = 0
        var sent = 0
        var dropped = 0
        var unsaid = 0

        init(address: ScopeAddress) { self.address = address }

        mutating func keep(_ json: [UInt8]) {
            guard json.count <= Limit.recordBytes else {
                dropped += 1
                unsaid += 1
                return
            }
            waiting.append(json)
            waitingBytes += json.count
            shrink()
        }

        mutating func takeBatch() -> Bool {
            var bytes = 0
            let next = waiting.prefix(Limit.batchRecords).prefix { record in
                defer { bytes += record.count }
                return bytes == 0 || bytes + record.count < Limit.batchBytes
            }
            batchInFlight += next
            waitingBytes -= next.reduce(0) { $0 + $1.count }
            waiting.removeFirst(next.count)
            return !batchInFlight.isEmpty
        }

        var requestBody: Data { Data(batchInFlight.flatMap { $0 + [0x0A] }) }

        mutating func taken() {
            sent += batchInFlight.count
            (batchInFlight, failures) = ([], 0)
        }

        mutating func putBack() {
            waiting.insert(contentsOf: batchInFlight, at: 0)
            waitingBytes += batchInFlight.reduce(0) { $0 + $1.count }
            (batchInFlight, failures) = ([], failures + 1)
            shrink()
        }

        private mutating func shrink() {
            while waiting.count > Limit.records || waitingBytes > Limit.bytes {
                waitingBytes -= waiting.removeFirst().count
                dropped += 1
                unsaid += 1
            }
        }

        mutating func forget() {
            sending?.cancel()
            dropped += waiting.count + batchInFlight.count
            (run, sending, waiting, waitingBytes, batchInFlight) = (UUID(), nil, [], 0, [])
        }
    }
}
