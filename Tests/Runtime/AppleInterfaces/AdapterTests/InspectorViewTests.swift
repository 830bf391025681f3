import ActivityTracking
import ActivityTrackingSwiftUI
import ContentVisibility
import Foundation
import RecipeLogs
import SwiftUI
import Testing
import UIKit

@testable import ActivityInspector

/// Tests of the inspector's views in the host.
@MainActor
struct InspectorViewTests {
    private let inspector = InspectorDestination([RecipeSearch.self], isOn: true)
    private let logger: ActivityLogger

    init() { logger = ActivityLogger(destinations: [inspector], collection: .enabled, report: { _ in }) }

    private func host(_ view: some View) -> ViewHost {
        ViewHost(size: CGSize(width: 390, height: 800)) { view }
    }

    private func post(_ recipe: Int64, position: Int = 0, keyword: String) {
        logger.post(
            RecipeSearch.showRecipe(
                recipeId: RecipeID(recipe), position: position, keyword: keyword, order: .popular))
    }

    private func keywords(_ host: ViewHost) -> [String] {
        host.evaluate()
        return host.drawings(in: "").compactMap { row in
            row.hasPrefix("secondary recipe_id")
                ? row.components(separatedBy: "keyword: ").last?.components(separatedBy: ",").first : nil
        }
    }

    @Test("The list shows the latest records with their verdicts, and the search and the filters change its rows")
    func rows() async {
        let host = host(ActivityInspectorView(inspector))
        #expect(keywords(host) == [])
        post(1, keyword: "curry")
        post(2, position: -1, keyword: "soup")
        logger.post(Home.viewHome(sectionCount: 2))
        #expect(keywords(host) == ["soup", "curry"])
        await inspector.flush()
        host.evaluate()
        let drawn = host.drawings(in: "")
        #expect(drawn.contains { $0.hasPrefix("red ") && $0.hasSuffix(", 1 violation") })
        #expect(drawn.contains { $0.hasPrefix("secondary ") && $0.hasSuffix(", accepted") })
        #expect(drawn.contains("3 records, 1 rejected.") && drawn.contains("home.view_home"))
        host.search(for: "CURRY")
        #expect(keywords(host) == ["curry"])
        host.search(for: "")
        host.tap(text: "Only violations")
        #expect(keywords(host) == ["soup"])
        host.tap(text: "Only violations")
        host.tap(text: "home")
        #expect(keywords(host) == [] && host.drawings(in: "").contains("home.view_home"))
        host.tap(text: "recipe_search")
        #expect(keywords(host) == ["soup", "curry"] && !host.drawings(in: "").contains("home.view_home"))
    }

    @Test("The list can be cleared")
    func clear() {
        let host = host(ActivityInspectorView(inspector))
        post(1, keyword: "curry")
        host.evaluate()
        #expect(keywords(host) == ["curry"])
        host.tap(text: "Clear")
        #expect(keywords(host) == [])
    }

    @Test("A tapped record opens next to the definition of its event")
    func record() async {
        post(42, position: -1, keyword: "curry")
        await inspector.flush()
        let host = host(ActivityInspectorView(inspector))
        host.tap(text: "recipe_search.show_recipe")
        let drawn = host.drawings(in: "pushed")
        #expect(drawn.contains("Document: recipe_search.md") && drawn.contains("Owner: @search-team"))
        #expect(
            drawn.contains("Trigger: 80% of it was in view for 2s."))
        #expect(drawn.contains("secondary int(0...), required") && drawn.contains("red -1 is below 0"))
        #expect(drawn.contains("event_id") && drawn.contains("secondary RecipeID = int64, required"))
    }

    @Test("The checklist is grouped by owner or category")
    func checklist() async {
        post(1, keyword: "curry")
        await inspector.flush()
        let host = host(ChecklistView(inspector: inspector))
        #expect(host.drawings(in: "").first == "1 of 6 events were seen")
        #expect(host.drawings(in: "").contains("✓ recipe_search.show_recipe"))
        #expect(host.drawings(in: "").contains("secondary 1 record; the last was accepted"))
        #expect(host.drawings(in: "").contains("secondary recipe_search.md, @search-team, impression(80%, 2s)"))
        #expect(host.drawings(in: "").contains("@search-team"))
        host.tap(text: "By category")
        #expect(host.drawings(in: "").contains("recipe_search") && !host.drawings(in: "").contains("@search-team"))
    }

    @Test("The contents in view are those before the inspector covered them, until they are updated")
    func contents() {
        let time = Locked(0.0)
        let impressions = ImpressionTrackingController(clock: .stopped(at: time))
        let name = "\(UUID())"
        let screen = host(
            TrackableScrollView(controller: impressions) {
                Place("half", CGRect(x: 0, y: 750, width: 390, height: 100)) { Color.clear.trackImpression(name) {} }
            })
        time.withLock { $0 = 1 }
        let host = host(ActivityInspectorView(inspector))
        impressions.tracker.update { $0.updateRoot { $0.cover = .sheet } }
        host.tap(text: InspectorReport.summary(of: ScreenSnapshot.all))
        func reasons() -> [String] {
            let drawn = host.drawings(in: "pushed")
            return drawn.firstIndex(of: name).map { Array(drawn[($0 + 1)...($0 + 3)]) } ?? []
        }
        #expect(
            reasons() == [
                "under 80%", "Not seen: 50% is in view, and the rule requires 80%.",
                "secondary In view: 50%. Rule: 80% for 2 s, once per visit.",
            ])
        host.tap(text: "Update")
        #expect(reasons().prefix(2) == ["under a sheet", "Not seen: a sheet lies over the screen; the visit goes on."])
        withExtendedLifetime(screen) {}
    }

    @Test("A content that `track` tracks is named by its event and its identifier")
    func trackedName() {
        let impressions = ImpressionTrackingController(clock: .stopped(at: Locked(0)))
        let recipe = Int64.random(in: 1...Int64.max)
        let screen = host(
            TrackableScrollView(controller: impressions) {
                Place("row", CGRect(x: 0, y: 0, width: 390, height: 100)) {
                    Color.clear.track(
                        RecipeSearch.showRecipe(
                            recipeId: RecipeID(recipe), position: 0, keyword: "", order: .popular), id: recipe)
                }
            })
        let names = ScreenSnapshot.all.flatMap(\.contents).map(\.name)
        #expect(names.contains("recipe_search.show_recipe \(recipe)"))
        withExtendedLifetime(screen) {}
    }

    @Test("The report of the filtered records is passed to the share sheet, and nowhere else")
    func share() async throws {
        post(1, keyword: "curry")
        post(2, keyword: "soup")
        await inspector.flush()
        let host = host(ActivityInspectorView(inspector))
        host.search(for: "soup")
        host.tap(text: "Share")
        host.settle()
        let sheet = try #require(
            host.controllers.values.compactMap { $0.controller as? UIActivityViewController }.first)
        let report = try #require(sheet._items.first as? String)
        #expect(sheet._items.count == 1)
        #expect(report.contains("keyword: soup") && !report.contains("keyword: curry"))
        #expect(report.contains("- [x] recipe\\_search.show\\_recipe: 2 records; the last was accepted"))
    }

    @Test("The view of an inspector that is off shows that nothing is recorded, and reads no content in view")
    func off() {
        let impressions = ImpressionTrackingController(clock: .stopped(at: Locked(0)))
        let screen = host(
            TrackableScrollView(controller: impressions) {
                Place("row", CGRect(x: 0, y: 0, width: 390, height: 100)) { Color.clear.trackImpression("row") {} }
            })
        #expect(ScreenSnapshot.all.contains { !$0.contents.isEmpty })
        let drawings = host(ActivityInspectorView(InspectorDestination(isOn: false))).drawings(in: "")
        #expect(drawings.contains("The inspector is off: nothing is recorded."))
        #expect(drawings.contains("0 contents in view"))
        withExtendedLifetime(screen) {}
    }
}
