/// The visibility of a screen, and its current visit.
///
/// A **visit** is one period in which the screen is visible. It ends when the user leaves the screen, the screen goes
/// to the background, a full-screen cover opens over it, or the screen is refreshed. The next visit shows the screen's
/// contents again. A sheet neither ends nor begins a visit.
///
/// A content is shown only during a visit (``isVisible``), and seen only while nothing covers its screen
/// (``isExposed``). This type defines how full-screen covers and sheets affect both.
///
/// There is one root per screen. Each tab of a tabbed screen has its own.
public struct RootVisibility: Sendable, Equatable {
    /// A kind of cover over a screen.
    public enum Cover: Sendable, Equatable {
        /// No cover.
        case none
        /// The visit of the screen below continues, but its contents are not seen.
        case sheet
        /// The visit of the screen below ends.
        case fullScreen
    }

    /// The conditions that determine whether a screen is visible. The toolkit reports each of them, in any order.
    public struct Conditions: Sendable, Equatable {
        /// The screen has appeared, and has not disappeared since.
        public var hasAppeared = false
        /// The app and the screen's window are in the foreground.
        public var isInForeground = true
        /// The screen is a tab that is not selected. Its appear events are ignored: swiping in a tab sends them.
        public var isForcedToDisappear = false
        /// A refresh is replacing the contents, in views that may stay.
        public var isRefreshing = false
        /// A refresh has not ended yet, such as one that was due on the return to the foreground or to a tab. Success,
        /// failure and cancellation end it, and a time limit: ``ContentRoot/endRefresh()``.
        public var isWaitingForRefresh = false
        /// The cover over the screen.
        public var cover = Cover.none

        /// Creates the conditions of a screen in the foreground that has not appeared.
        public init() {}
    }

    /// The conditions that determine the visibility.
    public private(set) var conditions = Conditions()
    /// The number of the last visit that began, from 1; 0 before the first visit.
    public private(set) var visit = 0
    /// A Boolean value that indicates whether a visit is in progress. Contents that come into view are shown.
    public private(set) var isVisible = false
    private var engagement = EngagementSum()
    /// The engagement with the screen in the last visit that has ended.
    package private(set) var left = VisitEngagement()

    package init() {}

    /// A Boolean value that indicates whether contents can be seen: during a visit, without a sheet over the screen.
    public var isExposed: Bool { isVisible && conditions.cover == .none }

    /// Changes conditions together. Only the conditions after all changes matter.
    /// - Returns: True if `isVisible` has changed.
    @discardableResult
    package mutating func update(at time: Double, _ change: (inout Conditions) -> Void) -> Bool {
        change(&conditions)
        let wasVisible = isVisible
        let canBeVisible =
            conditions.hasAppeared && conditions.isInForeground && !conditions.isForcedToDisappear
            && !conditions.isRefreshing
            && !conditions.isWaitingForRefresh && conditions.cover != .fullScreen
        // A visit continues under a sheet, but does not begin under one.
        isVisible = canBeVisible && (wasVisible || conditions.cover == .none)
        if isVisible, !wasVisible { visit += 1 }
        engagement.set(isExposed, at: time)
        if wasVisible, !isVisible { left = engagement.leave(at: time) }
        return isVisible != wasVisible
    }

    /// Raises the greatest depth of the running visit, if any.
    /// - Parameter depth: The part of the scrolled content above the lower edge of the viewport, from 0 to 1.
    package mutating func reach(_ depth: Double) { if isVisible { engagement.reach(depth) } }
}
