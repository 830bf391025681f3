import ActivityTracking
import Foundation
import LoopbackCollector
import RecipeLogs
import Testing

@testable import ActivityScope

/// Tests of the destination that mirrors records to a logscope, with a collector on this machine.
struct ScopeDestinationTests {
    private typealias Notices = Locked<[ScopeDestination.Notice]>

    private static let quick: ScopeDestination.Timing = {
        var timing = ScopeDestination.Timing()
        (timing.first, timing.longest) = (0.01, 0.05)
        return timing
    }()

    private func destination(_ notices: Notices = Notices([]), _ timing: ScopeDestination.Timing = quick)
        -> ScopeDestination
    {
        ScopeDestination(timing: timing) { notice in notices.withLock { $0.append(notice) } }
    }

    /// Waits up to five minutes, because other tests may occupy the machine for that long.
    private func eventually(_ holds: () -> Bool) async throws {
        let end = Date().addingTimeInterval(300)
        while !holds(), Date() < end { try await Task.sleep(nanoseconds: 5_000_000) }
        #expect(holds())
    }

    private func post(_ count: Int, to logger: ActivityLogger) {
        for number in 0..<count {
            logger.post(RecipeSearch.tapSuggestion(suggestion: "卵焼き", suggestionSource: .history, position: number))
        }
    }

    private func positions(_ records: [String]) throws -> [Int] {
        try records.map { try #require(try JSONDecoder().decode(Position.self, from: Data($0.utf8)).position) }
    }

    private struct Position: Decodable { var position: Int? }

    @Test("Only records posted between the confirmation and the switch-off are sent")
    func itIsOffUntilAPersonHasConfirmed() async throws {
        let collector = try Collector()
        let scope = destination()
        let logger = ActivityLogger(destinations: [scope], collection: .enabled) { _ in }
        post(3, to: logger)
        #expect(!scope.isOn)
        #expect(try await !scope.switchOn(collector.root) { _ in false })
        post(3, to: logger)
        #expect(!scope.isOn && scope.status == ScopeDestination.Status())
        let shown = Locked("")
        let link = try #require(URL(string: "myapp://debug?logscope=\(collector.root)?token=1"))
        #expect(
            try await scope.switchOn(link) { address in
                shown.withLock { $0 = address.description }
                return true
            })
        #expect(scope.isOn && shown.withLock { $0 } == "127.0.0.1:\(collector.url.port ?? 0)")
        post(3, to: logger)
        try await eventually { collector.acceptedCount == 3 }
        #expect(try positions(collector.accepted) == [0, 1, 2], "in order, and nothing of what was posted before")
        try await eventually { scope.status == .init(waiting: 0, sent: 3, dropped: 0) }
        scope.switchOff()
        post(3, to: logger)
        #expect(!scope.isOn && scope.address == nil && scope.status.sent == 3)
        #expect(collector.acceptedCount == 3)
    }

    @Test("An address outside the network is rejected without asking for confirmation")
    func addressOutsideTheNetworkIsRejected() async throws {
        let scope = destination()
        let link = try #require(URL(string: "myapp://debug?logscope=https://example.com/"))
        await #expect(throws: ScopeAddress.Problem.notNearby(host: "example.com")) {
            try await scope.switchOn(link) { _ in
                Issue.record("this must not be confirmed")
                return true
            }
        }
        #expect(!scope.isOn)
    }

    @Test("A record that logscope never accepts is dropped, and does not delay others")
    func recordThatIsTooLong() async throws {
        let collector = try Collector()
        let notices = Notices([])
        let scope = destination(notices)
        try await scope.switchOn(collector.root) { _ in true }
        let logger = ActivityLogger(destinations: [scope], collection: .enabled)
        let long = String(repeating: "卵", count: 400_000)
        logger.post(RecipeSearch.tapSuggestion(suggestion: long, suggestionSource: .history, position: 0))
        post(1, to: logger)
        try await eventually { scope.status == .init(waiting: 0, sent: 1, dropped: 1) }
        #expect(notices.withLock { $0 } == [.dropped(1)])
    }

    @Test("A redirection is not followed, and switches the destination off after ten requests")
    func aRedirectionIsNotFollowed() async throws {
        let stranger = try Collector()
        let near = try Collector { _ in .status(307, headers: "Location: \(stranger.url.absoluteString)\r\n") }
        let notices = Notices([])
        let scope = destination(notices)
        try await scope.switchOn(near.root) { _ in true }
        post(1, to: ActivityLogger(destinations: [scope], collection: .enabled))
        try await eventually { !scope.isOn }
        #expect(stranger.requests == 0 && near.requests == 10)
        #expect(notices.withLock { $0 } == [.away(reason: "HTTP 307"), .switchedOff(reason: "HTTP 307")])
    }

    @Test(
        "A dead address gets ten requests, one after the other, then the destination switches off",
        arguments: [Collector.Answer.reset, .status(503), .status(500)])
    func deadAddress(answer: Collector.Answer) async throws {
        // A destination that is off counts nothing. The answers are held back until all records are posted.
        let isHeld = Locked(true)
        let collector = try Collector { _ in
            while isHeld.withLock({ $0 }) { Thread.sleep(forTimeInterval: 0.01) }
            return answer
        }
        let notices = Notices([])
        let scope = destination(notices)
        try await scope.switchOn(collector.root) { _ in true }
        let logger = ActivityLogger(destinations: [scope], collection: .enabled) { _ in }
        let start = Date()
        post(5_000, to: logger)
        let posted = Date().timeIntervalSince(start)
        isHeld.withLock { $0 = false }
        try await eventually { !scope.isOn }
        #expect(collector.requests == 10)
        #expect(scope.status == .init(waiting: 0, sent: 0, dropped: 5_000))
        #expect(posted < 60)
        guard case .switchedOff = try #require(notices.withLock { $0.last }) else { return #expect(Bool(false)) }
        post(10, to: logger)
        try await Task.sleep(nanoseconds: 100_000_000)
        #expect(collector.requests == 10)
    }

    @Test("An address without a listener switches the destination off")
    func addressWithoutAListenerDisablesTheDestination() async throws {
        let collector = try Collector()
        collector.stop()
        let scope = destination()
        try await scope.switchOn(collector.root) { _ in true }
        post(1, to: ActivityLogger(destinations: [scope], collection: .enabled))
        try await eventually { !scope.isOn }
    }

    @Test("The token of another run switches the destination off after one request", arguments: [401, 403])
    func oldTokens(status: Int) async throws {
        let collector = try Collector { _ in .status(status) }
        let notices = Notices([])
        let scope = destination(notices)
        try await scope.switchOn(collector.root) { _ in true }
        post(1, to: ActivityLogger(destinations: [scope], collection: .enabled))
        try await eventually { !scope.isOn }
        #expect(collector.requests == 1 && notices.withLock { $0 } == [.switchedOff(reason: "HTTP \(status)")])
    }

    @Test("Paused records wait, and the oldest above the limit are dropped and counted")
    func theOldestAreDroppedAndCounted() async throws {
        let isHeld = Locked(true)
        let collector = try Collector { _ in
            while isHeld.withLock({ $0 }) { Thread.sleep(forTimeInterval: 0.01) }
            return .status(204)
        }
        let notices = Notices([])
        let scope = destination(notices, ScopeDestination.Timing())
        try await scope.switchOn(collector.root) { _ in true }
        let logger = ActivityLogger(destinations: [scope], collection: .paused)
        let (limit, over) = (ScopeDestination.Limit.records, 1_234)
        post(limit + over, to: logger)
        #expect(scope.status == .init(waiting: limit, sent: 0, dropped: over))
        #expect(collector.requests == 0, "nothing is sent before the user has agreed")
        logger.collection = .enabled
        isHeld.withLock { $0 = false }
        try await eventually { scope.status.sent == limit }
        #expect(try positions(collector.accepted) == Array(over..<(limit + over)))
        #expect(notices.withLock { $0 } == [.dropped(over)])
    }

    @Test("The size of waiting records in bytes is limited") func largeRecordsAreBoundedByTheirBytes() async throws {
        let scope = destination()
        try await scope.switchOn(try #require(URL(string: "http://127.0.0.1:1/"))) { _ in true }
        let logger = ActivityLogger(destinations: [scope], collection: .paused) { _ in }
        let keyword = String(repeating: "🍳", count: 256)
        for _ in 0..<4_000 {
            logger.post(RecipeSearch.tapSuggestion(suggestion: keyword, suggestionSource: .history, position: 0))
        }
        #expect(scope.status.dropped > 2_000 && scope.status.waiting < 2_000)
        #expect(scope.status.waiting + scope.status.dropped == 4_000)
    }

    @Test("Records that wait for an unavailable collector are sent later, in order")
    func waitingRecordsAreSentLaterInOrder() async throws {
        let isAway = Locked(true)
        let collector = try Collector { _ in isAway.withLock { $0 } ? .status(503) : .status(204) }
        let notices = Notices([])
        var timing = Self.quick
        timing.tries = 1_000_000
        let scope = destination(notices, timing)
        try await scope.switchOn(collector.root) { _ in true }
        let logger = ActivityLogger(destinations: [scope], collection: .enabled) { _ in }
        post(700, to: logger)
        try await eventually { collector.requests > 3 }
        isAway.withLock { $0 = false }
        try await eventually { scope.status.sent == 700 }
        #expect(try positions(collector.accepted) == Array(0..<700))
        #expect(notices.withLock { $0 } == [.away(reason: "HTTP 503")])
    }

    @Test("A denial drops the waiting records and rejects later ones") func deniedRecordsAreNotMirrored() async throws {
        let collector = try Collector { _ in .hang(seconds: 3_600) }
        let scope = destination()
        try await scope.switchOn(collector.root) { _ in true }
        let logger = ActivityLogger(destinations: [scope], collection: .enabled)
        post(1_500, to: logger)
        logger.collection = .denied
        #expect(scope.status == .init(waiting: 0, sent: 0, dropped: 1_500))
        post(10, to: logger)
        #expect(scope.isOn && scope.status.waiting == 0)
    }

    @Test("A shutdown sends the waiting records and ends at its time limit")
    func aShutdownSendsWaitingRecords() async throws {
        let collector = try Collector()
        let scope = destination()
        try await scope.switchOn(collector.root) { _ in true }
        let logger = ActivityLogger(destinations: [scope], collection: .enabled)
        post(1_700, to: logger)
        await logger.shutdown(within: 300)
        #expect(collector.acceptedCount == 1_700 && !scope.isOn)

        let silent = try Collector { _ in .hang(seconds: 3_600) }
        let other = destination()
        try await other.switchOn(silent.root) { _ in true }
        let another = ActivityLogger(destinations: [other], collection: .enabled)
        post(1, to: another)
        try await Task.sleep(nanoseconds: 50_000_000)
        let start = Date()
        await another.shutdown(within: 0.1)
        #expect(!other.isOn && Date().timeIntervalSince(start) < 3_000)
    }

    @Test("The address can change while threads post") func theAddressMayChangeWhileThreadsPost() async throws {
        let collectors = try (0..<2).map { _ in try Collector() }
        let scope = destination()
        let logger = ActivityLogger(destinations: [scope], collection: .enabled) { _ in }
        await withTaskGroup(of: Void.self) { group in
            for _ in 0..<4 { group.addTask { post(500, to: logger) } }
            group.addTask {
                for number in 0..<20 {
                    _ = try? await scope.switchOn(collectors[number % 2].root) { _ in true }
                    if number % 5 == 4 { scope.switchOff() }
                }
            }
        }
        try await scope.switchOn(collectors[0].root) { _ in true }
        let before = collectors[0].acceptedCount
        post(1, to: logger)
        try await eventually { scope.status.sent == 1 }
        #expect(collectors[0].acceptedCount > before)
    }
}

extension Collector {
    /// The address as logscope prints it.
    fileprivate var root: URL { url.deletingLastPathComponent() }
}
