import ActivityTracking
import ActivityTrackingSwiftUI
import ActivityTrackingTesting
import ActivityTrackingUIKit
import ContentVisibility
import Foundation
import SwiftUI
import Testing
import UIKit

@MainActor
struct FullScreenCoverTests {
    struct Link: Identifiable, Sendable {
        let id: String
    }

    private let logs = RecordingDestination()
    private let center = NotificationCenter()

    private var shown: [String] { logs.records.compactMap { $0.json(of: "item")?.filter { $0 != "\"" } } }

    private func window(_ covers: FullScreenCovers<Link>, _ controllers: Controllers) -> ViewHost {
        let app = App(activityLogger: ActivityLogger(destinations: [logs]))
        return ViewHost(size: CGSize(width: 390, height: 800)) {
            FullScreenCoverHost(covers) {
                Color.clear.postShowContentLog(Feed.show(item: "first")).trackScreen(controllers["first"])
            } cover: { link in
                Screen(name: link.id, controller: controllers[link.id])
            }
            .environment(\.appEnvironment, app)
        }
    }

    /// A window whose first view can have a sheet of its own.
    private func sheetWindow(
        _ covers: FullScreenCovers<Link>, _ controllers: Controllers, _ sheet: Held<Link?>, isShown: Bool = true,
        onDismiss: @escaping () -> Void = {}
    ) -> ViewHost {
        let app = App(activityLogger: ActivityLogger(destinations: [logs]))
        return ViewHost(size: CGSize(width: 390, height: 800), isShown: isShown) {
            FullScreenCoverHost(covers) {
                WithSheet(sheet: sheet.binding, controllers: controllers, onDismiss: onDismiss)
            } cover: { link in
                Screen(name: link.id, controller: controllers[link.id])
            }
            .environment(\.appEnvironment, app)
        }
    }

    @Test("Deep links stack; closing a level closes those above it; closing all shows none between")
    func deepLinks() {
        let (covers, controllers) = (FullScreenCovers<Link>(), Controllers(center))
        let host = window(covers, controllers)
        func settle() { for _ in 0..<10 { host.settle() } }
        #expect(shown == ["first"])
        covers.present(Link(id: "a"))
        covers.present(Link(id: "b"))
        settle()
        covers.present(Link(id: "c"))
        settle()
        // A cover that is covered at once is not shown.
        #expect(shown.filter { $0 != "a" } == ["first", "b", "c"])
        covers.present(Link(id: "d"))
        settle()
        #expect(shown.last == "d")
        // The second level closes itself and the levels above it.
        controllers.closes["b"]?()
        settle()
        #expect(shown.last == "a")
        covers.present(Link(id: "e"))
        settle()
        covers.present(Link(id: "f"))
        settle()
        let before = shown
        covers.closeAll()
        settle()
        #expect(shown == before + ["first"])
        #expect(before.suffix(2) == ["e", "f"])
    }

    @Test("A cover opens after the transition of the one below, and none is lost")
    func transitions() {
        let (covers, controllers) = (FullScreenCovers<Link>(), Controllers(center))
        let host = window(covers, controllers)
        host.hasTransitions = true
        covers.present(Link(id: "a"))
        host.settle()
        covers.present(Link(id: "b"))
        host.settle()
        #expect(!shown.contains("b"))
        for _ in 0..<3 { host.endTransitions() }
        #expect(shown.last == "b")
        // Three more items follow. The last one arrives in the middle of a transition.
        covers.present(Link(id: "c"))
        covers.present(Link(id: "d"))
        host.settle()
        covers.present(Link(id: "e"))
        for _ in 0..<4 { host.endTransitions() }
        #expect(shown.last == "e")
        covers.closeAll()
        for _ in 0..<8 { host.endTransitions() }
        #expect(shown.filter { $0 == "first" }.count == 2 && shown.last == "first")
    }

    /// Evaluates until a name is the last one shown, for at most some seconds.
    private func wait(_ host: ViewHost, for name: String) async {
        for _ in 0..<100 where shown.last != name {
            try? await Task.sleep(nanoseconds: 50_000_000)
            host.settle()
        }
        #expect(shown.last == name)
    }

    @Test("A link waits for a presentation by UIKit; one that UIKit refused is presented again")
    func elsewhere() async {
        let (covers, controllers) = (FullScreenCovers<Link>(), Controllers(center))
        let host = window(covers, controllers)
        // A share sheet.
        host.presentElsewhere(UIViewController())
        covers.present(Link(id: "a"))
        try? await Task.sleep(nanoseconds: 600_000_000)
        host.settle()
        #expect(shown == ["first"])
        host.presentElsewhere(nil)
        await wait(host, for: "a")
        // Another transition has just begun, so UIKit ignores the presentation.
        host.hasTransitions = true
        host.beginTransition()
        covers.present(Link(id: "b"))
        host.settle()
        host.endTransitions()
        host.hasTransitions = false
        #expect(shown.last == "a")
        await wait(host, for: "b")
    }

    @Test("Replacing a window's first view closes its covers, and links open over the new view")
    func replaced() {
        let app = App(activityLogger: ActivityLogger(destinations: [logs]))
        let covers = FullScreenCovers<Link>()
        let controllers = Controllers(center)
        var root = "first"
        let host = ViewHost(size: CGSize(width: 390, height: 800)) {
            Replaced(name: { root }) { name in
                FullScreenCoverHost(covers) {
                    Color.clear.postShowContentLog(Feed.show(item: name)).trackScreen(controllers[name])
                } cover: { link in
                    Screen(name: link.id, controller: controllers[link.id])
                }
            }
            .environment(\.appEnvironment, app)
        }
        covers.present(Link(id: "a"))
        host.settle()
        #expect(shown.last == "a")
        root = "second"
        host.evaluate()
        covers.present(Link(id: "b"))
        for _ in 0..<4 { host.settle() }
        #expect(shown.last == "b")
        covers.closeAll()
        for _ in 0..<4 { host.settle() }
        #expect(shown.last == "second")
    }

    private struct Replaced<Content: View>: View {
        let name: () -> String
        @ViewBuilder let content: (String) -> Content
        var body: some View { content(name()).id(name()) }
    }

    @Test(
        "A link older than the window opens over a sheet that is open at launch and closes with it"
    )
    func sheetAtLaunch() {
        let (covers, controllers) = (FullScreenCovers<Link>(), Controllers(center))
        let sheet = Held<Link?>(Link(id: "sheet"))
        let host = sheetWindow(covers, controllers, sheet, isShown: false)
        host.hasTransitions = true
        covers.present(Link(id: "a"))
        host.isShown = true
        for _ in 0..<4 { host.endTransitions() }
        #expect(shown.last == "a")
        let before = shown.count
        sheet.value = nil
        host.evaluate()
        for _ in 0..<4 { host.endTransitions() }
        #expect(shown.dropFirst(before).last == "first")
    }

    @Test("A link opens over a sheet that is open at launch, and also while that sheet closes")
    func restoredSheet() {
        let (covers, controllers) = (FullScreenCovers<Link>(), Controllers(center))
        let sheet = Held<Link?>(Link(id: "sheet"))
        let host = sheetWindow(covers, controllers, sheet)
        covers.present(Link(id: "a"))
        for _ in 0..<4 { host.settle() }
        #expect(shown.last == "a")
        covers.closeAll()
        for _ in 0..<4 { host.settle() }
        host.hasTransitions = true
        sheet.value = nil
        covers.present(Link(id: "b"))
        host.evaluate()
        covers.present(Link(id: "c"))
        for _ in 0..<6 { host.endTransitions() }
        #expect(shown.suffix(2) == ["b", "c"])
    }

    /// A screen with its own sheet, and with a sheet over which covers do not open.
    private struct WithSheet: View {
        @Binding var sheet: Link?
        let controllers: Controllers
        let onDismiss: () -> Void

        var body: some View {
            Color.clear
                .postShowContentLog(Feed.show(item: "first"))
                .trackScreen(controllers["first"])
                .coverableSheet(item: $sheet, onDismiss: onDismiss) {
                    Screen(name: $0.id, controller: controllers[$0.id])
                }
        }
    }

    @Test("A link opens over a sheet of the app, and closing all covers leaves the sheet")
    func overSheets() {
        let (covers, controllers) = (FullScreenCovers<Link>(), Controllers(center))
        let sheet = Held<Link?>(nil)
        var dismissed = 0
        let host = sheetWindow(covers, controllers, sheet) { dismissed += 1 }
        host.hasTransitions = true
        sheet.value = Link(id: "sheet")
        host.evaluate()
        // During the sheet's transition nothing is presented, neither from it nor from below.
        covers.present(Link(id: "a"))
        host.settle()
        #expect(!shown.contains("a"))
        for _ in 0..<3 { host.endTransitions() }
        #expect(shown.suffix(2) == ["sheet", "a"])
        covers.closeAll()
        for _ in 0..<4 { host.endTransitions() }
        #expect(sheet.value != nil && shown.last == "sheet" && dismissed == 0)
        sheet.value = nil
        host.evaluate()
        host.endTransitions()
        #expect(dismissed == 1)
        // The sheet is closed, so the next item is presented from the level below it.
        covers.present(Link(id: "b"))
        host.settle()
        for _ in 0..<2 { host.endTransitions() }
        #expect(shown.last == "b")
        // A sheet that closes under a cover closes the cover too, and no item waits for it.
        covers.closeAll()
        for _ in 0..<4 { host.endTransitions() }
        sheet.value = Link(id: "again")
        host.evaluate()
        host.endTransitions()
        covers.present(Link(id: "c"))
        for _ in 0..<2 { host.endTransitions() }
        #expect(shown.last == "c")
        sheet.value = nil
        host.evaluate()
        covers.present(Link(id: "d"))
        for _ in 0..<4 { host.endTransitions() }
        #expect(shown.last == "d")
    }

    @Test("A cover without a root notifies the UIKit screens below, which do not have its environment")
    func coverWithoutRoot() {
        let (covers, screen, cover) = (FullScreenCovers<Link>(), UIViewController(), UIViewController())
        cover.modalPresentationStyle = .overFullScreen
        let controller = ScreenTracker(screen)
        controller.root.appear()
        let host = ViewHost(size: CGSize(width: 390, height: 800)) {
            FullScreenCoverHost(covers, content: { EmptyView() }, cover: { Text(verbatim: $0.id) })
        }
        screen._present(cover)
        covers.present(Link(id: "a"))
        for _ in 0..<4 { host.settle() }
        #expect(!controller.root.visibility.isVisible)
        screen._present(nil)
        covers.closeAll()
        for _ in 0..<4 { host.settle() }
        #expect(controller.root.visibility.visit == 2 && controller.root.visibility.isVisible)
    }

    @Test("A tap posts its event in addition to the action")
    func taps() {
        let app = App(activityLogger: ActivityLogger(destinations: [logs]))
        var actions = 0
        let tapped = ViewHost(size: CGSize(width: 390, height: 800)) {
            Place("button", CGRect(x: 0, y: 0, width: 10, height: 10)) {
                Button {
                    actions += 1
                } label: {
                    EmptyView()
                }.buttonStyle(LogButtonStyle(Feed.show(item: "button")))
            }
            .environment(\.appEnvironment, app)
            Place("cell", CGRect(x: 0, y: 10, width: 10, height: 10)) {
                Color.clear.postTapLog(Feed.show(item: "cell"))
            }
            .environment(\.appEnvironment, app)
            AppEnvironmentReader { environment in
                Place("made with it", .zero) {
                    Color.clear.onAppear { environment.activityLogger.post(Feed.show(item: "environment")) }
                }
            }
            .environment(\.appEnvironment, app)
        }
        tapped.tap("button")
        tapped.tap("cell")
        #expect(shown == ["environment", "button", "cell"] && actions == 1)
    }

    /// A cover's screen, which can close itself.
    private struct Screen: View {
        let name: String
        let controller: ScreenTracker
        @Environment(\.closeFullScreenCover) private var close

        init(name: String, controller: ScreenTracker) {
            self.name = name
            self.controller = controller
        }

        var body: some View {
            Color.clear
                .postShowContentLog(Feed.show(item: name))
                .trackScreen(controller)
                .onAppear { Controllers.current?.closes[name] = { [close] in close() } }
        }
    }

    @MainActor private final class Controllers {
        static weak var current: Controllers?
        private var known: [String: ScreenTracker] = [:]
        private let center: NotificationCenter
        var closes: [String: () -> Void] = [:]

        init(_ center: NotificationCenter) {
            self.center = center
            Self.current = self
        }

        subscript(name: String) -> ScreenTracker {
            let controller = known[name] ?? ScreenTracker(nil, center: center)
            known[name] = controller
            return controller
        }
    }
}
