#if canImport(SwiftUI) && canImport(UIKit) && !os(watchOS)
    import Foundation
    import SwiftUI
    import UIKit

    struct SharedReport: Identifiable {
        let id = UUID()
        let text: String
    }

    extension View {
        /// Presents the system's share sheet for a report. tvOS has none.
        func reportSheet(_ report: Binding<SharedReport?>) -> some View {
            #if os(tvOS)
                return self
            #else
                return sheet(item: report) { ShareSheet(text: $0.text) }
            #endif
        }
    }

    #if !os(tvOS)
        private struct ShareSheet: UIViewControllerRepresentable {
            let text: String

            func makeUIViewController(context: Context) -> UIActivityViewController {
                UIActivityViewController(activityItems: [text], applicationActivities: nil)
            }

            func updateUIViewController(_ controller: UIActivityViewController, context: Context) {}
        }
    #endif
#endif
