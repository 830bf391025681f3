public import ActivityTracking

/// The root of a screen, which its contents share: whether it can be seen, and which ids its visit has shown.
@MainActor
public final class ContentRoot {
    public private(set) var visibility = RootVisibility()
    private var shownIDs: Set<AnyHashable> = []
    private let onChange: (RootVisibility) -> Void

    /// - Parameter onChange: is called whenever a visit begins or ends, and at no other time.
    public init(onChange: @escaping (RootVisibility) -> Void = { _ in }) { self.onChange = onChange }

    /// Changes conditions together.
    public func update(_ change: (inout RootVisibility.Conditions) -> Void) {
        guard visibility.update(change) else { return }
        if visibility.isVisible { shownIDs = [] }
        onChange(visibility)
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

    public init() {}

    /// Call it when the content appears or disappears, and when its root changes.
    /// - Parameters:
    ///   - isAppearing: nil where that has not changed.
    ///   - id: an id of the app's, nil for a plain view.
    ///   - root: that of the screen around; there has to be one.
    ///   - environment: hands out the logger; there has to be one.
    ///   - event: what is posted when the content is shown.
    ///   - onPostLog: sends something else beside it.
    ///   - misuse: is told what is missing, and what to add where.
    public mutating func update<Environment: ActivityLogging>(
        isAppearing: Bool? = nil, id: AnyHashable? = nil, in root: ContentRoot?, environment: Environment?, event: () -> some LogCategory,
        onPostLog: (Environment) -> Void = { _ in }, misuse: (String) -> Void = { assertionFailure($0) }
    ) {
        if let isAppearing { self.isAppearing = isAppearing }
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
