package import ContentVisibility

extension Timeline {
    /// The state of a content on its way to being seen. Its dwell runs only in the state `dwelling`.
    package enum ContentState: Sendable, Equatable {
        /// The content has not been inserted yet, or was removed.
        case absent
        case outOfView
        case obstacle(ScreenObstacle)
        case underFraction
        /// Enough of the content is in view. The value is the index of the dwell in the content's lane.
        case dwelling(Int)
        /// The content was seen in the period in which it counts once.
        case seen(ImpressionRule.Once)
        /// A visit runs, and nothing covers the screen. This is a state of screens only.
        case exposed
    }

    /// The facts about a content at an instant.
    struct ContentConditions {
        var isPresent = false
        var isInView = false
        /// Indicates whether the visible fraction reaches that of the rule, as computed by the tracker.
        var isOver = false
        /// The index of the running dwell; nil if none is running.
        var dwell: Int?
        var once = ImpressionRule.Once.visit

        /// A Boolean value that indicates whether the content's state depends on the obstacle of its screen.
        var concernsScreen: Bool { isPresent && dwell == nil && (isInView || isOver) }

        /// - Parameter obstacle: the obstacle of the whole screen, if any.
        func standing(_ obstacle: ScreenObstacle?) -> ContentState {
            if let dwell { return .dwelling(dwell) }
            return switch (isPresent, obstacle, isOver, isInView) {
            case (false, _, _, _): .absent
            // `isInView` is ignored, because a content may cross its fraction before the update that brings it into
            // view.
            case (true, nil, true, _): .seen(once)
            case (true, nil, false, true): .underFraction
            case (true, let obstacle?, _, true): .obstacle(obstacle)
            case (true, _, _, false): .outOfView
            }
        }
    }

    /// A state of a screen, and the time from which it applies.
    struct ScreenMoment: Sendable {
        var time: Double
        var obstacle: ScreenObstacle?
        /// The number of the running visit.
        var visit: Int?
        var restarts: Int
    }
}
