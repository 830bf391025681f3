import ActivityTracking
import Foundation
import LoopbackCollector
import Testing

@testable import ActivityOutbox

/// Tests of collectors that accept part of a batch.
@Suite(.serialized) struct PartialAnswerTests {
    /// Returns a collector that accepts at most `limit` records of a batch and refuses some. It answers in the JSON of
    /// ``HTTPUploader``.
    private static func collector(
        atMost limit: Int = .max, refusing isRefused: @escaping @Sendable (Int) -> Bool = { $0 % 5 == 0 }
    ) throws
        -> Collector
    {
        try Collector { request in
            let end = min(limit, request.records.count)
            let refused = (0..<end).filter { isRefused(number(request.records[$0])) }
            let accepted = (0..<end).filter { !refused.contains($0) }
            let refusals = refused.map { "{\"index\":\($0),\"reason\":\"bad \(number(request.records[$0]) % 2)\"}" }
                .joined(separator: ",")
            let later = (end..<request.records.count).map { "\($0)" }.joined(separator: ",")
            return .text(
                207, "{\"accepted\":\(accepted.count),\"refused\":[\(refusals)],\"later\":[\(later)]}",
                accepting: accepted.map { request.records[$0] })
        }
    }

    private static func number(_ record: String) -> Int { Int(record.dropFirst(5).prefix { $0.isNumber }) ?? -1 }

    private static func uploader(_ collector: Collector) -> HTTPUploader {
        HTTPUploader(collector.url, perRecordAnswers: true, timeout: 3600)
    }

    // MARK: Parsing an answer

    @Test(
        "A consistent answer determines the result of each record",
        arguments: [
            (200, "", .accepted),
            (204, "", .accepted),
            (200, "{\"accepted\":3}", .accepted),
            (207, "{\"accepted\":3,\"refused\":[],\"later\":[],\"more\":{}}", .accepted),
            (
                207, "{\"accepted\":2,\"refused\":[{\"index\":1,\"reason\":\"bad\"}]}",
                .perRecord([0: .accepted, 1: .refused(reason: "bad"), 2: .accepted])
            ),
            (207, "{\"accepted\":1,\"later\":[0,2]}", .perRecord([1: .accepted])),
            (
                200, "{\"accepted\":0,\"refused\":[{\"index\":2}],\"later\":[1,0]}",
                .perRecord([2: .refused(reason: "HTTP 200")])
            ),
            (207, "{\"accepted\":0,\"later\":[0,1,2]}", .perRecord([:])),
            // A status other than 2xx keeps its meaning.
            (503, "{\"accepted\":3}", .later(reason: "HTTP 503", after: nil)),
            (413, "{\"accepted\":3}", .tooLarge),
        ] as [(Int, String, UploadResult)])
    func answersPerRecord(status: Int, body: String, result: UploadResult) async throws {
        let collector = try Collector { _ in .text(status, body, accepting: []) }
        let batch = LogBatch(records: (1...3).map { Array("{\"n\":\($0)}".utf8) })
        #expect(try await Self.uploader(collector).upload(batch) == result)
    }

    static let nonsense: [(status: Int, body: String)] = [
        (207, ""),
        (200, "ok"),
        (200, "null"),
        (200, "[]"),
        (200, "{}"),
        (200, "{\"accepted\":"),
        (200, "{\"accepted\":true}"),
        (200, "{\"accepted\":2.5}"),
        (200, "{\"accepted\":2}"),
        (200, "{\"accepted\":4}"),
        (200, "{\"accepted\":-3}"),
        (200, "{\"accepted\":99999999999999999999}"),
        (200, "{\"refused\":[]}"),
        (200, "{\"accepted\":2,\"refused\":[{\"index\":3}]}"),
        (200, "{\"accepted\":2,\"refused\":[{\"index\":-1}]}"),
        (200, "{\"accepted\":2,\"refused\":[{\"index\":9223372036854775807}]}"),
        (200, "{\"accepted\":2,\"refused\":[{\"reason\":\"which?\"}]}"),
        (200, "{\"accepted\":3,\"refused\":[{\"index\":0}]}"),
        (200, "{\"accepted\":2,\"refused\":[{\"index\":0},{\"index\":0}]}"),
        (200, "{\"accepted\":1,\"refused\":[{\"index\":0},{\"index\":0}]}"),
        (200, "{\"accepted\":2,\"refused\":[{\"index\":0}],\"later\":[0]}"),
        (200, "{\"accepted\":1,\"refused\":[{\"index\":0}],\"later\":[0]}"),
        (200, "{\"accepted\":1,\"later\":[1,1]}"),
        (200, "{\"accepted\":0,\"later\":[1,2,3]}"),
        (200, "{\"accepted\":3,\"more\":\"" + String(repeating: "x", count: 70_000) + "\"}"),
        (200, String(repeating: "[", count: 60_000)),
    ]

    @Test("An inconsistent answer loses no record and makes no dead letter", arguments: nonsense)
    func nonsenseIsNotBelieved(status: Int, body: String) async throws {
        let isMad = Locked(true)
        let collector = try Collector { request in
            isMad.withLock { $0 } ? .text(status, body, accepting: []) : .status(204)
        }
        let bench = OutboxFixture()
        let outbox = bench.outbox(Self.uploader(collector)) { $0.firstRetry = 0.001 }
        outbox.post(1...3)
        await outbox.deliver()
        #expect(await outbox.status() == Outbox.Status(stored: 3, storedBytes: 21))
        #expect(
            bench.notices.contains {
                if case .deliveryFailed(let reason, _) = $0 { reason.contains("its answer per record") } else { false }
            })
        isMad.withLock { $0 = false }
        #expect(
            await eventually {
                await outbox.deliver()
                return await outbox.status() == Outbox.Status()
            })
        #expect(collector.numbers == [1, 2, 3])
    }

    @Test("An answer with indices that the batch does not have is ignored", arguments: [3, -1, .max, .min])
    func unknownIndicesAreIgnored(index: Int) async throws {
        let uploader = Answering { _ in .perRecord([0: .accepted, 1: .refused(reason: "bad"), index: .accepted]) }
        let bench = OutboxFixture()
        let outbox = bench.outbox(uploader)
        outbox.post(1...3)
        await outbox.deliver()
        #expect(await outbox.status() == Outbox.Status(stored: 3, storedBytes: 21))
        #expect(bench.notices.contains { "\($0)".contains("the answer names records that the batch does not have") })
    }

    // MARK: Results of the records

    @Test(
        "Accepted records are removed, refused ones become dead letters, the others are sent again",
        arguments: [1, 3, 7, .max])
    func partsOfABatch(limit: Int) async throws {
        let collector = try Self.collector(atMost: limit)
        let bench = OutboxFixture()
        let outbox = bench.outbox(Self.uploader(collector)) { $0.batchRecords = 20 }
        outbox.post(1...50)
        // A collector that accepts one record at a time does not count as one that refuses everything.
        #expect(
            await eventually {
                await outbox.deliver()
                return await outbox.status().stored == 0
            })
        #expect(collector.numbers == (1...50).filter { $0 % 5 != 0 })
        let letters = try await outbox.deadLetters()
        #expect(
            letters
                == (1...50).filter { $0 % 5 == 0 }.map {
                    DeadLetter(json: Array("{\"n\":\($0)}".utf8), reason: "bad \($0 % 2)")
                })
        #expect(await outbox.status() == Outbox.Status(deadLetters: 10))
        let reported = bench.notices.reduce(0) { if case .deadLetters(let count, _) = $1 { $0 + count } else { $0 } }
        #expect(reported == 10)
        if limit == .max { #expect(bench.notices.contains(.deadLetters(4, reason: "bad 1, and 1 other reason"))) }
    }

    @Test("A collector that takes nothing is left alone, and one that names a time is asked then")
    func remainingRecordsAreSentAtTheRequestedTime() async throws {
        let time = Locked(1000.0)
        let clock = OutboxClock(wall: { Date().timeIntervalSince1970 }, steady: { time.withLock { $0 } })
        let answers = Locked<[UploadResult]>([
            .perRecord([:]), .perRecord([0: .accepted], after: 100), .perRecord([0: .accepted]),
        ])
        let uploader = Answering { _ in answers.withLock { $0.isEmpty ? .accepted : $0.removeFirst() } }
        let bench = OutboxFixture()
        let outbox = bench.outbox(uploader, clock: clock)
        await outbox.deliver()
        outbox.post(1...4)
        await outbox.deliver()
        #expect(uploader.sizes == [4])
        #expect(bench.notices.contains { "\($0)".contains("the collector has not taken 4 of 4 records") })
        await outbox.deliver()
        #expect(uploader.sizes == [4, 4])
        time.withLock { $0 += 99 }
        await outbox.deliver()
        #expect(uploader.sizes == [4, 4])
        #expect(await outbox.status().stored == 3)
        time.withLock { $0 += 2 }
        // Without a Retry-After, the rest is sent at once.
        await outbox.deliver()
        #expect(uploader.sizes == [4, 4, 3, 2])
        #expect(await outbox.status() == Outbox.Status())
    }

    @Test("A collector that refuses record by record is asked less and less often")
    func refusingOneByOne() async throws {
        let uploader = Answering { _ in .perRecord([0: .refused(reason: "no")]) }
        let bench = OutboxFixture()
        let outbox = bench.outbox(uploader) { $0.batchRecords = 100 }
        outbox.post(1...100)
        await outbox.deliver()
        #expect(uploader.sizes.count < 20)
        #expect(await outbox.status().deadLetters == uploader.sizes.count)
    }

    // MARK: Interruptions

    @Test("An answer is stored when the disk works again after a failure")
    func answerIsStoredAfterTheDiskRecovers() async throws {
        let faults = Faults()
        let collector = try Self.collector(atMost: 10)
        let uploader = Self.uploader(collector)
        let bench = OutboxFixture()
        let outbox = bench.outbox(
            Answering { batch in
                let result = try await uploader.upload(batch)
                faults.fail(.write, with: ENOSPC)
                return result
            }, faults: faults)
        outbox.post(1...20)
        await outbox.deliver()
        #expect(collector.numbers == [1, 2, 3, 4, 6, 7, 8, 9])
        #expect(await outbox.status().stored == 20)
        faults.end()
        for _ in 0..<2 {
            await outbox.deliver()
            faults.end()
        }
        await outbox.deliver()
        #expect(collector.numbers == (1...20).filter { $0 % 5 != 0 })
        #expect(try await outbox.deadLetters().count == 4)
    }

    @Test("A process that ends between answer and disk resends without a loss or second dead letter")
    func theProcessEndsInBetween() async throws {
        let faults = Faults()
        let collector = try Self.collector(atMost: 10)
        let uploader = Self.uploader(collector)
        let bench = OutboxFixture()
        let first = bench.outbox(
            Answering { batch in
                let result = try await uploader.upload(batch)
                faults.fail(.write, .read, .open, .lock, with: EIO)
                return result
            }, faults: faults)
        first.post(1...20)
        await first.deliver()
        await first.shutdown(within: 0)
        #expect(collector.acceptedCount == 8)

        let second = bench.outbox(uploader)
        #expect(
            await eventually {
                await second.deliver()
                return await second.status().stored == 0
            })
        #expect(Set(collector.numbers) == Set((1...20).filter { $0 % 5 != 0 }))
        #expect(collector.acceptedCount == 16 + 8)
        #expect(try await second.deadLetters().count == 4)
    }

    @Test("A denial while the answer is in flight wipes and counts all, and leaves no dead letter")
    func denialInFlightLeavesNoDeadLetter() async throws {
        let bench = OutboxFixture()
        let held = Locked<Outbox?>(nil)
        let uploader = Answering { _ in
            held.withLock { $0 }?.collectionDidChange(to: .denied)
            return .perRecord([0: .accepted, 1: .refused(reason: "bad")])
        }
        let outbox = bench.outbox(uploader)
        held.withLock { $0 = outbox }
        outbox.post(1...5)
        await outbox.deliver()
        await outbox.flush()
        held.withLock { $0 = nil }
        #expect(await outbox.status() == Outbox.Status(dropped: 5))
        #expect(bench.dropped(.denied) == 5)
        #expect(!bench.notices.contains { if case .deadLetters = $0 { true } else { false } })
    }

    @Test("Records that were accepted during a suspension are not sent again")
    func suspendedInBetween() async throws {
        let bench = OutboxFixture()
        let isFirst = Locked(true)
        let (begun, go) = (Gate(), Gate())
        let uploader = Answering { batch in
            let isFirst = isFirst.withLock { isFirst in
                defer { isFirst = false }
                return isFirst
            }
            guard isFirst else { return .accepted }
            begun.open()
            await go.wait()
            return .perRecord([0: .accepted, 1: .refused(reason: "bad"), 2: .accepted])
        }
        let outbox = bench.outbox(uploader)
        outbox.post(1...5)
        async let delivered: Void = outbox.deliver()
        await begun.wait()
        await outbox.suspend()
        go.open()
        await delivered
        await outbox.resume()
        #expect(await eventually { await outbox.status() == Outbox.Status() })
        // A refusal that arrived during the suspension was not stored, so the record is sent again.
        #expect(uploader.sizes == [5, 3])
    }

    @Test("Two outboxes on one file deliver each record once and make one dead letter of each refusal")
    func twoOutboxes() async throws {
        let collector = try Self.collector(atMost: 7)
        let bench = OutboxFixture()
        let outboxes = (0..<2).map { _ in
            bench.outbox(Self.uploader(collector)) {
                $0.batchRecords = 20
                $0.deliveryInterval = 0.01
                $0.firstRetry = 0.01
                $0.longestRetry = 0.05
            }
        }
        await withTaskGroup(of: Void.self) { group in
            for (index, outbox) in outboxes.enumerated() {
                group.addTask {
                    for number in 0..<200 {
                        outbox.post([index * 1000 + number])
                        if number % 20 == 0 { await outbox.flush() }
                    }
                    await outbox.flush()
                }
            }
        }
        #expect(await eventually { collector.acceptedCount >= 320 })
        #expect(await eventually { await outboxes[0].status().stored == 0 })
        #expect(collector.numbers.count == 320)
        #expect(Set(collector.numbers).count == 320)
        #expect(try await outboxes[0].deadLetters().count == 80)
        for outbox in outboxes { await outbox.shutdown(within: 2) }
    }

    @Test("Records that are dropped while in flight are not removed twice and make no dead letters")
    func droppedInBetween() async throws {
        let bench = OutboxFixture()
        let held = Locked<Outbox?>(nil)
        let uploader = Answering { _ in
            // Five newer records push out the five oldest.
            if let outbox = held.withLock({ $0 }) {
                outbox.post(11...15)
                await outbox.flush()
            }
            held.withLock { $0 = nil }
            return .perRecord([0: .accepted, 1: .refused(reason: "gone"), 9: .refused(reason: "bad")])
        }
        let outbox = bench.outbox(uploader) { $0.storedRecords = 10 }
        await outbox.deliver()
        outbox.post(1...10)
        await outbox.flush()
        held.withLock { $0 = outbox }
        await outbox.deliver()
        #expect(try await outbox.deadLetters().first == DeadLetter(json: Array("{\"n\":10}".utf8), reason: "bad"))
        #expect(bench.dropped(.records) == 5)
        #expect(
            bench.notices.first { if case .deadLetters = $0 { true } else { false } }
                == .deadLetters(1, reason: "gone, and 1 other reason"))
    }
}

/// An uploader that answers with a test's closure and records the sizes of the batches.
private struct Answering: LogUploader {
    private let seen = Locked([Int]())
    private let answer: @Sendable (LogBatch) async throws -> UploadResult

    init(_ answer: @escaping @Sendable (LogBatch) async throws -> UploadResult) { self.answer = answer }

    var sizes: [Int] { seen.withLock { $0 } }

    func upload(_ batch: LogBatch) async throws -> UploadResult {
        seen.withLock { $0.append(batch.records.count) }
        return try await answer(batch)
    }
}

private final class Gate: Sendable {
    private let (stream, continuation) = AsyncStream<Void>.makeStream()

    func open() { continuation.finish() }

    func wait() async { for await _ in stream {} }
}
