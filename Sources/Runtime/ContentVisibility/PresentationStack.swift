/// A stack of full-screen covers that determines what to present and what to close next.
///
/// In SwiftUI, `FullScreenCovers` contains one. A UIKit app that opens deep links creates its own.
///
/// A **presenter** presents a cover. The first screen and the content of each cover or sheet have one. The topmost
/// presenter presents an item as soon as it presents nothing else; until then, the item waits. A presenter must not
/// replace the cover that it presents, because that would close the cover. Covers are closed one after the other, from
/// the top: if several are closed at once, some stay open.
///
/// The owner calls ``next(canPresent:)`` after every change, executes the command, and then calls ``finish()``.
public struct PresentationStack<Item> {
    /// An object that presents covers: the first screen, or the content of a cover or sheet.
    public struct Presenter: Hashable, Sendable {
        fileprivate let number: Int
    }

    /// The next action.
    public enum Command {
        /// Presents the item from the presenter.
        case present(Item, by: Presenter)
        /// Closes the cover of the presenter.
        case dismiss(by: Presenter)
    }

    private enum Presented { case nothing, item, other }

    private struct Level {
        let presenter: Presenter
        var presented = Presented.nothing
    }

    /// The levels, ordered by the numbers of their presenters.
    private var levels: [Level] = []
    /// The indices of the levels that present an item, in ascending order. Queries use these indices, so the cost of a
    /// query does not grow with the number of levels.
    private var presenting: [Int] = []
    private var queue: [Item] = []
    private var lastNumber = 0
    /// The command in progress. A command without an item is a dismissal.
    private var running: (presenter: Presenter, item: Item?)?
    /// The lowest level whose cover is being closed; nil if none is.
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

    /// Adds a presenter that has appeared above all others. If `isFirst` is true, the presenter is the first screen of
    /// the window, and replaces all others.
    public mutating func attach(isFirst: Bool = false) -> Presenter {
        if isFirst { remove(from: 0) }
        lastNumber += 1
        let presenter = Presenter(number: lastNumber)
        levels.append(Level(presenter: presenter))
        return presenter
    }

    /// Removes a presenter that has disappeared, and the presenters above it. The presenter below presents nothing now.
    public mutating func detach(_ presenter: Presenter) {
        guard let index = index(of: presenter) else { return }
        remove(from: index)
        guard index > 0 else { return }
        set(.nothing, at: index - 1)
        endClosing()
    }

    /// Removes the levels from an index. A dismissal in them ends, and an item that one was presenting waits again.
    private mutating func remove(from index: Int) {
        levels.removeSubrange(index...)
        while let last = presenting.last, last >= index { presenting.removeLast() }
        endClosing()
        guard let running, self.index(of: running.presenter) == nil else { return }
        self.running = nil
        if let item = running.item { queue.insert(item, at: 0) }
    }

    /// Sets whether a presenter presents something outside the stack, such as a sheet. When the presenter no longer
    /// does, the levels above are removed.
    public mutating func setPresentsOther(_ presenter: Presenter, _ isPresenting: Bool) {
        guard let index = index(of: presenter), levels[index].presented != .item else { return }
        if isPresenting { set(.other, at: index) } else { dismissed(presenter) }
    }

    /// Adds an item, to be presented over the current screens as soon as possible.
    public mutating func present(_ item: Item) { queue.append(item) }

    /// Closes the cover that contains a presenter. Covers above it close first.
    public mutating func close(_ presenter: Presenter) {
        guard let index = index(of: presenter) else { return }
        let below = presenting.count(before: { $0 < index })
        close(to: below > 0 ? presenting[below - 1] : nil)
    }

    /// Closes all covers, the topmost first. Waiting items are presented afterwards.
    public mutating func closeAll() { close(to: presenting.first) }

    private mutating func close(to level: Int?) {
        guard let level else { return }
        closing = min(level, closing ?? level)
    }

    /// Returns the next command; nil if a command is in progress, if nothing is to be presented or closed, or if
    /// `canPresent` returns false for the topmost presenter.
    /// - Parameter canPresent: Returns whether the toolkit would present from this presenter now.
    public mutating func next(canPresent: (Presenter) -> Bool = { _ in true }) -> Command? {
        guard running == nil else { return nil }
        if let closing, let index = presenting.last, index >= closing {
            running = (levels[index].presenter, nil)
            return .dismiss(by: levels[index].presenter)
        }
        guard let top = levels.indices.last, levels[top].presented == .nothing, let item = queue.first,
            canPresent(levels[top].presenter)
        else { return nil }
        queue.removeFirst()
        set(.item, at: top)
        running = (levels[top].presenter, item)
        return .present(item, by: levels[top].presenter)
    }

    /// The presenter of the command in progress, if any.
    public var busy: Presenter? { running?.presenter }

    /// Reports that the command of ``next(canPresent:)`` has been executed.
    public mutating func finish() {
        guard let running else { return }
        self.running = nil
        if running.item == nil { dismissed(running.presenter) }
    }

    /// Reports that the command of ``next(canPresent:)`` will not be executed. Its item waits again.
    public mutating func giveUp() {
        guard let running, let index = index(of: running.presenter) else { return }
        self.running = nil
        guard let item = running.item else { return dismissed(running.presenter) }
        queue.insert(item, at: 0)
        set(.nothing, at: index)
    }

    /// Reports that the cover or sheet of a presenter was closed, by the stack or by the user.
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

    /// Returns whether the screen of a presenter is under a cover, is about to be, or is in a cover that is closing.
    /// Levels in between stay covered during dismissals.
    public func isCovered(_ presenter: Presenter) -> Bool {
        guard let index = index(of: presenter) else { return false }
        return !uncovered.contains(index)
    }

    /// The indices of the levels for which ``isCovered(_:)`` is false.
    package var uncovered: Range<Int> {
        let isAboutToCover = !queue.isEmpty && levels.last?.presented == .nothing
        let first = (presenting.last ?? -1) + 1
        let end = min(closing.map { $0 + 1 } ?? levels.count, isAboutToCover ? levels.count - 1 : levels.count)
        return first..<max(first, end)
    }

    /// The number of waiting items.
    public var waiting: Int { queue.count }
}

extension PresentationStack: Sendable where Item: Sendable {}
extension PresentationStack.Command: Sendable where Item: Sendable {}
extension PresentationStack.Command: Equatable where Item: Equatable {}
