import ActivityTracking
import ActivityTrackingSwiftUI
import ActivityTrackingUIKit
import Foundation
import RecipeLogs
import SwiftUI
import UIKit

/// A home of SwiftUI that scrolls both ways, a list of SwiftUI, a table of UIKit, and screens with buttons, in tabs; deep links open over all of them.
@main
final class AppDelegate: UIResponder, UIApplicationDelegate {
    var window: UIWindow?
    private let environment = RecipesEnvironment()
    private let links = FullScreenCovers<RecipeLink>()
    private var backgroundWork: BackgroundWork?

    func application(_ application: UIApplication, didFinishLaunchingWithOptions launchOptions: [UIApplication.LaunchOptionsKey: Any]?) -> Bool {
        #if canImport(ObjectiveC)
            TapTracking.start()
        #endif
        let window = UIWindow(frame: UIScreen.main.bounds)
        window.rootViewController = UIHostingController(
            rootView: FullScreenCoverHost(links) { [environment] in
                TabsView(environment: environment).ignoresSafeArea()
            } cover: { [environment] link in
                LinkedRecipeView(link: link, environment: environment)
            })
        window.makeKeyAndVisible()
        self.window = window
        backgroundWork = BackgroundWork(application) { [logger = environment.activityLogger] in await logger.flush() }
        return true
    }

    func application(_ application: UIApplication, open url: URL, options: [UIApplication.OpenURLOptionsKey: Any]) -> Bool {
        guard let recipe = url.host.flatMap({ Int64($0) }) else { return false }
        links.present(RecipeLink(recipe: RecipeID(recipe)))
        return true
    }
}

/// The window's tabs.
struct TabsView: UIViewControllerRepresentable {
    let environment: RecipesEnvironment

    func makeUIViewController(context: Context) -> UITabBarController {
        let screens = [
            HomeViewController(environment: environment), ListViewController(environment: environment), TableViewController(environment: environment),
            UINavigationController(rootViewController: MoreViewController(environment: environment)),
        ]
        for (index, title) in ["Home", "List", "Table", "More"].enumerated() {
            screens[index].tabBarItem = UITabBarItem(title: title, image: nil, tag: index)
        }
        let tabs = UITabBarController()
        tabs.viewControllers = screens
        return tabs
    }

    func updateUIViewController(_ tabs: UITabBarController, context: Context) {}
}

/// A recipe that opens over whatever is on screen: `recipes://42`.
struct RecipeLink: Identifiable, Sendable {
    let recipe: RecipeID
    var id: RecipeID { recipe }
}
