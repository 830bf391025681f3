/// Whether a screen can be seen, and in which visit.
///
/// A **visit** is one stretch of the screen being visible. It ends when the screen leaves, goes to the background, is
/// covered by a full-screen cover, or is refreshed. The next visit shows its contents again. A sheet neither ends nor
/// begins a visit.
///
/// A content is shown only in a visit (``isVisible``), and seen only while nothing covers its screen (``isExposed``).
/// What a full-screen cover and a sheet do to both is decided here.
///
/// There is one root per screen. If a screen has tabs, each tab has one.
public struct RootVisibility: Sendable, Equatable {
    /// What covers a screen.
    public enum Cover: Sendable, Equatable {
        /// Nothing.
        case none
        /// The screen below stays in its visit, but nothing of it is seen.
        case sheet
        /// The visit of the screen below ends.
        case fullScreen
    }

    /// What decides whether a screen is visible. The toolkit reports each condition as it comes, in any order.
    public struct Conditions: Sendable, Equatable {
        /// The screen has appeared, and not disappeared since.
        public var hasAppeared = false
        /// The app is in the foreground, and so is the screen's window.
        public var isInForeground = true
        /// The screen is a tab that is not selected. Its appear events say nothing: a tab gets them while it is swiped
        /// in.
        public var isForcedToDisappear = false
        /// A refresh replaces the contents, in views that may stay.
        public var isRefreshing = false
        /// A refresh was due on the return to the foreground or to a tab, and has not ended yet: with success, failure
        /// or cancellation.
        public var isWaitingForRefresh = false
        /// What covers the screen.
        public var cover = Cover.none

        /// A screen that has not appeared, in the foreground.
        public init() {}
    }

    /// What it was decided from.
    public private(set) var conditions = Conditions()
    /// The number of the last visit that began, from 1; 0 before the first.
    public private(set) var visit = 0
    /// Whether a visit runs. Contents that come into view are shown.
    public private(set) var isVisible = false

    package init() {}

    /// Whether contents can be seen: a visit runs, and no sheet is over the screen.
    public var isExposed: Bool { isVisible && conditions.cover == .none }

    /// Changes conditions together. What holds after all of the changes decides.
    /// - Returns: whether the visibility has changed.
    @discardableResult
    package mutating func update(_ change: (inout Conditions) -> Void) -> Bool {
        change(&conditions)
        let wasVisible = isVisible
        let canBeVisible =
            conditions.hasAppeared && conditions.isInForeground && !conditions.isForcedToDisappear
            && !conditions.isRefreshing
            && !conditions.isWaitingForRefresh && conditions.cover != .fullScreen
        // Under a sheet a visit goes on, but none begins.
        isVisible = canBeVisible && (wasVisible || conditions.cover == .none)
        if isVisible, !wasVisible { visit += 1 }
        return isVisible != wasVisible
    }
}
