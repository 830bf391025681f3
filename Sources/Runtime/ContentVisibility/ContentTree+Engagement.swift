/// The engagement with the screen and with those contents that post when they are left.
extension ContentTree {
    /// The engagement with one content.
    struct ContentEngagement: Sendable {
        /// The least visible fraction; infinite for a content that does not post when it is left.
        var fraction: Double
        /// The visit in which the content first reached its fraction.
        var visit = 0
        var sum = EngagementSum()
    }

    /// Sets the fraction from which a content counts; nil for a content that does not post when it is left.
    mutating func setLeave(_ number: Int32, _ fraction: Double?) {
        let index = contents[Int(number)].engagement
        guard index >= 0 else {
            guard let fraction else { return }
            contents[Int(number)].engagement = Int32(engagements.count)
            engagements.append(ContentEngagement(fraction: fraction))
            return
        }
        guard engagements[Int(index)].fraction != fraction ?? .infinity else { return }
        engagements[Int(index)].fraction = fraction ?? .infinity
        touch(number)
    }

    /// Returns whether a content has reached its fraction in this visit.
    func isEngaged(_ number: Int32) -> Bool {
        let index = contents[Int(number)].engagement
        return index >= 0 && visit > 0 && engagements[Int(index)].visit == visit
    }

    /// Begins or ends a time of a content that this update has touched.
    mutating func engage(_ number: Int32, since sample: Double?) {
        let content = contents[Int(number)]
        let index = Int(content.engagement)
        guard index >= 0, root.isVisible else { return }
        let fraction = engagements[index].fraction
        let isOver = content.isInView && content.fraction >= fraction - Self.tolerance
        if isOver, engagements[index].visit != visit {
            engagements[index].visit = visit
            engaged.append(number)
        }
        guard engagements[index].visit == visit else { return }
        if content.isInView, fraction.isFinite { engagements[index].sum.reach(content.fraction) }
        if isOver, isExposing {
            if !engagements[index].sum.isRunning {
                engagements[index].sum.begin(at: riseTime(number, over: fraction, since: sample))
            }
        } else if engagements[index].sum.isRunning {
            engagements[index].sum.end(at: fallTime(number, under: fraction, since: sample))
        }
    }

    /// Ends the running times, because the screen is no longer exposed.
    mutating func disengage() {
        screen.end(at: now)
        for number in engaged { engagements[Int(contents[Int(number)].engagement)].sum.end(at: now) }
    }

    /// Posts a content as left, if it reached its fraction in this visit.
    mutating func leave(engaged number: Int32) {
        guard isEngaged(number) else { return }
        let index = Int(contents[Int(number)].engagement)
        engagements[index].visit = 0
        let engagement = engagements[index].sum.leave(at: now)
        posts.append(Post(time: now, kind: .left, content: number, engagement: engagement))
    }

    /// Posts the screen and its contents as left, because the visit ends.
    mutating func leaveAll() {
        posts.append(Post(time: now, kind: .left, content: -1, engagement: screen.leave(at: now)))
        for number in engaged { leave(engaged: number) }
        engaged.removeAll(keepingCapacity: true)
    }
}
