import Foundation

/// Measures the engagement of the screen "feed" and its contents from a scenario's JSON, without the code of the replay
/// and of the tracker. It records every state of the screen, and integrates each content over them afterwards.
struct TimeIntegrator {
    private typealias Vector = SIMD2<Double>

    struct Left: Equatable {
        var time: Double
        var content: String?
        var seconds = 0.0
        var longest = 0.0
        var count = 0
        var depth: Double?

        func isNear(_ other: Left) -> Bool {
            let values = [
                (time, other.time), (seconds, other.seconds), (longest, other.longest),
                (depth ?? -1, other.depth ?? -1),
            ]
            return content == other.content && count == other.count && values.allSatisfy { abs($0 - $1) < 0.0011 }
        }
    }

    private struct Content: Equatable {
        var origin: Vector
        var size: Vector
        var container: String?
        var scroll: String
        var leave: Double?
        var isRemembered: Bool
        var offset = Vector.zero
    }

    private struct Motion {
        var container: String?
        var from: Vector
        var to: Vector
        var start: Double
        var over: Double
        var samples = 1.0

        var next: Double {
            let next = start + samples / 60
            return next < start + over - TimeIntegrator.instant ? next : start + over
        }
    }

    /// A state of the screen that holds until the next one.
    private struct Moment {
        var time: Double
        /// The time of the moment before, if the offsets have changed linearly since.
        var since: Double?
        var contents: [String: Content]
        var offset: Vector
        var viewport: Vector
        var isVisible: Bool
        var isExposed: Bool
        var isStarted: Bool
        var restarts: Int
        /// The contents that are removed at this time and will not come again.
        var gone: Set<String> = []
    }

    private static let instant = 0.000_999
    private let scenario: [String: Any]
    private let steps: [[String: Any]]
    private var now = 0.0
    private var moments: [Moment] = []
    private var contents: [String: Content] = [:]
    /// The last definitions of removed contents.
    private var removed: [String: Content] = [:]
    private var offset = Vector.zero
    private var viewport = Vector.zero
    private var motions: [Motion] = []
    private var lastSample = 0.0
    private var (isStarted, restarts) = (true, 0)
    /// The screens on each level. Sheets and covers are levels of their own.
    private var levels: [(stack: [String], isSheet: Bool)] = []
    private var isInForeground = true
    private var refreshEnds: [String: [Double]] = [:]
    private var isVisible = false

    init(_ text: String) throws {
        scenario = try JSONSerialization.jsonObject(with: Data(text.utf8)) as? [String: Any] ?? [:]
        steps = scenario["steps"] as? [[String: Any]] ?? []
        resize(scenario)
        let screens = scenario["screens"] as? [[String: Any]] ?? []
        for screen in screens where screen["id"] as? String == "feed" { define(screen, in: nil) }
    }

    private mutating func resize(_ step: [String: Any]) {
        let size = step["viewport"] as? [String: Double] ?? [:]
        viewport = Vector(size["width"] ?? 0, size["height"] ?? 0)
    }

    private mutating func place(_ id: String, _ frame: [Double]?) {
        guard let frame else { return }
        contents[id]?.origin = Vector(frame[0], frame[1])
        contents[id]?.size = Vector(frame[2], frame[3])
    }

    private mutating func define(_ around: [String: Any], in container: String?) {
        for content in around["contents"] as? [[String: Any]] ?? [] {
            let id = content["id"] as? String ?? ""
            contents[id] = Content(
                origin: .zero, size: .zero, container: container,
                scroll: content["scroll"] as? String ?? "none", leave: content["leave"] as? Double,
                isRemembered: content["identity"] as? String != "view")
            place(id, content["frame"] as? [Double])
            define(content, in: id)
        }
    }

    // MARK: The states of the screen

    mutating func run() -> [Left] {
        for (index, step) in steps.enumerated() {
            let time = step["at"] as? Double ?? 0
            advance(to: time)
            now = max(now, time)
            perform(step, before: steps[(index + 1)...])
        }
        let ids = Set(moments.flatMap(\.contents.keys))
        return ids.flatMap { left($0) } + leftScreen()
    }

    private mutating func advance(to time: Double) {
        while true {
            let due = (motions.map(\.next) + refreshEnds.values.joined()).min() ?? .infinity
            guard due <= time + Self.instant else { return }
            now = max(now, min(due, time))
            if motions.contains(where: { $0.next <= now + Self.instant }) { sample() }
            for (screen, ends) in refreshEnds {
                refreshEnds[screen] = ends.filter { $0 > now + Self.instant }
            }
            note()
        }
    }

    private mutating func sample() {
        let before = motions.isEmpty ? nil : lastSample
        for (index, motion) in motions.enumerated() {
            let isOver = now >= motion.start + motion.over - Self.instant
            let part = isOver ? 1 : max(0, (now - motion.start) / motion.over)
            setOffset(motion.container, motion.from + (motion.to - motion.from) * part)
            if motion.next <= now + Self.instant { motions[index].samples += 1 }
        }
        motions.removeAll { $0.start + $0.over <= now + Self.instant }
        lastSample = now
        note(since: before)
    }

    private mutating func setOffset(_ container: String?, _ offset: Vector) {
        if let container { contents[container]?.offset = offset } else { self.offset = offset }
    }

    private mutating func note(since: Double? = nil, gone: Set<String> = []) {
        let top = levels.last { !$0.isSheet }?.stack.last
        let isUnderSheet = levels.last?.isSheet == true
        let canBeVisible = top == "feed" && isInForeground && refreshEnds["feed", default: []].isEmpty
        isVisible = canBeVisible && (isVisible || !isUnderSheet)
        moments.append(
            Moment(
                time: now, since: since, contents: contents, offset: offset, viewport: viewport,
                isVisible: isVisible,
                isExposed: isVisible && !isUnderSheet, isStarted: isStarted, restarts: restarts, gone: gone)
        )
    }

    private mutating func perform(_ step: [String: Any], before later: ArraySlice<[String: Any]>) {
        let id = step["content"] as? String ?? ""
        var gone: Set<String> = []
        switch step["do"] as? String {
        case "open": levels = [(["feed"], false)]
        case "push": levels[levels.count - 1].stack.append(step["screen"] as? String ?? "")
        case "pop": refreshEnds[levels[levels.count - 1].stack.removeLast()] = nil
        case "present":
            levels.append(([step["screen"] as? String ?? ""], step["style"] as? String == "sheet"))
        case "dismiss": for screen in levels.removeLast().stack { refreshEnds[screen] = nil }
        case "background": isInForeground = false
        case "foreground":
            if !isInForeground, let refresh = step["refresh"] as? Double { wait(refresh) }
            isInForeground = true
        case "refresh": wait(step["over"] as? Double ?? 0)
        case "resize":
            resize(step)
            for (id, frame) in step["frames"] as? [String: [Double]] ?? [:] { place(id, frame) }
        case "move": place(id, step["frame"] as? [Double])
        case "remove":
            let inside = contents.keys.filter { chain($0, in: contents).contains(id) }
            for id in inside {
                removed[id] = contents.removeValue(forKey: id)
                removed[id]?.offset = .zero
            }
            let isForGood = !later.contains {
                $0["content"] as? String == id && $0["do"] as? String == "insert"
            }
            gone = Set(inside.filter { isForGood || removed[$0]?.isRemembered == false })
            motions.removeAll { $0.container.map(inside.contains) ?? false }
        case "insert":
            if let content = step["content"] as? [String: Any] {
                define(["contents": [content]], in: nil)
            } else {
                for (inner, content) in removed where chain(inner, in: removed).contains(id) {
                    contents[inner] = content
                }
                place(id, step["frame"] as? [Double])
            }
        case "start": isStarted = true
        case "stop": isStarted = false
        case "restart": (isStarted, restarts) = (true, restarts + 1)
        case "scroll": return scroll(step)
        default: break
        }
        note(gone: gone)
    }

    private mutating func wait(_ refresh: Double) {
        refreshEnds[levels.last?.stack.last ?? "", default: []].append(now + refresh)
    }

    private mutating func scroll(_ step: [String: Any]) {
        let name = step["in"] as? String ?? ""
        let container = name == "feed" ? nil : name
        let over = step["over"] as? Double ?? 0
        if over > 0 || !motions.isEmpty { sample() }
        motions.removeAll { $0.container == container }
        let from = container.map { contents[$0]?.offset ?? .zero } ?? offset
        let point = (step["to"] ?? step["by"]) as? [Double] ?? []
        var to = Vector(point[0], point[1]) + (step["to"] == nil ? from : .zero)
        let fixed = (container.flatMap { contents[$0]?.scroll } ?? "vertical") == "vertical" ? 0 : 1
        to[fixed] = from[fixed]
        if over > 0 {
            motions.append(Motion(container: container, from: from, to: to, start: now, over: over))
        } else {
            setOffset(container, to)
            note()
        }
    }

    private func chain(_ id: String, in contents: [String: Content]) -> [String] {
        var (chain, next) = ([id], contents[id]?.container)
        while let name = next { (chain, next) = (chain + [name], contents[name]?.container) }
        return chain
    }

    // MARK: The integral

    /// Returns the visible part of a content on the way between the offsets of two moments; 0 if it is not in view.
    private func share(_ id: String, in moment: Moment, from before: Moment, _ part: Double) -> Double {
        guard let content = moment.contents[id] else { return 0 }
        var (low, high, longest) = (content.origin, content.origin + content.size, content.size)
        func clip(_ offset: Vector, _ previous: Vector, _ size: Vector) {
            let moved = previous + (offset - previous) * part
            (low, high) = (pointwiseMax(low - moved, .zero), pointwiseMin(high - moved, size))
            longest = pointwiseMin(longest, size)
        }
        var next = content.container
        while let name = next, let around = moment.contents[name] {
            if around.scroll != "none" {
                clip(around.offset, before.contents[name]?.offset ?? around.offset, around.size)
            }
            (low, high) = (low + around.origin, high + around.origin)
            next = around.container
        }
        clip(moment.offset, before.offset, moment.viewport)
        let visible = high - low
        return visible.min() > 1e-6 ? visible.x * visible.y / (longest.x * longest.y) : 0
    }

    private func left(_ id: String) -> [Left] {
        guard let leave = moments.lazy.compactMap({ $0.contents[id] }).first?.leave else { return [] }
        /// Whether nothing has changed that concerns the content.
        func isSame(_ left: Moment, _ right: Moment) -> Bool {
            (left.isVisible, left.isExposed, left.isStarted, left.restarts)
                == (right.isVisible, right.isExposed, right.isStarted, right.restarts)
                && (left.viewport, left.offset) == (right.viewport, right.offset)
                && chain(id, in: left.contents).map { left.contents[$0] }
                    == chain(id, in: right.contents).map { right.contents[$0] }
        }
        var posts: [Left] = []
        var runs: [ClosedRange<Double>] = []
        var (depth, isEngaged) = (0.0, false)
        var last: (moment: Moment, share: Double)?
        for moment in moments {
            // Other contents do not divide the way between two samples.
            if let last, moment.since == nil, !moment.gone.contains(id), isSame(last.moment, moment) {
                continue
            }
            let share = share(id, in: moment, from: moment, 1)
            let isOver = share >= leave - 0.0001 && share > 0
            if let last, last.moment.isExposed, last.moment.isStarted {
                let wasOver = last.share >= leave - 0.0001 && last.share > 0
                var (start, end) = (last.moment.time, moment.time)
                if wasOver != isOver, let since = moment.since {
                    let tolerance = max(share, last.share) >= leave ? 1e-9 : 0.0001
                    var (low, high) = (0.0, 1.0)
                    for _ in 0..<50 {
                        let middle = (low + high) / 2
                        let isHere = self.share(id, in: moment, from: last.moment, middle) >= leave - tolerance
                        if isHere == isOver { high = middle } else { low = middle }
                    }
                    let crossing = max(last.moment.time, since + (moment.time - since) * high)
                    if isOver { start = crossing } else { end = crossing }
                }
                if wasOver || isOver && moment.since != nil {
                    if let run = runs.last, start <= run.upperBound + Self.instant {
                        runs[runs.count - 1] = run.lowerBound...max(run.upperBound, end)
                    } else {
                        runs.append(start...end)
                    }
                }
            }
            if moment.isVisible, isOver { isEngaged = true }
            if moment.isVisible { depth = max(depth, min(1, share)) }
            if last?.moment.isVisible == true, !moment.isVisible || moment.gone.contains(id) {
                if isEngaged { posts.append(Self.post(id, moment.time, runs, depth)) }
                (runs, depth, isEngaged) = ([], 0, false)
            }
            last = (moment, share)
        }
        return posts
    }

    private static func post(
        _ id: String?, _ time: Double, _ runs: [ClosedRange<Double>], _ depth: Double?
    ) -> Left {
        let lengths = runs.map { $0.upperBound - $0.lowerBound }
        return Left(
            time: time, content: id, seconds: lengths.reduce(0, +), longest: lengths.max() ?? 0,
            count: runs.count,
            depth: depth)
    }

    private func leftScreen() -> [Left] {
        var posts: [Left] = []
        var runs: [ClosedRange<Double>] = []
        var depth = 0.0
        for (moment, next) in zip(moments, moments.dropFirst()) {
            if moment.isExposed {
                if let run = runs.last, moment.time <= run.upperBound + Self.instant {
                    runs[runs.count - 1] = run.lowerBound...next.time
                } else {
                    runs.append(moment.time...next.time)
                }
            }
            let length =
                moment.contents.values.filter { $0.container == nil }.map { $0.origin.y + $0.size.y }.max()
                ?? 0
            if moment.isVisible, length > 0 {
                depth = max(depth, min(1, (moment.offset.y + moment.viewport.y) / length))
            }
            if moment.isVisible, !next.isVisible {
                posts.append(Self.post(nil, next.time, runs, depth))
                (runs, depth) = ([], 0)
            }
        }
        return posts
    }
}
