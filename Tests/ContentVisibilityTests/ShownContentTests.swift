import ActivityTracking
import ActivityTrackingTesting
import ContentVisibility
import Testing

private enum Feed: LogCategory {
    case show(item: String)

    static let definition = LogDefinition("feed\n.show|1-0-0\nitem|string")

    func encode(into encoder: LogEncoder) {
        switch self {
        case .show(let item): encoder.event(0).string(item)
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
        root.update { $0.hasAppeared = true }
        return root
    }

    @Test("whichever of root, content and visit comes last, the log is posted, once in a visit")
    func order() {
        let root = ContentRoot()
        var content = ShownContent()
        content.update(isAppearing: true, in: root, environment: app, event: { Feed.show(item: "a") })
        #expect(shown == [])
        root.update { $0.hasAppeared = true }
        for _ in 0..<2 { content.update(in: root, environment: app, event: { Feed.show(item: "a") }) }
        #expect(shown == ["\"a\""])
        content.update(isAppearing: false, in: root, environment: app, event: { Feed.show(item: "a") })
        content.update(isAppearing: true, in: root, environment: app, event: { Feed.show(item: "a") })
        #expect(shown.count == 1)
        root.update { $0.isInForeground = false }
        root.update { $0.isInForeground = true }
        content.update(in: root, environment: app, event: { Feed.show(item: "a") })
        #expect(shown.count == 2)
        content.update(isAppearing: false, in: root, environment: app, event: { Feed.show(item: "a") })
        root.update { $0.isInForeground = false }
        root.update { $0.isInForeground = true }
        content.update(in: root, environment: app, event: { Feed.show(item: "a") })
        #expect(shown.count == 2)
    }

    @Test("a view with an id that is made anew is not shown twice in a visit, a plain one is")
    func memory() {
        let root = visibleRoot()
        for id in [AnyHashable(1), nil] {
            for _ in 0..<2 {
                var content = ShownContent()
                content.update(isAppearing: true, id: id, in: root, environment: app, event: { Feed.show(item: id == nil ? "plain" : "id") })
            }
        }
        #expect(shown == ["\"id\"", "\"plain\"", "\"plain\""])
        root.update { $0.isRefreshing = true }
        root.update { $0.isRefreshing = false }
        var content = ShownContent()
        content.update(isAppearing: true, id: 1, in: root, environment: app, event: { Feed.show(item: "id") })
        #expect(shown.count == 4)
    }

    @Test("onPostLog gets the environment when the event is posted, and only then")
    func onPostLog() {
        let root = visibleRoot()
        var content = ShownContent()
        var names: [String] = []
        for _ in 0..<2 {
            content.update(isAppearing: true, in: root, environment: app, event: { Feed.show(item: "a") }, onPostLog: { names.append($0.name) })
        }
        #expect(names == ["app"])
    }

    @Test("a missing root or environment is said, with what to add where, and nothing is posted")
    func misuse() {
        var content = ShownContent()
        var said: [String] = []
        content.update(isAppearing: true, in: nil, environment: app, event: { Feed.show(item: "a") }, misuse: { said.append($0) })
        content.update(in: visibleRoot(), environment: App?.none, event: { Feed.show(item: "a") }, misuse: { said.append($0) })
        content.update(isAppearing: false, in: nil, environment: App?.none, event: { Feed.show(item: "a") }, misuse: { said.append($0) })
        #expect(said.count == 2)
        #expect(said.first?.contains("Add showContentLogRoot(controller:) to the screen") == true)
        #expect(said.last?.contains("app environment") == true)
        #expect(shown == [])
    }

    @Test("a root publishes its visibility without repeats")
    func publishes() {
        var published: [Bool] = []
        let root = ContentRoot { published.append($0.isVisible) }
        root.update { $0.hasAppeared = true }
        root.update { $0.hasAppeared = true }
        root.update { $0.cover = .sheet }
        root.update { $0.cover = .fullScreen }
        root.update { $0.isInForeground = false }
        root.update { $0 = RootVisibility.Conditions() }
        #expect(published == [true, false])
    }
}
