/// The progress of a content in view towards being seen, at an instant, for a display during development.
package struct ImpressionProgress: Sendable, Equatable {
    package enum State: Sendable, Equatable {
        case obstacle(ScreenObstacle)
        case underFraction
        /// Enough of the content is in view, and its dwell has not ended.
        case dwelling
        /// The content was seen in the period in which it counts once.
        case seen
    }

    package var state: State
    /// The visible fraction, from 0 to 1.
    package var fraction: Double
    package var rule: ImpressionRule
    /// The length of the running dwell in seconds; 0 if no dwell is running.
    package var dwell: Double

    /// A short label, such as `under 80%`.
    package var label: String {
        switch state {
        case .obstacle(let obstacle): obstacle.label
        case .underFraction: ImpressionText.underFraction(rule)
        case .dwelling: ImpressionText.dwelling(dwell, rule)
        case .seen: ImpressionText.seen(rule.once)
        }
    }

    /// A sentence that explains why the content has been seen, or not.
    package var reason: String {
        switch state {
        case .obstacle(let obstacle): ImpressionText.notSeen(obstacle)
        case .underFraction: ImpressionText.notSeen(share: ImpressionText.percent(fraction), rule)
        case .dwelling: "Not seen yet: \(ImpressionText.part(dwell, of: rule)) are over."
        case .seen: ImpressionText.seenAlready(at: nil, rule.once)
        }
    }
}

extension ContentTree {
    /// Returns the progress of a content in view at a time that is not before the last update.
    func progress(of number: Int32, at time: Double) -> ImpressionProgress {
        let content = contents[Int(number)]
        var progress = ImpressionProgress(
            state: .underFraction, fraction: min(1, content.fraction), rule: content.rule, dwell: 0)
        if let due = dwells.due(number) {
            progress.state = .dwelling
            let length = max(0, content.rule.dwell)
            progress.dwell = min(length, max(0, max(time, now) - (due - length)))
        } else if let obstacle = ScreenObstacle(root, isStarted: isStarted) {
            progress.state = .obstacle(obstacle)
        } else if content.isOver {
            progress.state = .seen
        }
        return progress
    }
}
