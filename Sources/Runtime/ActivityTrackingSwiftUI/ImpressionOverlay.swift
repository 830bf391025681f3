#if canImport(SwiftUI) && canImport(UIKit) && !os(watchOS)
    import Foundation
    import SwiftUI

    /// Shows during development what becomes of a tracked content: a red frame until it has been seen, then a green
    /// one, and how much of it is visible.
    ///
    /// It is there if the environment variable `ACTIVITY_TRACKING_OVERLAY` is `1`, for example in a scheme.
    struct ImpressionOverlay: View {
        let status: () -> (fraction: Double, isSeen: Bool)

        /// Only tests set it.
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
