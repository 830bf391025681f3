import ActivityOutbox
import ActivityTracking
import ActivityTrackingTesting
import Foundation
import LoopbackCollector
import RecipeLogs
import Testing

/// The app of README.md, with a collector on this machine.
struct ReadmeExample {
    /// The source of the columns that every event carries.
    private struct Session: Sendable {
        var userID: UserID?

        var columns: CommonColumns {
            CommonColumns(
                userId: userID, sessionId: UUID(), appVersion: "2026.4.0", osVersion: "iOS 19.4", deviceKind: .phone,
                deviceModel: "iPhone18,3",
                timeZone: "Asia/Tokyo", locale: "ja-JP", isPremium: false, experiments: [])
        }
    }

    @Test("The app delivers its event with the common columns") func theAppDeliversItsEvent() async throws {
        let collector = try Collector()
        let folder = FileManager.default.temporaryDirectory.appendingPathComponent(UUID().uuidString)
        defer { try? FileManager.default.removeItem(at: folder) }
        let url = collector.url
        let session = Session(userID: UserID(7))
        let recipe = RecipeID(42)

        let outbox = Outbox(.init(folder: folder), uploader: HTTPUploader(url, headers: ["Authorization": "Bearer …"]))
        let activityLogger = ActivityLogger(
            common: { session.columns }, destinations: [outbox, ConsoleDestination()], collection: .enabled)
        activityLogger.post(
            RecipeSearch.tapRecipe(
                recipeId: recipe, position: 0, keyword: "curry", order: .popular, placement: .editorial)
        )
        await activityLogger.shutdown(within: 600)

        #expect(collector.accepted.count == 1)
        #expect(collector.accepted.first?.contains("\"user_id\":7,") == true)
    }

    /// The documentation's sample: without an agreement nothing is stored or sent.
    @Test("An event is delivered if the user agrees, and is not delivered otherwise")
    func eventsNeedTheUsersConsent() async throws {
        struct User { var agrees: Bool }
        for user in [User(agrees: true), User(agrees: false)] {
            let collector = try Collector()
            let folder = FileManager.default.temporaryDirectory.appendingPathComponent(UUID().uuidString)
            defer { try? FileManager.default.removeItem(at: folder) }
            let outbox = Outbox(.init(folder: folder), uploader: HTTPUploader(collector.url))
            let logger = ActivityLogger(destinations: [outbox], collection: user.agrees ? .enabled : .denied)
            logger.post(RecipeSearch.clearHistory)
            await logger.shutdown(within: 600)
            #expect(collector.accepted.count == (user.agrees ? 1 : 0))
        }
    }

    @Test("A recording destination contains the posted events") func aRecordingDestinationContainsEvents() throws {
        let logs = RecordingDestination()
        let activityLogger = ActivityLogger(destinations: [logs])
        activityLogger.post(RecipeSearch.clearHistory)
        #expect(logs.events(of: RecipeSearch.self) == [.clearHistory])
        try expectValid(logs.records)
    }
}
