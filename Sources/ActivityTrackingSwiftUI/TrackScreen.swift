#if canImport(SwiftUI) && canImport(UIKit) && !os(watchOS)
    public import ActivityTrackingUIKit
    import ContentVisibility
    import Foundation
    public import SwiftUI

    extension View {
        /// Makes a view the root of a screen: contents in it are shown and seen in the screen's visits.
        /// - Parameters:
        ///   - tracker: the screen's tracker.
        ///   - isRefreshing: whether a refresh replaces the contents now, in views that stay.
        ///   - forceDisappear: whether the screen is a tab that is not selected. Such a tab gets appear events while it
        ///     is swiped in.
        public func trackScreen(_ tracker: ScreenTracker, isRefreshing: Bool = false, forceDisappear: Bool = false) -> some View {
            modifier(TrackScreen(tracker: tracker, isRefreshing: isRefreshing, forceDisappear: forceDisappear))
        }
    }

    private struct TrackScreen: ViewModifier {
        let tracker: ScreenTracker
        let isRefreshing: Bool
        let forceDisappear: Bool
        @Environment(\.isFullScreenCovered) private var isCovered
        @State private var view = UUID()

        init(tracker: ScreenTracker, isRefreshing: Bool, forceDisappear: Bool) {
            self.tracker = tracker
            self.isRefreshing = isRefreshing
            self.forceDisappear = forceDisappear
        }

        private var isForcedToDisappear: Bool { forceDisappear || isCovered }

        private func appear() {
            tracker.root.appear(isForcedToDisappear: isForcedToDisappear, isRefreshing: isRefreshing, by: view)
            tracker.presentationDidChange()
        }

        func body(content: Content) -> some View {
            content
                .environment(\.screenTracker, tracker)
                .background(
                    AppearingController {
                        // In an app of SwiftUI alone, nobody else knows the screen's view controller.
                        if tracker.viewController == nil { tracker.viewController = $0 }
                        appear()
                    }
                )
                // A new view of a screen that is there takes over before the old one disappears. For other screens
                // `onAppear` comes too early: when a person begins to swipe back, and may still let go.
                .onAppear { if tracker.root.visibility.conditions.hasAppeared { appear() } }
                .onDisappear {
                    tracker.root.disappear(by: view)
                    tracker.presentationDidChange()
                    // UIKit may still name what is about to go.
                    Task { tracker.presentationDidChange() }
                }
                .onChange(of: isRefreshing) { tracker.root.setRefreshing($0) }
                .onChange(of: isForcedToDisappear) { tracker.root.setForcedToDisappear($0) }
        }
    }
#endif
