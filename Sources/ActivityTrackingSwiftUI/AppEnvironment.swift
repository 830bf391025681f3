#if canImport(SwiftUI) && canImport(UIKit) && !os(watchOS)
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

    /// A view that is made with the app environment, which has to be there.
    public struct AppEnvironmentRequired<Content: View>: View {
        private let content: (any ActivityLogging) -> Content
        @Environment(\.appEnvironment) private var environment

        public init(@ViewBuilder content: @escaping (any ActivityLogging) -> Content) { self.content = content }

        public var body: some View { AppEnvironmentRequired<EmptyView>.required(environment).map(content) }
    }

    extension AppEnvironmentRequired where Content == EmptyView {
        /// The environment, which has to be there.
        fileprivate static func required(_ environment: (any ActivityLogging)?) -> (any ActivityLogging)? {
            assert(
                environment != nil, "There is no app environment. Set it on the window's first view: .environment(\\.appEnvironment, appEnvironment)")
            return environment
        }

        static func logger(of environment: (any ActivityLogging)?) -> ActivityLogger? { required(environment)?.activityLogger }
    }

    private struct AppEnvironmentKey: EnvironmentKey {
        static var defaultValue: (any ActivityLogging)? { nil }
    }

    private struct ShowContentLogControllerKey: EnvironmentKey {
        static var defaultValue: ShowContentLogController? { nil }
    }
#endif
