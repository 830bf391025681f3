/// The root of a screen, which all contents of it share: whether the screen can be seen, and which contents its visit
/// has shown.
///
/// The toolkit's events are reported to it as they come. It decides what follows from them. `ScreenTracker` makes one
/// for each screen.
@MainActor
public final class ContentRoot {
    /// Whether the screen can be seen, and in which visit.
    public private(set) var visibility = RootVisibility()
    private var shownIDs: Set<AnyHashable> = []
    private var owner: AnyHashable?
    private let isWindowInForeground: () -> Bool?
    private let cover: () -> RootVisibility.Cover
    private let isRefreshDue: () -> Bool
    private let onVisit: () -> Void
    private let onChange: (RootVisibility) -> Void

    /// - Parameters:
    ///   - isInForeground: whether the app is in the foreground. It is not if the system has launched it in the
    ///     background.
    ///   - isWindowInForeground: whether the screen's own window is in the foreground; nil if nobody knows. It is asked
    ///     when the screen appears, because it may have changed while nobody listened.
    ///   - cover: what covers the screen now.
    ///   - isRefreshDue: whether the screen begins to refresh itself when it returns, to the foreground or to a tab. If
    ///     so, ``endRefresh()`` must follow.
    ///   - onVisit: is called when a visit begins, before its contents are shown: for the screen's own log.
    ///   - onChange: is called whenever a visit begins or ends, and when a sheet comes or goes.
    package init(
        isInForeground: Bool = true, isWindowInForeground: @escaping () -> Bool? = { nil },
        cover: @escaping () -> RootVisibility.Cover = { .none },
        isRefreshDue: @escaping () -> Bool = { false }, onVisit: @escaping () -> Void = {},
        onChange: @escaping (RootVisibility) -> Void = { _ in }
    ) {
        self.isWindowInForeground = isWindowInForeground
        self.cover = cover
        self.isRefreshDue = isRefreshDue
        self.onVisit = onVisit
        self.onChange = onChange
        visibility.update { $0.isInForeground = isInForeground }
    }

    /// The screen has appeared: call it in `viewDidAppear(_:)`.
    /// - Parameters:
    ///   - isForcedToDisappear: whether the screen is a tab that is not selected.
    ///   - isRefreshing: whether a refresh replaces its contents now, in views that stay.
    public func appear(isForcedToDisappear: Bool = false, isRefreshing: Bool = false) {
        appear(isForcedToDisappear: isForcedToDisappear, isRefreshing: isRefreshing, by: nil)
    }

    /// - Parameter view: the view that has appeared, if another view of the same screen may replace it.
    package func appear(isForcedToDisappear: Bool, isRefreshing: Bool, by view: AnyHashable?) {
        owner = view
        update {
            $0.hasAppeared = true
            $0.isRefreshing = isRefreshing
            $0.isForcedToDisappear = isForcedToDisappear
            if let isInForeground = isWindowInForeground() { $0.isInForeground = isInForeground }
        }
    }

    /// The screen has disappeared: call it in `viewDidDisappear(_:)`.
    public func disappear() { disappear(by: nil) }

    /// The screen has disappeared, if this is the view that appeared last: a new view appears before the view that it
    /// replaces disappears.
    package func disappear(by view: AnyHashable?) {
        if view == owner { update { $0.hasAppeared = false } }
    }

    package func enterForeground() { update { $0.isInForeground = true } }

    package func enterBackground() { update { $0.isInForeground = false } }

    /// Says whether a refresh replaces the contents, in views that may stay. Until it has ended, nothing is shown.
    public func setRefreshing(_ isRefreshing: Bool) { update { $0.isRefreshing = isRefreshing } }

    /// Says whether the screen is a tab that is not selected. Such a tab is not visible, whatever its appear events
    /// say.
    public func setForcedToDisappear(_ isForced: Bool) { update { $0.isForcedToDisappear = isForced } }

    /// The refresh that was due on the return has ended: with success, failure or cancellation.
    public func endRefresh() { update { $0.isWaitingForRefresh = false } }

    /// Something may have been presented over the screen, or dismissed.
    package func coverMayHaveChanged() { update { _ in } }

    /// Changes conditions together.
    private func update(_ change: (inout RootVisibility.Conditions) -> Void) {
        let before = visibility
        visibility.update { conditions in
            let wasThere = Self.isThere(conditions)
            change(&conditions)
            conditions.cover = cover()
            // The first appearance is no return.
            if !wasThere, Self.isThere(conditions), before.visit > 0, isRefreshDue() {
                conditions.isWaitingForRefresh = true
            }
        }
        if visibility.visit != before.visit {
            shownIDs = []
            onVisit()
        }
        if visibility.isVisible != before.isVisible || visibility.isExposed != before.isExposed
            || visibility.visit != before.visit
        {
            onChange(visibility)
        }
    }

    private static func isThere(_ conditions: RootVisibility.Conditions) -> Bool {
        conditions.hasAppeared && conditions.isInForeground && !conditions.isForcedToDisappear
    }

    /// Whether an id is shown for the first time in this visit.
    func show(_ id: AnyHashable) -> Bool { shownIDs.insert(id).inserted }
}
