/// The posts: the contents in view that are shown or seen, and the times of these.
extension ContentTree {
    /// Updates whether contents are exposed: tracking is started, a visit is in progress, and nothing covers the
    /// screen. Only then dwells run. A visit that ended between two updates, or a restart, ends the previous exposure.
    /// - Returns: True if all contents in view are affected, because a visit or an exposure begins.
    mutating func expose() -> Bool {
        let wasVisible = root.isVisible
        root.update(at: now) { [conditions] in $0 = conditions }
        if let depth { root.reach(depth) }
        let isExposed = root.isExposed && isStarted
        let ends = isExposing && (!isExposed || root.visit != visit || restarts != exposedAfterRestarts)
        if ends {
            for number in allInView() + touched where contents[Int(number)].isOver { fall(number, at: now) }
            for number in engaged.keys { engaged[number]?.set(false, at: now) }
            isExposing = false
        }
        if wasVisible, !root.isVisible { leaveAll() }
        let begins = root.visit != visit
        if begins {
            visit = root.visit
            if root.isVisible { posts.append(Post(time: now, kind: .screen, content: -1)) }
        }
        guard isExposed, !isExposing else { return begins }
        isExposing = true
        exposedSince = now
        exposedAfterRestarts = restarts
        return true
    }

    /// Posts a content in view as shown unless it was shown in this visit, and begins or ends its dwell.
    mutating func see(_ number: Int32, since sample: Double?) {
        let content = contents[Int(number)]
        guard content.isTracked else { return }
        if root.isVisible, content.shownInVisit != visit {
            contents[Int(number)].shownInVisit = visit
            posts.append(Post(time: now, kind: .shown, content: number))
        }
        engage(number, since: sample)
        let isOver = isExposing && content.fraction >= content.rule.visibleFraction - Self.tolerance
        if isOver == content.isOver { return }
        guard isOver else {
            return fall(number, at: crossingTime(number, content.rule.visibleFraction, false, since: sample))
        }
        contents[Int(number)].isOver = true
        let isSeen = isSeen(content)
        if isSeen, changes == nil { return }
        let time = crossingTime(number, content.rule.visibleFraction, true, since: sample)
        record(number, .overFraction(true), at: time)
        guard !isSeen else { return }
        record(number, .dwellBegan, at: time)
        dwells.set(number, due: time + max(0, content.rule.dwell))
    }

    func status(of number: Int32) -> (fraction: Double, isSeen: Bool) {
        let content = contents[Int(number)]
        return (content.isInView ? min(1, content.fraction) : 0, isSeen(content))
    }

    /// - Parameter period: The period; by default, that of the content's rule.
    func isSeen(_ content: Content, in period: ImpressionRule.Once? = nil) -> Bool {
        switch period ?? content.rule.once {
        case .visit: content.seenInVisit == visit && content.seenAfterRestarts == restarts
        case .session: content.seenAfterRestarts >= 0
        case .untilRestart: content.seenAfterRestarts == restarts
        }
    }

    /// Marks a content as under its rule's fraction. Posts a dwell that ended by this time; interrupts a running one.
    mutating func fall(_ number: Int32, at time: Double) {
        contents[Int(number)].isOver = false
        record(number, .overFraction(false), at: time)
        guard let due = dwells.due(number) else { return }
        guard due > time + instant else { return fire(number, at: due) }
        record(number, .dwellBroke, at: time)
        dwells.set(number, due: nil)
    }

    mutating func fireDue(by time: Double) {
        while let (due, number) = dwells.first, due <= time + instant { fire(number, at: due) }
    }

    mutating func fire(_ number: Int32, at due: Double) {
        dwells.set(number, due: nil)
        record(number, .seen, at: due)
        posts.append(Post(time: due, kind: .seen, content: number))
        contents[Int(number)].seenInVisit = visit
        contents[Int(number)].seenAfterRestarts = exposedAfterRestarts
    }
}
