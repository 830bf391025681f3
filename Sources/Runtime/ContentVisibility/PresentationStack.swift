/// Full-screen covers over one another, without end: what to present and what to close next.
///
/// In SwiftUI, `FullScreenCovers` holds one for you. A UIKit app that opens deep links holds one itself.
///
/// A **presenter** is what a cover is presented from. There is one in the first screen, and one in the content of each
/// cover or sheet. The topmost presenter takes an item, and only while it presents nothing: an item set on a presenter
/// that presents already would close what is there. Until then the item waits. Covers are closed from the top, one
/// after the other: if several are closed at once, some stay open.
///
/// Whoever holds the stack calls ``next(canPresent:)`` whenever something has changed, does what it says, and calls
/// ``finish()`` when that is done.
public struct PresentationStack<Item> {
    /// What a cover is presented from: the first screen, or the content of a cover or sheet.
    public struct Presenter: Hashable, Sendable {
        fileprivate let number: Int
    }

    /// What to do next.
    public enum Command {
        /// Presents the item from the presenter.
        case present(Item, by: Presenter)
        /// Closes what the presenter presents.
        case dismiss(by: Presenter)
    }

    private enum Presented { case nothing, item, other }

    private struct Level {
        let presenter: Presenter
        var presented = Presented.nothing
    }

    /// In the order of their presenters' numbers.
    private var levels: [Level] = []
    /// The levels that present an item, from the lowest. Questions are answered from these, so that many levels cost no
    /// more.
    private var presenting: [Int] = []
    private var queue = PresentationQueue<Item>()
    private var lastNumber = 0
    /// The command that is being carried out. Without an item it is a dismissal.
    private var running: (presenter: Presenter, item: Item?)?
    /// The level whose covers are being closed.
    private var closing: Int?

    public init() {}

    private func index(of presenter: Presenter) -> Int? {
        let index = levels.count(before: { $0.presenter.number < presenter.number })
        return index < levels.count && levels[index].presenter == presenter ? index : nil
    }

    private mutating func set(_ presented: Presented, at index: Int) {
        guard (presented == .item) != (levels[index].presented == .item) else {
            levels[index].presented = presented
            return
        }
        levels[index].presented = presented
        let place = presenting.count(before: { $0 < index })
        if presented == .item { presenting.insert(index, at: place) } else { presenting.remove(at: place) }
    }

    /// A presenter has appeared, over all others. A window's first view takes the place of all of them.
    public mutating func attach(isFirst: Bool = false) -> Presenter {
        if isFirst { remove(from: 0) }
        lastNumber += 1
        let presenter = Presenter(number: lastNumber)
        levels.append(Level(presenter: presenter))
        return presenter
    }

    /// A presenter has gone, and those above it too. The one below presents nothing now.
    public mutating func detach(_ presenter: Presenter) {
        guard let index = index(of: presenter) else { return }
        remove(from: index)
        guard index > 0 else { return }
        set(.nothing, at: index - 1)
        endClosing()
    }

    /// Removes levels, and forgets that they were to be closed. An item that was on its way from one of them waits
    /// again.
    private mutating func remove(from index: Int) {
        levels.removeSubrange(index...)
        while let last = presenting.last, last >= index { presenting.removeLast() }
        endClosing()
        guard let running, self.index(of: running.presenter) == nil else { return }
        self.running = nil
        if let item = running.item { queue.putBack(item) }
    }

    /// A presenter presents something that is not the stack's, such as a sheet; or no longer does, and the levels above
    /// have gone too.
    public mutating func setPresentsOther(_ presenter: Presenter, _ isPresenting: Bool) {
        guard let index = index(of: presenter), levels[index].presented != .item else { return }
        if isPresenting { set(.other, at: index) } else { dismissed(presenter) }
    }

    /// Presents an item over whatever is there, as soon as that is possible.
    public mutating func present(_ item: Item) { queue.append(item) }

    /// Closes the cover in which a presenter is. Covers above it close first.
    public mutating func close(_ presenter: Presenter) {
        guard let index = index(of: presenter) else { return }
        let below = presenting.count(before: { $0 < index })
        close(to: below > 0 ? presenting[below - 1] : nil)
    }

    /// Closes all covers, the topmost first. Items that wait are presented afterwards.
    public mutating func closeAll() { close(to: presenting.first) }

    private mutating func close(to level: Int?) {
        guard let level else { return }
        closing = min(level, closing ?? level)
    }

    /// What is to be done now; nil if something is under way, or if there is nothing to do.
    /// - Parameter canPresent: whether the toolkit would present something from this presenter now.
    public mutating func next(canPresent: (Presenter) -> Bool = { _ in true }) -> Command? {
        guard running == nil else { return nil }
        if let closing, let index = presenting.last, index >= closing {
            running = (levels[index].presenter, nil)
            return .dismiss(by: levels[index].presenter)
        }
        guard let top = levels.indices.last, levels[top].presented == .nothing, !queue.isEmpty,
            canPresent(levels[top].presenter),
            let item = queue.removeFirst()
        else { return nil }
        set(.item, at: top)
        running = (levels[top].presenter, item)
        return .present(item, by: levels[top].presenter)
    }

    /// The presenter from which something is being presented or closed; nil if nothing is.
    public var busy: Presenter? { running?.presenter }

    /// What ``next(canPresent:)`` asked for has been done.
    public mutating func finish() {
        guard let running else { return }
        self.running = nil
        if running.item == nil { dismissed(running.presenter) }
    }

    /// What ``next(canPresent:)`` asked for will not be done. Its item waits again.
    public mutating func giveUp() {
        guard let running, let index = index(of: running.presenter) else { return }
        self.running = nil
        guard let item = running.item else { return dismissed(running.presenter) }
        queue.putBack(item)
        set(.nothing, at: index)
    }

    /// What a presenter presented has been closed, by the stack or by a person.
    public mutating func dismissed(_ presenter: Presenter) {
        guard let index = index(of: presenter) else { return }
        if let running, running.presenter == presenter, running.item == nil { self.running = nil }
        remove(from: index + 1)
        set(.nothing, at: index)
        endClosing()
    }

    private mutating func endClosing() {
        if let level = closing, (presenting.last ?? -1) < level { closing = nil }
    }

    /// Whether a presenter's screen is under a cover, will be at once, or is in a cover that is to be closed. Levels in
    /// between stay covered on the way.
    public func isCovered(_ presenter: Presenter) -> Bool {
        guard let index = index(of: presenter) else { return false }
        return !uncovered.contains(index)
    }

    /// The levels that are not covered, as ``isCovered(_:)`` has it, counted from the lowest.
    package var uncovered: Range<Int> {
        let isAboutToCover = !queue.isEmpty && levels.last?.presented == .nothing
        let first = (presenting.last ?? -1) + 1
        let end = min(closing.map { $0 + 1 } ?? levels.count, isAboutToCover ? levels.count - 1 : levels.count)
        return first..<max(first, end)
    }

    /// How many items wait.
    public var waiting: Int { queue.count }
}

extension PresentationStack: Sendable where Item: Sendable {}
extension PresentationStack.Command: Sendable where Item: Sendable {}
extension PresentationStack.Command: Equatable where Item: Equatable {}
