package import ActivityTracking

/// The state of a view whose content posts an event when it is shown, for a toolkit that reports when views appear.
///
/// The content is shown when the last of three conditions is met: it has appeared, its root is visible, and this visit
/// has not shown it. This value stores the visit for a view without an identifier. For a view with an identifier, the
/// root stores the identifier, so a view that is recycled, or removed and inserted again, is not shown twice.
@MainActor
package struct ShownContent {
    private var isAppearing = false
    /// The root whose visit has shown the content. A deallocated root does not equal a new one at its address.
    private weak var shownRoot: ContentRoot?
    private var shownVisit = 0
    private var id: AnyHashable?

    package nonisolated init() {}

    /// Posts the event if the content is shown now. Call it when the content appears or disappears, and when its root
    /// changes.
    /// - Parameters:
    ///   - isAppearing: True if the content has appeared; nil if unchanged.
    ///   - id: The content's identity in the app; nil for a view without one.
    ///   - root: The root of the surrounding screen. It must not be nil.
    ///   - environment: The provider of the logger. It must not be nil.
    ///   - event: Returns the event to post.
    ///   - onPostLog: Called when the event is posted, to send additional logs.
    ///   - misuse: Called with the missing part and the fix.
    package mutating func update(
        isAppearing: Bool? = nil, id: AnyHashable? = nil, in root: ContentRoot?, environment: (any ActivityLogging)?,
        event: () -> some LogCategory,
        onPostLog: (any ActivityLogging) -> Void = { _ in }, misuse: (String) -> Void = { reportMistake($0) }
    ) {
        if let isAppearing { self.isAppearing = isAppearing }
        // The view displays different content now.
        if id != self.id { shownRoot = nil }
        self.id = id
        guard self.isAppearing else { return }
        guard let root else {
            return misuse(
                "A content that posts when it is shown has no root above it. Add trackScreen(_:) to the screen that it is in."
            )
        }
        guard let environment else {
            return misuse(
                "A content that posts when it is shown has no app environment. Set it on the window's first view: "
                    + ".environment(\\.appEnvironment, …)"
            )
        }
        let visit = root.visibility.visit
        guard root.visibility.isVisible, shownRoot !== root || shownVisit != visit else { return }
        (shownRoot, shownVisit) = (root, visit)
        let event = event()
        if let id, !root.show(id, by: TrackedEvent(event).name) { return }
        #if DEBUG
            TrackedEvent(event).compare(postedAs: .show)
        #endif
        environment.activityLogger.post(event)
        onPostLog(environment)
    }
}
