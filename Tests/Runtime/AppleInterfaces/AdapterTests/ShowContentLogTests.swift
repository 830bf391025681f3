@_spi(GeneratedCode) import ActivityTracking
import ActivityTrackingTesting
import ActivityTrackingUIKit
import ContentVisibility
import Foundation
import SwiftUI
import Testing
import UIKit

@testable import ActivityTrackingSwiftUI

enum Feed: LogCategory {
    case show(item: String), open(item: String)

    static let definition = LogDefinition("feed\n.show|1-0-0\nitem|string\n.open|1-0-0\nitem|string")

    func encode(into encoder: LogEncoder) {
        switch self {
        case .show(let item): encoder.event(0).string(item)
        case .open(let item): encoder.event(1).string(item)
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

    @Test("A screen with SwiftUI only detects presentations over it")
    func withoutViewController() {
        let controller = ScreenTracker(nil, center: center)
        let app = App(activityLogger: ActivityLogger(destinations: [logs]))
        let host = ViewHost(size: CGSize(width: 390, height: 800)) {
            Color.clear.postShowContentLog(Feed.show(item: "a")).trackScreen(controller).environment(
                \.appEnvironment, app)
        }
        host.presentElsewhere(UIViewController())
        controller.presentationDidChange()
        #expect(controller.root.visibility.isVisible && !controller.root.visibility.isExposed)
        host.presentElsewhere(nil)
        controller.presentationDidChange()
        #expect(controller.root.visibility.isExposed && shown == ["a"])
    }

    @Test("A cancelled swipe back is not a visit of the screen below, and a completed one is")
    func cancelledSwipe() {
        let controller = ScreenTracker(nil, center: center)
        let app = App(activityLogger: ActivityLogger(destinations: [logs]))
        let below = ViewHost(size: CGSize(width: 390, height: 800)) {
            Color.clear.postShowContentLog(Feed.show(item: "a")).trackScreen(controller).environment(
                \.appEnvironment, app)
        }
        #expect(shown == ["a"])
        // Another screen is pushed.
        below.isShown = false
        below.beginTransition()
        below.isShown = true
        below.cancelTransition()
        #expect(shown == ["a"] && controller.root.visibility.visit == 1)
        below.beginTransition()
        below.isShown = true
        #expect(shown == ["a"])
        below.endTransitions()
        #expect(shown == ["a", "a"] && controller.root.visibility.isVisible)
    }

    @Test("A sheet without a root notifies the screen below when it opens and closes")
    func sheetWithoutRoot() {
        let controller = ScreenTracker(screen, center: .default)
        let app = App(activityLogger: ActivityLogger(destinations: [logs]))
        let sheet = Held<Sheet?>(nil)
        let host = ViewHost(size: CGSize(width: 390, height: 800)) {
            Live {
                Color.clear.postShowContentLog(Feed.show(item: "a")).trackScreen(controller)
                    .coverableSheet(item: sheet.binding) { _ in Text(verbatim: "a share sheet of the app's own") }
                    .environment(\.appEnvironment, app)
            }
        }
        #expect(controller.root.visibility.isExposed)
        screen._present(UIViewController())
        sheet.value = Sheet()
        host.evaluate()
        #expect(controller.root.visibility.isVisible && !controller.root.visibility.isExposed)
        screen._present(nil)
        sheet.value = nil
        host.evaluate()
        #expect(controller.root.visibility.isExposed && shown == ["a"])
    }

    private struct Sheet: Identifiable {
        let id = 1
    }

    @Test("The view that detects appearances takes no touches from the views below it")
    func touches() {
        let controller = AppearingController(isThere: { _ in }).makeUIViewController(context: .init(_coordinator: ()))
        #expect(!controller.view.isUserInteractionEnabled)
    }

    @Test("A button posts once when VoiceOver or a keyboard triggers it without a tap, and performs its action")
    func triggeredButton() {
        let (app, performed) = (App(activityLogger: ActivityLogger(destinations: [logs])), Held(0))
        let host = ViewHost(size: CGSize(width: 390, height: 800)) {
            Button {
                performed.value += 1
            } label: {
                Text(verbatim: "Buy")
            }
            .postTapLog(Feed.show(item: "a"))
            .environment(\.appEnvironment, app)
        }
        host.tap(text: "Buy")
        #expect(shown == ["a"] && performed.value == 1)
    }
}
