import ContentVisibility
import Testing
import TestSupport

/// A toolkit that performs the commands of the stack when a test asks for it.
private struct Toolkit {
    var stack = PresentationStack<String>()
    /// The open levels from the first screen up. The item is nil for a sheet that the app presents itself.
    var open: [(item: String?, presenter: PresentationStack<String>.Presenter)] = []
    var running: PresentationStack<String>.Command?
    var closed: [String] = []

    init() { open.append(("root", stack.attach())) }

    var items: [String?] { open.map(\.item) }

    mutating func begin() -> Bool {
        guard running == nil, let command = stack.next() else { return false }
        running = command
        return true
    }

    mutating func finish() {
        switch running {
        case .present(let item, let presenter)?:
            // A presenter that already presents a cover would close that cover.
            #expect(open.last?.presenter == presenter)
            open.append((item, stack.attach()))
        case .dismiss(let presenter)?:
            let index = open.firstIndex { $0.presenter == presenter } ?? 0
            // If several covers were closed at once, some would stay open. A sheet closes with its cover.
            #expect(open[(index + 1)...].filter { $0.item != nil }.count == 1)
            closed += open[(index + 1)...].compactMap(\.item)
            open.removeSubrange((index + 1)...)
        case nil: return
        }
        running = nil
        stack.finish()
    }

    mutating func settle() { while begin() { finish() } }

    /// The levels that are not covered.
    var uncovered: [String?] { open.filter { !stack.isCovered($0.presenter) }.map(\.item) }
}

struct PresentationStackTests {
    @Test("Items open over one another, from the topmost presenter")
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

    @Test("Only one command runs at a time, and items wait until they can be presented")
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

    @Test("Items wait without a presenter, or while the topmost one presents something else")
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

    @Test("A sheet that presents closes with the levels above it, and waiting items open from below")
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
        // The report of the closed sheet comes after its presenter has presented again.
        stack.setPresentsOther(first, false)
        #expect(stack.isCovered(first))
    }

    @Test("An item that the toolkit did not present waits again, in its place")
    func givingUp() {
        var stack = PresentationStack<String>()
        let first = stack.attach(isFirst: true)
        stack.present("a")
        stack.present("b")
        #expect(stack.next(canPresent: { _ in false }) == nil && stack.waiting == 2)
        #expect(stack.next() == .present("a", by: first))
        stack.giveUp()
        #expect(stack.busy == nil && stack.next() == .present("a", by: first))
        // The view that was presenting the item is replaced.
        let second = stack.attach(isFirst: true)
        #expect(stack.next() == .present("a", by: second))
        let cover = stack.attach()
        stack.finish()
        #expect(stack.next() == .present("b", by: cover))
        // The cover has closed with all its contents.
        stack.detach(cover)
        #expect(stack.next() == .present("b", by: second))
        stack.giveUp()
        stack.giveUp()
        #expect(stack.waiting == 1)
    }

    @Test("Levels that disappear while they are being closed end the closing")
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

    @Test("All covers close, the topmost first, and no level between them becomes visible")
    func closesAll() {
        var toolkit = Toolkit()
        for item in ["a", "b", "c"] {
            toolkit.stack.present(item)
            toolkit.settle()
        }
        toolkit.stack.closeAll()
        // An item that arrives meanwhile opens afterwards.
        toolkit.stack.present("later")
        var seen: [[String?]] = []
        while toolkit.closed.count < 3, toolkit.begin() {
            seen.append(toolkit.uncovered)
            toolkit.finish()
        }
        #expect(seen == [[], [], []])
        #expect(toolkit.closed == ["c", "b", "a"])
        // The first screen is not visible either, because an item is about to cover it.
        #expect(toolkit.items == ["root"] && toolkit.uncovered == [])
        toolkit.settle()
        #expect(toolkit.items == ["root", "later"] && toolkit.uncovered == ["later"])
        toolkit.stack.closeAll()
        toolkit.settle()
        #expect(toolkit.uncovered == ["root"])
    }

    @Test("Dismissing a cover by hand and replacing the first screen keep the stack consistent")
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

    @Test(
        "In random sequences no item is lost, opened twice, or opened next to another",
        arguments: 1...Depth.cases(3, deep: 20))
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
        // Sheets that the app presents close by themselves.
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
