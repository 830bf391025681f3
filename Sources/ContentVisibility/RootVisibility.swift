/// Whether a screen can be seen, and since which visit.
///
/// A **visit** is one stretch of the screen being visible. It ends when the screen leaves, goes to the background, is covered whole, or is
/// refreshed, and with it ends what is remembered of contents that have been posted. A sheet neither ends nor begins one.
///
/// There is one root per screen, and one per tab where a screen has tabs.
public struct RootVisibility: Sendable, Equatable {
    /// What covers a screen.
    public enum Cover: Sendable, Equatable {
        case none
        /// It leaves the screen below in its visit, of which nothing is seen.
        case sheet
        /// It ends the visit of the screen below.
        case fullScreen
    }

    /// What the visibility is decided from. Each is reported by the toolkit as it comes; none has to wait for another.
    public struct Conditions: Sendable, Equatable {
        /// The screen has appeared, and not disappeared since.
        public var hasAppeared = false
        public var isInForeground = true
        /// An unselected tab's: its own appear events say nothing, as neighbours get them while being swiped in.
        public var isForcedToDisappear = false
        /// A refresh replaces what is shown, in views that may stay.
        public var isRefreshing = false
        /// A refresh was due on the return to the foreground or to a tab, and has not ended: by success, failure or cancellation.
        public var isWaitingForRefresh = false
        public var cover = Cover.none

        public init() {}
    }

    public private(set) var conditions = Conditions()
    /// Of visits that have begun, the last one's number, from 1.
    public private(set) var visit = 0
    /// Whether a visit is running: contents that appear are shown.
    public private(set) var isVisible = false

    public init() {}

    /// Whether contents can be seen: under a sheet they cannot.
    public var isExposed: Bool { isVisible && conditions.cover == .none }

    /// Changes conditions together: what holds after all of them decides.
    /// - Returns: whether the visibility is another one.
    @discardableResult
    public mutating func update(_ change: (inout Conditions) -> Void) -> Bool {
        change(&conditions)
        let wasVisible = isVisible
        let canBeVisible =
            conditions.hasAppeared && conditions.isInForeground && !conditions.isForcedToDisappear && !conditions.isRefreshing
            && !conditions.isWaitingForRefresh && conditions.cover != .fullScreen
        // Under a sheet a visit goes on, but none begins.
        isVisible = canBeVisible && (wasVisible || conditions.cover == .none)
        if isVisible, !wasVisible { visit += 1 }
        return isVisible != wasVisible
    }
}
