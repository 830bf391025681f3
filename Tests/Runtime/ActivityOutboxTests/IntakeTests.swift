@_spi(GeneratedCode) import ActivityTracking
import Foundation
import Testing
import TestSupport

@testable import ActivityOutbox

/// Tests of the records in memory, without the rest of the machine.
struct IntakeTests {
    private static func intake(records: Int = 3, bytes: Int = 1024, storedBytes: Int = 1024) -> Intake {
        var configuration = Outbox.Configuration(folder: URL(fileURLWithPath: "/nowhere"))
        configuration.queuedRecords = records
        configuration.queuedBytes = bytes
        configuration.storedBytes = storedBytes
        return Intake(configuration.limits.clamped().limits)
    }

    private static func content(_ records: PackedRecords) -> [[UInt8]] {
        var content: [[UInt8]] = []
        records.forEach { content.append(Array($0)) }
        return content
    }

    @Test("A record that alone is too large is dropped, and the others stay", arguments: [600, 1025])
    func largeRecordsAreDropped(size: Int) {
        var intake = Self.intake(storedBytes: 599)
        intake.add([1])
        intake.add([UInt8](repeating: 2, count: size))
        #expect(Self.content(intake.queue) == [[1]])
        #expect(intake.takeNotices() == [.dropped(1, .bytes)])
    }

    @Test("The records of a failed write precede those posted since, and are due at once")
    func aFailedWriteReturns() {
        var intake = Self.intake(records: 9)
        intake.add([1])
        _ = intake.schedule { 10 }
        _ = intake.beginWrite(at: 11)
        intake.add([2])
        _ = intake.schedule { 12 }
        #expect(intake.finishWrite(.failed, at: 13) == nil)
        #expect(Self.content(intake.queue) == [[1], [2]])
        #expect(intake.writeDue == 13)
        #expect(intake.beginWrite(at: 14).since == 10)
    }

    @Test("A denial drops the queue at once, and the current write if the store has not taken it")
    func aDenialDrops() {
        for outcome in Intake.WriteOutcome.allCases {
            var intake = Self.intake()
            intake.add([1])
            _ = intake.beginWrite(at: 0)
            intake.add([2])
            intake.deny()
            #expect(intake.queue.isEmpty)
            #expect(intake.finishWrite(outcome, at: 1) == nil)
            #expect(intake.count == 0)
            // The wipe counts a record that the store has taken.
            #expect(intake.takeNotices() == [.dropped(outcome == .stored ? 1 : 2, .denied)])
        }
    }

    @Test("A write is scheduled once, after the delay, and an empty queue needs none")
    func aWriteIsScheduledOnce() {
        var intake = Self.intake()
        intake.add([1])
        #expect(intake.schedule { 10 } == 10.05)
        #expect(intake.schedule { 11 } == nil)
        _ = intake.beginWrite(at: 12)
        #expect(intake.writeDue == nil)
        _ = intake.schedule { 13 }
        intake.unscheduleIfEmpty()
        #expect(intake.writeDue == nil)
    }

    @Test("A queue that is half full is due at once, and stays due", arguments: [(10, 1024, 4), (100, 1024, 1)])
    func aHalfFullQueueIsDue(records: Int, bytes: Int, count: Int) {
        var intake = Self.intake(records: records, bytes: bytes)
        for number in 0..<count {
            intake.add([UInt8](repeating: 0, count: records > 10 ? 300 : 1))
            #expect(intake.schedule { 10 } == (number == 0 ? 10.05 : nil))
        }
        intake.add([UInt8](repeating: 0, count: records > 10 ? 300 : 1))
        #expect(intake.schedule { 10.01 } == 10.01)
        intake.add([1])
        #expect(intake.schedule { 10.02 } == nil)
        #expect(intake.writeDue == 10.01)
        #expect(intake.beginWrite(at: 11).since == 10)
    }

    @Test("The counts of a wiped store are counted in the next one, and not reported again")
    func wipedCountsAreKept() {
        var intake = Self.intake()
        intake.recount(3)
        #expect(intake.takeNotices() == [])
        #expect(intake.beginWrite(at: 0).dropped == 3)
    }

    @Test("With random inputs, each record is in memory, stored or dropped, and is counted once", arguments: 1...20)
    func agreesWithArrays(seed: UInt64) {
        var dice = SeededGenerator(seed: seed)
        var intake = Self.intake(records: 5, bytes: 1200)
        var (queue, write) = ([[UInt8]](), [[UInt8]]?.none)
        var (posted, stored, wiped, reported, counted, isDenied) = (0, 0, 0, 0, 0, false)
        func size(_ records: [[UInt8]]) -> Int { records.reduce(0) { $0 + $1.count } }
        for step in 0..<400 {
            switch Int.random(in: 0..<10, using: &dice) {
            case 0...5:
                posted += 1
                let record = [UInt8](
                    repeating: UInt8(step % 256), count: [1, 300, 500].randomElement(using: &dice) ?? 1)
                queue.append(record)
                intake.add(record)
                _ = intake.schedule { Double(step) }
            case 6 where write == nil:
                #expect(Self.content(intake.beginWrite(at: Double(step)).records) == queue)
                (queue, write, isDenied) = ([], queue, false)
            case 7:
                guard let records = write else { continue }
                let outcome = Intake.WriteOutcome.allCases.randomElement(using: &dice) ?? .stored
                let dropped = intake.write?.dropped ?? 0
                write = nil
                let result = intake.finishWrite(outcome, at: Double(step))
                #expect((result != nil) == (outcome == .stored && !isDenied))
                if outcome == .stored { counted += dropped }
                if result != nil { stored += records.count } else if outcome == .stored { wiped += records.count }
                if outcome == .failed, !isDenied { queue = records + queue }
            case 8:
                intake.deny()
                isDenied = write?.isEmpty == false
                queue = []
            default:
                for notice in intake.takeNotices() {
                    if case .dropped(let count, _) = notice { reported += count }
                }
            }
            while !queue.isEmpty, queue.count + (write?.count ?? 0) > 5 || size(queue) + size(write ?? []) > 1200 {
                queue.removeFirst()
            }
            #expect(Self.content(intake.queue) == queue)
            #expect(intake.count == queue.count + (write?.count ?? 0))
            #expect(queue.isEmpty || intake.writeDue != nil)
        }
        for notice in intake.takeNotices() { if case .dropped(let count, _) = notice { reported += count } }
        #expect(posted == stored + wiped + reported + intake.count)
        #expect(reported == counted + intake.uncounted)
    }
}
