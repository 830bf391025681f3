import Foundation
import Testing
import TestSupport

@testable import ActivityOutbox

/// Tests of the delivery of batches, without the rest of the machine.
struct DeliveryTests {
    private static func delivery(records: Int = 4, seed: UInt64 = 1) -> Delivery {
        var configuration = Outbox.Configuration(folder: URL(fileURLWithPath: "/nowhere"))
        configuration.batchRecords = records
        return Delivery(configuration.limits.clamped().limits, seed: seed)
    }

    private static func batch(_ numbers: [Int64]) -> OutboxBatch {
        OutboxBatch(store: 1, log: LogBatch(records: numbers.map { _ in [0] }), numbers: numbers, bytes: numbers.count)
    }

    /// Returns a delivery, and its running upload of the records 1 and 2.
    private static func uploading() throws -> (Delivery, Delivery.Upload) {
        var delivery = delivery()
        delivery.beginRun()
        _ = delivery.beginFetch()
        delivery.finishFetch(batch([1, 2]), at: 0)
        let upload = delivery.beginUpload()
        return (delivery, try #require(upload))
    }

    /// Returns the record number after which a job reads the next batch; nil for another job.
    private static func position(_ job: OutboxMachine.Job) -> Int64? {
        if case .fetch(let number, _, _) = job { number } else { nil }
    }

    @Test("A batch that is read after its run has ended is discarded")
    func aLateBatchIsDiscarded() {
        var delivery = Self.delivery()
        delivery.beginRun()
        _ = delivery.beginFetch()
        delivery.endRun()
        delivery.beginRun()
        delivery.finishFetch(Self.batch([1]), at: 0)
        #expect(delivery.beginUpload() == nil)
        #expect(delivery.needsFetch)
    }

    @Test("The next batch is read while one is in flight, and sent after the answer is stored")
    func aBatchIsReadAhead() throws {
        var (delivery, upload) = try Self.uploading()
        #expect(delivery.needsFetch)
        #expect(Self.position(delivery.beginFetch()) == 2)
        delivery.finishFetch(Self.batch([3]), at: 0)
        #expect(delivery.nextBatch?.numbers == [3])
        #expect(delivery.beginUpload() == nil)
        #expect(delivery.finishUpload(upload.number, .accepted, at: 0) == nil)
        #expect(delivery.unsettled?.verdicts.accepted == 2)
        #expect(delivery.beginUpload() == nil)
        delivery.finishSettling(at: 0)
        #expect(delivery.beginUpload()?.batch.numbers == [3])
    }

    @Test("No batch is read until an answer is stored")
    func noBatchIsReadBeforeTheAnswer() throws {
        var (delivery, upload) = try Self.uploading()
        _ = delivery.finishUpload(upload.number, .accepted, at: 0)
        #expect(!delivery.needsFetch)
        delivery.finishSettling(at: 0)
        #expect(delivery.needsFetch)
    }

    @Test("A second answer and an answer to another upload are ignored")
    func aStaleAnswerIsIgnored() throws {
        var (delivery, upload) = try Self.uploading()
        #expect(delivery.finishUpload(upload.number - 1, .later(reason: "busy", after: 9), at: 0) == nil)
        #expect(delivery.isUploading)
        _ = delivery.finishUpload(upload.number, .accepted, at: 0)
        #expect(delivery.finishUpload(upload.number, .later(reason: "busy", after: 9), at: 0) == nil)
        #expect(delivery.isRunning)
    }

    @Test("An upload is cancelled only once, and may not begin afterwards")
    func anUploadIsCancelledOnce() throws {
        var (delivery, upload) = try Self.uploading()
        #expect(delivery.mayBegin(upload.number))
        #expect(delivery.cancelUpload() == upload.number)
        #expect(delivery.cancelUpload() == nil)
        #expect(!delivery.mayBegin(upload.number))
        #expect(delivery.givenUp == nil)
        delivery.timeCancellation(5)
        delivery.timeCancellation(6)
        #expect(delivery.givenUp == 7)
    }

    @Test("Records that a cancelled upload delivered are not sent again, unless a denial wipes them")
    func aCancelledUploadIsSettled() throws {
        for isDenied in [false, true] {
            var (delivery, upload) = try Self.uploading()
            delivery.endRun()
            _ = delivery.cancelUpload(isDenied: isDenied)
            _ = delivery.cancelUpload()
            _ = delivery.finishUpload(upload.number, .perRecord([0: .accepted]), at: 0)
            #expect((delivery.unsettled?.verdicts.accepted ?? 0) == (isDenied ? 0 : 1))
        }
    }

    @Test("A withheld upload ends the run, and the next one follows soon")
    func aWithheldUploadIsTriedAgain() throws {
        var (delivery, upload) = try Self.uploading()
        delivery.withholdUpload(upload.number, at: 10)
        #expect(!delivery.isRunning)
        #expect(delivery.nextRun(isAsked: false) == 10.1)
    }

    @Test("If no records are left, the run ends when the batch in flight is settled")
    func theRunEndsWithNothingLeft() throws {
        var (delivery, upload) = try Self.uploading()
        _ = delivery.beginFetch()
        delivery.finishFetch(nil, at: 0)
        #expect(delivery.isRunning)
        #expect(delivery.lastEmpty == 0)
        _ = delivery.finishUpload(upload.number, .accepted, at: 0)
        delivery.finishSettling(at: 0)
        #expect(!delivery.isRunning)
        #expect(delivery.lastEmpty == 1)
        #expect(delivery.runsEnded == 1)
    }

    @Test("Records that are stored after the last batch was read are read in the same run")
    func newRecordsAreRead() throws {
        var (delivery, _) = try Self.uploading()
        _ = delivery.beginFetch()
        delivery.finishFetch(nil, at: 0)
        #expect(!delivery.needsFetch)
        delivery.stored(1, bytes: 1, at: 0)
        #expect(delivery.needsFetch)
    }

    @Test("A wipe discards the verdicts and counts the accepted records among them")
    func verdictsAreDiscarded() throws {
        var (delivery, upload) = try Self.uploading()
        _ = delivery.finishUpload(upload.number, .perRecord([0: .accepted, 1: .refused(reason: "bad")]), at: 0)
        #expect(delivery.discardVerdicts() == 1)
        #expect(delivery.discardVerdicts() == 0)
        #expect(delivery.unsettled == nil)
    }

    /// Delivers records through a collector, with a clock that only waits advance.
    /// - Returns: The time of each request in seconds, the number of records left, and that of dead letters.
    private static func deliver(
        _ count: Int64, seed: UInt64, until end: TimeInterval, isValid: (Int64) -> Bool
    ) -> (times: [TimeInterval], left: Int, buried: Int) {
        var delivery = delivery(records: 500, seed: seed)
        var (store, now, buried) = (Array(1...count), 0.0, 0)
        var times: [TimeInterval] = []
        delivery.plan(at: 0)
        while !store.isEmpty {
            if let next = delivery.nextRun(isAsked: false) {
                now = max(now, next)
                delivery.beginRun()
            }
            guard now <= end else { break }
            switch delivery.beginFetch() {
            case .fetch(let last, let limit, _):
                let numbers = Array(store.filter { $0 > last }.prefix(limit))
                delivery.finishFetch(numbers.isEmpty ? nil : batch(numbers), at: now)
            case .probe(let place):
                let index = store.count - 1 - Int(Double(store.count - 1) * place)
                delivery.finishFetch(batch([store[index]]), at: now)
            default: break
            }
            guard let upload = delivery.beginUpload() else { break }
            times.append(now)
            let isGood = upload.batch.numbers.allSatisfy(isValid)
            _ = delivery.finishUpload(upload.number, isGood ? .accepted : .invalid(reason: "bad"), at: now)
            if let (batch, verdicts) = delivery.unsettled {
                let judged = verdicts.flatMap { batch.numbers[$0.records] }
                store.removeAll { judged.contains($0) }
                if verdicts.accepted == 0 { buried += judged.count }
                delivery.finishSettling(at: now)
            }
        }
        return (times, store.count, buried)
    }

    @Test(
        "A run of invalid records does not delay the valid ones after it",
        arguments: [11, 40, 400] as [Int64], 1...3 as ClosedRange<UInt64>)
    func invalidRecordsDoNotBlock(run: Int64, seed: UInt64) {
        let (times, left, buried) = Self.deliver(run + 600, seed: seed, until: 3600) { $0 > run }
        #expect((left, Int64(buried), times.last) == (0, run, 0))
        #expect(Int64(times.count) < 2 * run + 40)
        // The newest record is invalid, too: a probe finds a valid one within a few waits.
        let ends = Self.deliver(run + 600, seed: seed, until: 3600) { (run + 1..<run + 590).contains($0) }
        #expect(ends.left == 0)
        #expect(ends.times.last ?? .infinity < 20 + Double(run))
    }

    @Test("A collector that refuses everything is asked ever more slowly, and few records are given up")
    func refusesEverything() {
        let (times, left, buried) = Self.deliver(2000, seed: 1, until: 86_400) { _ in false }
        let perHour = (0..<24).map { hour in times.count { Int($0 / 3600) == hour } }
        #expect(perHour.dropFirst().allSatisfy { $0 < 100 }, "\(perHour)")
        #expect(left + buried == 2000 && buried < 1000)
    }

    @Test("With random answers, each record is judged once and in order, and none are left", arguments: 1...20)
    func eachRecordIsJudgedOnce(seed: UInt64) {
        var dice = SeededGenerator(seed: seed)
        var delivery = Self.delivery(seed: seed)
        var (store, judged, now) = (Array(1...40 as ClosedRange<Int64>), [Int64](), 0.0)
        var upload: Delivery.Upload?
        delivery.plan(at: 0)
        for step in 0..<2000 where !store.isEmpty {
            if let next = delivery.nextRun(isAsked: false) {
                now = max(now, next)
                delivery.beginRun()
            }
            if delivery.needsFetch {
                var numbers: [Int64] = []
                switch delivery.beginFetch() {
                case .fetch(let last, let count, _): numbers = Array(store.filter { $0 > last }.prefix(count))
                case .probe(let part): numbers = [store[Int(part * Double(store.count - 1))]]
                default: Issue.record("another job")
                }
                delivery.finishFetch(numbers.isEmpty ? nil : Self.batch(numbers), at: now)
            }
            if let begun = delivery.beginUpload() {
                #expect(upload == nil, "two uploads at once")
                #expect(begun.batch.numbers[0] == store[0] || delivery.isProbing, "older records wait")
                upload = begun
                // The next batch is read while this one is in flight.
                if Bool.random(using: &dice) { continue }
            }
            if let sent = upload {
                upload = nil
                let count = sent.batch.count
                let answer: UploadResult =
                    switch Int.random(in: 0..<(step < 1000 ? 9 : 1), using: &dice) {
                    case 0...2: sent.batch.numbers.contains(7) ? .invalid(reason: "bad") : .accepted
                    case 3: .tooLarge
                    case 4: .later(reason: "busy", after: 3)
                    case 5: .perRecord([Int.random(in: 0..<count, using: &dice): .accepted])
                    case 6: .perRecord([:])
                    case 7: .partialSuccess(rejected: Int.random(in: -1...(count + 1), using: &dice), message: "some")
                    default: .perRecord([0: .refused(reason: "no")])
                    }
                _ = delivery.finishUpload(sent.number, answer, at: now)
            }
            if let (batch, verdicts) = delivery.unsettled {
                let numbers = verdicts.flatMap { batch.numbers[$0.records] }
                judged += numbers
                store.removeAll { numbers.contains($0) }
                delivery.finishSettling(at: now)
            }
        }
        #expect(judged.sorted() == Array(1...40))
    }
}
