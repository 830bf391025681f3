/// The contents of a screen: where each stands, which part of it is in view, and what has been posted of it.
///
/// This file has what the tree remembers, and the course of an update. Each step of it has a file of its own:
///
/// - `ContentTree+Layout.swift`: contents are put somewhere, moved, scrolled and removed.
/// - `ContentTree+InView.swift`: which contents are in view, and how much of each.
/// - `ContentTree+Posts.swift`: which of them are shown and seen. A covered screen's contents are not: `RootVisibility`
///   says so.
/// - `ContentTree+BetweenSamples.swift`: when a content crossed its fraction during a scroll.
/// - `ContentTree+ChangeRecord.swift`: the same changes, for a drawing.
///
/// A content is a number here, which `insert` gives out. A container that scrolls makes an **area**. What lies in the
/// area has the area's own coordinates. It is clipped to the area's window, to the windows of the areas around, and to
/// the viewport.
///
/// An update looks at what it touches: contents that were put somewhere, and contents that are or were in view in an
/// area that was scrolled or has another window now. Everything in view is concerned only if a visit begins or ends, or
/// if contents begin or cease to be exposed.
struct ContentTree: Sendable {
    struct Content: Sendable {
        /// As given: in the coordinates of what contains it.
        var frame: EdgeRect
        /// The same in the coordinates of its area.
        var box: EdgeRect
        /// The content that contains it; -1 is the screen.
        var parent: Int32
        var firstChild: Int32 = -1
        var nextSibling: Int32 = -1
        var previousSibling: Int32 = -1
        var area: Int32 = 0
        /// The area that it makes, if it scrolls; otherwise -1.
        var ownArea: Int32 = -1
        var isPresent = true
        var isTracked: Bool
        /// Whether the visit still knows it when it is removed and inserted again.
        var isRemembered: Bool
        var rule: ImpressionRule

        /// Its place among its area's contents in view; -1 if it is not in view.
        ///
        /// `fraction` is how much of the area that could be visible is.
        var place: Int32 = -1
        var fraction = 0.0
        /// The last search that found it, and the last update that touched it.
        var search = 0
        var touch = 0
        /// Whether it is over its rule's fraction, on an exposed screen.
        var isOver = false
        var placedAt: Double
        var shownInVisit = 0
        var seenInVisit = 0
        /// How many restarts there had been when it was seen; -1 if it has not been seen.
        var seenAfterRestarts = -1

        var isInView: Bool { place >= 0 }
    }

    struct Area: Sendable {
        /// The content that scrolls; -1 is the screen itself.
        var content: Int32
        /// The number of areas around it.
        var depth: Int32
        var x = 0.0
        var y = 0.0
        /// The offset before this update.
        var previousX = 0.0
        var previousY = 0.0
        var width: Double
        var height: Double
        /// The shortest width and height among this area's window, the windows around it, and the viewport.
        var shortestWidth: Double
        var shortestHeight: Double
        var grid = ContentGrid()
        /// The part of it that is in view, in its own coordinates; nil if nothing is.
        ///
        /// `inView` are the contents in that part.
        var opening: EdgeRect?
        var inView: [Int32] = []
        /// Whether its contents in view have to be searched anew.
        var isChanged = false
    }

    struct Post: Sendable {
        enum Kind: Int { case screen, shown, seen }
        var time: Double
        var kind: Kind
        /// -1 for the screen.
        var content: Int32
    }

    var contents: [Content] = []
    var root = RootVisibility()
    /// The root's conditions as this update has them so far.
    var conditions = RootVisibility.Conditions()
    var areas: [Area]
    var firstChild: Int32 = -1

    var isStarted = true
    var restarts = 0
    /// Whether contents are exposed, since when, and after how many restarts.
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
    /// Contents that this update has put somewhere, and contents of which another part is in view now.
    var placed: [Int32] = []
    var touched: [Int32] = []
    var candidates: [Int32] = []
    var searching: [Int32] = []
    /// The contents whose dwell runs, by when it ends.
    var dwells = DueQueue()
    var posts: [Post] = []
    /// What has changed; nil unless somebody asked for it.
    var changes: [Change]?

    /// Fractions are sums and quotients, so rounding may make 0.99998 of full visibility. This much is forgiven.
    static let tolerance = 0.0001

    init(width: Double, height: Double) {
        areas = [
            Area(content: -1, depth: 0, width: width, height: height, shortestWidth: width, shortestHeight: height)
        ]
        setChanged(0)
    }

    /// When the next dwell ends; nil if none runs.
    var nextWakeUp: Double? { dwells.first?.due }

    /// Calls the body with each content in view.
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
    /// Begins an update: contents whose dwell ends by this time have been seen.
    ///
    /// If this update will tell of a motion since the last sample, dwells that end on the way wait for it: the motion
    /// decides.
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

    /// Ends an update: looks at what it has touched, and hands over what is to be posted, in order of time.
    mutating func end(since sample: Double?, _ body: (Post) -> Void) {
        locate()
        recordShares()
        let concernsAll = expose()
        for number in touched where !contents[Int(number)].isInView && contents[Int(number)].isOver {
            fall(number, at: fallTime(number, since: sample))
        }
        if concernsAll {
            for number in allInView() { see(number, since: sample) }
        } else {
            for number in touched where contents[Int(number)].isInView { see(number, since: sample) }
        }
        touched.removeAll(keepingCapacity: true)
        // If something still moves and this update did not say where it is, the next sample decides.
        fireDue(by: movedAreas.isEmpty ? min(sample ?? now, now) : now)
        for area in movedAreas {
            areas[Int(area)].previousX = areas[Int(area)].x
            areas[Int(area)].previousY = areas[Int(area)].y
        }
        movedAreas.removeAll(keepingCapacity: true)
        if posts.count > 1 {
            posts.sort { ($0.time, $0.content, $0.kind.rawValue) < ($1.time, $1.content, $1.kind.rawValue) }
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
