#if canImport(SwiftUI) && canImport(UIKit) && !os(watchOS)
    import Foundation
    import SwiftUI

    /// Shows what becomes of a tracked content, while developing: red until it has been seen, then green, with how much of it is visible.
    ///
    /// It is there where the environment variable `ACTIVITY_TRACKING_OVERLAY` is set to `1`, as in a scheme.
    struct ImpressionOverlay: View {
        let status: () -> (fraction: Double, isSeen: Bool)

        /// Set by tests alone.
        @MainActor static var isOn = ProcessInfo.processInfo.environment["ACTIVITY_TRACKING_OVERLAY"] == "1"

        var body: some View { Self.isOn ? TimelineView(.periodic(from: Date(), by: 0.1)) { _ in drawing(status()) } : nil }

        private func drawing(_ status: (fraction: Double, isSeen: Bool)) -> some View {
            Rectangle()
                .strokeBorder(status.isSeen ? Color.green : Color.red, lineWidth: 2)
                .overlay(Text(verbatim: "\(Int((status.fraction * 100).rounded())) %").foregroundColor(status.isSeen ? .green : .red))
                .allowsHitTesting(false)
                .accessibilityHidden(true)
        }
    }
#endif
