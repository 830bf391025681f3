import ActivityTracking
import ActivityTrackingTesting
import ActivityTrackingUIKit
import ContentVisibility
import Foundation
import SwiftUI
import Testing
import UIKit

@testable import ActivityTrackingSwiftUI

/// Tests of the events with the trigger `show` in a tracked scroll view that lays out all of its rows at once. Such
/// rows appear together with their screen, in view or not.
@MainActor
struct ScrollViewShowTests {
    @MainActor private final class Model {
        var isLoading = false
        var ids = Array(0..<6).map { "\($0)" }
    }

    private let logs = RecordingDestination()
    private let center = NotificationCenter()
    private let model = Model()
    private let screen: ScreenTracker
    private let app: App

    init() {
        screen = ScreenTracker(nil, center: center)
        app = App(activityLogger: ActivityLogger(destinations: [logs]))
    }

    /// Returns the rows that were shown since the last call, in order.
    private func shown() -> [String] {
        defer { logs.clear() }
        return logs.records.compactMap { $0.json(of: "item")?.filter { $0 != "\"" } }.sorted()
    }

    /// A screen with six rows of 500 points, of which two are in view at first.
    private func host() -> ViewHost {
        let impressions = ImpressionTrackingController()
        return ViewHost(size: CGSize(width: 390, height: 800)) { [model, screen, app] in
            Live {
                let scrollView = TrackableScrollView(controller: impressions) {
                    ForEach(0..<model.ids.count, id: \.self) { row in
                        let id = model.ids[row]
                        Place("\(row)", CGRect(x: 0, y: row * 500, width: 390, height: 500)) {
                            Color.clear.postShowContentLog(Feed.show(item: id), id: id)
                        }
                    }
                }
                VStack {
                    if !model.isLoading { scrollView }
                }
                .trackScreen(screen)
                .environment(\.appEnvironment, app)
            }
        }
    }

    @Test("A scroll view that is inserted again shows no row twice in a visit")
    func insertedAgain() {
        let host = host()
        #expect(shown() == ["0", "1"])
        model.isLoading = true
        host.evaluate()
        model.isLoading = false
        host.evaluate()
        host.scroll("", to: CGPoint(x: 0, y: 500))
        #expect(shown() == ["2"])
    }

    @Test("A row that displays a different content shows it when it is in view")
    func otherContent() {
        let host = host()
        host.scroll("", to: CGPoint(x: 0, y: 1000))
        host.scroll("", to: .zero)
        #expect(shown() == ["0", "1", "2", "3"])
        model.ids[0] = "a"
        model.ids[3] = "b"
        host.evaluate()
        #expect(shown() == ["a"])
        host.scroll("", to: CGPoint(x: 0, y: 1000))
        #expect(shown() == ["b"])
    }

    @Test("A sheet over a row belongs to its own screen, not to the row's scroll view")
    func sheet() {
        struct Item: Identifiable, Sendable { let id = 1 }
        let (item, sheetScreen) = (Held<Item?>(nil), ScreenTracker(nil, center: center))
        let impressions = ImpressionTrackingController()
        let host = ViewHost(size: CGSize(width: 390, height: 800)) { [screen, app] in
            Live {
                TrackableScrollView(controller: impressions) {
                    Place("row", CGRect(x: 0, y: 0, width: 390, height: 100)) {
                        Color.clear.coverableSheet(item: item.binding) { _ in
                            Color.clear.postShowContentLog(Feed.show(item: "untracked"))
                            Place("in the sheet", CGRect(x: 0, y: 2000, width: 390, height: 100)) {
                                Color.clear.postShowContentLog(Feed.show(item: "tracked")).trackScreen(sheetScreen)
                            }
                        }
                    }
                }
                .trackScreen(screen)
                .environment(\.appEnvironment, app)
            }
        }
        item.value = Item()
        host.evaluate()
        #expect(shown() == ["tracked", "untracked"])
    }

    @Test("A row posts the values of the last evaluation")
    func latestValues() {
        let (impressions, value) = (ImpressionTrackingController(), Held("first"))
        let host = ViewHost(size: CGSize(width: 390, height: 800)) { [screen, app] in
            Live {
                let item = value.value
                TrackableScrollView(controller: impressions) {
                    Place("row", CGRect(x: 0, y: 900, width: 390, height: 100)) {
                        Color.clear.postShowContentLog(Feed.show(item: item), id: 1)
                    }
                }
                .trackScreen(screen)
                .environment(\.appEnvironment, app)
            }
        }
        value.value = "last"
        host.evaluate()
        host.scroll("", to: CGPoint(x: 0, y: 200))
        #expect(shown() == ["last"])
    }

    @Test(
        "After a return under a sheet without a tracker, the screen notices at the next scroll that the sheet is gone")
    func untrackedCover() {
        let host = host()
        #expect(shown() == ["0", "1"])
        host.presentElsewhere(UIViewController())
        center.post(name: UIApplication.didEnterBackgroundNotification, object: nil)
        center.post(name: UIApplication.willEnterForegroundNotification, object: nil)
        host.scroll("", to: CGPoint(x: 0, y: 100))
        #expect(shown() == [])
        host.presentElsewhere(nil)
        host.scroll("", to: CGPoint(x: 0, y: 1000))
        #expect(shown().suffix(2) == ["2", "3"] && screen.root.visibility.visit == 2)
    }

    @Test(
        "After a return under a sheet without a tracker, the screen notices at the next content that the sheet is gone")
    func untrackedCoverOutsideScrollViews() {
        let items = Held(["a"])
        let host = ViewHost(size: CGSize(width: 390, height: 800)) { [screen, app] in
            Live {
                ForEach(items.value, id: \.self) { Color.clear.postShowContentLog(Feed.show(item: $0), id: $0) }
                    .trackScreen(screen)
                    .environment(\.appEnvironment, app)
            }
        }
        host.presentElsewhere(UIViewController())
        center.post(name: UIApplication.didEnterBackgroundNotification, object: nil)
        center.post(name: UIApplication.willEnterForegroundNotification, object: nil)
        host.presentElsewhere(nil)
        #expect(shown() == ["a"])
        items.value.append("b")
        host.evaluate()
        #expect(shown() == ["a", "b"])
    }
}
