@_spi(GeneratedCode) import ActivityTracking
import ActivityTrackingTesting
import ContentVisibility
import Testing

private enum Feed: LogCategory {
    case show(item: String)
    case like(item: String)

    static let definition = LogDefinition("feed\n.show|1-0-0\nitem|string\n.like|1-0-0\nitem|string")

    func encode(into encoder: LogEncoder) {
        switch self {
        case .show(let item): encoder.event(0).string(item)
        case .like(let item): encoder.event(1).string(item)
        }
    }
}

private struct App: ActivityLogging {
    let activityLogger: ActivityLogger
    let name = "app"
}

@MainActor
struct ShownContentTests {
    private let logs = RecordingDestination()
    private let app: App

    init() { app = App(activityLogger: ActivityLogger(destinations: [logs])) }

    private var shown: [String] { logs.records.compactMap { $0.json(of: "item") } }

    private func visibleRoot() -> ContentRoot {
        let root = ContentRoot()
        root.appear()
        return root
    }

    @Test("The log is posted once per visit, in any order of root, content and visit")
    func order() {
        let root = ContentRoot()
        var content = ShownContent()
        content.update(isAppearing: true, in: root, environment: app, event: { Feed.show(item: "a") })
        #expect(shown == [])
        root.appear()
        for _ in 0..<2 { content.update(in: root, environment: app, event: { Feed.show(item: "a") }) }
        #expect(shown == ["\"a\""])
        content.update(isAppearing: false, in: root, environment: app, event: { Feed.show(item: "a") })
        content.update(isAppearing: true, in: root, environment: app, event: { Feed.show(item: "a") })
        #expect(shown.count == 1)
        root.enterBackground()
        root.enterForeground()
        content.update(in: root, environment: app, event: { Feed.show(item: "a") })
        #expect(shown.count == 2)
        content.update(isAppearing: false, in: root, environment: app, event: { Feed.show(item: "a") })
        root.enterBackground()
        root.enterForeground()
        content.update(in: root, environment: app, event: { Feed.show(item: "a") })
        #expect(shown.count == 2)
    }

    @Test("A content whose view stays is shown by each of 100 screens, even at the address of the previous one")
    func replacedRoots() {
        var content = ShownContent()
        for _ in 0..<100 {
            let root = visibleRoot()
            for _ in 0..<2 {
                content.update(isAppearing: true, in: root, environment: app, event: { Feed.show(item: "a") })
            }
            root.disappear()
        }
        #expect(shown.count == 100)
    }

    @Test("A recreated view with an id is shown once per visit, and one without an id each time")
    func memory() {
        let root = visibleRoot()
        for id in [AnyHashable(1), nil] {
            for _ in 0..<2 {
                var content = ShownContent()
                content.update(
                    isAppearing: true, id: id, in: root, environment: app,
                    event: { Feed.show(item: id == nil ? "plain" : "id") })
            }
        }
        #expect(shown == ["\"id\"", "\"plain\"", "\"plain\""])
        root.setRefreshing(true)
        root.setRefreshing(false)
        var content = ShownContent()
        content.update(isAppearing: true, id: 1, in: root, environment: app, event: { Feed.show(item: "id") })
        #expect(shown.count == 4)
    }

    @Test("Two events of one content are shown, and so is a content that moves to another screen")
    func eventsAndScreens() {
        var contents = [ShownContent(), ShownContent()]
        let root = visibleRoot()
        contents[0].update(isAppearing: true, id: 1, in: root, environment: app, event: { Feed.show(item: "a") })
        contents[1].update(isAppearing: true, id: 1, in: root, environment: app, event: { Feed.like(item: "b") })
        #expect(shown == ["\"a\"", "\"b\""])
        for index in contents.indices {
            contents[index].update(id: 1, in: visibleRoot(), environment: app, event: { Feed.show(item: "c") })
        }
        #expect(shown.count == 4)
    }

    @Test("onPostLog gets the environment when the event is posted, and only then")
    func onPostLog() {
        let root = visibleRoot()
        var content = ShownContent()
        var names: [String] = []
        for _ in 0..<2 {
            content.update(
                isAppearing: true, in: root, environment: app, event: { Feed.show(item: "a") },
                onPostLog: { names.append(($0 as? App)?.name ?? "?") }
            )
        }
        #expect(names == ["app"])
    }

    @Test("A missing root or environment is reported with a fix, and nothing is posted")
    func misuse() {
        var content = ShownContent()
        var said: [String] = []
        content.update(
            isAppearing: true, in: nil, environment: app, event: { Feed.show(item: "a") }, misuse: { said.append($0) })
        content.update(
            in: visibleRoot(), environment: nil, event: { Feed.show(item: "a") }, misuse: { said.append($0) })
        content.update(
            isAppearing: false, in: nil, environment: nil, event: { Feed.show(item: "a") }, misuse: { said.append($0) })
        #expect(said.count == 2)
        #expect(said.first?.contains("Add trackScreen(_:) to the screen") == true)
        #expect(said.last?.contains("app environment") == true)
        #expect(shown == [])
    }

    @Test(
        "Visits are reported before the root becomes visible; a background launch is not a visit")
    func visits() {
        var log: [String] = []
        let root = ContentRoot(
            isInForeground: false, onVisit: { log.append("visit") },
            onChange: { log.append($0.isVisible ? "visible" : "not visible") })
        root.appear()
        #expect(log.isEmpty)
        root.enterForeground()
        root.enterForeground()
        root.disappear()
        root.appear()
        #expect(log == ["visit", "visible", "not visible", "visit", "visible"])
    }

    @Test("A root publishes its visibility without repeats")
    func publishes() {
        var published: [[Bool]] = []
        var cover = RootVisibility.Cover.none
        let root = ContentRoot(cover: { cover }, onChange: { published.append([$0.isVisible, $0.isExposed]) })
        root.appear()
        root.appear()
        for next in [RootVisibility.Cover.sheet, .sheet, .none, .fullScreen, .fullScreen] {
            cover = next
            root.coverMayHaveChanged()
        }
        root.enterBackground()
        root.disappear()
        #expect(published == [[true, true], [true, false], [true, true], [false, false]])
    }

    @Test("A visit waits for a refresh due on return, however it ends, but not at first appearance")
    func refreshOnReturn() {
        var isDue = true
        let root = ContentRoot(isRefreshDue: { isDue })
        root.appear()
        #expect(root.visibility.visit == 1 && root.visibility.isVisible)
        root.enterBackground()
        root.enterForeground()
        #expect(!root.visibility.isVisible)
        root.endRefresh()
        #expect(root.visibility.isVisible && root.visibility.visit == 2)
        // Returns to a tab: through its own events, or because it is selected.
        root.disappear()
        root.appear(isForcedToDisappear: true)
        #expect(!root.visibility.conditions.isWaitingForRefresh)
        root.setForcedToDisappear(false)
        #expect(root.visibility.conditions.isWaitingForRefresh && !root.visibility.isVisible)
        root.endRefresh()
        #expect(root.visibility.visit == 3)
        isDue = false
        root.disappear()
        root.appear()
        #expect(root.visibility.isVisible && root.visibility.visit == 4)
    }

    @Test("Of several refreshes, the last one to end begins a visit, and an end without a beginning has no effect")
    func overlappingRefreshes() {
        let root = ContentRoot(isRefreshDue: { true })
        root.appear()
        root.endRefresh()
        root.beginRefresh()
        root.enterBackground()
        root.enterForeground()
        root.endRefresh()
        #expect(!root.visibility.isVisible)
        root.endRefresh()
        #expect(root.visibility.isVisible && root.visibility.visit == 2)
    }

    @Test("A refresh without an end counts as ended after a minute, on time or at the next change, and is reported")
    func forgottenEnd() async {
        var said: [String] = []
        let time = Locked(0.0)
        let (sleeping, wakes) = (Locked<Double?>(nil), Locked(false))
        let clock = VisibilityClock(
            now: { time.withLock { $0 } },
            sleep: { seconds in
                sleeping.withLock { $0 = seconds }
                while !wakes.withLock({ $0 }), !Task.isCancelled { await Task.yield() }
            })
        let root = ContentRoot(isRefreshDue: { true }, clock: clock, misuse: { said.append($0) })
        root.appear()
        root.beginRefresh()
        while sleeping.withLock({ $0 }) != 60 { await Task.yield() }
        time.withLock { $0 = 50 }
        root.disappear()
        root.appear()
        #expect(!root.visibility.isVisible && said.isEmpty)
        // The second refresh, which was due on the return, prolongs the wait.
        time.withLock { $0 = 109 }
        root.coverMayHaveChanged()
        #expect(!root.visibility.isVisible)
        time.withLock { $0 = 110 }
        wakes.withLock { $0 = true }
        while !root.visibility.isVisible { await Task.yield() }
        #expect(said.count == 1 && said[0].contains("Call endRefresh() once after each refresh"))
        root.beginRefresh()
        wakes.withLock { $0 = false }
        time.withLock { $0 = 200 }
        root.coverMayHaveChanged()
        #expect(root.visibility.isVisible && said.count == 2)
    }

    @Test("After a return from the background under a modal, nothing below it is visible")
    func coveredOnReturn() {
        var cover = RootVisibility.Cover.none
        let root = ContentRoot(cover: { cover })
        root.appear()
        cover = .sheet
        root.enterBackground()
        root.enterForeground()
        #expect(!root.visibility.isVisible)
        cover = .none
        root.coverMayHaveChanged()
        #expect(root.visibility.visit == 2)
    }
}
