import Foundation
import Testing
import TestSupport

@testable import ActivityOutbox

/// Tests of the calls that wait for an answer, without the rest of the machine.
struct CallersTests {
    private static func answers(_ effects: [OutboxMachine.Effect]) -> [(ticket: Int, isDone: Bool?)] {
        effects.compactMap { effect in
            switch effect {
            case .complete(let ticket, let isDone): (ticket, isDone)
            case .expire(let ticket): (ticket, nil)
            default: nil
            }
        }
    }

    /// A situation in which nothing delays an answer.
    private static let free = Callers.AnswerContext(isAtRest: true, runsEnded: .max)

    @Test(
        "A call is answered after the write that began after it, with that write's success", arguments: [true, false])
    func aFlushWaitsForItsWrite(isDurable: Bool) {
        var callers = Callers()
        callers.wait(1, .flush, for: 3)
        #expect(callers.needWrite(after: 2))
        #expect(!callers.needWrite(after: 3))
        callers.endWrite(upTo: 2, isDurable: true, nextRun: 1)
        #expect(callers.answer(Self.free, at: 0).isEmpty == true)
        callers.endWrite(upTo: 3, isDurable: isDurable, nextRun: 1)
        callers.endWrite(upTo: 4, isDurable: !isDurable, nextRun: 1)
        let answers = Self.answers(callers.answer(Self.free, at: 0))
        #expect(answers.map(\.ticket) == [1])
        #expect(answers.map(\.isDone) == [isDurable])
        #expect(callers.isEmpty)
    }

    @Test("A delivery waits for the end of the first run that has seen its records")
    func aDeliveryWaitsForItsRun() {
        var callers = Callers()
        callers.wait(1, .delivery, for: 1)
        #expect(!callers.needRun(after: 4))
        callers.endWrite(upTo: 1, isDurable: true, nextRun: 5)
        #expect(callers.needRun(after: 4))
        #expect(!callers.needRun(after: 5))
        #expect(callers.answer(.init(runsEnded: 4), at: 0).isEmpty == true)
        #expect(Self.answers(callers.answer(.init(runsEnded: 5), at: 0)).map(\.ticket) == [1])
    }

    @Test("A delivery that cannot begin is answered")
    func aHopelessDeliveryIsAnswered() {
        for situation in [
            Callers.AnswerContext(isHopeless: true), Callers.AnswerContext(isHeldUp: true),
            Callers.AnswerContext(hasGivenUpOnUpload: true),
        ] {
            var callers = Callers()
            callers.wait(1, .delivery, for: 1)
            #expect(callers.answer(situation, at: 0).isEmpty == true)
            callers.endWrite(upTo: 1, isDurable: true, nextRun: 1)
            #expect(callers.answer(situation, at: 0).count == 1)
        }
    }

    @Test("A call of suspend is answered when no file is open, or when the outbox is resumed")
    func aSuspensionWaitsForFiles() {
        for isResumed in [true, false] {
            var callers = Callers()
            callers.suspend()
            callers.wait(1, .suspension, for: 1)
            callers.endWrite(upTo: 1, isDurable: true, nextRun: 1)
            #expect(callers.answer(.init(isAtRest: false), at: 0).isEmpty == true)
            if isResumed { #expect(callers.resume() == true) }
            #expect(callers.answer(.init(isAtRest: !isResumed), at: 0).count == 1)
        }
    }

    @Test("A shutdown is answered at its time limit at the latest")
    func aShutdownExpires() {
        var callers = Callers()
        callers.wait(1, .shutdown(atLatest: 10), for: 1)
        #expect(callers.wake(givenUp: nil) == 10)
        #expect(callers.answer(.init(), at: 9.9).isEmpty == true)
        let answers = Self.answers(callers.answer(.init(), at: 10))
        #expect(answers.map(\.ticket) == [1])
        #expect(answers.map(\.isDone) == [nil])
    }

    @Test("A shutdown is done when a run that began after its write found no records")
    func aShutdownIsDrained() {
        var callers = Callers()
        callers.wait(1, .shutdown(atLatest: 10), for: 1)
        #expect(callers.shutdowns(lastEmpty: 9) == (false, false))
        callers.endWrite(upTo: 1, isDurable: true, nextRun: 3)
        #expect(callers.shutdowns(lastEmpty: 2) == (true, false))
        #expect(callers.shutdowns(lastEmpty: 3) == (true, true))
    }

    @Test("The last call of suspend or resume counts, and a shutdown is final")
    func lives() {
        var callers = Callers()
        #expect(callers.resume() == false)
        callers.suspend()
        #expect(!callers.mayUseDisk)
        #expect(callers.resume() == true)
        callers.stop(until: 9)
        callers.stop(until: 12)
        #expect(callers.life == .stopping(until: 9))
        #expect(callers.mayUseDisk)
        callers.stop()
        callers.suspend()
        #expect(callers.resume() == false)
        #expect(callers.life == .stopped)
        var suspended = Callers()
        suspended.suspend()
        suspended.stop(until: 9)
        #expect(suspended.life == .stopped)
    }

    @Test("With random inputs, each call is answered once, after its write or at its time limit", arguments: 1...20)
    func eachCallIsAnsweredOnce(seed: UInt64) {
        var dice = SeededGenerator(seed: seed)
        var callers = Callers()
        var (written, last, now) = (0, 0, 0.0)
        var waiting: [Int: (write: Int, latest: TimeInterval)] = [:]
        func check(_ effects: [OutboxMachine.Effect]) {
            for (ticket, isDone) in Self.answers(effects) {
                guard let call = waiting.removeValue(forKey: ticket) else {
                    Issue.record("\(ticket) is answered twice")
                    continue
                }
                #expect(isDone == nil ? now >= call.latest : written >= call.write)
            }
        }
        for _ in 0..<300 {
            now += 1
            switch Int.random(in: 0..<6, using: &dice) {
            case 0, 1:
                last += 1
                let kind: Callers.Kind =
                    [.flush, .delivery, .suspension, .shutdown(atLatest: now + 9)].randomElement(using: &dice) ?? .flush
                var latest = TimeInterval.infinity
                if case .shutdown(let time) = kind { latest = time }
                waiting[last] = (written + 1, latest)
                callers.wait(last, kind, for: written + 1)
            case 2:
                written += 1
                callers.endWrite(upTo: written, isDurable: .random(using: &dice), nextRun: written)
            case 3: if Bool.random(using: &dice) { callers.suspend() } else { _ = callers.resume() }
            default:
                check(
                    callers.answer(
                        .init(
                            isAtRest: .random(using: &dice), runsEnded: Int.random(in: 0...written, using: &dice),
                            isHopeless: .random(using: &dice)),
                        at: now))
            }
        }
        (written, now) = (written + 1, now + 10)
        callers.endWrite(upTo: written, isDurable: true, nextRun: 1)
        check(callers.answer(Self.free, at: now))
        #expect(waiting.isEmpty)
        #expect(callers.isEmpty)
    }
}
