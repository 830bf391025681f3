import ContentVisibility

/// The open screens: levels over one another, each with a stack of pushed screens. Each tab also has a stack.
///
/// Changes are collected per screen, so their cost does not depend on the number of open screens.
struct Navigation {
    private enum Node {
        case screen(Int)
        /// A group of tabs. Like a screen, it is open at most once.
        case tabs(Int)
    }

    private struct Group {
        var members: [Int] = []
        /// The stack of each tab, with the tab at the bottom; empty while the group is closed.
        var stacks: [[Node]] = []
        var selected = 0
        var outerLevel = 0
    }

    private struct Level {
        var stack: [Node]
        var isSheet = false
        var presenter: PresentationStack<Int>.Presenter
        var lastShown: VisibleState?
    }

    private struct VisibleState: Equatable {
        var screen: Int
        var cover: RootVisibility.Cover
    }

    /// The visibility of one screen in the navigation.
    struct Place: Equatable {
        /// A Boolean value that indicates whether the screen's level shows it.
        var isCurrent = false
        var cover = RootVisibility.Cover.none
    }

    /// The changes of screens since the last call of `takeChanges`.
    struct Changes {
        var places: [Int: Place] = [:]
        /// The screens that are no longer open.
        var closed: [Int] = []
        /// The screen in front of each covered or replaced screen: a cover, a sheet, or the next screen on its level.
        /// Timelines show it. Empty unless `namesFronts` is true.
        var fronts: [Int: Int] = [:]
    }

    /// A Boolean value that indicates whether changes contain `fronts`.
    var namesFronts = false

    private let count: Int
    private var groups: [Group] = []
    private var tabPlaces: [Int: (group: Int, member: Int)] = [:]
    private var levels: [Level] = []
    private var covers = PresentationStack<Int>()
    private var waiting: Set<Int> = []
    private var openScreens: Set<Int> = []

    private var newlyClosed: [Int] = []
    private var shownOnRemovedLevels: [Int] = []
    private var changedLevels: [Int] = []
    private var lastUncovered = 0..<0

    init(_ screens: [Scenario.Screen]) {
        count = screens.count
        var numbers: [String: Int] = [:]
        for (screen, name) in screens.map(\.tabs).enumerated() {
            guard let name else { continue }
            let group = numbers[name, default: groups.count]
            if group == groups.count { groups.append(Group()) }
            numbers[name] = group
            tabPlaces[screen] = (group, groups[group].members.count)
            groups[group].members.append(screen)
        }
    }

    var isOpen: Bool { !levels.isEmpty }

    /// The screen that the topmost level shows.
    var current: Int? { levels.last.flatMap { current($0.stack) } }

    func contains(_ screen: Int) -> Bool { openScreens.contains(screen) }

    // MARK: Steps

    mutating func close() {
        if let base = levels.first { covers.detach(base.presenter) }
        removeLevels(from: 0)
    }

    /// Returns whether a screen waits for another screen that can present it as a cover.
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

    /// Returns to the previous screen. Returns false if nothing was pushed.
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

    /// Presents a cover, now or as soon as a screen can present it.
    mutating func presentCover(_ screen: Int) {
        waiting.insert(screen)
        covers.present(screen)
    }

    /// Dismisses the topmost level. Returns false if nothing is presented.
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

    /// Performs the next presentation or dismissal that is pending. Returns false if nothing is pending.
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

    /// Selects a tab and returns the screen that it shows; nil if its group is not open.
    mutating func select(_ tab: Int) -> Int? {
        guard let (group, member) = place(ofTab: tab) else { return nil }
        groups[group].selected = member
        changedLevels.append(groups[group].outerLevel)
        return current(groups[group].stacks[member])
    }

    /// Returns the screen that a tab would show; nil if its group is not open.
    func shown(byTab tab: Int) -> Int? { place(ofTab: tab).flatMap { current(groups[$0.group].stacks[$0.member]) } }

    private func place(ofTab tab: Int) -> (group: Int, member: Int)? {
        tabPlaces[tab].flatMap { groups[$0.group].stacks.isEmpty ? nil : $0 }
    }

    // MARK: Changes

    /// Returns the changes since the last call.
    mutating func takeChanges() -> Changes {
        var changes = Changes(closed: newlyClosed)
        for screen in shownOnRemovedLevels { changes.places[screen] = Place() }
        let uncovered = covers.uncovered
        var concerned = Set(changedLevels)
        for (old, new) in [
            (lastUncovered.lowerBound, uncovered.lowerBound), (lastUncovered.upperBound, uncovered.upperBound),
        ] {
            // The level below a range is included, because its cover changes, too.
            concerned.formUnion((min(old, new) - 1)..<max(old, new))
        }
        var shown: [VisibleState] = []
        var successors: [Int: Int] = [:]
        for index in concerned where levels.indices.contains(index) {
            guard let now = self.shown(on: index, uncovered), levels[index].lastShown != now else { continue }
            if let before = levels[index].lastShown, before.screen != now.screen {
                changes.places[before.screen] = Place()
                successors[before.screen] = now.screen
            }
            levels[index].lastShown = now
            shown.append(now)
        }
        for shown in shown { changes.places[shown.screen] = Place(isCurrent: true, cover: shown.cover) }
        if namesFronts { changes.fronts = screensInFront(of: concerned, successors: successors) }
        lastUncovered = uncovered
        (newlyClosed, shownOnRemovedLevels, changedLevels) = ([], [], [])
        return changes
    }

    /// Returns the screens in front: a cover, a sheet, or the successor on the same level.
    private func screensInFront(of concerned: Set<Int>, successors: [Int: Int]) -> [Int: Int] {
        var fronts = successors
        // Finds the nearest full-screen cover above each level. From the top down, each level is visited once.
        var (cover, passed): (Int?, Int) = (nil, levels.count)
        for index in concerned.sorted(by: >) where index >= 0 && index + 1 < levels.count {
            while passed > index + 1 {
                passed -= 1
                if !levels[passed].isSheet { cover = passed }
            }
            guard let shown = levels[index].lastShown else { continue }
            fronts[shown.screen] = current(levels[shown.cover == .fullScreen ? cover ?? index + 1 : index + 1].stack)
        }
        return fronts
    }

    /// Returns the places of all screens, for tests and hosts that do not use `takeChanges`.
    func places() -> [Place] {
        var places = Array(repeating: Place(), count: count)
        let uncovered = covers.uncovered
        for shown in levels.indices.compactMap({ shown(on: $0, uncovered) }) {
            places[shown.screen] = Place(isCurrent: true, cover: shown.cover)
        }
        return places
    }

    private func shown(on level: Int, _ uncovered: Range<Int>) -> VisibleState? {
        current(levels[level].stack).map { screen in
            VisibleState(
                screen: screen,
                cover: !uncovered.contains(level) ? .fullScreen : level < levels.count - 1 ? .sheet : .none)
        }
    }

    // MARK: Stacks

    private mutating func addLevel(_ screen: Int, isSheet: Bool = false) {
        let node = node(screen, on: levels.count)
        levels.append(Level(stack: [node], isSheet: isSheet, presenter: covers.attach()))
        // The previous topmost level is now under another.
        changedLevels += [levels.count - 2, levels.count - 1]
    }

    private mutating func removeLevels(from index: Int) {
        for level in levels[index...] {
            if let shown = level.lastShown { shownOnRemovedLevels.append(shown.screen) }
            for node in level.stack { discard(node) }
        }
        levels.removeSubrange(index...)
        changedLevels.append(index - 1)
    }

    private mutating func node(_ screen: Int, on level: Int) -> Node {
        guard let (group, member) = tabPlaces[screen] else {
            openScreens.insert(screen)
            return .screen(screen)
        }
        groups[group].stacks = groups[group].members.map { [.screen($0)] }
        groups[group].selected = member
        groups[group].outerLevel = level
        openScreens.formUnion(groups[group].members)
        return .tabs(group)
    }

    private mutating func discard(_ node: Node) {
        var nodes = [node]
        while let node = nodes.popLast() {
            switch node {
            case .screen(let screen):
                openScreens.remove(screen)
                newlyClosed.append(screen)
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
