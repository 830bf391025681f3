public import Foundation

#if canImport(CoreGraphics)
    import CoreGraphics
#endif

/// Decides which contents of a screen are shown and seen.
///
/// A content is **shown** when it comes into view while its screen is visible, once per visit of the screen. It is **seen** when enough of it
/// stays in view for long enough (``ImpressionRule``). Where contents stand, how far containers are scrolled, and what becomes of the screen is
/// reported as it happens; what is due is handed back at once, or at ``nextWakeUp``. Nothing is polled, and an update costs what is in view or
/// has changed, not what there is.
///
/// Contents are known by ids of the app's: cells may be reused, rows inserted and reordered.
///
/// Times are seconds of a clock that never goes back. Lengths are points.
public struct ContentTracker<ID: Hashable & Sendable>: Sendable {
    /// What is due to be posted.
    public enum Log: Sendable, Equatable {
        /// A visit has begun.
        case screen
        case shown(ID)
        case seen(ID)
    }

    /// What is due, and since when: the frame's time for what is shown, the end of its dwell for what is seen.
    public struct Post: Sendable, Equatable {
        public var time: Double
        public var log: Log
    }

    private var contents: TrackedContents<ID>

    /// - Parameters:
    ///   - viewport: what a person can see of the screen: without bars and safe-area insets.
    ///   - rule: for contents that bring none.
    public init(viewport: CGSize, rule: ImpressionRule = ImpressionRule()) {
        contents = TrackedContents(viewport: viewport, rule: rule)
    }

    /// The state of the screen.
    public var root: RootVisibility { contents.tree.root }

    /// Calls a body with each content in view, and whether it is over its rule's fraction on a screen that can be seen.
    package func forEachInView(_ body: (ID, Bool) -> Void) {
        contents.tree.forEachInView { body(contents.ids[Int($0)], contents.tree.contents[Int($0)].isOver) }
    }

    /// A content that comes into view or leaves it, in a visit, or that comes to be over its rule's fraction or under it.
    package struct Change: Sendable, Equatable {
        /// The instant that decides: the frame's for what is in view, and where the fraction was crossed between two samples.
        package var time: Double
        package var id: ID
        package var kind: ContentChange
        package var holds: Bool
    }

    /// Has changes recorded from now on, for a drawing of them, and hands over those since the last call.
    package mutating func takeChanges() -> [Change] {
        contents.tree.takeChanges().map { change in
            Change(time: change.time, id: contents.ids[Int(change.content)], kind: change.kind, holds: change.holds)
        }
    }

    /// How much of what could be visible of a content is, from 0 to 1, and whether it has been seen; for showing it while developing.
    public func status(of id: ID) -> (fraction: Double, isSeen: Bool) { contents.status(of: id) }

    /// When the next content will have been seen, if nothing changes; nil where none is on its way. The only time at which ``update(at:since:post:_:)`` has
    /// to be called although nothing happened.
    public var nextWakeUp: Double? { contents.tree.nextWakeUp }

    /// Makes changes, and finds what is due because of them and of the time that has passed.
    ///
    /// A dwell that ends by a time is over before what happens at that time.
    ///
    /// - Parameters:
    ///   - time: now; an earlier time than the last update's is taken for that.
    ///   - sample: the time of the last update, where containers that scroll were on their way since then: when contents reached or left their fraction is
    ///     then found in between, as if the way was straight and even. Where nothing is scrolled although a sample is given, dwells that end since then
    ///     wait for the next one.
    ///   - post: is handed what is due, in the order of time, then of insertion.
    ///   - change: what happened, all at once.
    public mutating func update(
        at time: Double, since sample: Double? = nil, post: (Post) -> Void, _ change: (inout TrackedContents<ID>) -> Void = { _ in }
    ) {
        contents.tree.begin(at: time, since: sample)
        change(&contents)
        let ids = contents.ids
        contents.tree.end(since: sample) { due in
            switch due.kind {
            case .screen: post(Post(time: due.time, log: .screen))
            case .shown: post(Post(time: due.time, log: .shown(ids[Int(due.content)])))
            case .seen: post(Post(time: due.time, log: .seen(ids[Int(due.content)])))
            }
        }
    }
}

/// What may change of a content.
package enum ContentChange: Sendable { case inView, overFraction }

/// The contents of a screen, while an update changes them.
public struct TrackedContents<ID: Hashable & Sendable>: Sendable {
    fileprivate var tree: ContentTree
    fileprivate var ids: [ID] = []
    private var numbers: [ID: Int32] = [:]
    /// Contents whose container is not there yet, and which wait for which: toolkits tell of what is inside first.
    private var orphans: [ID: Orphan] = [:]
    private var waiting: [ID: Set<ID>] = [:]
    private var lastOrphan = 0
    /// How far containers are scrolled that are not there yet.
    private var earlyOffsets: [ID: CGPoint] = [:]
    private let rule: ImpressionRule

    private struct Orphan {
        /// How many there were before, as they are put there in that order.
        var order: Int
        var container: ID
        var frame: CGRect
        var scrolls: Bool
        var isTracked: Bool
        var isRemembered: Bool
        var rule: ImpressionRule?
    }

    fileprivate init(viewport: CGSize, rule: ImpressionRule) {
        let size = Self.lengths(viewport)
        tree = ContentTree(width: size.width, height: size.height)
        self.rule = rule
    }

    private static func lengths(_ size: CGSize) -> (width: Double, height: Double) {
        (max(0, Box.near(Double(size.width))), max(0, Box.near(Double(size.height))))
    }

    private func number(of id: ID) -> Int32? { numbers[id].flatMap { tree.contents[Int($0)].isPresent ? $0 : nil } }

    fileprivate func status(of id: ID) -> (fraction: Double, isSeen: Bool) { numbers[id].map { tree.status(of: $0) } ?? (0, false) }

    /// Whether a content is there, in view or not.
    public func contains(_ id: ID) -> Bool { number(of: id) != nil }

    /// Puts a content where it is. One that is there already is taken out first, with what it contains.
    /// - Parameters:
    ///   - id: the content's, of the app's own.
    ///   - frame: in the coordinates of what contains it. A content without area is never in view.
    ///   - container: a content, or nil for the screen.
    ///   - scrolls: whether it is a container that scrolls, and so clips what it contains.
    ///   - isTracked: whether it is posted itself.
    ///   - isRemembered: whether the visit remembers that it was shown when it is removed and inserted again; false for a view without an id of its own.
    ///   - rule: nil for the tracker's.
    /// - Returns: false where there is no such container; the content is put there when it comes.
    @discardableResult
    public mutating func insert(
        _ id: ID, frame: CGRect, in container: ID? = nil, scrolls: Bool = false, isTracked: Bool = true, isRemembered: Bool = true,
        rule: ImpressionRule? = nil
    ) -> Bool {
        let offset = earlyOffsets[id]
        remove(id)
        let parent: Int32
        if let container {
            guard let known = number(of: container) else {
                lastOrphan += 1
                orphans[id] = Orphan(
                    order: lastOrphan, container: container, frame: frame, scrolls: scrolls, isTracked: isTracked, isRemembered: isRemembered,
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
            numbers[id], frame: Box(frame), in: parent, scrolls: scrolls, isTracked: isTracked, isRemembered: isRemembered, rule: rule ?? self.rule)
        if number == ids.count {
            ids.append(id)
            numbers[id] = number
        }
        if let offset { scroll(id, to: offset) }
        let children = (waiting[id] ?? []).compactMap { child in orphans[child].map { (id: child, orphan: $0) } }
        for (child, orphan) in children.sorted(by: { $0.orphan.order < $1.orphan.order }) {
            insert(
                child, frame: orphan.frame, in: id, scrolls: orphan.scrolls, isTracked: orphan.isTracked, isRemembered: orphan.isRemembered,
                rule: orphan.rule)
        }
        return true
    }

    /// Moves a content that is there, with what it contains, or puts it there, from another container, too: for toolkits that report frames again and again.
    public mutating func place(
        _ id: ID, frame: CGRect, in container: ID? = nil, scrolls: Bool = false, isTracked: Bool = true, rule: ImpressionRule? = nil
    ) {
        let parent = container.map { number(of: $0) } ?? -1
        if let number = number(of: id), tree.contents[Int(number)].parent == parent {
            move(id, to: frame)
        } else {
            insert(id, frame: frame, in: container, scrolls: scrolls, isTracked: isTracked, rule: rule)
        }
    }

    /// Takes out a content, and what it contains.
    public mutating func remove(_ id: ID) {
        earlyOffsets[id] = nil
        if let orphan = orphans.removeValue(forKey: id) {
            waiting[orphan.container]?.remove(id)
            if waiting[orphan.container]?.isEmpty == true { waiting[orphan.container] = nil }
        }
        if let number = number(of: id) { tree.remove(number) }
    }

    /// Moves a content within what contains it; contents that are not there are left alone.
    public mutating func move(_ id: ID, to frame: CGRect) {
        if let number = number(of: id) { tree.move(number, to: Box(frame)) }
    }

    /// Scrolls a container, or the screen (nil), so that this point of its contents is at the upper left of its window. Offsets are taken as they are; that of a container
    /// that is not there yet is kept for it.
    public mutating func scroll(_ container: ID?, to offset: CGPoint) {
        let (x, y) = (Box.near(Double(offset.x)), Box.near(Double(offset.y)))
        if let container {
            if let number = number(of: container) { tree.scroll(number, toX: x, y) } else { earlyOffsets[container] = offset }
        } else {
            tree.scroll(-1, toX: x, y)
        }
    }

    /// Gives the screen another viewport. A dwell that runs goes on where its fraction still holds.
    public mutating func resize(to viewport: CGSize) {
        let size = Self.lengths(viewport)
        tree.resize(width: size.width, height: size.height)
    }

    /// Changes the screen's conditions; all changes of one update count together.
    public mutating func updateRoot(_ change: (inout RootVisibility.Conditions) -> Void) { tree.update(change) }

    /// Goes on to look for what is seen; trackers begin so.
    public mutating func start() { tree.start() }

    /// Stops looking for what is seen. What has been seen is kept, and dwells begin anew with ``start()``.
    public mutating func stop() { tree.stop() }

    /// Forgets what was seen, except what counts once per session, and begins again.
    public mutating func restart() { tree.restart() }
}
