@_spi(GeneratedCode) import ActivityTracking
import Foundation
import Testing
import TestSupport

@testable import ActivityOutbox

/// Tests of the remote policy in force, without the rest of the machine.
struct RemoteControlTests {
    private enum Shop: LogCategory {
        case open

        static let definition = LogDefinition("shop\n.open|1-0-0")

        func encode(into encoder: LogEncoder) { encoder.event(0) }
    }

    /// A policy that disables the category `shop`.
    private static func off() throws -> Outbox.RemotePolicy {
        let expires = ISO8601DateFormatter().string(from: Date().addingTimeInterval(3600))
        return try Outbox.RemotePolicy(Data("{\"version\":1,\"expires\":\"\(expires)\",\"off\":[\"shop\"]}".utf8))
    }

    @Test("Without a policy, each record is admitted")
    func recordsAreAdmittedWithoutAPolicy() {
        let remote = RemoteControl(isSampled: true)
        let record = LogRecord(Shop.open)
        #expect(remote.kept == .awaited)
        #expect(!remote.isInForce)
        #expect(remote.admit(record)?.json == record.json)
        #expect(remote.share(of: record) { 0 } == nil)
    }

    @Test("A policy is in force until its end, and expires once")
    func aPolicyExpires() throws {
        var remote = RemoteControl(isSampled: true)
        let record = LogRecord(Shop.open)
        remote.apply(try Self.off(), until: 10)
        #expect(remote.admit(record) == nil)
        #expect(remote.share(of: record) { 9 } == 0)
        #expect(remote.share(of: record) { 10 } == nil)
        #expect(remote.expire(at: 9) == false)
        #expect(remote.expire(at: 10) == true)
        #expect(remote.expire(at: 11) == false)
        #expect(remote.admit(record) != nil)
    }

    @Test("The policy of an earlier process is in force after it has been read")
    func anEarlierPolicyIsRecalled() throws {
        var remote = RemoteControl(isSampled: true)
        #expect(remote.recall(try Self.off(), until: 10) == true)
        #expect(remote.isInForce)
        #expect(remote.kept == .known)
    }

    @Test("The policy of an earlier process does not replace one of this process", arguments: [true, false])
    func anEarlierPolicyIsReplaced(isPolicy: Bool) throws {
        var remote = RemoteControl(isSampled: true)
        remote.apply(isPolicy ? try Self.off() : nil, until: 10)
        #expect(remote.kept == .replaced)
        #expect(remote.recall(try Self.off(), until: 100) == false)
        #expect(remote.isInForce == isPolicy)
        #expect(remote.kept == .known)
    }

    @Test("The policy of an earlier process is read once, and each policy lasts for its lifetime", arguments: 1...20)
    func agreesWithFlags(seed: UInt64) throws {
        var dice = SeededGenerator(seed: seed)
        let policy = try Self.off()
        var remote = RemoteControl(isSampled: true)
        var (isKnown, isGiven, end) = (false, false, TimeInterval?.none)
        for step in 0..<200 {
            let now = TimeInterval(step)
            let until = now + Double(Int.random(in: 1...20, using: &dice))
            let isPolicy = Bool.random(using: &dice)
            switch Int.random(in: 0..<8, using: &dice) {
            case 0:
                remote.apply(isPolicy ? policy : nil, until: until)
                (isGiven, end) = (true, isPolicy ? until : nil)
            case 1:
                let isTaken = !isKnown && !isGiven && isPolicy
                #expect(remote.recall(isPolicy ? policy : nil, until: until) == isTaken)
                if isTaken { end = until }
                isKnown = true
            default:
                let isOver = end.map { now >= $0 } ?? false
                #expect(remote.expire(at: now) == isOver)
                if isOver { end = nil }
            }
            #expect(remote.isInForce == (end != nil))
            #expect((remote.kept == .known) == isKnown)
            #expect((remote.kept == .awaited) == (!isKnown && !isGiven))
        }
    }
}
