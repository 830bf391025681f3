/// The contents of a screen: where each stands, what of it is in view, and what of that has been posted.
///
/// Contents are numbers here, given out by `insert`. Scroll containers make **areas**: what lies in one is placed in the area's own
/// coordinates, and is clipped to its window, to those of the areas around it, and to the viewport.
///
/// An update looks at what it touches: contents that were put somewhere, and what is or was in view in areas that were scrolled or are seen through
/// another window now. Only the beginning and the end of a visit, and of the stretch in which contents can be seen, concern all that is in view.
struct ContentTree: Sendable {
    struct Content: Sendable {
        /// As given, in the coordinates of what contains it.
        var frame: Box
        /// In the coordinates of the area it lies in.
        var box: Box
        /// What contains it; -1 is the screen.
        var parent: Int32
        var firstChild: Int32 = -1
        var nextSibling: Int32 = -1
        var previousSibling: Int32 = -1
        var area: Int32 = 0
        /// The area it makes, if it scrolls.
        var ownArea: Int32 = -1
        var isPresent = true
        var isTracked: Bool
        /// Whether the visit remembers it when it is removed and inserted again.
        var isRemembered: Bool
        var rule: ImpressionRule

        /// Its place among its area's contents in view; -1 where it is not. And how much of what could be visible is.
        var place: Int32 = -1
        var fraction = 0.0
        /// The search that found it last, and the update that touched it last.
        var search = 0
        var touch = 0
        /// Over the rule's fraction, on a screen that can be seen.
        var isOver = false
        var placedAt: Double
        var shownInVisit = 0
        var seenInVisit = 0
        /// The number of restarts before it was seen; -1 where it was not.
        var seenAfterRestarts = -1
        /// Whether it is in view in a visit, for who has the changes recorded.
        var isOnStage = false

        var isInView: Bool { place >= 0 }
    }

    struct Area: Sendable {
        /// The content that scrolls; -1 is the screen.
        var content: Int32
        /// How many areas are around it.
        var depth: Int32
        var x = 0.0
        var y = 0.0
        /// The offset before the running update.
        var previousX = 0.0
        var previousY = 0.0
        var width: Double
        var height: Double
        /// The shortest lengths of this area's window, those around it, and the viewport.
        var shortestWidth: Double
        var shortestHeight: Double
        var grid = ContentGrid()
        /// What of it is in view, in its own coordinates, and the contents that are; nil where nothing is.
        var opening: Box?
        var inView: [Int32] = []
        /// Whether what is in view in it has to be searched anew.
        var isChanged = false
    }

    struct Post: Sendable {
        enum Kind: Int { case screen, shown, seen }
        var time: Double
        var kind: Kind
        /// -1 for the screen.
        var content: Int32
    }

    private(set) var contents: [Content] = []
    private(set) var root = RootVisibility()
    /// What the running update makes of the root's.
    private var conditions = RootVisibility.Conditions()
    private var areas: [Area]
    private var firstChild: Int32 = -1

    private var isStarted = true
    private var restarts = 0
    /// Whether contents can be seen, since when, and after how many restarts.
    private var isExposing = false
    private var exposedSince = -Double.infinity
    private var exposedAfterRestarts = 0
    private var resizedAt = -Double.infinity
    private var visit = 0

    private(set) var now = -Double.infinity
    private var stamp = 0
    private var searches = 0
    private var movedAreas: [Int32] = []
    private var changedAreas: [Int32] = []
    /// Contents that the running update has put somewhere, and those of which it changes what is in view.
    private var placed: [Int32] = []
    private var touched: [Int32] = []
    private var candidates: [Int32] = []
    private var searching: [Int32] = []
    /// The contents whose dwell runs.
    private var dwells = DueQueue()
    private var posts: [Post] = []
    /// What has changed, where that is asked for.
    private var changes: [Change]?

    /// For rounding, as visible fractions are sums and quotients: full visibility may be 0.99998.
    private static let tolerance = 0.0001

    init(width: Double, height: Double) {
        areas = [Area(content: -1, depth: 0, width: width, height: height, shortestWidth: width, shortestHeight: height)]
        setChanged(0)
    }

    /// When the next dwell is over; nil where none runs.
    var nextWakeUp: Double? { dwells.first?.due }

    /// Calls a body with each content in view.
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

// MARK: Changes

extension ContentTree {
    /// A content that comes into view or leaves it, in a visit, or that comes to be over its rule's fraction or under it: at the instant that decides.
    struct Change: Sendable {
        var time: Double
        var content: Int32
        var kind: ContentChange
        var holds: Bool
    }

    /// Has changes recorded from now on, and hands over those since the last call.
    mutating func takeChanges() -> [Change] {
        defer { changes = [] }
        return changes ?? []
    }

    private mutating func record(_ number: Int32, _ kind: ContentChange, _ holds: Bool, at time: Double) {
        changes?.append(Change(time: time, content: number, kind: kind, holds: holds))
    }

    private mutating func setOnStage(_ number: Int32, _ isOnStage: Bool) {
        guard contents[Int(number)].isOnStage != isOnStage else { return }
        contents[Int(number)].isOnStage = isOnStage
        record(number, .inView, isOnStage, at: now)
    }
}

// MARK: Structure

extension ContentTree {
    /// Puts a content where it was not; a number that has been removed may be used again.
    /// - Returns: its number.
    mutating func insert(
        _ known: Int32?, frame: Box, in parent: Int32, scrolls: Bool, isTracked: Bool, isRemembered: Bool, rule: ImpressionRule
    ) -> Int32 {
        var content = Content(
            frame: frame, box: frame, parent: parent, isTracked: isTracked, isRemembered: isRemembered, rule: rule, placedAt: now)
        let number: Int32
        if let known {
            let before = contents[Int(known)]
            if isRemembered { content.shownInVisit = before.shownInVisit }
            (content.seenInVisit, content.seenAfterRestarts) = (before.seenInVisit, before.seenAfterRestarts)
            content.ownArea = before.ownArea
            number = known
        } else {
            number = Int32(contents.count)
            contents.append(content)
        }
        content.area = parent < 0 ? 0 : areaInside(parent)
        content.nextSibling = parent < 0 ? firstChild : contents[Int(parent)].firstChild
        if content.nextSibling >= 0 { contents[Int(content.nextSibling)].previousSibling = number }
        if parent < 0 { firstChild = number } else { contents[Int(parent)].firstChild = number }
        if scrolls {
            let depth = areas[Int(content.area)].depth + 1
            let area = Area(content: number, depth: depth, width: 0, height: 0, shortestWidth: 0, shortestHeight: 0)
            if content.ownArea >= 0 {
                areas[Int(content.ownArea)] = area
            } else {
                content.ownArea = Int32(areas.count)
                areas.append(area)
            }
        } else {
            content.ownArea = -1
        }
        contents[Int(number)] = content
        place(number)
        return number
    }

    /// Takes out a content and what it contains.
    mutating func remove(_ number: Int32) {
        let content = contents[Int(number)]
        if content.nextSibling >= 0 { contents[Int(content.nextSibling)].previousSibling = content.previousSibling }
        if content.previousSibling >= 0 {
            contents[Int(content.previousSibling)].nextSibling = content.nextSibling
        } else if content.parent >= 0 {
            contents[Int(content.parent)].firstChild = content.nextSibling
        } else {
            firstChild = content.nextSibling
        }
        removeAll(number)
    }

    private mutating func removeAll(_ number: Int32) {
        var child = contents[Int(number)].firstChild
        while child >= 0 {
            let next = contents[Int(child)].nextSibling
            removeAll(child)
            child = next
        }
        let content = contents[Int(number)]
        areas[Int(content.area)].grid.remove(number, content.box)
        // What was due before it went has been seen.
        if content.isOver { fall(number, at: now) }
        if content.ownArea >= 0 { areas[Int(content.ownArea)].opening = nil }
        if content.isInView { leave(number) }
        setOnStage(number, false)
        contents[Int(number)].isPresent = false
        contents[Int(number)].firstChild = -1
    }

    mutating func move(_ number: Int32, to frame: Box) {
        let content = contents[Int(number)]
        // Toolkits report frames again and again.
        guard content.frame != frame else { return }
        areas[Int(content.area)].grid.remove(number, content.box)
        contents[Int(number)].frame = frame
        place(number)
    }

    mutating func scroll(_ number: Int32, toX x: Double, _ y: Double) {
        let index = number < 0 ? 0 : contents[Int(number)].ownArea
        guard index >= 0 else { return }
        movedAreas.append(index)
        guard areas[Int(index)].x != x || areas[Int(index)].y != y else { return }
        areas[Int(index)].x = x
        areas[Int(index)].y = y
        setChanged(index)
    }

    mutating func resize(width: Double, height: Double) {
        guard areas[0].width != width || areas[0].height != height else { return }
        resizedAt = now
        areas[0].width = width
        areas[0].height = height
        areas[0].shortestWidth = width
        areas[0].shortestHeight = height
        setChanged(0)
        var child = firstChild
        while child >= 0 {
            measureAreas(in: child)
            child = contents[Int(child)].nextSibling
        }
    }

    private mutating func setChanged(_ area: Int32) {
        guard !areas[Int(area)].isChanged else { return }
        areas[Int(area)].isChanged = true
        changedAreas.append(area)
    }

    /// The area that contents of a content lie in.
    private func areaInside(_ number: Int32) -> Int32 {
        let content = contents[Int(number)]
        return content.ownArea >= 0 ? content.ownArea : content.area
    }

    /// Finds where a content is, and what it contains, and enters it in its area's grid.
    private mutating func place(_ number: Int32) {
        let content = contents[Int(number)]
        let box: Box
        if content.parent < 0 || contents[Int(content.parent)].ownArea >= 0 {
            box = content.frame
        } else {
            let around = contents[Int(content.parent)].box
            box = content.frame.moved(by: around.minX, around.minY)
        }
        contents[Int(number)].box = box
        contents[Int(number)].placedAt = now
        placed.append(number)
        areas[Int(content.area)].grid.insert(number, box)
        if content.ownArea >= 0 {
            measureAreas(in: number)
        } else {
            var child = content.firstChild
            while child >= 0 {
                areas[Int(contents[Int(child)].area)].grid.remove(child, contents[Int(child)].box)
                place(child)
                child = contents[Int(child)].nextSibling
            }
        }
    }

    /// Measures the window of a content's area, and of those in it.
    private mutating func measureAreas(in number: Int32) {
        let content = contents[Int(number)]
        if content.ownArea >= 0 {
            let (own, around) = (Int(content.ownArea), Int(content.area))
            areas[own].width = content.box.width
            areas[own].height = content.box.height
            let shortestWidth = min(areas[own].width, areas[around].shortestWidth)
            let shortestHeight = min(areas[own].height, areas[around].shortestHeight)
            // Then nothing changes for what is in it.
            guard areas[own].shortestWidth != shortestWidth || areas[own].shortestHeight != shortestHeight else { return }
            areas[own].shortestWidth = shortestWidth
            areas[own].shortestHeight = shortestHeight
            setChanged(content.ownArea)
        }
        var child = content.firstChild
        while child >= 0 {
            measureAreas(in: child)
            child = contents[Int(child)].nextSibling
        }
    }
}

// MARK: Updates

extension ContentTree {
    /// Begins an update: dwells that are over by then have been seen. Where a motion between two samples is going to be known, those that
    /// end in between wait for what it says.
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

    /// Ends an update: looks at what it has touched, and hands over what is to be posted, in the order of time.
    mutating func end(since sample: Double?, _ body: (Post) -> Void) {
        locate()
        let concernsAll = expose()
        for number in touched where !contents[Int(number)].isInView {
            if contents[Int(number)].isOver { fall(number, at: fallTime(number, since: sample)) }
            setOnStage(number, false)
        }
        if concernsAll {
            for number in allInView() { see(number, since: sample) }
        } else {
            for number in touched where contents[Int(number)].isInView { see(number, since: sample) }
        }
        touched.removeAll(keepingCapacity: true)
        // Where nothing of a motion that goes on is said, the next sample will tell.
        fireDue(by: movedAreas.isEmpty ? min(sample ?? now, now) : now)
        for area in movedAreas {
            areas[Int(area)].previousX = areas[Int(area)].x
            areas[Int(area)].previousY = areas[Int(area)].y
        }
        movedAreas.removeAll(keepingCapacity: true)
        if posts.count > 1 { posts.sort { ($0.time, $0.content, $0.kind.rawValue) < ($1.time, $1.content, $1.kind.rawValue) } }
        for post in posts { body(post) }
        posts.removeAll(keepingCapacity: true)
    }

    private func allInView() -> [Int32] {
        var all: [Int32] = []
        forEachInView { all.append($0) }
        return all
    }

    /// Finds what is in view now of what has changed. What follows from that is seen to when all is known.
    private mutating func locate() {
        // From the outside in, so that none is searched through a window that is going to be another one.
        if changedAreas.count > 1 { changedAreas.sort { areas[Int($0)].depth < areas[Int($1)].depth } }
        for area in changedAreas where areas[Int(area)].isChanged { search(area) }
        changedAreas.removeAll(keepingCapacity: true)
        for number in placed where contents[Int(number)].isPresent { look(number) }
        placed.removeAll(keepingCapacity: true)
    }

    /// What of an area is in view, in its own coordinates.
    private func opening(of area: Int32) -> Box? {
        let content = areas[Int(area)].content
        let (x, y) = (areas[Int(area)].x, areas[Int(area)].y)
        if content < 0 { return Box(minX: x, minY: y, maxX: x + areas[0].width, maxY: y + areas[0].height) }
        guard contents[Int(content)].isInView, let around = areas[Int(contents[Int(content)].area)].opening else { return nil }
        let box = contents[Int(content)].box
        return box.clipped(to: around).moved(by: x - box.minX, y - box.minY)
    }

    /// Finds what is in view in an area, and in those in it that are seen through another window now.
    private mutating func search(_ first: Int32) {
        searching.append(first)
        while let area = searching.popLast() {
            areas[Int(area)].isChanged = false
            let opening = opening(of: area)
            areas[Int(area)].opening = opening
            searches += 1
            if let opening {
                areas[Int(area)].grid.collect(opening, into: &candidates)
                for number in candidates where contents[Int(number)].search != searches {
                    let visible = contents[Int(number)].box.clipped(to: opening)
                    guard visible.hasArea else { continue }
                    contents[Int(number)].search = searches
                    enter(number, visible)
                }
                candidates.removeAll(keepingCapacity: true)
            }
            // Backwards, as the last one takes the place of one that leaves.
            for index in areas[Int(area)].inView.indices.reversed() {
                let number = areas[Int(area)].inView[index]
                if contents[Int(number)].search != searches { leave(number) }
            }
        }
    }

    /// Finds whether a content is in view.
    private mutating func look(_ number: Int32) {
        let visible = areas[Int(contents[Int(number)].area)].opening.map { contents[Int(number)].box.clipped(to: $0) }
        if let visible, visible.hasArea {
            enter(number, visible)
        } else if contents[Int(number)].isInView {
            leave(number)
        }
        while let area = searching.popLast() { search(area) }
    }

    /// A content is in view, as it may have been before.
    private mutating func enter(_ number: Int32, _ visible: Box) {
        let (area, own) = (contents[Int(number)].area, contents[Int(number)].ownArea)
        let box = contents[Int(number)].box
        let fraction =
            visible.width * visible.height
            / (min(box.width, areas[Int(area)].shortestWidth) * min(box.height, areas[Int(area)].shortestHeight))
        if !contents[Int(number)].isInView {
            contents[Int(number)].place = Int32(areas[Int(area)].inView.count)
            areas[Int(area)].inView.append(number)
            touch(number)
        } else if contents[Int(number)].fraction != fraction {
            touch(number)
        }
        contents[Int(number)].fraction = fraction
        if own >= 0, areas[Int(own)].isChanged || areas[Int(own)].opening != opening(of: own) { searching.append(own) }
    }

    /// A content is no longer in view.
    private mutating func leave(_ number: Int32) {
        let (area, own, place) = (Int(contents[Int(number)].area), contents[Int(number)].ownArea, contents[Int(number)].place)
        let last = areas[area].inView.removeLast()
        if last != number {
            areas[area].inView[Int(place)] = last
            contents[Int(last)].place = place
        }
        contents[Int(number)].place = -1
        touch(number)
        if own >= 0, areas[Int(own)].opening != nil { searching.append(own) }
    }

    private mutating func touch(_ number: Int32) {
        guard contents[Int(number)].touch != stamp else { return }
        contents[Int(number)].touch = stamp
        touched.append(number)
    }

    /// Begins or ends the stretch in which contents can be seen: neither a visit nor a restart that ended between two updates goes unnoticed.
    /// - Returns: whether all that is in view is concerned, as a visit or a stretch begins.
    private mutating func expose() -> Bool {
        let wasVisible = root.isVisible
        root.update { [conditions] in $0 = conditions }
        let isExposed = root.isExposed && isStarted
        let ends = isExposing && (!isExposed || root.visit != visit || restarts != exposedAfterRestarts)
        if ends || root.isVisible != wasVisible {
            for number in allInView() + touched {
                if ends, contents[Int(number)].isOver { fall(number, at: now) }
                if root.isVisible != wasVisible { setOnStage(number, false) }
            }
        }
        if ends { isExposing = false }
        let begins = root.visit != visit
        if begins {
            visit = root.visit
            if root.isVisible { posts.append(Post(time: now, kind: .screen, content: -1)) }
        }
        guard isExposed, !isExposing else { return begins }
        isExposing = true
        exposedSince = now
        exposedAfterRestarts = restarts
        return true
    }

    /// Posts a content in view that the visit has not shown, and begins or ends its dwell.
    private mutating func see(_ number: Int32, since sample: Double?) {
        let content = contents[Int(number)]
        guard content.isTracked else { return }
        if root.isVisible { setOnStage(number, true) }
        if root.isVisible, content.shownInVisit != visit {
            contents[Int(number)].shownInVisit = visit
            posts.append(Post(time: now, kind: .shown, content: number))
        }
        let isOver = isExposing && content.fraction >= content.rule.visibleFraction - Self.tolerance
        if isOver == content.isOver { return }
        guard isOver else { return fall(number, at: fallTime(number, since: sample)) }
        contents[Int(number)].isOver = true
        let isSeen = isSeen(content)
        if isSeen, changes == nil { return }
        let time = riseTime(number, since: sample)
        record(number, .overFraction, true, at: time)
        if !isSeen { dwells.set(number, due: time + max(0, content.rule.dwell)) }
    }

    /// How much of what could be visible of a content is, and whether it has been seen.
    func status(of number: Int32) -> (fraction: Double, isSeen: Bool) {
        let content = contents[Int(number)]
        return (content.isInView ? min(1, content.fraction) : 0, isSeen(content))
    }

    private func isSeen(_ content: Content) -> Bool {
        switch content.rule.once {
        case .visit: content.seenInVisit == visit && content.seenAfterRestarts == restarts
        case .session: content.seenAfterRestarts >= 0
        case .untilRestart: content.seenAfterRestarts == restarts
        }
    }

    /// A dwell that was over when the content fell under its fraction still counts.
    private mutating func fall(_ number: Int32, at time: Double) {
        contents[Int(number)].isOver = false
        record(number, .overFraction, false, at: time)
        guard let due = dwells.due(number) else { return }
        if due <= time + instant { fire(number, at: due) } else { dwells.set(number, due: nil) }
    }

    private mutating func fireDue(by time: Double) {
        while let (due, number) = dwells.first, due <= time + instant { fire(number, at: due) }
    }

    private mutating func fire(_ number: Int32, at due: Double) {
        dwells.set(number, due: nil)
        posts.append(Post(time: due, kind: .seen, content: number))
        contents[Int(number)].seenInVisit = visit
        contents[Int(number)].seenAfterRestarts = exposedAfterRestarts
    }
}

// MARK: Between samples

extension ContentTree {
    /// When a content that is over its fraction now came to be.
    private func riseTime(_ number: Int32, since sample: Double?) -> Double {
        guard let sample, sample < now, exposedSince < now, !isOver(number, at: 0, within: Self.tolerance) else { return now }
        let time = sample + crossing(number, from: false) * (now - sample)
        return max(time, exposedSince, resizedAt, contents[Int(number)].placedAt)
    }

    /// When a content that is under its fraction now came to be.
    private func fallTime(_ number: Int32, since sample: Double?) -> Double {
        guard let sample, sample < now, isOver(number, at: 0, within: Self.tolerance) else { return now }
        return sample + crossing(number, from: true) * (now - sample)
    }

    /// How much of the way between two samples was behind it when a content crossed its fraction.
    ///
    /// On the way, lengths in view are minima of linear functions, so what is over a fraction is over it in one stretch: bisection finds its end.
    private func crossing(_ number: Int32, from start: Bool) -> Double {
        // The tolerance decides what counts, not when; unless the fraction itself is not on the way.
        let tolerance = isOver(number, at: start ? 0 : 1, within: 1e-9) ? 1e-9 : Self.tolerance
        var (low, high) = (0.0, 1.0)
        for _ in 0..<50 {
            let middle = (low + high) / 2
            if isOver(number, at: middle, within: tolerance) == start { low = middle } else { high = middle }
        }
        return high
    }

    /// Whether a content is over its fraction where its areas had so much of their way behind them.
    private func isOver(_ number: Int32, at progress: Double, within tolerance: Double) -> Bool {
        let content = contents[Int(number)]
        var index = Int(content.area)
        let possible = min(content.box.width, areas[index].shortestWidth) * min(content.box.height, areas[index].shortestHeight)
        var visible = content.box
        while true {
            let x = areas[index].previousX + (areas[index].x - areas[index].previousX) * progress
            let y = areas[index].previousY + (areas[index].y - areas[index].previousY) * progress
            visible = visible.clipped(to: Box(minX: x, minY: y, maxX: x + areas[index].width, maxY: y + areas[index].height))
            guard visible.hasArea else { return false }
            if areas[index].content < 0 { break }
            let around = contents[Int(areas[index].content)]
            visible = visible.moved(by: around.box.minX - x, around.box.minY - y)
            index = Int(around.area)
        }
        return visible.width * visible.height / possible >= content.rule.visibleFraction - tolerance
    }
}
