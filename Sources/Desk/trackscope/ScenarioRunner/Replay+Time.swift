import ContentVisibility
import Foundation

extension Replay {
    /// Performs everything that is due by a time: first dwells that end, then scrolls, then refreshes that end.
    mutating func advance(to time: Double) {
        while let first = agenda.first, first.due <= time + instant {
            // Work that is due in the same instant as `time` happens no later than `time`.
            now = max(now, min(first.due, time))
            var due: [Int] = []
            while let next = agenda.first, next.due <= now + instant {
                agenda.set(next.number, due: nil)
                due.append(Int(next.number))
            }
            // While something moves, the next sample decides whether a dwell was completed.
            for screen in due where !isMoving(screen) {
                if let wakeUp = screens[screen].tracker.nextWakeUp, wakeUp <= now + instant { update(screen) }
            }
            for screen in due where isMoving(screen) && screens[screen].nextSample <= now + instant { sample(screen) }
            for screen in due { endRefreshes(on: screen) }
        }
        if time < .infinity { now = max(now, time) }
    }

    /// Schedules the next work of a screen.
    mutating func schedule(_ number: Int) {
        let next = isMoving(number) ? screens[number].nextSample : screens[number].tracker.nextWakeUp
        let due = min(
            next ?? .infinity, screens[number].returnRefreshEnds.min() ?? .infinity,
            screens[number].returnRefreshes.deadline ?? .infinity, screens[number].refreshEnd ?? .infinity)
        agenda.set(Int32(number), due: due < .infinity ? due : nil)
    }

    func isMoving(_ screen: Int) -> Bool { !screens[screen].motions.isEmpty }

    mutating func removeMotions(on screen: Int, _ isRemoved: (ScrollMotion) -> Bool) {
        screens[screen].motions.removeAll(where: isRemoved)
        screens[screen].nextSample = screens[screen].motions.reduce(.infinity) { min($0, $1.next) }
    }

    /// Brings all moving containers of a screen to their current positions, as a display does for each frame.
    mutating func sample(_ screen: Int) {
        let moved = screens[screen].motions.map { ($0.container, $0.position(at: now)) }
        let last = isMoving(screen) ? screens[screen].lastSample : nil
        for index in screens[screen].motions.indices where screens[screen].motions[index].next <= now + instant {
            screens[screen].motions[index].samples += 1
        }
        removeMotions(on: screen) { [now] in $0.end <= now + instant }
        for (container, position) in moved { screens[screen].offsets[container] = position }
        update(screen, since: last) { tracked in
            for (container, position) in moved { tracked.scroll(container, to: position) }
        }
        screens[screen].lastSample = now
    }

    /// Ends the refreshes of a screen that are due.
    mutating func endRefreshes(on screen: Int) {
        for end in screens[screen].returnRefreshEnds where end <= now + instant {
            screens[screen].returnRefreshes.end()
        }
        screens[screen].returnRefreshEnds.removeAll { [now] in $0 <= now + instant }
        _ = screens[screen].returnRefreshes.expire(at: now)
        if let end = screens[screen].refreshEnd, end <= now + instant { screens[screen].refreshEnd = nil }
        updateRoot(screen)
    }

    private mutating func add(
        _ log: Posted.Log, of content: Int?, on screen: Int, at time: Double, _ engagement: VisitEngagement? = nil
    ) {
        let entry = content.map { entries[$0] }
        let post = Posted(
            time: time, log: log, content: entry?.content.id, screen: scenario.screens[screen].id,
            engagement: engagement)
        // Within one instant, a content that came from another screen still follows the screen that it is on.
        posted.append((post, max(entry?.order ?? 0, screens[screen].order)))
    }

    /// Makes a change on a screen, and records the logs that it posts.
    mutating func update(
        _ number: Int, since sample: Double? = nil, _ change: (inout TrackedContents<Int>) -> Void = { _ in }
    ) {
        var due: [ContentTracker<Int>.Post] = []
        let sample = sample ?? (isMoving(number) ? screens[number].lastSample : nil)
        let depth = depth(of: number)
        screens[number].tracker.update(at: now, since: sample, post: { due.append($0) }) { contents in
            contents.setDepth(depth)
            change(&contents)
        }
        for post in due {
            switch post.log {
            case .screen:
                if scenario.screens[number].postsScreenLog { add(.screen, of: nil, on: number, at: post.time) }
            case .shown(let content): add(.shown, of: content, on: number, at: post.time)
            case .seen(let content): add(.seen, of: content, on: number, at: post.time)
            case .left(let content, let engagement):
                guard content != nil || scenario.screens[number].postsLeave else { continue }
                add(.left, of: content, on: number, at: post.time, engagement)
            }
        }
        let root = screens[number].tracker.root
        if root.isVisible { visible.insert(number) } else { visible.remove(number) }
        schedule(number)
        guard recorder != nil else { return }
        record(number)
        for change in screens[number].tracker.takeChanges() { recorder?.observe(change, on: number, since: sample) }
    }
}
