#if canImport(SwiftUI) && canImport(UIKit) && !os(watchOS)
    public import ActivityTracking
    public import ActivityTrackingUIKit
    import ContentVisibility
    public import SwiftUI

    extension EnvironmentValues {
        /// The app's environment, which provides the logger. Set it on the root view of the window.
        public var appEnvironment: (any ActivityLogging)? {
            get { self[ValueKey<any ActivityLogging>.self] }
            set { self[ValueKey<any ActivityLogging>.self] = newValue }
        }

        /// The tracker of the surrounding screen. `trackScreen(_:)` sets it.
        public var screenTracker: ScreenTracker? {
            get { self[ValueKey<ScreenTracker>.self] }
            set { self[ValueKey<ScreenTracker>.self] = newValue }
        }
    }

    /// A view that reads the app environment, as a `GeometryReader` reads a geometry. The app environment must be set.
    public struct AppEnvironmentReader<Content: View>: View {
        private let content: (any ActivityLogging) -> Content
        @Environment(\.appEnvironment) private var environment

        /// - Parameter content: Returns the view for an environment.
        public init(@ViewBuilder content: @escaping (any ActivityLogging) -> Content) { self.content = content }

        public var body: some View { AppEnvironmentReader<EmptyView>.required(environment).map(content) }
    }

    extension AppEnvironmentReader where Content == EmptyView {
        /// Returns the environment. Reports a mistake if it is nil.
        static func required(_ environment: (any ActivityLogging)?) -> (any ActivityLogging)? {
            if environment == nil {
                reportMistake(
                    "The app environment is missing. Set it on the window's first view: "
                        + ".environment(\\.appEnvironment, …)"
                )
            }
            return environment
        }

        static func logger(of environment: (any ActivityLogging)?) -> ActivityLogger? {
            required(environment)?.activityLogger
        }
    }

    /// The key of the only value of a type in the environment.
    struct ValueKey<Value>: EnvironmentKey {
        static var defaultValue: Value? { nil }
    }
#endif
