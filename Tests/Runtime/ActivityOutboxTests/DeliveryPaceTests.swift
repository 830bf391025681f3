import Foundation
import Testing
import TestSupport

@testable import ActivityOutbox

/// Tests of the times of deliveries, without the rest of the machine.
struct DeliveryPaceTests {
    private static let limits: Outbox.Limits = {
        var configuration = Outbox.Configuration(folder: URL(fileURLWithPath: "/nowhere"))
        configuration.batchRecords = 4
        configuration.batchBytes = 100
        return configuration.limits.clamped().limits
    }()

    private static func pace(seed: UInt64 = 1) -> DeliveryPace { DeliveryPace(limits, seed: seed) }

    @Test("Without records, no delivery is due")
    func noDeliveryIsDueWithoutRecords() {
        #expect(Self.pace().next == nil)
    }

    @Test("Stored records are due after the interval, and a full batch at once", arguments: [(4, 1), (1, 100)])
    func aFullBatchIsDue(records: Int, bytes: Int) {
        var pace = Self.pace()
        pace.stored(1, bytes: 1, limits: Self.limits, at: 0)
        #expect(pace.next == 10)
        pace.stored(records - 1, bytes: bytes - 1, limits: Self.limits, at: 2)
        #expect(pace.next == 2)
        pace.begin()
        #expect(pace.next == nil)
        pace.stored(1, bytes: 1, limits: Self.limits, at: 3)
        #expect(pace.next == 13)
    }

    @Test("A plan for a latest time keeps an earlier plan, and a plan for an exact time replaces it")
    func plans() {
        var pace = Self.pace()
        pace.plan(at: 5)
        pace.plan(atLatest: 9)
        #expect(pace.next == 5)
        pace.plan(at: 9)
        #expect(pace.next == 9)
    }

    @Test("Acceptance ends the wait after a failure; a wait that the collector asked for stays")
    func acceptanceEndsAWait() {
        var pace = Self.pace()
        _ = pace.fail(after: nil, at: 0, longest: .infinity)
        pace.accept(isTiny: false)
        #expect(pace.next == 0)
        _ = pace.fail(after: 30, at: 0, longest: .infinity)
        pace.accept(isTiny: false)
        #expect(pace.next == 30)
        #expect(pace.forbiddenUntil == 30)
    }

    @Test("A wait without deliveries lasts a day at most", arguments: [200_000, TimeInterval.infinity, .nan, -1])
    func theWaitIsLimited(seconds: TimeInterval) {
        var pace = Self.pace()
        pace.forbid(seconds, at: 10)
        #expect(pace.forbiddenUntil == (seconds > 0 ? 10 + 86_400 : 10))
    }

    @Test("A wait is stored once")
    func aWaitIsRememberedOnce() {
        var pace = Self.pace()
        #expect(pace.secondsToRemember(at: 0) == 0)
        pace.forbid(30, at: 0)
        #expect(pace.secondsToRemember(at: 10) == 20)
        pace.remember()
        #expect(pace.secondsToRemember(at: 10) == 0)
        pace.forbid(5, at: 0)
        #expect(pace.secondsToRemember(at: 1) == 0)
    }

    @Test("A search for one invalid record by halving does not slow delivery")
    func halvingIsNotSlowed() {
        var pace = Self.pace()
        // The search for one invalid record among eight causes up to five refusals: batches of 8, 4, 2 and 1 records,
        // and one of the remaining records.
        for _ in 0..<5 { #expect(pace.refuse(batchRecords: 8) == false) }
        #expect(pace.refuse(batchRecords: 8) == true)
        pace.accept(isTiny: true)
        #expect(pace.refuse(batchRecords: 8) == false)
    }

    @Test("A failure delays the next delivery by its wait, a day at most", arguments: 1...20)
    func failureDelaysDeliveryByADayAtMost(seed: UInt64) {
        var dice = SeededGenerator(seed: seed)
        var (pace, now, forbidden) = (Self.pace(seed: seed), 0.0, 0.0)
        for _ in 0..<200 {
            now += Double(Int.random(in: 0...100, using: &dice))
            if Int.random(in: 0..<5, using: &dice) == 0 { pace.accept(isTiny: .random(using: &dice)) }
            let waits: [TimeInterval?] = [nil, 0, 7, 100, .infinity]
            let after = waits[Int.random(in: waits.indices, using: &dice)]
            let longest: TimeInterval = Bool.random(using: &dice) ? .infinity : 2
            let wait = pace.fail(after: after, at: now, longest: longest)
            if let after, after > 0 {
                forbidden = max(forbidden, now + min(after, Outbox.Limits.day))
                #expect(wait >= min(after, Outbox.Limits.day))
            } else {
                #expect((0...min(longest, Backoff.delivery.longest)).contains(wait))
            }
            #expect(pace.forbiddenUntil == forbidden)
            #expect(pace.next == max(now + wait, forbidden))
        }
    }
}
