import ContentVisibility
import Foundation

extension Replay {
    mutating func perform(_ step: Scenario.Step) throws(Mistake) {
        func impossible(_ message: String) -> Mistake { Mistake(at: step.at, message: message) }
        switch step.action {
        case .open(let screen):
            let number = try number(ofScreen: screen)
            try checkWaits(number, screen, "step")
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
            // A deep link waits until a screen is open.
            let number = navigation.isOpen ? try closed(screen, step) : try number(ofScreen: screen)
            try checkWaits(number, screen, "deep link")
            navigation.presentCover(number)
            navigate()
        case .closeAll:
            navigation.closeAll()
            navigate()
        case .selectTab(let screen, let isSwiped, let refresh): try select(screen, isSwiped: isSwiped, refresh: refresh)
        case .scroll(let place, let point, let isRelative, let over):
            try scroll(place, point, isRelative: isRelative, over: over)
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
            guard let current = navigation.current else {
                throw impossible("no screen is open, so none can be refreshed")
            }
            screens[current].refreshEnd = max(now + over, screens[current].refreshEnd ?? 0)
            screens[current].replacesViews = replacesViews
            updateRoot(current)
            endRefreshes(on: current)
        case .insert(let id, let content, let frame, let place):
            count(id, content, -1)
            try insert(id, content, frame, in: place)
        case .remove(let id):
            let number = try number(of: id)
            let screen = entries[number].screen
            setPresent(number, false)
            attach(number, to: nil)
            if isMoving(screen) {
                removeMotions(on: screen) { [entries] in $0.container.map { !entries[$0].isPresent } ?? false }
            }
            let removed = removed(with: number)
            update(screen) { for (content, isFinal) in removed { $0.remove(content, isFinal: isFinal) } }
        case .move(let id, let frame):
            let number = try number(of: id)
            change(number) { $0.content.frame = frame }
            update(entries[number].screen) { $0.move(number, to: frame) }
        case .start(let screen): update(try number(ofScreen: screen)) { $0.start() }
        case .stop(let screen): update(try number(ofScreen: screen)) { $0.stop() }
        case .restart(let screen): update(try number(ofScreen: screen)) { $0.restart() }
        case .end:
            // Running scrolls have no further sample that could complete a dwell.
            for screen in screens.indices where isMoving(screen) {
                removeMotions(on: screen) { _ in true }
                update(screen)
            }
        }
    }

    private func checkWaits(_ number: Int, _ screen: Scenario.Named, _ step: String) throws(Mistake) {
        guard navigation.isWaiting(number) else { return }
        throw Mistake(
            at: screen.at,
            message: "the screen \"\(screen.id)\" already waits for another screen to present it: "
                + "remove this \(step), or move it")
    }

    func number(ofScreen screen: Scenario.Named) throws(Mistake) -> Int {
        guard let number = screenNumbers[screen.id] else {
            throw Mistake(at: screen.at, message: "unknown screen \"\(screen.id)\"")
        }
        return number
    }

    /// Returns a screen that a step opens over others. Throws if it is open already.
    func closed(_ screen: Scenario.Named, _ step: Scenario.Step) throws(Mistake) -> Int {
        let number = try number(ofScreen: screen)
        guard navigation.isOpen else { throw Mistake(at: step.at, message: "no screen is open; begin with \"open\"") }
        guard !navigation.contains(number) else {
            throw Mistake(at: screen.at, message: "the screen \"\(screen.id)\" is open already")
        }
        return number
    }

    mutating func select(_ tab: Scenario.Named, isSwiped: Bool, refresh: Double?) throws(Mistake) {
        let number = try number(ofScreen: tab)
        guard let shown = navigation.shown(byTab: number) else {
            let isTab = scenario.screens[number].tabs != nil
            throw Mistake(
                at: tab.at,
                message: isTab
                    ? "the tabs of \"\(tab.id)\" are not open" : "the screen \"\(tab.id)\" is not in \"tabs\"")
        }
        let wasCurrent = screens[shown].place.isCurrent
        if isSwiped, !wasCurrent {
            // The tab receives its appear event while the user swipes it in. It is not visible until it is selected.
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

    mutating func scroll(_ place: Scenario.Named, _ point: CGPoint, isRelative: Bool, over: Double) throws(Mistake) {
        let (screen, container) = try find(place)
        let scrolling = container.map { entries[$0].content.scrolling } ?? scenario.screens[screen].scrolling
        guard scrolling != .none else {
            throw Mistake(at: place.at, message: "\"\(place.id)\" does not scroll; declare it with \"scroll\"")
        }
        // The start of a scroll is a sample: all moving containers are brought to their current positions.
        if over > 0 || isMoving(screen) { sample(screen) }
        removeMotions(on: screen) { $0.container == container }
        let from = screens[screen].offsets[container] ?? .zero
        var to = isRelative ? CGPoint(x: from.x + point.x, y: from.y + point.y) : point
        // A container that scrolls in one direction keeps its offset in the other.
        if scrolling == .vertical { to.x = from.x }
        if scrolling == .horizontal { to.y = from.y }
        if over > 0 {
            let motion = ScrollMotion(container: container, from: from, to: to, start: now, over: over)
            screens[screen].nextSample = min(screens[screen].nextSample, motion.next)
            screens[screen].motions.append(motion)
            schedule(screen)
            scrolls.append(now...(now + over))
        } else {
            screens[screen].offsets[container] = to
            update(screen) { $0.scroll(container, to: to) }
        }
    }

    /// Returns the contents that are removed with a content, inner ones first. One is removed for good unless a later
    /// step inserts it, alone or with a content around it.
    private func removed(with number: Int, returns: Bool = false) -> [(number: Int, isFinal: Bool)] {
        let returns = returns || entries[number].content.id.map { insertions[$0] ?? 0 } ?? 0 > 0
        return entries[number].children.flatMap { removed(with: $0, returns: returns) } + [(number, !returns)]
    }

    mutating func resize(_ viewport: CGSize, _ frames: [(Scenario.Named, CGRect)]) throws(Mistake) {
        var moved: [Int: [(Int, CGRect)]] = [:]
        for (id, frame) in frames {
            let number = try number(of: id)
            entries[number].content.frame = frame
            moved[entries[number].screen, default: []].append((number, frame))
        }
        self.viewport = viewport
        for screen in screens.indices {
            screens[screen].length = nil
            update(screen) { contents in
                contents.resize(to: viewport)
                for (number, frame) in moved[screen] ?? [] { contents.move(number, to: frame) }
            }
        }
    }

    mutating func insert(_ id: Scenario.Named, _ content: Scenario.Content?, _ frame: CGRect, in place: Scenario.Named)
        throws(Mistake)
    {
        if let number = numbers[id.id], entries[number].isPresent {
            throw Mistake(at: id.at, message: "the content \"\(id.id)\" exists already")
        }
        let (screen, container) = try find(place)
        let outer = container.map { entries[$0].rule } ?? scenario.screens[screen].rule
        let depth = container.map { entries[$0].depth + 1 } ?? 0
        let number: Int
        if let content {
            try checkAbsent(content.contents, id.at)
            number = define(content, screen: screen, depth: depth, under: outer)
        } else {
            guard let known = numbers[id.id] else {
                throw Mistake(at: id.at, message: "unknown content \"\(id.id)\"")
            }
            number = known
            redefine(number, screen: screen, depth: depth, under: outer)
        }
        guard deepest < Self.maxDepth else {
            throw Mistake(
                at: id.at, message: "contents are nested too deeply: \(Self.maxDepth) levels are the maximum")
        }
        entries[number].content.frame = frame
        attach(number, to: container)
        self.place([number], in: container, on: screen)
    }

    private func find(_ place: Scenario.Named) throws(Mistake) -> (screen: Int, container: Int?) {
        if let number = screenNumbers[place.id] { return (number, nil) }
        let number = try number(of: place)
        return (entries[number].screen, number)
    }

    func checkAbsent(_ contents: [Scenario.Content], _ at: Int) throws(Mistake) {
        for content in contents {
            if let id = content.id, let number = numbers[id], entries[number].isPresent {
                throw Mistake(at: at, message: "the content \"\(id)\" exists already")
            }
            try checkAbsent(content.contents, at)
        }
    }
}
