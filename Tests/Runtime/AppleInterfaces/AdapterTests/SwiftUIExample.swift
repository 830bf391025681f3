import ActivityTracking
import ActivityTrackingSwiftUI
import ActivityTrackingTesting
import ActivityTrackingUIKit
import ContentVisibility
import Foundation
import RecipeLogs
import SwiftUI
import Testing
import UIKit

/// The samples of ActivityTrackingSwiftUI's documentation.
private struct ResultsView: View {
    let recipes: [RecipeID]
    let screen: ScreenTracker
    let impressions: ImpressionTrackingController

    var body: some View {
        TrackableScrollView(controller: impressions) {
            ForEach(Array(recipes.enumerated()), id: \.element) { position, recipe in
                Row(item: position)
                    .track(
                        RecipeSearch.showRecipe(
                            recipeId: recipe, position: position, keyword: "curry", order: .popular),
                        id: recipe)
            }
        }
        .trackScreen(screen, RecipeSearch.viewSearch(referrer: .home))
    }
}

struct FeedView: View {
    let items: [Int]
    let screen: ScreenTracker
    let impressions: ImpressionTrackingController
    var isRefreshing = false
    var isSelected = true
    var onSeen: (Int) -> Void = { _ in }

    init(
        items: [Int], screen: ScreenTracker, impressions: ImpressionTrackingController, isRefreshing: Bool = false,
        isSelected: Bool = true,
        onSeen: @escaping (Int) -> Void = { _ in }
    ) {
        self.items = items
        self.screen = screen
        self.impressions = impressions
        self.isRefreshing = isRefreshing
        self.isSelected = isSelected
        self.onSeen = onSeen
    }

    var body: some View {
        TrackableScrollView(isLazy: true, controller: impressions) {
            ForEach(items, id: \.self) { item in
                Row(item: item)
                    .postShowContentLog(Feed.show(item: "\(item)"), id: item) { environment in
                        environment.activityLogger.post(Feed.show(item: "beside \(item)"))
                    }
                    .trackImpression(item, rule: ImpressionRule(visibleFraction: 0.5, dwell: 1)) { onSeen(item) }
            }
        }
        .trackScreen(screen, isRefreshing: isRefreshing, forceDisappear: !isSelected)
    }
}

/// An identifier of an app whose types are isolated to the main actor by default.
nonisolated struct RowID: Hashable {
    let number: Int
}

private struct Row: View {
    let item: Int

    var body: some View {
        Color.clear.trackImpression(RowID(number: item)) {}
    }
}

struct LinkID: Identifiable, Sendable {
    let id: Int
}

private struct DetailView: View {
    let link: LinkID
    @Environment(\.closeFullScreenCover) private var close
    @State private var filter: LinkID?

    init(link: LinkID) { self.link = link }

    var body: some View {
        Button {
            close()
        } label: {
            Color.clear
        }
        Button(action: save) { Text(verbatim: "Save") }.buttonStyle(LogButtonStyle(Feed.show(item: "saved")))
        Text(verbatim: "Share").postTapLog(Feed.show(item: "shared"))
        AppEnvironmentReader { environment in Author(logger: environment.activityLogger) }
        Color.clear.coverableSheet(item: $filter) { FilterView(filter: $0) }
    }

    private func save() {}
}

private struct FilterView: View {
    let filter: LinkID

    var body: some View { Color.clear }
}

private struct Author: View {
    let logger: ActivityLogger
    @Environment(\.screenTracker) private var screen

    init(logger: ActivityLogger) { self.logger = logger }

    var body: some View { Color.clear }
}

@MainActor
struct SwiftUIExample {
    @Test("The sample posts its events according to their definitions")
    func results() {
        let (logs, time) = (RecordingDestination(), Locked(0.0))
        let appEnvironment = App(activityLogger: ActivityLogger(destinations: [logs]))
        let impressions = ImpressionTrackingController(
            clock: VisibilityClock(
                now: { time.withLock { $0 } }, sleep: { _ in try? await Task.sleep(nanoseconds: .max) }))
        let screen = ScreenTracker(nil)
        let host = ViewHost(size: CGSize(width: 390, height: 800), rowHeight: 500) {
            ResultsView(recipes: [RecipeID(42)], screen: screen, impressions: impressions)
                .environment(\.appEnvironment, appEnvironment)
        }
        #expect(logs.events(of: RecipeSearch.self) == [.viewSearch(referrer: .home)])
        time.withLock { $0 = 2 }
        withExtendedLifetime(host) { impressions.tracker.update { _ in } }
        let seen = RecipeSearch.showRecipe(recipeId: RecipeID(42), position: 0, keyword: "curry", order: .popular)
        #expect(logs.events(of: RecipeSearch.self) == [.viewSearch(referrer: .home), seen])
    }

    @Test("The app's window posts the logs of its contents and covers") func windowOfTheApp() {
        let logs = RecordingDestination()
        let appEnvironment = App(activityLogger: ActivityLogger(destinations: [logs]))
        let (screen, impressions) = (ScreenTracker(nil), ImpressionTrackingController())
        let items = Array(0..<10)
        let covers = FullScreenCovers<LinkID>()
        let host = ViewHost(size: CGSize(width: 390, height: 800), rowHeight: 500) {
            FullScreenCoverHost(covers) {
                FeedView(items: items, screen: screen, impressions: impressions)
            } cover: { link in
                DetailView(link: link)
            }
            .environment(\.appEnvironment, appEnvironment)
        }
        // The other items are below the fold.
        #expect(logs.records.compactMap { $0.json(of: "item") } == ["\"0\"", "\"beside 0\"", "\"1\"", "\"beside 1\""])
        covers.present(LinkID(id: 7))
        host.settle()
        #expect(!screen.root.visibility.isVisible)
        covers.closeAll()
        host.settle()
        #expect(screen.root.visibility.visit == 2)
        impressions.stop()
        impressions.start()
        impressions.restart()
    }
}
