public import ActivityTracking

/// The root of a screen, which its contents share: whether it can be seen, and which ids its visit has shown.
///
/// A toolkit's events are reported to it as they come; what follows from them is decided here.
@MainActor
public final class ContentRoot {
    public private(set) var visibility = RootVisibility()
    private var shownIDs: Set<AnyHashable> = []
    private var owner: AnyHashable?
    private let isWindowInForeground: () -> Bool?
    private let cover: () -> RootVisibility.Cover
    private let isRefreshDue: () -> Bool
    private let onVisit: () -> Void
    private let onChange: (RootVisibility) -> Void

    /// - Parameters:
    ///   - isInForeground: whether the app is; it is not where the system has launched it in the background.
    ///   - isWindowInForeground: whether the screen's own window is, when the screen appears; nil where nobody knows. It may have changed while nobody listened.
    ///   - cover: what covers the screen now.
    ///   - isRefreshDue: whether the screen begins to refresh itself on its return, to the foreground or to a tab. If so, ``endRefresh()`` has to follow.
    ///   - onVisit: is called when a visit begins, before its contents are shown: for the screen's own log.
    ///   - onChange: is called whenever a visit begins or ends, and when a sheet comes or goes.
    public init(
        isInForeground: Bool = true, isWindowInForeground: @escaping () -> Bool? = { nil }, cover: @escaping () -> RootVisibility.Cover = { .none },
        isRefreshDue: @escaping () -> Bool = { false }, onVisit: @escaping () -> Void = {}, onChange: @escaping (RootVisibility) -> Void = { _ in }
    ) {
        self.isWindowInForeground = isWindowInForeground
        self.cover = cover
        self.isRefreshDue = isRefreshDue
        self.onVisit = onVisit
        self.onChange = onChange
        visibility.update { $0.isInForeground = isInForeground }
    }

    /// The screen has appeared. Its other conditions come with it, as they may have changed while nobody listened.
    /// - Parameters:
    ///   - isForcedToDisappear: whether it counts as covered all the same.
    ///   - isRefreshing: whether its contents are being loaded anew.
    ///   - view: which view of it, where it may be replaced by another.
    public func appear(isForcedToDisappear: Bool = false, isRefreshing: Bool = false, by view: AnyHashable? = nil) {
        owner = view
        update {
            $0.hasAppeared = true
            $0.isRefreshing = isRefreshing
            $0.isForcedToDisappear = isForcedToDisappear
            if let isInForeground = isWindowInForeground() { $0.isInForeground = isInForeground }
        }
    }

    /// The screen has disappeared, if this is the view that appeared last: a new view appears before the one that it replaces disappears.
    public func disappear(by view: AnyHashable? = nil) {
        if view == owner { update { $0.hasAppeared = false } }
    }

    public func enterForeground() { update { $0.isInForeground = true } }

    public func enterBackground() { update { $0.isInForeground = false } }

    /// Whether a refresh replaces what is shown, in views that may stay.
    public func setRefreshing(_ isRefreshing: Bool) { update { $0.isRefreshing = isRefreshing } }

    /// An unselected tab is not visible, whatever its own appear events say.
    public func setForcedToDisappear(_ isForced: Bool) { update { $0.isForcedToDisappear = isForced } }

    /// The refresh that was due on return has ended: by success, failure or cancellation.
    public func endRefresh() { update { $0.isWaitingForRefresh = false } }

    /// Something may have been presented over the screen, or dismissed.
    public func coverMayHaveChanged() { update { _ in } }

    /// Changes conditions together.
    private func update(_ change: (inout RootVisibility.Conditions) -> Void) {
        let before = visibility
        visibility.update { conditions in
            let wasThere = Self.isThere(conditions)
            change(&conditions)
            conditions.cover = cover()
            // A first appearance is no return.
            if !wasThere, Self.isThere(conditions), before.visit > 0, isRefreshDue() { conditions.isWaitingForRefresh = true }
        }
        if visibility.visit != before.visit {
            shownIDs = []
            onVisit()
        }
        if visibility.isVisible != before.isVisible || visibility.isExposed != before.isExposed || visibility.visit != before.visit {
            onChange(visibility)
        }
    }

    private static func isThere(_ conditions: RootVisibility.Conditions) -> Bool {
        conditions.hasAppeared && conditions.isInForeground && !conditions.isForcedToDisappear
    }

    /// Whether an id is shown for the first time in this visit.
    fileprivate func show(_ id: AnyHashable) -> Bool { shownIDs.insert(id).inserted }
}

/// A content whose toolkit tells when it appears: what its view keeps of it.
///
/// It is shown when it has appeared, its root is visible, and it has not been shown since the root last became so, whichever of the three comes last.
/// A plain view keeps that in this value; where it has an id, the root's visit remembers the id, so that a view that is recycled, or removed and inserted again,
/// is not shown twice.
@MainActor
public struct ShownContent {
    private var isAppearing = false
    private var shownInVisit = 0
    private var id: AnyHashable?

    public nonisolated init() {}

    /// Call it when the content appears or disappears, and when its root changes.
    /// - Parameters:
    ///   - isAppearing: nil where that has not changed.
    ///   - id: an id of the app's, nil for a plain view.
    ///   - root: that of the screen around; there has to be one.
    ///   - environment: hands out the logger; there has to be one.
    ///   - event: what is posted when the content is shown.
    ///   - onPostLog: sends something else beside it.
    ///   - misuse: is told what is missing, and what to add where.
    public mutating func update(
        isAppearing: Bool? = nil, id: AnyHashable? = nil, in root: ContentRoot?, environment: (any ActivityLogging)?, event: () -> some LogCategory,
        onPostLog: (any ActivityLogging) -> Void = { _ in }, misuse: (String) -> Void = { assertionFailure($0) }
    ) {
        if let isAppearing { self.isAppearing = isAppearing }
        // The same view, with another content in it.
        if id != self.id { shownInVisit = 0 }
        self.id = id
        guard self.isAppearing else { return }
        guard let root else {
            return misuse(
                "A content that posts when it is shown has no root above it. Add showContentLogRoot(controller:) to the screen that it is in.")
        }
        guard let environment else {
            return misuse("A content that posts when it is shown has no app environment. Hand it to the window's first view.")
        }
        guard root.visibility.isVisible, shownInVisit != root.visibility.visit else { return }
        shownInVisit = root.visibility.visit
        if let id, !root.show(id) { return }
        environment.activityLogger.post(event())
        onPostLog(environment)
    }
}
