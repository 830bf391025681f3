import ActivityTracking
import ContentVisibility
import Foundation
import SwiftUI
import Testing

@testable import ActivityTrackingSwiftUI

@MainActor
struct ImpressionOverlayTests {
    @Test(
        "Only on request, an overlay shows the fraction, red until the content is seen, then green"
    )
    func overlay() {
        let time = Locked(0.0)
        let controller = ImpressionTrackingController(clock: .stopped(at: time))
        let host = ViewHost(size: CGSize(width: 390, height: 800)) {
            TrackableScrollView(controller: controller) {
                Place("whole", CGRect(x: 0, y: 0, width: 390, height: 100)) { Color.clear.trackImpression("whole") {} }
                Place("half", CGRect(x: 0, y: 750, width: 390, height: 100)) { Color.clear.trackImpression("half") {} }
            }
        }
        #expect(host.drawings(in: "whole") == [])
        ImpressionOverlay.isOn = true
        defer { ImpressionOverlay.isOn = false }
        host.evaluate()
        #expect(host.drawings(in: "whole") == ["red border", "red 100 %"])
        #expect(host.drawings(in: "half") == ["red border", "red 50 %"])
        time.withLock { $0 = 2 }
        controller.tracker.update { _ in }
        host.evaluate()
        #expect(host.drawings(in: "whole") == ["green border", "green 100 %"])
        #expect(host.drawings(in: "half") == ["red border", "red 50 %"])
    }
}
