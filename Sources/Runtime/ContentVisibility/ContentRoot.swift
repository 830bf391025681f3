/// The root of a screen, shared by its contents: the visibility of the screen, and the contents that its current visit
/// has shown.
///
/// It receives the toolkit's events, and derives the visibility. `ScreenTracker` creates one for each screen.
@MainActor
public final class ContentRoot {
    /// The visibility of the screen, and its current visit.
    public private(set) var visibility = RootVisibility()
    private var shownIDs: [String: Set<AnyHashable>] = [:]
    private var owner: AnyHashable?
    private let isWindowInForeground: () -> Bool?
    private let cover: () -> RootVisibility.Cover
    private let isRefreshDue: () -> Bool
    private var refreshes = PendingRefreshes()
    private let expiry = WakeUp()
    private let clock: VisibilityClock
    private let misuse: (String) -> Void
    private let onVisit: () -> Void
    private let onLeave: (VisitEngagement) -> Void
    /// The part of the scrolled content above the lower edge of the viewport; nil if nothing scrolls.
    private var depth: Double?
    private let onChange: (RootVisibility) -> Void

    /// - Parameters:
    ///   - isInForeground: True if the app is in the foreground; false if the system launched it in the background.
    ///   - isWindowInForeground: Returns whether the screen's window is in the foreground; nil if unknown. It is called
    ///     when the screen appears, because a change may have been missed.
    ///   - cover: Returns the current cover over the screen.
    ///   - isRefreshDue: Returns whether the screen starts a refresh when it returns to the foreground or to its tab.
    ///     If so, call ``endRefresh()`` after the refresh.
    ///   - clock: The clock of the time for which the screen waits for a refresh.
    ///   - misuse: Called with a mistake in the app's code.
    ///   - onVisit: Called when a visit begins, before its contents are shown, to post the screen's own log.
    ///   - onLeave: Called when a visit ends, before its contents are left.
    ///   - onChange: Called when a visit begins or ends, and when a sheet opens or closes.
    package init(
        isInForeground: Bool = true, isWindowInForeground: @escaping () -> Bool? = { nil },
        cover: @escaping () -> RootVisibility.Cover = { .none },
        isRefreshDue: @escaping () -> Bool = { false }, onVisit: @escaping () -> Void = {},
        onLeave: @escaping (VisitEngagement) -> Void = { _ in },
        onChange: @escaping (RootVisibility) -> Void = { _ in }, clock: VisibilityClock = .system,
        misuse: @escaping (String) -> Void = reportLostEvent
    ) {
        self.isWindowInForeground = isWindowInForeground
        self.cover = cover
        self.isRefreshDue = isRefreshDue
        self.onVisit = onVisit
        self.onLeave = onLeave
        self.onChange = onChange
        self.clock = clock
        self.misuse = misuse
        visibility.update(at: clock.now()) { $0.isInForeground = isInForeground }
    }

    /// Reports that the screen has appeared. Call it in `viewDidAppear(_:)`.
    /// - Parameters:
    ///   - isForcedToDisappear: True if the screen is a tab that is not selected.
    ///   - isRefreshing: True if a refresh is replacing contents in views that stay.
    public func appear(isForcedToDisappear: Bool = false, isRefreshing: Bool = false) {
        appear(isForcedToDisappear: isForcedToDisappear, isRefreshing: isRefreshing, by: nil)
    }

    /// Begins the visibility of a screen.
    /// - Parameter view: The view that has appeared, if another view of the same screen may replace it.
    package func appear(isForcedToDisappear: Bool, isRefreshing: Bool, by view: AnyHashable?) {
        owner = view
        update {
            $0.hasAppeared = true
            $0.isRefreshing = isRefreshing
            $0.isForcedToDisappear = isForcedToDisappear
            if let isInForeground = isWindowInForeground() { $0.isInForeground = isInForeground }
        }
    }

    /// Reports that the screen has disappeared. Call it in `viewDidDisappear(_:)`.
    public func disappear() { disappear(by: nil) }

    /// Reports that a view of the screen has disappeared. The call is ignored if another view has appeared since: a
    /// replacement appears before the old view disappears.
    package func disappear(by view: AnyHashable?) {
        if view == owner { update { $0.hasAppeared = false } }
    }

    package func enterForeground() { update { $0.isInForeground = true } }

    package func enterBackground() { update { $0.isInForeground = false } }

    /// Sets whether a refresh is replacing contents, in views that may stay. Nothing is shown until the refresh ends.
    public func setRefreshing(_ isRefreshing: Bool) { update { $0.isRefreshing = isRefreshing } }

    /// Sets whether the screen is a tab that is not selected. It is then not visible, whatever its appear events.
    public func setForcedToDisappear(_ isForced: Bool) { update { $0.isForcedToDisappear = isForced } }

    /// Reports the beginning of a refresh, such as one that the user pulls for. Nothing is shown until it ends.
    ///
    /// A refresh that is due on the return of the screen has begun without this call.
    public func beginRefresh() {
        refreshes.begin(at: clock.now())
        update { _ in }
    }

    /// Reports the end of a refresh: success, failure or cancellation. After the last one, the visible contents are
    /// shown in a new visit.
    ///
    /// Call it once for each refresh. 60 seconds after the beginning of the last refresh, all refreshes count as ended.
    /// swift-log reports this once, because a missing call would otherwise hide the screen's contents forever.
    public func endRefresh() {
        refreshes.end()
        update { _ in }
    }

    /// The time at which the refreshes count as ended, if any.
    package var refreshDeadline: Double? { refreshes.deadline }

    /// Reports that a screen may have been presented over this screen, or dismissed. Adapters also call it when
    /// contents appear or scroll, because a presented screen without a tracker is not reported, such as a share sheet.
    package func coverMayHaveChanged() { update { _ in } }

    /// Sets the part of the screen's scrolled content that is above the lower edge of the viewport.
    /// - Parameters:
    ///   - edge: The distance from the beginning of the content to the lower edge.
    ///   - length: The length of the content.
    package func setDepth(edge: Double, length: Double) {
        guard length > 0 else { return }
        let depth = max(0, edge / length)
        self.depth = depth
        visibility.reach(depth)
    }

    private func update(_ change: (inout RootVisibility.Conditions) -> Void) {
        let before = visibility
        let now = clock.now()
        let isOverdue = refreshes.expire(at: now)
        visibility.update(at: now) { conditions in
            let wasThere = Self.isThere(conditions)
            change(&conditions)
            conditions.cover = cover()
            // The first appearance is not a return.
            if !wasThere, Self.isThere(conditions), before.visit > 0, isRefreshDue() { refreshes.begin(at: now) }
            conditions.isWaitingForRefresh = !refreshes.isEmpty
        }
        expiry.set(refreshes.deadline, on: clock) { [weak self] in self?.update { _ in } }
        if isOverdue { misuse(Self.overdue) }
        if let depth { visibility.reach(depth) }
        if before.isVisible, !visibility.isVisible { onLeave(visibility.left) }
        if visibility.visit != before.visit {
            shownIDs = [:]
            onVisit()
        }
        if visibility.isVisible != before.isVisible || visibility.isExposed != before.isExposed
            || visibility.visit != before.visit
        {
            onChange(visibility)
        }
    }

    private static let overdue = """
        A screen has waited \(Int(PendingRefreshes.limit)) s for the end of a refresh, and shows its contents now. Call \
        endRefresh() once after each refresh that willRefreshOnForeground or beginRefresh() has announced, even if the \
        refresh fails or is cancelled.
        """

    private static func isThere(_ conditions: RootVisibility.Conditions) -> Bool {
        conditions.hasAppeared && conditions.isInForeground && !conditions.isForcedToDisappear
    }

    /// Returns whether an event shows a content for the first time in this visit. A content may have several events.
    func show(_ id: AnyHashable, by event: String) -> Bool { shownIDs[event, default: []].insert(id).inserted }
}
