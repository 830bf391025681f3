import ActivityTracking
import Foundation

/// Which job the disk does next, and what follows from what it found.
extension OutboxMachine {
    mutating func beginJob(_ now: TimeInterval) {
        guard job == nil, let next = nextJob(now) else { return }
        job = next
        jobStart = (policyChanges, fetchEpoch)
        if case .close = next {} else { isOpen = true }
        effects.append(.disk(next))
    }

    private mutating func nextJob(_ now: TimeInterval) -> Job? {
        let isAsked = waiters.contains { $0.write > writesBegun }
        if owesWipe || owesObedience && (mayUseDisk || isAsked || !asked.isEmpty) {
            if isAsked || now >= intake.next { return .obey }
            // A question is not answered from records that were denied.
            effects += asked.map { .complete($0, false) }
            asked = []
        } else {
            // Before all else, and before the files are closed: these records must neither be sent again nor dropped
            // past a limit.
            if let unsettled, mayUseDisk || isOpen || isAsked, now >= outlet.next {
                return .settle(unsettled.batch, unsettled.verdicts)
            }
            if isAsked || mayUseDisk && !queue.isEmpty && now >= max(writeDue ?? now, intake.next) {
                writesBegun += 1
                writing = queue
                queue = PackedRecords()
                writeDue = nil
                defer { queuedSince = nil }
                return .write(writing, dropped: uncounted, since: queuedSince ?? now)
            }
            if !asked.isEmpty { return .ask(asked.removeFirst()) }
            if let fetch = nextFetch(now) { return fetch }
        }
        if holdsRight, run == nil, upload == nil || !mayUseDisk {
            return .rest(forbidden: forbiddenUntil > rememberedUntil ? max(0, forbiddenUntil - now) : 0)
        }
        return isOpen && !mayUseDisk ? .close : nil
    }

    private mutating func nextFetch(_ now: TimeInterval) -> Job? {
        guard let run, !run.isExhausted, maySend, ahead == nil, unsettled == nil, now >= outlet.next else { return nil }
        holdsRight = true
        return .fetch(behind: upload?.batch.last ?? 0, records: size.records, bytes: size.bytes)
    }

    /// A job is done, or could not be.
    mutating func finish(_ result: JobResult, at now: TimeInterval) {
        guard let job else { return }
        self.job = nil
        effects += result.notices.map { .notice($0) }
        if result.isDenied || result.isWiped {
            // Accepted records are not lost. The others are counted in the next store.
            if case .settle(_, let verdicts) = job { acceptedAndDenied += verdicts.accepted }
            let count = max(0, (result.dropped[.denied] ?? 0) - acceptedAndDenied)
            acceptedAndDenied = 0
            drop(count, .denied)
            uncounted += sums.dropped
            // A batch that was read ahead is of the store that is gone, and so are its numbers.
            if run != nil {
                endRun()
                due = now
            }
        }
        for why in Outbox.Notice.Drop.allCases where why != .denied {
            if let count = result.dropped[why], count > 0 { effects.append(.notice(.dropped(count, why))) }
        }
        if let sums = result.sums { self.sums = sums }
        if result.forbidden > 0 { forbid(result.forbidden, at: now) }
        switch job {
        case .write(let records, let dropped, let since): finishWrite(records, dropped, since, result, now)
        case .obey: finishObeying(result, now)
        case .fetch: finishFetch(result, now)
        case .settle(_, let verdicts): finishSettling(verdicts, result, now)
        case .rest:
            holdsRight = false
            rememberedUntil = forbiddenUntil
        case .close:
            isOpen = false
            holdsRight = false
        case .ask(let ticket): effects.append(.complete(ticket, result.failure == nil && !result.isDenied))
        }
    }

    private mutating func finishWrite(
        _ records: PackedRecords, _ dropped: Int, _ since: TimeInterval, _ result: JobResult, _ now: TimeInterval
    ) {
        writing = PackedRecords()
        let isDenied = isWritingDenied
        isWritingDenied = false
        if let failure = result.failure {
            if isDenied {
                drop(records.count, .denied)
            } else {
                var records = records
                records.append(queue)
                queue = records
                dropPastLimits()
                queuedSince = since
                if !queue.isEmpty { writeDue = now }
            }
            fail(\.intake, failure, now)
        } else {
            intake.succeed()
            if result.isDenied {
                drop(records.count, .denied)
            } else {
                uncounted -= dropped
                // Records denied meanwhile are counted by the wipe.
                if !records.isEmpty, !isDenied { stored(records.count, bytes: records.bytes, at: now) }
            }
        }
        endWrite(isDurable: result.failure == nil && !isDenied && !result.isDenied)
    }

    /// Answers the callers that wait for this write.
    private mutating func endWrite(isDurable: Bool) {
        for index in waiters.indices where !waiters[index].isWritten && waiters[index].write <= writesBegun {
            waiters[index].isWritten = true
            waiters[index].isDurable = isDurable
        }
    }

    private mutating func finishObeying(_ result: JobResult, _ now: TimeInterval) {
        if let failure = result.failure {
            fail(\.intake, failure, now)
            // Nothing can be written before the wipe is done, so this answers those who wait.
            writesBegun += 1
            endWrite(isDurable: false)
            return
        }
        intake.succeed()
        if !isRemoteKnown { remember(result.policy?.policy, for: result.policyLeft, at: now) }
        // Another decision has come meanwhile, and has its own job.
        guard jobStart.policyChanges == policyChanges else { return }
        owesWipe = false
        owesObedience = false
    }

    private mutating func finishFetch(_ result: JobResult, _ now: TimeInterval) {
        guard hasDelivered(result, now) else { return }
        guard run != nil, jobStart.fetchEpoch == fetchEpoch else { return }
        if result.isElsewhere || result.isDenied {
            holdsRight = false
            endRun()
            due = now + (life == .running ? max(1, limits.deliveryInterval) : 0.1)
        } else if now < forbiddenUntil {
            // An earlier process has been asked to wait.
            endRun()
            due = now
        } else if let batch = result.batch {
            ahead = batch
        } else {
            run?.isExhausted = true
            if upload == nil { endRunWithNothingLeft(now) }
        }
    }

    private mutating func finishSettling(_ verdicts: [Verdict], _ result: JobResult, _ now: TimeInterval) {
        guard hasDelivered(result, now) else { return }
        unsettled = nil
        if result.buried > 0, let reason = verdicts.refusal {
            effects.append(.notice(.deadLetters(result.buried, reason: reason)))
        }
        if run?.isExhausted == true, upload == nil { endRunWithNothingLeft(now) }
    }

    /// Whether the disk could do what a delivery asked for. If not, the run ends.
    private mutating func hasDelivered(_ result: JobResult, _ now: TimeInterval) -> Bool {
        guard let failure = result.failure else {
            outlet.succeed()
            return true
        }
        fail(\.outlet, failure, now)
        endRun()
        due = now
        return false
    }

    private mutating func fail(
        _ retry: WritableKeyPath<OutboxMachine, DiskTries>, _ reason: String, _ now: TimeInterval
    ) {
        let isKnown = intake.hasReported(reason) || outlet.hasReported(reason)
        if self[keyPath: retry].fail(reason, at: now), !isKnown {
            effects.append(.notice(.storeUnavailable(reason: reason)))
        }
    }
}
