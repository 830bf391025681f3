#if canImport(SwiftUI) && canImport(UIKit) && !os(watchOS)
    import Foundation
    import SwiftUI

    /// A debug overlay of a tracked content: its visible fraction in a frame, red until the content is seen, then
    /// green.
    ///
    /// The environment variable `ACTIVITY_TRACKING_OVERLAY=1`, for example in a scheme, enables it.
    struct ImpressionOverlay: View {
        let status: () -> (fraction: Double, isSeen: Bool)

        /// Indicates whether overlays are enabled. Only tests set it.
        @MainActor static var isOn = ProcessInfo.processInfo.environment["ACTIVITY_TRACKING_OVERLAY"] == "1"

        var body: some View {
            Self.isOn ? TimelineView(.periodic(from: Date(), by: 0.1)) { _ in drawing(status()) } : nil
        }

        private func drawing(_ status: (fraction: Double, isSeen: Bool)) -> some View {
            Rectangle()
                .strokeBorder(status.isSeen ? Color.green : Color.red, lineWidth: 2)
                .overlay(
                    Text(verbatim: "\(Int((status.fraction * 100).rounded())) %").foregroundColor(
                        status.isSeen ? .green : .red)
                )
                .allowsHitTesting(false)
                .accessibilityHidden(true)
        }
    }
#endif
