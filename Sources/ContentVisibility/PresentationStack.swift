/// Full-screen covers over one another, without end: what to present and what to close next.
///
/// A **presenter** is what a cover is presented from: one in the first screen, and one in the content of each cover or sheet. An item is taken by the
/// topmost presenter, and only while that presents nothing, since setting an item on one that presents closes what is there; until then it is queued.
/// Covers are closed from the top, one after the other, since of several closed at once some stay open.
///
/// Whoever holds the stack carries out ``next(canPresent:)`` whenever something has changed, and says ``finish()`` when it is done.
public struct PresentationStack<Item> {
    public struct Presenter: Hashable, Sendable {
        fileprivate let number: Int
    }

    public enum Command {
        case present(Item, by: Presenter)
        /// Closes what the presenter presents.
        case dismiss(by: Presenter)
    }

    private enum Presented { case nothing, item, other }

    private struct Level {
        let presenter: Presenter
        var presented = Presented.nothing
    }

    private var levels: [Level] = []
    private var queue: [Item] = []
    private var lastNumber = 0
    /// What has been asked for; a dismissal where there is no item.
    private var running: (presenter: Presenter, item: Item?)?
    /// The level whose covers are being closed.
    private var closing: Int?

    public init() {}

    private func index(of presenter: Presenter) -> Int? { levels.firstIndex { $0.presenter == presenter } }

    /// A presenter has appeared, over all others; a window's first view in place of all.
    public mutating func attach(isFirst: Bool = false) -> Presenter {
        if isFirst { remove(from: 0) }
        lastNumber += 1
        let presenter = Presenter(number: lastNumber)
        levels.append(Level(presenter: presenter))
        return presenter
    }

    /// A presenter has gone, and with it those above. What presented it presents nothing.
    public mutating func detach(_ presenter: Presenter) {
        guard let index = index(of: presenter) else { return }
        remove(from: index)
        guard index > 0 else { return }
        levels[index - 1].presented = .nothing
        endClosing()
    }

    /// Removes levels, and with them the closing of theirs. An item that was on its way from one of them waits again.
    private mutating func remove(from index: Int) {
        levels.removeSubrange(index...)
        endClosing()
        guard let running, self.index(of: running.presenter) == nil else { return }
        self.running = nil
        if let item = running.item { queue.insert(item, at: 0) }
    }

    /// Something that is not the stack's is presented from there, such as a sheet, or is no longer, and with it those above.
    public mutating func setPresentsOther(_ presenter: Presenter, _ isPresenting: Bool) {
        guard let index = index(of: presenter), levels[index].presented != .item else { return }
        if isPresenting { levels[index].presented = .other } else { dismissed(presenter) }
    }

    /// Presents an item over whatever there is, as soon as that is possible.
    public mutating func present(_ item: Item) { queue.append(item) }

    /// Closes the cover that a presenter is in, those above it first.
    public mutating func close(_ presenter: Presenter) {
        guard let index = index(of: presenter) else { return }
        close(to: levels[..<index].lastIndex { $0.presented == .item })
    }

    /// Closes all covers, the topmost first. Items that wait are presented afterwards.
    public mutating func closeAll() { close(to: levels.firstIndex { $0.presented == .item }) }

    private mutating func close(to level: Int?) {
        guard let level else { return }
        closing = min(level, closing ?? level)
    }

    /// What is to be done now; nil while something is under way, or there is nothing to do.
    /// - Parameter canPresent: whether the toolkit would present something from there now.
    public mutating func next(canPresent: (Presenter) -> Bool = { _ in true }) -> Command? {
        guard running == nil else { return nil }
        if let closing, let index = levels[closing...].lastIndex(where: { $0.presented == .item }) {
            running = (levels[index].presenter, nil)
            return .dismiss(by: levels[index].presenter)
        }
        guard let top = levels.indices.last, levels[top].presented == .nothing, !queue.isEmpty, canPresent(levels[top].presenter) else { return nil }
        let item = queue.removeFirst()
        levels[top].presented = .item
        running = (levels[top].presenter, item)
        return .present(item, by: levels[top].presenter)
    }

    /// From where something is being presented or closed; nil where nothing is.
    public var busy: Presenter? { running?.presenter }

    /// What ``next(canPresent:)`` asked for has been done.
    public mutating func finish() {
        guard let running else { return }
        self.running = nil
        if running.item == nil { dismissed(running.presenter) }
    }

    /// What ``next(canPresent:)`` asked for has not been done, and will not be: an item waits again.
    public mutating func giveUp() {
        guard let running, let index = index(of: running.presenter) else { return }
        self.running = nil
        guard let item = running.item else { return dismissed(running.presenter) }
        queue.insert(item, at: 0)
        levels[index].presented = .nothing
    }

    /// What a presenter presented has been closed, by the stack or by a person.
    public mutating func dismissed(_ presenter: Presenter) {
        guard let index = index(of: presenter) else { return }
        if let running, running.presenter == presenter, running.item == nil { self.running = nil }
        remove(from: index + 1)
        levels[index].presented = .nothing
        endClosing()
    }

    private mutating func endClosing() {
        if let level = closing, !levels.indices.contains(level) || !levels[level...].contains(where: { $0.presented == .item }) { closing = nil }
    }

    /// Whether a screen is under a cover, about to be, or in one that is to be closed: levels in between do not become visible on the way.
    public func isCovered(_ presenter: Presenter) -> Bool {
        guard let index = index(of: presenter) else { return false }
        if let closing, index > closing { return true }
        if !queue.isEmpty, index == levels.count - 1, levels[index].presented == .nothing { return true }
        return levels[index...].contains { $0.presented == .item }
    }

    /// How many items wait.
    public var waiting: Int { queue.count }
}

extension PresentationStack: Sendable where Item: Sendable {}
extension PresentationStack.Command: Sendable where Item: Sendable {}
extension PresentationStack.Command: Equatable where Item: Equatable {}
