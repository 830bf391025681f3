/// The contents of a screen: where each stands, what of it is in view, and what of that has been posted.
///
/// Contents are numbers here, given out by `insert`. Scroll containers make **areas**: what lies in one is placed in the area's own
/// coordinates, and is clipped to its window, to those of the areas around it, and to the viewport.
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

        /// The update in which it was last in view, and how much of what could be was.
        var stamp = 0
        var fraction = 0.0
        /// Over the rule's fraction, on a screen that can be seen.
        var isOver = false
        var placedAt: Double
        /// When its dwell is over; infinite where none runs.
        var due = Double.infinity
        var shownInVisit = 0
        var seenInVisit = 0
        /// The number of restarts before it was seen; -1 where it was not.
        var seenAfterRestarts = -1
    }

    struct Area: Sendable {
        /// The content that scrolls; -1 is the screen.
        var content: Int32
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
    private var movedAreas: [Int32] = []
    private(set) var inView: [Int32] = []
    private var nextInView: [Int32] = []
    private var candidates: [Int32] = []
    private var dwelling: [Int32] = []
    private var posts: [Post] = []

    /// For rounding, as visible fractions are sums and quotients: full visibility may be 0.99998.
    private static let tolerance = 0.0001
    /// Times are sums, too: what is this near, in seconds, is one instant.
    private static let instant = 1e-6

    init(width: Double, height: Double) {
        areas = [Area(content: -1, width: width, height: height, shortestWidth: width, shortestHeight: height)]
    }

    /// When the next dwell is over; nil where none runs.
    var nextWakeUp: Double? {
        var next = Double.infinity
        for content in dwelling { next = min(next, contents[Int(content)].due) }
        return next < .infinity ? next : nil
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
            let area = Area(content: number, width: 0, height: 0, shortestWidth: 0, shortestHeight: 0)
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
        areas[Int(index)].x = x
        areas[Int(index)].y = y
    }

    mutating func resize(width: Double, height: Double) {
        guard areas[0].width != width || areas[0].height != height else { return }
        resizedAt = now
        areas[0].width = width
        areas[0].height = height
        areas[0].shortestWidth = width
        areas[0].shortestHeight = height
        var child = firstChild
        while child >= 0 {
            measureAreas(in: child)
            child = contents[Int(child)].nextSibling
        }
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

    /// Measures the windows of a content's area and of those in it.
    private mutating func measureAreas(in number: Int32) {
        let content = contents[Int(number)]
        if content.ownArea >= 0 {
            let around = areas[Int(content.area)]
            let (width, height) = (content.box.width, content.box.height)
            areas[Int(content.ownArea)].width = width
            areas[Int(content.ownArea)].height = height
            areas[Int(content.ownArea)].shortestWidth = min(width, around.shortestWidth)
            areas[Int(content.ownArea)].shortestHeight = min(height, around.shortestHeight)
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

    /// Ends an update: looks at what is in view now, and hands over what is to be posted, in the order of time.
    mutating func end(since sample: Double?, _ body: (Post) -> Void) {
        nextInView.removeAll(keepingCapacity: true)
        find(in: 0, Box(minX: areas[0].x, minY: areas[0].y, maxX: areas[0].x + areas[0].width, maxY: areas[0].y + areas[0].height))
        expose()
        for number in inView where contents[Int(number)].stamp != stamp && contents[Int(number)].isOver {
            fall(number, at: fallTime(number, since: sample))
        }
        for number in nextInView where contents[Int(number)].isTracked { see(number, since: sample) }
        swap(&inView, &nextInView)
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

    /// Finds what of an area's contents is in view through a window, in the area's coordinates.
    private mutating func find(in area: Int32, _ window: Box) {
        let start = candidates.count
        areas[Int(area)].grid.collect(window, into: &candidates)
        let (shortestWidth, shortestHeight) = (areas[Int(area)].shortestWidth, areas[Int(area)].shortestHeight)
        for index in start..<candidates.count {
            let number = candidates[index]
            let (box, known) = (contents[Int(number)].box, contents[Int(number)].stamp)
            let visible = box.clipped(to: window)
            guard known != stamp, visible.hasArea else { continue }
            contents[Int(number)].stamp = stamp
            contents[Int(number)].fraction =
                visible.width * visible.height / (min(box.width, shortestWidth) * min(box.height, shortestHeight))
            nextInView.append(number)
            let own = contents[Int(number)].ownArea
            if own >= 0 { find(in: own, visible.moved(by: areas[Int(own)].x - box.minX, areas[Int(own)].y - box.minY)) }
        }
        candidates.removeLast(candidates.count - start)
    }

    /// Begins or ends the stretch in which contents can be seen: neither a visit nor a restart that ended between two updates goes unnoticed.
    private mutating func expose() {
        root.update { [conditions] in $0 = conditions }
        let isExposed = root.isExposed && isStarted
        if isExposing, !isExposed || root.visit != visit || restarts != exposedAfterRestarts {
            for number in inView where contents[Int(number)].isOver { fall(number, at: now) }
            isExposing = false
        }
        if root.visit != visit {
            visit = root.visit
            if root.isVisible { posts.append(Post(time: now, kind: .screen, content: -1)) }
        }
        if isExposed, !isExposing {
            isExposing = true
            exposedSince = now
            exposedAfterRestarts = restarts
        }
    }

    /// Posts a content in view that the visit has not shown, and begins or ends its dwell.
    private mutating func see(_ number: Int32, since sample: Double?) {
        let content = contents[Int(number)]
        if root.isVisible, content.shownInVisit != visit {
            contents[Int(number)].shownInVisit = visit
            posts.append(Post(time: now, kind: .shown, content: number))
        }
        let isOver = isExposing && content.fraction >= content.rule.visibleFraction - Self.tolerance
        if isOver == content.isOver { return }
        guard isOver else { return fall(number, at: fallTime(number, since: sample)) }
        contents[Int(number)].isOver = true
        if isSeen(content) { return }
        contents[Int(number)].due = riseTime(number, since: sample) + max(0, content.rule.dwell)
        dwelling.append(number)
    }

    /// How much of what could be visible of a content is, and whether it has been seen.
    func status(of number: Int32) -> (fraction: Double, isSeen: Bool) {
        let content = contents[Int(number)]
        return (content.isPresent && content.stamp == stamp ? min(1, content.fraction) : 0, isSeen(content))
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
        guard let index = dwelling.firstIndex(of: number) else { return }
        if contents[Int(number)].due <= time + Self.instant {
            fire(at: index)
        } else {
            contents[Int(number)].due = .infinity
            dwelling.swapAt(index, dwelling.count - 1)
            dwelling.removeLast()
        }
    }

    private mutating func fireDue(by time: Double) {
        var index = dwelling.count
        while index > 0 {
            index -= 1
            if contents[Int(dwelling[index])].due <= time + Self.instant { fire(at: index) }
        }
    }

    private mutating func fire(at index: Int) {
        let number = dwelling[index]
        posts.append(Post(time: contents[Int(number)].due, kind: .seen, content: number))
        contents[Int(number)].due = .infinity
        contents[Int(number)].seenInVisit = visit
        contents[Int(number)].seenAfterRestarts = exposedAfterRestarts
        dwelling.swapAt(index, dwelling.count - 1)
        dwelling.removeLast()
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
        let (shortestWidth, shortestHeight) = (areas[Int(content.area)].shortestWidth, areas[Int(content.area)].shortestHeight)
        let possible = min(content.box.width, shortestWidth) * min(content.box.height, shortestHeight)
        var visible = content.box
        var index = content.area
        while true {
            let area = areas[Int(index)]
            let x = area.previousX + (area.x - area.previousX) * progress
            let y = area.previousY + (area.y - area.previousY) * progress
            visible = visible.clipped(to: Box(minX: x, minY: y, maxX: x + area.width, maxY: y + area.height))
            guard visible.hasArea else { return false }
            if area.content < 0 { break }
            let around = contents[Int(area.content)]
            visible = visible.moved(by: around.box.minX - x, around.box.minY - y)
            index = around.area
        }
        return visible.width * visible.height / possible >= content.rule.visibleFraction - tolerance
    }
}
