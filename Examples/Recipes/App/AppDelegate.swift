import ActivityTracking
import ActivityTrackingSwiftUI
import ActivityTrackingUIKit
import Foundation
import RecipeLogs
import SwiftUI
import UIKit

/// A home of SwiftUI that scrolls both ways, a list of SwiftUI, and a table of UIKit, in tabs; deep links open over all of them.
@main
final class AppDelegate: UIResponder, UIApplicationDelegate {
    var window: UIWindow?
    private let environment = RecipesEnvironment()
    private let links = FullScreenCovers<RecipeLink>()
    private var backgroundWork: BackgroundWork?

    func application(_ application: UIApplication, didFinishLaunchingWithOptions launchOptions: [UIApplication.LaunchOptionsKey: Any]?) -> Bool {
        let tabs = UITabBarController()
        let screens = [
            HomeViewController(environment: environment, links: links), ListViewController(environment: environment),
            TableViewController(environment: environment),
        ]
        let titles = ["Home", "List", "Table"]
        for (index, screen) in screens.enumerated() { screen.tabBarItem = UITabBarItem(title: titles[index], image: nil, tag: index) }
        tabs.viewControllers = screens
        let window = UIWindow(frame: UIScreen.main.bounds)
        window.rootViewController = tabs
        window.makeKeyAndVisible()
        self.window = window
        backgroundWork = BackgroundWork(application) { [environment] in await environment.activityLogger.flush() }
        return true
    }

    func application(_ application: UIApplication, open url: URL, options: [UIApplication.OpenURLOptionsKey: Any]) -> Bool {
        guard let recipe = url.host.flatMap({ Int64($0) }) else { return false }
        links.present(RecipeLink(recipe: RecipeID(recipe)))
        return true
    }
}

/// A recipe that opens over whatever is on screen: `recipes://42`.
struct RecipeLink: Identifiable, Sendable {
    let recipe: RecipeID
    var id: RecipeID { recipe }
}
