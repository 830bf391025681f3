import ContentVisibility
import Foundation

extension Scenario {
    /// What was posted, and how it came to that.
    package struct Result: Sendable {
        package var posted: [Posted]
        /// Empty unless asked for.
        package var timeline: Timeline
        /// When containers were on their way.
        var scrolls: [ClosedRange<Double>]
    }

    /// Replays the scenario on a clock of its own.
    /// - Throws: `ScenarioError` for a step that cannot be done.
    package func replay(_ bytes: [UInt8], file: String, drawsTimeline: Bool = false) throws(ScenarioError) -> Result {
        do throws(Mistake) {
            var replay = Replay(self, drawsTimeline: drawsTimeline)
            return try replay.run()
        } catch {
            throw ScenarioError(error, file: file, in: bytes)
        }
    }
}

/// A running replay: the app's side of the contract, in front of the trackers that an app would have.
private struct Replay {
    /// A content that is or was somewhere.
    private struct Entry {
        var content: Scenario.Content
        var screen: Int
        /// The place of its definition among screens and contents.
        let order: Int
        var isPresent = false
        var container: Int?
        var children: [Int] = []
    }

    /// A container on its way.
    private struct Motion {
        var screen: Int
        /// nil is the screen itself.
        var container: Int?
        var from: CGPoint
        var to: CGPoint
        var start: Double
        var over: Double
        /// Samples taken, the one at the start included.
        var samples = 1.0
        var last: Double

        var end: Double { start + over }

        var next: Double {
            let next = start + samples / 60
            return next < end - 1e-9 ? next : end
        }

        func position(at time: Double) -> CGPoint {
            let progress = over > 0 ? min(1, max(0, (time - start) / over)) : 1
            return CGPoint(x: from.x + (to.x - from.x) * progress, y: from.y + (to.y - from.y) * progress)
        }
    }

    private struct Screen {
        var tracker: ContentTracker<Int>
        let order: Int
        var offset = CGPoint.zero
        /// When a refresh that was due on the return ends.
        var returnRefreshEnd: Double?
        /// When another ends, and whether its views go meanwhile.
        var refreshEnd: Double?
        var replacesViews = false
    }

    private let scenario: Scenario
    private var screens: [Screen] = []
    private var screenNumbers: [String: Int] = [:]
    private var entries: [Entry] = []
    private var numbers: [String: Int] = [:]
    private var order = 0
    /// How far containers are scrolled.
    private var offsets: [Int: CGPoint] = [:]
    private var navigation: Navigation
    private var isInForeground = true
    private var motions: [Motion] = []
    private var now = 0.0
    private var posted: [(post: Posted, order: Int)] = []
    private var scrolls: [ClosedRange<Double>] = []
    private var recorder: Timeline.Recorder?

    init(_ scenario: Scenario, drawsTimeline: Bool) {
        self.scenario = scenario
        navigation = Navigation(scenario.screens)
        if drawsTimeline { recorder = Timeline.Recorder() }
        for (number, screen) in scenario.screens.enumerated() {
            screenNumbers[screen.id] = number
            screens.append(Screen(tracker: ContentTracker(viewport: scenario.viewport, rule: screen.rule), order: nextOrder()))
            let contents = screen.contents.map { define($0, screen: number) }
            place(contents, in: nil, on: number)
        }
    }

    private mutating func nextOrder() -> Int {
        order += 1
        return order
    }

    mutating func run() throws(Mistake) -> Scenario.Result {
        var hasEnded = false
        for step in scenario.steps {
            advance(to: step.time)
            if case .end = step.action { hasEnded = true }
            try perform(step)
        }
        // Without an end, whatever is on its way arrives.
        if !hasEnded { advance(to: .infinity) }
        posted.sort { ($0.post.time, $0.order, $0.post.log.rank) < ($1.post.time, $1.order, $1.post.log.rank) }
        return Scenario.Result(
            posted: posted.map(\.post), timeline: recorder?.timeline(of: scenario, until: now, posted.map(\.post)) ?? Timeline(), scrolls: scrolls)
    }
}

// MARK: Contents

extension Replay {
    /// Enters a content and those in it; one that was there before keeps its number.
    private mutating func define(_ content: Scenario.Content, screen: Int) -> Int {
        let number: Int
        if let id = content.id, let known = numbers[id] {
            number = known
            entries[number].content = content
            entries[number].screen = screen
        } else {
            number = entries.count
            entries.append(Entry(content: content, screen: screen, order: nextOrder()))
            if let id = content.id { numbers[id] = number }
        }
        let children = content.contents.map { define($0, screen: screen) }
        for child in children { entries[child].container = number }
        entries[number].children = children
        return number
    }

    /// Puts contents and those in them where they are.
    private mutating func place(_ contents: [Int], in container: Int?, on screen: Int) {
        for content in contents { setPresent(content, true) }
        update(screen) { [entries] tracked in
            func insert(_ number: Int, _ container: Int?) {
                let content = entries[number].content
                tracked.insert(
                    number, frame: content.frame, in: container, scrolls: content.scrolling != .none,
                    isTracked: content.isTracked && content.id != nil, isRemembered: content.isRemembered, rule: content.rule)
                for child in entries[number].children { insert(child, number) }
            }
            for content in contents { insert(content, container) }
        }
    }

    private mutating func setPresent(_ number: Int, _ isPresent: Bool) {
        entries[number].isPresent = isPresent
        offsets[number] = nil
        for child in entries[number].children { setPresent(child, isPresent) }
        if !isPresent { motions.removeAll { $0.container == number } }
    }

    private func number(of content: Scenario.Named) throws(Mistake) -> Int {
        guard let number = numbers[content.id], entries[number].isPresent else {
            throw Mistake(at: content.at, message: "the content \"\(content.id)\" is not there at \(Posted.seconds(now))")
        }
        return number
    }
}

// MARK: Time

extension Replay {
    /// Does what is due by a time: dwells that are over first, then containers on their way, then refreshes that end.
    private mutating func advance(to time: Double) {
        while let due = nextDue(), due <= time {
            now = due
            // Where something moves, what the next sample says of the way decides whether a dwell was over.
            for screen in screens.indices where !motions.contains(where: { $0.screen == screen }) {
                if let wakeUp = screens[screen].tracker.nextWakeUp, wakeUp <= now { update(screen) }
            }
            sampleMotions()
            endRefreshes()
        }
        if time < .infinity { now = time }
    }

    private func nextDue() -> Double? {
        var next = Double.infinity
        for motion in motions { next = min(next, motion.next) }
        for (number, screen) in screens.enumerated() {
            for end in [screen.returnRefreshEnd, screen.refreshEnd] { next = min(next, end ?? .infinity) }
            if let wakeUp = screen.tracker.nextWakeUp, !motions.contains(where: { $0.screen == number }) { next = min(next, wakeUp) }
        }
        return next < .infinity ? next : nil
    }

    private mutating func sampleMotions() {
        while let first = motions.first(where: { $0.next <= now }) {
            // Samples of one frame of one screen are one change.
            var moved: [(container: Int?, position: CGPoint)] = []
            for index in motions.indices
            where motions[index].screen == first.screen && motions[index].next <= now && motions[index].last == first.last {
                moved.append((motions[index].container, motions[index].position(at: now)))
                motions[index].last = now
                motions[index].samples += 1
            }
            motions.removeAll { $0.end <= now && $0.last == now }
            for (container, position) in moved { setOffset(position, of: container, on: first.screen) }
            update(first.screen, since: first.last) { tracked in
                for (container, position) in moved { tracked.scroll(container, to: position) }
            }
        }
    }

    private mutating func endRefreshes() {
        for screen in screens.indices {
            if let end = screens[screen].returnRefreshEnd, end <= now { screens[screen].returnRefreshEnd = nil }
            if let end = screens[screen].refreshEnd, end <= now { screens[screen].refreshEnd = nil }
        }
        updateRoots()
    }

    private mutating func setOffset(_ offset: CGPoint, of container: Int?, on screen: Int) {
        if let container { offsets[container] = offset } else { screens[screen].offset = offset }
    }

    /// Makes a change to a screen, and keeps what is posted.
    private mutating func update(_ number: Int, since sample: Double? = nil, _ change: (inout TrackedContents<Int>) -> Void = { _ in }) {
        var due: [ContentTracker<Int>.Post] = []
        screens[number].tracker.update(at: now, since: sample, post: { due.append($0) }, change)
        let id = scenario.screens[number].id
        for post in due {
            switch post.log {
            case .screen:
                if scenario.screens[number].postsScreenLog {
                    posted.append((Posted(time: post.time, log: .screen, screen: id), screens[number].order))
                }
            case .shown(let content):
                posted.append((Posted(time: post.time, log: .shown, content: entries[content].content.id, screen: id), entries[content].order))
            case .seen(let content):
                posted.append((Posted(time: post.time, log: .seen, content: entries[content].content.id, screen: id), entries[content].order))
            }
        }
        guard recorder != nil else { return }
        let root = screens[number].tracker.root
        recorder?.observe(screen: number, isVisible: root.isVisible, isExposed: root.isExposed, at: now)
        var inView: [(content: Int, isOver: Bool)] = []
        screens[number].tracker.forEachInView { content, isOver in
            if entries[content].content.id != nil { inView.append((content, isOver)) }
        }
        recorder?.observe(inView.map { (entries[$0.content].content.id ?? "", $0.isOver) }, screen: number, at: now)
    }
}

// MARK: Steps

extension Replay {
    private mutating func perform(_ step: Scenario.Step) throws(Mistake) {
        func impossible(_ message: String) -> Mistake { Mistake(at: step.at, message: message) }
        switch step.action {
        case .open(let screen):
            navigation.open(try number(ofScreen: screen))
            navigate()
        case .push(let screen):
            navigation.push(try closed(screen, step))
            navigate()
        case .pop:
            guard navigation.pop() else { throw impossible("there is nothing to go back to") }
            navigate()
        case .present(let screen, isSheet: true):
            navigation.presentSheet(try closed(screen, step))
            navigate()
        case .present(let screen, isSheet: false):
            navigation.presentCover(try closed(screen, step))
            navigate()
        case .dismiss:
            guard navigation.dismiss() else { throw impossible("nothing is presented") }
            navigate()
        case .deepLink(let screen):
            // Before anything is open, it waits.
            navigation.presentCover(navigation.isOpen ? try closed(screen, step) : try number(ofScreen: screen))
            navigate()
        case .closeAll:
            navigation.closeAll()
            navigate()
        case .selectTab(let screen, let isSwiped, let refresh): try select(screen, isSwiped: isSwiped, refresh: refresh)
        case .scroll(let place, let point, let isRelative, let over): try scroll(place, point, isRelative: isRelative, over: over)
        case .resize(let viewport, let frames): try resize(viewport, frames)
        case .background:
            isInForeground = false
            updateRoots()
        case .foreground(let refresh):
            guard !isInForeground else { return }
            isInForeground = true
            if let refresh, let current = navigation.current { waitForRefresh(current, refresh) }
            updateRoots()
        case .refresh(let over, let replacesViews):
            guard let current = navigation.current else { throw impossible("no screen is open that could be refreshed") }
            screens[current].refreshEnd = max(now + over, screens[current].refreshEnd ?? 0)
            screens[current].replacesViews = replacesViews
            updateRoots()
            endRefreshes()
        case .insert(let id, let content, let frame, let place): try insert(id, content, frame, in: place)
        case .remove(let id):
            let number = try number(of: id)
            setPresent(number, false)
            if let container = entries[number].container { entries[container].children.removeAll { $0 == number } }
            update(entries[number].screen) { $0.remove(number) }
        case .move(let id, let frame):
            let number = try number(of: id)
            entries[number].content.frame = frame
            update(entries[number].screen) { $0.move(number, to: frame) }
        case .start(let screen): update(try number(ofScreen: screen)) { $0.start() }
        case .stop(let screen): update(try number(ofScreen: screen)) { $0.stop() }
        case .restart(let screen): update(try number(ofScreen: screen)) { $0.restart() }
        case .end: for screen in screens.indices { update(screen) }
        }
    }

    private func number(ofScreen screen: Scenario.Named) throws(Mistake) -> Int {
        guard let number = screenNumbers[screen.id] else { throw Mistake(at: screen.at, message: "there is no screen \"\(screen.id)\"") }
        return number
    }

    /// A screen that is to be opened over others, and is nowhere among them.
    private func closed(_ screen: Scenario.Named, _ step: Scenario.Step) throws(Mistake) -> Int {
        let number = try number(ofScreen: screen)
        guard navigation.isOpen else { throw Mistake(at: step.at, message: "no screen is open; begin with \"open\"") }
        guard !navigation.contains(number) else { throw Mistake(at: screen.at, message: "the screen \"\(screen.id)\" is open already") }
        return number
    }

    /// Carries out what covers ask for, one thing after the other, as toolkits do.
    private mutating func navigate() {
        repeat { updateRoots() } while navigation.step()
        updateRoots()
    }

    private mutating func updateRoots() {
        for (number, place) in navigation.places().enumerated() {
            var conditions = RootVisibility.Conditions()
            let screen = screens[number]
            conditions.hasAppeared = place.isCurrent && !(screen.refreshEnd != nil && screen.replacesViews)
            conditions.isInForeground = isInForeground
            conditions.isForcedToDisappear = scenario.screens[number].tabs != nil && !place.isCurrent
            conditions.isRefreshing = screen.refreshEnd != nil && !screen.replacesViews
            conditions.isWaitingForRefresh = screen.returnRefreshEnd != nil
            conditions.cover = place.cover
            if conditions != screen.tracker.root.conditions { update(number) { $0.updateRoot { $0 = conditions } } }
        }
        recorder?.observe(isInForeground: isInForeground, at: now)
    }

    private mutating func waitForRefresh(_ screen: Int, _ duration: Double) {
        screens[screen].returnRefreshEnd = max(now + duration, screens[screen].returnRefreshEnd ?? 0)
        if duration == 0 { updateRoots(); endRefreshes() }
    }

    private mutating func select(_ tab: Scenario.Named, isSwiped: Bool, refresh: Double?) throws(Mistake) {
        let number = try number(ofScreen: tab)
        guard let shown = navigation.shown(byTab: number) else {
            let isTab = scenario.screens[number].tabs != nil
            throw Mistake(at: tab.at, message: isTab ? "the tabs of \"\(tab.id)\" are not open" : "the screen \"\(tab.id)\" is not in \"tabs\"")
        }
        let before = navigation.places()
        if isSwiped, !before[shown].isCurrent {
            // The neighbour gets its appear event while it is being swiped in.
            update(shown) { contents in
                contents.updateRoot {
                    $0.isForcedToDisappear = true
                    $0.hasAppeared = true
                }
            }
        }
        _ = navigation.select(number)
        if let refresh, !before[shown].isCurrent { waitForRefresh(shown, refresh) }
        navigate()
    }

    private mutating func scroll(_ place: Scenario.Named, _ point: CGPoint, isRelative: Bool, over: Double) throws(Mistake) {
        let screen: Int
        let container: Int?
        let scrolling: Scenario.Scrolling
        if let number = screenNumbers[place.id] {
            (screen, container, scrolling) = (number, nil, scenario.screens[number].scrolling)
        } else {
            let number = try number(of: place)
            (screen, container, scrolling) = (entries[number].screen, number, entries[number].content.scrolling)
        }
        guard scrolling != .none else { throw Mistake(at: place.at, message: "\"\(place.id)\" does not scroll; say so with \"scroll\"") }
        var from = container.map { offsets[$0] ?? .zero } ?? screens[screen].offset
        var sample: Double?
        if let running = motions.firstIndex(where: { $0.screen == screen && $0.container == container }) {
            from = motions[running].position(at: now)
            sample = motions[running].last
            motions.remove(at: running)
        }
        let to = isRelative ? CGPoint(x: from.x + point.x, y: from.y + point.y) : point
        // Where a motion was replaced, it has come this far.
        let reached = over > 0 ? from : to
        setOffset(reached, of: container, on: screen)
        update(screen, since: over > 0 ? sample : nil) { $0.scroll(container, to: reached) }
        guard over > 0 else { return }
        motions.append(Motion(screen: screen, container: container, from: from, to: to, start: now, over: over, last: now))
        scrolls.append(now...(now + over))
    }

    private mutating func resize(_ viewport: CGSize, _ frames: [(Scenario.Named, CGRect)]) throws(Mistake) {
        var moved: [Int: [(Int, CGRect)]] = [:]
        for (id, frame) in frames {
            let number = try number(of: id)
            entries[number].content.frame = frame
            moved[entries[number].screen, default: []].append((number, frame))
        }
        for screen in screens.indices {
            update(screen) { contents in
                contents.resize(to: viewport)
                for (number, frame) in moved[screen] ?? [] { contents.move(number, to: frame) }
            }
        }
    }

    private mutating func insert(_ id: Scenario.Named, _ content: Scenario.Content?, _ frame: CGRect, in place: Scenario.Named) throws(Mistake) {
        if let number = numbers[id.id], entries[number].isPresent {
            throw Mistake(at: id.at, message: "the content \"\(id.id)\" is there already")
        }
        let container: Int?
        let screen: Int
        if let number = screenNumbers[place.id] {
            (container, screen) = (nil, number)
        } else {
            let number = try number(of: place)
            (container, screen) = (number, entries[number].screen)
        }
        guard var content = content ?? numbers[id.id].map({ entries[$0].content }) else {
            throw Mistake(at: id.at, message: "there is no content \"\(id.id)\"")
        }
        content.frame = frame
        try checkAbsent(content.contents, id.at)
        let number = define(content, screen: screen)
        entries[number].container = container
        if let container { entries[container].children.append(number) }
        self.place([number], in: container, on: screen)
    }

    private func checkAbsent(_ contents: [Scenario.Content], _ at: Int) throws(Mistake) {
        for content in contents {
            if let id = content.id, let number = numbers[id], entries[number].isPresent {
                throw Mistake(at: at, message: "the content \"\(id)\" is there already")
            }
            try checkAbsent(content.contents, at)
        }
    }
}

extension Posted.Log {
    fileprivate var rank: Int {
        switch self {
        case .screen: 0
        case .shown: 1
        case .seen: 2
        }
    }
}
