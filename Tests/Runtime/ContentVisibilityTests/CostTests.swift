import ContentVisibility
import Foundation
import Testing
import TestSupport

/// Tests that an update costs only as much as its changes: n changes among n contents take time proportional to n.
struct CostTests {
    static let viewport = CGSize(width: 390, height: 800)

    private func expectLinear(_ size: Int, _ body: (Int) -> Void, sourceLocation: SourceLocation = #_sourceLocation) {
        let growth = Growth.ofFourTimes(size, body)
        #expect(growth < 8, "four times as much costs \(growth) times as much", sourceLocation: sourceLocation)
    }

    @Test("Inserting, posting, moving and removing contents one by one takes linear time")
    func oneByOne() {
        expectLinear(1000) { count in
            var tracker = ContentTracker<Int>(viewport: Self.viewport)
            var posts = 0
            tracker.update(at: 0, post: { _ in }) { $0.updateRoot { $0.hasAppeared = true } }
            for id in 0..<count {
                tracker.update(at: Double(id) / 100, post: { _ in posts += 1 }) {
                    $0.insert(id, frame: CGRect(x: 0, y: 0, width: 390, height: 100))
                }
            }
            for id in 0..<count {
                tracker.update(at: 1e6, post: { _ in posts += 1 }) {
                    $0.move(id, to: CGRect(x: id % 300, y: 700, width: 50, height: 200))
                }
            }
            for id in 0..<count { tracker.update(at: 1e6, post: { _ in }) { $0.remove(id) } }
            #expect(posts == 2 * count)
        }
    }

    @Test("Contents that wait for their container, and those of a moving container, take linear time")
    func orphans() {
        expectLinear(500) { count in
            var tracker = ContentTracker<Int>(viewport: Self.viewport)
            for id in 1...count {
                tracker.update(at: 0, post: { _ in }) {
                    $0.insert(id, frame: CGRect(x: 0, y: id, width: 390, height: 1), in: 0)
                }
            }
            tracker.update(at: 0, post: { _ in }) {
                $0.insert(0, frame: CGRect(x: 0, y: 0, width: 390, height: 800), scrolls: true)
                $0.updateRoot { $0.hasAppeared = true }
            }
            for step in 1...count {
                tracker.update(at: Double(step), post: { _ in }) {
                    $0.move(0, to: CGRect(x: 0, y: 10_000 + step, width: 390, height: 800))
                }
            }
        }
    }

    @Test("Covers, sheets and waiting items take linear time")
    func levels() {
        expectLinear(1000) { count in
            var stack = PresentationStack<Int>()
            var presenters = [stack.attach()]
            for item in 0..<count { stack.present(item) }
            while case .present? = stack.next() {
                presenters.append(stack.attach())
                stack.finish()
                #expect(stack.isCovered(presenters[0]))
                // The app's own sheets are between the covers.
                if let last = presenters.last { stack.setPresentsOther(last, true) }
                presenters.append(stack.attach())
            }
            stack.closeAll()
            var closed = 0
            while case .dismiss? = stack.next() {
                stack.finish()
                closed += 1
            }
            #expect(closed == count && stack.waiting == 0 && !stack.isCovered(presenters[0]))
        }
    }

    @Test("The queue returns its items in the order of time after removals and delays", arguments: 1...5)
    func dueQueue(seed: Int) {
        var dice = SeededGenerator(seed: UInt64(seed))
        var queue = DueQueue()
        var model: [Int32: Double] = [:]
        for _ in 0..<2000 {
            let number = Int32.random(in: 0..<60, using: &dice)
            switch Int.random(in: 0..<3, using: &dice) {
            case 0:
                queue.set(number, due: nil)
                model[number] = nil
            default:
                let due = Double(Int.random(in: 0..<40, using: &dice))
                queue.set(number, due: due)
                model[number] = due
            }
            #expect(queue.first?.due == model.values.min() && queue.due(number) == model[number])
        }
    }
}
