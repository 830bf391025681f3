import ActivityTrackingUIKit
import ContentVisibility
import Foundation
import Synchronization
import Testing
import UIKit

@testable import ActivityTracking

@MainActor
struct UIKitTests {
    private let time = Locked(0.0)
    private let center = NotificationCenter()

    private var clock: VisibilityClock { .stopped(at: time) }

    private func wake(_ tracker: ScrollViewTracker<String>, at now: Double) {
        time.withLock { $0 = now }
        tracker.tracker.update { _ in }
    }

    /// A table with rows of 100 points.
    @MainActor private final class Table {
        let window = UIView(frame: CGRect(x: 0, y: 0, width: 390, height: 1000))
        let view = UIScrollView(frame: CGRect(x: 0, y: 0, width: 390, height: 800))
        var ids = (0..<30).map { "row \($0)" }
        var cells: [Int: UIView] = [:]

        init(y: Double = 0) {
            view.frame.origin.y = y
            window.addSubview(view)
        }

        /// Displays and drops cells like a table, which announces a cell before it contains the cell.
        func layout(_ tracker: ScrollViewTracker<String>) {
            let rows = ids.indices.filter {
                Double($0 + 1) * 100 > view.contentOffset.y && Double($0) * 100 < view.contentOffset.y + 800
            }
            for (row, cell) in cells where !rows.contains(row) {
                cells[row] = nil
                tracker.didEndDisplaying(cell)
            }
            for row in rows where cells[row] == nil {
                let cell = UIView(frame: CGRect(x: 0, y: row * 100, width: 390, height: 100))
                cells[row] = cell
                tracker.willDisplay(cell, id: ids[row])
                view.addSubview(cell)
            }
        }
    }

    @Test("A cell that is announced before it is in its table gets its frame in the table")
    func cellOutsideItsTable() {
        var (shown, seen): ([String], [String]) = ([], [])
        let table = Table(y: 200)
        table.view.contentOffset = CGPoint(x: 0, y: 550)
        let tracker = ScrollViewTracker<String>(
            table.view, clock: clock, onShown: { shown.append($0) }, onSeen: { seen.append($0) })
        table.layout(tracker)
        #expect(shown == (5...13).map { "row \($0)" })
        wake(tracker, at: 2)
        // Half of row 5 and half of row 13 are in view.
        #expect(seen.sorted() == (6...12).map { "row \($0)" }.sorted())
    }

    @Test("A card gets its place as soon as it is in its carousel, even without a scroll or a layout")
    func cardOutsideItsCarousel() async {
        var shown: [String] = []
        let table = Table(y: 200)
        let tracker = ScrollViewTracker<String>(
            table.view, clock: clock, onShown: { shown.append($0) }, onSeen: { _ in })
        table.ids = ["row"]
        table.layout(tracker)
        guard let row = table.cells[0] else { return #expect(Bool(false)) }
        let carousel = UIScrollView(frame: CGRect(x: 0, y: 0, width: 390, height: 100))
        let card = UIView(frame: CGRect(x: 500, y: 0, width: 100, height: 100))
        row.addSubview(carousel)
        carousel.contentOffset.x = 300
        tracker.willDisplay(card, id: "card", in: "row")
        #expect(shown == ["row"])
        carousel.addSubview(card)
        for _ in 0..<10 where shown.count < 2 { await Task.yield() }
        #expect(shown == ["row", "card"] && tracker.tracker.status(of: "card").fraction == 1)
    }

    private func screen(in scene: UIWindowScene, appears: Bool = true) -> (controller: ScreenTracker, window: UIWindow)
    {
        let (viewController, window) = (UIViewController(), UIWindow(windowScene: scene))
        let controller = ScreenTracker(viewController, center: center)
        window.rootViewController = viewController
        if appears { controller.root.appear() }
        return (controller, window)
    }

    @Test("A window that stays in the background does not enter the foreground with the application")
    func twoScenes() {
        let (front, back) = (UIWindowScene(), UIWindowScene())
        let (visible, hidden) = (screen(in: front), screen(in: back))
        back._setState(.background)
        center.post(name: UIScene.didEnterBackgroundNotification, object: back)
        #expect(visible.controller.root.visibility.isVisible && !hidden.controller.root.visibility.isVisible)
        // The whole application enters the background and returns with one of the windows.
        front._setState(.background)
        center.post(name: UIScene.didEnterBackgroundNotification, object: front)
        center.post(name: UIApplication.didEnterBackgroundNotification, object: nil)
        front._setState(.foregroundInactive)
        center.post(name: UIApplication.willEnterForegroundNotification, object: nil)
        center.post(name: UIScene.willEnterForegroundNotification, object: front)
        front._setState(.foregroundActive)
        center.post(name: UIApplication.didBecomeActiveNotification, object: nil)
        #expect(visible.controller.root.visibility.visit == 2 && visible.controller.root.visibility.isVisible)
        #expect(hidden.controller.root.visibility.visit == 1 && !hidden.controller.root.visibility.isVisible)
        // The other window returns with its own notification.
        back._setState(.foregroundActive)
        center.post(name: UIScene.didActivateNotification, object: back)
        #expect(hidden.controller.root.visibility.visit == 2 && hidden.controller.root.visibility.isVisible)
    }

    @Test(
        "Activation leaves a window in the background, and no screen in it becomes visible"
    )
    func activationLeavesAWindowInTheBackground() {
        let back = UIWindowScene()
        back._setState(.background)
        let hidden = screen(in: back)
        center.post(name: UIApplication.didBecomeActiveNotification, object: nil)
        #expect(!hidden.controller.root.visibility.isVisible)
        back._setState(.foregroundInactive)
        center.post(name: UIScene.willEnterForegroundNotification, object: back)
        #expect(hidden.controller.root.visibility.isVisible)
    }

    @Test("A covered screen, removed from its window, is notified when that enters the background")
    func sceneOfScreenBelow() {
        let scene = UIWindowScene()
        let below = screen(in: scene)
        // Another screen is pushed.
        below.window.subviews.first?.removeFromSuperview()
        below.controller.root.disappear()
        scene._setState(.background)
        center.post(name: UIScene.didEnterBackgroundNotification, object: scene)
        #expect(!below.controller.root.visibility.conditions.isInForeground)
        // The screen above closes in the background, and UIKit reports that this one has appeared.
        below.controller.root.appear()
        #expect(!below.controller.root.visibility.isVisible)
    }

    @Test("Without a window or scenes, a screen uses the state of the application")
    func withoutScene() {
        let controller = ScreenTracker(UIViewController(), center: center)
        controller.root.appear()
        center.post(name: UIApplication.didEnterBackgroundNotification, object: nil)
        #expect(!controller.root.visibility.isVisible)
        center.post(name: UIApplication.willEnterForegroundNotification, object: nil)
        #expect(controller.root.visibility.visit == 2)
    }

    @Test("Rows are shown and seen by the ids of their data source, without the area under bars")
    func table() {
        var (shown, seen): ([String], [String]) = ([], [])
        let table = Table()
        table.view._setAdjustedContentInset(UIEdgeInsets(top: 100, left: 0, bottom: 50, right: 0))
        table.view.contentOffset = CGPoint(x: 0, y: -100)
        let screen = ScreenTracker(nil, center: center)
        let tracker = ScrollViewTracker<String>(
            table.view, screen: screen, clock: clock, onShown: { shown.append($0) }, onSeen: { seen.append($0) })
        table.layout(tracker)
        #expect(shown == [])
        screen.root.appear()
        #expect(shown == (0...6).map { "row \($0)" })
        wake(tracker, at: 2)
        // Half of row 6 is under the lower bar.
        #expect(seen.sorted() == (0...5).map { "row \($0)" })
        table.view.contentOffset = CGPoint(x: 0, y: -40)
        table.layout(tracker)
        tracker.didScroll()
        wake(tracker, at: 4)
        #expect(seen.last == "row 6" && shown.last == "row 7")
        // A bar disappears: the dwell time of the uncovered rows begins.
        table.view._setAdjustedContentInset(UIEdgeInsets(top: 100, left: 0, bottom: 0, right: 0))
        tracker.didLayout()
        wake(tracker, at: 6)
        #expect(seen.last == "row 6")
        table.view.contentOffset = CGPoint(x: 0, y: 0)
        table.layout(tracker)
        tracker.didScroll()
        wake(tracker, at: 8)
        #expect(seen.last == "row 7")
        #expect(seen.count == Set(seen).count)
        center.post(name: UIApplication.didEnterBackgroundNotification, object: nil)
        let before = shown.count
        center.post(name: UIApplication.willEnterForegroundNotification, object: nil)
        #expect(shown.count == before + 7)
    }

    @Test(
        "After a return under a sheet without a tracker, the screen notices at the next scroll that the sheet is gone")
    func untrackedCover() {
        var shown: [String] = []
        let (table, viewController) = (Table(), UIViewController())
        let screen = ScreenTracker(viewController, center: center)
        let tracker = ScrollViewTracker<String>(
            table.view, screen: screen, clock: clock, onShown: { shown.append($0) }, onSeen: { _ in })
        table.layout(tracker)
        screen.root.appear()
        viewController._present(UIViewController())
        center.post(name: UIApplication.didEnterBackgroundNotification, object: nil)
        center.post(name: UIApplication.willEnterForegroundNotification, object: nil)
        tracker.didScroll()
        #expect(shown.count == 8 && !screen.root.visibility.isVisible)
        viewController._present(nil)
        tracker.didScroll()
        #expect(shown.count == 16 && screen.root.visibility.visit == 2)
    }

    @Test("A presentation covers the screen as a sheet or fully, according to its style")
    func presentation() {
        let viewController = UIViewController()
        let screen = ScreenTracker(viewController, center: center)
        let other = ScreenTracker(nil, center: center)
        screen.root.appear()
        let covers: [(UIModalPresentationStyle, RootVisibility.Cover)] = [
            (.automatic, .sheet), (.pageSheet, .sheet), (.formSheet, .sheet), (.popover, .sheet), (.custom, .sheet),
            (.fullScreen, .fullScreen),
            (.overFullScreen, .fullScreen), (.currentContext, .fullScreen), (.overCurrentContext, .fullScreen),
        ]
        for (style, cover) in covers {
            let presented = UIViewController()
            presented.modalPresentationStyle = style
            viewController._present(presented)
            other.presentationDidChange()
            #expect(screen.isPresented && screen.root.visibility.conditions.cover == cover)
            viewController._present(nil)
            other.presentationDidChange()
            #expect(!screen.isPresented && screen.root.visibility.isExposed)
        }
    }

    @Test("An alert covers nothing")
    func alert() {
        let viewController = UIViewController()
        let screen = ScreenTracker(viewController, center: center)
        screen.root.appear()
        viewController._present(UIAlertController())
        center.post(name: UIApplication.didEnterBackgroundNotification, object: nil)
        center.post(name: UIApplication.willEnterForegroundNotification, object: nil)
        #expect(screen.root.visibility.isExposed && screen.root.visibility.visit == 2)
    }

    @Test("A reloaded row and a reused cell neither leave a content nor remove one")
    func reusedCells() {
        var seen: [String] = []
        let view = UIScrollView(frame: CGRect(x: 0, y: 0, width: 390, height: 800))
        let tracker = ScrollViewTracker<String>(view, clock: clock, onSeen: { seen.append($0) })
        func cell() -> UIView {
            let cell = UIView(frame: CGRect(x: 0, y: 0, width: 390, height: 100))
            view.addSubview(cell)
            return cell
        }
        let (old, new) = (cell(), cell())
        tracker.willDisplay(old, id: "a")
        time.withLock { $0 = 1 }
        tracker.willDisplay(new, id: "a")
        tracker.didEndDisplaying(old)
        wake(tracker, at: 2)
        #expect(seen == ["a"])
        tracker.willDisplay(new, id: "b")
        wake(tracker, at: 4)
        #expect(seen == ["a", "b"])
        #expect(tracker.tracker.status(of: "a").fraction == 0)
        tracker.didEndDisplaying(new)
        #expect(tracker.tracker.status(of: "b").fraction == 0)
    }

    @Test("A cell that was deallocated without the end of its display leaves no content")
    func deallocatedCell() {
        let table = Table()
        let tracker = ScrollViewTracker<String>(table.view, clock: clock)
        table.layout(tracker)
        #expect(tracker.tracker.status(of: "row 0").fraction == 1)
        table.cells.removeValue(forKey: 0)?.removeFromSuperview()
        tracker.didScroll()
        #expect(tracker.tracker.snapshot.contents.count == 7)
        var count = 0
        tracker.tracker.update { contents in count = (0..<30).count { contents.contains("row \($0)") } }
        #expect(count == 7)
    }

    @Test("Work before a suspension runs in a background task, which ends once", .timeLimit(.minutes(10)))
    func backgroundWork() async throws {
        let application = UIApplication()
        let (worked, resumed) = (Locked(0), Locked(0))
        let work = BackgroundWork(application, center: center) {
            worked.withLock { $0 += 1 }
        } resume: {
            resumed.withLock { $0 += 1 }
        }
        center.post(name: UIApplication.didEnterBackgroundNotification, object: nil)
        #expect(application._tasks.count == 1)
        while application._ended.isEmpty {
            try Task.checkCancellation()
            await Task.yield()
        }
        application._tasks[0].expire?()
        #expect(application._ended.count == 1 && worked.withLock { $0 } == 1)
        center.post(name: UIApplication.willEnterForegroundNotification, object: nil)
        while resumed.withLock({ $0 }) < 1 {
            try Task.checkCancellation()
            await Task.yield()
        }
        // The process ends after all observers have been notified.
        center.post(name: UIApplication.willTerminateNotification, object: nil)
        #expect(worked.withLock { $0 } == 2 && application._tasks.count == 1)
        withExtendedLifetime(work) {}
    }

    @Test("A background task that expires ends after the app's last work, also if other work hangs")
    func expiration() async throws {
        let application = UIApplication()
        let log = Locked<[String]>([])
        let work = BackgroundWork(application, center: center) {
            log.withLock { $0.append("deliver") }
            // As a delivery, which ends when the outbox is suspended.
            while !log.withLock({ $0.contains("suspend") }) { await Task.yield() }
            log.withLock { $0.append("delivered") }
        } expire: {
            log.withLock { $0.append("suspend") }
        }
        center.post(name: UIApplication.didEnterBackgroundNotification, object: nil)
        while log.withLock({ $0.isEmpty }) { await Task.yield() }
        application._tasks[0].expire?()
        #expect(log.withLock { $0 } == ["deliver", "suspend", "delivered"] && application._ended.count == 1)
        withExtendedLifetime(work) {}
    }

    @Test("Work of an app extension ends before its expiring activity, and an expiration suspends it")
    func extensionWork() async throws {
        let log = Locked<[String]>([])
        for expires in [false, true] {
            log.withLock { $0 = [] }
            let process = ProcessInfo.processInfo
            process.performExpiringWork {
                while expires, !log.withLock({ $0.contains("suspend") }) { await Task.yield() }
                log.withLock { $0.append("work") }
            } expire: {
                log.withLock { $0.append("suspend") }
            }
            let activity = try #require(_takeExpiringActivity())
            let done = Locked(false)
            Thread.detachNewThread {
                activity(false)
                done.withLock { $0 = true }
            }
            if expires { await Task.detached { activity(true) }.value }
            while !done.withLock({ $0 }) { await Task.yield() }
            #expect(log.withLock { $0 } == (expires ? ["suspend", "work"] : ["work"]))
        }
    }

    @Test(
        "A screen created in the background is visible in the foreground, and its log comes first"
    )
    func launchInBackground() {
        UIApplication.shared._setState(.background)
        defer { UIApplication.shared._setState(.active) }
        let log = Locked<[String]>([])
        func screen() -> ScreenTracker {
            let controller = ScreenTracker(nil, onVisit: { log.withLock { $0.append("screen") } }, center: center)
            controller.root.appear()
            return controller
        }
        let (first, view) = (screen(), UIScrollView(frame: CGRect(x: 0, y: 0, width: 390, height: 800)))
        let tracker = ScrollViewTracker<String>(
            view, screen: first, clock: clock, onShown: { id in log.withLock { $0.append(id) } }, onSeen: { _ in })
        let cell = UIView(frame: CGRect(x: 0, y: 0, width: 390, height: 100))
        view.addSubview(cell)
        tracker.willDisplay(cell, id: "a")
        #expect(log.withLock { $0 } == [])
        center.post(name: UIApplication.willEnterForegroundNotification, object: nil)
        // A screen that is created after the notification, while the application's state is still background.
        let second = screen()
        #expect(log.withLock { $0 } == ["screen", "a"] && !second.root.visibility.isVisible)
        center.post(name: UIApplication.didBecomeActiveNotification, object: nil)
        #expect(log.withLock { $0 } == ["screen", "a", "screen"])
        center.post(name: UIApplication.didBecomeActiveNotification, object: nil)
        #expect(log.withLock { $0 }.count == 3)
    }

    @Test("Neither a search nor a cover being dismissed covers; each window has its own background")
    func presentedAndScenes() {
        let (screen, window, scene) = (UIViewController(), UIWindow(frame: .zero), UIWindowScene())
        let controller = ScreenTracker(screen, center: center)
        window.windowScene = scene
        window.addSubview(screen.view)
        controller.root.appear()
        let (search, cover) = (UISearchController(), UIViewController())
        screen._present(search)
        controller.presentationDidChange()
        #expect(controller.root.visibility.isExposed)
        cover.modalPresentationStyle = .fullScreen
        search._present(cover)
        controller.presentationDidChange()
        #expect(!controller.root.visibility.isVisible)
        cover._beginDismissal()
        controller.presentationDidChange()
        #expect(controller.root.visibility.visit == 2)
        center.post(name: UIScene.didEnterBackgroundNotification, object: UIWindowScene())
        #expect(controller.root.visibility.isVisible)
        center.post(name: UIScene.didEnterBackgroundNotification, object: scene)
        #expect(!controller.root.visibility.isVisible)
        center.post(name: UIScene.willEnterForegroundNotification, object: scene)
        #expect(controller.root.visibility.visit == 3)
    }

    @Test(
        "Resuming waits for the suspension before it, and a later suspension waits for both",
        .timeLimit(.minutes(10)))
    func backgroundOrder() async throws {
        let log = Locked<[String]>([])
        let work = BackgroundWork(UIApplication(), center: center) {
            log.withLock { $0.append("suspending") }
            for _ in 0..<20 { await Task.yield() }
            log.withLock { $0.append("suspended") }
        } resume: {
            log.withLock { $0.append("resumed") }
        }
        center.post(name: UIApplication.didEnterBackgroundNotification, object: nil)
        center.post(name: UIApplication.willEnterForegroundNotification, object: nil)
        center.post(name: UIApplication.didEnterBackgroundNotification, object: nil)
        center.post(name: UIApplication.willEnterForegroundNotification, object: nil)
        while log.withLock({ $0.count }) < 6 {
            try Task.checkCancellation()
            await Task.yield()
        }
        #expect(log.withLock { $0 } == ["suspending", "suspended", "resumed", "suspending", "suspended", "resumed"])
        withExtendedLifetime(work) {}
    }
}
