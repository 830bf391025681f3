/// The contents of a screen: their frames, their visible parts, and what has been posted about them.
///
/// This file contains the state of the tree and the sequence of an update. Each step has its own file:
///
/// - `ContentTree+Layout.swift`: contents are inserted, moved, scrolled and removed.
/// - `ContentTree+InView.swift`: which contents are in view, and to which fraction.
/// - `ContentTree+Posts.swift`: which of them are shown and seen. `RootVisibility` decides whether the screen is
///   covered.
/// - `ContentTree+Engagement.swift`: how long contents are in view. `RootVisibility` measures the screen.
/// - `ContentTree+BetweenSamples.swift`: when a content crossed a fraction during a scroll.
/// - `ContentTree+ChangeRecord.swift`: the changes, recorded for a timeline.
///
/// A content is identified by the number that `insert` returns. A container that scrolls has an **area**. Contents in
/// the area have the area's coordinates. They are clipped to the container's frame, to the frames of the surrounding
/// containers that scroll, and to the viewport.
///
/// An update processes only affected contents. These are contents that were inserted or moved. In areas that were
/// scrolled, or whose container's frame changed, they are the contents that are or were in view. All contents in view
/// are affected only if a visit begins or ends, or if contents start or stop being exposed.
struct ContentTree: Sendable {
    struct Content: Sendable {
        /// The frame in the coordinates of the container.
        var frame: EdgeRect
        /// The frame in the coordinates of the area.
        var box: EdgeRect
        /// The container; -1 for the screen.
        var parent: Int32
        var firstChild: Int32 = -1
        var nextSibling: Int32 = -1
        var previousSibling: Int32 = -1
        var area: Int32 = 0
        /// The area of a content that scrolls; otherwise -1. `lastArea` is reused when the content scrolls again.
        var ownArea: Int32 = -1
        var lastArea: Int32 = -1
        /// The place in the order of insertion. Numbers are reused, and therefore not in this order.
        var order = 0
        var isPresent = true
        var isTracked: Bool
        /// Indicates whether `shownInVisit` survives the removal of the content.
        var isRemembered: Bool
        var rule: ImpressionRule

        /// The index in `inView` of the area; -1 if the content is not in view.
        ///
        /// `fraction` is the visible area divided by the largest area that could be visible at once.
        var place: Int32 = -1
        var fraction = 0.0
        /// The number of the last search that found the content, and of the last update that touched it.
        var search = 0
        var touch = 0
        /// Indicates whether the content is exposed, and at least the fraction of its rule is visible.
        var isOver = false
        var placedAt: Double
        var shownInVisit = 0
        var seenInVisit = 0
        /// The value of `restarts` when the content was seen; -1 if it has not been seen.
        var seenAfterRestarts = -1

        var isInView: Bool { place >= 0 }
    }

    struct Area: Sendable {
        /// The content that scrolls; -1 for the screen.
        var content: Int32
        /// The number of areas around this area.
        var depth: Int32
        var x = 0.0
        var y = 0.0
        /// The offset before this update.
        var previousX = 0.0
        var previousY = 0.0
        var width: Double
        var height: Double
        /// The minimum width and the minimum height of three kinds of frames: that of this area's container, those of
        /// the containers around it that scroll, and the viewport. No larger part of a content can be visible at once.
        var shortestWidth: Double
        var shortestHeight: Double
        var grid = ContentGrid()
        /// The visible part of the area in the area's coordinates; nil if the area is not in view.
        ///
        /// `inView` contains the contents in that part.
        var opening: EdgeRect?
        var inView: [Int32] = []
        /// Indicates whether the contents in view must be searched again.
        var isChanged = false
    }

    struct Post: Sendable {
        enum Kind: Int { case screen, shown, seen, left }
        var time: Double
        var kind: Kind
        /// The content; -1 for the screen.
        var content: Int32
        var engagement = VisitEngagement()
    }

    var contents: [Content] = []
    /// The numbers of forgotten contents, and the number of other contents at which `forget` searches for more.
    var free: [Int32] = []
    var forgetLimit = 16
    var inserted = 0
    /// The periods of all rules so far.
    var periods: Set<ImpressionRule.Once> = []
    var root = RootVisibility()
    /// The conditions of the root, as changed so far in this update.
    var conditions = RootVisibility.Conditions()
    var areas: [Area]
    var firstChild: Int32 = -1

    var isStarted = true
    var restarts = 0
    /// The exposure of contents (``expose()``): whether one runs, its start, and the value of `restarts` at that time.
    var isExposing = false
    var exposedSince = -Double.infinity
    var exposedAfterRestarts = 0
    var resizedAt = -Double.infinity
    var visit = 0

    var now = -Double.infinity
    var stamp = 0
    var searches = 0
    var movedAreas: [Int32] = []
    var changedAreas: [Int32] = []
    /// Contents whose frame was set in this update, and contents whose visible part changed.
    var placed: [Int32] = []
    var touched: [Int32] = []
    var candidates: [Int32] = []
    var searching: [Int32] = []
    /// The contents with a running dwell, ordered by its end.
    var dwells = DueQueue()
    /// The part of the screen's scrolled content above the viewport's lower edge.
    var depth: Double?
    /// The engagement with those contents that have reached their fraction in this visit.
    var engaged: [Int32: EngagementSum] = [:]
    var posts: [Post] = []
    /// The recorded changes; nil if recording is disabled.
    var changes: [Change]?

    /// The tolerance of fractions, which absorbs rounding errors such as 0.99998 for full visibility.
    static let tolerance = 0.0001

    init(width: Double, height: Double) {
        areas = [
            Area(content: -1, depth: 0, width: width, height: height, shortestWidth: width, shortestHeight: height)
        ]
        setChanged(0)
    }

    /// The end of the next dwell; nil if no dwell is running.
    var nextWakeUp: Double? { dwells.first?.due }

    func forEachInView(_ body: (Int32) -> Void) {
        var pending: [Int32] = [0]
        while let area = pending.popLast() {
            for number in areas[Int(area)].inView {
                body(number)
                let own = contents[Int(number)].ownArea
                if own >= 0 { pending.append(own) }
            }
        }
    }
}

// MARK: Updates

extension ContentTree {
    /// Begins an update. Contents whose dwell ends by this time have been seen.
    ///
    /// If the update contains a motion since the last sample, its end decides about dwells that end during the motion.
    mutating func begin(at time: Double, since sample: Double?) {
        if time > now { now = time }
        stamp += 1
        fireDue(by: min(sample ?? now, now))
    }

    mutating func update(_ change: (inout RootVisibility.Conditions) -> Void) { change(&conditions) }

    mutating func start() { isStarted = true }

    mutating func stop() { isStarted = false }

    mutating func restart() {
        isStarted = true
        restarts += 1
    }

    /// Ends an update. Processes the touched contents, and calls `body` with each post, in order of time.
    mutating func end(since sample: Double?, _ body: (Post) -> Void) {
        locate()
        recordShares()
        let concernsAll = expose()
        for number in touched where !contents[Int(number)].isInView {
            engage(number, since: sample)
            let fraction = contents[Int(number)].rule.visibleFraction
            if contents[Int(number)].isOver { fall(number, at: crossingTime(number, fraction, false, since: sample)) }
        }
        if concernsAll {
            for number in allInView() { see(number, since: sample) }
        } else {
            for number in touched where contents[Int(number)].isInView { see(number, since: sample) }
        }
        touched.removeAll(keepingCapacity: true)
        // If a sample is given without a scroll in this update, a motion is in progress. The next sample decides about
        // dwells that end after the given one.
        fireDue(by: movedAreas.isEmpty ? min(sample ?? now, now) : now)
        for area in movedAreas {
            areas[Int(area)].previousX = areas[Int(area)].x
            areas[Int(area)].previousY = areas[Int(area)].y
        }
        movedAreas.removeAll(keepingCapacity: true)
        if posts.count > 1 {
            posts.sort { [contents] in
                func order(_ post: Post) -> Int { post.content < 0 ? -1 : contents[Int(post.content)].order }
                return ($0.time, order($0), $0.kind.rawValue) < ($1.time, order($1), $1.kind.rawValue)
            }
        }
        for post in posts { body(post) }
        posts.removeAll(keepingCapacity: true)
    }

    func allInView() -> [Int32] {
        var all: [Int32] = []
        forEachInView { all.append($0) }
        return all
    }
}
