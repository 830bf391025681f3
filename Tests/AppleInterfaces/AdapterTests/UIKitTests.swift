import ActivityTrackingUIKit
import ContentVisibility
import Foundation
import Testing
import UIKit

@testable import ActivityTracking

@MainActor
struct UIKitTests {
    private let time = Locked(0.0)
    private let center = NotificationCenter()

    private var clock: VisibilityClock {
        VisibilityClock(now: { [time] in time.withLock { $0 } }, sleep: { _ in try? await Task.sleep(nanoseconds: .max) })
    }

    private func wake(_ tracker: ScrollViewTracker<String>, at now: Double) {
        time.withLock { $0 = now }
        tracker.tracker.update { _ in }
    }

    /// A table of rows 100 points high.
    @MainActor private final class Table {
        let view = UIScrollView(frame: CGRect(x: 0, y: 0, width: 390, height: 800))
        var ids = (0..<30).map { "row \($0)" }
        var cells: [Int: UIView] = [:]

        /// Displays and drops cells as a table does.
        func layout(_ tracker: ScrollViewTracker<String>) {
            let rows = ids.indices.filter { Double($0 + 1) * 100 > view.contentOffset.y && Double($0) * 100 < view.contentOffset.y + 800 }
            for (row, cell) in cells where !rows.contains(row) {
                cells[row] = nil
                tracker.didEndDisplaying(cell)
            }
            for row in rows where cells[row] == nil {
                let cell = UIView(frame: CGRect(x: 0, y: row * 100, width: 390, height: 100))
                view.addSubview(cell)
                cells[row] = cell
                tracker.willDisplay(cell, id: ids[row])
            }
        }
    }

    @Test("a table's rows are shown and seen by the ids of its data source, without what is under bars")
    func table() {
        var (shown, seen): ([String], [String]) = ([], [])
        let table = Table()
        table.view._setAdjustedContentInset(UIEdgeInsets(top: 100, left: 0, bottom: 50, right: 0))
        table.view.contentOffset = CGPoint(x: 0, y: -100)
        let screen = ShowContentLogController(nil, center: center)
        let tracker = ScrollViewTracker<String>(table.view, screen: screen, clock: clock, onShown: { shown.append($0) }, onSeen: { seen.append($0) })
        table.layout(tracker)
        #expect(shown == [])
        screen.root.appear()
        #expect(shown == (0...6).map { "row \($0)" })
        wake(tracker, at: 2)
        // Of row 6, half is under the lower bar.
        #expect(seen.sorted() == (0...5).map { "row \($0)" })
        table.view.contentOffset = CGPoint(x: 0, y: -40)
        table.layout(tracker)
        tracker.didScroll()
        wake(tracker, at: 4)
        #expect(seen.last == "row 6" && shown.last == "row 7")
        // A bar goes: what comes into view begins its dwell.
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

    @Test("what a screen presents covers it: a sheet, a full-screen cover, and what a custom style is")
    func presentation() {
        let viewController = UIViewController()
        let screen = ShowContentLogController(viewController, center: center)
        let other = ShowContentLogController(nil, center: center)
        screen.root.appear()
        let covers: [(UIModalPresentationStyle, RootVisibility.Cover)] = [
            (.automatic, .sheet), (.pageSheet, .sheet), (.formSheet, .sheet), (.popover, .sheet), (.custom, .sheet), (.fullScreen, .fullScreen),
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

    @Test("an alert covers nothing")
    func alert() {
        let viewController = UIViewController()
        let screen = ShowContentLogController(viewController, center: center)
        screen.root.appear()
        viewController._present(UIAlertController())
        center.post(name: UIApplication.didEnterBackgroundNotification, object: nil)
        center.post(name: UIApplication.willEnterForegroundNotification, object: nil)
        #expect(screen.root.visibility.isExposed && screen.root.visibility.visit == 2)
    }

    @Test("a row that is reloaded, and a cell that is used again, leave no content behind and take none away")
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

    @Test("work before the app is suspended is done in a background task, which ends once")
    func backgroundWork() async {
        let application = UIApplication()
        let (worked, resumed) = (Locked(0), Locked(0))
        let work = BackgroundWork(application, center: center) {
            worked.withLock { $0 += 1 }
        } resume: {
            resumed.withLock { $0 += 1 }
        }
        center.post(name: UIApplication.didEnterBackgroundNotification, object: nil)
        #expect(application._tasks.count == 1)
        while application._ended.isEmpty { await Task.yield() }
        application._tasks[0].expire?()
        #expect(application._ended.count == 1 && worked.withLock { $0 } == 1)
        center.post(name: UIApplication.willEnterForegroundNotification, object: nil)
        while resumed.withLock({ $0 }) < 1 { await Task.yield() }
        // The process ends when everybody has been told.
        center.post(name: UIApplication.willTerminateNotification, object: nil)
        #expect(worked.withLock { $0 } == 2 && application._tasks.count == 1)
        withExtendedLifetime(work) {}
    }

    @Test("a screen made while the app is in the background is not visible before the app is in front, and its log comes before its contents'")
    func launchInBackground() {
        UIApplication.shared._setState(.background)
        defer { UIApplication.shared._setState(.active) }
        let log = Locked<[String]>([])
        func screen() -> ShowContentLogController {
            let controller = ShowContentLogController(nil, onVisit: { log.withLock { $0.append("screen") } }, center: center)
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
        // One made when the others have been told, while the application says it is in the background still.
        let second = screen()
        #expect(log.withLock { $0 } == ["screen", "a"] && !second.root.visibility.isVisible)
        center.post(name: UIApplication.didBecomeActiveNotification, object: nil)
        #expect(log.withLock { $0 } == ["screen", "a", "screen"])
        center.post(name: UIApplication.didBecomeActiveNotification, object: nil)
        #expect(log.withLock { $0 }.count == 3)
    }

    @Test("a search is the screen's own, a cover on its way out covers nothing, and one window's background is its own")
    func presentedAndScenes() {
        let (screen, window, scene) = (UIViewController(), UIWindow(frame: .zero), UIWindowScene())
        let controller = ShowContentLogController(screen, center: center)
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

    @Test("what follows on the return waits for what was begun before it, and a later background for both")
    func backgroundOrder() async {
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
        while log.withLock({ $0.count }) < 6 { await Task.yield() }
        #expect(log.withLock { $0 } == ["suspending", "suspended", "resumed", "suspending", "suspended", "resumed"])
        withExtendedLifetime(work) {}
    }
}
