import ContentVisibility

/// Which screens are open: levels over one another, each with a stack of pushed screens. A screen may be a tab with a
/// stack of its own.
///
/// Changes are handed over for the screens that they concern. Other screens are not looked at, however many are open.
struct Navigation {
    private enum Node {
        case screen(Int)
        /// A group of tabs. Like a screen, it is open once at most.
        case tabs(Int)
    }

    private struct Group {
        var members: [Int] = []
        /// The stack of each tab, with the tab itself at the bottom; empty while the group is not open.
        var stacks: [[Node]] = []
        var selected = 0
        /// The level in which it is.
        var level = 0
    }

    private struct Level {
        var stack: [Node]
        var isSheet = false
        var presenter: PresentationStack<Int>.Presenter
        /// What it showed when changes were last handed over.
        var shown: Shown?
    }

    private struct Shown: Equatable {
        var screen: Int
        var cover: RootVisibility.Cover
    }

    /// What it means for one screen.
    struct Place: Equatable {
        /// Whether its level shows it.
        var isCurrent = false
        var cover = RootVisibility.Cover.none
    }

    /// What has changed for screens.
    struct Changes {
        var places: [Int: Place] = [:]
        /// The screens that are open no longer, neither in front nor behind others.
        var closed: [Int] = []
        /// For a drawing: what is in front of screens that are covered, under a sheet, or left.
        var fronts: [Int: Int] = [:]
    }

    /// Whether changes say what is in front of a screen.
    var namesFronts = false

    private let count: Int
    private var groups: [Group] = []
    /// The group of each tab, and its place there.
    private var tabs: [Int: (group: Int, member: Int)] = [:]
    private var levels: [Level] = []
    private var covers = PresentationStack<Int>()
    private var waiting: Set<Int> = []
    /// The screens that are open, in front or not.
    private var open: Set<Int> = []

    /// Since changes were handed over: screens that have closed, those of them that their level showed, and levels that
    /// have changed.
    private var closed: [Int] = []
    private var hidden: [Int] = []
    private var changedLevels: [Int] = []
    /// The levels that were under no full-screen cover then.
    private var uncovered = 0..<0

    init(_ screens: [Scenario.Screen]) {
        count = screens.count
        var numbers: [String: Int] = [:]
        for (screen, name) in screens.map(\.tabs).enumerated() {
            guard let name else { continue }
            let group = numbers[name, default: groups.count]
            if group == groups.count { groups.append(Group()) }
            numbers[name] = group
            tabs[screen] = (group, groups[group].members.count)
            groups[group].members.append(screen)
        }
    }

    var isOpen: Bool { !levels.isEmpty }

    /// The screen that the topmost level shows.
    var current: Int? { levels.last.flatMap { current($0.stack) } }

    func contains(_ screen: Int) -> Bool { open.contains(screen) }

    // MARK: Steps

    /// Closes everything.
    mutating func close() {
        if let base = levels.first { covers.detach(base.presenter) }
        removeLevels(from: 0)
    }

    /// Whether a screen waits as a cover, for something from which it can be presented.
    func isWaiting(_ screen: Int) -> Bool { waiting.contains(screen) }

    /// Opens a window with this screen.
    mutating func open(_ screen: Int) {
        close()
        addLevel(screen)
    }

    mutating func push(_ screen: Int) {
        guard !levels.isEmpty else { return }
        let node = node(screen, on: levels.count - 1)
        if let group = frontGroups.last {
            groups[group].stacks[groups[group].selected].append(node)
        } else {
            levels[levels.count - 1].stack.append(node)
        }
        changedLevels.append(levels.count - 1)
    }

    /// False if there is nothing to go back to.
    mutating func pop() -> Bool {
        guard !levels.isEmpty else { return false }
        changedLevels.append(levels.count - 1)
        for group in frontGroups.reversed() where groups[group].stacks[groups[group].selected].count > 1 {
            if let node = groups[group].stacks[groups[group].selected].popLast() { discard(node) }
            return true
        }
        guard levels[levels.count - 1].stack.count > 1, let node = levels[levels.count - 1].stack.popLast() else {
            return false
        }
        discard(node)
        return true
    }

    mutating func presentSheet(_ screen: Int) {
        guard let top = levels.last else { return }
        covers.setPresentsOther(top.presenter, true)
        addLevel(screen, isSheet: true)
    }

    /// Presents a cover, now or as soon as something can present it.
    mutating func presentCover(_ screen: Int) {
        waiting.insert(screen)
        covers.present(screen)
    }

    /// False if nothing is presented.
    mutating func dismiss() -> Bool {
        guard levels.count > 1, let top = levels.last else { return false }
        if top.isSheet {
            removeLevels(from: levels.count - 1)
            covers.dismissed(levels[levels.count - 1].presenter)
        } else {
            covers.close(top.presenter)
        }
        return true
    }

    mutating func closeAll() { covers.closeAll() }

    /// Does the next thing that covers ask for; false if they ask for nothing.
    mutating func step() -> Bool {
        switch covers.next() {
        case nil: return false
        case .present(let screen, _)?:
            waiting.remove(screen)
            addLevel(screen)
        case .dismiss(let presenter)?:
            if let index = levels.lastIndex(where: { $0.presenter == presenter }) { removeLevels(from: index + 1) }
        }
        covers.finish()
        return true
    }

    /// Selects a tab, and says which screen it shows; nil if its group is not open.
    mutating func select(_ tab: Int) -> Int? {
        guard let (group, member) = place(ofTab: tab) else { return nil }
        groups[group].selected = member
        changedLevels.append(groups[group].level)
        return current(groups[group].stacks[member])
    }

    /// The screen that a tab would show.
    func shown(byTab tab: Int) -> Int? { place(ofTab: tab).flatMap { current(groups[$0.group].stacks[$0.member]) } }

    private func place(ofTab tab: Int) -> (group: Int, member: Int)? {
        tabs[tab].flatMap { groups[$0.group].stacks.isEmpty ? nil : $0 }
    }

    // MARK: Changes

    /// Hands over what has changed since the last call.
    mutating func takeChanges() -> Changes {
        var changes = Changes(closed: closed)
        for screen in hidden { changes.places[screen] = Place() }
        let uncovered = covers.uncovered
        var concerned = Set(changedLevels)
        for (old, new) in [
            (self.uncovered.lowerBound, uncovered.lowerBound), (self.uncovered.upperBound, uncovered.upperBound),
        ] {
            // With the level below, which was or is on top.
            concerned.formUnion((min(old, new) - 1)..<max(old, new))
        }
        var shown: [Shown] = []
        var successors: [Int: Int] = [:]
        for index in concerned where levels.indices.contains(index) {
            guard let now = self.shown(on: index, uncovered), levels[index].shown != now else { continue }
            if let before = levels[index].shown, before.screen != now.screen {
                changes.places[before.screen] = Place()
                successors[before.screen] = now.screen
            }
            levels[index].shown = now
            shown.append(now)
        }
        for shown in shown { changes.places[shown.screen] = Place(isCurrent: true, cover: shown.cover) }
        if namesFronts { changes.fronts = fronts(of: concerned, successors: successors) }
        self.uncovered = uncovered
        (closed, hidden, changedLevels) = ([], [], [])
        return changes
    }

    /// What covers the screens of these levels, or lies over them, and who has taken the place of others.
    private func fronts(of concerned: Set<Int>, successors: [Int: Int]) -> [Int: Int] {
        var fronts = successors
        // The nearest full-screen cover above, from the top down: each level is passed once.
        var (cover, passed): (Int?, Int) = (nil, levels.count)
        for index in concerned.sorted(by: >) where index >= 0 && index + 1 < levels.count {
            while passed > index + 1 {
                passed -= 1
                if !levels[passed].isSheet { cover = passed }
            }
            guard let shown = levels[index].shown else { continue }
            fronts[shown.screen] = current(levels[shown.cover == .fullScreen ? cover ?? index + 1 : index + 1].stack)
        }
        return fronts
    }

    /// What it means for all screens, for tests and hosts that do not follow the changes.
    func places() -> [Place] {
        var places = Array(repeating: Place(), count: count)
        let uncovered = covers.uncovered
        for shown in levels.indices.compactMap({ shown(on: $0, uncovered) }) {
            places[shown.screen] = Place(isCurrent: true, cover: shown.cover)
        }
        return places
    }

    private func shown(on level: Int, _ uncovered: Range<Int>) -> Shown? {
        current(levels[level].stack).map { screen in
            Shown(
                screen: screen,
                cover: !uncovered.contains(level) ? .fullScreen : level < levels.count - 1 ? .sheet : .none)
        }
    }

    // MARK: Stacks

    private mutating func addLevel(_ screen: Int, isSheet: Bool = false) {
        let node = node(screen, on: levels.count)
        levels.append(Level(stack: [node], isSheet: isSheet, presenter: covers.attach()))
        // The level that was on top is under another now.
        changedLevels += [levels.count - 2, levels.count - 1]
    }

    private mutating func removeLevels(from index: Int) {
        for level in levels[index...] {
            if let shown = level.shown { hidden.append(shown.screen) }
            for node in level.stack { discard(node) }
        }
        levels.removeSubrange(index...)
        changedLevels.append(index - 1)
    }

    /// What a level shows if a screen is put there: the screen, or the group of tabs to which it belongs.
    private mutating func node(_ screen: Int, on level: Int) -> Node {
        guard let (group, member) = tabs[screen] else {
            open.insert(screen)
            return .screen(screen)
        }
        groups[group].stacks = groups[group].members.map { [.screen($0)] }
        groups[group].selected = member
        groups[group].level = level
        open.formUnion(groups[group].members)
        return .tabs(group)
    }

    private mutating func discard(_ node: Node) {
        var nodes = [node]
        while let node = nodes.popLast() {
            switch node {
            case .screen(let screen):
                open.remove(screen)
                closed.append(screen)
            case .tabs(let group):
                for stack in groups[group].stacks { nodes += stack }
                groups[group].stacks = []
            }
        }
    }

    /// The groups of tabs in front on the topmost level, the outermost first.
    private var frontGroups: [Int] {
        var front: [Int] = []
        var node = levels.last?.stack.last
        while case .tabs(let group)? = node {
            front.append(group)
            node = groups[group].stacks[groups[group].selected].last
        }
        return front
    }

    private func current(_ stack: [Node]) -> Int? {
        var node = stack.last
        while case .tabs(let group)? = node { node = groups[group].stacks[groups[group].selected].last }
        guard case .screen(let screen)? = node else { return nil }
        return screen
    }
}
