import ActivityInspector
import ActivityTracking
import Foundation
import RecipeLogs
import Testing

/// The app of the documentation's sample.
struct InspectorExample {
    private final class App: Sendable {
        let inspector: InspectorDestination
        let logger: ActivityLogger

        init(isInternalBuild: Bool, outbox: some LogDestination) {
            let inspector = InspectorDestination([RecipeSearch.self, Home.self], isOn: isInternalBuild)
            let logger = ActivityLogger(destinations: [outbox, inspector], collection: .enabled)

            (self.inspector, self.logger) = (inspector, logger)
        }
    }

    @Test("The sample's inspector reports the posted events in internal builds only", arguments: [false, true])
    func sample(isInternalBuild: Bool) async {
        let app = App(isInternalBuild: isInternalBuild, outbox: ConsoleDestination())
        app.logger.post(RecipeSearch.clearHistory)
        await app.logger.flush()
        #expect(app.inspector.report.contains("1 record, 0 rejected") == isInternalBuild)
    }
}
