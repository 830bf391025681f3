import ActivityTracking
import ActivityTrackingSwiftUI
import ActivityTrackingUIKit
import ContentVisibility
import Foundation
import RecipeLogs
import SwiftUI
import UIKit

/// A list that shows seven and a half cells. The half cell is in view, but does not count as seen.
struct ListView: View {
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

    static let count = 30
    static let cellsInView = 7.5

    var body: some View {
        GeometryReader { window in
            ScrollViewReader { reader in
                VStack {
                    // UI tests cannot scroll by exact amounts.
                    Button {
                        reader.scrollTo(Self.count - 1)
                    } label: {
                        Text(verbatim: "Bottom")
                    }
                    .frame(height: Self.buttonHeight)
                    .accessibilityIdentifier("bottom")
                    TrackableScrollView(controller: impressions) {
                        LazyVStack(spacing: 0) {
                            ForEach(0..<Self.count, id: \.self) { row in
                                CheckedCell(name: "row-\(row)", isChecked: marks.tracked.contains("row-\(row)"))
                                    .frame(height: (window.size.height - Self.buttonHeight) / Self.cellsInView)
                                    .track(
                                        RecipeSearch.showRecipe(
                                            recipeId: RecipeID(Int64(row)), position: row, keyword: "なす",
                                            order: .popular),
                                        id: RowID(number: row), rule: environment.rule
                                    ) { _ in marks.mark("row-\(row)") }
                                    .id(row)
                            }
                        }
                    }
                }
            }
        }
        .trackScreen(screen)
        .environment(\.appEnvironment, environment)
    }

    private static let buttonHeight = 44.0
}

/// The identity of a tracked row. Trackers compare it on any actor, so it must not be isolated to the main actor.
nonisolated struct RowID: Hashable {
    let number: Int
}

final class ListViewController: UIHostingController<ListView> {
    private let screen = ScreenTracker(nil)

    init(environment: RecipesEnvironment) {
        super.init(
            rootView: ListView(environment: environment, screen: screen, impressions: ImpressionTrackingController()))
        screen.viewController = self
    }

    @available(*, unavailable)
    required init?(coder: NSCoder) { nil }
}
