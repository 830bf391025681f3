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
        let impressions = ImpressionTrackingController(
            clock: VisibilityClock(
                now: { time.withLock { $0 } }, sleep: { _ in try? await Task.sleep(nanoseconds: .max) }))
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
