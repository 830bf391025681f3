import ActivityTracking
import ActivityTrackingSwiftUI
import ActivityTrackingUIKit
import ContentVisibility
import Foundation
import RecipeLogs
import SwiftUI
import UIKit

/// A vertical list of rows that scroll horizontally.
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

    private static let sectionCount: UInt8 = 12

    var body: some View {
        TrackableScrollView(controller: impressions) {
            LazyVStack {
                ForEach(0..<Int(Self.sectionCount), id: \.self) { position in
                    Text(verbatim: "Section \(position)")
                        .track(Home.showSection(section: .seasonal, position: position), id: position)
                    TrackableScrollView(.horizontal, showsIndicators: false) {
                        LazyHStack {
                            ForEach(0..<10, id: \.self) { column in
                                let name = "recipe-\(position)-\(column)"
                                CheckedCell(name: name, isChecked: marks.tracked.contains(name))
                                    .frame(width: 150, height: 120)
                                    .track(
                                        Home.seeFeedRecipe(
                                            section: .seasonal, recipeId: RecipeID(Int64(position * 10 + column)),
                                            position: column),
                                        id: name
                                    ) { _ in marks.mark(name) }
                            }
                        }
                    }
                }
            }
        }
        .trackScreen(screen, Home.viewHome(sectionCount: Self.sectionCount))
        .environment(\.appEnvironment, environment)
    }
}

/// A cell that shows whether it has been tracked.
struct CheckedCell: View {
    let name: String
    let isChecked: Bool

    var body: some View {
        HStack {
            Text(verbatim: name)
            Text(verbatim: isChecked ? "✓" : "–").accessibilityIdentifier(
                "\(name)-\(isChecked ? "tracked" : "untracked")")
        }
    }
}

final class HomeViewController: UIHostingController<HomeView> {
    private let screen: ScreenTracker

    init(environment: RecipesEnvironment) {
        screen = ScreenTracker(nil)
        super.init(
            rootView: HomeView(environment: environment, screen: screen, impressions: ImpressionTrackingController()))
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
