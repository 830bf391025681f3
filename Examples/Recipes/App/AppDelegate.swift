import ActivityInspector
import ActivityTracking
import ActivityTrackingSwiftUI
import ActivityTrackingUIKit
import Foundation
import RecipeLogs
import SwiftUI
import UIKit

/// An app with five tabs: a SwiftUI home that scrolls in both directions, a SwiftUI list, a UIKit table, screens with
/// buttons, and the logs. Deep links open over them.
@main
final class AppDelegate: UIResponder, UIApplicationDelegate {
    let environment = RecipesEnvironment()
    private var backgroundWork: BackgroundWork?

    func application(
        _ application: UIApplication,
        didFinishLaunchingWithOptions launchOptions: [UIApplication.LaunchOptionsKey: Any]?
    ) -> Bool {
        #if canImport(ObjectiveC)
            TapTracking.start()
        #endif
        backgroundWork = BackgroundWork(application) { [logger = environment.activityLogger] in await logger.flush() }
        return true
    }
}

/// A window with its screens and links.
final class SceneDelegate: UIResponder, UIWindowSceneDelegate {
    var window: UIWindow?
    let links = FullScreenCovers<RecipeLink>()

    func scene(
        _ scene: UIScene, willConnectTo session: UISceneSession, options connectionOptions: UIScene.ConnectionOptions
    ) {
        guard let scene = scene as? UIWindowScene, let app = UIApplication.shared.delegate as? AppDelegate else {
            return
        }
        let environment = app.environment
        let window = UIWindow(windowScene: scene)
        window.rootViewController = UIHostingController(
            rootView: FullScreenCoverHost(links) {
                TabsView(environment: environment).ignoresSafeArea()
            } cover: { link in
                LinkedRecipeView(link: link, environment: environment)
            })
        self.window = window
        window.makeKeyAndVisible()
        // These links launched the app, and are not passed to other methods.
        open(connectionOptions.urlContexts)
    }

    func scene(_ scene: UIScene, openURLContexts contexts: Set<UIOpenURLContext>) { open(contexts) }

    private func open(_ contexts: Set<UIOpenURLContext>) {
        for link in contexts.compactMap({ RecipeLink($0.url) }) { links.present(link) }
    }
}

/// The window's tabs.
struct TabsView: UIViewControllerRepresentable {
    let environment: RecipesEnvironment

    func makeUIViewController(context: Context) -> UITabBarController {
        let screens = [
            HomeViewController(environment: environment), ListViewController(environment: environment),
            TableViewController(environment: environment),
            UINavigationController(rootViewController: MoreViewController(environment: environment)),
            UIHostingController(rootView: ActivityInspectorView(environment.inspector)),
        ]
        for (index, title) in ["Home", "List", "Table", "More", "Logs"].enumerated() {
            screens[index].tabBarItem = UITabBarItem(title: title, image: nil, tag: index)
        }
        let tabs = UITabBarController()
        tabs.viewControllers = screens
        return tabs
    }

    func updateUIViewController(_ tabs: UITabBarController, context: Context) {}
}

/// A recipe that a link such as `recipes://42` opens over the current screen.
struct RecipeLink: Identifiable {
    let recipe: RecipeID
    var id: RecipeID { recipe }

    init?(_ url: URL) {
        guard let recipe = url.host.flatMap({ Int64($0) }) else { return nil }
        self.recipe = RecipeID(recipe)
    }
}
