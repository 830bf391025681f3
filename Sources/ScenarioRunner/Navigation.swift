import ContentVisibility

/// What is on screen: levels over one another, each with screens pushed over one another, some of them tabs with stacks of their own.
struct Navigation {
    private indirect enum Node {
        case screen(Int)
        case tabs(Tabs)
    }

    private struct Tabs {
        var members: [Int]
        /// What is pushed in each, with the tab itself at the bottom.
        var stacks: [[Node]]
        var selected: Int
    }

    private struct Level {
        var stack: [Node]
        var isSheet = false
        var presenter: PresentationStack<Int>.Presenter
    }

    /// What one screen sees of it.
    struct Place: Equatable {
        /// It is the one its level shows.
        var isCurrent = false
        var cover = RootVisibility.Cover.none
    }

    private let screens: [Scenario.Screen]
    private var levels: [Level] = []
    private var covers = PresentationStack<Int>()
    private var waiting: Set<Int> = []

    init(_ screens: [Scenario.Screen]) { self.screens = screens }

    var isOpen: Bool { !levels.isEmpty }

    /// The screen that the topmost level shows.
    var current: Int? { levels.last.flatMap { Self.current($0.stack) } }

    func places() -> [Place] {
        var places = Array(repeating: Place(), count: screens.count)
        for (index, level) in levels.enumerated() {
            guard let screen = Self.current(level.stack) else { continue }
            let isUnderSheet = levels.dropFirst(index + 1).contains(where: \.isSheet)
            places[screen] = Place(isCurrent: true, cover: covers.isCovered(level.presenter) ? .fullScreen : isUnderSheet ? .sheet : .none)
        }
        return places
    }

    func contains(_ screen: Int) -> Bool { levels.contains { Self.all($0.stack).contains(screen) } }

    // MARK: Steps

    /// Closes whatever is open.
    mutating func close() {
        if let base = levels.first { covers.detach(base.presenter) }
        levels = []
    }

    /// Whether a cover waits for something to be presented from.
    func isWaiting(_ screen: Int) -> Bool { waiting.contains(screen) }

    /// A window with this screen.
    mutating func open(_ screen: Int) {
        levels = [Level(stack: [node(screen)], presenter: covers.attach())]
    }

    mutating func push(_ screen: Int) {
        guard !levels.isEmpty else { return }
        Self.push(node(screen), onto: &levels[levels.count - 1].stack)
    }

    /// False where there is nothing to go back to.
    mutating func pop() -> Bool { !levels.isEmpty && Self.pop(&levels[levels.count - 1].stack) }

    mutating func presentSheet(_ screen: Int) {
        guard let top = levels.last else { return }
        covers.setPresentsOther(top.presenter, true)
        levels.append(Level(stack: [node(screen)], isSheet: true, presenter: covers.attach()))
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
            levels.removeLast()
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
            levels.append(Level(stack: [node(screen)], presenter: covers.attach()))
        case .dismiss(let presenter)?:
            if let index = levels.firstIndex(where: { $0.presenter == presenter }) { levels.removeSubrange((index + 1)...) }
        }
        covers.finish()
        return true
    }

    /// Selects a tab, on the topmost level that has it. Nil where none has, else the screen that the tab shows.
    mutating func select(_ tab: Int) -> Int? {
        for index in levels.indices.reversed() {
            if let screen = Self.select(tab, in: &levels[index].stack) { return screen }
        }
        return nil
    }

    /// The screen that a tab would show.
    func shown(byTab tab: Int) -> Int? {
        var copy = self
        return copy.select(tab)
    }

    // MARK: Stacks

    private func node(_ screen: Int) -> Node {
        guard let name = screens[screen].tabs else { return .screen(screen) }
        let members = screens.indices.filter { screens[$0].tabs == name }
        return .tabs(Tabs(members: members, stacks: members.map { [.screen($0)] }, selected: members.firstIndex(of: screen) ?? 0))
    }

    private static func current(_ stack: [Node]) -> Int? {
        switch stack.last {
        case .screen(let screen)?: screen
        case .tabs(let tabs)?: current(tabs.stacks[tabs.selected])
        case nil: nil
        }
    }

    private static func all(_ stack: [Node]) -> [Int] {
        stack.flatMap { node in
            switch node {
            case .screen(let screen): [screen]
            case .tabs(let tabs): tabs.stacks.flatMap(all)
            }
        }
    }

    private static func push(_ node: Node, onto stack: inout [Node]) {
        if case .tabs(var tabs)? = stack.last {
            push(node, onto: &tabs.stacks[tabs.selected])
            stack[stack.count - 1] = .tabs(tabs)
        } else {
            stack.append(node)
        }
    }

    private static func pop(_ stack: inout [Node]) -> Bool {
        if case .tabs(var tabs)? = stack.last, pop(&tabs.stacks[tabs.selected]) {
            stack[stack.count - 1] = .tabs(tabs)
            return true
        }
        guard stack.count > 1 else { return false }
        stack.removeLast()
        return true
    }

    private static func select(_ tab: Int, in stack: inout [Node]) -> Int? {
        for index in stack.indices.reversed() {
            guard case .tabs(var tabs) = stack[index] else { continue }
            if let member = tabs.members.firstIndex(of: tab) {
                tabs.selected = member
                stack[index] = .tabs(tabs)
                return current(tabs.stacks[member])
            }
            for member in tabs.stacks.indices {
                if let screen = select(tab, in: &tabs.stacks[member]) {
                    stack[index] = .tabs(tabs)
                    return screen
                }
            }
        }
        return nil
    }
}
