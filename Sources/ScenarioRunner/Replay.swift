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
        /// The nearest rule, part by part.
        var rule: ImpressionRule
        /// The place of its definition among screens and contents.
        let order: Int
        var isPresent = false
        /// How many contents are around it.
        var depth = 0
        var container: Int?
        /// Its place among the container's.
        var place = 0
        var children: [Int] = []
    }

    /// A container on its way.
    private struct Motion {
        /// nil is the screen itself.
        var container: Int?
        var from: CGPoint
        var to: CGPoint
        var start: Double
        var over: Double
        /// Samples taken, the one at the start included.
        var samples = 1.0

        var end: Double { start + over }

        var next: Double {
            let next = start + samples / 60
            return next < end - instant ? next : end
        }

        func position(at time: Double) -> CGPoint {
            let progress = time < end - instant ? max(0, (time - start) / over) : 1
            return CGPoint(x: from.x + (to.x - from.x) * progress, y: from.y + (to.y - from.y) * progress)
        }
    }

    private struct Screen {
        var tracker: ContentTracker<Int>
        let order: Int
        var place = Navigation.Place()
        var offset = CGPoint.zero
        /// Its containers that are on their way; when they were last sampled, and are next. The times say nothing where there are none.
        var motions: [Motion] = []
        var lastSample = 0.0
        var nextSample = 0.0
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
    /// How many contents are in one another at most; deeper than any screen, as what calls itself has to end somewhere.
    private var deepest = 0
    private static let maxDepth = 1000
    /// How far containers are scrolled.
    private var offsets: [Int: CGPoint] = [:]
    private var navigation: Navigation
    private var isInForeground = true
    /// When something is due on a screen of its own accord: the others are not looked at.
    private var agenda = DueQueue()
    /// The screens that are in a visit.
    private var visible: Set<Int> = []
    private var hasOpened = false
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
            if drawsTimeline { _ = screens[number].tracker.takeChanges() }
            let contents = screen.contents.map { define($0, screen: number, under: screen.rule) }
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
        guard hasOpened else {
            throw Mistake(
                at: scenario.stepsAt,
                message: "no screen is ever opened, so nothing is shown; begin with {\"at\": 0, \"do\": \"open\", \"screen\": …}")
        }
        // Without an end, whatever is on its way arrives.
        if !hasEnded { advance(to: .infinity) }
        // By the milliseconds that are printed, and then by definition; what comes first of one content stays first.
        let sorted = posted.enumerated().sorted { left, right in
            func key(_ item: (offset: Int, element: (post: Posted, order: Int))) -> (Double, Int, Int) {
                ((item.element.post.time * 1000).rounded(), item.element.order, item.offset)
            }
            return key(left) < key(right)
        }
        let posted = sorted.map(\.element.post)
        return Scenario.Result(
            posted: posted,
            timeline: recorder?.timeline(of: scenario, until: now, posted, name: { entries[$0].content.id }, order: { entries[$0].order })
                ?? Timeline(),
            scrolls: scrolls)
    }
}

// MARK: Contents

extension Replay {
    /// Enters a content and those in it; one that was there before keeps its number.
    private mutating func define(_ content: Scenario.Content, screen: Int, depth: Int = 0, under outer: ImpressionRule) -> Int {
        let rule = content.rule.under(outer)
        let number: Int
        if let id = content.id, let known = numbers[id] {
            number = known
            entries[number].content = content
            entries[number].screen = screen
            entries[number].rule = rule
        } else {
            number = entries.count
            entries.append(Entry(content: content, screen: screen, rule: rule, order: nextOrder()))
            if let id = content.id { numbers[id] = number }
        }
        setDepth(depth, of: number)
        for child in entries[number].children { entries[child].container = nil }
        entries[number].children = []
        for child in content.contents { attach(define(child, screen: screen, depth: depth + 1, under: rule), to: number) }
        return number
    }

    /// Brings a content that was there before, and those that were in it at last, under another container.
    private mutating func redefine(_ number: Int, screen: Int, depth: Int, under outer: ImpressionRule) {
        setDepth(depth, of: number)
        entries[number].screen = screen
        entries[number].rule = entries[number].content.rule.under(outer)
        for child in entries[number].children { redefine(child, screen: screen, depth: depth + 1, under: entries[number].rule) }
    }

    private mutating func setDepth(_ depth: Int, of number: Int) {
        entries[number].depth = depth
        deepest = max(deepest, depth)
    }

    /// Puts a content among those of another container, or of none.
    private mutating func attach(_ number: Int, to container: Int?) {
        if let before = entries[number].container, let last = entries[before].children.popLast(), last != number {
            entries[before].children[entries[number].place] = last
            entries[last].place = entries[number].place
        }
        entries[number].container = container
        guard let container else { return }
        entries[number].place = entries[container].children.count
        entries[container].children.append(number)
    }

    /// Puts contents and those in them where they are.
    private mutating func place(_ contents: [Int], in container: Int?, on screen: Int) {
        for content in contents { setPresent(content, true) }
        update(screen) { [entries] tracked in
            func insert(_ number: Int, _ container: Int?) {
                let content = entries[number].content
                tracked.insert(
                    number, frame: content.frame, in: container, scrolls: content.scrolling != .none,
                    isTracked: content.isTracked && content.id != nil, isRemembered: content.isRemembered, rule: entries[number].rule)
                for child in entries[number].children { insert(child, number) }
            }
            for content in contents { insert(content, container) }
        }
    }

    private mutating func setPresent(_ number: Int, _ isPresent: Bool) {
        entries[number].isPresent = isPresent
        offsets[number] = nil
        if isPresent, entries[number].content.isTracked, entries[number].content.id != nil {
            recorder?.place(number, on: entries[number].screen)
        }
        for child in entries[number].children { setPresent(child, isPresent) }
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
        while let first = agenda.first, first.due <= time + instant {
            // What is due in the same instant is due by then, not later.
            now = max(now, min(first.due, time))
            var due: [Int] = []
            while let next = agenda.first, next.due <= now + instant {
                agenda.set(next.number, due: nil)
                due.append(Int(next.number))
            }
            // Where something moves, what the next sample says of the way decides whether a dwell was over.
            for screen in due where !isMoving(screen) {
                if let wakeUp = screens[screen].tracker.nextWakeUp, wakeUp <= now + instant { update(screen) }
            }
            for screen in due where isMoving(screen) && screens[screen].nextSample <= now + instant { sample(screen) }
            for screen in due { endRefreshes(on: screen) }
        }
        if time < .infinity { now = max(now, time) }
    }

    /// Enters when something is due on a screen next.
    private mutating func schedule(_ number: Int) {
        let next = isMoving(number) ? screens[number].nextSample : screens[number].tracker.nextWakeUp
        let due = min(next ?? .infinity, screens[number].returnRefreshEnd ?? .infinity, screens[number].refreshEnd ?? .infinity)
        agenda.set(Int32(number), due: due < .infinity ? due : nil)
    }

    private func isMoving(_ screen: Int) -> Bool { !screens[screen].motions.isEmpty }

    private mutating func removeMotions(on screen: Int, _ isRemoved: (Motion) -> Bool) {
        screens[screen].motions.removeAll(where: isRemoved)
        screens[screen].nextSample = screens[screen].motions.reduce(.infinity) { min($0, $1.next) }
    }

    /// Brings all that moves on a screen to where it is now: a frame shows everything.
    private mutating func sample(_ screen: Int) {
        let moved = screens[screen].motions.map { ($0.container, $0.position(at: now)) }
        let last = isMoving(screen) ? screens[screen].lastSample : nil
        for index in screens[screen].motions.indices where screens[screen].motions[index].next <= now + instant {
            screens[screen].motions[index].samples += 1
        }
        removeMotions(on: screen) { [now] in $0.end <= now + instant }
        for (container, position) in moved { setOffset(position, of: container, on: screen) }
        update(screen, since: last) { tracked in
            for (container, position) in moved { tracked.scroll(container, to: position) }
        }
        screens[screen].lastSample = now
    }

    /// Ends the refreshes of a screen that are due.
    private mutating func endRefreshes(on screen: Int) {
        if let end = screens[screen].returnRefreshEnd, end <= now + instant { screens[screen].returnRefreshEnd = nil }
        if let end = screens[screen].refreshEnd, end <= now + instant { screens[screen].refreshEnd = nil }
        updateRoot(screen)
    }

    private mutating func setOffset(_ offset: CGPoint, of container: Int?, on screen: Int) {
        if let container { offsets[container] = offset } else { screens[screen].offset = offset }
    }

    /// A content that came from another screen still comes after its screen.
    private func order(of content: Int, on screen: Int) -> Int { max(entries[content].order, screens[screen].order) }

    /// Makes a change to a screen, and keeps what is posted.
    private mutating func update(_ number: Int, since sample: Double? = nil, _ change: (inout TrackedContents<Int>) -> Void = { _ in }) {
        var due: [ContentTracker<Int>.Post] = []
        let sample = sample ?? (isMoving(number) ? screens[number].lastSample : nil)
        screens[number].tracker.update(at: now, since: sample, post: { due.append($0) }, change)
        let id = scenario.screens[number].id
        for post in due {
            switch post.log {
            case .screen:
                if scenario.screens[number].postsScreenLog {
                    posted.append((Posted(time: post.time, log: .screen, screen: id), screens[number].order))
                }
            case .shown(let content):
                posted.append(
                    (Posted(time: post.time, log: .shown, content: entries[content].content.id, screen: id), order(of: content, on: number)))
            case .seen(let content):
                posted.append((Posted(time: post.time, log: .seen, content: entries[content].content.id, screen: id), order(of: content, on: number)))
            }
        }
        let root = screens[number].tracker.root
        if root.isVisible { visible.insert(number) } else { visible.remove(number) }
        schedule(number)
        guard recorder != nil else { return }
        recorder?.observe(root, screen: number, at: now)
        for change in screens[number].tracker.takeChanges() { recorder?.observe(change, screen: number) }
    }
}

// MARK: Steps

extension Replay {
    private mutating func perform(_ step: Scenario.Step) throws(Mistake) {
        func impossible(_ message: String) -> Mistake { Mistake(at: step.at, message: message) }
        switch step.action {
        case .open(let screen):
            let number = try number(ofScreen: screen)
            guard !navigation.isWaiting(number) else { throw Mistake(at: screen.at, message: "the screen \"\(screen.id)\" is on its way already") }
            hasOpened = true
            navigation.close()
            navigate()
            navigation.open(number)
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
            let number = navigation.isOpen ? try closed(screen, step) : try number(ofScreen: screen)
            guard !navigation.isWaiting(number) else { throw Mistake(at: screen.at, message: "the screen \"\(screen.id)\" is on its way already") }
            navigation.presentCover(number)
            navigate()
        case .closeAll:
            navigation.closeAll()
            navigate()
        case .selectTab(let screen, let isSwiped, let refresh): try select(screen, isSwiped: isSwiped, refresh: refresh)
        case .scroll(let place, let point, let isRelative, let over): try scroll(place, point, isRelative: isRelative, over: over)
        case .resize(let viewport, let frames): try resize(viewport, frames)
        case .background:
            isInForeground = false
            updateRootsInFront()
        case .foreground(let refresh):
            guard !isInForeground else { return }
            isInForeground = true
            guard let current = navigation.current else { return updateRootsInFront() }
            if let refresh { waitForRefresh(current, refresh) }
            updateRootsInFront()
            endRefreshes(on: current)
        case .refresh(let over, let replacesViews):
            guard let current = navigation.current else { throw impossible("no screen is open that could be refreshed") }
            screens[current].refreshEnd = max(now + over, screens[current].refreshEnd ?? 0)
            screens[current].replacesViews = replacesViews
            updateRoot(current)
            endRefreshes(on: current)
        case .insert(let id, let content, let frame, let place): try insert(id, content, frame, in: place)
        case .remove(let id):
            let number = try number(of: id)
            let screen = entries[number].screen
            setPresent(number, false)
            attach(number, to: nil)
            if isMoving(screen) { removeMotions(on: screen) { [entries] in $0.container.map { !entries[$0].isPresent } ?? false } }
            update(screen) { $0.remove(number) }
        case .move(let id, let frame):
            let number = try number(of: id)
            entries[number].content.frame = frame
            update(entries[number].screen) { $0.move(number, to: frame) }
        case .start(let screen): update(try number(ofScreen: screen)) { $0.start() }
        case .stop(let screen): update(try number(ofScreen: screen)) { $0.stop() }
        case .restart(let screen): update(try number(ofScreen: screen)) { $0.restart() }
        case .end:
            // There is no next sample to wait for.
            for screen in screens.indices where isMoving(screen) {
                removeMotions(on: screen) { _ in true }
                update(screen)
            }
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
        repeat {
            let changes = navigation.takeChanges()
            // With a screen goes its refresh.
            for screen in changes.closed { (screens[screen].refreshEnd, screens[screen].returnRefreshEnd) = (nil, nil) }
            for (screen, place) in changes.places { screens[screen].place = place }
            for screen in Set(changes.closed).union(changes.places.keys) { updateRoot(screen) }
        } while navigation.step()
    }

    /// Tells a screen what its conditions are now.
    private mutating func updateRoot(_ number: Int) {
        let conditions = conditions(of: screens[number], isTab: scenario.screens[number].tabs != nil)
        if conditions != screens[number].tracker.root.conditions { update(number) { $0.updateRoot { $0 = conditions } } } else { schedule(number) }
    }

    private func conditions(of screen: Screen, isTab: Bool) -> RootVisibility.Conditions {
        var conditions = RootVisibility.Conditions()
        conditions.hasAppeared = screen.place.isCurrent && !(screen.refreshEnd != nil && screen.replacesViews)
        conditions.isInForeground = isInForeground
        conditions.isForcedToDisappear = isTab && !screen.place.isCurrent
        conditions.isRefreshing = screen.refreshEnd != nil && !screen.replacesViews
        conditions.isWaitingForRefresh = screen.returnRefreshEnd != nil
        conditions.cover = screen.place.cover
        return conditions
    }

    /// The app has come to the foreground, or gone: that ends visits, and begins one on top. All other screens are told when something becomes of them.
    private mutating func updateRootsInFront() {
        for screen in visible.union(navigation.current.map { [$0] } ?? []) { updateRoot(screen) }
        recorder?.observe(isInForeground: isInForeground, at: now)
    }

    private mutating func waitForRefresh(_ screen: Int, _ duration: Double) {
        screens[screen].returnRefreshEnd = max(now + duration, screens[screen].returnRefreshEnd ?? 0)
    }

    private mutating func select(_ tab: Scenario.Named, isSwiped: Bool, refresh: Double?) throws(Mistake) {
        let number = try number(ofScreen: tab)
        guard let shown = navigation.shown(byTab: number) else {
            let isTab = scenario.screens[number].tabs != nil
            throw Mistake(at: tab.at, message: isTab ? "the tabs of \"\(tab.id)\" are not open" : "the screen \"\(tab.id)\" is not in \"tabs\"")
        }
        let wasCurrent = screens[shown].place.isCurrent
        if isSwiped, !wasCurrent {
            // The neighbour gets its appear event while it is being swiped in.
            update(shown) { contents in
                contents.updateRoot {
                    $0.isForcedToDisappear = true
                    $0.hasAppeared = true
                }
            }
        }
        _ = navigation.select(number)
        if let refresh, !wasCurrent { waitForRefresh(shown, refresh) }
        navigate()
        updateRoot(shown)
        endRefreshes(on: shown)
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
        // What moves is where it is now, and a scroll that begins is a sample.
        if over > 0 || isMoving(screen) { sample(screen) }
        removeMotions(on: screen) { $0.container == container }
        let from = container.map { offsets[$0] ?? .zero } ?? screens[screen].offset
        var to = isRelative ? CGPoint(x: from.x + point.x, y: from.y + point.y) : point
        // What scrolls one way stays where it is in the other.
        if scrolling == .vertical { to.x = from.x }
        if scrolling == .horizontal { to.y = from.y }
        if over > 0 {
            let motion = Motion(container: container, from: from, to: to, start: now, over: over)
            screens[screen].nextSample = min(screens[screen].nextSample, motion.next)
            screens[screen].motions.append(motion)
            schedule(screen)
            scrolls.append(now...(now + over))
        } else {
            setOffset(to, of: container, on: screen)
            update(screen) { $0.scroll(container, to: to) }
        }
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
        let outer = container.map { entries[$0].rule } ?? scenario.screens[screen].rule
        let depth = container.map { entries[$0].depth + 1 } ?? 0
        let number: Int
        if let content {
            try checkAbsent(content.contents, id.at)
            number = define(content, screen: screen, depth: depth, under: outer)
        } else {
            guard let known = numbers[id.id] else { throw Mistake(at: id.at, message: "there is no content \"\(id.id)\"") }
            number = known
            redefine(number, screen: screen, depth: depth, under: outer)
        }
        guard deepest < Self.maxDepth else {
            throw Mistake(at: id.at, message: "contents are nested too deeply here: \(Self.maxDepth) in one another are the most")
        }
        entries[number].content.frame = frame
        attach(number, to: container)
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
