/// The engagement with those contents that post when they are left.
extension ContentTree {
    /// Begins or ends a period of engagement with a content that this update has touched.
    mutating func engage(_ number: Int32, since sample: Double?) {
        let content = contents[Int(number)]
        guard root.isVisible, content.rule.leave != nil || engaged[number] != nil else { return }
        let fraction = content.rule.leave ?? .infinity
        let isOver = content.isInView && content.fraction >= fraction - Self.tolerance
        guard isOver || engaged[number] != nil else { return }
        var sum = engaged[number] ?? EngagementSum()
        if content.isInView, content.rule.leave != nil { sum.reach(content.fraction) }
        let counts = isOver && isExposing
        if counts != sum.isRunning { sum.set(counts, at: crossingTime(number, fraction, counts, since: sample)) }
        engaged[number] = sum
    }

    /// Posts a content as left, if it reached its fraction in this visit.
    mutating func leave(engaged number: Int32) {
        guard var sum = engaged.removeValue(forKey: number) else { return }
        posts.append(Post(time: now, kind: .left, content: number, engagement: sum.leave(at: now)))
    }

    /// Posts the screen and its contents as left, because the visit ends.
    mutating func leaveAll() {
        posts.append(Post(time: now, kind: .left, content: -1, engagement: root.left))
        for number in engaged.keys { leave(engaged: number) }
    }
}
