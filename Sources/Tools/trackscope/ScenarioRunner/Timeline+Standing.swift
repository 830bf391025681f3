package import ContentVisibility

extension Timeline {
    /// What keeps all contents of a screen from counting.
    package enum Obstacle: Sendable, Equatable {
        case notOpened
        /// Popped or dismissed.
        case closed
        /// Still open, behind a pushed screen or another tab.
        case left(for: String?)
        case background
        /// By a full-screen cover.
        case covered(by: String?)
        case refreshing
        /// A refresh was due on the return, and has not ended.
        case waitingForRefresh
        /// Under a sheet a visit goes on, but none begins.
        case sheet(over: String?, isInVisit: Bool)
        /// Nobody looks for what is seen.
        case stopped
    }

    /// Where a content stands on its way to being seen. Only `dwelling` counts.
    package enum Standing: Sendable, Equatable {
        /// It has not been inserted, or has been removed.
        case absent
        case outOfView
        case obstacle(Obstacle)
        case underFraction
        /// Enough of it is in view: the number of the dwell in its lane.
        case dwelling(Int)
        /// It has been seen already, and counts once in that.
        case seen(ImpressionRule.Once)
        /// Of a screen's own lane: a visit runs, and nothing lies over it.
        case exposed
    }

    /// What is known of a content at an instant.
    struct Facts {
        var isPresent = false
        var isInView = false
        /// Over its rule's fraction, as the core has it.
        var isOver = false
        /// The number of the dwell that runs.
        var dwell: Int?
        var once = ImpressionRule.Once.visit

        /// Whether it makes a difference what stands in the way.
        var concernsScreen: Bool { isPresent && dwell == nil && (isInView || isOver) }

        /// - Parameter obstacle: what stands in the way of the whole screen.
        func standing(_ obstacle: Obstacle?) -> Standing {
            if let dwell { return .dwelling(dwell) }
            return switch (isPresent, obstacle, isOver, isInView) {
            case (false, _, _, _): .absent
            // A content may cross its fraction before the frame that shows it.
            case (true, nil, true, _): .seen(once)
            case (true, nil, false, true): .underFraction
            case (true, let obstacle?, _, true): .obstacle(obstacle)
            case (true, _, _, false): .outOfView
            }
        }
    }

    /// What holds for a screen from a time on.
    struct ScreenMoment: Sendable {
        var time: Double
        var obstacle: Obstacle?
        /// The visit that runs.
        var visit: Int?
        var restarts: Int
    }
}
