import ActivityInspector
import ActivityTracking
import Combine
import ContentVisibility
import Foundation
import RecipeLogs

/// The logger of the app and the marks of tracked contents, passed to the screens.
@MainActor
final class RecipesEnvironment: ActivityLogging {
    let activityLogger: ActivityLogger
    let inspector = InspectorDestination([Home.self, RecipeSearch.self])
    let marks: Marks
    /// A rule with a longer dwell time for slow UI tests; nil for the rule of the definitions.
    let rule = ProcessInfo.processInfo.environment["RECIPES_DWELL"].flatMap { Double($0) }.map {
        ImpressionRule(dwell: $0)
    }

    init(destination: any LogDestination = ConsoleDestination()) {
        let marks = Marks()
        let session = UUID()
        self.marks = marks
        activityLogger = ActivityLogger(
            common: {
                CommonColumns(
                    sessionId: session, appVersion: "1.0",
                    osVersion: ProcessInfo.processInfo.operatingSystemVersionString, deviceKind: .phone,
                    deviceModel: "example", timeZone: TimeZone.current.identifier, locale: Locale.current.identifier,
                    isPremium: false,
                    experiments: [])
            },
            processors: [], destinations: [destination, inspector])
    }
}

/// The contents that have been tracked, for the check marks of all screens.
@MainActor
final class Marks: ObservableObject {
    @Published private(set) var tracked: Set<String> = []

    func mark(_ content: String) { tracked.insert(content) }
}
