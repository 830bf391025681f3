import ActivityTracking
import Combine
import ContentVisibility
import Foundation
import RecipeLogs

/// What the app hands to its screens: the logger, and what has been logged, for the check marks.
@MainActor
final class RecipesEnvironment: ActivityLogging {
    let activityLogger: ActivityLogger
    let marks: Marks
    /// When a row counts as seen; nil for when its document says. UI tests, which are slow, ask for another dwell.
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
            processors: [], destinations: [destination])
    }
}

/// Which contents have been tracked: the check marks of all screens.
@MainActor
final class Marks: ObservableObject {
    @Published private(set) var tracked: Set<String> = []

    func mark(_ content: String) { tracked.insert(content) }
}
