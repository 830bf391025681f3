public import Foundation

#if canImport(CoreGraphics)
    import CoreGraphics
#endif

/// The contents of a screen, as ``ImpressionTracker/update(_:)`` changes them.
public struct TrackedContents<ID: Hashable & Sendable>: Sendable {
    var tree: ContentTree
    var ids: [ID] = []
    private var numbers: [ID: Int32] = [:]
    /// Contents whose container is not there yet: toolkits report what is inside first. `waiting` has the contents that
    /// wait for each container.
    private var orphans: [ID: Orphan] = [:]
    private var waiting: [ID: Set<ID>] = [:]
    private var lastOrphan = 0
    /// How far containers that are not there yet are scrolled.
    private var earlyOffsets: [ID: CGPoint] = [:]
    private let rule: ImpressionRule

    private struct Orphan {
        /// The number of orphans before it: they are inserted in this order.
        var order: Int
        var container: ID
        var frame: CGRect
        var scrolls: Bool
        var isTracked: Bool
        var isRemembered: Bool
        var rule: ImpressionRule?
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

    /// Whether a content has been inserted and not removed, in view or not.
    public func contains(_ id: ID) -> Bool { number(of: id) != nil }

    /// Puts a content where it stands. If it is there already, it is removed first, with what it contains.
    /// - Parameters:
    ///   - id: the app's own id of the content.
    ///   - frame: its place, in the coordinates of what contains it. A content without area is never in view.
    ///   - container: the content that contains it; nil for the screen.
    ///   - scrolls: whether it scrolls what it contains, and so clips it.
    ///   - isTracked: whether it is itself shown and seen; false for a view that only contains others.
    ///   - isRemembered: whether the visit still knows that it was shown when it is removed and inserted again; false
    ///     for a view whose id is made anew with it.
    ///   - rule: when it counts as seen; nil for the tracker's rule.
    /// - Returns: false if the container is not there yet. The content waits for it.
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
                orphans[id] = Orphan(
                    order: lastOrphan, container: container, frame: frame, scrolls: scrolls, isTracked: isTracked,
                    isRemembered: isRemembered,
                    rule: rule)
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
        if number == ids.count {
            ids.append(id)
            numbers[id] = number
        }
        if let offset { scroll(id, to: offset) }
        let children = (waiting[id] ?? []).compactMap { child in orphans[child].map { (id: child, orphan: $0) } }
        for (child, orphan) in children.sorted(by: { $0.orphan.order < $1.orphan.order }) {
            insert(
                child, frame: orphan.frame, in: id, scrolls: orphan.scrolls, isTracked: orphan.isTracked,
                isRemembered: orphan.isRemembered,
                rule: orphan.rule)
        }
        return true
    }

    /// Moves a content if it is in this container already, and otherwise inserts it: for toolkits that report frames
    /// again and again. If its rule is another one now, its dwell begins anew.
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

    /// Removes a content, and what it contains.
    public mutating func remove(_ id: ID) {
        earlyOffsets[id] = nil
        if let orphan = orphans.removeValue(forKey: id) {
            waiting[orphan.container]?.remove(id)
            if waiting[orphan.container]?.isEmpty == true { waiting[orphan.container] = nil }
        }
        if let number = number(of: id) { tree.remove(number) }
    }

    /// Moves a content within what contains it. Does nothing if the content is not there.
    public mutating func move(_ id: ID, to frame: CGRect) {
        if let number = number(of: id) { tree.move(number, to: EdgeRect(frame)) }
    }

    /// Scrolls a container, or the screen (nil), so that this point of its contents is at the upper left of its window.
    ///
    /// Any offset is taken as it is. If the container is not there yet, the offset is kept for it.
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

    /// Gives the screen another viewport. A dwell goes on if the content is still over its fraction.
    public mutating func resize(to viewport: CGSize) {
        let size = Self.lengths(viewport)
        tree.resize(width: size.width, height: size.height)
    }

    /// Changes the screen's conditions. All changes of one update count together.
    public mutating func updateRoot(_ change: (inout RootVisibility.Conditions) -> Void) { tree.update(change) }

    /// Looks for what is seen again, after ``stop()``.
    public mutating func start() { tree.start() }

    /// Stops looking for what is seen. What has been seen stays seen; dwells begin anew with ``start()``.
    public mutating func stop() { tree.stop() }

    /// Forgets what was seen, except under rules that count once per session, and starts.
    public mutating func restart() { tree.restart() }
}
