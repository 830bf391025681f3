package import ActivityTracking

/// What a view keeps of a content that posts when it is shown: in a toolkit that tells when views appear.
///
/// The content is shown when it has appeared, its root is visible, and this visit has not shown it yet, whichever of
/// the three comes last. A plain view keeps that in this value. If the view has an id, the root's visit keeps the id
/// instead: then a view that is recycled, or removed and inserted again, is not shown twice.
@MainActor
package struct ShownContent {
    private var isAppearing = false
    private var shownInVisit = 0
    private var id: AnyHashable?

    package nonisolated init() {}

    /// Posts the content if it is shown now. Call it when the content appears or disappears, and when its root changes.
    /// - Parameters:
    ///   - isAppearing: whether the content is there; nil if that has not changed.
    ///   - id: the app's own id of the content; nil for a plain view.
    ///   - root: the root of the screen around. There must be one.
    ///   - environment: hands out the logger. There must be one.
    ///   - event: what is posted when the content is shown.
    ///   - onPostLog: sends something else beside it.
    ///   - misuse: is called with what is missing, and what to add where.
    package mutating func update(
        isAppearing: Bool? = nil, id: AnyHashable? = nil, in root: ContentRoot?, environment: (any ActivityLogging)?,
        event: () -> some LogCategory,
        onPostLog: (any ActivityLogging) -> Void = { _ in }, misuse: (String) -> Void = { reportMistake($0) }
    ) {
        if let isAppearing { self.isAppearing = isAppearing }
        // The same view has another content now.
        if id != self.id { shownInVisit = 0 }
        self.id = id
        guard self.isAppearing else { return }
        guard let root else {
            return misuse(
                "A content that posts when it is shown has no root above it. Add trackScreen(_:) to the screen that it is in."
            )
        }
        guard let environment else {
            return misuse(
                "A content that posts when it is shown has no app environment. Set it on the window's first view: .environment(\\.appEnvironment, …)"
            )
        }
        guard root.visibility.isVisible, shownInVisit != root.visibility.visit else { return }
        shownInVisit = root.visibility.visit
        if let id, !root.show(id) { return }
        let event = event()
        #if DEBUG
            TrackedEvent(event).compare(postedAs: .show)
        #endif
        environment.activityLogger.post(event)
        onPostLog(environment)
    }
}
