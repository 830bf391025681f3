public import Foundation

#if canImport(CoreGraphics)
    import CoreGraphics
#endif

/// The contents of a screen, for changes in ``ImpressionTracker/update(_:)``.
public struct TrackedContents<ID: Hashable & Sendable>: Sendable {
    var tree: ContentTree
    var ids: [ID] = []
    private var numbers: [ID: Int32] = [:]
    /// Contents whose container has not been inserted yet, because toolkits report inner views first. `waiting`
    /// contains their identifiers by container.
    private var orphans: [ID: Orphan] = [:]
    private var waiting: [ID: Set<ID>] = [:]
    private var lastOrphan = 0
    /// The scroll offsets of containers that have not been inserted yet.
    private var earlyOffsets: [ID: CGPoint] = [:]
    private let rule: ImpressionRule

    private struct Orphan {
        /// The insertion order among orphans.
        var order: Int
        var container: ID
        var insert: @Sendable (inout TrackedContents) -> Void
    }

    init(viewport: CGSize, rule: ImpressionRule) {
        let size = Self.lengths(viewport)
        tree = ContentTree(width: size.width, height: size.height)
        self.rule = rule
    }

    private static func lengths(_ size: CGSize) -> (width: Double, height: Double) {
        (max(0, EdgeRect.near(Double(size.width))), max(0, EdgeRect.near(Double(size.height))))
    }

    private func number(of id: ID) -> Int32? { numbers[id].flatMap { tree.contents[Int($0)].isPresent ? $0 : nil } }

    func status(of id: ID) -> (fraction: Double, isSeen: Bool) { numbers[id].map { tree.status(of: $0) } ?? (0, false) }

    func isEngaged(_ id: ID) -> Bool { numbers[id].map { tree.engaged[$0] != nil } ?? false }

    /// Returns whether a content has been inserted and not removed, in view or not.
    public func contains(_ id: ID) -> Bool { number(of: id) != nil }

    /// Inserts a content. An existing content with this identifier is removed first, with the contents in it.
    /// - Parameters:
    ///   - id: The content's identity in the app.
    ///   - frame: The frame in the coordinates of the container. A content with an empty frame is never in view.
    ///   - container: The content that contains this content; nil for the screen.
    ///   - scrolls: True if the content scrolls, and therefore clips, the contents in it.
    ///   - isTracked: True if the content itself is shown and seen; false for a view that only contains others.
    ///   - isRemembered: True if the visit remembers the content after its removal, so that it is not shown twice. Pass
    ///     false for a view whose identifier is created together with the view.
    ///   - rule: The rule that decides when the content is seen and left; nil for the tracker's rule.
    /// - Returns: False if the container has not been inserted yet. The content is inserted together with it.
    @discardableResult
    public mutating func insert(
        _ id: ID, frame: CGRect, in container: ID? = nil, scrolls: Bool = false, isTracked: Bool = true,
        isRemembered: Bool = true,
        rule: ImpressionRule? = nil
    ) -> Bool {
        let offset = earlyOffsets[id]
        remove(id)
        let parent: Int32
        if let container {
            guard let known = number(of: container) else {
                lastOrphan += 1
                orphans[id] = Orphan(order: lastOrphan, container: container) {
                    $0.insert(
                        id, frame: frame, in: container, scrolls: scrolls, isTracked: isTracked,
                        isRemembered: isRemembered, rule: rule)
                }
                waiting[container, default: []].insert(id)
                earlyOffsets[id] = offset
                return false
            }
            parent = known
        } else {
            parent = -1
        }
        let number = tree.insert(
            numbers[id], frame: EdgeRect(frame), in: parent, scrolls: scrolls, isTracked: isTracked,
            isRemembered: isRemembered,
            rule: rule ?? self.rule)
        if number == ids.count { ids.append(id) }
        ids[Int(number)] = id
        numbers[id] = number
        if let offset { scroll(id, to: offset) }
        let children = (waiting[id] ?? []).compactMap { orphans[$0] }
        for child in children.sorted(by: { $0.order < $1.order }) { child.insert(&self) }
        return true
    }

    /// Moves a content that is already in this container, and otherwise inserts it. Use it with toolkits that report
    /// frames repeatedly. If the rule changes, the content's dwell restarts.
    public mutating func place(
        _ id: ID, frame: CGRect, in container: ID? = nil, scrolls: Bool = false, isTracked: Bool = true,
        rule: ImpressionRule? = nil
    ) {
        let parent = container.map { number(of: $0) } ?? -1
        if let number = number(of: id), tree.contents[Int(number)].parent == parent {
            move(id, to: frame)
            tree.setRule(number, rule ?? self.rule)
        } else {
            insert(id, frame: frame, in: container, scrolls: scrolls, isTracked: isTracked, rule: rule)
        }
    }

    /// Sets the part of the scrolled content above the viewport's lower edge, from 0 to 1; nil if nothing scrolls.
    package mutating func setDepth(_ depth: Double?) { tree.depth = depth }

    /// Frees the identifiers of contents that are gone, unless one is inserted again and then must not be posted again.
    mutating func forget() {
        for number in tree.forget() where numbers[ids[Int(number)]] == number { numbers[ids[Int(number)]] = nil }
    }

    /// Removes a content and the contents in it.
    ///
    /// A content may be inserted again in the same visit, such as a row whose view is reused. Its ``VisitEngagement`` then
    /// goes on.
    /// - Parameters:
    ///   - id: The content's identity in the app.
    ///   - isFinal: True if the content will not be inserted again in this visit. Its engagement is posted now.
    public mutating func remove(_ id: ID, isFinal: Bool = false) {
        earlyOffsets[id] = nil
        if let orphan = orphans.removeValue(forKey: id) {
            waiting[orphan.container]?.remove(id)
            if waiting[orphan.container]?.isEmpty == true { waiting[orphan.container] = nil }
        }
        if let number = number(of: id) { tree.remove(number, isFinal: isFinal) }
    }

    /// Moves a content in its container. Does nothing if the content has not been inserted.
    public mutating func move(_ id: ID, to frame: CGRect) {
        if let number = number(of: id) { tree.move(number, to: EdgeRect(frame)) }
    }

    /// Scrolls a container, or the screen for nil, so that this point of its contents is at the upper left of the
    /// container's frame or the viewport.
    ///
    /// Offsets are not clamped. The offset of a container that has not been inserted yet is stored until its insertion.
    public mutating func scroll(_ container: ID?, to offset: CGPoint) {
        let (x, y) = (EdgeRect.near(Double(offset.x)), EdgeRect.near(Double(offset.y)))
        if let container {
            if let number = number(of: container) {
                tree.scroll(number, toX: x, y)
            } else {
                earlyOffsets[container] = offset
            }
        } else {
            tree.scroll(-1, toX: x, y)
        }
    }

    /// Sets the viewport of the screen. The dwell of a content that is still over its fraction continues.
    public mutating func resize(to viewport: CGSize) {
        let size = Self.lengths(viewport)
        tree.resize(width: size.width, height: size.height)
    }

    /// Changes the conditions of the screen. All changes in an update count together.
    public mutating func updateRoot(_ change: (inout RootVisibility.Conditions) -> Void) { tree.update(change) }

    /// Resumes tracking of seen contents after ``stop()``.
    public mutating func start() { tree.start() }

    /// Stops tracking of seen contents. Contents that have been seen stay seen; other dwells restart with ``start()``.
    public mutating func stop() { tree.stop() }

    /// Starts tracking, and resets the seen contents. Rules that count once per session are not reset.
    public mutating func restart() { tree.restart() }
}
