import ActivityTrackingSwiftUI
import Foundation
import RecipeLogs
import SwiftUI
import Testing
import UIKit

@testable import Recipes

/// Tests of the example app that run without a device.
@MainActor
struct RecipesTests {
    private func link(_ text: String) throws -> URL { try #require(URL(string: text)) }

    @Test("The app has its screens in each of its windows")
    func launches() throws {
        let (app, delegate) = (UIApplication.shared, AppDelegate())
        app.delegate = delegate
        #expect(delegate.application(app, didFinishLaunchingWithOptions: nil))
        let (first, second) = (SceneDelegate(), SceneDelegate())
        for (window, scene) in [(first, UIWindowScene()), (second, UIWindowScene())] {
            window.scene(scene, willConnectTo: UISceneSession(), options: UIScene.ConnectionOptions(_urls: []))
            #expect(window.window?.windowScene === scene && window.window?.rootViewController != nil)
        }
        #expect(first.links !== second.links)
        let tabs = TabsView(environment: delegate.environment).makeUIViewController(context: .init(_coordinator: ()))
        #expect(tabs.viewControllers?.count == 5)
    }

    @Test(
        "A launching link opens with its window, and others open over it; foreign links do not"
    )
    func coldLink() throws {
        let (app, delegate, window, scene) = (UIApplication.shared, AppDelegate(), SceneDelegate(), UIWindowScene())
        app.delegate = delegate
        window.scene(
            scene, willConnectTo: UISceneSession(),
            options: UIScene.ConnectionOptions(_urls: [try link("recipes://42"), try link("recipes://pancake")]))
        let host = ViewHost(size: CGSize(width: 390, height: 800)) {
            FullScreenCoverHost(
                window.links, content: { EmptyView() },
                cover: { LinkedRecipeView(link: $0, environment: delegate.environment) })
        }
        for _ in 0..<4 { host.settle() }
        #expect(host.drawings(in: "") == ["Close recipe 42"])
        // A link that arrives while the app runs.
        let later = UIScene.ConnectionOptions(_urls: [try link("recipes://7")]).urlContexts
        window.scene(scene, openURLContexts: later)
        for _ in 0..<4 { host.settle() }
        #expect(host.drawings(in: "") == ["Close recipe 7"])
    }

    @Test("The app's SwiftUI screens consist of cells that show whether they have been tracked")
    func screens() throws {
        let environment = RecipesEnvironment()
        let links = FullScreenCovers<RecipeLink>()
        let home = HomeViewController(environment: environment).rootView
        let homeHost = ViewHost(size: CGSize(width: 390, height: 800)) {
            FullScreenCoverHost(
                links, content: { home }, cover: { LinkedRecipeView(link: $0, environment: environment) })
        }
        let drawn = homeHost.drawings(in: "")
        #expect(
            drawn.contains("Section 11") && drawn.contains("recipe-11-9") && drawn.contains("–") && !drawn.contains("✓")
        )
        environment.marks.mark("recipe-0-0")
        homeHost.settle()
        #expect(homeHost.drawings(in: "").contains("✓"))
        links.present(try #require(RecipeLink(try link("recipes://42"))))
        homeHost.settle()
        #expect(homeHost.drawings(in: "") == ["Close recipe 42"])
        let list = ListViewController(environment: environment).rootView
        #expect(
            ViewHost(size: CGSize(width: 390, height: 800)) { list }.drawings(in: "").filter { $0.hasPrefix("row-") }
                .count == ListView.count)
    }
}
