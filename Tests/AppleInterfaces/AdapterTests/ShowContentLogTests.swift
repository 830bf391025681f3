import ActivityTracking
import ActivityTrackingSwiftUI
import ActivityTrackingTesting
import ActivityTrackingUIKit
import ContentVisibility
import Foundation
import SwiftUI
import Testing
import UIKit

enum Feed: LogCategory {
    case show(item: String)

    static let definition = LogDefinition("feed\n.show|1-0-0\nitem|string")

    func encode(into encoder: LogEncoder) {
        switch self {
        case .show(let item): encoder.event(0).string(item)
        }
    }
}

struct App: ActivityLogging {
    let activityLogger: ActivityLogger
}

@MainActor
struct ShowContentLogTests {
    private let logs = RecordingDestination()
    private let center = NotificationCenter()
    private let screen = UIViewController()

    private var shown: [String] { logs.records.compactMap { $0.json(of: "item")?.filter { $0 != "\"" } } }

    @Test("contents in view are shown when their screen is visible, and again after the background")
    func background() {
        let controller = ShowContentLogController(screen, center: center)
        let app = App(activityLogger: ActivityLogger(destinations: [logs]))
        let host = ViewHost(size: CGSize(width: 390, height: 800)) {
            ScrollView {
                ForEach(0..<10, id: \.self) { row in
                    Place("\(row)", CGRect(x: 0, y: row * 300, width: 390, height: 300), isLazy: true) {
                        Color.clear.postShowContentLog(Feed.show(item: "\(row)"), id: row)
                    }
                }
            }
            .showContentLogRoot(controller: controller)
            .environment(\.appEnvironment, app)
        }
        #expect(shown == ["0", "1", "2"])
        host.scroll("", to: CGPoint(x: 0, y: 300))
        #expect(shown == ["0", "1", "2", "3"])
        host.scroll("", to: .zero)
        #expect(shown.count == 4)
        center.post(name: UIApplication.didEnterBackgroundNotification, object: nil)
        center.post(name: UIApplication.willEnterForegroundNotification, object: nil)
        #expect(shown.sorted() == ["0", "0", "1", "1", "2", "2", "3"])
    }

    @Test("a screen of SwiftUI alone finds out what is presented over it")
    func withoutViewController() {
        let controller = ShowContentLogController(nil, center: center)
        let app = App(activityLogger: ActivityLogger(destinations: [logs]))
        let host = ViewHost(size: CGSize(width: 390, height: 800)) {
            Color.clear.postShowContentLog(Feed.show(item: "a")).showContentLogRoot(controller: controller).environment(\.appEnvironment, app)
        }
        host.presentElsewhere(UIViewController())
        controller.presentationDidChange()
        #expect(controller.root.visibility.isVisible && !controller.root.visibility.isExposed)
        host.presentElsewhere(nil)
        controller.presentationDidChange()
        #expect(controller.root.visibility.isExposed && shown == ["a"])
    }
}
