import ActivityTracking
import ActivityTrackingTesting
import ActivityTrackingUIKit
import ContentVisibility
import Foundation
import RecipeLogs
import Testing
import UIKit

/// The samples of ActivityTrackingUIKit's documentation.
final class ResultsViewController: UITableViewController {
    let activityLogger: ActivityLogger
    let recipes: [RecipeID]
    private(set) lazy var screen = ScreenTracker(self)
    private(set) lazy var contents = ScrollViewTracker<RecipeID>(tableView, screen: screen, logger: activityLogger)

    init(activityLogger: ActivityLogger, recipes: [RecipeID]) {
        self.activityLogger = activityLogger
        self.recipes = recipes
        super.init(style: .plain)
    }

    @available(*, unavailable)
    required init?(coder: NSCoder) { nil }

    override func viewDidLoad() {
        super.viewDidLoad()
        screen.track(RecipeSearch.viewSearch(referrer: .home), logger: activityLogger)
    }

    override func viewDidAppear(_ animated: Bool) {
        super.viewDidAppear(animated)
        screen.root.appear()
        screen.presentationDidChange()
    }

    override func tableView(_ tableView: UITableView, willDisplay cell: UITableViewCell, forRowAt indexPath: IndexPath)
    {
        let recipe = recipes[indexPath.row]
        contents.content(
            cell, id: recipe,
            RecipeSearch.showRecipe(recipeId: recipe, position: indexPath.row, keyword: "curry", order: .popular))
    }
}

final class FeedViewController: UIViewController {
    let activityLogger: ActivityLogger
    let tableView = UIScrollView(frame: CGRect(x: 0, y: 0, width: 390, height: 800))
    var isStale = false
    private lazy var screen = ScreenTracker(
        self, willRefreshOnForeground: { [weak self] in self?.isStale ?? false },
        onVisit: { [activityLogger] in activityLogger.post(Feed.show(item: "screen")) })
    private lazy var contents = ScrollViewTracker<Int>(
        tableView, screen: screen,
        onShown: { [activityLogger] in activityLogger.post(Feed.show(item: "\($0)")) },
        onSeen: { [activityLogger] in activityLogger.post(Feed.show(item: "seen \($0)")) })

    init(activityLogger: ActivityLogger) {
        self.activityLogger = activityLogger
        super.init(nibName: nil, bundle: nil)
    }

    @available(*, unavailable)
    required init?(coder: NSCoder) { nil }

    override func viewDidAppear(_ animated: Bool) {
        super.viewDidAppear(animated)
        screen.root.appear()
        screen.presentationDidChange()
    }

    override func viewDidDisappear(_ animated: Bool) {
        super.viewDidDisappear(animated)
        screen.root.disappear()
        screen.presentationDidChange()
    }

    override func viewDidLayoutSubviews() {
        super.viewDidLayoutSubviews()
        contents.didLayout()
    }

    func willDisplay(_ cell: UIView, recipe: Int) { contents.willDisplay(cell, id: recipe) }

    func willDisplay(_ card: UIView, recipe: Int, inCarouselOf row: Int) {
        contents.willDisplay(card, id: recipe, in: row)
    }

    func didEndDisplaying(_ cell: UIView) { contents.didEndDisplaying(cell) }

    func scrollViewDidScroll() { contents.didScroll() }

    func refreshDidEnd() { screen.root.endRefresh() }

    func startOver() { contents.tracker.restart() }
}

@MainActor
struct UIKitExample {
    @Test("The sample posts its events according to their definitions")
    func results() {
        let logs = RecordingDestination()
        let results = ResultsViewController(
            activityLogger: ActivityLogger(destinations: [logs]), recipes: [RecipeID(42)])
        results.viewDidLoad()
        let cell = UITableViewCell(style: .default, reuseIdentifier: nil)
        cell.frame = CGRect(x: 0, y: 0, width: 390, height: 100)
        results.tableView.addSubview(cell)
        results.tableView(results.tableView, willDisplay: cell, forRowAt: IndexPath(indexes: [0, 0]))
        results.viewDidAppear(false)
        // The recipe is due two seconds later, when it has been seen.
        #expect(logs.events(of: RecipeSearch.self) == [.viewSearch(referrer: .home)])
    }

    @Test("The app's screen posts the logs of its visit and its contents") func screenOfTheApp() {
        let logs = RecordingDestination()
        let feed = FeedViewController(activityLogger: ActivityLogger(destinations: [logs]))
        let cell = UIView(frame: CGRect(x: 0, y: 0, width: 390, height: 100))
        feed.tableView.addSubview(cell)
        feed.willDisplay(cell, recipe: 1)
        #expect(logs.records.isEmpty)
        feed.viewDidAppear(false)
        feed.viewDidLayoutSubviews()
        #expect(logs.records.compactMap { $0.json(of: "item") } == ["\"screen\"", "\"1\""])
        let card = UIView(frame: CGRect(x: 0, y: 0, width: 100, height: 100))
        cell.addSubview(card)
        feed.willDisplay(card, recipe: 2, inCarouselOf: 1)
        #expect(logs.records.last?.json(of: "item") == "\"2\"")
        feed.didEndDisplaying(card)
        feed.isStale = true
        NotificationCenter.default.post(name: UIApplication.didEnterBackgroundNotification, object: nil)
        NotificationCenter.default.post(name: UIApplication.willEnterForegroundNotification, object: nil)
        #expect(logs.records.count == 3)
        feed.refreshDidEnd()
        #expect(logs.records.count == 5)
        feed.startOver()
        feed.scrollViewDidScroll()
        feed.didEndDisplaying(cell)
        feed.viewDidDisappear(false)
        #expect(logs.records.count == 5)
    }

    @Test("The app flushes its logs in a background task", .timeLimit(.minutes(10))) func appThatGoesToTheBackground()
        async throws
    {
        let application = UIApplication()
        let center = NotificationCenter()
        let activityLogger = ActivityLogger(destinations: [RecordingDestination()])
        let work = BackgroundWork(application, center: center) { await activityLogger.flush() }
        ProcessInfo.processInfo.performExpiringWork { await activityLogger.flush() }
        center.post(name: UIApplication.didEnterBackgroundNotification, object: nil)
        while application._ended.isEmpty {
            try Task.checkCancellation()
            await Task.yield()
        }
        withExtendedLifetime(work) {}
    }
}
