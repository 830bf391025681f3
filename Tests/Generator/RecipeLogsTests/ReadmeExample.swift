import ActivityTracking
import Foundation
import RecipeLogs
import Testing

/// The sample in README.md, compiled and run.
struct ReadmeExample {
    @Test("An event becomes a record") func anEventBecomesARecord() throws {
        let common = CommonColumns(
            sessionId: UUID(), appVersion: "2026.4.0", osVersion: "iOS 19.4", deviceKind: .phone,
            deviceModel: "iPhone18,3",
            timeZone: "Asia/Tokyo", locale: "ja-JP", isPremium: false, experiments: [])
        let event = RecipeSearch.showRecipe(recipeId: RecipeID(42), position: 4, keyword: "curry", order: .popular)
        let record = LogRecord(event, common: common)
        let json = try #require(try JSONSerialization.jsonObject(with: Data(record.json)) as? [String: Any])
        #expect(json["event_name"] as? String == "show_recipe")
        #expect(json["recipe_id"] as? Int == 42)
        #expect(json["violations"] == nil)
    }
}
