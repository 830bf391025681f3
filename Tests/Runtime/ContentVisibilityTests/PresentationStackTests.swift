import ContentVisibility
import Testing
import TestSupport

/// Stands for a toolkit: carries out what the stack asks for, as slowly as it is told to.
private struct Toolkit {
    var stack = PresentationStack<String>()
    /// From the first screen up; nil for a sheet of the app's own.
    var open: [(item: String?, presenter: PresentationStack<String>.Presenter)] = []
    var running: PresentationStack<String>.Command?
    /// What was closed, in order.
    var closed: [String] = []

    init() { open.append(("root", stack.attach())) }

    var items: [String?] { open.map(\.item) }

    /// Begins what the stack asks for next.
    mutating func begin() -> Bool {
        guard running == nil, let command = stack.next() else { return false }
        running = command
        return true
    }

    mutating func finish() {
        switch running {
        case .present(let item, let presenter)?:
            // Whoever presents already would close what it presents.
            #expect(open.last?.presenter == presenter)
            open.append((item, stack.attach()))
        case .dismiss(let presenter)?:
            let index = open.firstIndex { $0.presenter == presenter } ?? 0
            // Of several closed at once, some would stay open; a sheet goes with the cover it is on.
            #expect(open[(index + 1)...].filter { $0.item != nil }.count == 1)
            closed += open[(index + 1)...].compactMap(\.item)
            open.removeSubrange((index + 1)...)
        case nil: return
        }
        running = nil
        stack.finish()
    }

    mutating func settle() { while begin() { finish() } }

    /// The levels that could be seen.
    var uncovered: [String?] { open.filter { !stack.isCovered($0.presenter) }.map(\.item) }
}

struct PresentationStackTests {
    @Test("items open over one another, from the topmost presenter")
    func presents() {
        var toolkit = Toolkit()
        toolkit.stack.present("a")
        toolkit.settle()
        toolkit.stack.present("b")
        toolkit.stack.present("c")
        #expect(toolkit.stack.waiting == 2)
        toolkit.settle()
        #expect(toolkit.items == ["root", "a", "b", "c"])
        #expect(toolkit.stack.waiting == 0)
        #expect(toolkit.uncovered == ["c"])
    }

    @Test("one thing happens at a time, and what cannot be presented now is queued")
    func queues() {
        var toolkit = Toolkit()
        toolkit.stack.present("a")
        var begun = [toolkit.begin()]
        toolkit.stack.present("b")
        begun.append(toolkit.begin())
        toolkit.finish()
        begun.append(toolkit.begin())
        toolkit.finish()
        #expect(begun == [true, false, true])
        #expect(toolkit.items == ["root", "a", "b"])
    }

    @Test("without a presenter, or while the topmost presents something of its own, items wait")
    func waits() {
        var stack = PresentationStack<String>()
        stack.present("a")
        let none = stack.next()
        #expect(none == nil)
        let root = stack.attach()
        stack.setPresentsOther(root, true)
        let still = stack.next()
        #expect(still == nil)
        stack.setPresentsOther(root, false)
        guard case .present("a", root)? = stack.next() else {
            Issue.record("the item was lost")
            return
        }
    }

    @Test("a sheet that is a presenter goes with what is over it, and what waits opens from below")
    func sheetsThatPresent() {
        var stack = PresentationStack<String>()
        let first = stack.attach()
        stack.setPresentsOther(first, true)
        stack.present("a")
        #expect(stack.next() == nil)
        let sheet = stack.attach()
        #expect(stack.next() == .present("a", by: sheet))
        _ = stack.attach()
        stack.finish()
        stack.setPresentsOther(first, false)
        stack.present("b")
        #expect(stack.next() == .present("b", by: first))
        stack.finish()
        // That the sheet is gone is said of one that has presented meanwhile.
        stack.setPresentsOther(first, false)
        #expect(stack.isCovered(first))
    }

    @Test("what the toolkit does not do waits again, in its place")
    func givingUp() {
        var stack = PresentationStack<String>()
        let first = stack.attach(isFirst: true)
        stack.present("a")
        stack.present("b")
        #expect(stack.next(canPresent: { _ in false }) == nil && stack.waiting == 2)
        #expect(stack.next() == .present("a", by: first))
        stack.giveUp()
        #expect(stack.busy == nil && stack.next() == .present("a", by: first))
        // The view from which it was on its way is replaced.
        let second = stack.attach(isFirst: true)
        #expect(stack.next() == .present("a", by: second))
        let cover = stack.attach()
        stack.finish()
        #expect(stack.next() == .present("b", by: cover))
        // That has gone with all that was in it.
        stack.detach(cover)
        #expect(stack.next() == .present("b", by: second))
        stack.giveUp()
        stack.giveUp()
        #expect(stack.waiting == 1)
    }

    @Test("levels that go while they are being closed take the closing with them")
    func goneWhileClosing() {
        var stack = PresentationStack<String>()
        let first = stack.attach(isFirst: true)
        var levels = [first]
        for item in ["a", "b", "c"] {
            stack.present(item)
            _ = stack.next()
            levels.append(stack.attach())
            stack.finish()
        }
        stack.close(levels[3])
        let second = stack.attach(isFirst: true)
        #expect(stack.next() == nil && !stack.isCovered(second))
        stack.present("d")
        #expect(stack.next() == .present("d", by: second))
    }

    @Test("an item that was on its way from a sheet that goes opens from below")
    func leaving() {
        var stack = PresentationStack<String>()
        let first = stack.attach()
        stack.setPresentsOther(first, true)
        let sheet = stack.attach()
        stack.present("a")
        #expect(stack.next() == .present("a", by: sheet))
        stack.setPresentsOther(first, false)
        #expect(stack.next() == .present("a", by: first))
    }

    @Test("all covers close, the topmost first, and none in between can be seen")
    func closesAll() {
        var toolkit = Toolkit()
        for item in ["a", "b", "c"] {
            toolkit.stack.present(item)
            toolkit.settle()
        }
        toolkit.stack.closeAll()
        // An item that comes meanwhile is opened afterwards.
        toolkit.stack.present("later")
        var seen: [[String?]] = []
        while toolkit.closed.count < 3, toolkit.begin() {
            seen.append(toolkit.uncovered)
            toolkit.finish()
        }
        #expect(seen == [[], [], []])
        #expect(toolkit.closed == ["c", "b", "a"])
        // The first screen is not seen either: something is on its way to cover it.
        #expect(toolkit.items == ["root"] && toolkit.uncovered == [])
        toolkit.settle()
        #expect(toolkit.items == ["root", "later"] && toolkit.uncovered == ["later"])
        toolkit.stack.closeAll()
        toolkit.settle()
        #expect(toolkit.uncovered == ["root"])
    }

    @Test("a level in the middle closes those above it first")
    func closesOne() {
        var toolkit = Toolkit()
        for item in ["a", "b", "c"] {
            toolkit.stack.present(item)
            toolkit.settle()
        }
        let b = toolkit.open[2].presenter
        toolkit.stack.close(b)
        toolkit.settle()
        #expect(toolkit.closed == ["c", "b"])
        #expect(toolkit.items == ["root", "a"] && toolkit.uncovered == ["a"])
    }

    @Test("a person who closes a cover, and a first screen that goes, leave the stack in order")
    func outsideChanges() {
        var toolkit = Toolkit()
        for item in ["a", "b"] {
            toolkit.stack.present(item)
            toolkit.settle()
        }
        toolkit.stack.dismissed(toolkit.open[0].presenter)
        toolkit.open.removeSubrange(1...)
        #expect(toolkit.uncovered == ["root"])
        toolkit.stack.present("c")
        toolkit.settle()
        #expect(toolkit.items == ["root", "c"])
        toolkit.stack.closeAll()
        toolkit.stack.detach(toolkit.open[0].presenter)
        let nothing = toolkit.stack.next()
        #expect(nothing == nil)
        toolkit.open = [("other", toolkit.stack.attach())]
        toolkit.stack.present("d")
        toolkit.settle()
        #expect(toolkit.items == ["other", "d"])
    }

    @Test("whatever happens, no item is lost, opened twice, or opened beside another", arguments: 1...50)
    func random(seed: Int) {
        var dice = SeededGenerator(seed: UInt64(seed))
        var toolkit = Toolkit()
        var (asked, sheets) = (0, 0)
        for _ in 0..<800 {
            switch Int.random(in: 0..<9, using: &dice) {
            case 0, 1:
                asked += 1
                toolkit.stack.present("\(asked)")
            case 2: if toolkit.running == nil, Int.random(in: 0..<4, using: &dice) == 0 { toolkit.stack.closeAll() }
            case 3:
                if let level = toolkit.open.dropFirst().randomElement(using: &dice) {
                    toolkit.stack.close(level.presenter)
                }
            case 4 where toolkit.running == nil && toolkit.open.last?.item != nil:
                if let top = toolkit.open.last {
                    sheets += 1
                    toolkit.stack.setPresentsOther(top.presenter, true)
                    toolkit.open.append((nil, toolkit.stack.attach()))
                }
            case 5 where toolkit.running == nil && toolkit.open.count > 1 && toolkit.open.last?.item == nil:
                toolkit.open.removeLast()
                if let top = toolkit.open.last { toolkit.stack.dismissed(top.presenter) }
            case 6: toolkit.finish()
            case 7 where Int.random(in: 0..<4, using: &dice) == 0:
                // The toolkit refuses.
                if case .present? = toolkit.running {
                    toolkit.running = nil
                    toolkit.stack.giveUp()
                }
            default: _ = toolkit.begin()
            }
            #expect(toolkit.uncovered.count <= 2)
        }
        toolkit.finish()
        toolkit.settle()
        // Sheets of the app's own close by themselves.
        while let index = toolkit.open.firstIndex(where: { $0.item == nil }), index == toolkit.open.count - 1 {
            toolkit.open.removeLast()
            if let top = toolkit.open.last { toolkit.stack.dismissed(top.presenter) }
            toolkit.settle()
        }
        let opened = (toolkit.open.dropFirst().compactMap(\.item) + toolkit.closed).compactMap { Int($0) }
        #expect(toolkit.stack.waiting == 0)
        #expect(opened.sorted() == Array(1...max(asked, 1)).prefix(asked).map { $0 })
        #expect(asked > 50 && sheets > 5)
    }
}
