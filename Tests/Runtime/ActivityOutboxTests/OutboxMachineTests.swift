import ActivityTracking
import Foundation
import Testing
import TestSupport

@testable import ActivityOutbox

/// Compares the state machine with the naive model, in random sequences of events ("lives") and in every short
/// sequence.
struct OutboxMachineTests {
    /// The first seed; `OUTBOX_SEED=n swift test --filter OutboxMachineTests` tries others.
    private static let first = ProcessInfo.processInfo.environment["OUTBOX_SEED"].flatMap { UInt64($0) } ?? 1
    private static let lives = UInt64(Depth.cases(250, deep: 12_500))
    private static let parts: UInt64 = 20

    @Test("A suspension releases the right to deliver before it writes")
    func suspensionsReleaseTheRightFirst() throws {
        var machine = OutboxMachine(OutboxWorld.limits, seed: 1)
        func jobs() -> [OutboxMachine.Job] {
            machine.takeEffects().compactMap { if case .disk(let job) = $0 { job } else { nil } }
        }
        machine.set(.enabled, at: 0)
        machine.deliver(1)
        machine.advance(0)
        // The obey job, the write and the fetch, which finds a batch.
        for _ in 0..<2 {
            #expect(jobs().count == 1)
            machine.finish(OutboxMachine.JobResult(), at: 1)
            machine.advance(1)
        }
        var found = OutboxMachine.JobResult()
        found.batch = OutboxBatch(
            store: 1, file: nil, log: LogBatch(records: [Array("{}".utf8)]), numbers: [1], bytes: 3)
        #expect(jobs().count == 1)
        machine.finish(found, at: 2)
        machine.advance(2)
        machine.finish(OutboxMachine.JobResult(), at: 3)
        machine.advance(3)
        _ = jobs()
        _ = machine.post(Array("{}".utf8), at: { 4 })
        machine.suspend(2)
        machine.advance(4)
        let next = try #require(jobs().first)
        guard case .rest = next else {
            Issue.record("\(next)")
            return
        }
    }

    @Test(
        "No order of events sends a denied record, misses a loss, or blocks a caller forever",
        arguments: 0..<parts)
    func agreesWithTheNaiveModel(part: UInt64) async {
        let begin = Self.first + part * Self.lives / Self.parts
        let seeds = begin..<(Self.first + (part + 1) * Self.lives / Self.parts)
        print("interleavings: seeds \(seeds.lowerBound) to \(seeds.upperBound - 1)")
        for seed in seeds {
            // Other tests share the threads.
            if seed % 50 == 0 { await Task.yield() }
            var world = OutboxWorld(seed: seed, isTraced: false)
            do { try world.live(10 + seed % 50) } catch {
                // Repeats the life with a trace.
                var again = OutboxWorld(seed: seed, isTraced: true)
                try? again.live(10 + seed % 50)
                Issue.record("seed \(seed): \(error)\n  \(again.trace.joined(separator: "\n  "))")
                return
            }
        }
    }

    /// The number of events in short lives.
    private static let depth = Depth.limit(3, deep: 4)

    @Test(
        "Every short sequence of posts, answers of disk and collector, policies and calls is sound",
        arguments: OutboxWorld.Event.allCases)
    func everyShortLife(first: OutboxWorld.Event) async throws {
        var count = 0
        func live(_ world: OutboxWorld, _ event: OutboxWorld.Event, _ way: [OutboxWorld.Event]) async throws {
            guard !world.isIdle(event) else { return }
            let way = way + [event]
            var world = world
            do {
                try world.take(event)
                var end = world
                try end.settle()
            } catch {
                Issue.record("\(way): \(error)")
                return
            }
            count += 1
            if count % 100 == 0 { await Task.yield() }
            guard way.count < Self.depth else { return }
            for event in OutboxWorld.Event.allCases { try await live(world, event, way) }
        }
        // An earlier process has left records, or records and a denial mark.
        for isMarked in [false, true] {
            let worlds = (1...100 as ClosedRange<UInt64>).lazy.map { OutboxWorld(seed: $0, isTraced: false) }
            let world = try #require(worlds.first { $0.isIdle(.neighbourAgrees) != isMarked })
            try await live(world, first, [])
        }
        print("short lives from \(first): \(count)")
    }

    /// Sends 1,000 records to a collector that accepts `count` records of each batch, with a clock that only this test
    /// advances.
    ///
    /// - Returns: The number of accepted records, and the time of each request in seconds.
    private static func requests(taking count: Int, of records: Int = 1000, within seconds: TimeInterval) -> (
        taken: Int, times: [TimeInterval]
    ) {
        var configuration = Outbox.Configuration(folder: URL(fileURLWithPath: "/nowhere"))
        configuration.batchRecords = 500
        var machine = OutboxMachine(configuration.limits.clamped().limits, seed: 1)
        var (now, taken, times) = (0.0, 0, [TimeInterval]())
        var effects: [OutboxMachine.Effect] = []
        func advance() {
            machine.advance(now)
            effects += machine.takeEffects()
        }
        machine.set(.enabled, at: now)
        advance()
        while now <= seconds {
            guard !effects.isEmpty else {
                guard let wake = machine.wake, wake <= seconds else { break }
                now = max(now, wake)
                advance()
                continue
            }
            switch effects.removeFirst() {
            case .disk(let job):
                var result = OutboxMachine.JobResult()
                if case .fetch(let last, let limit, _) = job {
                    let numbers = (max(Int(last), taken)..<min(records, max(Int(last), taken) + limit)).map {
                        Int64($0 + 1)
                    }
                    let log = LogBatch(records: numbers.map { _ in [0] })
                    if !numbers.isEmpty {
                        result.batch = OutboxBatch(store: 1, log: log, numbers: numbers, bytes: numbers.count)
                    }
                }
                machine.finish(result, at: now)
                advance()
            case .upload(let number, let batch):
                times.append(now)
                let some = min(count, batch.count)
                taken += some
                machine.finishUpload(
                    number, .perRecord(Dictionary(uniqueKeysWithValues: (0..<some).map { ($0, .accepted) })), at: now)
                advance()
            default: break
            }
        }
        return (taken, times)
    }

    @Test("A collector that takes one record of a batch is asked about as often as batches are due")
    func tinyProgressIsPaced() {
        let few = Self.requests(taking: 1, within: 5)
        #expect((1...20).contains(few.times.count), "\(few.times)")
        let more = Self.requests(taking: 49, within: 600)
        #expect(more.taken == 1000)
        let waits = zip(more.times, more.times.dropFirst()).map { $1 - $0 }
        #expect(waits.allSatisfy { $0 <= 10.001 }, "\(waits)")
    }

    @Test("A collector that takes a tenth of a batch or more is not slowed down", arguments: [50, 250, 499])
    func honestProgressIsNotSlowed(count: Int) {
        let (taken, times) = Self.requests(taking: count, within: 5)
        #expect(taken == 1000)
        #expect(times.allSatisfy { $0 == times.first }, "\(times)")
    }
}
