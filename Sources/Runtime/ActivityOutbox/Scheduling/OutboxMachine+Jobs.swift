import ActivityTracking
import Foundation

/// The order of jobs, and the consequences of their results.
extension OutboxMachine {
    mutating func beginJob(_ now: TimeInterval) {
        guard store.job == nil, let job = nextJob(now) else { return }
        if case .obey = job { consent.beginObeying() }
        store.begin(job)
        effects.append(.disk(job))
    }

    private mutating func nextJob(_ now: TimeInterval) -> Job? {
        let needsWrite = callers.needWrite(after: store.writesBegun)
        if consent.debt == .wipe || consent.debt == .obedience && (mayUseDisk || needsWrite || store.isAsked) {
            if needsWrite || now >= store.writeTries.next { return .obey }
            // A question must not be answered with denied records.
            effects += store.takeQuestions().map { .complete($0, false) }
        } else {
            // Verdicts are applied before other jobs and before files are closed. Otherwise, judged records could be
            // sent again, or dropped past a limit.
            if let (batch, verdicts) = delivery.unsettled, mayUseDisk || store.files != .closed || needsWrite,
                now >= store.deliveryTries.next
            {
                return .settle(batch, verdicts)
            }
            // Before its files are closed, a process first releases the right to deliver, because a write may wait for
            // the lock of another process.
            if store.files == .delivering, !delivery.isRunning, !mayUseDisk { return rest(now) }
            if needsWrite || mayUseDisk && isWriteDue(now) {
                let write = intake.beginWrite(at: now)
                return .write(write.records, dropped: write.dropped, since: write.since)
            }
            if let ticket = store.takeQuestion() { return .ask(ticket) }
            if maySend, delivery.needsFetch, now >= store.deliveryTries.next { return delivery.beginFetch() }
        }
        if store.files == .delivering, !delivery.isRunning, !delivery.isUploading || !mayUseDisk {
            return rest(now)
        }
        return store.files != .closed && !mayUseDisk ? .close : nil
    }

    /// Returns the job that releases the right to deliver.
    private func rest(_ now: TimeInterval) -> Job { .rest(forbidden: delivery.pace.secondsToRemember(at: now)) }

    private func isWriteDue(_ now: TimeInterval) -> Bool {
        !intake.queue.isEmpty && now >= max(intake.writeDue ?? now, store.writeTries.next)
    }

    mutating func finish(_ result: JobResult, at now: TimeInterval) {
        guard let job = store.finish() else { return }
        effects += result.notices.map { .notice($0) }
        if result.isDenied || result.isWiped { noteWipe(job, result, now) }
        for why in Outbox.Notice.Drop.allCases where why != .denied {
            if let count = result.dropped[why], count > 0 { effects.append(.notice(.dropped(count, why))) }
        }
        store.note(result.sums)
        if result.forbidden > 0 {
            delivery.forbid(result.forbidden, at: now)
            // The store has this wait already.
            delivery.rememberForbidden()
        }
        switch job {
        case .write: finishWrite(result, now)
        case .obey: finishObeying(result, now)
        case .fetch, .probe: finishFetch(result, now)
        case .settle(_, let verdicts): finishSettling(verdicts, result, now)
        case .rest: delivery.rememberForbidden()
        case .close: break
        case .ask(let ticket): effects.append(.complete(ticket, result.failure == nil && !result.isDenied))
        }
    }

    private mutating func noteWipe(_ job: Job, _ result: JobResult, _ now: TimeInterval) {
        // Records that the collector has accepted do not count as denied. The next store takes over the wiped store's
        // count of dropped records.
        if case .settle(_, let verdicts) = job { consent.noteAccepted(verdicts.accepted) }
        intake.drop(consent.countWiped(result.dropped[.denied] ?? 0), .denied)
        intake.recount(store.sums.dropped)
        // A batch that was read ahead has the numbers of the wiped store.
        if delivery.isRunning { delivery.endRun(next: now) }
    }

    private mutating func finishWrite(_ result: JobResult, _ now: TimeInterval) {
        let outcome: Intake.WriteOutcome = result.failure != nil ? .failed : result.isDenied ? .denied : .stored
        let stored = intake.finishWrite(outcome, at: now)
        if let failure = result.failure { failWriting(failure, now) } else { store.succeedWriting() }
        if let stored, !stored.isEmpty { delivery.stored(stored.count, bytes: stored.bytes, at: now) }
        endWrite(isDurable: stored != nil)
    }

    private mutating func endWrite(isDurable: Bool) {
        callers.endWrite(upTo: store.writesBegun, isDurable: isDurable, nextRun: delivery.runsBegun + 1)
    }

    private mutating func finishObeying(_ result: JobResult, _ now: TimeInterval) {
        if let failure = result.failure {
            failWriting(failure, now)
            // Nothing is written before the `obey` job succeeds, so the calls that wait for a write are answered now.
            store.skipWrite()
            endWrite(isDurable: false)
            return
        }
        store.succeedWriting()
        consent.finishObeying()
    }

    private mutating func finishFetch(_ result: JobResult, _ now: TimeInterval) {
        guard hasDelivered(result, now), delivery.isFetching else { return }
        if result.isElsewhere || result.isDenied {
            store.yieldRight()
            let wait = callers.life == .running ? max(1, delivery.limits.deliveryInterval) : 0.1
            delivery.endRun(next: now + wait)
        } else if now < delivery.pace.forbiddenUntil {
            // The collector has asked another process to wait, and the wait is not over.
            delivery.endRun(next: now)
        } else {
            delivery.finishFetch(result.batch, at: now)
        }
    }

    private mutating func finishSettling(_ verdicts: [Verdict], _ result: JobResult, _ now: TimeInterval) {
        guard hasDelivered(result, now) else { return }
        if result.buried > 0, let reason = verdicts.refusal {
            effects.append(.notice(.deadLetters(result.buried, reason: reason)))
        }
        delivery.finishSettling(at: now)
    }

    /// Handles the result of a delivery's job. Returns whether it succeeded. A failure ends the delivery run.
    private mutating func hasDelivered(_ result: JobResult, _ now: TimeInterval) -> Bool {
        guard let failure = result.failure else {
            store.succeedDelivering()
            return true
        }
        if store.failDelivering(failure, at: now) { effects.append(.notice(.storeUnavailable(reason: failure))) }
        delivery.endRun(next: now)
        return false
    }

    private mutating func failWriting(_ reason: String, _ now: TimeInterval) {
        if store.failWriting(reason, at: now) { effects.append(.notice(.storeUnavailable(reason: reason))) }
    }
}
