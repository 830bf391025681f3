import ActivityTracking
import ActivityTrackingSwiftUI
import ActivityTrackingUIKit
import ContentVisibility
import Foundation
import RecipeLogs
import SwiftUI
import UIKit

/// Rows of recipes that scroll sideways, in a page that scrolls down.
struct HomeView: View {
    let environment: RecipesEnvironment
    let screen: ScreenTracker
    let impressions: ImpressionTrackingController
    @ObservedObject private var marks: Marks

    init(environment: RecipesEnvironment, screen: ScreenTracker, impressions: ImpressionTrackingController) {
        self.environment = environment
        self.screen = screen
        self.impressions = impressions
        _marks = ObservedObject(wrappedValue: environment.marks)
    }

    static let sectionCount: UInt8 = 12
    /// What the document says of when a recipe counts as seen.
    private static let rule = ImpressionRule().replacing(Home.definition.events.first { $0.name == "see_feed_recipe" }?.trigger)

    var body: some View {
        TrackableScrollView(controller: impressions) {
            LazyVStack {
                ForEach(0..<Int(Self.sectionCount), id: \.self) { position in
                    Text(verbatim: "Section \(position)")
                        .postShowContentLog(Home.showSection(section: .seasonal, position: position), id: position)
                    TrackableScrollView(.horizontal, showsIndicators: false) {
                        LazyHStack {
                            ForEach(0..<10, id: \.self) { column in
                                let name = "recipe-\(position)-\(column)"
                                CheckedCell(name: name, isChecked: marks.tracked.contains(name))
                                    .frame(width: 150, height: 120)
                                    .trackImpression(name, rule: Self.rule) { seen(name, position * 10 + column, position: column) }
                            }
                        }
                    }
                }
            }
        }
        .trackScreen(screen)
        .environment(\.appEnvironment, environment)
    }

    private func seen(_ name: String, _ recipe: Int, position: Int) {
        environment.marks.mark(name)
        environment.activityLogger.post(Home.seeFeedRecipe(section: .seasonal, recipeId: RecipeID(Int64(recipe)), position: position))
    }
}

/// A cell that shows whether it has been tracked.
struct CheckedCell: View {
    let name: String
    let isChecked: Bool

    var body: some View {
        HStack {
            Text(verbatim: name)
            Text(verbatim: isChecked ? "✓" : "–").accessibilityIdentifier("\(name)-\(isChecked ? "tracked" : "untracked")")
        }
    }
}

final class HomeViewController: UIHostingController<HomeView> {
    private let screen: ScreenTracker

    init(environment: RecipesEnvironment) {
        screen = ScreenTracker(nil, onVisit: { environment.activityLogger.post(Home.viewHome(sectionCount: HomeView.sectionCount)) })
        super.init(rootView: HomeView(environment: environment, screen: screen, impressions: ImpressionTrackingController()))
        screen.viewController = self
    }

    @available(*, unavailable)
    required init?(coder: NSCoder) { nil }
}

/// A recipe that a deep link has opened.
struct LinkedRecipeView: View {
    let link: RecipeLink
    let environment: RecipesEnvironment
    @Environment(\.closeFullScreenCover) private var close

    init(link: RecipeLink, environment: RecipesEnvironment) {
        self.link = link
        self.environment = environment
    }

    var body: some View {
        Button {
            close()
        } label: {
            Text(verbatim: "Close recipe \(link.recipe.rawValue)")
        }
        .buttonStyle(LogButtonStyle(Home.tapFeedRecipe(section: .seasonal, recipeId: link.recipe, position: 0)))
        .environment(\.appEnvironment, environment)
    }
}
