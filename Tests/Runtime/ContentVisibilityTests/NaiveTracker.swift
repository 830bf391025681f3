import ContentVisibility
import Foundation

/// A second implementation of the visibility rules, without an index or memory: every update computes everything.
struct NaiveTracker {
    struct Content {
        var frame: CGRect
        var container: Int?
        var scrolls = false
        var offset = CGPoint.zero
        var isTracked = true
        var isRemembered = true
        var rule: ImpressionRule
        var placedAt = 0.0
        var isPresent = true

        var isOver = false
        var due: Double?
        var shown: Int?
        var seenVisit: Int?
        var seenRestart: Int?
    }

    struct Post: Equatable {
        var time: Double
        var log: ContentTracker<Int>.Log
    }

    var viewport: CGSize
    var offset = CGPoint.zero
    /// The contents in the order of their first insertion.
    var order: [Int] = []
    var contents: [Int: Content] = [:]
    var conditions = RootVisibility.Conditions()
    var isVisible = false
    var visits = 0
    var postedVisits = 0
    var isStarted = true
    var restarts = 0
    var exposure: (visit: Int, restarts: Int, since: Double)?
    var resizedAt = 0.0
    var now = 0.0
    var scrolls = 0
    /// The times of contents that count in this visit, and those of the screen; the depths that were reached.
    var times: [Int: [ClosedRange<Double>]] = [:]
    var since: [Int: Double] = [:]
    var depths: [Int: Double] = [:]
    /// The part of the screen's scrolled content above the viewport's lower edge.
    var depth: Double?
    private var left: [Post] = []
    private static let screen = -1

    /// The tolerance of times, which is just below a millisecond.
    static let instant = 0.000_999

    init(viewport: CGSize) { self.viewport = viewport }

    // MARK: Geometry

    struct Offsets {
        var screen: CGPoint
        var contents: [Int: CGPoint]
    }

    var offsets: Offsets { Offsets(screen: offset, contents: contents.mapValues(\.offset)) }

    static func between(_ start: Offsets, _ end: Offsets, _ progress: Double) -> Offsets {
        func between(_ start: CGPoint, _ end: CGPoint) -> CGPoint {
            CGPoint(x: start.x + (end.x - start.x) * progress, y: start.y + (end.y - start.y) * progress)
        }
        return Offsets(
            screen: between(start.screen, end.screen),
            contents: end.contents.reduce(into: [:]) {
                $0[$1.key] = between(start.contents[$1.key] ?? $1.value, $1.value)
            })
    }

    /// Returns the visible share of a content's possible area, or nil if the content is not in view.
    func fraction(of id: Int, _ offsets: Offsets) -> Double? {
        guard let content = contents[id], content.isPresent, content.frame.width > 0, content.frame.height > 0 else {
            return nil
        }
        // In the viewport's coordinates, clipped by all containers.
        func corner(_ container: Int?) -> CGPoint? {
            guard let container else { return CGPoint(x: -offsets.screen.x, y: -offsets.screen.y) }
            guard let around = contents[container], around.isPresent, let outer = corner(around.container) else {
                return nil
            }
            let scrolled = around.scrolls ? offsets.contents[container] ?? .zero : .zero
            return CGPoint(x: outer.x + around.frame.minX - scrolled.x, y: outer.y + around.frame.minY - scrolled.y)
        }
        guard let place = corner(content.container) else { return nil }
        var (left, top) = (place.x + content.frame.minX, place.y + content.frame.minY)
        var (right, bottom) = (left + content.frame.width, top + content.frame.height)
        (left, top, right, bottom) = (
            max(left, 0), max(top, 0), min(right, viewport.width), min(bottom, viewport.height)
        )
        var (width, height) = (min(content.frame.width, viewport.width), min(content.frame.height, viewport.height))
        var next = content.container
        while let container = next, let around = contents[container] {
            if around.scrolls {
                guard let outer = corner(around.container) else { return nil }
                let (x, y) = (outer.x + around.frame.minX, outer.y + around.frame.minY)
                (left, top) = (max(left, x), max(top, y))
                (right, bottom) = (min(right, x + around.frame.width), min(bottom, y + around.frame.height))
                (width, height) = (min(width, around.frame.width), min(height, around.frame.height))
            }
            next = around.container
        }
        guard right - left > 1e-6, bottom - top > 1e-6 else { return nil }
        return (right - left) * (bottom - top) / (width * height)
    }

    func isOver(_ id: Int, _ offsets: Offsets, within tolerance: Double = 0.0001) -> Bool {
        contents[id].map { isOver(id, $0.rule.visibleFraction, offsets, within: tolerance) } ?? false
    }

    func isOver(_ id: Int, _ part: Double, _ offsets: Offsets, within tolerance: Double = 0.0001) -> Bool {
        fraction(of: id, offsets).map { $0 >= part - tolerance } ?? false
    }

    // MARK: Engagement

    private mutating func pause(_ id: Int, at time: Double) {
        guard let start = since.removeValue(forKey: id) else { return }
        times[id, default: []].append(start...max(start, time))
    }

    /// Posts the sum of all times. Times in the same instant are one.
    private mutating func leave(_ id: Int) {
        pause(id, at: now)
        guard let times = times.removeValue(forKey: id) else { return }
        var lengths: [Double] = []
        for (index, time) in times.enumerated() {
            let length = time.upperBound - time.lowerBound
            if index > 0, time.lowerBound <= times[index - 1].upperBound + Self.instant {
                lengths[lengths.count - 1] += length
            } else {
                lengths.append(length)
            }
        }
        let engagement = VisitEngagement(
            seconds: lengths.reduce(0, +), longest: lengths.max() ?? 0, count: lengths.count,
            depth: depths.removeValue(forKey: id))
        left.append(Post(time: now, log: .left(id == Self.screen ? nil : id, engagement)))
    }

    // MARK: Updates

    mutating func update(at time: Double, since sample: Double?, _ change: (inout NaiveTracker) -> Void) -> [Post] {
        now = max(now, time)
        var posts: [Post] = []
        func fire(_ id: Int, _ tracker: inout NaiveTracker) {
            guard let content = tracker.contents[id], let due = content.due, let exposure = tracker.exposure else {
                return
            }
            posts.append(Post(time: due, log: .seen(id)))
            tracker.contents[id]?.due = nil
            tracker.contents[id]?.seenVisit = exposure.visit
            tracker.contents[id]?.seenRestart = exposure.restarts
        }
        func fireDue(by time: Double, _ tracker: inout NaiveTracker) {
            for id in tracker.order {
                if let due = tracker.contents[id]?.due, due <= time + Self.instant { fire(id, &tracker) }
            }
        }
        fireDue(by: min(sample ?? now, now), &self)
        let before = contents
        let offsetsBefore = offsets
        change(&self)
        let offsetsAfter = offsets
        let hasMoved = scrolls > 0
        scrolls = 0
        // A content that was removed or replaced has been seen if its dwell ended before.
        for id in order {
            guard let old = before[id], old.isPresent, old.isOver, contents[id]?.isOver != true else { continue }
            if let due = old.due, due <= now + Self.instant, let exposure {
                posts.append(Post(time: due, log: .seen(id)))
                contents[id]?.seenVisit = exposure.visit
                contents[id]?.seenRestart = exposure.restarts
            }
        }

        let canBeVisible =
            conditions.hasAppeared && conditions.isInForeground && !conditions.isForcedToDisappear
            && !conditions.isRefreshing
            && !conditions.isWaitingForRefresh && conditions.cover != .fullScreen
        let wasVisible = isVisible
        isVisible = canBeVisible && (wasVisible || conditions.cover == .none)
        if isVisible, !wasVisible { visits += 1 }

        let isUncovered = isVisible && conditions.cover == .none
        let isExposed = isUncovered && isStarted
        if !isUncovered { pause(Self.screen, at: now) }
        if !isExposed || exposure?.restarts != restarts { for id in order { pause(id, at: now) } }
        if wasVisible, !isVisible {
            if times[Self.screen] == nil { times[Self.screen] = [] }
            for id in [Self.screen] + order { leave(id) }
        }
        if let running = exposure, !isExposed || running.visit != visits || running.restarts != restarts {
            for id in order where contents[id]?.isOver == true {
                if let due = contents[id]?.due, due <= now + Self.instant { fire(id, &self) }
                contents[id]?.due = nil
                contents[id]?.isOver = false
            }
            exposure = nil
        }
        if isVisible, postedVisits != visits {
            postedVisits = visits
            posts.append(Post(time: now, log: .screen))
        }
        let isNew = isExposed && exposure == nil
        if isNew { exposure = (visits, restarts, now) }
        if isUncovered, since[Self.screen] == nil { since[Self.screen] = now }
        if isVisible, let depth { depths[Self.screen] = max(depths[Self.screen] ?? 0, depth) }

        for id in order {
            guard let content = contents[id], content.isPresent, content.isTracked else { continue }
            if isVisible, fraction(of: id, offsetsAfter) != nil, content.shown != visits {
                contents[id]?.shown = visits
                posts.append(Post(time: now, log: .shown(id)))
            }
            func crossing(_ part: Double, to over: Bool) -> Double {
                guard let sample, sample < now, !isNew, isOver(id, part, offsetsBefore) != over else { return now }
                // Bisection finds the progress of the motion at which the exact fraction was crossed, if the motion
                // reaches it.
                let tolerance = isOver(id, part, over ? offsetsAfter : offsetsBefore, within: 1e-9) ? 1e-9 : 0.0001
                var (low, high) = (0.0, 1.0)
                for _ in 0..<60 {
                    let middle = (low + high) / 2
                    if isOver(id, part, Self.between(offsetsBefore, offsetsAfter, middle), within: tolerance) == over {
                        high = middle
                    } else {
                        low = middle
                    }
                }
                return max(sample + high * (now - sample), exposure?.since ?? now, resizedAt, content.placedAt)
            }
            if isVisible, let part = content.rule.leave {
                let isOver = isOver(id, part, offsetsAfter)
                if isOver, times[id] == nil { times[id] = [] }
                if times[id] != nil, let fraction = fraction(of: id, offsetsAfter) {
                    depths[id] = max(depths[id] ?? 0, min(1, fraction))
                }
                let counts = isOver && exposure != nil
                if counts, since[id] == nil {
                    since[id] = crossing(part, to: true)
                } else if !counts, since[id] != nil {
                    pause(id, at: crossing(part, to: false))
                }
            }
            let over = exposure != nil && isOver(id, offsetsAfter)
            guard over != content.isOver else { continue }
            let crossing = crossing(content.rule.visibleFraction, to: over)
            contents[id]?.isOver = over
            if over {
                let isSeen =
                    switch content.rule.once {
                    case .visit: content.seenVisit == visits && content.seenRestart == restarts
                    case .session: content.seenRestart != nil
                    case .untilRestart: content.seenRestart == restarts
                    }
                if !isSeen { contents[id]?.due = crossing + content.rule.dwell }
            } else {
                if let due = content.due, due <= crossing + Self.instant { fire(id, &self) }
                contents[id]?.due = nil
            }
        }
        fireDue(by: hasMoved ? now : min(sample ?? now, now), &self)
        defer { left = [] }
        return posts + left
    }

    // MARK: Changes

    mutating func insert(_ id: Int, _ content: Content) {
        remove(id)
        var content = content
        content.placedAt = now
        if let old = contents[id] {
            if content.isRemembered { content.shown = old.shown }
            (content.seenVisit, content.seenRestart) = (old.seenVisit, old.seenRestart)
        } else {
            order.append(id)
        }
        contents[id] = content
    }

    mutating func remove(_ id: Int, isFinal: Bool = false) {
        guard let content = contents[id], content.isPresent else { return }
        for child in order where contents[child]?.container == id { remove(child, isFinal: isFinal) }
        pause(id, at: now)
        if isFinal || !content.isRemembered { leave(id) }
        contents[id]?.isPresent = false
        contents[id]?.isOver = false
        contents[id]?.due = nil
    }

    mutating func move(_ id: Int, to frame: CGRect) {
        guard contents[id]?.frame != frame else { return }
        contents[id]?.frame = frame
        func touch(_ id: Int) {
            contents[id]?.placedAt = now
            for child in order where contents[child]?.container == id && contents[child]?.isPresent == true {
                touch(child)
            }
        }
        touch(id)
    }
}
