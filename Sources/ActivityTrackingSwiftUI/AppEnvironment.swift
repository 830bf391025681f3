#if canImport(SwiftUI) && canImport(UIKit)
    public import ActivityTracking
    public import ActivityTrackingUIKit
    public import SwiftUI

    extension EnvironmentValues {
        /// What hands out the logger: set it on the window's first view.
        public var appEnvironment: (any ActivityLogging)? {
            get { self[AppEnvironmentKey.self] }
            set { self[AppEnvironmentKey.self] = newValue }
        }

        /// The controller of the screen around; `showContentLogRoot(controller:)` sets it.
        public var showContentLogController: ShowContentLogController? {
            get { self[ShowContentLogControllerKey.self] }
            set { self[ShowContentLogControllerKey.self] = newValue }
        }
    }

    private struct AppEnvironmentKey: EnvironmentKey {
        static var defaultValue: (any ActivityLogging)? { nil }
    }

    private struct ShowContentLogControllerKey: EnvironmentKey {
        static var defaultValue: ShowContentLogController? { nil }
    }
#endif
