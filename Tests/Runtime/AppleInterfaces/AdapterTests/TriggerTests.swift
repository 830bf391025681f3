@_spi(GeneratedCode) import ActivityTracking
import ActivityTrackingSwiftUI
import ActivityTrackingTesting
import ActivityTrackingUIKit
import ContentVisibility
import Foundation
import SwiftUI
import Testing
import UIKit

/// A category with an event for each trigger that a definition file may contain.
private enum Due: LogCategory {
    case whole(id: Int), half(id: Int), show(id: Int), other(id: Int), screen(id: Int), tap(id: Int), never(id: Int)
    case left(id: Int, VisitEngagement), leave(id: Int, VisitEngagement)

    static let definition = LogDefinition(
        """
        due
        .whole|1-0-0|active|impression(80%25, 2s)
        id|int
        .half|1-0-0|active|impression(50%25, 1s)
        id|int
        .show|1-0-0|active|show
        id|int
        .other|1-0-0|active|show
        id|int
        .screen|1-0-0|active|screen
        id|int
        .tap|1-0-0|active|tap(Screen.button)
        id|int
        .never|1-0-0|active|
        id|int
        .left|1-0-0|active|leave(50%25)
        id|int
        seconds|double
        .leave|1-0-0|active|leave
        id|int
        seconds|double
        depth|double
        """)

    func encode(into encoder: LogEncoder) {
        switch self {
        case .whole(let id): encoder.event(0).int(id)
        case .half(let id): encoder.event(1).int(id)
        case .show(let id): encoder.event(2).int(id)
        case .other(let id): encoder.event(3).int(id)
        case .screen(let id): encoder.event(4).int(id)
        case .tap(let id): encoder.event(5).int(id)
        case .never(let id): encoder.event(6).int(id)
        case .left(let id, let engagement): encoder.event(7).int(id).double(engagement.seconds)
        case .leave(let id, let engagement):
            encoder.event(8).int(id).double(engagement.seconds).double(engagement.depth ?? -1)
        }
    }
}

/// Tests that events are posted according to the triggers of their definitions. An adapter that ignored the trigger
/// would fail each test.
@MainActor
struct TriggerTests {
    private let logs = RecordingDestination()
    private let time = Locked(0.0)
    private let center = NotificationCenter()
    private let logger: ActivityLogger
    private let app: App

    init() {
        logger = ActivityLogger(destinations: [logs])
        app = App(activityLogger: logger)
    }

    private var clock: VisibilityClock { .stopped(at: time) }

    /// Returns the events since the last call, for example `whole 1`.
    private func posted() -> [String] {
        defer { logs.clear() }
        return logs.records.map { record in
            ([record.event] + ["id", "seconds", "depth"].compactMap { record.json(of: $0) }).joined(separator: " ")
        }
    }

    // MARK: SwiftUI

    private func host(_ controller: ImpressionTrackingController, @ViewBuilder _ content: @escaping () -> some View)
        -> ViewHost
    {
        let screen = ScreenTracker(nil, center: center)
        return ViewHost(size: CGSize(width: 390, height: 800)) { [app] in
            Live {
                TrackableScrollView(controller: controller) { content() }.trackScreen(screen).environment(
                    \.appEnvironment, app)
            }
        }
    }

    /// Returns the frame of a card. All of the first card is in view, and six tenths of the second.
    private func card(_ id: Int) -> CGRect { CGRect(x: 0, y: id == 1 ? 0 : 740, width: 390, height: 100) }

    private func wake(_ controller: ImpressionTrackingController, at now: Double) {
        time.withLock { $0 = now }
        controller.tracker.update { _ in }
    }

    @Test(
        "A `show` event is posted at once, an impression when its document's rule is met"
    )
    func track() {
        let controller = ImpressionTrackingController(
            rule: ImpressionRule(visibleFraction: 0.01, dwell: 9), clock: clock)
        let host = host(controller) {
            ForEach([1, 2], id: \.self) { id in
                Place("\(id)", card(id)) {
                    Color.clear.track(Due.whole(id: id), id: id).track(Due.half(id: id), id: id).track(
                        Due.show(id: id), id: id
                    )
                    // Another event may have the same ids.
                    .track(Due.other(id: id), id: id)
                }
            }
        }
        #expect(posted().sorted() == ["other 1", "other 2", "show 1", "show 2"])
        wake(controller, at: 1)
        #expect(posted() == ["half 1", "half 2"])
        wake(controller, at: 2)
        #expect(posted() == ["whole 1"])
        // In the next visit, the contents are shown and seen again.
        center.post(name: UIApplication.didEnterBackgroundNotification, object: nil)
        center.post(name: UIApplication.willEnterForegroundNotification, object: nil)
        #expect(posted().sorted() == ["other 1", "other 2", "show 1", "show 2"])
        withExtendedLifetime(host) { wake(controller, at: 4) }
        #expect(posted().sorted() == ["half 1", "half 2", "whole 1"])
    }

    @Test("A visit's end posts the screen and its contents as left, also those whose view is gone")
    func left() {
        let controller = ImpressionTrackingController(clock: clock)
        let screen = ScreenTracker(nil, center: center, clock: clock)
        let isShown = Locked(true)
        let host = ViewHost(size: CGSize(width: 390, height: 800)) { [app] in
            Live {
                TrackableScrollView(controller: controller) {
                    ForEach(isShown.withLock { $0 } ? [1, 2] : [2], id: \.self) { id in
                        Place("\(id)", card(id)) { Color.clear.track(id: id) { Due.left(id: id, $0) } }
                    }
                }
                // The event of the last evaluation is posted.
                .trackLeaving(screen) { isShown.withLock { $0 } ? Due.left(id: 8, $0) : Due.leave(id: 9, $0) }
                .trackScreen(screen).environment(\.appEnvironment, app)
            }
        }
        time.withLock { $0 = 3 }
        isShown.withLock { $0 = false }
        host.setNeedsEvaluation()
        host.settle()
        time.withLock { $0 = 5 }
        center.post(name: UIApplication.didEnterBackgroundNotification, object: nil)
        #expect(posted() == ["leave 9 5.0 1.0", "left 1 3.0", "left 2 5.0"])
        center.post(name: UIApplication.willEnterForegroundNotification, object: nil)
        time.withLock { $0 = 6 }
        withExtendedLifetime(host) { center.post(name: UIApplication.didEnterBackgroundNotification, object: nil) }
        #expect(posted() == ["leave 9 1.0 1.0", "left 2 1.0"])
    }

    @Test("A screen's events are those of the views that it has, also if a view replaces another or goes")
    func viewsOfAScreen() async {
        let screen = ScreenTracker(nil, center: center, clock: clock)
        let panes = Locked([1, 2])
        let root = Locked(3)
        let host = ViewHost(size: CGSize(width: 390, height: 800)) { [app] in
            Live {
                VStack {
                    ForEach(panes.withLock { $0 }, id: \.self) { id in
                        Color.clear.trackLeaving(screen) { Due.leave(id: id, $0) }
                    }
                }
                .trackScreen(screen, root.withLock { $0 == 3 ? Due.screen(id: 3) : Due.never(id: 4) })
                .id(root.withLock { $0 }).environment(\.appEnvironment, app)
            }
        }
        func evaluate() async {
            host.setNeedsEvaluation()
            host.settle()
            for _ in 0..<5 { await Task.yield() }
        }
        func leave() -> [String] {
            center.post(name: UIApplication.didEnterBackgroundNotification, object: nil)
            let left = posted().map { String($0.prefix(7)) }
            center.post(name: UIApplication.willEnterForegroundNotification, object: nil)
            return left + posted()
        }
        #expect(posted() == ["screen 3"])
        #expect(leave() == ["leave 1", "leave 2", "screen 3"])
        panes.withLock { $0 = [2, 5] }
        await evaluate()
        #expect(leave() == ["leave 2", "leave 5", "screen 3"])
        panes.withLock { $0 = [5] }
        root.withLock { $0 = 4 }
        await evaluate()
        #expect(posted() == ["never 4"])
        #expect(leave() == ["leave 5", "never 4"])
        host.isShown = false
        #expect(posted().map { String($0.prefix(7)) } == ["leave 5"])
        await evaluate()
        #expect(leave() == [])
    }

    @Test("A rule in code wins over the document")
    func ownRule() {
        let controller = ImpressionTrackingController(clock: clock)
        let rule = ImpressionRule(visibleFraction: 0.6, dwell: 0.5)
        var beside: [Int] = []
        let host = host(controller) {
            ForEach([1, 2], id: \.self) { id in
                Place("\(id)", card(id)) {
                    Color.clear.track(Due.whole(id: id), id: id, rule: rule) { _ in beside.append(id) }.track(
                        Due.show(id: id), id: id, rule: rule)
                }
            }
        }
        #expect(posted().isEmpty)
        withExtendedLifetime(host) { wake(controller, at: 0.5) }
        #expect(posted().sorted() == ["show 1", "show 2", "whole 1", "whole 2"] && beside == [1, 2])
    }

    @Test("An event is posted with the values of the last evaluation")
    func latestValues() {
        let controller = ImpressionTrackingController(clock: clock)
        let position = Held(1)
        let host = host(controller) {
            let value = position.value
            Place("a", card(1)) { Color.clear.track(Due.whole(id: value), id: "a") }
        }
        position.value = 2
        host.evaluate()
        wake(controller, at: 2)
        #expect(posted() == ["whole 2"])
    }

    @Test(
        "A visit posts the screen's event first, with the values of the last evaluation"
    )
    func screen() {
        let tracker = ScreenTracker(nil, center: center)
        let sections = Held(3)
        let host = ViewHost(size: CGSize(width: 390, height: 800)) { [app] in
            Live {
                let count = sections.value
                Color.clear.postShowContentLog(Due.show(id: 1)).trackScreen(tracker, Due.screen(id: count))
                    .environment(\.appEnvironment, app)
            }
        }
        #expect(posted() == ["screen 3", "show 1"])
        sections.value = 4
        host.evaluate()
        center.post(name: UIApplication.didEnterBackgroundNotification, object: nil)
        center.post(name: UIApplication.willEnterForegroundNotification, object: nil)
        #expect(posted() == ["screen 4", "show 1"])
        host.isShown = false
        host.isShown = true
        #expect(posted() == ["screen 4", "show 1"])
    }

    @Test(
        "Triggers that cannot apply and code that differs are reported once, and the app continues")
    func reported() async throws {
        let result = try await #require(processExitsWith: .success, observing: [\.standardErrorContent]) {
            await MainActor.run {
                let (logs, controller) = (RecordingDestination(), ImpressionTrackingController())
                let (app, tracker) = (App(activityLogger: ActivityLogger(destinations: [logs])), ScreenTracker(nil))
                let host = ViewHost(size: CGSize(width: 390, height: 800)) {
                    Live {
                        TrackableScrollView(controller: controller) {
                            Place("a", CGRect(x: 0, y: 0, width: 390, height: 100)) {
                                Color.clear.track(Due.tap(id: 1), id: 1).track(Due.screen(id: 1), id: 1).track(
                                    Due.never(id: 1), id: 1
                                )
                                .track(Due.whole(id: 1), id: 1, rule: ImpressionRule(visibleFraction: 0.5))
                                .postShowContentLog(Due.half(id: 1))
                            }
                        }
                        .trackScreen(tracker, Due.show(id: 1))
                        .environment(\.appEnvironment, app)
                        // The code does not provide the views that the definition's triggers require.
                        Color.clear.track(Due.other(id: 1), id: 1).track(Due.half(id: 1), id: 1)
                    }
                }
                host.evaluate()
                // The rule in the code takes precedence over the definition.
                precondition(logs.records.map(\.event) == ["half"], "\(logs.records.map(\.event))")
            }
        }
        let lines = String(decoding: result.standardErrorContent, as: UTF8.self).split(separator: "\n").map(String.init)
        func said(_ text: String) -> [String] { lines.filter { $0.contains(text) } }
        #expect(said("due.md: `due.tap`").count == 1 && said("due.md: `due.screen`").count == 1, "\(lines)")
        #expect(said("due.md: `due.never`").count == 1 && said("due.md: `due.show`").count == 1)
        #expect(
            said(
                "due.md: `due.whole` is due as `impression(80%, 2s)`, but the app's code asks for `impression(50%, 2s)`"
            ).count == 1)
        #expect(
            said("due.md: `due.half` is due as `impression(50%, 1s)`, but the app's code asks for `show`").count == 1)
        #expect(
            said("due.md: `due.other` is due as `show`, and the view that posts it is not in a screen with a tracker")
                .count == 1)
        #expect(
            said(
                "due.md: `due.half` is due as `impression(50%, 1s)`, and the view that posts it is not in a "
                    + "tracked scroll view"
            ).count == 1)
        #expect(said("error").count == 6 && said("warning").count == 2, "\(lines)")
    }

    // MARK: UIKit

    @Test("`content(…)` posts events according to their documents in UIKit")
    func content() {
        let view = UIScrollView(frame: CGRect(x: 0, y: 0, width: 390, height: 800))
        let screen = ScreenTracker(UIViewController(), center: center)
        let tracker = ScrollViewTracker<Int>(
            view, screen: screen, logger: logger, rule: ImpressionRule(visibleFraction: 0.01, dwell: 9), clock: clock)
        let cells = [1, 2].map { id -> UIView in
            let cell = UIView(frame: card(id))
            view.addSubview(cell)
            tracker.content(cell, id: id, Due.show(id: id), Due.whole(id: id + 10))
            // The data source now has other values.
            tracker.content(cell, id: id, Due.show(id: id), Due.whole(id: id))
            return cell
        }
        #expect(posted().isEmpty)
        screen.root.appear()
        #expect(posted() == ["show 1", "show 2"])
        time.withLock { $0 = 2 }
        tracker.tracker.update { _ in }
        #expect(posted() == ["whole 1"])
        // The second comes into view while the cell of the first is reused for a third.
        tracker.didEndDisplaying(cells[0])
        tracker.content(cells[0], id: 3, Due.half(id: 3))
        time.withLock { $0 = 3 }
        tracker.tracker.update { _ in }
        #expect(posted() == ["half 3"])
        tracker.didEndDisplaying(cells[1])
        tracker.content(cells[1], id: 2, rule: ImpressionRule(visibleFraction: 0.6, dwell: 1), Due.whole(id: 2))
        time.withLock { $0 = 4 }
        tracker.tracker.update { _ in }
        #expect(posted() == ["whole 2"])
        tracker.content(cells[0], id: 4, Due.tap(id: 4))
        time.withLock { $0 = 20 }
        tracker.tracker.update { _ in }
        #expect(posted().isEmpty)
    }

    @Test("A visit's end posts the screen and its contents as left in UIKit, also those whose cell is gone")
    func leftInUIKit() {
        let view = UIScrollView(frame: CGRect(x: 0, y: 0, width: 390, height: 800))
        view.contentSize = CGSize(width: 390, height: 3200)
        let screen = ScreenTracker(UIViewController(), center: center, clock: clock)
        screen.track(leaving: { Due.leave(id: 9, $0) }, logger: logger)
        let tracker = ScrollViewTracker<Int>(view, screen: screen, logger: logger, clock: clock)
        let cells = [1, 2].map { id -> UIView in
            let cell = UIView(frame: card(id))
            view.addSubview(cell)
            tracker.content(cell, id: id, leaving: { Due.left(id: id, $0) })
            return cell
        }
        screen.root.appear()
        time.withLock { $0 = 2 }
        tracker.didEndDisplaying(cells[0])
        view.contentOffset = CGPoint(x: 0, y: 700)
        tracker.didScroll()
        time.withLock { $0 = 5 }
        screen.root.disappear()
        #expect(posted() == ["leave 9 5.0 0.46875", "left 1 2.0", "left 2 5.0"])
    }

    @Test(
        "A visit posts the screen's events once, before its contents, and late events at once"
    )
    func screenEvents() {
        let screen = ScreenTracker(
            UIViewController(), onVisit: { [logger] in logger.post(Due.never(id: 0)) }, center: center)
        let view = UIScrollView(frame: CGRect(x: 0, y: 0, width: 390, height: 800))
        let tracker = ScrollViewTracker<Int>(view, screen: screen, logger: logger, clock: clock)
        let cell = UIView(frame: card(1))
        view.addSubview(cell)
        tracker.content(cell, id: 1, Due.show(id: 1))
        screen.track(Due.screen(id: 1), logger: logger)
        screen.track(Due.screen(id: 2), logger: logger)
        screen.root.appear()
        #expect(posted() == ["never 0", "screen 2", "show 1"])
        screen.track(Due.screen(id: 3), logger: logger)
        screen.track(Due.show(id: 3), logger: logger)
        #expect(posted().isEmpty)
        screen.track(Due.never(id: 3), logger: logger)
        #expect(posted() == ["never 3"])
        screen.root.disappear()
        screen.root.appear()
        #expect(posted() == ["never 0", "screen 3", "never 3", "show 1"])
    }

    @Test("A content with an event in a tracker without a logger stops a debug build")
    func missingLogger() async throws {
        let result = try await #require(processExitsWith: .failure, observing: [\.standardErrorContent]) {
            await MainActor.run {
                ScrollViewTracker<Int>(UIScrollView(frame: .zero)).content(UIView(frame: .zero), id: 1, Due.show(id: 1))
            }
        }
        #expect(
            String(decoding: result.standardErrorContent, as: UTF8.self).contains("ScrollViewTracker(…, logger: …)"))
    }
}
