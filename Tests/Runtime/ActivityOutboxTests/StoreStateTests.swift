import Foundation
import Testing
import TestSupport

@testable import ActivityOutbox

/// Tests of the machine's view of the store, without the rest of the machine.
struct StoreStateTests {
    private static let write = OutboxMachine.Job.write(PackedRecords(), dropped: 0, since: 0)
    private static let fetch = OutboxMachine.Job.fetch(behind: 0, records: 1, bytes: 1)

    @Test("A job runs until it is finished")
    func aJobRuns() {
        var store = StoreState()
        #expect(store.isAtRest)
        #expect(store.finish() == nil)
        store.begin(.obey)
        #expect(!store.isAtRest)
        guard case .obey? = store.finish() else {
            Issue.record("another job was finished")
            return
        }
        #expect(store.job == nil)
        // The store's files are open.
        #expect(!store.isAtRest)
        store.begin(.close)
        _ = store.finish()
        #expect(store.isAtRest)
    }

    @Test("Only write jobs, and writes that a wipe prevents, are counted as writes")
    func writesAreCounted() {
        var store = StoreState()
        for job in [OutboxMachine.Job.obey, Self.fetch, .rest(forbidden: 0), .ask(1), .close] {
            store.begin(job)
            _ = store.finish()
        }
        #expect(store.writesBegun == 0)
        store.begin(Self.write)
        #expect(store.writesBegun == 1)
        store.skipWrite()
        #expect(store.writesBegun == 2)
    }

    @Test("A failure is reported once until the disk works again, whichever job fails")
    func aFailureIsReportedOnce() {
        var store = StoreState()
        #expect(store.failWriting("full", at: 0) == true)
        #expect(store.failWriting("full", at: 1) == false)
        #expect(store.failDelivering("full", at: 1) == false)
        #expect(store.failDelivering("gone", at: 1) == true)
        store.succeedWriting()
        #expect(store.failWriting("full", at: 2) == false)
        store.succeedWriting()
        store.succeedDelivering()
        #expect(store.failWriting("full", at: 3) == true)
    }

    @Test("Each failure delays the next try of its kind, and a call ends the wait")
    func failuresDelay() {
        var store = StoreState()
        var waits: [TimeInterval] = []
        for _ in 0..<9 {
            _ = store.failWriting("full", at: 100)
            waits.append(store.writeTries.next - 100)
        }
        #expect(waits == [1, 2, 4, 8, 16, 32, 60, 60, 60])
        #expect(store.deliveryTries.next == 0)
        store.hurryWriting()
        #expect(store.writeTries.next == 0)
        _ = store.failDelivering("full", at: 100)
        #expect(store.deliveryTries.next == 101)
        store.hurryDelivering()
        #expect(store.deliveryTries.next == 0)
    }

    @Test("Questions are asked in order")
    func questionsAreOrdered() {
        var store = StoreState()
        for ticket in 1...3 { store.ask(ticket) }
        #expect(store.takeQuestion() == 1)
        #expect(store.isAsked)
        #expect(store.takeQuestions() == [2, 3])
        #expect(!store.isAsked)
        #expect(store.takeQuestion() == nil)
    }

    @Test("A job that does not read the sums leaves them unchanged")
    func sumsStay() {
        var store = StoreState()
        store.note(OutboxSums(records: 2))
        store.note(nil)
        #expect(store.sums == OutboxSums(records: 2))
    }

    @Test("With random jobs, the right to deliver is held only while files are open", arguments: 1...20)
    func agreesWithFlags(seed: UInt64) {
        var dice = SeededGenerator(seed: seed)
        var store = StoreState()
        var (isOpen, holdsRight) = (false, false)
        for _ in 0..<200 {
            let settle = OutboxMachine.Job.settle(
                OutboxBatch(store: 1, log: LogBatch(records: []), numbers: [], bytes: 0), [])
            let jobs: [OutboxMachine.Job] = [
                Self.write, .obey, Self.fetch, settle, .rest(forbidden: 0), .ask(1), .close,
            ]
            let job = jobs.randomElement(using: &dice) ?? .obey
            store.begin(job)
            if case .close = job {} else { isOpen = true }
            if case .fetch = job { holdsRight = true }
            #expect((store.files != .closed) == isOpen)
            #expect((store.files == .delivering) == holdsRight)
            _ = store.finish()
            if case .close = job { (isOpen, holdsRight) = (false, false) }
            if case .rest = job { holdsRight = false }
            if Int.random(in: 0..<5, using: &dice) == 0 {
                store.yieldRight()
                holdsRight = false
            }
            #expect((store.files != .closed) == isOpen)
            #expect((store.files == .delivering) == holdsRight)
            #expect(store.isAtRest == !isOpen)
        }
    }
}
