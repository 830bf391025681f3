import ActivityTracking
import Testing
import TestSupport

@testable import ActivityOutbox

/// Tests of the user's decisions, without the rest of the machine.
struct ConsentTests {
    @Test("At the start, a mark of a denial may exist, and nothing has been decided")
    func theStart() {
        let consent = Consent()
        #expect(consent.policy == .paused)
        #expect(consent.debt == .obedience)
        #expect(consent.changes == 0)
    }

    @Test("A denial owes a wipe, which an agreement does not clear", arguments: [CollectionPolicy.enabled, .paused])
    func anAgreementKeepsTheWipe(policy: CollectionPolicy) {
        var consent = Consent()
        consent.set(.denied)
        #expect(consent.debt == .wipe)
        consent.set(policy)
        #expect(consent.debt == .wipe)
        consent.beginObeying()
        consent.finishObeying()
        #expect(consent.debt == .none)
    }

    @Test("A decision during an obey job causes another one")
    func aLaterDecisionIsObeyed() {
        var consent = Consent()
        consent.beginObeying()
        consent.set(.denied)
        consent.finishObeying()
        #expect(consent.debt == .wipe)
    }

    @Test("A wipe counts records that the collector has not accepted, and the count is never negative")
    func acceptedRecordsAreNotCounted() {
        var consent = Consent()
        consent.noteAccepted(2)
        consent.noteAccepted(1)
        #expect(consent.countWiped(5) == 2)
        #expect(consent.countWiped(5) == 5)
        consent.noteAccepted(9)
        #expect(consent.countWiped(5) == 0)
    }

    @Test("With random decisions, the debt equals that of two flags, for the wipe and for the mark", arguments: 1...20)
    func agreesWithFlags(seed: UInt64) {
        var dice = SeededGenerator(seed: seed)
        var consent = Consent()
        var (owesWipe, owesObedience, isCurrent) = (false, true, false)
        for _ in 0..<200 {
            switch Int.random(in: 0..<4, using: &dice) {
            case 0:
                consent.beginObeying()
                isCurrent = true
            case 1 where isCurrent:
                consent.finishObeying()
                (owesWipe, owesObedience) = (false, false)
            case 2:
                consent.set(.denied)
                (owesWipe, isCurrent) = (true, false)
            default:
                consent.set([.enabled, .paused].randomElement(using: &dice) ?? .enabled)
                (owesObedience, isCurrent) = (true, false)
            }
            #expect((consent.debt == .wipe) == owesWipe)
            #expect((consent.debt == .none) == (!owesWipe && !owesObedience))
        }
    }
}
