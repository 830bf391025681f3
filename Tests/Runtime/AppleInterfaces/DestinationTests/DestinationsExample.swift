import ActivityTracking
import Foundation
import RecipeLogs
import Testing

@preconcurrency import AmplitudeSwift
@preconcurrency import FirebaseAnalytics

/// The article's first example.
extension DestinationTests {
    @Test("Two SDKs receive the same event") func twoVendors() {
        FirebaseAnalytics.Analytics.recorder = []
        let amplitude = Amplitude(configuration: Configuration(apiKey: "key"))

        let activityLogger = ActivityLogger(
            destinations: [FirebaseDestination(), AmplitudeDestination(amplitude)], collection: .enabled)
        activityLogger.post(RecipeSearch.clearHistory)

        #expect(FirebaseAnalytics.Analytics.recorder.last?.hasPrefix("logEvent recipe_search_clear_history ") == true)
        #expect(amplitude.tracked.map(\.eventType) == ["recipe_search_clear_history"])
    }
}
