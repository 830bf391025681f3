import ActivityTracking
import ActivityTrackingSwiftUI
import ActivityTrackingTesting
import ActivityTrackingUIKit
import Foundation
import SwiftUI
import Testing

/// Tests of the messages about forgotten modifiers and environments.
struct DeveloperMistakeTests {
    @Test("A content without a root stops a debug build, after a log message with the fix")
    func missingRoot() async throws {
        let result = try await #require(processExitsWith: .failure, observing: [\.standardErrorContent]) {
            await MainActor.run {
                let app = App(activityLogger: ActivityLogger(destinations: [RecordingDestination()]))
                _ = ViewHost(size: CGSize(width: 390, height: 800)) {
                    Color.clear.postShowContentLog(Feed.show(item: "a")).environment(\.appEnvironment, app)
                }
            }
        }
        let said = String(decoding: result.standardErrorContent, as: UTF8.self)
        #expect(said.contains(/error.*ActivityTracking.*Add trackScreen\(_:\) to the screen/), "\(said)")
    }

    @Test("Content outside a tracked scroll view or a tap without an environment stops a debug build")
    func missingController() async throws {
        let impression = try await #require(processExitsWith: .failure, observing: [\.standardErrorContent]) {
            await MainActor.run {
                _ = ViewHost(size: CGSize(width: 390, height: 800)) { Color.clear.trackImpression("a") {} }
            }
        }
        #expect(
            String(decoding: impression.standardErrorContent, as: UTF8.self).contains(
                "Pass the screen's ImpressionTrackingController"))
        // A sheet inherits the environment of its presenter, but is not in the presenter's scroll view.
        let sheet = try await #require(processExitsWith: .failure, observing: [\.standardErrorContent]) {
            await MainActor.run {
                _ = ViewHost(size: CGSize(width: 390, height: 800)) {
                    TrackableScrollView(controller: ImpressionTrackingController()) {
                        Color.clear.trackImpression("a") {}.trackScreen(
                            ScreenTracker(nil, center: NotificationCenter()))
                    }
                    .trackScreen(ScreenTracker(nil, center: NotificationCenter()))
                }
            }
        }
        #expect(
            String(decoding: sheet.standardErrorContent, as: UTF8.self).contains(
                "Pass the screen's ImpressionTrackingController"))
        let environment = try await #require(processExitsWith: .failure, observing: [\.standardErrorContent]) {
            await MainActor.run {
                _ = ViewHost(size: CGSize(width: 390, height: 800)) { AppEnvironmentReader { _ in Color.clear } }
            }
        }
        #expect(
            String(decoding: environment.standardErrorContent, as: UTF8.self).contains("The app environment is missing")
        )
    }
}
