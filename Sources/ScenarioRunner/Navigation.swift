import ContentVisibility

/// What is on screen: levels over one another, each with screens pushed over one another, some of them tabs with stacks of their own.
///
/// What has become of it is handed over for the screens that are concerned: the others are not looked at, however many are open.
struct Navigation {
    private enum Node {
        case screen(Int)
        /// A group of tabs; as each of its screens, it is there once at most.
        case tabs(Int)
    }

    private struct Group {
        let members: [Int]
        /// What is pushed in each, with the tab itself at the bottom; empty while the group is not there.
        var stacks: [[Node]] = []
        var selected = 0
        /// The level that it is in.
        var level = 0
    }

    private struct Level {
        var stack: [Node]
        var isSheet = false
        var presenter: PresentationStack<Int>.Presenter
        /// What it was said to show.
        var shown: Shown?
    }

    private struct Shown: Equatable {
        var screen: Int
        var cover: RootVisibility.Cover
    }

    /// What one screen sees of it.
    struct Place: Equatable {
        /// It is the one its level shows.
        var isCurrent = false
        var cover = RootVisibility.Cover.none
    }

    /// What has become of screens.
    struct Changes {
        var places: [Int: Place] = [:]
        /// Those that are no longer there, neither in front nor behind others.
        var closed: [Int] = []
    }

    private var groups: [Group] = []
    private var groupNumbers: [Int: Int] = [:]
    private var levels: [Level] = []
    private var covers = PresentationStack<Int>()
    private var waiting: Set<Int> = []
    /// Screens that are there, in front or not.
    private var open: Set<Int> = []

    /// Screens that went, those of them that their level showed, and levels that changed, since changes were handed over.
    private var closed: [Int] = []
    private var hidden: [Int] = []
    private var changedLevels: [Int] = []
    /// The levels that were under nothing whole then.
    private var uncovered = 0..<0

    init(_ screens: [Scenario.Screen]) {
        var numbers: [String: Int] = [:]
        for (number, screen) in screens.enumerated() {
            guard let name = screen.tabs, numbers[name] == nil else { continue }
            numbers[name] = groups.count
            groups.append(Group(members: screens.indices.filter { $0 >= number && screens[$0].tabs == name }))
        }
        for (number, group) in groups.enumerated() { for member in group.members { groupNumbers[member] = number } }
    }

    var isOpen: Bool { !levels.isEmpty }

    /// The screen that the topmost level shows.
    var current: Int? { levels.last.flatMap { current($0.stack) } }

    func contains(_ screen: Int) -> Bool { open.contains(screen) }

    // MARK: Steps

    /// Closes whatever is open.
    mutating func close() {
        if let base = levels.first { covers.detach(base.presenter) }
        removeLevels(from: 0)
    }

    /// Whether a cover waits for something to be presented from.
    func isWaiting(_ screen: Int) -> Bool { waiting.contains(screen) }

    /// A window with this screen.
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

    /// False where there is nothing to go back to.
    mutating func pop() -> Bool {
        guard !levels.isEmpty else { return false }
        changedLevels.append(levels.count - 1)
        for group in frontGroups.reversed() where groups[group].stacks[groups[group].selected].count > 1 {
            if let node = groups[group].stacks[groups[group].selected].popLast() { discard(node) }
            return true
        }
        guard levels[levels.count - 1].stack.count > 1, let node = levels[levels.count - 1].stack.popLast() else { return false }
        discard(node)
        return true
    }

    mutating func presentSheet(_ screen: Int) {
        guard let top = levels.last else { return }
        covers.setPresentsOther(top.presenter, true)
        addLevel(screen, isSheet: true)
    }

    /// Presents a cover, now or when there is something to present it from.
    mutating func presentCover(_ screen: Int) {
        waiting.insert(screen)
        covers.present(screen)
    }

    /// False where nothing is presented.
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

    /// Carries out the next thing that covers ask for; false where they ask for nothing.
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

    /// The screen that a tab would show, and whether it is in front on its level; nil where its group is not there.
    func shown(byTab tab: Int) -> (screen: Int, isCurrent: Bool)? {
        guard let group = groupNumbers[tab], !groups[group].stacks.isEmpty, let member = groups[group].members.firstIndex(of: tab),
            let screen = current(groups[group].stacks[member])
        else { return nil }
        return (screen, current(levels[groups[group].level].stack) == screen)
    }

    mutating func select(_ tab: Int) {
        guard let group = groupNumbers[tab], !groups[group].stacks.isEmpty, let member = groups[group].members.firstIndex(of: tab) else { return }
        groups[group].selected = member
        changedLevels.append(groups[group].level)
    }

    // MARK: Changes

    /// Hands over what has changed since the last call.
    mutating func takeChanges() -> Changes {
        var changes = Changes(closed: closed)
        for screen in hidden { changes.places[screen] = Place() }
        let uncovered = covers.uncovered
        var concerned = Set(changedLevels)
        for (old, new) in [(self.uncovered.lowerBound, uncovered.lowerBound), (self.uncovered.upperBound, uncovered.upperBound)] {
            // And the one below, which was or is on top.
            concerned.formUnion((min(old, new) - 1)..<max(old, new))
        }
        var shown: [Shown] = []
        for index in concerned where levels.indices.contains(index) {
            guard let screen = current(levels[index].stack) else { continue }
            let cover: RootVisibility.Cover = !uncovered.contains(index) ? .fullScreen : index < levels.count - 1 ? .sheet : .none
            let now = Shown(screen: screen, cover: cover)
            guard levels[index].shown != now else { continue }
            if let before = levels[index].shown, before.screen != screen { changes.places[before.screen] = Place() }
            levels[index].shown = now
            shown.append(now)
        }
        for shown in shown { changes.places[shown.screen] = Place(isCurrent: true, cover: shown.cover) }
        self.uncovered = uncovered
        (closed, hidden, changedLevels) = ([], [], [])
        return changes
    }

    // MARK: Stacks

    private mutating func addLevel(_ screen: Int, isSheet: Bool = false) {
        let node = node(screen, on: levels.count)
        levels.append(Level(stack: [node], isSheet: isSheet, presenter: covers.attach()))
        // What was on top is under something now.
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

    /// What a level shows when a screen is put there: the screen, or the group of tabs that it is one of.
    private mutating func node(_ screen: Int, on level: Int) -> Node {
        guard let group = groupNumbers[screen] else {
            open.insert(screen)
            return .screen(screen)
        }
        groups[group].stacks = groups[group].members.map { [.screen($0)] }
        groups[group].selected = groups[group].members.firstIndex(of: screen) ?? 0
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

    /// The groups of tabs in front on the topmost level, from the outermost.
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
