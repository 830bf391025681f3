import ActivityTracking
import ActivityTrackingSwiftUI
import ActivityTrackingTesting
import ActivityTrackingUIKit
import Foundation
import SwiftUI
import Testing
import UIKit

@testable import ContentVisibility

/// Tests of replaced views. The replacement appears before the replaced view disappears.
@MainActor
struct ReplacedViewTests {
    @MainActor private final class Model {
        var generation = 0
        var content = "a"
        var performs = "first"
    }

    @Test(
        "A recreated screen or content stays visible, a new content in a view is distinct, and closures are current"
    )
    func replaced() {
        let (time, model, logs) = (Locked(0.0), Model(), RecordingDestination())
        var seen: [String] = []
        let app = App(activityLogger: ActivityLogger(destinations: [logs]))
        let controller = ScreenTracker(nil, center: NotificationCenter())
        let impressions = ImpressionTrackingController(clock: .stopped(at: time))
        let host = ViewHost(size: CGSize(width: 390, height: 800)) {
            Live {
                TrackableScrollView(controller: impressions) {
                    Place("cell", CGRect(x: 0, y: 0, width: 390, height: 100)) {
                        let performs = model.performs
                        Color.clear.postShowContentLog(Feed.show(item: model.content), id: model.content)
                            .trackImpression(model.content) { seen.append("\(model.content) \(performs)") }
                    }
                }
                .trackScreen(controller)
                .id(model.generation)
                .environment(\.appEnvironment, app)
            }
        }
        func wake(at now: Double) {
            time.withLock { $0 = now }
            impressions.tracker.update { _ in }
        }
        model.generation = 1
        host.evaluate()
        #expect(controller.root.visibility.isVisible)
        model.performs = "last"
        host.evaluate()
        wake(at: 2)
        #expect(seen == ["a last"])
        model.content = "b"
        host.evaluate()
        wake(at: 4)
        #expect(seen == ["a last", "b last"])
        #expect(logs.records.compactMap { $0.json(of: "item") }.suffix(1) == ["\"b\""])
        host.isShown = false
        #expect(!controller.root.visibility.isVisible)
    }

    /// The detail of a split view: the views stay, and all of what they report to is replaced.
    @Test(
        "A tracker, a controller, a rule and an event that are replaced under views that stay are followed",
        arguments: [true, false], [true, false])
    func replacedReceivers(replacesController: Bool, replacesScreen: Bool) {
        let (time, logs, center) = (Locked(0.0), RecordingDestination(), NotificationCenter())
        let app = App(activityLogger: ActivityLogger(destinations: [logs]))
        func controller() -> ImpressionTrackingController {
            ImpressionTrackingController(clock: .stopped(at: time))
        }
        let (screen, impressions) = (Held(ScreenTracker(nil, center: center)), Held(controller()))
        let (rule, event) = (Held<ImpressionRule?>(nil), Held(Feed.show(item: "screen")))
        var seen: [Int] = []
        let host = ViewHost(size: CGSize(width: 390, height: 800)) {
            Live {
                VStack {
                    TrackableScrollView(controller: impressions.value) {
                        Place("row", CGRect(x: 0, y: 0, width: 390, height: 100)) {
                            TrackableScrollView(.horizontal) {
                                ForEach(0..<3, id: \.self) { card in
                                    Place("\(card)", CGRect(x: card * 300, y: 0, width: 290, height: 100)) {
                                        Color.clear.postShowContentLog(Feed.show(item: "card \(card)"), id: card)
                                            .trackImpression(card, rule: rule.value) { seen.append(card) }
                                    }
                                }
                            }
                        }
                    }
                    Place("outside", CGRect(x: 0, y: 700, width: 390, height: 100)) {
                        Color.clear.postShowContentLog(Feed.show(item: "outside"))
                    }
                }
                .trackScreen(screen.value, event.value)
                .environment(\.appEnvironment, app)
            }
        }
        func wake(at now: Double) {
            time.withLock { $0 = now }
            impressions.value.tracker.update { _ in }
        }
        func posted() -> [String] {
            defer { logs.clear() }
            return logs.records.compactMap { $0.json(of: "item")?.filter { $0 != "\"" } }.sorted()
        }
        host.scroll("row", to: CGPoint(x: 300, y: 0))
        wake(at: 2)
        #expect(seen == [1] && posted() == ["card 0", "card 1", "card 2", "outside", "screen"])
        let (oldScreen, oldImpressions) = (screen.value, impressions.value)
        if replacesScreen { screen.value = ScreenTracker(nil, center: center) }
        if replacesController { impressions.value = controller() }
        host.evaluate()
        #expect(posted() == (replacesScreen ? ["card 1", "card 2", "outside", "screen"] : []))
        #expect(screen.value.root.visibility.isVisible && oldScreen.root.visibility.isVisible != replacesScreen)
        #expect(oldImpressions.tracker.snapshot.contents.isEmpty == replacesController)
        wake(at: 4)
        #expect(seen == (replacesScreen || replacesController ? [1, 1] : [1]))
        seen = []
        rule.value = ImpressionRule(visibleFraction: 0.2, dwell: 1)
        host.evaluate()
        wake(at: 5)
        #expect(seen == [2])
        event.value = .open(item: "opened")
        host.evaluate()
        #expect(posted() == ["opened"])
        center.post(name: UIApplication.didEnterBackgroundNotification, object: nil)
        center.post(name: UIApplication.willEnterForegroundNotification, object: nil)
        #expect(posted() == ["card 1", "card 2", "opened", "outside"])
    }

    @Test("A screen whose view was replaced still finds what is presented over it")
    func presentedOverReplacement() {
        let model = Model()
        let controller = ScreenTracker(nil, center: NotificationCenter())
        let host = ViewHost(size: CGSize(width: 390, height: 800)) {
            Live { Color.clear.trackScreen(controller).id(model.generation) }
        }
        model.generation = 1
        host.evaluate()
        #expect(controller.viewController != nil)
        host.presentElsewhere(UIViewController())
        controller.presentationDidChange()
        #expect(controller.isPresented && !controller.root.visibility.isExposed)
    }
}
